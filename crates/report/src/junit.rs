//! The result as JUnit XML, which build servers show as tests: a document is a
//! test, an error fails it. It knows nothing of lessons, and no clock.

use std::fmt::Write as _;

use redraft_gate::finding::Severity;

use super::check_report::{DocumentReport, FindingReport, SeverityReport, SkippedFile};
use super::check_run::CheckRun;
use super::plain;

#[must_use]
pub fn report(run: &CheckRun) -> String {
    let failed = |document: &&DocumentReport| document.findings.iter().any(is_error);
    let unread_errors = run.skipped.iter().filter(|file| is_failure(file)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        run.documents.len() + run.unreadable.len() + run.skipped.len(),
        run.documents.iter().filter(failed).count() + unread_errors,
        run.unreadable.len(),
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"redraft\" {counts}>\n  <testsuite name=\"redraft check\" {counts} skipped=\"{}\">\n",
        run.skipped.len() - unread_errors
    );
    for document in &run.documents {
        test_case(&mut xml, document);
    }
    for file in &run.unreadable {
        xml.push_str(&error_case(&file.path, "unreadable", &file.message));
    }
    for file in &run.skipped {
        xml.push_str(&skipped_case(file));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// A file that there is no result for, as a test.
pub(super) fn error_case(path: &str, kind: &str, message: &str) -> String {
    let path = attribute(&plain::path(path));
    let message = attribute(&plain::words(message));
    format!(
        "    <testcase classname=\"redraft\" name=\"{path}\">\n      <error type=\"{kind}\" message=\"{message}\"/>\n    </testcase>\n"
    )
}

/// A file that was not read, as a test.
pub(super) fn skipped_case(file: &SkippedFile) -> String {
    let path = attribute(&plain::path(&file.path));
    let reason = attribute(&format!("not read: {}", plain::words(&file.reason)));
    let element = if is_failure(file) {
        format!("<failure type=\"TXT018\" message=\"{reason}\"/>")
    } else {
        format!("<skipped message=\"{reason}\"/>")
    };
    format!(
        "    <testcase classname=\"redraft\" name=\"{path}\">\n      {element}\n    </testcase>\n"
    )
}

pub(super) fn is_failure(file: &SkippedFile) -> bool {
    file.severity == Some(Severity::Error)
}

fn is_error(finding: &FindingReport) -> bool {
    finding.severity == SeverityReport::Error
}

fn test_case(xml: &mut String, document: &DocumentReport) {
    let class = attribute(&format!("redraft.{}", document.profile));
    let name = attribute(&plain::path(&document.path));
    if document.findings.is_empty() {
        let _ = writeln!(xml, "    <testcase classname=\"{class}\" name=\"{name}\"/>");
        return;
    }
    let _ = writeln!(xml, "    <testcase classname=\"{class}\" name=\"{name}\">");
    for finding in document.findings.iter().filter(|finding| is_error(finding)) {
        let _ = writeln!(
            xml,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            attribute(finding.code),
            attribute(&plain::words(&finding.message)),
            content(&line(&document.path, finding)),
        );
    }
    // Many readers show a single failure of a test, so all findings are listed
    // here, errors included.
    xml.push_str("      <system-out>");
    for finding in &document.findings {
        xml.push_str(&content(&line(&document.path, finding)));
        xml.push('\n');
    }
    xml.push_str("</system-out>\n    </testcase>\n");
}

fn line(path: &str, finding: &FindingReport) -> String {
    let severity = match finding.severity {
        SeverityReport::Error => "error",
        SeverityReport::Warning => "warning",
        SeverityReport::Info => "info",
    };
    format!(
        "{}:{}:{}: {severity} {} {} in {}: {}",
        plain::path(path),
        finding.line,
        finding.column,
        finding.code,
        finding.name,
        plain::words(&finding.component),
        plain::words(&finding.message)
    )
}

/// Text as the value of an attribute, where white space has to be written as a
/// reference to survive.
pub(super) fn attribute(text: &str) -> String {
    content(text)
        .replace('"', "&quot;")
        .replace('\t', "&#9;")
        .replace('\n', "&#10;")
}

/// Text as the content of an element. XML 1.0 has no way at all to write most
/// control characters, so that they are spelt out.
pub(super) fn content(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            '\t' | '\n' => out.push(c),
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(out, "U+{:04X}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_escaped_or_spelt_out() {
        for (text, in_content, in_attribute) in [
            ("вода 水 😀", "вода 水 😀", "вода 水 😀"),
            (
                "a<b>&\"c\"",
                "a&lt;b&gt;&amp;\"c\"",
                "a&lt;b&gt;&amp;&quot;c&quot;",
            ),
            ("]]>", "]]&gt;", "]]&gt;"),
            ("a\r\n\tb", "a&#13;\n\tb", "a&#13;&#10;&#9;b"),
            (
                "\0\u{7}\u{1b}[1m",
                "U+0000U+0007U+001B[1m",
                "U+0000U+0007U+001B[1m",
            ),
            (
                "\u{FFFE}\u{FFFF}\u{85}",
                "U+FFFEU+FFFFU+0085",
                "U+FFFEU+FFFFU+0085",
            ),
        ] {
            assert_eq!(content(text), in_content, "{text:?}");
            assert_eq!(attribute(text), in_attribute, "{text:?}");
        }
    }
}
