//! A validator for as much of JSON Schema as the description of the interface uses. It refuses
//! words it does not know, so that nothing in the description goes unchecked.

use serde_json::Value;

/// Words that say nothing about validity.
const NOTES: [&str; 2] = ["description", "default"];

/// What is wrong with `value` by `schema`, which may refer to other parts of `document`.
pub(crate) fn check(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let words = schema.as_object().ok_or("a schema is an object")?;
    for (word, rule) in words.iter().filter(|(word, _)| !NOTES.contains(&word.as_str())) {
        check_word(document, words, word, rule, value)?;
    }
    Ok(())
}

fn check_word(
    document: &Value,
    words: &serde_json::Map<String, Value>,
    word: &str,
    rule: &Value,
    value: &Value,
) -> Result<(), String> {
    let number = |rule: &Value| rule.as_f64().unwrap();
    let length = || value.as_str().map(|text| text.chars().count() as f64);
    let holds = match word {
        "$ref" => return check(document, resolve(document, rule), value),
        "anyOf" => list(rule).iter().any(|one| check(document, one, value).is_ok()),
        "type" => rule.as_str().map_or_else(
            || list(rule).iter().any(|kind| is_of(kind.as_str().unwrap(), value)),
            |kind| is_of(kind, value),
        ),
        "enum" => list(rule).contains(value),
        "const" => rule == value,
        "minimum" => value.as_f64().is_none_or(|value| value >= number(rule)),
        "maximum" => value.as_f64().is_none_or(|value| value <= number(rule)),
        "minLength" => length().is_none_or(|length| length >= number(rule)),
        "maxLength" => length().is_none_or(|length| length <= number(rule)),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as f64 <= number(rule)),
        "items" => {
            for item in value.as_array().into_iter().flatten() {
                check(document, rule, item)?;
            }
            true
        }
        "required" => value.as_object().is_none_or(|fields| {
            list(rule).iter().all(|name| fields.contains_key(name.as_str().unwrap()))
        }),
        "properties" => {
            for (name, schema) in rule.as_object().unwrap() {
                if let Some(field) = value.get(name) {
                    check(document, schema, field).map_err(|why| format!("{name}: {why}"))?;
                }
            }
            true
        }
        "additionalProperties" => {
            assert_eq!(rule, false, "what else there may be is not described");
            let known = words["properties"].as_object().unwrap();
            value
                .as_object()
                .is_none_or(|fields| fields.keys().all(|name| known.contains_key(name)))
        }
        unknown => return Err(format!("the validator does not know {unknown:?}")),
    };
    if holds { Ok(()) } else { Err(format!("{word} {rule} does not hold for {value}")) }
}

fn list(rule: &Value) -> &Vec<Value> {
    rule.as_array().expect("a list")
}

/// The part of the document that a `$ref` names.
pub(crate) fn resolve<'a>(document: &'a Value, reference: &Value) -> &'a Value {
    let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
    document.pointer(pointer).unwrap_or_else(|| panic!("{reference} names nothing"))
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[test]
fn the_schema_check_rejects_invalid_values() {
    let document = serde_json::json!({ "a": { "type": "object", "required": ["x"],
        "properties": { "x": { "type": ["integer", "null"], "minimum": 2 } },
        "additionalProperties": false } });
    let schema = serde_json::json!({ "$ref": "#/a" });
    let verdict = |text: &str| check(&document, &schema, &serde_json::from_str(text).unwrap());
    for good in [r#"{"x":2}"#, r#"{"x":null}"#] {
        assert_eq!(verdict(good), Ok(()));
    }
    for bad in ["{}", "[]", r#"{"x":1}"#, r#"{"x":2.5}"#, r#"{"x":"2"}"#, r#"{"x":2,"y":1}"#] {
        assert!(verdict(bad).is_err(), "{bad}");
    }
    assert!(check(&document, &serde_json::json!({ "oneOf": [] }), &Value::Null).is_err());
}
