//! One view of a document at a time, and the facts that stand around the views: for pages
//! that put them together themselves.

use redraft_gate::content::{Component, ComponentKind, Document};

use super::data::RunData;
use super::document::{self, DocumentInput};
use super::receipts_view;
use super::templates::HtmlError;
use super::text_view::{self, TextInput};
use super::{chart, cost_view, diff_view, groups, panel_view};

/// A view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Text,
    Changes,
    Panel,
    /// The score by round.
    Scores,
    Cost,
    Receipts,
}

impl View {
    pub const ALL: [Self; 6] = [
        Self::Text,
        Self::Changes,
        Self::Panel,
        Self::Scores,
        Self::Cost,
        Self::Receipts,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Changes => "changes",
            Self::Panel => "panel",
            Self::Scores => "scores",
            Self::Cost => "cost",
            Self::Receipts => "receipts",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name)
    }
}

/// The fragment of a view; `None` if there is nothing to show.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn view(
    prefix: &str,
    input: &DocumentInput<'_>,
    view: View,
) -> Result<Option<String>, HtmlError> {
    let data = &input.data;
    match view {
        View::Text => text_view::text(&TextInput {
            prefix,
            document: input.after,
            findings: &input.findings,
            issues: &data.issues,
            changed: &document::changed(data),
        })
        .map(Some),
        View::Changes => document::changes(prefix, input),
        View::Panel => panel_view::panel(data, input.thresholds),
        View::Scores => Ok(chart::score_chart(
            &document::rounds(data),
            input.thresholds,
        )),
        View::Cost => cost_view::cost(&data.spent),
        View::Receipts => document::receipts(input),
    }
}

/// What changed between two texts; `None` if nothing did.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn changes(
    prefix: &str,
    before: &Document,
    after: &Document,
) -> Result<Option<String>, HtmlError> {
    diff_view::diff(prefix, before, after)
}

/// A component that is shown apart: a section, a card, an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownComponent {
    pub id: String,
    /// What it is, in a word.
    pub kind: &'static str,
    pub title: String,
}

/// What stands around the views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    pub title: String,
    /// What the document is, such as `Lesson`.
    pub kind: String,
    /// What became of it, and the class that colours it.
    pub status: (String, &'static str),
    pub remarks: Vec<String>,
    pub components: Vec<ShownComponent>,
    /// `7 of 8 sections unchanged`.
    pub receipts: Option<String>,
}

#[must_use]
pub fn facts(input: &DocumentInput<'_>) -> Facts {
    let data = &input.data;
    Facts {
        title: document::title(input),
        kind: document::kind(&data.profile).to_owned(),
        status: document::status_words(input),
        remarks: document::remarks(data),
        components: input.after.map(components).unwrap_or_default(),
        receipts: receipts_sentence(data),
    }
}

/// The components that repairs name, in the order of the text.
fn components(document: &Document) -> Vec<ShownComponent> {
    let shown = document.components().iter().map(|part: &Component| {
        let title = part.title.clone().unwrap_or_default();
        ShownComponent {
            id: part.id.0.clone(),
            kind: groups::kind(part.kind),
            title: if part.kind == ComponentKind::Whole {
                String::new()
            } else {
                title
            },
        }
    });
    shown.collect()
}

/// How much stayed as it was, in a sentence.
pub(super) fn receipts_sentence(data: &RunData) -> Option<String> {
    let receipts = data.receipts.as_ref()?;
    let top = receipts_view::top_level(receipts);
    let unchanged = top.iter().filter(|part| part.edits.is_empty()).count();
    let noun = document::noun(&data.profile);
    Some(receipts_view::sentence(
        unchanged,
        top.len(),
        receipts.edits.len(),
        noun,
    ))
}
