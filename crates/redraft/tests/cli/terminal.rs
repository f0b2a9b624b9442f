//! The program at a real terminal of 80 columns, made by `script` of util-linux: the
//! reviewer's dialogue with each of its keys, and many documents.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use redraft_report::shell;

use crate::temp_folder::{KEY, TempFolder, example};

/// A program at a terminal, answered when it has said something.
struct Session {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    /// Everything on the screen so far.
    seen: String,
    /// How much of it was answered.
    answered: usize,
}

impl Session {
    fn start(folder: &TempFolder, arguments: &[&str], editor: &str) -> Self {
        let program = assert_cmd::cargo::cargo_bin!("redraft")
            .display()
            .to_string();
        let words = std::iter::once(program.as_str()).chain(arguments.iter().copied());
        let line = format!("stty cols 80 rows 24; exec {}", shell::command(words));
        let mut child = Command::new("script")
            .args(["-qefc", &line, "/dev/null"])
            .current_dir(folder.path("."))
            .env("REDRAFT_KEY", KEY)
            .env("REDRAFT_NO_PROBE", "1")
            .env("HOUSE_KEY", "sk-canary")
            .env("XDG_CONFIG_HOME", folder.path(".own"))
            .env("NO_COLOR", "1")
            .env("TERM", "xterm")
            .env("USER", "Ada")
            .env("SHELL", "/bin/sh")
            .env("EDITOR", editor)
            .env_remove("VISUAL")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                unreachable!("these tests need `script` (in Debian: package bsdutils): {error}")
            });
        Self {
            keys: child.stdin.take().unwrap(),
            screen: child.stdout.take().unwrap(),
            child,
            seen: String::new(),
            answered: 0,
        }
    }

    /// Waits until the program has said something new.
    fn expect(&mut self, words: &str) {
        loop {
            if let Some(at) = self.seen[self.answered..].find(words) {
                self.answered += at + words.len();
                return;
            }
            assert!(self.read(), "not said: {words}\n{}", self.seen);
        }
    }

    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let read = self.screen.read(&mut bytes).unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes[..read]).replace('\r', "");
        self.seen.push_str(&text);
        read > 0
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// The exit code, and what was on the screen.
    fn end(mut self) -> (i32, String) {
        while self.read() {}
        let code = self.child.wait().unwrap().code().unwrap();
        (code, self.seen)
    }
}

/// A lesson whose judge is not content, and whose repairs are not kept.
fn stuck() -> TempFolder {
    let lesson = example("refine-kettle/lesson.md");
    let judge = |round: &str, scores: &str| {
        format!(
            "[[reply]]\nrole = \"judge_secondary\"\n{round}confidence = \"high\"\nscores = {{ {scores} }}\n"
        )
    };
    let weak = "learning_objective_alignment = 0.80, pedagogical_structure = 0.82, factual_accuracy = 0.62, clarity_readability = 0.78, engagement_examples = 0.80, completeness = 0.81";
    let issue = "[[reply.issues]]\ncriterion = \"factual_accuracy\"\nseverity = \"major\"\nlocation = \"sec_2\"\nquote = \"At sea level water boils at 90 °C.\"\ndescription = \"At sea level water boils at 100 °C.\"\nsuggested_fix = \"Write 100 °C.\"\n";
    let refusing = "[[reply]]\nrole = \"patcher\"\nfault = \"unauthorised\"\n[[reply]]\nrole = \"section_expander\"\nfault = \"unauthorised\"\n[[reply]]\nrole = \"delta_judge\"\nfault = \"unauthorised\"\n";
    let replies = format!("{}{issue}{refusing}", judge("", weak));
    TempFolder::new(&[("my lesson.md", &lesson), ("replies.toml", &replies)])
}

const REFINE: &[&str] = &[
    "refine",
    "my lesson.md",
    "--script",
    "replies.toml",
    "--mode",
    "semi-auto",
    "-o",
    "out.md",
];

const QUESTION: &str = "[?]help: ";

fn at_the_question(folder: &TempFolder) -> Session {
    let mut session = Session::start(folder, REFINE, "true");
    session.expect(QUESTION);
    session
}

/// No line is longer than the terminal.
fn fits(screen: &str) {
    for line in screen.lines() {
        // Commands to paste stay whole.
        let is_command = line.trim_start().starts_with("redraft ");
        // What is typed after a question may not be echoed, so that the answer follows it.
        for part in line.split(QUESTION) {
            assert!(is_command || part.chars().count() <= 80, "{line:?}");
        }
    }
}

#[test]
fn a_reviewer_sees_the_case_and_approves_it() {
    let folder = stuck();
    let mut session = at_the_question(&folder);
    for part in [
        "my lesson.md: not accepted: ",
        "factual_accuracy",
        "below 0.",
        "Open issues",
        "“At sea level water boils at 90 °C.”",
        "→ Write 100 °C.",
        "so far: ",
    ] {
        assert!(session.seen.contains(part), "{part}\n{}", session.seen);
    }
    session.press("?\n");
    session.expect("q  quit: nothing is decided");
    session.expect(QUESTION);
    session.press("x\n");
    session.expect("unknown key: x");
    session.press("a\n");
    let (code, screen) = session.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("approved by Ada, although "), "{screen}");
    assert!(
        screen.contains("semi-auto mode; accepted from 0."),
        "{screen}"
    );
    assert!(screen.contains("saved to out.md"), "{screen}");
    fits(&screen);
}

#[test]
fn a_reviewer_rejects_or_cannot_decide() {
    for (key, said) in [
        ("r\n", "rejected by Ada"),
        ("c\n", "escalated to a reviewer"),
    ] {
        let folder = stuck();
        let mut session = at_the_question(&folder);
        session.press(key);
        let (code, screen) = session.end();
        assert_eq!(code, 3, "{screen}");
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn a_reviewer_edits_and_instructs_and_is_asked_again() {
    let folder = stuck();
    let mut session = Session::start(&folder, REFINE, "sed -i s/90.°C/100.°C/");
    session.expect(QUESTION);
    session.press("e\n");
    session.expect(QUESTION);
    assert!(session.seen.contains("Changes so far"), "{}", session.seen);
    session.press("i\n");
    session.expect("Instruction for the next attempt: ");
    session.press("Name the pressure.\n");
    session.expect(QUESTION);
    session.press("a\n");
    let (code, screen) = session.end();
    assert_eq!(code, 0, "{screen}");
    assert!(!folder.read("out.md").contains("90 °C"));
    fits(&screen);
}

#[test]
fn an_editor_that_fails_or_changes_nothing_leads_back_to_the_question() {
    for (editor, said) in [
        ("true", "nothing was changed in the editor"),
        ("false", "false failed"),
        ("no-such-editor-here", "cannot start no-such-editor-here"),
    ] {
        let folder = stuck();
        let mut session = Session::start(&folder, REFINE, editor);
        session.expect(QUESTION);
        session.press("e\n");
        session.expect(said);
        session.press("q\n");
        assert_eq!(session.end().0, 130);
    }
}

#[test]
fn leaving_is_clean_and_the_printed_command_asks_again() {
    // Quit, Ctrl-C and the end of the input.
    for key in ["q\n", "\u{3}", "\u{4}"] {
        let folder = stuck();
        let mut session = at_the_question(&folder);
        session.press(key);
        let (code, screen) = session.end();
        assert_eq!(code, 130, "{key:?}: {screen}");
        let line = screen.lines().find(|line| line.contains("redraft refine "));
        let line = line.unwrap_or_else(|| unreachable!("{screen}")).trim();
        assert!(line.contains("-o out.md"), "{line}");
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let mut resumed = Session::start(&folder, &words, "true");
        resumed.expect(QUESTION);
        resumed.press("a\n");
        let (code, screen) = resumed.end();
        assert_eq!(code, 0, "{screen}");
        assert!(folder.path("out.md").exists());
    }
}

#[test]
fn what_is_printed_fits_the_terminal_and_marks_stand_under_their_words() {
    let folder = TempFolder::new(&[
        ("all/raw.json", &example("raw-model-output.json")),
        ("all/cards.json", &example("refine-cards.json")),
        (
            "all/page.html",
            "<!DOCTYPE html>\n<html><body><h1>Water</h1></body></html>\n",
        ),
        ("lesson.md", &example("refine-kettle/lesson.md")),
        ("replies.toml", &example("refine-kettle/replies.toml")),
    ]);
    for (command, code) in [
        // Quiet, because a bar is drawn over itself.
        ("check all -q", 1),
        ("check all --diff -q", 1),
        ("explain truncated-content", 0),
        ("explain", 0),
        ("plan lesson.md", 0),
        ("plan lesson.md all", 0),
        ("judge all --script replies.toml -q", 1),
        ("refine lesson.md --script replies.toml", 0),
        ("runs list", 0),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let (ended, screen) = Session::start(&folder, &words, "true").end();
        assert_eq!(ended, code, "{command}: {screen}");
        fits(&screen);
    }
    let (_, screen) = Session::start(&folder, &["check", "all/raw.json"], "true").end();
    let lines: Vec<&str> = screen.lines().collect();
    let marked = lines.windows(2).find_map(|pair| {
        let at = pair[0].find("(more about rounding)")?;
        Some((pair[0][..at].chars().count(), pair[1]))
    });
    let (column, marks) = marked.unwrap_or_else(|| unreachable!("{screen}"));
    assert_eq!(marks.find('^'), Some(column), "{marks}");
}

#[test]
fn many_documents_have_a_bar_and_then_a_table() {
    let lesson = crate::folder::LESSON;
    let names: Vec<String> = (0..12)
        .map(|number| format!("all/a lesson with a rather long name {number}.md"))
        .collect();
    let texts: Vec<String> = names
        .iter()
        .map(|name| lesson.replace("kettle", name))
        .collect();
    let files = names.iter().zip(&texts);
    let mut files: Vec<(&str, &str)> = files
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let scores = crate::seeds::LESSONS.map(|name| format!("{name} = 0.95"));
    let replies = format!(
        "[[reply]]\nconfidence = \"high\"\ndelay_ms = 150\nscores = {{ {} }}\n",
        scores.join(", ")
    );
    files.push(("replies.toml", &replies));
    let folder = TempFolder::new(&files);
    let arguments = ["judge", "all", "--script", "replies.toml"];
    let session = Session::start(&folder, &arguments, "true");
    let (code, screen) = session.end();
    assert_eq!(code, 0, "{screen}");
    for part in ["/12", " left", "judging", "12 documents: 12 accepted"] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    let quiet = Session::start(
        &folder,
        &[&arguments[..], &["-q", "--fresh"]].concat(),
        "true",
    );
    let (code, screen) = quiet.end();
    assert_eq!(code, 0, "{screen}");
    assert!(!screen.contains("/12"), "{screen}");
}

/// The question of a reviewer about one of several texts: everything since the last answer.
fn asked(session: &mut Session) -> String {
    let from = session.answered;
    session.expect(QUESTION);
    let case = session.seen[from..session.answered].to_owned();
    assert_eq!(case.matches(": not accepted: ").count(), 1, "{case}");
    case
}

#[test]
fn each_item_of_a_bank_gets_the_answer_that_was_given_about_it() {
    let item = example("refine-item.json").replace('\n', " ");
    let bank: String = (1..=4)
        .map(|number| item.replace("58-year-old", &format!("{}-year-old", 40 + number)) + "\n")
        .collect();
    let weak = "[[reply]]\nrole = \"judge_secondary\"\nconfidence = \"high\"\nscores = { clinical_accuracy = 0.80, pedagogical_alignment = 0.65, distractor_quality = 0.45, slo_coverage = 0.75, blooms_match = 0.75 }\n[[reply]]\nfault = \"unauthorised\"\n";
    let folder = TempFolder::new(&[("bank.jsonl", &bank), ("replies.toml", weak)]);
    let refine =
        "refine bank.jsonl --script replies.toml --mode semi-auto --format json --report r.json";
    let words: Vec<&str> = refine.split(' ').collect();
    let mut session = Session::start(&folder, &words, "true");
    let mut rejected = String::new();
    for number in 1..=4 {
        let case = asked(&mut session);
        // The lines of running documents were erased before it.
        let (before, _) = case.split_once(": not accepted: ").unwrap();
        let (_, id) = before.rsplit_once("bank.jsonl#").unwrap();
        if number == 3 {
            rejected = format!("bank.jsonl#{id}");
            session.press("r\n");
        } else {
            session.press("a\n");
        }
    }
    let (code, screen) = session.end();
    assert_eq!(code, 3, "{screen}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    for document in report["documents"].as_array().unwrap() {
        let is_rejected = document["path"] == rejected.as_str();
        let status = if is_rejected { "escalated" } else { "accepted" };
        assert_eq!(document["status"], status, "{document}");
    }
}

/// Whether something was written into a folder, beside temporary files.
fn has_files(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .any(|path| path.extension().is_some_and(|extension| extension == "md"))
}

#[test]
fn a_reviewer_who_leaves_is_not_asked_about_the_next_text() {
    let stuck = stuck();
    let (lesson, replies) = (stuck.read("my lesson.md"), stuck.read("replies.toml"));
    let folder = TempFolder::new(&[
        ("all/a.md", &lesson),
        ("all/b.md", &lesson.replace("kettle", "pan")),
        ("all/c.md", &lesson.replace("kettle", "pot")),
        ("replies.toml", &replies),
    ]);
    let refine = [
        "refine",
        "all",
        "--script",
        "replies.toml",
        "--mode",
        "semi-auto",
    ];
    let mut session = Session::start(&folder, &[&refine[..], &["-o", "out"]].concat(), "true");
    asked(&mut session);
    session.press("a\n");
    asked(&mut session);
    // The approved text is on its way to its end meanwhile; leaving now would interrupt it.
    while !has_files(&folder.path("out")) {
        thread::sleep(Duration::from_millis(5));
    }
    session.press("q\n");
    let (code, screen) = session.end();
    assert_eq!(code, 130, "{screen}");
    assert!(screen.contains("1 of 3 texts are done"), "{screen}");
    let line = screen.lines().find(|line| line.contains("--continue"));
    let line = line.unwrap_or_else(|| unreachable!("{screen}")).trim();
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    let mut resumed = Session::start(&folder, &words, "true");
    for _ in 0..2 {
        asked(&mut resumed);
        resumed.press("a\n");
    }
    let (code, screen) = resumed.end();
    assert_eq!(code, 0, "{screen}");
    for name in ["a", "b", "c"] {
        assert!(folder.path(&format!("out/{name}.md")).exists(), "{screen}");
    }
}
