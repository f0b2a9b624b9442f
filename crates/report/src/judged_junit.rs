//! The result of `judge` and `refine` as JUnit XML: a document is a test, and one that was
//! not accepted fails it; one without a result is an error. All findings and issues are listed.

use std::fmt::Write as _;

use super::judged_text::{JudgedRun, JudgedText, PlacedIssue, Standing};
use super::junit::{attribute, content, error_case, is_failure, skipped_case};
use super::plain;
use super::sentences;

#[must_use]
pub fn report(command: &str, run: &JudgedRun<'_>) -> String {
    let (documents, skipped) = (&run.documents, run.skipped);
    let failed = |document: &&JudgedText<'_>| document.standing == Standing::Failed;
    let unread = skipped.iter().filter(|file| is_failure(file)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        documents.len() + run.unfinished.len() + skipped.len(),
        documents.iter().filter(failed).count() + unread,
        run.unfinished.len()
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"redraft\" {counts}>\n  <testsuite name=\"redraft {}\" {counts} skipped=\"{}\">\n",
        attribute(command),
        skipped.len() - unread
    );
    for document in documents {
        test_case(&mut xml, document);
    }
    for one in run.unfinished {
        let kind = one.state.name();
        xml.push_str(&error_case(&one.path, kind, &one.sentence()));
    }
    for file in skipped {
        xml.push_str(&skipped_case(file));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn test_case(xml: &mut String, document: &JudgedText<'_>) {
    let class = attribute(&format!("redraft.{}", document.outcome().profile));
    let name = attribute(&plain::path(&document.judged.path));
    let headline = document.headline();
    let _ = writeln!(xml, "    <testcase classname=\"{class}\" name=\"{name}\">");
    if document.standing == Standing::Failed {
        let _ = writeln!(
            xml,
            "      <failure type=\"{}\" message=\"{}\"/>",
            document.outcome().status.name(),
            attribute(&plain::words(&headline)),
        );
    }
    xml.push_str("      <system-out>");
    xml.push_str(&content(&plain::words(&headline)));
    xml.push('\n');
    for finding in &document.outcome().findings {
        let line = format!(
            "{} {} {} in {}: {}",
            finding.severity.name(),
            finding.code,
            finding.name,
            plain::words(&finding.component.0),
            plain::words(&finding.message)
        );
        xml.push_str(&content(&line));
        xml.push('\n');
    }
    for issue in document.issues() {
        xml.push_str(&content(&line(&document.judged.path, &issue)));
        xml.push('\n');
    }
    xml.push_str("</system-out>\n    </testcase>\n");
}

fn line(path: &str, placed: &PlacedIssue<'_>) -> String {
    let issue = placed.issue;
    let at = placed.at.map_or_else(String::new, |(line, column)| {
        format!("{}:{line}:{column}: ", plain::path(path))
    });
    format!(
        "{at}{} {} in {}: {}",
        sentences::severity(issue.severity),
        plain::words(&issue.criterion),
        plain::words(&issue.location.0),
        plain::words(&issue.description)
    )
}
