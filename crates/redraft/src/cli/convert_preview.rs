//! `redraft convert --preview`: how a bank is understood, before anything is written.

use std::fmt::Write as _;
use std::path::Path;

use redraft_banks::{BankFormat, ColumnChoice, PlainItem};
use redraft_gate::content::Document;
use redraft_gate::reading::FormKind;
use redraft_report::count::counted;
use redraft_report::{columns, plain};

use super::output::shown;

/// How many items are shown.
const MOST: usize = 3;

pub(super) fn text(
    path: &Path,
    document: &Document,
    items: &[PlainItem],
    choice: Option<&ColumnChoice>,
) -> String {
    let format = match document.form() {
        FormKind::Bank(format) | FormKind::Question(format) => format.name(),
        FormKind::JsonLines => "jsonl",
        _ => "json",
    };
    let mut out = format!(
        "{}: {format}, {}\n",
        shown(path),
        counted(items.len(), "item")
    );
    if document.form().bank_format() == Some(BankFormat::Table)
        && let Ok(found) = redraft_banks::columns(document.source().text(), choice)
    {
        let _ = writeln!(out, "columns: {}", columns::line(&found));
    }
    for item in items.iter().take(MOST) {
        out.push_str(&shown_item(item));
    }
    if items.len() > MOST {
        let _ = writeln!(out, "\n… {} more", items.len() - MOST);
    }
    out
}

fn shown_item(item: &PlainItem) -> String {
    let mut out = format!("\n{}\n", plain::words(&item.id));
    let mut row = |name: &str, text: &str| {
        if !text.trim().is_empty() {
            let _ = writeln!(out, "  {name:<12}{}", plain::words(text.trim()));
        }
    };
    row("case", &item.vignette);
    row("question", &item.stem);
    for (index, option) in item.options.iter().enumerate() {
        let letter = u8::try_from(index)
            .ok()
            .and_then(|index| b'A'.checked_add(index))
            .map_or('?', char::from);
        let mark = if option.is_right { "right" } else { "" };
        row(&format!("{letter} {mark}"), &option.text);
        row("  feedback", &option.feedback);
    }
    row("explanation", &item.explanation);
    if !item.options.iter().any(|option| option.is_right) {
        row("no key", "no option is marked as right");
    }
    out
}
