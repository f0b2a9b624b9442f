//! The result as SARIF 2.1.0, which code-scanning services and editors read.
//!
//! Every check is a rule, every finding a result with its region in lines and
//! columns as well as in bytes, and every fix travels along. It must not know
//! where the files lie on this machine: paths stay as they were given.

use std::fmt::Write as _;

use redraft_gate::check::Check;
use redraft_gate::content::Document;
use redraft_gate::finding::{Applicability, Finding, Fix, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::span::Span;
use redraft_profiles::registry;
use redraft_text::lines::LineIndex;
use serde_json::{Map, Value, json};

use super::check_report::SkippedFile;
use super::check_run::UnreadableFile;
use crate::{explain, plain};
use redraft_gate::fingerprint::fingerprint;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The folder that relative paths are relative to; where it lies is left to
/// those who read the log.
const ROOT: &str = "%SRCROOT%";

/// Findings that are not reported, and why.
#[derive(Clone, Copy, Debug, Default)]
pub struct Suppressed<'a> {
    /// Silenced by a comment, with its reason.
    pub silenced: &'a [(Finding, String)],
    /// Listed in the baseline.
    pub known: &'a [Finding],
}

/// The results of one file, in the order of the file.
#[must_use]
pub fn results(
    path: &str,
    Inspected { document, findings }: &Inspected,
    suppressed: &Suppressed<'_>,
) -> Vec<Value> {
    let file = ResultFile {
        artifact: artifact(path),
        document,
        lines: LineIndex::new(document.source().text()),
    };
    // The standard wants `suppressions` on all results or on none; an empty
    // list says that a result is not suppressed.
    let standing = findings.iter().map(|finding| (finding, json!([])));
    let silenced = suppressed.silenced.iter().map(|(finding, reason)| {
        let suppression = json!([{ "kind": "inSource", "justification": reason }]);
        (finding, suppression)
    });
    let known = suppressed.known.iter().map(|finding| {
        let suppression =
            json!([{ "kind": "external", "justification": "listed in the baseline" }]);
        (finding, suppression)
    });
    let mut all: Vec<(&Finding, Value)> = standing.chain(silenced).chain(known).collect();
    all.sort_by_key(|(finding, _)| finding.span);
    all.into_iter()
        .map(|(finding, suppressions)| file.result(finding, &suppressions))
        .collect()
}

/// The result for a file that was not read; `None` if the configuration ignores that.
fn unread_result(file: &SkippedFile) -> Option<Value> {
    let check = registry::find_check("unread-file")?;
    let severity = file.severity?;
    let mut result = json!({
        "ruleId": check.code,
        "level": level(severity),
        "message": { "text": message(&format!("not read: {}", file.reason)) },
        "locations": [{
            "physicalLocation": { "artifactLocation": artifact(&file.path) },
        }],
        "suppressions": [],
    });
    if let Some(index) = rule_index(check) {
        result["ruleIndex"] = json!(index);
    }
    Some(result)
}

fn rule_index(check: &Check) -> Option<usize> {
    registry::all_checks()
        .binary_search_by_key(&check.code, |check| check.code)
        .ok()
}

#[must_use]
pub fn log(
    mut results: Vec<Value>,
    unreadable: &[UnreadableFile],
    skipped: &[SkippedFile],
) -> Value {
    results.extend(skipped.iter().filter_map(unread_result));
    let ignored = skipped.iter().filter(|file| file.severity.is_none());
    let notes = ignored.map(|file| {
        json!({
            "level": "note",
            "message": { "text": message(&format!("not read: {}", file.reason)) },
            "locations": [{
                "physicalLocation": { "artifactLocation": artifact(&file.path) },
            }],
        })
    });
    let notifications: Vec<Value> = unreadable
        .iter()
        .map(|file| {
            json!({
                "level": "error",
                "message": { "text": message(&file.message) },
                "locations": [{
                    "physicalLocation": { "artifactLocation": artifact(&file.path) },
                }],
            })
        })
        .chain(notes)
        .collect();
    let rules: Vec<Value> = registry::all_checks()
        .iter()
        .map(|check| rule(check))
        .collect();
    let mut log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "redraft",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "invocations": [{
                "executionSuccessful": unreadable.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "originalUriBaseIds": {
                ROOT: { "description": { "text": "the folder that redraft was started in" } },
            },
            "newlineSequences": ["\r\n", "\n", "\r"],
            "columnKind": "unicodeCodePoints",
        }],
    });
    log["runs"][0]["results"] = Value::Array(results);
    log
}

fn rule(check: &Check) -> Value {
    json!({
        "id": check.code,
        "name": check.name,
        "shortDescription": { "text": check.summary },
        "fullDescription": { "text": check.what },
        "help": {
            "text": format!("{}\n\n{}", check.what, check.why),
            "markdown": explain::check_page(check),
        },
        "defaultConfiguration": { "level": level(check.severity) },
        "properties": { "tags": [check.concern.name().to_lowercase()] },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A file and its lines.
struct ResultFile<'a> {
    artifact: Value,
    document: &'a Document,
    lines: LineIndex,
}

impl ResultFile<'_> {
    fn result(&self, finding: &Finding, suppressions: &Value) -> Value {
        let component = finding.component.to_string();
        let mut result = json!({
            "ruleId": finding.check.code,
            "level": level(finding.severity),
            "message": { "text": message(&finding.message) },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": self.artifact,
                    "region": self.region(finding.span),
                },
                "logicalLocations": [{ "name": component, "fullyQualifiedName": component }],
            }],
            "partialFingerprints": {
                "redraft/v1": fingerprint(self.document, finding),
            },
            "suppressions": suppressions,
        });
        if let Some(index) = rule_index(finding.check) {
            result["ruleIndex"] = json!(index);
        }
        // In a file that is not UTF-8 an editor would write the edit in the old
        // encoding and so undo it.
        if let Some(fix) = finding
            .fix
            .as_ref()
            .filter(|_| self.document.source().takes_text())
        {
            result["fixes"] = json!([self.fix(finding, fix)]);
        }
        if finding.critical {
            result["properties"] = json!({ "critical": true });
        }
        result
    }

    fn fix(&self, finding: &Finding, fix: &Fix) -> Value {
        let (applicability, who) = match fix.applicability {
            Applicability::Safe => ("safe", "`redraft check --fix` applies it"),
            Applicability::Unsafe => ("unsafe", "review it before applying"),
        };
        let replacements: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "deletedRegion": self.region(edit.span),
                    "insertedContent": { "text": edit.text },
                })
            })
            .collect();
        json!({
            "description": { "text": format!("fix {}; {who}", finding.check.name) },
            "artifactChanges": [{
                "artifactLocation": self.artifact,
                "replacements": replacements,
            }],
            "properties": { "applicability": applicability },
        })
    }

    fn region(&self, span: Span) -> Value {
        let range = self.document.source().text_range(span);
        let (start_line, start_column) = self.lines.line_column(range.start);
        let (end_line, end_column) = self.lines.line_column(range.end);
        json!({
            "startLine": start_line,
            "startColumn": start_column,
            "endLine": end_line,
            "endColumn": end_column,
            "byteOffset": span.start,
            "byteLength": span.end - span.start,
        })
    }
}

/// A message as SARIF's plain text. There `[words](place)` is a link, and the
/// words of a lesson must not become one. Curly brackets stay single: without
/// arguments the common readers look for no placeholders.
pub(super) fn message(text: &str) -> String {
    plain::words(text).replace("](", "\\](")
}

/// Where a file is. A path that leads upwards or is absolute has no root.
pub(super) fn artifact(path: &str) -> Value {
    let mut location = Map::new();
    if path == "-" {
        location.insert("uri".to_owned(), json!("-"));
        let description = json!({ "text": "standard input" });
        location.insert("description".to_owned(), description);
        return Value::Object(location);
    }
    let bytes = path.as_bytes();
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && bytes.get(2) == Some(&b'/');
    let uri = if path.starts_with("//") {
        format!("file:{}", encoded(path))
    } else if path.starts_with('/') {
        format!("file://{}", encoded(path))
    } else if drive {
        let (letter, rest) = path.split_at(1);
        format!("file:///{letter}:{}", encoded(rest.trim_start_matches(':')))
    } else {
        encoded(path)
    };
    location.insert("uri".to_owned(), json!(uri));
    if !uri.starts_with("file:") && !uri.starts_with("../") {
        location.insert("uriBaseId".to_owned(), json!(ROOT));
    }
    Value::Object(location)
}

/// A path with everything percent-encoded that might mean something in a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri_that_leads_to_the_same_file() {
        for (path, uri, rooted) in [
            ("a.md", "a.md", true),
            ("course one/b.md", "course%20one/b.md", true),
            ("вода.md", "%D0%B2%D0%BE%D0%B4%D0%B0.md", true),
            ("水/课.md", "%E6%B0%B4/%E8%AF%BE.md", true),
            ("50%#?.md", "50%25%23%3F.md", true),
            ("a:b.md", "a%3Ab.md", true),
            ("../a.md", "../a.md", false),
            ("/srv/a b.md", "file:///srv/a%20b.md", false),
            ("C:/x y/a.md", "file:///C:/x%20y/a.md", false),
            ("//host/share/a.md", "file://host/share/a.md", false),
            ("-", "-", false),
        ] {
            let location = artifact(path);
            assert_eq!(location["uri"], uri, "{path}");
            assert_eq!(location.get("uriBaseId").is_some(), rooted, "{path}");
        }
    }

    #[test]
    fn the_words_of_a_lesson_do_not_become_a_link() {
        for (text, expected) in [
            ("plain", "plain"),
            ("“[Insert a diagram]”", "“[Insert a diagram]”"),
            ("[a](https://b.example)", "[a\\](https://b.example)"),
            ("{{ name }}", "{{ name }}"),
        ] {
            assert_eq!(message(text), expected);
        }
    }

    #[test]
    fn every_check_is_a_rule_at_its_index() {
        let log = log(Vec::new(), &[], &[]);
        let rules = log["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .unwrap();
        assert_eq!(rules.len(), registry::all_checks().len());
        for (rule, check) in rules.iter().zip(registry::all_checks()) {
            assert_eq!(rule["id"], check.code);
            assert_eq!(rule["help"]["markdown"], explain::check_page(check));
        }
    }
}
