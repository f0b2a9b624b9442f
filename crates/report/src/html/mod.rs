//! Results as a page: one HTML file that needs nothing else, and its parts as fragments, so
//! that a service can put them into pages of its own. Each view is a function that returns
//! a fragment: [`text`], [`diff`], [`panel`], [`score_chart`], [`cost`], [`receipts`],
//! [`bank`].
//!
//! Content is foreign and may be hostile: it is escaped everywhere, Markdown becomes markup
//! of a short list, nothing is loaded from anywhere, and the page's policy allows no script
//! and no style but our own. Nothing is decided here.

mod bank_view;
mod chart;
mod cost_view;
mod data;
mod diff_view;
mod document;
mod escape;
mod groups;
mod markdown;
mod marks;
mod math;
mod page;
mod panel_view;
mod receipts_view;
mod templates;
mod text_view;
mod view;

pub use bank_view::{BankInput, BankItem, Gathered, bank};
pub use chart::{Thresholds, score_chart};
pub use cost_view::cost;
pub use data::{
    BankData, CountData, DuplicateData, FindingData, HintData, IssueData, RunData, SpentData,
    TaskData, WorstData,
};
pub use diff_view::diff;
pub use document::{DocumentInput, Source, document, status_words};
pub use escape::escape;
pub use page::{PageInput, content_policy, page, prefix, script, style, worst_first};
pub use panel_view::panel;
pub use receipts_view::{Files, receipts};
pub use templates::HtmlError;
pub use text_view::{PlacedFinding, TextInput, text};
pub use view::{Facts, ShownComponent, View, changes, facts, view};
