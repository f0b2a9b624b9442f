//! The program at a real terminal of 80 columns, made by `script` of util-linux: the
//! reviewer's dialogue with each of its keys, and many documents.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use redraft_report::shell;

use crate::temp_folder::{KEY, TempFolder, repository};

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
    /// `None` where there is no `script`.
    fn start(folder: &TempFolder, arguments: &[&str], editor: &str) -> Option<Self> {
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
            .ok()?;
        Some(Self {
            keys: child.stdin.take().unwrap(),
            screen: child.stdout.take().unwrap(),
            child,
            seen: String::new(),
            answered: 0,
        })
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
    let lesson = fs::read_to_string(repository("examples/refine-kettle/lesson.md")).unwrap();
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

fn at_the_question(folder: &TempFolder) -> Option<Session> {
    let mut session = Session::start(folder, REFINE, "true")?;
    session.expect(QUESTION);
    Some(session)
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
    let Some(mut session) = at_the_question(&folder) else {
        return;
    };
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
        let Some(mut session) = at_the_question(&folder) else {
            return;
        };
        session.press(key);
        let (code, screen) = session.end();
        assert_eq!(code, 3, "{screen}");
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn a_reviewer_edits_and_instructs_and_is_asked_again() {
    let folder = stuck();
    let Some(mut session) = Session::start(&folder, REFINE, "sed -i s/90.°C/100.°C/") else {
        return;
    };
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
        let Some(mut session) = Session::start(&folder, REFINE, editor) else {
            return;
        };
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
        let Some(mut session) = at_the_question(&folder) else {
            return;
        };
        session.press(key);
        let (code, screen) = session.end();
        assert_eq!(code, 130, "{key:?}: {screen}");
        let line = screen.lines().find(|line| line.contains("redraft refine "));
        let line = line.unwrap_or_else(|| panic!("{screen}")).trim();
        assert!(line.contains("-o out.md"), "{line}");
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let mut resumed = Session::start(&folder, &words, "true").unwrap();
        resumed.expect(QUESTION);
        resumed.press("a\n");
        let (code, screen) = resumed.end();
        assert_eq!(code, 0, "{screen}");
        assert!(folder.path("out.md").exists());
    }
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
    let Some(session) = Session::start(&folder, &arguments, "true") else {
        return;
    };
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
    let (code, screen) = quiet.unwrap().end();
    assert_eq!(code, 0, "{screen}");
    assert!(!screen.contains("/12"), "{screen}");
}
