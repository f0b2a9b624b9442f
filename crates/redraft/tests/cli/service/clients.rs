//! The clients of `docs/service.md`, run as they are printed there.

use std::fs;
use std::process::Command;

use super::{JUDGE, Service};
use crate::temp_folder::repository;

/// The code block of the page that begins with this line.
fn block(first: &str) -> String {
    let page = fs::read_to_string(repository("docs/service.md")).unwrap();
    let (_, rest) = page.split_once(first).unwrap();
    let (code, _) = rest.split_once("\n```").unwrap();
    format!("{first}{code}\n")
}

/// A test that was skipped would count as passed.
fn needs(program: &str) {
    let found = Command::new(program).arg("--version").output();
    assert!(found.is_ok(), "this test needs {program}; install it");
}

#[test]
fn the_clients_of_the_page_work() {
    let service = Service::start(None, JUDGE);
    let key = service.key("default", "client", "submit,read");
    fs::copy(
        repository("examples/photosynthesis.md"),
        service.place.path("lesson.md"),
    )
    .unwrap();
    for (first, program, arguments) in [
        ("import json, os, urllib.request", "python3", "-c"),
        ("set -eu", "sh", "-c"),
    ] {
        needs(program);
        needs("curl");
        let code = block(first);
        assert!(
            code.lines().count() <= 12,
            "ten lines, more or less\n{code}"
        );
        let output = Command::new(program)
            .args([arguments, &code])
            .current_dir(service.place.path(""))
            .env("REDRAFT_URL", format!("http://{}", service.address))
            .env("REDRAFT_API_KEY", &key)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{text}{error}");
        assert!(text.contains("run_complete"), "{text}{error}");
        assert!(text.contains("accepted"), "{text}{error}");
    }
}
