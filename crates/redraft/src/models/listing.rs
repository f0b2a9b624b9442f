//! The output of `redraft models`, as tables and as JSON. It sees no key, only where
//! a key comes from.

use std::fmt::Write as _;
use std::path::Path;

use redraft_report::PLUG_IN;
use redraft_run::ask::{ModelSettings, Role};
use serde::Serialize;
use serde_json::{Value, json};

use super::judge_listing::JudgeTestReport;
use super::test_call::{Answered, Form, TestCall};
use super::{AssignedModels, KeySource, Origin, Provider, Resolved, SelfPreference};
use crate::config::invalid_url;

/// What `redraft models --format json` prints.
#[derive(Debug, Serialize)]
pub struct ModelsReport {
    schema: u32,
    configured: bool,
    file: Option<String>,
    language: Option<String>,
    roles: Vec<Value>,
    providers: Vec<Value>,
    panel_size: usize,
    self_preference: Option<&'static str>,
    limits: Value,
    problems: Vec<String>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<Vec<Value>>,
    judge_tests: Vec<JudgeTestReport>,
}

impl ModelsReport {
    #[must_use]
    pub fn new(
        resolved: &Resolved,
        file: Option<&Path>,
        tests: Option<&[TestCall]>,
        judge_tests: Vec<JudgeTestReport>,
    ) -> Self {
        let limits = &resolved.limits;
        Self {
            schema: redraft_report::SCHEMA,
            configured: resolved.has_models(),
            file: file.map(|path| path.display().to_string()),
            language: resolved.language.map(|language| language.to_string()),
            roles: Role::ALL
                .into_iter()
                .map(|role| match resolved.roles.get(&role) {
                    Some(assigned) => role_json(role, assigned),
                    None => json!({ "role": role.name(), "models": [] }),
                })
                .collect(),
            providers: resolved.providers.iter().map(provider_json).collect(),
            panel_size: resolved.panel_size,
            self_preference: resolved.self_preference.as_ref().map(|seen| match seen {
                SelfPreference::No => "no",
                SelfPreference::Possible { .. } => "possible",
            }),
            limits: json!({
                "cost_per_run": limits.cost_per_run.map(dollars),
                "cost_per_process": limits.cost_per_process.map(dollars),
                "tokens_per_process": limits.tokens_per_process,
                "seconds_per_run": limits.seconds_per_run,
                "seconds_per_call": limits.seconds_per_call,
                "stall_seconds": limits.stall_seconds,
            }),
            problems: resolved
                .problems
                .iter()
                .map(|problem| problem.error.to_string())
                .collect(),
            notes: resolved.notes.clone(),
            tests: tests.map(|tests| tests.iter().map(test_json).collect()),
            judge_tests,
        }
    }
}

fn role_json(role: Role, assigned: &AssignedModels) -> Value {
    let models: Vec<Value> = assigned
        .seat
        .models
        .iter()
        .zip(&assigned.info)
        .map(|(model, info)| {
            let is_priced = info.price.is_some();
            json!({
                "provider": model.provider,
                "model": model.model,
                "family": info.family.as_ref().map(ToString::to_string),
                "temperature": f64::from(model.temperature_hundredths) / 100.0,
                "max_tokens": model.max_tokens,
                "price_in": is_priced.then(|| dollars(model.price_in)),
                "price_out": is_priced.then(|| dollars(model.price_out)),
                "price_cached_in": model.cache.filter(|_| is_priced).map(|cache| dollars(cache.price_read)),
                "price_cache_write": model.cache.filter(|_| is_priced).map(|cache| dollars(cache.price_write)),
                "caches_from_tokens": model.cache.map(|cache| cache.least_tokens),
                "price_from": info.price.as_ref().map(origin_json),
                "context": info.context,
            })
        })
        .collect();
    let origins = &assigned.origins;
    json!({
        "role": role.name(),
        "weight": f64::from(assigned.seat.weight) / 1_000.0,
        "models": models,
        "from": {
            "provider": origin_json(&origins.provider),
            "model": origin_json(&origins.model),
            "temperature": origin_json(&origins.temperature),
            "max_tokens": origin_json(&origins.max_tokens),
            "weight": origin_json(&origins.weight),
        },
    })
}

fn origin_json(origin: &Origin) -> Value {
    match origin {
        Origin::File(line) => json!({ "kind": "file", "line": line }),
        Origin::Variable(name) => json!({ "kind": "variable", "name": name }),
        Origin::Answer(host) => json!({ "kind": "detected", "address": host }),
        Origin::Default => json!({ "kind": "default" }),
    }
}

fn provider_json(provider: &Provider) -> Value {
    json!({
        "name": provider.connection.name,
        "api": format!("{:?}", provider.connection.api).to_lowercase(),
        "base_url": shown_address(provider),
        "base_url_from": origin_json(&provider.address),
        "key": key(provider),
        "in_flight": provider.connection.in_flight,
        "structured": format!("{:?}", provider.connection.structured).to_lowercase(),
    })
}

fn test_json(test: &TestCall) -> Value {
    let roles: Vec<&str> = test.roles.iter().map(|role| role.name()).collect();
    match &test.result {
        Ok(answered) => json!({
            "model": test.model,
            "roles": roles,
            "answered": true,
            "milliseconds": answered.took,
            "structured": answered.form.name(),
            "tokens_in": answered.tokens.input,
            "tokens_out": answered.tokens.output,
            "estimated": answered.estimated,
            "cost": answered.cost.map(dollars),
        }),
        Err(error) => json!({
            "model": test.model,
            "roles": roles,
            "answered": false,
            "error": error,
        }),
    }
}

#[must_use]
pub fn human(resolved: &Resolved, file: Option<&Path>, tests: Option<&[TestCall]>) -> String {
    if !resolved.has_models() {
        let mut text = format!("no model is configured. {PLUG_IN}\n");
        for note in &resolved.notes {
            let _ = writeln!(text, "note: {note}");
        }
        return text;
    }
    let mut text = String::new();
    if let Some(path) = file {
        let _ = writeln!(text, "line numbers refer to {}", path.display());
    }
    let mut rows =
        vec![["role", "model", "weight", "$ per million in/out", "from"].map(str::to_owned)];
    for role in Role::ALL {
        rows.extend(role_rows(role, resolved.roles.get(&role)));
    }
    table(&mut text, &rows);
    text.push('\n');
    let mut rows = vec![["provider", "address", "key", "concurrent calls"].map(str::to_owned)];
    rows.extend(resolved.providers.iter().map(|provider| {
        [
            provider.connection.name.clone(),
            format!("{} ({})", shown_address(provider), provider.address),
            key(provider),
            provider.connection.in_flight.to_string(),
        ]
    }));
    table(&mut text, &rows);
    text.push('\n');
    text.push_str(&remarks(resolved));
    if let Some(tests) = tests {
        text.push('\n');
        let header = ["model", "answered in", "structured", "tokens", "cost"];
        let mut rows = vec![header.map(str::to_owned)];
        rows.extend(tests.iter().map(test_row));
        table(&mut text, &rows);
    }
    text
}

fn role_rows(role: Role, assigned: Option<&AssignedModels>) -> Vec<[String; 5]> {
    let Some(assigned) = assigned else {
        let none = ["–", "", "", ""].map(str::to_owned);
        let [model, weight, price, from] = none;
        return vec![[role.name().to_owned(), model, weight, price, from]];
    };
    let weighs = matches!(
        role,
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker
    );
    let mut rows = Vec::new();
    for (index, (model, info)) in assigned.seat.models.iter().zip(&assigned.info).enumerate() {
        let price = match &info.price {
            Some(_) => price(model),
            None => "not set".to_owned(),
        };
        let is_first = index == 0;
        rows.push([
            if is_first {
                role.name().to_owned()
            } else {
                "  fallback".to_owned()
            },
            ModelSettings::name(model),
            if is_first && weighs {
                (f64::from(assigned.seat.weight) / 1_000.0).to_string()
            } else {
                String::new()
            },
            price,
            if is_first {
                from(assigned)
            } else {
                String::new()
            },
        ]);
    }
    rows
}

/// In and out; in brackets what is read from the cache, if that has another price.
fn price(model: &ModelSettings) -> String {
    let (price_in, price_out) = (dollars(model.price_in), dollars(model.price_out));
    match model.cache {
        Some(cache) if cache.price_read != model.price_in => {
            format!(
                "{price_in} ({} cached) / {price_out}",
                dollars(cache.price_read)
            )
        }
        _ => format!("{price_in} / {price_out}"),
    }
}

/// Where provider and model come from, once if both have the same origin.
fn from(assigned: &AssignedModels) -> String {
    let (provider, model) = (&assigned.origins.provider, &assigned.origins.model);
    if provider == model {
        return model.to_string();
    }
    match model {
        Origin::Default => format!("{provider}, default model"),
        _ => format!("{model}, provider {provider}"),
    }
}

fn remarks(resolved: &Resolved) -> String {
    let mut text = match resolved.panel_size {
        0 => "judges: none".to_owned(),
        1 => "judges: 1 (roles with the same model are one judge, not a panel)".to_owned(),
        size => format!("judges: a panel of {size} different models"),
    };
    text.push('\n');
    match &resolved.self_preference {
        Some(SelfPreference::Possible {
            judge,
            writer,
            family,
        }) => {
            let why = family.as_ref().map_or_else(
                || "the family of one is unknown; add family = \"…\" to it".to_owned(),
                |family| format!("both are {family}"),
            );
            let _ = writeln!(
                text,
                "self-preference: possible ({judge} judges what {writer} writes, and {why})"
            );
        }
        Some(SelfPreference::No) => {
            text.push_str("self-preference: no; no judge shares a family with a writer\n");
        }
        None => {}
    }
    let limits = &resolved.limits;
    let sums = [
        (limits.cost_per_run, "per run"),
        (limits.cost_per_process, "in total"),
    ];
    let mut said: Vec<String> = sums
        .iter()
        .filter_map(|(sum, what)| Some(format!("${} {what}", dollars((*sum)?))))
        .collect();
    if let Some(tokens) = limits.tokens_per_process {
        said.push(format!("{tokens} tokens in total"));
    }
    if let Some(seconds) = limits.seconds_per_run {
        said.push(format!("{seconds} s per run"));
    }
    said.push(format!("{} s per call", limits.seconds_per_call));
    said.push(format!("{} s without data", limits.stall_seconds));
    let _ = writeln!(text, "limits: {}", said.join(", "));
    for note in &resolved.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn test_row(test: &TestCall) -> [String; 5] {
    let name = test.model.clone();
    match &test.result {
        Ok(answered) => [
            name,
            format!("{} ms", answered.took),
            form(answered).to_owned(),
            format!(
                "{} + {}{}",
                answered.tokens.input,
                answered.tokens.output,
                if answered.estimated {
                    " (estimated)"
                } else {
                    ""
                }
            ),
            answered.cost.map_or_else(
                || "no price".to_owned(),
                |cost| format!("${}", dollars(cost)),
            ),
        ],
        Err(error) => [
            name,
            format!("failed: {error}"),
            String::new(),
            String::new(),
            String::new(),
        ],
    }
}

fn form(answered: &Answered) -> &'static str {
    match answered.form {
        Form::Exact => "yes",
        Form::Wrapped => "with extra text",
        Form::Other => "no",
    }
}

fn key(provider: &Provider) -> String {
    match &provider.key {
        KeySource::Variable(name) => format!("from {name}"),
        KeySource::File(line) => format!("from the file named in line {line}"),
        KeySource::NotNeeded => "not needed".to_owned(),
        KeySource::Missing => "missing".to_owned(),
    }
}

/// An address that is invalid may contain a password or a key.
fn shown_address(provider: &Provider) -> String {
    // The version of Azure's API is no secret.
    let url = &provider.connection.base_url;
    let url = url.split("?api-version=").next().unwrap_or(url);
    if !url.is_empty() && invalid_url(url).is_some() {
        "not shown".to_owned()
    } else {
        provider.connection.base_url.clone()
    }
}

pub(super) fn dollars(millionths: u64) -> f64 {
    millionths as f64 / 1e6
}

/// Aligned columns without trailing spaces.
pub(super) fn table<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        // A long error does not widen its column.
        widths.filter(|width| *width <= 60).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
