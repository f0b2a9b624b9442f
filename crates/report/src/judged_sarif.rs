//! The result of `judge` and `refine` as SARIF: the findings of the checks as `check` gives
//! them, every open issue as a result of its criterion, and a text that was not accepted as
//! a result of its own. A document without a result is a notification of the tool.

use std::collections::BTreeSet;

use redraft_run::verdict::IssueSeverity;
use redraft_text::lines::LineIndex;
use serde_json::{Value, json};

use super::check_run::UnreadableFile;
use super::item_path;
use super::judged_text::{JudgedRun, JudgedText, PlacedIssue, Standing};
use super::sarif::{self, Suppressed};

/// The rule of a text that was not accepted.
const NOT_ACCEPTED: &str = "not-accepted";

#[must_use]
pub fn log(run: &JudgedRun<'_>) -> Value {
    let mut results = Vec::new();
    let mut criteria = BTreeSet::new();
    for document in &run.documents {
        let mut own = Vec::new();
        if let Some(inspected) = &document.inspected {
            let path = &document.judged.path;
            own.extend(sarif::results(path, inspected, &Suppressed::default()));
        }
        for issue in document.issues() {
            criteria.insert(issue.issue.criterion.clone());
            own.push(result(document, &issue));
        }
        if document.standing == Standing::Failed {
            own.push(not_accepted(document));
        }
        if document.file != document.judged.path {
            own.iter_mut()
                .for_each(|result| place_in_bank(result, document));
        }
        results.extend(own);
    }
    let unfinished: Vec<UnreadableFile> = run
        .unfinished
        .iter()
        .map(|one| UnreadableFile {
            path: one.path.clone(),
            message: one.sentence(),
        })
        .collect();
    let mut log = sarif::log(results, &unfinished, run.skipped);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array_mut();
    if let Some(rules) = rules {
        rules.extend(criteria.iter().map(|criterion| {
            rule(
                &rule_of(criterion),
                &format!("an open issue under the criterion {criterion}, named by a judge"),
            )
        }));
        rules.push(rule(
            NOT_ACCEPTED,
            "the text was not accepted; the message says why",
        ));
    }
    log
}

/// An item is judged as a text of its own: its offsets are not those of the bank, so that
/// the bank alone is named, and the item as the place in it.
fn place_in_bank(result: &mut Value, document: &JudgedText<'_>) {
    let item = item_path::item(&document.judged.path).unwrap_or_default();
    result["locations"] = json!([{
        "physicalLocation": { "artifactLocation": sarif::artifact(&document.file) },
        "logicalLocations": [{ "name": item, "fullyQualifiedName": item }],
    }]);
    if let Some(members) = result.as_object_mut() {
        members.remove("fixes");
    }
}

fn rule(id: &str, words: &str) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": words },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn rule_of(criterion: &str) -> String {
    format!("judge/{criterion}")
}

fn result(document: &JudgedText<'_>, placed: &PlacedIssue<'_>) -> Value {
    let issue = placed.issue;
    let mut words = issue.description.clone();
    if !issue.suggested_fix.is_empty() {
        words.push_str(" → ");
        words.push_str(&issue.suggested_fix);
    }
    let mut location = json!({ "artifactLocation": sarif::artifact(&document.judged.path) });
    if let Some(region) = region(document, placed) {
        location["region"] = region;
    }
    let component = issue.location.to_string();
    json!({
        "ruleId": rule_of(&issue.criterion),
        "level": match issue.severity {
            IssueSeverity::Critical => "error",
            IssueSeverity::Major => "warning",
            IssueSeverity::Minor => "note",
        },
        "message": { "text": sarif::message(&words) },
        "locations": [{
            "physicalLocation": location,
            "logicalLocations": [{ "name": component, "fullyQualifiedName": component }],
        }],
        "suppressions": [],
    })
}

fn region(document: &JudgedText<'_>, placed: &PlacedIssue<'_>) -> Option<Value> {
    let source = document.inspected.as_ref()?.document.source();
    let span = placed.span.clone()?;
    let range = source.text_range(source.file_span(span.clone()));
    let lines = LineIndex::new(source.text());
    let (start_line, start_column) = lines.line_column(range.start);
    let (end_line, end_column) = lines.line_column(range.end);
    Some(json!({
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": span.start,
        "byteLength": span.len(),
    }))
}

fn not_accepted(document: &JudgedText<'_>) -> Value {
    json!({
        "ruleId": NOT_ACCEPTED,
        "level": "error",
        "message": { "text": sarif::message(&document.headline()) },
        "locations": [{
            "physicalLocation": { "artifactLocation": sarif::artifact(&document.judged.path) },
        }],
        "suppressions": [],
    })
}
