//! The files that `redraft init` writes: a commented `redraft.toml` for each
//! provider. Their texts are in `presets/`; the tests load all of them.

#[derive(Clone, Copy, Debug)]
pub struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    /// The models section of the file.
    models: &'static str,
}

/// A preset; its text is in the file of the same name.
macro_rules! preset {
    ($name:literal, $about:literal $(,)?) => {
        Preset {
            name: $name,
            about: $about,
            models: include_str!(concat!("presets/", $name, ".toml")),
        }
    };
}

/// The first is the default.
pub const PRESETS: &[Preset] = &[
    preset!(
        "none",
        "no model: only the free checks; everything else as comments"
    ),
    preset!("openai", "OpenAI or a compatible server (OPENAI_API_KEY)"),
    preset!("anthropic", "Anthropic (ANTHROPIC_API_KEY)"),
    preset!("gemini", "Gemini (GEMINI_API_KEY)"),
    preset!(
        "openrouter-seed",
        "OpenRouter: three weighted judges of different families (OPENROUTER_API_KEY)"
    ),
    preset!("ollama", "local models: no key, no cost"),
];

const HEAD: &str = include_str!("presets/head.toml");

impl Preset {
    /// `scripted` is the same as `none`: it uses no provider.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = if name == "scripted" { "none" } else { name };
        PRESETS.iter().find(|preset| preset.name == name)
    }

    #[must_use]
    pub fn text(&self) -> String {
        format!("{HEAD}\n{}", self.models)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use redraft_run::ask::Role;
    use redraft_text::language::Language;

    use super::*;
    use crate::config::Config;
    use crate::models::{Environment, Resolved, SelfPreference, resolve};

    fn resolved(text: &str, language: Option<Language>) -> Resolved {
        let config = Config::parse(text, Path::new("redraft.toml")).unwrap();
        let keys = ["OPENAI", "ANTHROPIC", "GEMINI", "OPENROUTER"];
        let mut variables: BTreeMap<String, String> = keys
            .iter()
            .map(|name| (format!("{name}_API_KEY"), "canary".to_owned()))
            .collect();
        variables.insert("REDRAFT_NO_PROBE".to_owned(), "1".to_owned());
        if config.file().roles.is_empty() {
            variables.retain(|name, _| name == "REDRAFT_NO_PROBE");
        }
        let environment = Environment {
            variables,
            read: &|_| Err(std::io::ErrorKind::NotFound.into()),
            ollama: &|_| None,
        };
        resolve(&config, &environment, language).unwrap()
    }

    #[test]
    fn every_preset_loads_and_gives_every_role_a_model_or_none() {
        for preset in PRESETS {
            let resolved = resolved(&preset.text(), None);
            assert!(resolved.problems.is_empty(), "{:?}", resolved.problems);
            let expected = if preset.name == "none" {
                0
            } else {
                Role::ALL.len()
            };
            assert_eq!(resolved.roles.len(), expected, "{}", preset.name);
        }
    }

    /// The text with those of its examples switched on that `is_on` wants, which
    /// are counted from 0; and how many there are. Lines that follow each other are
    /// one example.
    fn switched(text: &str, is_on: impl Fn(usize) -> bool) -> (String, usize) {
        let (mut switched, mut blocks, mut inside) = (String::new(), 0, false);
        for line in text.lines() {
            let example = line.strip_prefix("#: ");
            blocks += usize::from(example.is_some() && !inside);
            inside = example.is_some();
            match example.filter(|_| is_on(blocks - 1)) {
                Some(example) => switched.push_str(example),
                None => switched.push_str(line),
            }
            switched.push('\n');
        }
        (switched, blocks)
    }

    #[test]
    fn every_example_of_a_preset_loads_alone_and_with_all_others() {
        for preset in PRESETS {
            let text = preset.text();
            let (_, blocks) = switched(&text, |_| false);
            assert!(blocks > 3, "{}", preset.name);
            for block in 0..blocks {
                let (text, _) = switched(&text, |on| on == block);
                let resolved = resolved(&text, None);
                // A cost limit without prices is reported.
                let lacks = text.contains("\ncost-per-run") && !text.contains("\nprice-in");
                assert_eq!(resolved.problems.is_empty(), !lacks, "{text}");
                if text.contains("\n[roles.writing]\nprovider") {
                    assert_eq!(resolved.self_preference, Some(SelfPreference::No), "{text}");
                }
            }
            let (text, _) = switched(&text, |_| true);
            let resolved = resolved(&text, None);
            assert!(resolved.problems.is_empty(), "{:?}", resolved.problems);
        }
    }

    #[test]
    fn the_prices_of_presets_are_those_of_the_price_table() {
        let table = redraft_engine::model::prices::table();
        let mut seen = 0;
        for preset in PRESETS {
            let (text, _) = switched(&preset.text(), |_| true);
            for (role, assigned) in resolved(&text, None).roles {
                for model in &assigned.seat.models {
                    let listed = table.price(&model.model);
                    let Some(listed) = listed.filter(|_| model.price_in > 0) else {
                        continue;
                    };
                    let micros = |dollars: f64| (dollars * 1e6).round() as u64;
                    let cache = model.cache.unwrap();
                    assert_eq!(
                        [
                            model.price_in,
                            model.price_out,
                            cache.price_read,
                            cache.price_write
                        ],
                        [
                            listed.input,
                            listed.output,
                            listed.cached_in,
                            listed.cache_write
                        ]
                        .map(micros),
                        "{}: {role}",
                        preset.name
                    );
                    assert!(text.contains(&table.as_of), "{}", preset.name);
                    seen += 1;
                }
            }
        }
        assert!(seen > 30, "{seen}");
    }

    #[test]
    fn the_preset_for_local_models_shows_how_to_set_the_context_window() {
        let (text, _) = switched(&Preset::named("ollama").unwrap().text(), |_| true);
        for (role, assigned) in resolved(&text, None).roles {
            assert_eq!(assigned.info[0].context, Some(8192), "{role}");
        }
    }

    #[test]
    fn the_judges_of_the_seed_depend_on_the_language() {
        let text = Preset::named("openrouter-seed").unwrap().text();
        for (language, families, weights) in [
            (Language::EN, ["qwen", "kimi", "minimax"], [750, 730, 720]),
            (Language::DE, ["qwen", "kimi", "minimax"], [750, 730, 720]),
            (
                Language::RU,
                ["deepseek", "kimi", "minimax"],
                [740, 730, 720],
            ),
        ] {
            let resolved = resolved(&text, Some(language));
            let judges = resolved.judges();
            let of: Vec<String> = crate::config::roles::JUDGES
                .iter()
                .filter_map(|role| resolved.roles[role].info[0].family.clone())
                .map(|family| family.to_string())
                .collect();
            assert_eq!(of, families, "{language}");
            let given: Vec<u32> = judges.iter().map(|seat| seat.weight).collect();
            assert_eq!(given, weights, "{language}");
            assert_eq!(resolved.panel_size, 3);
            assert_eq!(resolved.self_preference, Some(SelfPreference::No));
        }
    }
}
