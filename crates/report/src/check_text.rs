//! The report of `redraft check` for the terminal: a snippet for each finding,
//! grouped by file, at most a few of each check, and a summary line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;
use anstyle::Style;
use redraft_gate::content::Document;
use redraft_gate::finding::{Applicability, Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::source::Source;
use redraft_text::lines::LineIndex;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::check_report::{DocumentReport, SkippedFile, Summary};
use super::check_run::Totals;
use super::count::counted;
use super::plain;
use super::style::{AMBER, BLUE, GREEN, RED};

pub use super::amount::Amount;

/// How many findings of one check are shown per file without `--all`.
const SHOWN_OF_A_KIND: usize = 3;

/// The most characters of a line that are shown where no terminal sets the width.
const WIDTH: usize = 100;

/// Snippets in our own colours.
const fn renderer() -> Renderer {
    Renderer::styled()
        .error(RED.bold())
        .warning(AMBER.bold())
        .info(BLUE.bold())
        .note(GREEN.bold())
        .help(BLUE.bold())
        .line_num(BLUE)
}

/// The findings of one file; empty if there are none. Excerpts fit the columns of the
/// terminal, because a mark under a line that was broken points nowhere.
#[must_use]
pub fn file(
    path: &str,
    Inspected { document, findings }: &Inspected,
    amount: Amount,
    columns: Option<usize>,
) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let renderer = renderer();
    let path = &*plain::path(path);
    let lines = LineIndex::new(document.source().text());
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = header(path, findings);
    let mut remarks = String::new();
    for finding in findings {
        let number = shown.entry(finding.check.name).or_default();
        *number += 1;
        if amount == Amount::Few && *number > SHOWN_OF_A_KIND {
            continue;
        }
        if finding.severity == Severity::Info {
            let (line, _) = lines.line_column(document.source().text_range(finding.span).start);
            remarks.push_str(&remark(finding, line));
            continue;
        }
        let message = plain::words(&finding.message);
        let component = plain::words(&finding.component.0);
        let window = Window::around(document, &lines, finding, columns);
        let shown = Shown {
            path,
            message: &message,
            component: &component,
            window: &window,
        };
        let rendered = renderer.render(&[shown.group(finding)]);
        // The position is in an origin of its own, because a cropped line has
        // other columns than the file; the library then leaves an empty line for
        // the origin that the snippet does not have.
        for line in rendered
            .lines()
            .filter(|line| strip_str(line).to_string().trim() != ":::")
        {
            out.push_str(line);
            out.push('\n');
        }
        out.push('\n');
    }
    if !remarks.is_empty() {
        out.push_str(&remarks);
        out.push('\n');
    }
    shown.retain(|_, number| amount == Amount::Few && *number > SHOWN_OF_A_KIND);
    for (name, number) in &shown {
        let more = number - SHOWN_OF_A_KIND;
        let _ = writeln!(
            out,
            "… {more} more `{name}` in {path} (use --all to show them)"
        );
    }
    if !shown.is_empty() {
        out.push('\n');
    }
    out
}

fn remark(finding: &Finding, line: usize) -> String {
    let blue = BLUE;
    format!(
        "{blue}remark{blue:#} line {line}: {} ({} {})\n",
        plain::words(&finding.message),
        finding.check.code,
        finding.check.name
    )
}

/// The path and the number of findings.
fn header(path: &str, findings: &[Finding]) -> String {
    let count = |severity| {
        findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let counts: Vec<String> = [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Info, "remark"),
    ]
    .into_iter()
    .filter(|(severity, _)| count(*severity) > 0)
    .map(|(severity, noun)| counted(count(severity), noun))
    .collect();
    let bold = Style::new().bold();
    format!("{bold}{path}{bold:#}: {}\n\n", counts.join(", "))
}

/// A finding in words that a terminal can show.
struct Shown<'a> {
    path: &'a str,
    message: &'a str,
    component: &'a str,
    window: &'a Window,
}

impl<'a> Shown<'a> {
    fn group(&self, finding: &'a Finding) -> Group<'a> {
        let Self {
            path,
            message,
            component,
            window,
        } = *self;
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let snippet = Snippet::source(window.text.as_str())
            .line_start(window.line)
            .annotation(
                AnnotationKind::Primary
                    .span(window.span.clone())
                    .label(component),
            );
        let group = level
            .primary_title(message)
            .id(format!("{} {}", finding.check.code, finding.check.name))
            .element(
                Origin::path(path)
                    .line(window.line)
                    .char_column(window.column),
            )
            .element(snippet);
        match finding.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => group.element(Level::HELP.message("--fix fixes this")),
            Some(Applicability::Unsafe) => group
                .element(Level::HELP.message("--fix --unsafe applies the proposed fix; review it")),
            None => group,
        }
    }
}

/// The excerpt of the source that is shown for a finding. Lines may be megabytes
/// long, so only the text around the finding is shown.
#[derive(Debug, PartialEq, Eq)]
struct Window {
    text: String,
    span: Range<usize>,
    line: usize,
    column: usize,
}

impl Window {
    fn around(
        document: &Document,
        lines: &LineIndex,
        finding: &Finding,
        columns: Option<usize>,
    ) -> Self {
        let text = document.source().text();
        let range = document.source().text_range(finding.span);
        let (line, column) = lines.line_column(range.start);
        let line_range = lines.line_range(line);
        let at = range.start.min(line_range.end);
        let end = range.end.min(line_range.end).max(at);
        let room = Room::of(columns, line, &finding.component.0);
        let marked = first_columns(&text[at..end], room.marked);
        let before = last_columns(&text[line_range.start..at], room.before(marked));
        let rest = &text[at + marked.len()..line_range.end];
        let after = first_columns(rest, room.after(before, marked));
        let lead = if before.len() < at - line_range.start {
            "…"
        } else {
            ""
        };
        let trail = if after.len() < rest.len() { "…" } else { "" };
        let [before, marked, after] =
            [before, marked, after].map(|part| plain::words(part).into_owned());
        let start = lead.len() + before.len();
        Self {
            span: start..start + marked.len(),
            text: format!("{lead}{before}{marked}{after}{trail}"),
            line,
            column,
        }
    }
}

/// How many columns an excerpt may take.
struct Room {
    line: usize,
    marked: usize,
    /// What the name of the component takes after the mark; 0 without a terminal.
    label: usize,
    /// The least that is shown after the mark.
    least_after: usize,
}

impl Room {
    fn of(columns: Option<usize>, line: usize, component: &str) -> Self {
        let Some(columns) = columns else {
            return Self {
                line: WIDTH,
                marked: WIDTH,
                label: 0,
                least_after: 20,
            };
        };
        // The number of the line and ` | ` before the text, `…` at both ends.
        let beside = line.to_string().len() + 3 + 2;
        let line = columns.saturating_sub(beside).clamp(20, WIDTH);
        let label = (component.width() + 1).min(line / 2);
        Self {
            line,
            marked: line - label,
            label,
            least_after: 0,
        }
    }

    fn before(&self, marked: &str) -> usize {
        let left = self.line.saturating_sub(marked.width() + self.label);
        match self.label {
            0 => WIDTH / 2,
            _ => left.min(self.line / 2),
        }
    }

    fn after(&self, before: &str, marked: &str) -> usize {
        let left = self.line.saturating_sub(before.width() + marked.width());
        left.max(self.least_after)
    }
}

/// The beginning of a text that takes at most so many columns.
fn first_columns(text: &str, most: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, c)| {
        taken += c.width().unwrap_or(1);
        taken > most
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// The end of a text that takes at most so many columns.
fn last_columns(text: &str, most: usize) -> &str {
    let mut taken = 0;
    let start = text.char_indices().rev().find(|(_, c)| {
        taken += c.width().unwrap_or(1);
        taken > most
    });
    start.map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

/// The fixes that `--fix` applied to a file, a line each.
#[must_use]
pub fn applied(path: &str, source: &Source, applied: &[Finding]) -> String {
    if applied.is_empty() {
        return String::new();
    }
    let lines = LineIndex::new(source.text());
    let path = plain::path(path);
    let bold = Style::new().bold();
    let green = GREEN;
    let mut out = format!(
        "{bold}{path}{bold:#}: {} fixed\n\n",
        counted(applied.len(), "finding")
    );
    for finding in applied {
        // A later round saw other line numbers than the file has.
        let place = if finding.span.version == source.version() {
            let at = source.text_range(finding.span).start;
            format!("line {}", lines.line_column(at).0)
        } else {
            "later".to_owned()
        };
        let _ = writeln!(
            out,
            "  {green}fixed{green:#} {place:<9} {} {}: {}",
            finding.check.code,
            finding.check.name,
            plain::words(&finding.message)
        );
    }
    out.push('\n');
    out
}

/// The most files and comments that are listed without `--all`.
const LISTED: usize = 20;

/// The files that were not read, a line each.
#[must_use]
pub fn skipped(files: &[SkippedFile], amount: Amount) -> String {
    let mut out = String::new();
    let most = most_listed(amount);
    for file in files.iter().take(most) {
        let (style, word) = match file.severity {
            Some(Severity::Error) => (RED.bold(), "error[TXT018 unread-file]"),
            Some(Severity::Warning) => (AMBER.bold(), "warning[TXT018 unread-file]"),
            Some(Severity::Info) => (BLUE.bold(), "remark[TXT018 unread-file]"),
            None => (Style::new(), "skipped"),
        };
        let _ = writeln!(
            out,
            "{style}{word}{style:#}: {} was not read: {}",
            plain::path(&file.path),
            plain::words(&file.reason)
        );
    }
    if files.len() > most {
        let more = files.len() - most;
        let _ = writeln!(
            out,
            "… {} not read (use --all to show them)",
            counted(more, "more file")
        );
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The ignore comments that silence nothing, a line each, and how to change that.
#[must_use]
pub fn ignore_comments(documents: &[DocumentReport], amount: Amount) -> String {
    let all = || {
        documents.iter().flat_map(|document| {
            let comments = document.ignore_comments.iter();
            comments.map(|comment| (&document.path, comment))
        })
    };
    let (number, most) = (all().count(), most_listed(amount));
    if number == 0 {
        return String::new();
    }
    let mut out = format!(
        "{} not honoured; set `ignore-comments = true` in redraft.toml if the authors of the text may silence checks\n",
        counted(number, "ignore comment")
    );
    for (path, comment) in all().take(most) {
        let _ = writeln!(
            out,
            "  {}:{}: redraft-ignore {}",
            plain::path(path),
            comment.line,
            plain::words(&comment.checks.join(", "))
        );
    }
    if number > most {
        let _ = writeln!(out, "  … {} more (use --all to show them)", number - most);
    }
    out
}

fn most_listed(amount: Amount) -> usize {
    match amount {
        Amount::Few => LISTED,
        Amount::All => usize::MAX,
    }
}

/// The summary line.
#[must_use]
pub fn summary(summary: &Summary, totals: &Totals) -> String {
    let Totals {
        known,
        silenced,
        unreadable,
        ignore_comments,
        ..
    } = *totals;
    let (verdict, color) = if summary.errors > 0 {
        ("gate failed", RED)
    } else if unreadable > 0 {
        ("some files could not be read", RED)
    } else if summary.documents == 0 {
        ("nothing was read", RED)
    } else {
        ("gate passed", GREEN)
    };
    let style = color.bold();
    let verdict = format!("{style}{verdict}{style:#}");
    let mut line = format!(
        "{verdict}: {} checked, {}, {}, {}",
        counted(summary.documents, "document"),
        counted(summary.errors, "error"),
        counted(summary.warnings, "warning"),
        counted(summary.infos, "remark"),
    );
    if unreadable > 0 {
        let _ = write!(line, "; {} could not be read", counted(unreadable, "file"));
    }
    if summary.skipped > 0 {
        let _ = write!(line, "; {} not read", counted(summary.skipped, "file"));
    }
    if summary.fixable > 0 {
        let _ = write!(line, "; {} fixable with --fix", summary.fixable);
    }
    if known > 0 {
        let _ = write!(line, "; {known} in the baseline");
    }
    if silenced > 0 {
        let _ = write!(line, "; {silenced} silenced by comments");
    }
    if ignore_comments > 0 {
        let comments = counted(ignore_comments, "ignore comment");
        let _ = write!(line, "; {comments} not honoured");
    }
    line.push('\n');
    line
}
