//! What `refine` saves and says: nothing is lost, a printed command works as it is, and
//! many documents fit on a screen.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::served::serve;
use crate::temp_folder::{KEY, Run, TempFolder, example};

/// A lesson that one round of repair makes acceptable, with the replies for it.
fn kettle(more: &[(&str, &str)]) -> TempFolder {
    let (lesson, replies) = (
        example("refine-kettle/lesson.md"),
        example("refine-kettle/replies.toml"),
    );
    let files = [
        ("lesson.md", lesson.as_str()),
        ("replies.toml", replies.as_str()),
    ];
    TempFolder::new(&[&files, more].concat())
}

/// A weak lesson that nothing repairs.
const STUCK: &str = "[[reply]]\nrole = \"judge_secondary\"\nconfidence = \"high\"\nscores = { learning_objective_alignment = 0.80, pedagogical_structure = 0.82, factual_accuracy = 0.62, clarity_readability = 0.78, engagement_examples = 0.80, completeness = 0.81 }\n[[reply.issues]]\ncriterion = \"factual_accuracy\"\nseverity = \"major\"\nlocation = \"sec_1\"\nquote = \"\"\ndescription = \"A source is missing.\"\nsuggested_fix = \"Name one.\"\n";

/// Runs a command that was printed, in a shell, as a user who pastes it does.
fn paste(folder: &TempFolder, line: &str) -> Run {
    let program = assert_cmd::cargo::cargo_bin!("redraft");
    let folders = program.parent().unwrap().to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", line])
        .env("PATH", format!("{}:{path}", folders.display()))
        .env("REDRAFT_KEY", KEY)
        .env("REDRAFT_NO_PROBE", "1")
        .env("HOUSE_KEY", "sk-canary")
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The command in a text: the line that begins with the program.
fn printed(text: &str) -> &str {
    let line = text.lines().find(|line| line.starts_with("  redraft "));
    line.unwrap_or_else(|| unreachable!("no command in {text}"))
}

#[test]
fn the_readme_shows_what_the_example_prints() {
    let (lesson, replies) = (
        "examples/refine-kettle/lesson.md",
        "examples/refine-kettle/replies.toml",
    );
    let folder = TempFolder::new(&[
        (lesson, &example("refine-kettle/lesson.md")),
        (replies, &example("refine-kettle/replies.toml")),
    ]);
    let run = folder.run(&["refine", lesson, "--script", replies, "--mode", "semi-auto"]);
    shows_what_is_printed(include_str!("../../../../README.md"), &run.stdout);
}

#[test]
fn the_page_on_judging_shows_what_the_example_prints() {
    let (lesson, replies) = ("examples/photosynthesis.md", "examples/judge-replies.toml");
    let folder = TempFolder::new(&[
        (lesson, &example("photosynthesis.md")),
        (replies, &example("judge-replies.toml")),
    ]);
    let run = folder.run(&["judge", lesson, "--script", replies]);
    shows_what_is_printed(include_str!("../../../../docs/judging.md"), &run.stdout);
}

/// Whether the first output on a page has been printed, line by line, but for what is left out
/// (`…`) and the names of journals.
fn shows_what_is_printed(page: &str, stdout: &str) {
    let without_journal = |line: &str| {
        let line = line.split("; journal ").next().unwrap_or_default();
        line.trim().to_owned()
    };
    let shown = page.split("```text\n").nth(1).unwrap();
    let shown = shown.split("```").next().unwrap();
    let mut printed = stdout.lines().map(without_journal);
    for line in shown.lines().filter(|line| line.trim() != "…") {
        assert!(
            printed.any(|printed| printed == without_journal(line)),
            "not printed, or not in this order: {line}\n{stdout}"
        );
    }
}

#[test]
fn the_readme_says_what_the_example_would_cost() {
    let folder = kettle(&[]);
    let run = folder.run(&[
        "refine",
        "lesson.md",
        "--script",
        "replies.toml",
        "--mode",
        "semi-auto",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let spent = &report["documents"][0]["spent"];
    let prices = redraft_engine::model::prices::table();
    // As `init --preset openai` assigns them.
    let dollars = |role: &str, model: &str| {
        let price = prices.price(model).unwrap();
        let tokens = |field: &str| spent[role][field].as_f64().unwrap();
        (tokens("input") * price.input + tokens("output") * price.output) / 1e6
    };
    let judging = dollars("judge_primary", "gpt-4.1") + dollars("judge_secondary", "gpt-4.1-mini");
    let repair = dollars("patcher", "gpt-4.1-mini") + dollars("section_expander", "gpt-4.1");
    let verification = dollars("delta_judge", "gpt-4.1-mini");
    let all = judging + repair + verification;
    let versions = spent["judge_primary"]["calls"].as_f64().unwrap();
    let readme = include_str!("../../../../README.md").replace('\n', " ");
    for said in [
        format!("would cost {:.1} cents", all * 100.0),
        format!("list prices of {}", prices.as_of),
        format!("judging ${judging:.4}, repair ${repair:.4}, verification ${verification:.4}"),
        format!("three times (${:.4} each time)", judging / versions),
    ] {
        assert!(readme.contains(&said), "{said}");
    }
}

#[test]
fn a_text_that_was_not_saved_is_saved_by_the_printed_command() {
    let folder = kettle(&[]);
    let run = folder.run(&[
        "refine",
        "lesson.md",
        "--script",
        "replies.toml",
        "--runs",
        "my runs",
    ]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(
        run.stdout.contains("not saved; use -o or --write"),
        "{}",
        run.stdout
    );
    let before = folder.read("lesson.md");
    let command = printed(&run.stdout);
    assert!(command.contains("--runs 'my runs'"), "{command}");
    // Nobody answers: the text comes from the journal.
    fs::remove_file(folder.path("replies.toml")).unwrap();
    let saved = paste(&folder, command);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    assert!(
        saved.stdout.ends_with("saved to lesson.md\n"),
        "{}",
        saved.stdout
    );
    assert_ne!(folder.read("lesson.md"), before);
    let again = paste(&folder, command);
    assert!(
        again
            .stdout
            .ends_with("already done: lesson.md has the text of this run\n"),
        "{}",
        again.stdout
    );
}

#[test]
fn write_replaces_only_what_was_accepted_unless_told_to() {
    let strict = "accept = 0.95\n[good-enough]\nfrom = 0.95\n";
    let folder = kettle(&[("strict.toml", strict)]);
    let before = folder.read("lesson.md");
    let refine = ["refine", "lesson.md", "--script", "replies.toml", "--write"];
    let arguments = [&refine[..], &["--policy", "strict.toml"]].concat();
    let run = folder.run(&arguments);
    assert_eq!(folder.read("lesson.md"), before, "{}", run.stdout);
    assert!(
        run.stdout.contains("not saved: lesson.md was not accepted"),
        "{}",
        run.stdout
    );
    let forced = paste(&folder, printed(&run.stdout));
    assert!(
        forced.stdout.ends_with("saved to lesson.md\n"),
        "{}",
        forced.stdout
    );
    assert_ne!(folder.read("lesson.md"), before);
}

#[test]
fn a_text_from_standard_input_is_saved_by_the_printed_command() {
    for (text, replies, name) in [
        (
            "refine-kettle/lesson.md",
            "refine-kettle/replies.toml",
            "refined.md",
        ),
        (
            "refine-item.json",
            "refine-item-replies.toml",
            "refined.json",
        ),
    ] {
        let folder = TempFolder::new(&[("replies.toml", &example(replies))]);
        let arguments = ["refine", "-", "--script", "replies.toml", "--runs", "r"];
        let run = folder.run_with(&arguments, &example(text));
        assert!(run.stdout.contains("not saved; use -o,"), "{}", run.stdout);
        let command = printed(&run.stdout).to_owned();
        let saved = paste(&folder, &command);
        assert_eq!(saved.code, 0, "{command}: {}", saved.stderr);
        assert_ne!(folder.read(name), example(text));
        // Who asks to replace it all the same is told how to save it.
        let wrong = command.replace(&format!("--output {name}"), "--write");
        let wrong = paste(&folder, &wrong);
        assert_eq!(wrong.code, 2, "{}", wrong.stdout);
        assert!(
            wrong.stderr.contains("standard input cannot be replaced"),
            "{}",
            wrong.stderr
        );
        assert_eq!(printed(&wrong.stderr), command);
    }
}

#[test]
fn a_resumed_item_is_written_into_its_bank_under_the_policy_of_its_run() {
    let folder = TempFolder::new(&[
        ("Q.JSONL", &format!("{}\n{}\n", item(1), item(2))),
        ("replies.toml", &example("refine-item-replies.toml")),
        ("policy.toml", "[decide.repair]\niterations = 2\n"),
    ]);
    let before = folder.read("Q.JSONL");
    let refine = ["refine", "Q.JSONL#item_2", "--script", "replies.toml"];
    let own = ["--policy", "policy.toml", "--mode", "full-auto"];
    let json = ["--runs", "r", "--format", "json", "-q"];
    let run = folder.run(&[&refine[..], &own, &json].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let journal = report["documents"][0]["journal"].as_str().unwrap();
    let resume = ["refine", "--resume", journal, "--runs", "r"];
    let resumed = |more: &[&str]| folder.run(&[&resume[..], more].concat());
    let aside = resumed(&["-o", "out.jsonl"]);
    assert_eq!(aside.code, 0, "{}", aside.stderr);
    assert_eq!(folder.read("Q.JSONL"), before);
    let written = resumed(&["-w"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let after = folder.read("Q.JSONL");
    assert_eq!(after, folder.read("out.jsonl"));
    assert_eq!(after.lines().next(), before.lines().next());
    assert_ne!(after, before);
    let again = resumed(&["-w"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let said = "Q.JSONL already has the repaired item";
    assert!(again.stderr.contains(said), "{}", again.stderr);
    // What somebody has written since stays.
    let edited = before.replacen("\n{", "\n{ ", 1);
    fs::write(folder.path("Q.JSONL"), &edited).unwrap();
    let refused = resumed(&["-w"]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    let said = "Q.JSONL#item_2 changed on disk since the run";
    assert!(refused.stderr.contains(said), "{}", refused.stderr);
    assert_eq!(folder.read("Q.JSONL"), edited);
}

#[test]
fn a_bank_is_whole_whatever_the_case_of_its_name() {
    let bank = format!("{}\n{}\n", item(1), item(2));
    let folder = TempFolder::new(&[
        ("Q.JSONL", &bank),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    let refine = ["refine", "Q.JSONL", "--script", "replies.toml"];
    let run = folder.run(&[&refine[..], &["-o", "out.jsonl"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let items = folder.read("out.jsonl").matches("Doxazosin").count();
    assert_eq!(items, 2, "{}", folder.read("out.jsonl"));
    let run = folder.run(&[&refine[..], &["--write"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(folder.read("Q.JSONL"), folder.read("out.jsonl"));
}

#[test]
fn the_free_stages_write_only_what_passed() {
    let hollow = "Sure! Here is the lesson:\n\n# Water\n\n## Steam\n\n### Heat\n\n### Air\n\nSteam is water in the air.\n";
    let folder = TempFolder::new(&[("a.md", hollow), ("out/keep", "")]);
    let run = folder.run(&["refine", "a.md", "--free", "--write"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(
        run.stdout.contains("not saved: a.md was not accepted"),
        "{}",
        run.stdout
    );
    assert_eq!(folder.read("a.md"), hollow);
    // With -o the best there is goes out in any case, also into a folder.
    let run = folder.run(&["refine", "a.md", "--free", "-o", "out"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.ends_with("saved to out/a.md\n"),
        "{}",
        run.stdout
    );
    assert!(!folder.read("out/a.md").starts_with("Sure"));
    let forced = folder.run(&["refine", "a.md", "--free", "--write", "--accept-best"]);
    assert!(
        forced.stdout.ends_with("saved to a.md\n"),
        "{}",
        forced.stdout
    );
}

#[test]
fn every_file_of_a_folder_is_written_also_if_nothing_changed() {
    let chatty = crate::temp_folder::CHATTY;
    let good = crate::temp_folder::GOOD;
    let folder = TempFolder::new(&[("in/a.md", chatty), ("in/b/a.md", good), ("c.md", good)]);
    let run = folder.run(&["refine", "in", "--free", "-o", "out"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(
        run.stdout.ends_with("saved: 2 files to out\n"),
        "{}",
        run.stdout
    );
    assert_ne!(folder.read("out/a.md"), chatty);
    assert_eq!(folder.read("out/b/a.md"), good);
    let run = folder.run(&["refine", "in", "c.md", "--free", "-o", "both"]);
    assert_eq!(folder.read("both/in/b/a.md"), good, "{}", run.stderr);
    assert_eq!(folder.read("both/c.md"), good);
    for (arguments, said) in [
        (["refine", "in", "-o", "-"], "writes a single text"),
        (
            ["refine", "in", "-o", "c.md"],
            "several texts need a folder",
        ),
    ] {
        let run = folder.run(&[&arguments[..], &["--free"]].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_file_that_changed_meanwhile_is_kept_and_the_text_saved_beside_it() {
    let folder = kettle(&[]);
    let run = folder.run(&[
        "refine",
        "lesson.md",
        "--script",
        "replies.toml",
        "--runs",
        "r",
    ]);
    let command = printed(&run.stdout).to_owned();
    fs::write(folder.path("lesson.md"), "# Mine\n").unwrap();
    let kept = paste(&folder, &command);
    assert_eq!(kept.code, 2, "{}", kept.stdout);
    assert!(kept.stderr.contains("changed on disk"), "{}", kept.stderr);
    assert_eq!(folder.read("lesson.md"), "# Mine\n");
    let beside = paste(&folder, printed(&kept.stderr));
    assert_eq!(beside.code, 0, "{}", beside.stderr);
    assert!(folder.read("lesson.refined.md").contains("100 °C"));
}

fn item(number: usize) -> String {
    example("refine-item.json")
        .replace("58-year-old", &format!("{}-year-old", 40 + number))
        .replace('\n', " ")
}

#[test]
fn an_item_of_a_bank_is_checked_judged_and_refined_alone() {
    let bank = format!("{}\n{}\n{}\n", item(1), item(2), item(3));
    let folder = TempFolder::new(&[
        ("bank.jsonl", &bank),
        ("lesson.md", crate::temp_folder::GOOD),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    let script = ["--script", "replies.toml", "--format", "json"];
    let judged = folder.run(&[&["judge", "bank.jsonl#item_2"][..], &script].concat());
    let report: Value = serde_json::from_str(&judged.stdout).unwrap();
    assert_eq!(report["documents"].as_array().unwrap().len(), 1);
    assert_eq!(report["documents"][0]["path"], "bank.jsonl#item_2");
    let wanted = ["refine", "bank.jsonl#item_2", "--write"];
    let refined = folder.run(&[&wanted[..], &script].concat());
    assert_eq!(refined.code, 0, "{}", refined.stderr);
    let after = folder.read("bank.jsonl");
    let lines: Vec<&str> = after.lines().collect();
    let before: Vec<&str> = bank.lines().collect();
    assert_eq!((lines[0], lines[2]), (before[0], before[2]));
    assert_ne!(lines[1], before[1]);
    let checked = folder.run(&["check", "bank.jsonl#item_3", "--format", "json"]);
    let report: Value = serde_json::from_str(&checked.stdout).unwrap();
    for finding in report["documents"][0]["findings"].as_array().unwrap() {
        let component = finding["component"].as_str().unwrap();
        assert!(component.starts_with("item_3"), "{finding}");
    }
    // An id may begin as another does.
    let (of_a, of_x) = (item(1), item(2).replace("Vitamin C", "[Insert option]"));
    let with = |item: String, id: &str| item.replacen('{', &format!("{{\"id\": \"{id}\","), 1);
    let ids = format!("{}\n{}\n", with(of_a, "a"), with(of_x, "a/x"));
    fs::write(folder.path("ids.jsonl"), ids).unwrap();
    for (path, findings) in [("ids.jsonl#a", false), ("ids.jsonl#a/x", true)] {
        let checked = folder.run(&["check", path, "--format", "json"]);
        let report: Value = serde_json::from_str(&checked.stdout).unwrap();
        let all = report["documents"][0]["findings"].as_array().unwrap();
        let has = all
            .iter()
            .any(|finding| finding["name"] == "placeholder-text");
        assert_eq!(has, findings, "{path}: {all:?}");
    }
    for (path, said) in [
        ("bank.jsonl#item_9", "no item `item_9`; did you mean item_"),
        ("lesson.md#sec_1", "not a bank"),
        ("bnak.jsonl#item_1", "file or folder not found"),
    ] {
        for command in ["check", "judge", "refine"] {
            let mut arguments = vec![command, path];
            if command != "check" {
                arguments.extend(["--script", "replies.toml"]);
            }
            let run = folder.run(&arguments);
            assert_eq!(run.code, 2, "{command} {path}: {}", run.stdout);
            assert!(
                run.stderr.contains(said),
                "{command} {path}: {}",
                run.stderr
            );
        }
    }
}

/// A judge behind an address, who accepts everything for $0.016.
fn priced(files: &[(&str, &str)]) -> TempFolder {
    let address = serve();
    let config = format!(
        "[roles.judge_secondary]\nprovider = \"good\"\nmodel = \"m1\"\nprice-in = 10\nprice-out = 20\n\n[providers.good]\nbase-url = \"{address}/good/v1\"\nkey-env = \"HOUSE_KEY\"\n"
    );
    TempFolder::new(&[files, &[("redraft.toml", &config)]].concat())
}

#[test]
fn an_accepted_text_is_done_until_something_changes() {
    let lesson = crate::folder::LESSON;
    let folder = priced(&[("a.md", lesson)]);
    let refine = |more: &[&str]| {
        let arguments = [
            &["refine", "a.md", "--config", "redraft.toml", "--write"],
            more,
        ]
        .concat();
        let run = folder.run_among(&[("HOUSE_KEY", "sk-canary")], &arguments);
        assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
        run.stdout
    };
    let journals = || {
        let entries = fs::read_dir(folder.path(".redraft/runs"))
            .unwrap()
            .flatten();
        entries.filter(|entry| entry.path().is_file()).count()
    };
    assert!(refine(&[]).contains("1 call"));
    let again = refine(&[]);
    assert!(again.contains("already done by run"), "{again}");
    assert!(again.contains("no calls"), "{again}");
    assert_eq!(journals(), 1, "no new run");
    assert!(refine(&["--fresh"]).contains("1 call"));
    fs::write(folder.path("a.md"), lesson.replace("kettle", "pan")).unwrap();
    assert!(refine(&[]).contains("1 call"));
    fs::write(folder.path("policy.toml"), "accept = 0.9\n").unwrap();
    let other = refine(&["--policy", "policy.toml"]);
    assert!(!other.contains("already done"), "{other}");
    // A forged note of it is not believed.
    for entry in fs::read_dir(folder.path(".redraft/runs/done")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen(|c: char| c != '0', "0", 1)).unwrap();
    }
    assert!(!refine(&[]).contains("already done"));
}

#[test]
fn many_documents_are_a_table_with_the_worst_first_and_one_line() {
    let lesson = crate::folder::LESSON;
    let names: Vec<String> = (0..30)
        .map(|number| format!("all/{number:02}.md"))
        .collect();
    let texts: Vec<String> = names
        .iter()
        .map(|name| lesson.replace("kettle", name))
        .collect();
    let mut files: Vec<(&str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    files.push(("all/zz.md", crate::temp_folder::HOLLOW));
    let folder = priced(&files);
    let judge = |more: &[&str]| {
        let arguments = [&["judge", "all", "--config", "redraft.toml"], more].concat();
        folder
            .run_among(&[("HOUSE_KEY", "sk-canary")], &arguments)
            .stdout
    };
    let table = judge(&[]);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("failed"), "{table}");
    assert!(lines[0].ends_with("all/zz.md"), "{table}");
    assert!(lines[1].starts_with("    no judge was asked: "), "{table}");
    assert!(
        table.contains("… and 30 documents that need no work"),
        "{table}"
    );
    assert!(
        lines
            .last()
            .unwrap()
            .starts_with("31 documents: 30 accepted, 1 failed the free checks, $0."),
        "{table}"
    );
    assert!(lines.len() < 15, "{table}");
    let all = judge(&["--all"]);
    assert!(all.contains("all/17.md: accepted"), "{all}");
}

#[test]
fn events_are_streamed_as_lines_and_leave_standard_output_to_themselves() {
    let folder = kettle(&[]);
    let refine = |more: &[&str]| {
        let arguments = ["refine", "lesson.md", "--script", "replies.toml"];
        folder.run(&[&arguments[..], more].concat())
    };
    let run = refine(&["--events", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let events: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events[0]["event"], "run_started");
    assert_eq!(events.last().unwrap()["event"], "run_complete");
    // No key comes twice.
    let first = run.stdout.lines().next().unwrap();
    assert_eq!(first.matches("\"run\":").count(), 1, "{first}");
    for (at, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], at + 1);
        assert_eq!(event["path"], "lesson.md");
        assert_eq!(event["run"], events[0]["run"]);
    }
    assert!(run.stderr.contains("lesson.md: accepted"), "{}", run.stderr);
    let run = refine(&["--events", "e.jsonl", "-o", "-"]);
    assert_eq!(folder.read("e.jsonl").lines().count(), events.len());
    // Standard output has the text alone.
    let saved = refine(&["-o", "out.md", "-q"]);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    assert_eq!(run.stdout, folder.read("out.md"));
    assert!(run.stderr.contains("lesson.md: accepted"), "{}", run.stderr);
    let both = refine(&["--events", "-", "-o", "-"]);
    assert_eq!(both.code, 2);
    assert!(
        both.stderr.contains("the text and the events cannot both"),
        "{}",
        both.stderr
    );
}

#[test]
fn a_foreign_journal_is_replayed_but_resumed_only_once_adopted() {
    let folder = kettle(&[]);
    let run = folder.run(&[
        "refine",
        "lesson.md",
        "--script",
        "replies.toml",
        "--runs",
        "r",
    ]);
    assert_eq!(run.code, 0);
    let entry = fs::read_dir(folder.path("r"))
        .unwrap()
        .flatten()
        .find(|entry| entry.path().is_file());
    let journal = format!("r/{}", entry.unwrap().file_name().to_string_lossy());
    let stranger = [("REDRAFT_KEY", "the key of somebody else")];
    let resume = ["refine", "--resume", &journal, "-o", "x.md"];
    let refused = folder.run_among(&stranger, &resume);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(
        refused.stderr.contains("redraft runs adopt"),
        "{}",
        refused.stderr
    );
    let replayed = folder.run_among(&stranger, &["replay", &journal]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    let asked = folder.run_among(&stranger, &["runs", "adopt", &journal]);
    assert_eq!(asked.code, 2, "{}", asked.stdout);
    assert!(asked.stdout.contains("sha256 "), "{}", asked.stdout);
    assert!(asked.stderr.contains("--yes"), "{}", asked.stderr);
    let adopted = folder.run_among(&stranger, &["runs", "adopt", &journal, "--yes"]);
    assert_eq!(adopted.code, 0, "{}", adopted.stderr);
    let resumed = folder.run_among(&stranger, &resume);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(folder.path("x.md").exists());
    let listed = folder.run_among(&stranger, &["runs", "list", "--runs", "r"]);
    assert!(listed.stdout.contains("lesson.md"), "{}", listed.stdout);
}

#[test]
fn runs_that_start_at_once_do_not_collide() {
    let folder = kettle(&[]);
    let program = assert_cmd::cargo::cargo_bin!("redraft");
    let start = |_| {
        Command::new(program)
            .args(["refine", "lesson.md", "--free"])
            .env("REDRAFT_KEY", KEY)
            .current_dir(folder.path("."))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let started: Vec<_> = (0..6).map(start).collect();
    for child in started {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|code| code < 2), "{said}");
    }
    let entries = fs::read_dir(folder.path(".redraft/runs"))
        .unwrap()
        .flatten();
    assert_eq!(entries.filter(|entry| entry.path().is_file()).count(), 6);
}

#[test]
fn the_command_that_shows_open_errors_can_be_pasted() {
    let folder = kettle(&[
        ("it's hollow.md", crate::temp_folder::HOLLOW),
        ("replies.toml", STUCK),
    ]);
    let run = folder.run(&["judge", "it's hollow.md", "--script", "replies.toml"]);
    let (_, rest) = run
        .stdout
        .split_once("run `")
        .unwrap_or_else(|| unreachable!("{}", run.stdout));
    let (command, _) = rest.split_once('`').unwrap();
    let checked = paste(&folder, command);
    assert_eq!(checked.code, 1, "{command}: {}", checked.stderr);
    assert!(
        checked.stdout.contains("empty-section"),
        "{}",
        checked.stdout
    );
}

#[test]
fn help_lists_only_the_formats_that_a_command_has() {
    let folder = TempFolder::new(&[]);
    for command in ["plan", "write", "models", "verify", "replay"] {
        let help = folder.run(&[command, "--help"]).stdout;
        assert!(
            help.contains("json") && !help.contains("sarif"),
            "{command}: {help}"
        );
        let refused = folder.run(&[command, "--format", "sarif"]);
        assert_eq!(refused.code, 2, "{command}");
        assert!(refused.stderr.contains("human, json"), "{}", refused.stderr);
    }
    assert!(folder.run(&["check", "--help"]).stdout.contains("sarif"));
}
