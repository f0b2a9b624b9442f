//! What the inspector shows: the page and its policy, fragments, previews, running again.

use redraft_service::sql::{Database, Location};
use serde_json::json;

use super::http;
use super::{KETTLE, Service, databases, kettle, unreachable_kettle};

#[test]
fn the_page_is_served_with_a_strict_policy_and_the_api_stays_json() {
    let service = Service::start(None, KETTLE);
    for path in ["/", "/runs/r1", "/review"] {
        let html = [("accept", "text/html,*/*;q=0.8")];
        let page = http::call(&service.address, "GET", path, &html, None);
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text.starts_with("<!doctype html>"), "{path}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("script-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("cache-control"), Some("no-cache"));
    }
    for path in ["/v1/nowhere", "/assets/gone.js", "/../Cargo.toml"] {
        let missing = service.get(path);
        assert_eq!(missing.status, 404, "{path}");
        assert!(missing.text.contains("urn:redraft:problem"), "{path}");
    }
    assert_eq!(service.post("/", &json!({})).status, 404);
}

#[test]
fn a_run_is_shown_while_it_waits_and_when_it_is_done() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let waits = service.submit(&unreachable_kettle());
        let info = service.settled(&waits);
        assert_eq!(
            (&info["state"], &info["score"], &info["score_before"]),
            (&json!("waiting"), &json!(844), &json!(801))
        );
        let summary = service.get(&format!("/v1/runs/{waits}/summary")).json();
        assert_eq!(summary["title"], "How a kettle boils water");
        assert_eq!(summary["accept"], 0.9);
        assert_eq!(summary["cannot_approve"], json!(null));
        assert!(summary["because"].as_str().unwrap().contains("0.844"));
        assert!(summary["budgets"]["rewriting"].as_u64().unwrap() > 1_000);
        let done = service.submit(&kettle());
        let info = service.settled(&done);
        assert_eq!(
            (&info["score"], &info["score_before"], &info["rounds"]),
            (&json!(913), &json!(796), &json!(2))
        );
        for (view, words) in [
            ("text", "What the heat does"),
            ("changes", "<ins>"),
            ("panel", "Krippendorff"),
            ("scores", "<svg"),
            ("cost", "judge primary"),
            ("receipts", "verified"),
        ] {
            let answer = service.get(&format!("/v1/runs/{done}/views/{view}"));
            assert_eq!(answer.status, 200, "{view} {}", answer.text);
            assert!(answer.text.contains(words), "{view} {}", answer.text);
        }
        for view in ["text", "changes", "panel", "scores", "cost"] {
            let answer = service.get(&format!("/v1/runs/{waits}/views/{view}"));
            assert_eq!(answer.status, 200, "{view} {}", answer.text);
        }
        // Receipts come with the outcome.
        let receipts = service.get(&format!("/v1/runs/{waits}/views/receipts"));
        assert_eq!(receipts.status, 204);
        let unknown = service.get(&format!("/v1/runs/{done}/views/soul"));
        assert_eq!(unknown.status, 404);
        assert!(unknown.text.contains("unknown view"), "{}", unknown.text);
    }
}

#[test]
fn fragments_carry_nothing_that_runs() {
    let service = Service::start(None, KETTLE);
    let text = "# Water <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> \
                [a](javascript:alert(1)) <svg onload=alert(1)></svg>\n";
    let order = json!({"document": text, "name": "<b>.md", "goal": "check"});
    let run = service.submit(&order);
    service.settled(&run);
    let checked = service.post("/v1/views/check", &order).json();
    let shown = service.get(&format!("/v1/runs/{run}/views/text")).text;
    for html in [shown.as_str(), checked["text"].as_str().unwrap()] {
        assert!(html.contains("Water"), "{html}");
        for active in ["<script", "<img", "<svg onload", "href=\"javascript", "<b>"] {
            assert!(!html.contains(active), "{active} in {html}");
        }
    }
    assert_eq!(checked["class"], "bad");
    assert_eq!(checked["can_judge"], true);
}

#[test]
fn an_edit_is_checked_and_compared_before_it_is_sent() {
    let service = Service::start(None, KETTLE);
    let run = service.submit(&unreachable_kettle());
    service.settled(&run);
    let text = service.get(&format!("/v1/reviews/{run}")).json()["content"].clone();
    let text = text.as_str().unwrap();
    let path = format!("/v1/runs/{run}/preview");
    let same = service.post(&path, &json!({"content": text})).json();
    assert_eq!(same["changes"], json!(null));
    let edited = format!("{text}\nTODO: finish é this\n");
    let preview = service.post(&path, &json!({"content": edited})).json();
    assert!(preview["changes"].as_str().unwrap().contains("<ins>"));
    let found = preview["findings"].as_array().unwrap();
    let todo = found
        .iter()
        .find(|one| one["line"] == edited.lines().count());
    let todo = todo.unwrap_or_else(|| panic!("{found:?}"));
    let at = |name: &str| usize::try_from(todo[name].as_u64().unwrap()).unwrap();
    assert!(edited[at("start")..at("end")].contains("TODO"), "{todo}");
    // Nothing was stored.
    let decisions = service.get(&format!("/v1/runs/{run}/decisions")).json();
    assert_eq!(decisions["decisions"], json!([]));
}

#[test]
fn a_run_is_run_again_with_its_settings() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let first = service.submit(&unreachable_kettle());
        service.settled(&first);
        let answer = service.post(&format!("/v1/runs/{first}/again"), &json!({}));
        assert_eq!(answer.status, 201, "{}", answer.text);
        let second = answer.json()["run"].as_str().unwrap().to_owned();
        assert_ne!(first, second);
        let info = service.settled(&second);
        assert_eq!(
            (&info["state"], &info["score"]),
            (&json!("waiting"), &json!(844))
        );
    }
}

#[test]
fn settings_are_tried_on_past_runs() {
    let service = Service::start(None, KETTLE);
    let run = service.submit(&kettle());
    assert_eq!(service.settled(&run)["status"], "accepted");
    let tried = |settings| service.post("/v1/settings/preview", &settings).json();
    let same = tried(json!({}));
    assert_eq!(
        (&same["looked_at"], &same["changed"]),
        (&json!(1), &json!([]))
    );
    // Nothing can reach it, so the recorded replies end before the run would.
    let out_of_reach = json!({"threshold": 1.0, "policy": {"good-enough": {"from": 1.0}, "repair": {"iterations": 2}}});
    let other = tried(out_of_reach);
    let changed = other["changed"].as_array().unwrap();
    assert_eq!(
        changed.len() + other["unknown"].as_u64().unwrap() as usize,
        1,
        "{other}"
    );
    let wrong = service.post("/v1/settings/preview", &json!({"threshold": 7}));
    assert_eq!(wrong.status, 422, "{}", wrong.text);
}

#[test]
fn settings_are_tried_in_the_place_of_old_ones_and_under_those_of_an_order() {
    let service = Service::start(None, KETTLE);
    let old = json!({"threshold": 0.5});
    let set = http::call(&service.address, "PUT", "/v1/settings", &[], Some(&old));
    assert_eq!(set.status, 200, "{}", set.text);
    let mut order = kettle();
    order["goal"] = json!("judge");
    order["mode"] = json!("full-auto");
    let of_the_tenant = service.submit(&order);
    order["policy"] = json!({"accept": 0.4});
    let of_the_order = service.submit(&order);
    for run in [&of_the_tenant, &of_the_order] {
        assert_eq!(service.settled(run)["status"], "accepted");
    }
    let tried = |settings| service.post("/v1/settings/preview", &settings).json();
    assert_eq!(tried(json!({"threshold": 0.5}))["changed"], json!([]));
    let changed = tried(json!({}))["changed"].clone();
    let changed = changed.as_array().unwrap();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!(
        (&changed[0]["run"], &changed[0]["after"]),
        (&json!(of_the_tenant), &json!("best_effort"))
    );
}

#[test]
fn a_page_of_runs_is_streamed_whole_and_then_what_changes() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let mut order = kettle();
        order["goal"] = json!("check");
        order["name"] = json!("100%_kettle.md");
        let first = service.submit(&order);
        service.settled(&first);
        order["name"] = json!("1000 kettles.md");
        let second = service.submit(&order);
        service.settled(&second);
        // Letters that mean something to the database mean nothing here.
        for (name, found) in [
            ("100%25_K", vec![&first]),
            ("KETTLE", vec![&second, &first]),
            ("%25%25", vec![]),
            ("", vec![&second, &first]),
        ] {
            let page = service.get(&format!("/v1/live?name={name}&limit=5")).json();
            assert_eq!(page["is_whole"], true);
            let ids: Vec<&str> = page["runs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|run| run["run"].as_str().unwrap())
                .collect();
            assert_eq!(ids, found, "{name}");
            assert_eq!(page["waiting"], 0);
        }
        assert_eq!(service.get("/v1/live?limit=0").status, 400);
    }
}

#[test]
fn a_course_has_the_latest_run_of_each_document() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let empty = service.get("/v1/course").json();
        assert_eq!(empty["documents"], json!([]));
        let waits = service.submit(&unreachable_kettle());
        service.settled(&waits);
        let mut order = kettle();
        order["goal"] = json!("check");
        for name in ["a.md", "b.md", "b.md"] {
            order["name"] = json!(name);
            let text = order["document"].as_str().unwrap().to_owned();
            order["document"] = json!(format!("{text}\nTODO: say more\n"));
            let run = service.submit(&order);
            service.settled(&run);
        }
        let course = service.get("/v1/course").json();
        let names: Vec<&str> = course["documents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["run"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert_eq!(course["is_cut"], false);
        let html = course["html"].as_str().unwrap();
        for words in [
            "Documents with findings, by check",
            "Nearly the same documents",
            "How they ended",
            "Most findings",
        ] {
            assert!(html.contains(words), "{words} in {html}");
        }
        let outcomes = service.get("/v1/course/outcomes?profile=lesson").text;
        assert_eq!(outcomes.lines().count(), 2, "{outcomes}");
        assert_eq!(service.get("/v1/course/outcomes?profile=mcq").text, "");
    }
}

#[test]
fn reviewers_agreement_counts_all_texts_that_two_decided() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let run = service.submit(&unreachable_kettle());
        service.settled(&run);
        let none = service.get("/v1/agreement").json();
        assert_eq!((&none["texts"], &none["alpha"]), (&json!(0), &json!(null)));
        let decided = json!({"decision": "reject"});
        service.post(&format!("/v1/reviews/{run}/decisions"), &decided);
        let one = service.get("/v1/agreement").json();
        assert_eq!(one["texts"], 0, "{one}");
        assert_eq!(one["reviewers"][0]["decided"], 1, "{one}");
    }
}

#[test]
fn a_reviewer_sees_the_plan_and_why_there_is_no_alpha() {
    let service = Service::start(None, KETTLE);
    let run = service.submit(&unreachable_kettle());
    service.settled(&run);
    let summary = service.get(&format!("/v1/runs/{run}/summary")).json();
    let tasks = summary["tasks"].as_array().unwrap();
    assert!(!tasks.is_empty(), "{summary}");
    assert!(tasks.iter().all(|task| task["round"] == 1), "{tasks:?}");
    let asked =
        |task: &serde_json::Value| task["issues"].as_array().is_some_and(|all| !all.is_empty());
    assert!(tasks.iter().all(asked), "{tasks:?}");
    // It is still one that waits, not one that was rejected.
    assert_eq!(summary["run"]["state"], "waiting");
    assert!(
        !summary["status"].as_str().unwrap().contains("reject"),
        "{summary}"
    );
    let panel = service.get(&format!("/v1/runs/{run}/views/panel")).text;
    assert!(panel.contains("one judge"), "{panel}");
}

/// What the page shows of a very long run comes from the database, in order and whole, also
/// from the middle on.
#[test]
fn ten_thousand_events_are_streamed_without_a_gap() {
    const MOST: i64 = 10_000;
    let service = Service::start(None, KETTLE);
    let mut order = kettle();
    order["goal"] = json!("check");
    let run = service.submit(&order);
    let first = service.settled(&run)["events"].as_i64().unwrap();
    let location = Location::Sqlite(service.place.path(".redraft/service/redraft.db"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let of = run.clone();
    runtime.block_on(async move {
        let database = Database::open(&location).await.unwrap();
        let added = database.write(move |sql| {
            for seq in first + 1..=MOST {
                let body = json!({"seq": seq, "event": "late_reply", "ask": "a", "at": 0});
                sql.run(
                    "INSERT INTO events (run, seq, body) VALUES ($1, $2, $3)",
                    &[(&of).into(), seq.into(), body.to_string().into()],
                )?;
            }
            sql.run(
                "UPDATE runs SET events = $1 WHERE id = $2",
                &[MOST.into(), (&of).into()],
            )
        });
        added.await.unwrap();
    });
    for after in [0, 4_321] {
        let path = format!("/v1/runs/{run}/events?after={after}");
        let numbers: Vec<i64> = service
            .get(&path)
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("id: ")?.parse().ok())
            .collect();
        assert_eq!(numbers, (after + 1..=MOST).collect::<Vec<_>>());
    }
}

#[test]
fn models_are_listed_and_judges_tested() {
    let service = Service::start(None, KETTLE);
    let listed = service.get("/v1/models").json();
    let models = listed["models"].as_array().unwrap();
    let judge = models
        .iter()
        .find(|one| one["model"] == "scripted/judge_primary");
    assert_eq!(judge.unwrap()["roles"], json!(["judge_primary"]));
    let tested = service.post("/v1/models/test", &json!({"profile": "lesson"}));
    assert_eq!(tested.status, 200, "{}", tested.text);
    let tests = tested.json()["tests"].as_array().unwrap().len();
    assert!(tests >= 2, "{}", tested.text);
    let unknown = service.post("/v1/models/test", &json!({"profile": "poem"}));
    assert_eq!(unknown.status, 422, "{}", unknown.text);
}

#[test]
fn a_page_answers_without_gzip_too() {
    let service = Service::start(None, KETTLE);
    // Without a body, which is not text.
    let packed = http::send(
        &service.address,
        "HEAD",
        "/",
        &[("accept-encoding", "gzip")],
        "",
    );
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let tag = packed.header("etag").unwrap().to_owned();
    let known = http::send(&service.address, "GET", "/", &[("if-none-match", &tag)], "");
    assert_eq!((known.status, known.text.as_str()), (304, ""));
}
