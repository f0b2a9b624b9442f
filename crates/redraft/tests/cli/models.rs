//! `redraft models` from the command line. It never prints a key.

use serde_json::Value;

use redraft::config::Config;

use crate::temp_folder::{TempFolder, repository};

const FILE: &str = r#"[providers.house]
base-url = "http://localhost:9/v1"
key-file = "house.key"
in-flight = 2

[roles.default]
provider = "openai"
model = "gpt-4.1"
price-in = 2
price-out = 8

[roles.judge]
provider = "house"
model = "qwen3-32b"
weight = 0.75
fall-backs = ["anthropic/claude-haiku-4-5"]

[roles.judge_tiebreaker]
model = "kimi-k2"

[roles.judge.language.ru]
model = "deepseek-v3"

[roles.planner]
provider = "house"
model = "our-own"
"#;

const KEYS: [(&str, &str); 2] = [
    ("OPENAI_API_KEY", "sk-canary-one"),
    ("ANTHROPIC_API_KEY", "sk-canary-two"),
];

fn temp_folder() -> TempFolder {
    TempFolder::new(&[("redraft.toml", FILE), ("house.key", "sk-canary-three\n")])
}

#[test]
fn roles_are_listed_with_the_origin_of_each_setting() {
    let run = temp_folder().run_among(&KEYS, &["models"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (first, rest) = run.stdout.split_once('\n').unwrap();
    assert!(first.starts_with("line numbers refer to "), "{first}");
    assert!(first.ends_with("redraft.toml"), "{first}");
    insta::assert_snapshot!(rest, @r"
    role              model                       weight  $ per million in/out  from
    self_reviewer     openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    judge_primary     house/qwen3-32b             0.75    0 / 0                 line 14, provider line 13
      fallback        anthropic/claude-haiku-4-5          not set
    judge_secondary   house/qwen3-32b             0.75    0 / 0                 line 14, provider line 13
      fallback        anthropic/claude-haiku-4-5          not set
    judge_tiebreaker  house/kimi-k2               0.75    0 / 0                 line 19, provider line 13
      fallback        anthropic/claude-haiku-4-5          not set
    solver            house/qwen3-32b                     0 / 0                 line 14, provider line 13
      fallback        anthropic/claude-haiku-4-5          not set
    arbiter           openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    patcher           openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    section_expander  openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    delta_judge       openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    planner           house/our-own                       0 / 0                 line 26, provider line 25
    expander          openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    smoother          openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7
    author            openai/gpt-4.1                      2 (0.5 cached) / 8    line 8, provider line 7

    provider   address                                 key                                  concurrent calls
    anthropic  https://api.anthropic.com/v1 (default)  from the variable ANTHROPIC_API_KEY  4
    house      http://localhost:9/v1 (line 2)          from the file named in line 3        2
    openai     https://api.openai.com/v1 (default)     from the variable OPENAI_API_KEY     4

    judges: a panel of 2 different models
    self-preference: no; no judge shares a family with a writer
    limits: 180 s per call, 60 s without data
    note: unknown context window of house/kimi-k2, house/our-own, house/qwen3-32b; local servers often truncate longer texts silently: add context = 8192 (or what the server is set to) to the role or to its table of [models]
    ");
}

#[test]
fn a_language_has_its_own_judges() {
    let run = temp_folder().run_among(&KEYS, &["models", "--language", "ru", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["language"], "ru");
    let role = |name: &str| {
        let roles = report["roles"].as_array().unwrap();
        roles
            .iter()
            .find(|role| role["role"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(role("judge_primary")["models"][0]["model"], "deepseek-v3");
    assert_eq!(role("judge_tiebreaker")["models"][0]["model"], "kimi-k2");
    assert_eq!(report["panel_size"], 2);
    let first = &role("judge_primary")["models"];
    assert_eq!(first[0]["price_in"], 0.0, "local models are free");
    assert_eq!(first[1]["price_in"], Value::Null, "the price is unknown");
    assert_eq!(role("judge_primary")["weight"], 0.75);
    assert_eq!(role("judge_primary")["from"]["model"]["line"], 22);
    assert_eq!(role("patcher")["models"][0]["price_out"], 8.0);
    assert_eq!(role("patcher")["from"]["temperature"]["kind"], "default");
    assert_eq!(report["providers"].as_array().unwrap().len(), 3);
}

#[test]
fn without_a_model_the_output_says_what_to_do() {
    let empty = TempFolder::new(&[]);
    let run = empty.run_among(&[], &["models"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.starts_with("no model is configured."),
        "{}",
        run.stdout
    );
    for word in ["OPENAI_API_KEY", "redraft init", "Ollama"] {
        assert!(run.stdout.contains(word), "{}", run.stdout);
    }
    let run = empty.run_among(&[], &["models", "--test"]);
    assert_eq!(run.code, 5, "there is no model to call");
    let run = empty.run_among(&[], &["models", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["configured"], false);
    let run = empty.run_among(&[], &["models", "--format", "sarif"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
}

#[test]
fn a_key_in_the_environment_is_enough() {
    let empty = TempFolder::new(&[]);
    let run = empty.run_among(&[("OPENROUTER_API_KEY", "sk-canary")], &["models"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("judges: a panel of 3 different models"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("OPENROUTER_API_KEY, default model"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("canary"));
}

#[test]
fn errors_name_file_and_line() {
    for (text, expected) in [
        (
            "[roles.jugde]\n",
            "redraft: redraft.toml:1: unknown role \"jugde\"; did you mean \"judge\"?\n",
        ),
        (
            "[roles.judge]\nprovider = \"openai\"\n",
            "redraft: redraft.toml:2: no API key for \"openai\": set the variable OPENAI_API_KEY, or add key-file = \"…\" under [providers.openai]\n",
        ),
        (
            "[roles.judge]\nmodel = \"m\"\n",
            "redraft: redraft.toml:2: no provider for \"m\": add provider = \"…\" to this table\n",
        ),
    ] {
        let temp_folder = TempFolder::new(&[("redraft.toml", text)]);
        let run = temp_folder.run_among(&[], &["models", "--config", "redraft.toml"]);
        assert_eq!(run.code, 2);
        assert_eq!(run.stderr, expected);
    }
}

#[test]
fn no_output_contains_a_key() {
    let broken = FILE.replace("model = \"gpt-4.1\"", "model = 7");
    let priced = format!("{FILE}\n[limits]\ncost-per-run = 1\n");
    let wrong_place = FILE.replace("key-file = \"house.key\"", "key-env = \"sk-canary-four\"");
    let as_name = FILE.replace("key-file = \"house.key\"", "key-env = \"Canary4five\"");
    let as_path = FILE.replace("\"house.key\"", "\"sk-canary-six\"");
    let in_path = FILE.replace("//localhost:9/v1", "//localhost:9/sk-canary-0123/v1");
    let in_address = FILE.replace("//localhost:9/v1", "//me:canary@localhost:9/v1");
    for (file, address) in [
        (FILE.to_owned(), ""),
        (FILE.to_owned(), "https://me:canary@host/v1"),
        (FILE.to_owned(), "https://host/v1?key=canary"),
        (FILE.to_owned(), "https://host/sk-canary-0123456789/v1"),
        (broken, ""),
        (priced, ""),
        (wrong_place, ""),
        (as_name, ""),
        (as_path, ""),
        (in_address, ""),
        (in_path, ""),
    ] {
        let temp_folder = TempFolder::new(&[
            ("redraft.toml", &file),
            ("house.key", "sk-canary-three\n"),
            ("a.md", "# A\n"),
        ]);
        let variables = [KEYS[0], KEYS[1], ("OPENAI_BASE_URL", address)];
        for arguments in [
            &["models"][..],
            &["models", "--test"],
            &["models", "--format", "json"],
            &["models", "--format", "json", "--test"],
            &["check", "a.md", "--format", "json"],
            &["judge", "a.md"],
        ] {
            let run = temp_folder.run_among(&variables, arguments);
            for text in [&run.stdout, &run.stderr] {
                assert!(
                    !text.to_lowercase().contains("canary"),
                    "{arguments:?} {text}"
                );
            }
        }
    }
}

#[test]
fn every_example_of_the_page_and_the_readme_loads() {
    for (page, least) in [("docs/models.md", 8), ("README.md", 1)] {
        let text = std::fs::read_to_string(repository(page)).unwrap();
        let blocks: Vec<&str> = text
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        assert!(blocks.len() >= least, "{page}: {}", blocks.len());
        for block in blocks {
            let config = Config::parse(block, std::path::Path::new("redraft.toml"));
            assert!(config.is_ok(), "{page}: {config:?}\n{block}");
        }
    }
}
