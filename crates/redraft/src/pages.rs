//! Reference pages generated from the code: a page per check, the list of checks,
//! the events, the configuration, the accepted input, the JSON Schemas. `cargo xtask
//! docs` writes them, and a test compares them.

mod companions;

use std::fmt::Write as _;

use redraft_gate::check::Mends;
use redraft_gate::receipt::Receipts;
use redraft_profiles::registry;
use redraft_run::event::Event;

use crate::cli::EventLine;
use crate::config::ConfigFile;
use redraft_report::check_report::CheckReport;
use redraft_report::judge_report::JudgeReport;
use redraft_report::{explain, seeds};

/// A generated file.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path in the repository, with forward slashes.
    pub path: String,
    pub content: String,
}

#[must_use]
pub fn all() -> Vec<Page> {
    let mut pages: Vec<Page> = registry::all_checks()
        .iter()
        .map(|check| Page {
            path: format!("docs/checks/{}.md", check.name),
            content: explain::check_page(check),
        })
        .collect();
    pages.push(Page {
        path: "docs/checks/README.md".to_owned(),
        content: check_index(),
    });
    pages.push(Page {
        path: "docs/events.md".to_owned(),
        content: events(),
    });
    pages.push(Page {
        path: "docs/configuration.md".to_owned(),
        content: configuration(),
    });
    pages.push(Page {
        path: "docs/schema/check-output.schema.json".to_owned(),
        content: schema(&schemars::schema_for!(CheckReport)),
    });
    pages.push(Page {
        path: "docs/schema/redraft.toml.schema.json".to_owned(),
        content: schema(&schemars::schema_for!(ConfigFile)),
    });
    pages.push(Page {
        path: "docs/input.md".to_owned(),
        content: companions::input_page(),
    });
    for (name, content) in printed_schemas().into_iter().chain(companion_schemas()) {
        pages.push(Page {
            path: format!("docs/schema/{name}.schema.json"),
            content: serde_json::to_string_pretty(&content).unwrap_or_default() + "\n",
        });
    }
    pages
}

fn events() -> String {
    let mut page = String::from(
        "# Events\n\nA run emits one ordered, numbered stream of events, the same to the terminal and to the journal. Every event is a JSON object with `event` (its name), `seq` (its number, from 1), `at` (milliseconds since 1970) and `elapsed` (milliseconds since the run began). The order does not depend on which of several replies arrived first.\n\nA journal has the events as they are ([schema](schema/events.schema.json)); the lines of `--events FILE` have the `run` and the `path` of its document as well ([schema](schema/event-line.schema.json)).\n\n| event | when | fields |\n|---|---|---|\n",
    );
    for (name, when, fields) in redraft_run::event::CATALOGUE {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        let _ = writeln!(page, "| `{name}` | {when} | {} |", fields.join(", "));
    }
    page
}

/// The schemas of the companion files that redraft reads.
#[must_use]
pub fn companion_schemas() -> Vec<(&'static str, serde_json::Value)> {
    companions::schemas()
}

fn schema(schema: &schemars::Schema) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}

/// The schemas of everything that `judge` and `refine` print or write, closed:
/// they allow no other fields.
#[must_use]
pub fn printed_schemas() -> Vec<(&'static str, serde_json::Value)> {
    fn of<T: schemars::JsonSchema>() -> serde_json::Value {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let mut schema = settings.into_generator().into_root_schema_for::<T>();
        let mut value = std::mem::take(&mut schema).to_value();
        let definitions = value.get("$defs").cloned().unwrap_or_default();
        merge_references(&mut value, &definitions);
        close(&mut value);
        value
    }
    vec![
        ("judge-output", of::<JudgeReport>()),
        ("events", of::<Event>()),
        ("event-line", of::<EventLine<'_>>()),
        ("receipts", of::<Receipts>()),
        ("critic_result", of::<seeds::critic::CriticResult>()),
        ("report", of::<seeds::critic::CriticReport>()),
        ("review_history", of::<seeds::review_history::ReviewState>()),
        (
            "self_review",
            of::<seeds::self_review::SelfReviewResponse>(),
        ),
        ("judge_verdict", of::<seeds::verdicts::Verdicts>()),
        ("refinement_plan", of::<seeds::plan::Refinement>()),
        ("best_effort", of::<seeds::best_effort::BestEffort>()),
    ]
}

/// Merges a definition into every object that refers to it and has properties of its
/// own: two closed objects would reject each other's fields.
fn merge_references(schema: &mut serde_json::Value, definitions: &serde_json::Value) {
    use serde_json::Value;
    match schema {
        Value::Object(object) => {
            let definition = object
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| definitions.get(reference.strip_prefix("#/$defs/")?));
            if let Some(definition) = definition
                && object.contains_key("properties")
            {
                for (key, value) in definition.as_object().into_iter().flatten() {
                    match (object.get_mut(key), value) {
                        (Some(Value::Object(own)), Value::Object(more)) => {
                            own.extend(more.clone());
                        }
                        (Some(Value::Array(own)), Value::Array(more)) => {
                            own.extend(more.clone());
                        }
                        (Some(_), _) => {}
                        (None, value) => {
                            object.insert(key.clone(), value.clone());
                        }
                    }
                }
                object.remove("$ref");
            }
            for value in object.values_mut() {
                merge_references(value, definitions);
            }
        }
        Value::Array(values) => {
            for value in values {
                merge_references(value, definitions);
            }
        }
        _ => {}
    }
}

/// Closes every object of a schema. One that is put together of several schemas is
/// closed around all of them; they themselves stay open.
fn close(schema: &mut serde_json::Value) {
    use serde_json::Value;
    const TOGETHER: [&str; 3] = ["oneOf", "anyOf", "allOf"];
    match schema {
        Value::Object(object) => {
            let is_composed = object.contains_key("properties")
                && TOGETHER.iter().any(|key| object.contains_key(*key));
            let is_plain = object.contains_key("properties") && !is_composed;
            for (key, value) in object.iter_mut() {
                if is_composed && TOGETHER.contains(&key.as_str()) {
                    for part in value.as_array_mut().into_iter().flatten() {
                        close_below(part);
                    }
                } else if key != "enum" && key != "const" && key != "default" {
                    close(value);
                }
            }
            if is_composed {
                object.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
            } else if is_plain && !object.contains_key("additionalProperties") {
                object.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

/// Closes what the properties of an open object hold.
fn close_below(part: &mut serde_json::Value) {
    for key in ["properties", "oneOf", "anyOf", "allOf"] {
        match part.get_mut(key) {
            Some(serde_json::Value::Object(properties)) => {
                properties.values_mut().for_each(close);
            }
            Some(serde_json::Value::Array(parts)) => parts.iter_mut().for_each(close_below),
            _ => {}
        }
    }
}

fn check_index() -> String {
    let mut page = "# Checks\n\nAll checks with their codes and severities, and whether `--fix` can fix a finding. `redraft explain CODE` prints the same pages.\n\n| code | name | severity | fix | finds |\n|---|---|---|---|---|\n".to_owned();
    for check in registry::all_checks() {
        let mends = match check.mends {
            Mends::Never | Mends::ByTask => "–",
            Mends::Proposes => "suggested",
            Mends::WhereCertain | Mends::ByConversion => "where certain",
        };
        let _ = writeln!(
            page,
            "| {} | [{1}]({1}.md) | {2} | {mends} | {3} |",
            check.code,
            check.name,
            check.severity.name(),
            check.summary
        );
    }
    page
}

/// The configuration page, from the schema of the file.
fn configuration() -> String {
    let schema = schemars::schema_for!(ConfigFile).to_value();
    let mut page = "# Configuration: `redraft.toml`\n\nredraft looks for the file in the current folder and its parents; `--config` names another one. All keys are optional; an unknown key is an error. Paths are relative to the file. Editors with JSON Schema support can use `docs/schema/redraft.toml.schema.json`.\n\n".to_owned();
    keys(&mut page, &schema, "## Top level");
    let sections = [
        ("FilesSection", "## `[files]`"),
        ("OverrideSection", "## `[[override]]`"),
        ("ProviderSection", "## `[providers.NAME]`"),
        ("ModelSection", "## `[models.NAME]`"),
        ("RoleSection", "## `[roles.ROLE]`"),
        ("LimitsSection", "## `[limits]`"),
    ];
    for (name, heading) in sections {
        if let Some(section) = schema.pointer(&format!("/$defs/{name}")) {
            keys(&mut page, section, heading);
        }
    }
    page.push_str(
        "## Check parameters\n\n| table | key | default | meaning |\n|---|---|---|---|\n",
    );
    for check in registry::all_checks() {
        for parameter in check.parameters {
            let default = explain::default(check, parameter);
            let _ = writeln!(
                page,
                "| `[checks.{}]` | `{}` | `{default}` | {} |",
                check.name, parameter.name, parameter.what
            );
        }
    }
    page.push_str(
        "\n## Example\n\n```toml\nlanguage = \"en\"\nignore = [\"repeated-text\"]\nbaseline = \"redraft-baseline.json\"\n\n[files]\nexclude = [\"drafts/**\"]\n\n[severity]\nbroken-link = \"info\"\n\n[checks.truncated-content]\nmin-words = 8\n\n[[override]]\npaths = [\"templates/**\"]\nignore = [\"placeholder-text\"]\n\n[roles.default]\nprovider = \"openai\"\nmodel = \"gpt-4.1\"\n\n[roles.judge]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\n```\n\nHow to configure models: [models.md](models.md).\n",
    );
    page
}

fn keys(page: &mut String, section: &serde_json::Value, heading: &str) {
    let _ = writeln!(page, "{heading}\n\n| key | meaning |\n|---|---|");
    let properties = section
        .get("properties")
        .and_then(serde_json::Value::as_object);
    for (key, value) in properties.into_iter().flatten() {
        let meaning = value
            .get("description")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .replace('\n', " ");
        let _ = writeln!(page, "| `{key}` | {meaning} |");
    }
    page.push('\n');
}
