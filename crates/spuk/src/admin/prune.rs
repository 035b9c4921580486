//! `spuk admin prune`.

use super::PruneArguments;
use crate::progress::Line;
use crate::{Failure, exit};
use serde_json::{Value, json};
use service::retention::Sweep;
use service::store::{RetentionRule, Store};
use std::fmt::Write;

pub(super) async fn run(arguments: &PruneArguments) -> Result<u8, Failure> {
    let store = arguments.common.open().await?;
    let line = Line::new();
    let mut deleted = Vec::new();
    for rule in RetentionRule::ALL {
        let rows = if arguments.dry_run {
            store.count_expired(rule).await.map_err(|error| error.to_string())?
        } else {
            delete(&store, rule, &line).await?
        };
        deleted.push((rule, rows));
    }
    line.clear();
    store.close().await;
    let records: Vec<Value> = deleted.iter().map(record).collect();
    let whole = json!({ "v": 1, "dry_run": arguments.dry_run, "retention": records });
    let heading = if arguments.dry_run { "to delete" } else { "deleted" };
    arguments.common.print(&whole, &table(heading, &deleted))?;
    Ok(exit::YES)
}

async fn delete(store: &Store, rule: RetentionRule, line: &Line) -> Result<i64, Failure> {
    let mut sweep = Sweep::new(rule);
    let mut deleted = 0;
    loop {
        match sweep.next_batch(store).await {
            Ok(Some(rows)) => deleted += rows as i64,
            Ok(None) => return Ok(deleted),
            Err(error) => return Err(format!("{error}; {deleted} {} are deleted", rule.name())),
        }
        line.say(format!("{}: {deleted} deleted", rule.name()));
    }
}

/// The JSON records of the rules with the number of rows they affect.
pub(super) fn record((rule, rows): &(RetentionRule, i64)) -> Value {
    json!({ "rule": rule.name(), "days": rule.days(), "rows": rows })
}

/// The same as text.
pub(super) fn table(heading: &str, rules: &[(RetentionRule, i64)]) -> String {
    let mut text = format!("{:<20} {:>10} {heading:>10}\n", "retention", "after days");
    for (rule, rows) in rules {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:<20} {:>10} {rows:>10}", rule.name(), rule.days());
    }
    text
}
