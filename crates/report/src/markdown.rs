//! The result as a comment on a pull request or the summary of a job.
//!
//! Messages quote lessons, and a lesson may contain anything: nothing of it may
//! become markup, a link or a mention. The comment stays below the
//! length that GitHub accepts and says what it leaves out.

use std::collections::BTreeMap;

use anstream::adapter::strip_str;
use redraft_gate::finding::Severity;

use super::check_report::{
    ApplicabilityReport, DocumentReport, FindingReport, SeverityReport, SkippedFile,
};
use super::check_run::{CheckRun, UnreadableFile};
use super::check_text;
use super::count::counted;
use super::plain;

/// GitHub takes 65,536 characters; what a service puts around the comment needs
/// some room, too.
const MOST: usize = 60_000;

/// Room for the last sentence and the end of an open block.
const RESERVE: usize = 1_000;

/// The rows of a file that are shown without a click.
const OPEN_ROWS: usize = 20;

/// The longest quotation from a lesson.
const MOST_QUOTED: usize = 300;

/// The most unreadable files that are listed.
const MOST_UNREADABLE: usize = 20;

const TABLE: &str = "| severity | line | check | message | fix |\n|---|---:|---|---|---|\n";

#[must_use]
pub fn comment(run: &CheckRun) -> String {
    let mut page = Page::default();
    page.push(&head(run));
    page.push(&unreadable(&run.unreadable));
    page.push(&skipped(&run.skipped));
    let mut documents: Vec<&DocumentReport> = run
        .documents
        .iter()
        .filter(|document| !document.findings.is_empty())
        .collect();
    // What fails the gate comes first, so that it is not left out.
    documents.sort_by_key(|document| worst(document));
    let mut left_out = LeftOut::default();
    for document in documents {
        table(&mut page, document, &mut left_out);
    }
    page.push(&left_out.sentence());
    page.into_text()
}

/// A text that knows how long it is, as GitHub counts at most.
#[derive(Default)]
pub(super) struct Page {
    text: String,
    length: usize,
}

impl Page {
    pub(super) fn push(&mut self, text: &str) {
        self.length += text.encode_utf16().count();
        self.text.push_str(text);
    }

    pub(super) fn has_room_for(&self, text: &str) -> bool {
        self.length + text.encode_utf16().count() + RESERVE <= MOST
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// What did not fit.
#[derive(Default)]
struct LeftOut {
    findings: usize,
    errors: usize,
    files: usize,
}

impl LeftOut {
    fn add(&mut self, findings: &[&FindingReport]) {
        self.files += 1;
        self.findings += findings.len();
        self.errors += findings
            .iter()
            .filter(|finding| finding.severity == SeverityReport::Error)
            .count();
    }

    fn sentence(&self) -> String {
        if self.findings == 0 {
            return String::new();
        }
        format!(
            "… and {} in {} ({}) not shown here. Run `redraft check` to see all.\n",
            counted(self.findings, "more finding"),
            counted(self.files, "file"),
            counted(self.errors, "error"),
        )
    }
}

fn head(run: &CheckRun) -> String {
    let line = strip_str(&check_text::summary(&run.summary, &run.totals)).to_string();
    let (verdict, counts) = line.split_once(": ").unwrap_or((line.as_str(), ""));
    let mut text = format!("## redraft: {verdict}\n\n{}\n\n", counts.trim_end());
    if run.totals.fixed > 0 {
        text.push_str(&format!(
            "`--fix` fixed {}.\n\n",
            counted(run.totals.fixed, "finding")
        ));
    }
    let mut fixes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for finding in run.documents.iter().flat_map(|document| &document.findings) {
        if applicability(finding) == Some(ApplicabilityReport::Safe) {
            *fixes.entry((finding.code, finding.name)).or_default() += 1;
        }
    }
    if !fixes.is_empty() {
        let kinds: Vec<String> = fixes
            .iter()
            .map(|((code, name), number)| format!("{number} × {code} {name}"))
            .collect();
        text.push_str(&format!(
            "`redraft check --fix` would fix: {}.\n\n",
            kinds.join(", ")
        ));
    }
    text
}

fn unreadable(files: &[UnreadableFile]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut text = "Could not be read:\n\n".to_owned();
    for file in files.iter().take(MOST_UNREADABLE) {
        text.push_str(&format!("- {}\n", quoted(&file.message)));
    }
    if files.len() > MOST_UNREADABLE {
        let more = files.len() - MOST_UNREADABLE;
        text.push_str(&format!("- … and {}\n", counted(more, "more file")));
    }
    text.push('\n');
    text
}

/// The files that were not read, and why.
pub(super) fn skipped(files: &[SkippedFile]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut text = "Not read (TXT018 unread-file):\n\n".to_owned();
    for file in files.iter().take(MOST_UNREADABLE) {
        let severity = file.severity.map_or("skipped", Severity::name);
        let (path, reason) = (quoted(&plain::path(&file.path)), quoted(&file.reason));
        text.push_str(&format!("- {severity}: {path}: {reason}\n"));
    }
    if files.len() > MOST_UNREADABLE {
        let more = files.len() - MOST_UNREADABLE;
        text.push_str(&format!("- … and {}\n", counted(more, "more file")));
    }
    text.push('\n');
    text
}

/// The findings of one file: the worst first, at the same severity in the order
/// of the file.
fn table(page: &mut Page, document: &DocumentReport, left_out: &mut LeftOut) {
    let mut findings: Vec<&FindingReport> = document.findings.iter().collect();
    findings.sort_by_key(|finding| rank(finding.severity));
    let head = format!("### {}\n\n{TABLE}", quoted(&plain::path(&document.path)));
    let mut rest = findings.as_slice();
    let mut shown = 0;
    while let Some((finding, after)) = rest.split_first() {
        let before = match shown {
            0 => head.clone(),
            OPEN_ROWS => format!(
                "\n<details><summary>{}</summary>\n\n{TABLE}",
                counted(rest.len(), "more finding")
            ),
            _ => String::new(),
        };
        let rows = before + &row(finding);
        if !page.has_room_for(&rows) {
            break;
        }
        page.push(&rows);
        shown += 1;
        rest = after;
    }
    if shown > OPEN_ROWS {
        page.push("\n</details>\n");
    }
    if shown > 0 {
        page.push("\n");
    }
    if !rest.is_empty() {
        left_out.add(rest);
    }
}

fn row(finding: &FindingReport) -> String {
    let severity = match finding.severity {
        SeverityReport::Error => "**error**",
        SeverityReport::Warning => "warning",
        SeverityReport::Info => "remark",
    };
    let fix = match applicability(finding) {
        Some(ApplicabilityReport::Safe) => "`--fix`",
        Some(ApplicabilityReport::Unsafe) => "proposed",
        None => "",
    };
    format!(
        "| {severity} | {} | {} {} | {} | {fix} |\n",
        finding.line,
        finding.code,
        finding.name,
        quoted(&finding.message)
    )
}

fn applicability(finding: &FindingReport) -> Option<ApplicabilityReport> {
    finding.fix.as_ref().map(|fix| fix.applicability)
}

fn worst(document: &DocumentReport) -> u8 {
    let ranks = document.findings.iter().map(|f| rank(f.severity));
    ranks.min().unwrap_or(u8::MAX)
}

fn rank(severity: SeverityReport) -> u8 {
    match severity {
        SeverityReport::Error => 0,
        SeverityReport::Warning => 1,
        SeverityReport::Info => 2,
    }
}

/// Words from outside as words and nothing else, on one line.
///
/// A character reference is never markup, so that all punctuation with a meaning
/// in Markdown or HTML becomes one. That does not help where GitHub looks at the
/// finished text: for mentions, references to issues, bare addresses and
/// formulas. There a zero-width space, or an element of its own, comes between.
pub(super) fn quoted(text: &str) -> String {
    let text = &*plain::words(text);
    let mut out = String::with_capacity(text.len());
    for (number, (at, c)) in text.char_indices().enumerate() {
        if number == MOST_QUOTED {
            out.push('…');
            break;
        }
        let before = text.get(..at).unwrap_or_default();
        match c {
            '&' | '<' | '>' | '|' | '`' | '*' | '_' | '~' | '[' | ']' | '(' | ')' | '!' | '\\'
            | '{' | '}' | '+' | '=' | '"' | '\'' => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            '@' | '#' | ':' => out.push_str(&format!("&#{};&#8203;", u32::from(c))),
            '$' => out.push_str("<span>$</span>"),
            '.' if ends_with_word(before, "www") => out.push_str("&#8203;."),
            '-' if ends_with_word(before, "gh") => out.push_str("&#8203;-"),
            // At the start of a line these would begin a list.
            '-' if out.is_empty() => out.push_str("\\-"),
            '.' if before.bytes().all(|byte| byte.is_ascii_digit()) => out.push_str("\\."),
            c if c.is_whitespace() => {
                if !out.is_empty() {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// Whether the last word of a text is this one, in either case.
fn ends_with_word(text: &str, word: &str) -> bool {
    text.rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .is_some_and(|last| last.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use redraft_gate::companion::Companions;
    use redraft_gate::fix::Inspected;
    use redraft_profiles::registry;

    use super::*;

    #[test]
    fn the_words_of_a_lesson_stay_words() {
        for (text, expected) in [
            ("Вода кипит, 水沸腾 😀", "Вода кипит, 水沸腾 😀"),
            ("a|b", "a&#124;b"),
            ("`x`", "&#96;x&#96;"),
            ("<img src=x>", "&#60;img src&#61;x&#62;"),
            ("&lt;", "&#38;lt;"),
            ("@all", "&#64;&#8203;all"),
            ("fixes #12", "fixes &#35;&#8203;12"),
            ("GH-12", "GH&#8203;-12"),
            ("www.a.example", "www&#8203;.a.example"),
            ("https://a.example", "https&#58;&#8203;//a.example"),
            ("[a](b)", "&#91;a&#93;&#40;b&#41;"),
            ("$x$", "<span>$</span>x<span>$</span>"),
            ("a\r\nb\u{7}", "a b&#92;u&#123;7&#125;"),
            ("\u{202E}a", "&#92;u&#123;202e&#125;a"),
            ("- a", "\\- a"),
            ("1. a", "1\\. a"),
            (" \t - a", "\\- a"),
            (
                "well-known v1.2, high-rise, hollow.md",
                "well-known v1.2, high-rise, hollow.md",
            ),
        ] {
            assert_eq!(quoted(text), expected, "{text:?}");
        }
        let long = quoted(&"ж".repeat(1_000));
        assert_eq!(long.chars().count(), MOST_QUOTED + 1);
    }

    fn finding(severity: SeverityReport, message: &str) -> FindingReport {
        FindingReport {
            code: "TXT003",
            name: "placeholder-text",
            severity,
            critical: false,
            component: "sec_1".to_owned(),
            start: 0,
            end: 1,
            line: 7,
            column: 1,
            message: message.to_owned(),
            fix: None,
        }
    }

    fn run_of(files: &[(&str, Vec<FindingReport>)]) -> CheckRun {
        let template = || {
            let companions = Companions::default();
            let inspected = Inspected {
                document: redraft_gate::fixtures::markdown_lesson("# A\n\nA.\n"),
                findings: Vec::new(),
            };
            let subject = crate::check_report::Subject {
                path: "a.md",
                profile: registry::PROFILES[0],
                companions: &companions,
                detail: crate::check_report::Detail::Findings,
            };
            crate::check_report::document(&subject, &inspected)
        };
        let mut run = CheckRun::default();
        for (path, findings) in files {
            let mut document = template();
            document.path = (*path).to_owned();
            document.findings = findings
                .iter()
                .map(|f| finding(f.severity, &f.message))
                .collect();
            run.summary.add(&document);
            run.documents.push(document);
        }
        run
    }

    #[test]
    fn rows_beyond_the_twentieth_are_folded_and_errors_stand_first() {
        let mut findings: Vec<FindingReport> = (0..24)
            .map(|_| finding(SeverityReport::Warning, "mild"))
            .collect();
        findings.push(finding(SeverityReport::Error, "bad"));
        let mild = vec![finding(SeverityReport::Info, "soft")];
        let text = comment(&run_of(&[("a.md", mild), ("b.md", findings)]));
        let at = |needle: &str| text.find(needle).unwrap();
        assert!(at("### b.md") < at("bad") && at("bad") < at("mild"));
        assert!(at("mild") < at("<details><summary>5 more findings</summary>"));
        assert!(at("</details>") < at("### a.md"));
        assert_eq!(text.matches("| warning |").count(), 24);
        assert!(!text.contains("not shown here"));
    }

    #[test]
    fn a_comment_is_never_too_long_and_counts_what_it_leaves_out() {
        for word in ["@", "😀", "ж|"] {
            let message = word.repeat(400);
            let many = || -> Vec<FindingReport> {
                (0..300)
                    .map(|_| finding(SeverityReport::Error, &message))
                    .collect()
            };
            let text = comment(&run_of(&[("a.md", many()), ("b.md", many())]));
            assert!(text.encode_utf16().count() <= MOST);
            let rows = text.matches("| **error** |").count();
            let last = text.lines().last().unwrap();
            let left = format!("… and {} more findings in", 600 - rows);
            assert!(last.starts_with(&left), "{left}: {last}");
            assert_eq!(
                text.matches("<details>").count(),
                text.matches("</details>").count()
            );
        }
    }
}
