//! The session: a random id in a signed cookie, and nothing else. No names, no passwords.

use crate::cookie_secrets::CookieSecrets;
use axum::http::{HeaderMap, HeaderValue, header};
use hmac::{Hmac, Mac};
use service::secrets::{hex, is_id, random_text};
use service::store::now;
use sha2::Sha256;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The name of the session cookie.
const PERSON: &str = "spuk";
/// The name of the operator's session cookie.
const OPERATOR: &str = "spuk-operator";
/// Seconds of a day.
const DAY: i64 = 24 * 3600;
/// Seconds after which a cookie is renewed: a week.
const RENEWAL_SECONDS: i64 = 7 * DAY;
/// Seconds that the session cookie is valid: two years.
const SESSION_SECONDS: i64 = 2 * 365 * DAY;
/// Seconds by which the clock of another server may differ.
const CLOCK_TOLERANCE: i64 = 5 * 60;

/// The digits of a person's id: 130 bits.
const PERSON_DIGITS: usize = 26;

/// Signs cookies.
pub struct CookieSigner {
    secrets: RwLock<CookieSecrets>,
    secure: bool,
}

/// The visitor.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The random id.
    pub id: String,
    /// The visitor holds the operator's token.
    pub operator: bool,
}

/// The value of a cookie with a good signature.
struct Signed<'a> {
    value: &'a str,
    /// The secret of the signature has been replaced by a newer one.
    retired: bool,
}

impl CookieSigner {
    /// With these secrets; `secure` if the site is reached by https.
    pub fn new(secrets: CookieSecrets, secure: bool) -> CookieSigner {
        CookieSigner { secrets: RwLock::new(secrets), secure }
    }

    /// Signs with other secrets from now on.
    pub fn replace_secrets(&self, secrets: CookieSecrets) {
        *self.secrets.write().unwrap_or_else(PoisonError::into_inner) = secrets;
    }

    fn secrets(&self) -> RwLockReadGuard<'_, CookieSecrets> {
        // The secrets are replaced as a whole, so that a panic leaves them good.
        self.secrets.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The visitor, and the cookie to set if the visitor is new or the cookie has to be renewed.
    pub fn visitor(&self, headers: &HeaderMap) -> (Visitor, Option<HeaderValue>) {
        self.visitor_at(headers, now())
    }

    fn visitor_at(&self, headers: &HeaderMap, now: i64) -> (Visitor, Option<HeaderValue>) {
        let operator = self.is_operator(headers, now);
        let (id, renew) = match self.person(headers, now) {
            Some(known) => known,
            None => (random_text(PERSON_DIGITS), true),
        };
        let cookie = if renew { self.person_cookie_at(&id, now) } else { None };
        (Visitor { id, operator }, cookie)
    }

    /// The person of a valid cookie, and whether the cookie has to be renewed.
    fn person(&self, headers: &HeaderMap, now: i64) -> Option<(String, bool)> {
        let signed = self.read(headers, PERSON, now)?;
        // Earlier versions did not say when they issued a cookie.
        let (id, issued) = match signed.value.split_once('.') {
            Some((id, issued)) => (id, Some(issued.parse::<i64>().ok()?)),
            None => (signed.value, None),
        };
        let age = issued.map(|issued| now.saturating_sub(issued) / 1000);
        if !is_id(id, PERSON_DIGITS)
            || age.is_some_and(|age| !(-DAY..SESSION_SECONDS).contains(&age))
        {
            return None;
        }
        Some((id.to_owned(), signed.retired || age.is_none_or(|age| age > RENEWAL_SECONDS)))
    }

    fn is_operator(&self, headers: &HeaderMap, now: i64) -> bool {
        let signed = self.read(headers, OPERATOR, now);
        let until = signed.and_then(|signed| signed.value.parse::<i64>().ok());
        until.is_some_and(|until| until > now && until <= now + 1000 * (DAY + CLOCK_TOLERANCE))
    }

    /// The session cookie of a new person.
    pub fn new_person_cookie(&self) -> Option<HeaderValue> {
        self.person_cookie(&random_text(PERSON_DIGITS))
    }

    /// The session cookie of this person.
    pub fn person_cookie(&self, id: &str) -> Option<HeaderValue> {
        self.person_cookie_at(id, now())
    }

    fn person_cookie_at(&self, id: &str, now: i64) -> Option<HeaderValue> {
        self.cookie(PERSON, &format!("{id}.{now}"), SESSION_SECONDS, now)
    }

    /// The operator's session cookie, valid for a day.
    pub fn operator_cookie(&self) -> Option<HeaderValue> {
        // The time is signed too: a copied cookie does not outlive the day.
        let now = now();
        self.cookie(OPERATOR, &(now + 1000 * DAY).to_string(), DAY, now)
    }

    fn cookie(&self, name: &str, value: &str, seconds: i64, now: i64) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let signature = mac(self.secrets().signing(now), name, value);
        let signature = hex(&signature.finalize().into_bytes());
        let text = format!(
            "{name}={value}.{signature}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
        );
        HeaderValue::from_str(&text).ok()
    }

    /// The value of a cookie that carries our signature.
    fn read<'a>(&self, headers: &'a HeaderMap, name: &str, now: i64) -> Option<Signed<'a>> {
        let (value, signature) = cookie(headers, name)?.rsplit_once('.')?;
        let signature = from_hex(signature)?;
        let secrets = self.secrets();
        let mut accepted = secrets.accepted(now);
        accepted
            .find(|one| mac(one.secret, name, value).verify_slice(&signature).is_ok())
            .map(|one| Signed { value, retired: one.retired })
    }
}

fn mac(secret: &[u8], name: &str, value: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length will do");
    mac.update(name.as_bytes());
    mac.update(b"=");
    mac.update(value.as_bytes());
    mac
}

/// The value of a cookie.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Decodes what [`hex`] writes, and nothing else: a signature has one form.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    if rest.is_empty() { bytes.collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any time will do.
    const NOW: i64 = 1_800_000_000_000;

    fn signer() -> CookieSigner {
        CookieSigner::new(CookieSecrets::random(), false)
    }

    fn with_cookie(text: &str) -> HeaderMap {
        let value = text.split(';').next().unwrap();
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(value).unwrap())])
    }

    /// A cookie as the browser sends it back.
    fn sent(cookie: Option<HeaderValue>) -> HeaderMap {
        with_cookie(cookie.unwrap().to_str().unwrap())
    }

    #[test]
    fn a_cookie_identifies_the_same_person_again() {
        let signer = CookieSigner::new(CookieSecrets::random(), true);
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
        let signer = signer();
        let (victim, cookie) = signer.visitor(&HeaderMap::new());
        let own = cookie.unwrap().to_str().unwrap().to_owned();
        let signature = own.split(';').next().unwrap().rsplit_once('.').unwrap().1.to_owned();
        let forged = [
            format!("spuk={}", victim.id),
            format!("spuk={}.", victim.id),
            format!("spuk={}.zz", victim.id),
            format!("spuk={}.{signature}", victim.id),
            format!("spuk={}.{}.{signature}", victim.id, now() + 1000),
            format!("spuk-operator={}.{signature}", i64::MAX),
        ];
        for text in forged {
            let (somebody, cookie) = signer.visitor(&with_cookie(&text));
            assert!(somebody.id != victim.id && cookie.is_some() && !somebody.operator, "{text}");
        }
        let other = self::signer();
        assert_ne!(other.visitor(&with_cookie(&own)).0.id, victim.id);
    }

    #[test]
    fn no_altered_byte_of_a_cookie_is_accepted() {
        let signer = signer();
        let id = random_text(PERSON_DIGITS);
        let cookies = [(PERSON, signer.person_cookie(&id)), (OPERATOR, signer.operator_cookie())];
        for (name, cookie) in cookies {
            let good = sent(cookie)[header::COOKIE].as_bytes().to_vec();
            for at in name.len() + 1..good.len() {
                for byte in (0x20..0x7f).filter(|byte| *byte != good[at]) {
                    let mut altered = good.clone();
                    altered[at] = byte;
                    let value = HeaderValue::from_bytes(&altered).unwrap();
                    let headers = HeaderMap::from_iter([(header::COOKIE, value)]);
                    let (visitor, _) = signer.visitor(&headers);
                    assert!(visitor.id != id && !visitor.operator, "{headers:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_cookie_is_read_or_refused(value in "[ -~]{0,80}") {
            let signer = signer();
            for name in [PERSON, OPERATOR] {
                let headers = with_cookie(&format!("{name}={value}"));
                prop_assert!(!signer.visitor(&headers).0.operator);
            }
        }

        /// A cookie is accepted from a day before its time until two years after, and renewed from a
        /// week on.
        #[test]
        fn cookies_are_accepted_by_age(age in -2 * DAY..SESSION_SECONDS + DAY) {
            let signer = signer();
            let id = random_text(PERSON_DIGITS);
            let headers = sent(signer.person_cookie_at(&id, NOW));
            let (visitor, cookie) = signer.visitor_at(&headers, NOW + 1000 * age);
            prop_assert_eq!(visitor.id == id, (-DAY..SESSION_SECONDS).contains(&age));
            prop_assert_eq!(cookie.is_some(), !(-DAY..=RENEWAL_SECONDS).contains(&age));
        }
    }

    #[test]
    fn a_renewed_cookie_is_as_good_as_a_new_one() {
        let signer = signer();
        let id = random_text(PERSON_DIGITS);
        let headers = sent(signer.person_cookie_at(&id, NOW));
        let later = NOW + 1000 * (SESSION_SECONDS - 1);
        let renewed = sent(signer.visitor_at(&headers, later).1);
        let (visitor, again) = signer.visitor_at(&renewed, later + 1000 * RENEWAL_SECONDS);
        assert_eq!((visitor.id, again), (id, None));
    }

    #[test]
    fn a_cookie_of_an_earlier_version_is_accepted_and_renewed_at_once() {
        let signer = signer();
        let id = random_text(PERSON_DIGITS);
        let (visitor, cookie) =
            signer.visitor(&sent(signer.cookie(PERSON, &id, SESSION_SECONDS, now())));
        assert_eq!(visitor.id, id);
        let (visitor, cookie) = signer.visitor(&sent(cookie));
        assert_eq!((visitor.id, cookie), (id, None));
    }

    #[test]
    fn an_operator_session_lasts_a_day() {
        let signer = signer();
        let is_operator = |seconds: i64| {
            let until = (NOW + 1000 * seconds).to_string();
            let headers = sent(signer.cookie(OPERATOR, &until, DAY, NOW));
            signer.visitor_at(&headers, NOW).0.operator
        };
        assert!(is_operator(1) && is_operator(DAY) && is_operator(DAY + CLOCK_TOLERANCE));
        assert!(!is_operator(0) && !is_operator(-1) && !is_operator(DAY + CLOCK_TOLERANCE + 1));
        assert!(signer.visitor(&sent(signer.operator_cookie())).0.operator);
    }

    #[test]
    fn a_cookie_signed_with_a_retired_secret_is_signed_again() {
        use crate::cookie_secrets::{DELAY, RETIREMENT};
        let secrets = CookieSecrets::random();
        let signer = CookieSigner::new(secrets.clone(), false);
        let id = random_text(PERSON_DIGITS);
        let headers = sent(signer.person_cookie_at(&id, NOW));
        signer.replace_secrets(secrets.rotated(NOW, false));
        // A server that does not know the new secret yet accepts what this one signs.
        let (visitor, cookie) = signer.visitor_at(&headers, NOW + DELAY - 1);
        assert_eq!((visitor.id, cookie), (id.clone(), None));
        let (visitor, cookie) = signer.visitor_at(&headers, NOW + DELAY);
        assert_eq!(visitor.id, id);
        let renewed = sent(cookie);
        let (visitor, cookie) = signer.visitor_at(&renewed, NOW + DELAY + 1);
        assert_eq!((visitor.id, cookie), (id.clone(), None));
        let late = NOW + DELAY + RETIREMENT;
        assert_eq!(signer.visitor_at(&headers, late - 1).0.id, id);
        assert_ne!(signer.visitor_at(&headers, late).0.id, id);
        assert_eq!(signer.visitor_at(&renewed, late).0.id, id);
        signer.replace_secrets(secrets.rotated(NOW, true));
        assert_ne!(signer.visitor_at(&renewed, NOW + DELAY).0.id, id);
    }
}
