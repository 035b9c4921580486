//! Who somebody is: a random id in a signed cookie, and nothing else. No names, no passwords.

use crate::store::now;
use axum::http::{HeaderMap, HeaderValue, header};
use hmac::{Hmac, Mac};
use rand::TryRngCore;
use rand::rngs::OsRng;
use sha2::{Digest, Sha256};

/// The name of the cookie that says who somebody is.
const PERSON: &str = "spuk";
/// The name of the cookie of researchers and operators.
const OPERATOR: &str = "spuk-operator";
/// A day in seconds.
const DAY: u64 = 24 * 3600;
/// Two years.
const LONG: u64 = 2 * 365 * 24 * 3600;

/// The digits of ids: none that is taken for another.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A random text of so many digits, five bits each.
pub fn random_text(digits: usize) -> String {
    let mut bytes = vec![0; digits];
    // Without randomness from the system nothing here can be safe.
    OsRng.try_fill_bytes(&mut bytes).expect("the system gives random numbers");
    bytes.iter().map(|byte| DIGITS[usize::from(byte & 31)] as char).collect()
}

/// What is kept of a secret.
pub fn hash_of(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text can be an id that [`random_text`] made.
pub fn is_id(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| DIGITS.contains(&byte))
}

/// The digits of a person's id: 130 bits.
const PERSON_DIGITS: usize = 26;

/// Signs cookies.
#[derive(Clone)]
pub struct Signer {
    key: Vec<u8>,
    secure: bool,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The random id.
    pub id: String,
    /// The visitor holds the operator's token.
    pub operator: bool,
}

impl Signer {
    /// With this secret; `secure` if the site is reached by https.
    pub fn new(secret: &str, secure: bool) -> Signer {
        Signer { key: secret.as_bytes().to_vec(), secure }
    }

    /// Who asks, and the cookie to set if that is somebody new.
    pub fn visitor(&self, headers: &HeaderMap) -> (Visitor, Option<HeaderValue>) {
        let until = self.read(headers, OPERATOR).and_then(|until| until.parse::<i64>().ok());
        let operator = until.is_some_and(|until| until > now());
        let known = self.read(headers, PERSON).filter(|id| is_id(id, PERSON_DIGITS));
        if let Some(id) = known {
            return (Visitor { id, operator }, None);
        }
        let id = random_text(PERSON_DIGITS);
        let cookie = self.person_cookie(&id);
        (Visitor { id, operator }, cookie)
    }

    /// The cookie that makes somebody this person.
    pub fn person_cookie(&self, id: &str) -> Option<HeaderValue> {
        self.cookie(PERSON, id, LONG)
    }

    /// The cookie that makes somebody an operator for a day.
    pub fn operator_cookie(&self) -> Option<HeaderValue> {
        // The time is signed too: a copied cookie does not outlive the day.
        let until = now() + 1000 * DAY as i64;
        self.cookie(OPERATOR, &until.to_string(), DAY)
    }

    fn cookie(&self, name: &str, value: &str, seconds: u64) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let signature = self.signature(name, value);
        let text = format!(
            "{name}={value}.{signature}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
        );
        HeaderValue::from_str(&text).ok()
    }

    /// The value of a cookie that carries our signature.
    fn read(&self, headers: &HeaderMap, name: &str) -> Option<String> {
        let (value, signature) = cookie(headers, name)?.rsplit_once('.')?;
        let mut mac = self.mac(name, value);
        mac.update(&[]);
        mac.verify_slice(&from_hex(signature)?).ok()?;
        Some(value.to_owned())
    }

    fn signature(&self, name: &str, value: &str) -> String {
        hex(&self.mac(name, value).finalize().into_bytes())
    }

    fn mac(&self, name: &str, value: &str) -> Hmac<Sha256> {
        // A key of any length will do.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any key will do");
        mac.update(name.as_bytes());
        mac.update(b"=");
        mac.update(value.as_bytes());
        mac
    }
}

/// The value of a cookie.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_cookie(text: &str) -> HeaderMap {
        let value = text.split(';').next().unwrap();
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn a_cookie_brings_the_same_person_back() {
        let signer = Signer::new("secret", true);
        let (first, cookie) = signer.visitor(&HeaderMap::new());
        let cookie = cookie.unwrap();
        let text = cookie.to_str().unwrap();
        for needed in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
            assert!(text.contains(needed), "{text}");
        }
        let (again, none) = signer.visitor(&with_cookie(text));
        assert_eq!((again.id, none), (first.id, None));
    }

    #[test]
    fn a_forged_cookie_makes_somebody_new() {
        let signer = Signer::new("secret", false);
        let (victim, cookie) = signer.visitor(&HeaderMap::new());
        let own = cookie.unwrap().to_str().unwrap().to_owned();
        let signature = own.split(';').next().unwrap().rsplit_once('.').unwrap().1.to_owned();
        let forged = [
            format!("spuk={}.{}", victim.id.replace('0', "1") + "x", signature),
            format!("spuk={}", victim.id),
            format!("spuk={}.", victim.id),
            format!("spuk={}.zz", victim.id),
            format!("spuk={}.é", victim.id),
            format!("spuk-operator={}.{signature}", i64::MAX),
        ];
        for text in forged {
            let Ok(value) = HeaderValue::from_str(&text) else { continue };
            let headers = HeaderMap::from_iter([(header::COOKIE, value)]);
            let (somebody, cookie) = signer.visitor(&headers);
            assert!(somebody.id != victim.id && cookie.is_some() && !somebody.operator, "{text}");
        }
        let other = Signer::new("another secret", false);
        assert_ne!(other.visitor(&with_cookie(&own)).0.id, victim.id);
        let operator = signer.operator_cookie().unwrap();
        assert!(signer.visitor(&with_cookie(operator.to_str().unwrap())).0.operator);
        let old = signer.cookie(OPERATOR, &(now() - 1).to_string(), 1).unwrap();
        assert!(!signer.visitor(&with_cookie(old.to_str().unwrap())).0.operator);
    }
}
