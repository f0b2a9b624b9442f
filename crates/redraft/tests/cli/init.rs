//! `redraft init` in an empty folder.

use crate::temp_folder::{GOOD, TempFolder};

const PRESETS: [&str; 7] = [
    "none",
    "scripted",
    "openai",
    "anthropic",
    "gemini",
    "openrouter-seed",
    "ollama",
];

#[test]
fn every_preset_writes_a_file_that_loads() {
    let keys = [
        ("OPENAI_API_KEY", "canary"),
        ("ANTHROPIC_API_KEY", "canary"),
        ("GEMINI_API_KEY", "canary"),
        ("OPENROUTER_API_KEY", "canary"),
    ];
    for preset in PRESETS {
        let temp_folder = TempFolder::new(&[]);
        let run = temp_folder.run_among(&[], &["init", "--preset", preset]);
        assert_eq!(run.code, 0, "{preset}: {}", run.stderr);
        assert_eq!(run.stdout, "", "the result is the file");
        assert!(
            run.stderr.starts_with("wrote redraft.toml"),
            "{}",
            run.stderr
        );
        let models = temp_folder.run_among(&keys, &["models"]);
        assert_eq!(models.code, 0, "{preset}: {}", models.stderr);
        std::fs::write(temp_folder.path("good.md"), GOOD).unwrap();
        assert_eq!(temp_folder.run_among(&[], &["check", "good.md"]).code, 0);
    }
}

#[test]
fn an_existing_file_is_kept_unless_forced() {
    let temp_folder = TempFolder::new(&[("redraft.toml", "language = \"en\"\n")]);
    let run = temp_folder.run_among(&[], &["init", "--preset", "openai"]);
    assert_eq!(run.code, 2);
    assert_eq!(
        run.stderr,
        "redraft: redraft.toml already exists; use --force to overwrite it\n"
    );
    assert_eq!(temp_folder.read("redraft.toml"), "language = \"en\"\n");
    let run = temp_folder.run_among(&[], &["init", "--preset", "openai", "--force"]);
    assert_eq!(run.code, 0);
    assert!(
        temp_folder
            .read("redraft.toml")
            .contains("[providers.openai]")
    );
}

#[test]
fn presets_are_listed_and_a_misspelt_one_gets_a_suggestion() {
    let temp_folder = TempFolder::new(&[]);
    let run = temp_folder.run_among(&[], &["init", "--list"]);
    assert_eq!(run.code, 0);
    for preset in PRESETS.iter().filter(|preset| **preset != "scripted") {
        assert!(run.stdout.contains(preset), "{preset}");
    }
    assert!(!temp_folder.path("redraft.toml").exists());
    for (name, expected) in [
        ("openrouter", "did you mean \"openrouter-seed\"?"),
        ("xyz", "known: none, openai, anthropic"),
    ] {
        let run = temp_folder.run_among(&[], &["init", "--preset", name]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
        assert!(!temp_folder.path("redraft.toml").exists());
    }
}
