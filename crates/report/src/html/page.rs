//! The page: an overview, banks, and an article for each document, in one file that loads
//! nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use redraft_run::ledger::Dollars;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::bank_view::{self, BankInput};
use super::cost_view;
use super::document::{self, DocumentInput, Shown};
use super::templates::{self, HtmlError};
use crate::count::counted;

/// What a page shows.
#[derive(Clone, Debug, Default)]
pub struct PageInput<'a> {
    pub title: String,
    /// What was left out, and why.
    pub notices: Vec<String>,
    pub banks: Vec<BankInput>,
    pub documents: Vec<DocumentInput<'a>>,
}

/// Up to so many documents are open when the page is.
const MOST_OPEN: usize = 2;

#[derive(Serialize)]
struct PageView {
    title: String,
    policy: String,
    version: &'static str,
    style_html: &'static str,
    script_html: &'static str,
    notices: Vec<String>,
    summary: Vec<SummaryView>,
    total: String,
    has_scores: bool,
    has_costs: bool,
    rows: Vec<RowView>,
    banks_html: String,
    documents_html: String,
    is_list: bool,
}

#[derive(Serialize)]
struct SummaryView {
    words: String,
    count: usize,
    class: &'static str,
}

#[derive(Serialize)]
struct RowView {
    anchor: String,
    path: String,
    status: String,
    class: &'static str,
    before: Option<String>,
    score: Option<String>,
    remarks: String,
    cost: String,
}

/// The style sheet of the views.
#[must_use]
pub fn style() -> &'static str {
    include_str!("templates/style.css")
}

/// The script of the page: filters, opening what a link leads to, printing.
#[must_use]
pub fn script() -> &'static str {
    include_str!("templates/script.js")
}

/// What ids of a document begin with, by its position on the page.
#[must_use]
pub fn prefix(index: usize) -> String {
    format!("d{}", index + 1)
}

/// The content security policy of the page: our style and our script, and nothing else.
#[must_use]
pub fn content_policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(style()),
        hash(script())
    )
}

/// Sorts documents: what needs a person first, then by score.
pub fn worst_first(documents: &mut [DocumentInput<'_>]) {
    let rank = |input: &DocumentInput<'_>| match document::status_words(input).1 {
        "bad" => 0,
        "neutral" => 1,
        "fair" => 2,
        _ => 3,
    };
    documents.sort_by(|a, b| {
        let score = |input: &DocumentInput<'_>| {
            let score = input.data.score.as_ref();
            score.map_or(-1.0, |score| score.overall)
        };
        let order = rank(a).cmp(&rank(b));
        order.then(score(a).total_cmp(&score(b)))
    });
}

/// The whole page.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn page(input: &PageInput<'_>) -> Result<String, HtmlError> {
    let shown = if input.documents.len() <= MOST_OPEN {
        Shown::Open
    } else {
        Shown::Closed
    };
    let mut documents_html = String::new();
    for (index, document) in input.documents.iter().enumerate() {
        documents_html.push_str(&document::article(&prefix(index), document, shown)?);
    }
    let mut banks_html = String::new();
    for bank in &input.banks {
        banks_html.push_str(&bank_view::bank(bank)?);
    }
    let view = PageView {
        title: input.title.clone(),
        policy: content_policy(),
        version: env!("CARGO_PKG_VERSION"),
        style_html: style(),
        script_html: script(),
        notices: input.notices.clone(),
        summary: summary(&input.documents),
        total: total(&input.documents),
        has_scores: input.documents.iter().any(|one| one.data.score.is_some()),
        has_costs: input
            .documents
            .iter()
            .any(|one| cost_view::total(one.data.spent.values()).cost_micros > 0),
        rows: rows(&input.documents),
        banks_html,
        documents_html,
        is_list: input.documents.len() > 1,
    };
    templates::fill("page.html", &view)
}

/// How many documents there are of each status, the worst first.
fn summary(documents: &[DocumentInput<'_>]) -> Vec<SummaryView> {
    let mut all: Vec<SummaryView> = Vec::new();
    for input in documents {
        let (words, class) = document::status_words(input);
        match all.iter_mut().find(|one| one.words == words) {
            Some(one) => one.count += 1,
            None => all.push(SummaryView {
                words,
                count: 1,
                class,
            }),
        }
    }
    all
}

fn total(documents: &[DocumentInput<'_>]) -> String {
    let spent = cost_view::total(documents.iter().flat_map(|one| one.data.spent.values()));
    let documents = counted(documents.len(), "document");
    match (spent.calls, spent.cost_micros) {
        (0, _) => documents,
        (calls, 0) => format!(
            "{documents}, {}",
            counted(usize::try_from(calls).unwrap_or(usize::MAX), "call")
        ),
        (_, micros) => format!("{documents}, ${}", Dollars(micros)),
    }
}

fn rows(documents: &[DocumentInput<'_>]) -> Vec<RowView> {
    let rows = documents.iter().enumerate().map(|(index, input)| {
        let (status, class) = document::status_words(input);
        let (before, score) = document::scores(&input.data);
        let spent = cost_view::total(input.data.spent.values());
        RowView {
            anchor: prefix(index),
            path: input.data.path.clone(),
            status,
            class,
            before,
            score,
            remarks: (input.findings.len() + input.data.issues.len()).to_string(),
            cost: match spent.cost_micros {
                0 => "–".to_owned(),
                micros => format!("${}", Dollars(micros)),
            },
        }
    });
    rows.collect()
}
