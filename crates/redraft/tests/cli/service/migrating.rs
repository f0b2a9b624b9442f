//! A database that an earlier version made is brought up to date in place.
//!
//! `fixtures/version-1.sql` holds the rows of a service of the first version, with a run
//! that is done and one that waits for a second reviewer.

use redraft_service::sql::{Database, Dialect, Location};
use serde_json::json;

use super::{KETTLE, Service, databases};

const TABLES: &str = include_str!("../../../../service/migrations/0001_start.sql");
const ROWS: &str = include_str!("fixtures/version-1.sql");
const DONE: &str = "r01a1e5713dc7d98ee0906a3e4c29";
const WAITING: &str = "r01a1e5713f03519bf1119526a874";

/// What later versions added to them, up to the one before this.
const LATER: [&str; 6] = [
    include_str!("../../../../service/migrations/0002_sessions.sql"),
    include_str!("../../../../service/migrations/0003_stepping_in.sql"),
    include_str!("../../../../service/migrations/0004_banks.sql"),
    include_str!("../../../../service/migrations/0005_progress.sql"),
    include_str!("../../../../service/migrations/0006_listing.sql"),
    include_str!("../../../../service/migrations/0007_repeated.sql"),
];

/// Makes the database as the first version did, or brought up by so many later ones.
fn fill(location: &Location, later: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let database = Database::open(location).await.unwrap();
        let filled = database.write(move |sql| {
            sql.script("CREATE TABLE migrations (number BIGINT PRIMARY KEY)")?;
            sql.script(TABLES)?;
            match sql.dialect() {
                Dialect::Sqlite => sql.script(ROWS)?,
                // Bytes are written in another way there.
                Dialect::Postgres => sql.script(&ROWS.replace("X'", "'\\x"))?,
            }
            for (index, script) in LATER.iter().take(later).enumerate() {
                sql.script(script)?;
                let number = i64::try_from(index).unwrap() + 2;
                sql.run(
                    "INSERT INTO migrations (number) VALUES ($1)",
                    &[number.into()],
                )?;
            }
            Ok(())
        });
        filled.await.unwrap();
    });
}

#[test]
fn a_database_of_an_earlier_version_is_migrated_in_place() {
    let both = [0, LATER.len()].map(|later| databases().into_iter().map(move |one| (one, later)));
    for (database, later) in both.into_iter().flatten() {
        let mut service = Service::idle(database, KETTLE);
        let location = match &service.database {
            Some(url) => Location::parse(url).unwrap(),
            None => Location::Sqlite(service.place.path(".redraft/service/redraft.db")),
        };
        fill(&location, later);
        service.serve(&["--no-work"]);
        assert_eq!(service.get("/v1/runs").status, 401, "it had a key");
        drop(service.server.take());
        let key = service.key("school", "ben", "read,review,submit,admin");
        service.serve(&["--no-work"]);
        let get = |path: &str| service.with_key(&key, "GET", path, None);
        let runs = get("/v1/runs").json();
        let states: Vec<_> = runs["runs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| (run["run"].clone(), run["state"].clone()))
            .collect();
        assert_eq!(
            states,
            [
                (json!(WAITING), json!("waiting")),
                (json!(DONE), json!("done"))
            ]
        );
        let outcome = get(&format!("/v1/runs/{DONE}/outcome")).json();
        assert_eq!(outcome["status"], "checked");
        assert_eq!(get("/v1/settings").json()["reviewers"], 2);
        let review = get(&format!("/v1/reviews/{WAITING}")).json();
        assert!(review["content"].as_str().unwrap().contains("kettle"));
        let made = get(&format!("/v1/runs/{WAITING}/decisions")).json();
        assert_eq!(made["decisions"][0]["by"], "anna");
        // What is new works on what is old.
        let comment = json!({"start": 0, "end": 5, "text": "A title."});
        let path = format!("/v1/runs/{WAITING}/comments");
        let answer = service.with_key(&key, "POST", &path, Some(&comment));
        assert_eq!(answer.status, 201, "{}", answer.text);
        let path = format!("/v1/reviews/{WAITING}/decisions");
        let reject = json!({"decision": "reject"});
        let answer = service.with_key(&key, "POST", &path, Some(&reject));
        assert_eq!(
            answer.json(),
            json!({"result": "disputed"}),
            "{}",
            answer.text
        );
        // Starting again changes nothing more.
        drop(service.server.take());
        service.serve(&["--no-work"]);
        let runs = service.with_key(&key, "GET", "/v1/runs", None).json();
        assert_eq!(runs["runs"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_database_of_a_later_version_is_refused() {
    let service = Service::idle(None, KETTLE);
    service.admin(&["tenant", "list"]);
    let path = service.place.path(".redraft/service/redraft.db");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let database = Database::open(&Location::Sqlite(path)).await.unwrap();
        let later =
            database.write(|sql| sql.run("INSERT INTO migrations (number) VALUES (99)", &[]));
        later.await.unwrap();
    });
    let refused = service
        .command("admin", &["tenant", "list"])
        .output()
        .unwrap();
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(
        words.contains("use the program that made it, or a later one"),
        "{words}"
    );
}
