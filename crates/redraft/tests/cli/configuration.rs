//! `redraft.toml` from the command line.

use crate::temp_folder::{CHATTY, GOOD, HOLLOW, TempFolder};

#[test]
fn a_configuration_above_the_folder_is_found() {
    let temp_folder = TempFolder::new(&[
        (
            "redraft.toml",
            "ignore = [\"empty-section\"]\n[files]\nexclude = [\"drafts/**\"]\n",
        ),
        ("hollow.md", HOLLOW),
        ("drafts/a.md", "[Insert text here]\n"),
    ]);
    assert_eq!(temp_folder.run(&["check", "hollow.md"]).code, 0);
    let folder = temp_folder.run(&["check", "."]);
    assert!(
        folder.stdout.contains("1 document checked"),
        "{}",
        folder.stdout
    );
    assert_eq!(
        temp_folder.run(&["check", "drafts/a.md"]).code,
        1,
        "a file that is named is read"
    );
    let other = TempFolder::new(&[("hollow.md", HOLLOW)]);
    let config = temp_folder.path("redraft.toml");
    assert_eq!(
        other
            .run(&["check", "--config", config.to_str().unwrap(), "hollow.md"])
            .code,
        0
    );
}

#[test]
fn a_misspelt_key_is_an_error_with_a_suggestion() {
    let temp_folder = TempFolder::new(&[("redraft.toml", "ignroe = []\n"), ("good.md", GOOD)]);
    let run = temp_folder.run(&["check", "good.md"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("redraft.toml:1: unknown key \"ignroe\"; did you mean \"ignore\"?"),
        "{}",
        run.stderr
    );
}

#[test]
fn severities_overrides_and_baselines_come_from_the_file() {
    let temp_folder = TempFolder::new(&[
        (
            "redraft.toml",
            "[severity]\nchatbot-framing = \"error\"\n[[override]]\npaths = [\"old/**\"]\nignore = [\"TXT\"]\n[[override]]\ncomponents = [\"sec_1\"]\nseverity = { empty-section = \"info\" }\n",
        ),
        ("new.md", CHATTY),
        ("old/a.md", CHATTY),
        ("hollow.md", HOLLOW),
    ]);
    assert_eq!(temp_folder.run(&["check", "new.md"]).code, 1);
    assert_eq!(temp_folder.run(&["check", "old/a.md"]).code, 0);
    let hollow = temp_folder.run(&["check", "hollow.md"]);
    assert_eq!(hollow.code, 0);
    assert!(hollow.stdout.contains("1 remark"), "{}", hollow.stdout);
    assert_eq!(
        temp_folder
            .run(&["check", "new.md", "--ignore", "TXT004"])
            .code,
        0
    );
    assert_eq!(
        temp_folder
            .run(&["check", "new.md", "--select", "TXT002"])
            .code,
        0
    );
}
