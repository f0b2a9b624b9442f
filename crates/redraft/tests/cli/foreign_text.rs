//! Nothing foreign is obeyed by a terminal: file names, contents, keys, ids, whatever
//! they contain (ruling 66).

use std::fs;

use crate::temp_folder::{GOOD, TempFolder};

/// What no output may contain, besides our own colours, which a pipe does not get.
fn obeyed(text: &str) -> String {
    let is_obeyed = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    text.chars().filter(is_obeyed).collect()
}

const HOSTILE: &str = "\u{1b}[2J\u{1b}[31mred\u{9b}1m\rgate passed\u{202e}txet\u{7}";

#[cfg(unix)]
#[test]
fn hostile_names_and_contents_are_shown_not_obeyed() {
    let name = "les\u{1b}[31m\nforged: gate passed\r\u{202e}son.md";
    let lesson = format!(
        "{GOOD}\n## {HOSTILE}\n\n## Ice{HOSTILE}\n\n[Insert {HOSTILE} here]\n\n<!-- redraft-ignore TXT003{HOSTILE}: x -->\n"
    );
    let bank = format!(
        r#"[{{"id": "q\u001b[31m\u202e\nforged", "stem": "What {HOSTILE} is it?", "options": ["a", "b"]}}, {{"id": "q2", "stem": "What?", "options": ["a", "b"]}}]"#
    );
    let folder = TempFolder::new(&[
        ("b.json", &bank),
        ("c\u{1b}]0;title\u{7}.csv", "a,b\n1,2\n"),
    ]);
    fs::write(folder.path(name), &lesson).unwrap();
    for format in ["human", "markdown", "junit"] {
        for more in [&["--all"] as &[&str], &[]] {
            let arguments = [&["check", ".", "--format", format] as &[&str], more].concat();
            let run = folder.run(&arguments);
            assert_eq!(obeyed(&run.stdout), "", "{format}: {:?}", run.stdout);
            assert_eq!(obeyed(&run.stderr), "", "{format}: {:?}", run.stderr);
            assert!(
                !run.stdout.lines().any(|line| line.starts_with("forged")),
                "{format}: {}",
                run.stdout
            );
        }
    }
    for arguments in [
        &["check", "--diff", "."] as &[&str],
        &["check", "--fix", name],
        &["check", "missing\u{1b}[31m\nforged.md"],
        &["check", "c\u{1b}]0;title\u{7}.csv"],
        &["check", name, "--spec", "c\u{1b}]0;title\u{7}.csv"],
        &["check", "--profile", "a\u{1b}[31m", name],
        &["plan", name],
        &["refine", "--free", "."],
    ] {
        let run = folder.run_among(&[], arguments);
        assert_eq!(obeyed(&run.stdout), "", "{arguments:?}: {:?}", run.stdout);
        assert_eq!(obeyed(&run.stderr), "", "{arguments:?}: {:?}", run.stderr);
        let lines = run.stdout.lines().chain(run.stderr.lines());
        assert!(
            !lines.clone().any(|line| line.starts_with("forged")),
            "{arguments:?}"
        );
    }
    let named = folder.run(&["check", name]);
    assert!(
        named
            .stdout
            .contains("\"les\\u{1b}[31m\\nforged: gate passed\\r\\u{202e}son.md\""),
        "{}",
        named.stdout
    );
}

#[test]
fn a_configuration_cannot_hide_what_it_would_be_trusted_with() {
    let config = "[roles.default]\nprovider = \"x\\u001b[1A\\u001b[2K\"\nmodel = \"m\"\n[providers.\"x\\u001b[1A\\u001b[2K\"]\nbase-url = \"https://models.example.org/v1\"\nkey-env = \"HOUSE_KEY\"\n";
    let folder = TempFolder::new(&[("a.md", GOOD), ("redraft.toml", config)]);
    for arguments in [&["judge", "a.md"][..], &["trust"]] {
        let run = folder.run_untrusted(&[("HOUSE_KEY", "canary")], arguments);
        assert_eq!(obeyed(&run.stdout), "", "{:?}", run.stdout);
        assert_eq!(obeyed(&run.stderr), "", "{:?}", run.stderr);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("models.example.org"), "{said}");
    }
}

#[test]
fn programs_get_the_names_as_they_are() {
    let name = "les\nson.md";
    let folder = TempFolder::new(&[]);
    fs::write(folder.path(name), GOOD).unwrap();
    let run = folder.run(&["check", name, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["documents"][0]["path"], name);
}
