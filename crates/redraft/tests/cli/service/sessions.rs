//! Browsers: signing in with a key, and what a page of another site cannot do.

use serde_json::{Value, json};

use super::http::{self, Answer};
use super::{JUDGE, Service, databases};

/// Sends a request as a browser does that is signed in.
fn browse(
    service: &Service,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Answer {
    http::call(&service.address, method, path, headers, body)
}

fn cookie(answer: &Answer) -> &str {
    let line = answer
        .head
        .lines()
        .find(|line| line.starts_with("set-cookie: "));
    assert!(line.is_some(), "{}", answer.head);
    line.unwrap().strip_prefix("set-cookie: ").unwrap()
}

#[test]
fn a_browser_signs_in_and_only_its_own_page_changes_something() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        let key = service.key("default", "anna", "submit,read");
        service.serve(&["--no-work"]);
        let wrong = service.post("/v1/session", &json!({"key": "redraft_0_0"}));
        assert_eq!(wrong.status, 401, "{}", wrong.text);
        let signed_in = service.post("/v1/session", &json!({"key": key}));
        assert_eq!(signed_in.status, 200, "{}", signed_in.text);
        let set = cookie(&signed_in);
        assert!(
            set.ends_with("; path=/; max-age=43200; httponly; samesite=strict"),
            "{set}"
        );
        assert!(!signed_in.text.contains(&key));
        let cookie = set.split(';').next().unwrap();
        let info = browse(&service, "GET", "/v1/session", &[("cookie", cookie)], None).json();
        assert_eq!(info["name"], "anna");
        assert_eq!(info["tenant"], "default");
        assert_eq!(info["scopes"], json!(["submit", "read"]));
        let csrf = info["csrf_token"].as_str().unwrap();
        assert_eq!(signed_in.json()["csrf_token"], csrf);

        let order = json!({"document": "# Water\n\nWater boils.\n", "goal": "check"});
        let own = format!("http://{}", service.address);
        let cases: [(&[(&str, &str)], u16); 8] = [
            (&[], 403),
            (&[("x-csrf-token", "guess")], 403),
            (&[("x-csrf-token", csrf)], 201),
            (&[("x-csrf-token", csrf), ("origin", &own)], 201),
            (
                &[("x-csrf-token", csrf), ("sec-fetch-site", "same-origin")],
                201,
            ),
            (
                &[("x-csrf-token", csrf), ("origin", "https://evil.example")],
                403,
            ),
            (
                &[("x-csrf-token", csrf), ("origin", "http://127.0.0.1:9")],
                403,
            ),
            (
                &[("x-csrf-token", csrf), ("sec-fetch-site", "same-site")],
                403,
            ),
        ];
        for (headers, expected) in cases {
            let headers = [&[("cookie", cookie)], headers].concat();
            let answer = browse(&service, "POST", "/v1/runs", &headers, Some(&order));
            assert_eq!(answer.status, expected, "{headers:?} {}", answer.text);
        }
        // Reading needs no token, and a session may do no more than its key.
        let read = |path: &str| browse(&service, "GET", path, &[("cookie", cookie)], None).status;
        assert_eq!((read("/v1/runs"), read("/v1/settings")), (200, 403));

        let sign_out = |headers: &[(&str, &str)]| {
            let headers = [&[("cookie", cookie)], headers].concat();
            browse(&service, "DELETE", "/v1/session", &headers, None)
        };
        assert_eq!(
            sign_out(&[]).status,
            403,
            "another site cannot sign anybody out"
        );
        let out = sign_out(&[("x-csrf-token", csrf)]);
        assert_eq!(out.status, 204);
        assert!(out.head.contains("max-age=0"), "{}", out.head);
        assert_eq!(read("/v1/runs"), 401);
    }
}

#[test]
fn a_session_ends_with_its_key_and_is_secure_behind_tls() {
    let mut service = Service::idle(None, JUDGE);
    let key = service.key("default", "anna", "read");
    service.serve(&["--no-work"]);
    let sign_in = |headers: &[(&str, &str)]| {
        let body = json!({"key": key});
        browse(&service, "POST", "/v1/session", headers, Some(&body))
    };
    let foreign = [("origin", "https://evil.example")];
    assert_eq!(
        sign_in(&foreign).status,
        403,
        "nobody is signed in by another site"
    );
    for headers in [
        [
            ("host", "school.example"),
            ("origin", "https://school.example"),
        ],
        // A proxy that hides the name.
        [
            ("x-forwarded-proto", "https"),
            ("sec-fetch-site", "same-origin"),
        ],
    ] {
        let answer = sign_in(&headers);
        let set = cookie(&answer);
        assert!(set.starts_with("__host-redraft="), "{set}");
        assert!(set.ends_with("; secure"), "{set}");
    }
    let answer = sign_in(&[]);
    let cookie = cookie(&answer).split(';').next().unwrap();
    let read = || browse(&service, "GET", "/v1/runs", &[("cookie", cookie)], None).status;
    assert_eq!(read(), 200);
    service.admin(&["key", "revoke", key.split('_').nth(1).unwrap()]);
    assert_eq!(read(), 401);
}

#[test]
fn without_keys_nobody_has_to_sign_in() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work"]);
    let info = service.get("/v1/session").json();
    assert_eq!(
        (&info["name"], &info["tenant"]),
        (&"local".into(), &"default".into())
    );
    assert_eq!(info.get("csrf_token"), None);
}
