//! Databases that are older, newer, or opened by several servers at once.

use crate::harness::{Setup, TOKEN, on_every_database};
use service::StartError;
use service::store::Store;
use std::path::PathBuf;
use web::App;

#[test]
fn an_empty_or_older_database_is_brought_up_to_date_and_keeps_what_it_has() {
    on_every_database(async |database| {
        database.execute("CREATE TABLE spuk_schema (version BIGINT NOT NULL PRIMARY KEY)").await;
        for round in 0..3 {
            let store = Store::open(&database.url()).await.unwrap();
            let (value, fresh) = store.setting_or("test", &format!("round {round}")).await.unwrap();
            assert_eq!((value.as_str(), fresh), ("round 0", round == 0));
            store.close().await;
        }
        // The note of version 1 is there once.
        assert_eq!(database.execute("DELETE FROM spuk_schema WHERE version = 1").await, 1);
    });
}

#[test]
fn a_newer_database_is_refused_and_left_alone() {
    on_every_database(async |database| {
        Store::open(&database.url()).await.unwrap().close().await;
        database.execute("INSERT INTO spuk_schema (version) VALUES (999)").await;
        let started = App::start(database.options(Setup::default())).await;
        let error = started.err().unwrap();
        assert!(matches!(error, StartError::Store(_)));
        let told = error.to_string();
        assert!(told.contains("999") && told.contains("newer"), "{told}");
        assert_eq!(database.execute("DELETE FROM spuk_schema WHERE version = 999").await, 1);
    });
}

#[test]
fn servers_that_start_together_all_come_up_with_the_same_secrets() {
    for _ in 0..3 {
        on_every_database(async |database| {
            let start = || {
                let options = web::Options { token: None, ..database.options(Setup::default()) };
                tokio::spawn(App::start(options))
            };
            let starting: Vec<_> = (0..4).map(|_| start()).collect();
            let mut apps = Vec::new();
            for started in starting {
                apps.push(started.await.unwrap().unwrap());
            }
            let files: Vec<&PathBuf> = apps.iter().filter_map(|(_, file)| file.as_ref()).collect();
            assert_eq!(files.len(), 1, "one of them made the token");
            let token = std::fs::read_to_string(files[0]).unwrap();
            let beside = std::fs::read_dir(files[0].parent().unwrap()).unwrap();
            let names = beside.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            assert_eq!(names.filter(|name| name.starts_with("token")).count(), 1);
            let (first, _) = &apps[0];
            let cookie = first.signer.person_cookie("0123456789abcdefghjkmnpqrs").unwrap();
            let pair = cookie.to_str().unwrap().split(';').next().unwrap().parse().unwrap();
            let headers = axum::http::HeaderMap::from_iter([(axum::http::header::COOKIE, pair)]);
            for (app, _) in &apps {
                assert!(app.token.matches(&token) && !app.token.matches(TOKEN));
                assert_eq!(app.signer.visitor(&headers).0.id, "0123456789abcdefghjkmnpqrs");
                app.service.store.close().await;
            }
        });
    }
}

#[test]
fn a_database_that_cannot_be_reached_says_why() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for (url, part) in [
            ("mysql://root:secret@localhost/spuk", "neither sqlite: nor postgres:"),
            ("sqlite:///no/such/folder/spuk.db?mode=rwc", "unable to open"),
            ("postgres://nobody:secret@127.0.0.1:1/none", "refused"),
        ] {
            let told = Store::open(url).await.unwrap_err().to_string();
            assert!(told.contains(part) && !told.contains("secret"), "{told}");
        }
    });
}

#[test]
fn folders_may_have_any_name() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let name = format!("spuk 100% ? #1 & 幽霊 {}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).unwrap();
        let store = Store::open(&service::store::sqlite_in(&folder)).await.unwrap();
        store.close().await;
        assert!(folder.join("spuk.db").is_file());
        std::fs::remove_dir_all(&folder).unwrap();
    });
}
