//! What people say about puzzles.

use crate::harness::{on_every_site, sample};
use serde_json::{Value, json};

#[test]
fn an_opinion_comes_after_an_attempt_and_stays_on_the_scale() {
    on_every_site(async |site| {
        let browser = site.browser();
        let id = sample(1, 7..=7)[0].id();
        let path = &format!("/puzzles/{id}/ratings");
        let said = async |interest: i8, difficulty: i8| {
            browser.post(path, json!({ "interest": interest, "difficulty": difficulty })).await
        };
        assert_eq!(said(1, 1).await.refusal(409), "not-tried");
        let attempt = browser.begin(&id).await;
        assert_eq!(said(1, 1).await.refusal(409), "not-tried");
        browser.win(attempt).await;
        for (interest, difficulty) in [(3, 0), (0, 3), (-3, 0), (0, -3), (127, -128)] {
            assert_eq!(said(interest, difficulty).await.refusal(400), "bad-rating");
        }
        for scale in -2..=2 {
            let people = said(scale, -scale).await.json()["people"].clone();
            let expected = json!({ "interest": f64::from(scale), "difficulty": f64::from(-scale), "ratings": 1 });
            assert_eq!(number(&people), number(&expected));
        }
        let other = site.browser();
        let shown = other.act(&other.begin(&id).await, "solution", json!({})).await.json();
        assert_eq!(shown["result"]["mine"], json!({ "interest": null, "difficulty": null }));
        assert_eq!(shown["result"]["people"]["ratings"], 1);
        let both = other.post(path, json!({ "interest": -1, "difficulty": 1 })).await.json();
        assert_eq!(number(&both["people"]), [0.5, -0.5, 2.0]);
        let again = other.act(&shown, "solution", json!({})).await.json();
        assert_eq!(again["result"]["mine"], json!({ "interest": -1, "difficulty": 1 }));
        let foreign = json!({ "interest": 1, "difficulty": 1, "study": "0000000000" });
        assert_eq!(browser.post(path, foreign).await.refusal(409), "not-tried");
    });
}

fn number(people: &Value) -> [f64; 3] {
    // Zero has two signs.
    ["interest", "difficulty", "ratings"].map(|name| people[name].as_f64().unwrap() + 0.0)
}
