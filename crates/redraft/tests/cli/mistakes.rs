//! The mistakes that beginners make, each with what the program says and the exit code:
//! a message names the thing and the next step, and never a panic or a stack of causes.

use std::fs;

use crate::temp_folder::{GOOD, KEY, Run, TempFolder};

/// A mistake: the command, its exit code, and parts of what is said.
type Mistake = (&'static [&'static str], i32, &'static [&'static str]);

const MISTAKES: &[Mistake] = &[
    (
        &["check", "lesons/water.md"],
        2,
        &[
            "lesons/water.md: file or folder not found",
            "did you mean lessons?",
        ],
    ),
    (
        &["check", "lessons/watr.md"],
        2,
        &["did you mean lessons/water.md?"],
    ),
    (
        &["check", "empty"],
        2,
        &["nothing was read", "--allow-empty"],
    ),
    (
        &["check", "quiz.csv"],
        2,
        &["quiz.csv: the columns of the table", "--columns stem="],
    ),
    (
        &["check", "page.html"],
        2,
        &["HTML", "redraft reads Markdown"],
    ),
    (
        &["check", "picture.png"],
        2,
        &["picture.png", "this seems to be an image"],
    ),
    (
        &["check", "unknown.json"],
        2,
        &["unknown kind of JSON", "--profile"],
    ),
    (
        &["check", "lessons/water.md", "--profile", "clinical-mcq"],
        2,
        &["no content of the profile clinical-mcq"],
    ),
    (
        &["check", "lessons/water.md", "--profile", "leson"],
        2,
        &["invalid value 'leson'", "lesson"],
    ),
    (
        &["check", "lessons/water.md", "--language", "klingon"],
        2,
        &["unknown language `klingon`", "en"],
    ),
    (
        &["check", "lessons/water.md", "--language", "xx"],
        2,
        &["unknown language `xx`", "known: "],
    ),
    (
        &["check", "lessons/water.md", "--formt", "json"],
        2,
        &["unexpected argument '--formt'", "'--format'"],
    ),
    (
        &["check", "lessons/water.md", "--format", "pdf"],
        2,
        &["invalid value 'pdf'", "human"],
    ),
    (
        &["chek", "lessons/water.md"],
        2,
        &["unrecognized subcommand 'chek'", "check"],
    ),
    (
        &["check", "lessons/water.md", "--select", "emty-section"],
        2,
        &["emty-section", "empty-section"],
    ),
    (
        &["check", "lessons/water.md", "--config", "broken.toml"],
        2,
        &["broken.toml:1:"],
    ),
    (
        &["check", "lessons/water.md", "--config", "misspelt.toml"],
        2,
        &["misspelt.toml:1: unknown key \"ignroe\"; did you mean \"ignore\"?"],
    ),
    (
        &["check", "lessons/water.md", "--config", "missing.toml"],
        2,
        &["cannot read missing.toml"],
    ),
    (
        &["check", "lessons/water.md", "--spec", "spec.txt"],
        2,
        &["spec.txt: expected"],
    ),
    (
        &["check", "lessons/water.md", "--spec", "spec.json"],
        0,
        &["unknown key `audiense` is ignored; did you mean `audience`?"],
    ),
    (
        &["judge", "lessons/water.md"],
        5,
        &[
            "no model is configured",
            "OPENAI_API_KEY",
            "redraft init --preset",
        ],
    ),
    (
        &["judge", "lessons/water.md", "--script", "missing.toml"],
        2,
        &["cannot read missing.toml"],
    ),
    (
        &["judge", "lessons/water.md", "--config", "nokey.toml"],
        2,
        &["no API key for \"openai\": set the variable OPENAI_API_KEY"],
    ),
    (
        &["judge", "lessons/water.md", "--config", "offline.toml"],
        5,
        &["127.0.0.1"],
    ),
    (
        &["judge", "lessons/water.md", "--config", "budget.toml"],
        4,
        &["tokens"],
    ),
    (
        &["judge", "lessons/water.md", "--config", "key-inside.toml"],
        2,
        &["key-inside.toml:2:"],
    ),
    (
        &["judge", "--resume", "2026-01-01"],
        2,
        &["run 2026-01-01 not found", ".redraft/runs"],
    ),
    (
        &["refine", "-", "--write", "--free"],
        2,
        &["--write cannot replace standard input"],
    ),
    (
        &["refine", "lessons", "--free", "-o", "-"],
        2,
        &["writes a single text", "-o DIR"],
    ),
    (
        &["refine", "lessons/water.md", "--free", "--accept-best"],
        2,
        &["--write"],
    ),
    (
        &["write", "--script", "missing.toml"],
        2,
        &["writing a lesson needs its specification; give --spec FILE"],
    ),
    (
        &["explain", "emty-section"],
        2,
        &["emty-section", "empty-section"],
    ),
    (&["replay", "lessons/water.md"], 2, &["not a valid journal"]),
    (
        &["verify", "lessons/water.md"],
        2,
        &["required arguments were not provided", "<ORIGINAL>"],
    ),
    (
        &["worker", "--slots", "0"],
        2,
        &["slots: expected at least 1"],
    ),
    (
        &["check", "lessons/water.md", "--spec", "spce.json"],
        2,
        &["cannot read spce.json (did you mean spec.json?)"],
    ),
    (
        &["judge", "lessons/water.md", "-j", "0", "--script", "x.toml"],
        2,
        &["expected a number from 1"],
    ),
    (
        &["refine", "lessons/water.md", "--free", "-o", "lessons"],
        2,
        &["-o would overwrite lessons/water.md itself; use --write"],
    ),
    (
        &["refine", "lessons", "--free", "-o", "./lessons"],
        2,
        &["-o would overwrite lessons itself"],
    ),
    (
        &["check", "lessons/water.md", "--spec", "types.json"],
        0,
        &[
            "types.json: `title` is ignored; it should be a text",
            "`learning_objectives` is ignored; it should be a list of texts or objects",
        ],
    ),
    (
        &[
            "write",
            "--spec",
            "lessons/water.md",
            "--script",
            "replies.toml",
        ],
        2,
        &["lessons/water.md: expected a JSON object with the fields of a lesson specification"],
    ),
    (
        &["init", "--preset", "opnai"],
        2,
        &["unknown preset \"opnai\"; did you mean"],
    ),
];

fn place() -> TempFolder {
    let folder = TempFolder::new(&[
        ("lessons/water.md", GOOD),
        ("empty/.keep", ""),
        ("quiz.csv", "name,mark\nAnn,3\nBob,4\n"),
        (
            "page.html",
            "<!DOCTYPE html>\n<html><body><h1>Water</h1></body></html>\n",
        ),
        ("unknown.json", "{\"name\": \"x\", \"version\": 3}"),
        ("broken.toml", "ignore = [\n"),
        ("misspelt.toml", "ignroe = []\n"),
        ("spec.txt", "Please write a lesson about water."),
        (
            "spec.json",
            "{\"topic\": \"Water\", \"audiense\": \"pupils\"}",
        ),
        ("replies.toml", "[[reply]]\n"),
        (
            "types.json",
            "{\"title\": 5, \"learning_objectives\": \"Say why water boils\"}",
        ),
        (
            "nokey.toml",
            "[roles.default]\nprovider = \"openai\"\nmodel = \"gpt-4.1\"\n",
        ),
        (
            "offline.toml",
            "[roles.judge_secondary]\nprovider = \"house\"\nmodel = \"m\"\n[providers.house]\nbase-url = \"http://127.0.0.1:9/v1\"\n",
        ),
        (
            "budget.toml",
            "[limits]\ntokens-per-run = 100\n[roles.judge_secondary]\nprovider = \"house\"\nmodel = \"m\"\n[providers.house]\nbase-url = \"http://127.0.0.1:9/v1\"\n",
        ),
        (
            "key-inside.toml",
            "[providers.openai]\nkey-env = \"sk-proj-canary0123456789abcdef\"\n",
        ),
    ]);
    fs::write(
        folder.path("picture.png"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\xff\xfe",
    )
    .unwrap();
    folder
}

#[test]
fn each_mistake_is_named_with_the_next_step() {
    let folder = place();
    let mut wrong = Vec::new();
    for (arguments, code, parts) in MISTAKES {
        let run: Run = folder.run_among(&[("REDRAFT_KEY", KEY)], arguments);
        let said = format!("{}{}", run.stdout, run.stderr);
        let missing: Vec<&&str> = parts.iter().filter(|part| !said.contains(**part)).collect();
        let is_bad = said.contains("panicked")
            || said.contains("internal error")
            || said.contains("canary")
            || run.code == 70;
        if run.code != *code || !missing.is_empty() || is_bad {
            wrong.push(format!(
                "{arguments:?}: exit {}, missing {missing:?}\n{said}",
                run.code
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_or_written_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempFolder::new(&[("a.md", GOOD)]);
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("a.md", 0o000);
    // Root may read anything.
    if fs::read(folder.path("a.md")).is_err() {
        let run = folder.run(&["check", "a.md"]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("cannot read a.md"), "{}", run.stderr);
    }
    set("a.md", 0o444);
    let chatty = crate::temp_folder::CHATTY;
    set("a.md", 0o644);
    fs::write(folder.path("a.md"), chatty).unwrap();
    set("a.md", 0o444);
    let run = folder.run(&["refine", "a.md", "--free", "--write"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("a.md is read-only"), "{}", run.stderr);
    assert_eq!(folder.read("a.md"), chatty);
}

#[test]
fn the_limits_of_the_configuration_hold_everywhere() {
    let folder = TempFolder::new(&[
        ("redraft.toml", "[limits]\nmax-input-bytes = 40\n"),
        (
            "cards.json",
            &crate::temp_folder::example("refine-cards.json"),
        ),
        (
            "sow.json",
            &crate::temp_folder::example("scheme-of-work-entry.json"),
        ),
        ("replies.toml", "[[reply]]\n"),
        (
            "result.json",
            "{\"schema\": 2, \"documents\": [], \"banks\": [], \"skipped\": []}",
        ),
    ]);
    for command in [
        "export cards.json --store json",
        "write --sow sow.json --all -o out --script replies.toml",
        "report result.json -o page.html",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let run = folder.run(&words);
        assert_eq!(run.code, 2, "{command}: {}", run.stdout);
        for part in ["larger than 40 bytes", "max-input-bytes"] {
            assert!(run.stderr.contains(part), "{command}: {}", run.stderr);
        }
    }
}

#[test]
fn a_reason_is_told_once() {
    let folder = TempFolder::new(&[("a.md", GOOD), ("latin.toml", "")]);
    fs::write(folder.path("latin.toml"), b"# caf\xe9\n").unwrap();
    for (arguments, reason) in [
        (["check", "a.md", "--against", "nope.json"], "No such file"),
        (["check", "a.md", "--config", "latin.toml"], "not UTF-8"),
    ] {
        let run = folder.run(&arguments);
        assert_eq!(run.code, 2);
        let times = run.stderr.matches(reason).count();
        assert_eq!(times, 1, "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_key_goes_only_where_the_user_trusts() {
    let folder = TempFolder::new(&[
        ("a.md", GOOD),
        (
            "redraft.toml",
            "[roles.default]\nprovider = \"house\"\nmodel = \"m\"\n\n[providers.house]\nbase-url = \"http://127.0.0.1:9/v1\"\nkey-env = \"AWS_SECRET_ACCESS_KEY\"\n",
        ),
    ]);
    let variables = [("AWS_SECRET_ACCESS_KEY", "canary-0123456789")];
    for command in [
        &["judge", "a.md"][..],
        &["refine", "a.md"],
        &["models", "--test"],
        &["serve", "--listen", "127.0.0.1:0"],
        &["worker"],
    ] {
        let run = folder.run_untrusted(&variables, command);
        assert_eq!(run.code, 2, "{command:?}: {}", run.stdout);
        for part in ["redraft.toml:7:", "redraft trust redraft.toml", "--config"] {
            assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        }
        assert!(!run.stderr.contains("canary"), "{}", run.stderr);
    }
    // What asks no model needs no trust.
    assert_eq!(folder.run_untrusted(&[], &["check", "a.md"]).code, 0);
    let named = folder.run_untrusted(&variables, &["judge", "a.md", "--config", "redraft.toml"]);
    assert_eq!(named.code, 5, "{}", named.stderr);
    let trusted = folder.run_untrusted(&[], &["trust"]);
    assert_eq!(trusted.code, 0, "{}", trusted.stderr);
    assert!(
        trusted.stdout.contains("names its own key-env"),
        "{}",
        trusted.stdout
    );
    assert_eq!(folder.run_untrusted(&variables, &["judge", "a.md"]).code, 5);
    // Another file needs another look.
    let changed = folder.read("redraft.toml").replace(":9/", ":8/");
    fs::write(folder.path("redraft.toml"), changed).unwrap();
    assert_eq!(folder.run_untrusted(&variables, &["judge", "a.md"]).code, 2);
    // Over plain http no key leaves the machine at all.
    let open = folder
        .read("redraft.toml")
        .replace("127.0.0.1:8", "models.example.org");
    fs::write(folder.path("redraft.toml"), open).unwrap();
    let run = folder.run_untrusted(&variables, &["judge", "a.md", "--config", "redraft.toml"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("plain http"), "{}", run.stderr);
}
