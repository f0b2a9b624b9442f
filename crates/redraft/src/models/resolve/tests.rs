//! Assignment of models, case by case.

use std::io;
use std::path::Path;

use super::*;
use crate::models::family::Family;
use crate::models::{KeySource, Origin};
use redraft_run::policy::EditForm;

fn try_resolve(
    text: &str,
    variables: &[(&str, &str)],
    language: Option<Language>,
) -> anyhow::Result<Resolved> {
    let config = Config::parse(text, Path::new("/conf/redraft.toml"))?;
    let read = |path: &Path| match path.to_str() {
        Some("/conf/good.key") => Ok("canary-of-the-file\n".to_owned()),
        Some("/conf/empty.key") => Ok(" \n".to_owned()),
        Some("/conf/long.key") => Ok("canary\nand more\n".to_owned()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let environment = Environment {
        variables: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        read: &read,
        ollama: &|host| match host {
            "127.0.0.1:11434" => Some(vec!["big:70b".to_owned(), "small:3b".to_owned()]),
            "elsewhere:7" => Some(vec!["theirs".to_owned()]),
            "empty:7" => Some(Vec::new()),
            _ => None,
        },
    };
    Ok(resolve(&config, &environment, language)?)
}

fn resolved(text: &str, variables: &[(&str, &str)]) -> Resolved {
    try_resolve(text, variables, None).unwrap()
}

fn model(resolved: &Resolved, role: Role) -> Option<String> {
    resolved.seat(role).and_then(first_name)
}

const SILENT: (&str, &str) = ("REDRAFT_NO_PROBE", "1");
const OPENAI: (&str, &str) = ("OPENAI_API_KEY", "sk-canary");

#[test]
fn the_most_specific_table_wins_and_a_language_comes_first_in_it() {
    let text = r#"
        [roles.default]
        provider = "openai"
        model = "all"
        temperature = 0.5
        [roles.judge]
        model = "judges"
        weight = 0.5
        [roles.judge.language.ru]
        model = "russian"
        [roles.judge_primary]
        model = "first"
        max-tokens = 77
        [roles.stage_6_patcher]
        model = "patches"
        [roles.stage_6_rag_planning]
        model = "plans"
    "#;
    for (language, role, expected) in [
        (None, Role::SelfReviewer, "openai/all"),
        (None, Role::JudgePrimary, "openai/first"),
        (None, Role::JudgeSecondary, "openai/judges"),
        (Some(Language::RU), Role::JudgeSecondary, "openai/russian"),
        (Some(Language::RU), Role::JudgePrimary, "openai/first"),
        (Some(Language::RU), Role::Author, "openai/all"),
        (Some(Language::EN), Role::JudgeTiebreaker, "openai/judges"),
        (None, Role::Patcher, "openai/patches"),
        (None, Role::Planner, "openai/plans"),
        (None, Role::Expander, "openai/all"),
    ] {
        let resolved = try_resolve(text, &[OPENAI], language).unwrap();
        assert_eq!(model(&resolved, role).as_deref(), Some(expected), "{role}");
        let seat = resolved.seat(role).unwrap();
        assert_eq!(seat.models[0].temperature_hundredths, 50);
    }
    let resolved = resolved(text, &[OPENAI]);
    let first = &resolved.roles[&Role::JudgePrimary];
    assert_eq!(first.seat.weight, 500);
    assert_eq!(first.seat.models[0].max_tokens, 77);
    assert_eq!(first.origins.model, Origin::File(12));
    assert_eq!(first.origins.provider, Origin::File(3));
    assert_eq!(first.origins.weight, Origin::File(8));
    let cheap = &resolved.roles[&Role::SelfReviewer];
    assert_eq!(cheap.origins.max_tokens, Origin::Default);
    assert_eq!(resolved.panel_size, 2, "two seats have the same model");
    assert_eq!(resolved.judges().len(), 2);
}

#[test]
fn a_price_goes_with_its_model_and_is_looked_up_in_the_models() {
    let text = r#"
        [roles.default]
        provider = "openai"
        model = "all"
        price-in = 1
        price-out = 2
        [roles.judge]
        model = "other"
        fall-backs = ["cheap", "anthropic/claude-x", "another", "other"]
        [models.cheap]
        provider = "openrouter"
        model = "maker/cheap"
        price-in = 0.25
        price-out = 0.5
        context = 32000
        family = "house"
        [roles.author]
        provider = "openrouter"
        model = "maker/cheap"
    "#;
    let keys = [
        OPENAI,
        ("OPENROUTER_API_KEY", "k"),
        ("ANTHROPIC_API_KEY", "k"),
    ];
    let resolved = resolved(text, &keys);
    let patcher = &resolved.roles[&Role::Patcher];
    assert_eq!(patcher.seat.models[0].price_in, 1_000_000);
    assert_eq!(patcher.seat.models[0].price_out, 2_000_000);
    let judge = &resolved.roles[&Role::JudgePrimary];
    assert_eq!(judge.info[0].price, None, "the price was another model's");
    assert_eq!(judge.seat.models[0].price_in, 0);
    let names: Vec<String> = judge.seat.models.iter().map(ModelSettings::name).collect();
    assert_eq!(
        names,
        [
            "openai/other",
            "openrouter/maker/cheap",
            "anthropic/claude-x",
            "openai/another"
        ],
        "and no model is its own fallback"
    );
    assert_eq!(judge.info[1].price, Some(Origin::File(13)));
    assert_eq!(judge.seat.models[1].price_out, 500_000);
    assert_eq!(judge.info[1].context, Some(32_000));
    let contexts: Vec<Option<u64>> = judge
        .seat
        .models
        .iter()
        .map(|model| judge.seat.context(model))
        .collect();
    assert_eq!(contexts, [None, Some(32_000), None, None]);
    assert_eq!(judge.info[1].family, Some(Family::named("house")));
    let author = &resolved.roles[&Role::Author];
    assert_eq!(
        author.seat.models[0].price_in, 250_000,
        "the table applies to the model wherever it is named"
    );
    assert_eq!(resolved.connections().len(), 3);
}

#[test]
fn a_missing_model_or_provider_is_an_error_or_has_a_default() {
    for (text, expected) in [
        (
            "[roles.judge]\nmodel = \"m\"",
            Err("/conf/redraft.toml:2: no provider for \"m\": add provider = \"…\" to this table"),
        ),
        (
            "[providers.house]\nbase-url = \"http://localhost:1/v1\"\n[roles.judge]\nprovider = \"house\"",
            Err("/conf/redraft.toml:4: no model for \"house\": add model = \"…\" to this table"),
        ),
        (
            "[providers.house]\nbase-url = \"http://localhost:1/v1\"\n[roles.judge]\nmodel = \"m\"",
            Ok("house/m"),
        ),
        ("[roles.judge]\nprovider = \"openai\"", Ok("openai/gpt-4.1")),
        ("[roles.judge]\nprovider = \"ollama\"", Ok("ollama/big:70b")),
        (
            "[providers.ollama]\nbase-url = \"http://elsewhere:7/v1/\"\n[roles.judge]\nprovider = \"ollama\"",
            Ok("ollama/theirs"),
        ),
        (
            "[roles.default]\nprovider = \"openrouter\"\n[roles.judge]\nmodel = \"m\"",
            Ok("openrouter/m"),
        ),
        (
            "[roles.default]\nprovider = \"openrouter\"\n[roles.judge]\nprovider = \"openai\"\nmodel = \"m\"",
            Ok("openai/m"),
        ),
    ] {
        match (try_resolve(text, &[], None), expected) {
            (Ok(resolved), Ok(expected)) => {
                assert_eq!(
                    model(&resolved, Role::JudgePrimary).as_deref(),
                    Some(expected)
                );
            }
            (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected),
            (other, expected) => panic!("{text}: {other:?}, not {expected:?}"),
        }
    }
    let only_judges = resolved("[roles.judge]\nprovider = \"ollama\"", &[]);
    assert_eq!(
        only_judges.roles.len(),
        4,
        "a judge's model solves, too; no table applies to the others"
    );
    let default_provider = resolved(
        "[providers.house]\nbase-url = \"http://localhost:1/v1\"\n[roles.default]\nprovider = \"house\"\n[roles.judge]\nmodel = \"m\"",
        &[],
    );
    assert_eq!(default_provider.roles.len(), 4);
}

#[test]
fn without_roles_providers_are_found_by_their_variables() {
    const ANTHROPIC: (&str, &str) = ("ANTHROPIC_API_KEY", "k");
    const GEMINI: (&str, &str) = ("GEMINI_API_KEY", "k");
    const ROUTER: (&str, &str) = ("OPENROUTER_API_KEY", "k");
    for (variables, writer, judges, panel) in [
        (
            &[OPENAI][..],
            "openai/gpt-4.1",
            ["openai/gpt-4.1", "openai/gpt-4.1-mini", "openai/gpt-4.1"],
            2,
        ),
        (
            &[ROUTER],
            "openrouter/deepseek/deepseek-chat-v3.1",
            [
                "openrouter/qwen/qwen3-235b-a22b-2507",
                "openrouter/moonshotai/kimi-k2",
                "openrouter/minimax/minimax-m2",
            ],
            3,
        ),
        (
            &[OPENAI, ANTHROPIC],
            "openai/gpt-4.1",
            [
                "anthropic/claude-sonnet-4-5",
                "anthropic/claude-haiku-4-5",
                "openai/gpt-4.1",
            ],
            3,
        ),
        (
            &[OPENAI, ANTHROPIC, GEMINI],
            "openai/gpt-4.1",
            [
                "anthropic/claude-sonnet-4-5",
                "gemini/gemini-2.5-flash",
                "gemini/gemini-2.5-pro",
            ],
            3,
        ),
        (
            &[OPENAI, ("OLLAMA_HOST", "127.0.0.1")],
            "openai/gpt-4.1",
            ["openai/gpt-4.1", "openai/gpt-4.1-mini", "openai/gpt-4.1"],
            2,
        ),
        (
            &[("OLLAMA_HOST", "0.0.0.0")],
            "ollama/big:70b",
            ["ollama/big:70b", "ollama/small:3b", "ollama/small:3b"],
            2,
        ),
        (
            &[("OLLAMA_HOST", "127.0.0.1"), SILENT],
            "ollama/qwen3:8b",
            ["ollama/qwen3:8b"; 3],
            1,
        ),
        (
            &[],
            "ollama/big:70b",
            ["ollama/big:70b", "ollama/small:3b", "ollama/small:3b"],
            2,
        ),
    ] {
        let resolved = resolved("", variables);
        assert_eq!(model(&resolved, Role::Expander).as_deref(), Some(writer));
        let named: Vec<_> = JUDGES
            .iter()
            .filter_map(|role| model(&resolved, *role))
            .collect();
        assert_eq!(named, judges, "{variables:?}");
        assert_eq!(resolved.panel_size, panel);
        assert_eq!(resolved.roles.len(), Role::ALL.len());
        assert!(resolved.problems.is_empty());
    }
}

#[test]
fn without_keys_and_ollama_there_is_no_model() {
    let resolved = resolved("", &[SILENT, ("OPENAI_API_KEY", "  ")]);
    assert!(!resolved.has_models());
    assert_eq!(resolved.panel_size, 0);
    assert_eq!(resolved.self_preference, None);
    assert!(resolved.connections().is_empty());
}

#[test]
fn addresses_and_keys_come_from_file_variable_or_default() {
    let openai = |text: &str, variables: &[(&str, &str)]| {
        let resolved = resolved(text, variables);
        let provider = resolved
            .providers
            .iter()
            .find(|provider| provider.connection.name == "openai")
            .unwrap();
        (
            provider.connection.base_url.clone(),
            provider.address.clone(),
            provider.key.clone(),
            provider
                .connection
                .key
                .as_ref()
                .map(|key| key.expose().to_owned()),
        )
    };
    let canary = Some("sk-canary".to_owned());
    let variable = KeySource::Variable("the variable OPENAI_API_KEY".to_owned());
    assert_eq!(
        openai("", &[OPENAI]),
        (
            "https://api.openai.com/v1".to_owned(),
            Origin::Default,
            variable.clone(),
            canary.clone()
        )
    );
    assert_eq!(
        openai("", &[OPENAI, ("OPENAI_BASE_URL", "https://proxy/v1")]),
        (
            "https://proxy/v1".to_owned(),
            Origin::Variable("OPENAI_BASE_URL".to_owned()),
            variable,
            canary
        )
    );
    assert_eq!(
        openai("", &[("OPENAI_BASE_URL", "http://localhost:8000/v1")]),
        (
            "http://localhost:8000/v1".to_owned(),
            Origin::Variable("OPENAI_BASE_URL".to_owned()),
            KeySource::NotNeeded,
            None
        )
    );
    assert_eq!(
        openai(
            "[providers.openai]\nkey-file = \"good.key\"\nbase-url = \"https://a/v1\"",
            &[]
        ),
        (
            "https://a/v1".to_owned(),
            Origin::File(3),
            KeySource::File(2),
            Some("canary-of-the-file".to_owned())
        )
    );
    let ollama = resolved(
        "[roles.default]\nprovider = \"ollama\"",
        &[("OLLAMA_HOST", ":99"), SILENT],
    );
    assert_eq!(ollama.connections()[0].base_url, "http://127.0.0.1:99/v1/");
}

#[test]
fn a_missing_key_or_price_stops_only_the_roles_that_need_it() {
    for (text, role, free, expected) in [
        (
            "[roles.judge]\nprovider = \"openai\"\n[roles.patcher]\nprovider = \"ollama\"",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:2: no API key for \"openai\": set the variable OPENAI_API_KEY, or add key-file = \"…\" under [providers.openai]",
        ),
        (
            "[providers.a]\nbase-url = \"http://localhost:1/v1\"\n[roles.judge]\nprovider = \"openai\"",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:4: no API key for \"openai\"",
        ),
        (
            "[providers.openai]\nkey-env = \"MY_KEY\"\n[roles.judge]\nprovider = \"openai\"\n",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:2: no API key for \"openai\": set the variable MY_KEY, or ",
        ),
        (
            "[providers.openai]\nkey-env = \"AIzaCanary123\"\n[roles.judge]\nprovider = \"openai\"\n",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:2: no API key for \"openai\": set the variable that key-env names, or ",
        ),
        (
            "[providers.openai]\nkey-file = \"none.key\"\n[roles.judge]\nprovider = \"openai\"\n",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:2: key-file of \"openai\" cannot be read (entity not found)",
        ),
        (
            "[providers.openai]\nkey-file = \"empty.key\"\n[roles.judge]\nprovider = \"openai\"\n",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:2: key-file of \"openai\" is empty",
        ),
        (
            "[providers.openai]\nkey-file = \"long.key\"\n[roles.judge]\nprovider = \"openai\"\n",
            Role::JudgePrimary,
            Role::Patcher,
            "/conf/redraft.toml:2: key-file of \"openai\" has several lines",
        ),
        (
            "[limits]\ncost-per-run = 0.5\n[providers.a]\nbase-url = \"https://a/v1\"\n[roles.judge]\nprovider = \"a\"\nmodel = \"m\"\n[roles.patcher]\nprovider = \"a\"\nmodel = \"p\"\nprice-in = 1\nprice-out = 1",
            Role::JudgeSecondary,
            Role::Patcher,
            "/conf/redraft.toml:7: [limits] cost-per-run is set, but the price of a/m is unknown: add price-in and price-out",
        ),
        (
            "[limits]\ncost-per-process = 5\n[providers.a]\nbase-url = \"https://a/v1\"\n[roles.judge]\nprovider = \"a\"\nmodel = \"m\"\nprice-in = 1",
            Role::JudgeSecondary,
            Role::Patcher,
            "/conf/redraft.toml:7: [limits] cost-per-process is set, but the price of a/m is unknown",
        ),
    ] {
        let resolved = resolved(text, &[SILENT]);
        let said = resolved.require(&[role]).unwrap_err().to_string();
        assert!(said.starts_with(expected), "{text}\n{said}");
        assert!(!said.to_lowercase().contains("canary"), "{said}");
        assert_eq!(resolved.require(&[free]), Ok(()), "{text}");
    }
    let local = resolved(
        "[limits]\ncost-per-run = 0.5\n[roles.default]\nprovider = \"ollama\"",
        &[SILENT],
    );
    assert_eq!(
        local.require(&Role::ALL),
        Ok(()),
        "what is local costs nothing"
    );
    assert_eq!(local.limits.cost_per_run, Some(500_000));
}

#[test]
fn a_judge_of_the_writers_family_is_an_error_or_noted() {
    let two = |judge: &str, writer: &str, rest: &str| {
        format!(
            "[roles.judge]\nprovider = \"openrouter\"\nmodel = \"{judge}\"\n[roles.writing]\nprovider = \"openrouter\"\nmodel = \"{writer}\"\n{rest}"
        )
    };
    let other = "[roles.patcher]\nprovider = \"openrouter\"\nmodel = \"kimi-k2\"\n";
    let possible = |family: Option<&str>| {
        Some(SelfPreference::Possible {
            judge: Role::JudgePrimary,
            writer: Role::Expander,
            family: family.map(Family::named),
        })
    };
    for (text, expected) in [
        (two("qwen3", "deepseek-v3", ""), Ok(Some(SelfPreference::No))),
        (two("qwen3-max", "qwen3", ""), Ok(possible(Some("qwen")))),
        (
            two("qwen3-max", "qwen3", other),
            Err("/conf/redraft.toml:3: judge_primary (qwen3-max) would judge what expander (qwen3) writes"),
        ),
        (
            two("ours", "qwen3", "[models.ours]\nfamily = \"qwen\"\n[models.kimi-k2]\n"),
            Err("/conf/redraft.toml:3: judge_primary (ours) would judge what expander (qwen3) writes"),
        ),
        (two("ours", "theirs", other), Ok(possible(None))),
        (
            "[roles.default]\nprovider = \"openrouter\"\nmodel = \"qwen3\"\n[roles.patcher]\nmodel = \"kimi\"".to_owned(),
            Ok(Some(SelfPreference::Possible {
                judge: Role::JudgePrimary,
                writer: Role::SectionExpander,
                family: Some(Family::named("qwen")),
            })),
        ),
        (
            "[roles.judge]\nprovider = \"openrouter\"\nmodel = \"qwen3\"".to_owned(),
            Ok(None),
        ),
    ] {
        match (try_resolve(&text, &[], None), expected) {
            (Ok(resolved), Ok(expected)) => assert_eq!(resolved.self_preference, expected, "{text}"),
            (Err(error), Err(expected)) => {
                assert!(error.to_string().starts_with(expected), "{error}");
                assert!(error.to_string().contains("configured: kimi"), "{error}");
            }
            (other, expected) => panic!("{text}: {other:?}, not {expected:?}"),
        }
    }
}

#[test]
fn debug_output_contains_no_key() {
    let text = "[providers.openai]\nkey-file = \"good.key\"\n[roles.default]\nprovider = \"openai\"\nfall-backs = [\"anthropic/claude\"]";
    let resolved = resolved(text, &[("ANTHROPIC_API_KEY", "canary-of-the-variable")]);
    assert!(resolved.problems.is_empty());
    assert_eq!(resolved.connections().len(), 2);
    assert!(!format!("{resolved:?}").contains("canary"));
}

#[test]
fn a_missing_or_empty_ollama_server_is_noted() {
    let asked = "[roles.default]\nprovider = \"ollama\"";
    let elsewhere = "[providers.ollama]\nbase-url = \"http://box:7/v1/\"\n[roles.default]\nprovider = \"ollama\"";
    let named = "[roles.default]\nprovider = \"ollama\"\nmodel = \"m\"";
    for (text, variables, expected) in [
        (
            "",
            &[("OLLAMA_HOST", "127.0.0.1:1")][..],
            Some(
                "no Ollama server at 127.0.0.1:1; using default model names. Start Ollama there, or correct OLLAMA_HOST",
            ),
        ),
        (
            asked,
            &[("OLLAMA_HOST", "127.0.0.1:1")],
            Some("no Ollama server at 127.0.0.1:1"),
        ),
        (
            elsewhere,
            &[],
            Some(
                "no Ollama server at box:7; using default model names. Start Ollama there, or correct base-url",
            ),
        ),
        (
            "",
            &[("OLLAMA_HOST", "empty:7")],
            Some("the Ollama server at empty:7 has no models; run `ollama pull"),
        ),
        (asked, &[], None),
        (asked, &[SILENT, ("OLLAMA_HOST", "127.0.0.1:1")], None),
        (named, &[("OLLAMA_HOST", "127.0.0.1:1")], None),
        // A server with TLS is not asked; and no address with a password is shown.
        (asked, &[("OLLAMA_HOST", "https://box")], None),
        (asked, &[("OLLAMA_HOST", "http://me:canary@box")], None),
    ] {
        let notes = resolved(text, variables).notes;
        let told = notes.iter().find(|note| note.contains("Ollama server at"));
        match expected {
            Some(expected) => assert!(
                told.is_some_and(|note| note.starts_with(expected)),
                "{notes:?}"
            ),
            None => assert_eq!(told, None),
        }
        assert!(!format!("{notes:?}").contains("canary"));
    }
}

#[test]
fn a_local_model_without_a_context_window_is_noted() {
    let local = "[roles.default]\nprovider = \"ollama\"\nmodel = \"m\"\n";
    for (text, variables, told) in [
        (local.to_owned(), &[][..], true),
        (format!("{local}context = 8192\n"), &[], false),
        (format!("{local}[models.m]\ncontext = 8192\n"), &[], false),
        (String::new(), &[], true),
        (String::new(), &[OPENAI], false),
    ] {
        let notes = resolved(&text, variables).notes;
        let note = notes.iter().any(|note| note.contains("add context = 8192"));
        assert_eq!(note, told, "{text}: {notes:?}");
    }
}

#[test]
fn a_fallback_at_an_unknown_provider_is_an_error_where_that_is_certain() {
    let of = |provider: &str, name: &str| {
        format!(
            "[providers.house]\nbase-url = \"https://house.example.org/v1\"\n[roles.judge]\nprovider = \"{provider}\"\nmodel = \"m\"\nfall-backs = [\"{name}\"]"
        )
    };
    for (provider, name, variables, expected) in [
        (
            "openai",
            "nix/m2",
            &[OPENAI][..],
            Err(
                "/conf/redraft.toml:6: fallback \"nix/m2\": unknown provider \"nix\", and names of \"openai\" models contain no slash",
            ),
        ),
        (
            "anthropic",
            "nix/m2",
            &[],
            Err("/conf/redraft.toml:6: fallback"),
        ),
        (
            "gemini",
            "nix/m2",
            &[],
            Err("/conf/redraft.toml:6: fallback"),
        ),
        ("gemini", "models/m2", &[], Ok("gemini/models/m2")),
        ("openai", "house/m2", &[OPENAI], Ok("house/m2")),
        ("openai", "m2", &[OPENAI], Ok("openai/m2")),
        // A compatible server at another address may serve models of others.
        (
            "openai",
            "nix/m2",
            &[OPENAI, ("OPENAI_BASE_URL", "http://localhost:8000/v1")],
            Ok("openai/nix/m2"),
        ),
        ("openrouter", "nix/m2", &[], Ok("openrouter/nix/m2")),
        ("house", "nix/m2", &[], Ok("house/nix/m2")),
        ("ollama", "nix/m2", &[], Ok("ollama/nix/m2")),
    ] {
        let found = try_resolve(&of(provider, name), variables, None);
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                let seat = found.seat(Role::JudgePrimary).unwrap();
                assert_eq!(seat.models[1].name(), expected);
            }
            (Err(error), Err(expected)) => {
                assert!(error.to_string().starts_with(expected), "{error}");
            }
            (found, _) => panic!("{provider} {name}: {:?}", found.map(|found| found.roles)),
        }
    }
}

#[test]
fn models_on_this_machine_are_asked_for_whole_sections() {
    for (text, expected) in [
        (
            "[roles.default]\nprovider = \"openai\"\nmodel = \"m\"\n",
            EditForm::Edits,
        ),
        (
            "[roles.default]\nprovider = \"ollama\"\nmodel = \"m\"\n",
            EditForm::Whole,
        ),
        (
            "[providers.house]\nbase-url = \"http://127.0.0.1:8080/v1\"\n[roles.default]\nprovider = \"house\"\nmodel = \"m\"\n",
            EditForm::Whole,
        ),
        (
            "[roles.default]\nprovider = \"ollama\"\nmodel = \"m\"\nedit-form = \"edits\"\n",
            EditForm::Edits,
        ),
        (
            "[models.m]\nprovider = \"openai\"\nedit-form = \"whole\"\n[roles.default]\nmodel = \"m\"\n",
            EditForm::Whole,
        ),
    ] {
        let resolved = resolved(text, &[OPENAI, SILENT]);
        let patcher = &resolved.roles[&Role::Patcher];
        assert_eq!(patcher.info[0].edit_form, expected, "{text}");
    }
}

#[test]
fn azure_has_its_version_in_the_address_and_shows_it() {
    let text = "[providers.house]\napi = \"azure\"\nbase-url = \"https://house.openai.azure.com/\"\napi-version = \"2024-10-21\"\n[roles.default]\nprovider = \"house\"\nmodel = \"my-deployment\"\n";
    let resolved = resolved(text, &[SILENT]);
    let address = "https://house.openai.azure.com?api-version=2024-10-21";
    assert_eq!(resolved.providers[0].connection.base_url, address);
    let shown = crate::models::listing::human(&resolved, None, None);
    assert!(shown.contains(address), "{shown}");
}

#[test]
fn time_limits_are_longer_on_this_machine_unless_they_are_set() {
    const LOCAL: &str = "[roles.default]\nprovider = \"ollama\"\nmodel = \"m\"\n";
    for (text, run, call, local_call, local_stall) in [
        ("", None, 180, 900, 900),
        ("[limits]\nseconds-per-run = 50\n", Some(50), 180, 900, 900),
        ("[limits]\nseconds-per-call = 20\n", None, 20, 20, 20),
        ("[limits]\nstall-seconds = 30\n", None, 180, 900, 30),
    ] {
        let resolved = resolved(&format!("{LOCAL}{text}"), &[SILENT]);
        let limits = &resolved.limits;
        assert_eq!(limits.of_run().seconds, run, "{text}");
        assert_eq!(limits.seconds_per_call, call, "{text}");
        assert_eq!(limits.local_seconds_per_call, local_call, "{text}");
        assert_eq!(limits.local_stall_seconds, local_stall, "{text}");
        assert!(resolved.local_models().contains("ollama/m"));
    }
}
