//! Calls, tokens and money by role.

use std::collections::BTreeMap;

use redraft_run::ledger::Dollars;
use serde::Serialize;

use super::chart;
use super::data::SpentData;
use super::groups;
use super::templates::{self, HtmlError};
use crate::count::grouped;

#[derive(Serialize)]
struct CostView {
    rows: Vec<RowView>,
    total: RowView,
    is_priced: bool,
    is_estimated: bool,
    reused: u64,
}

#[derive(Serialize)]
struct RowView {
    role: String,
    calls: String,
    input: String,
    output: String,
    cost: String,
    share_html: String,
}

/// The fragment; `None` if nothing was spent.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn cost(spent: &BTreeMap<String, SpentData>) -> Result<Option<String>, HtmlError> {
    if spent.is_empty() {
        return Ok(None);
    }
    let total = total(spent.values());
    let tokens = |spent: &SpentData| (spent.input + spent.output) as f64;
    let most = spent.values().map(tokens).fold(1.0_f64, f64::max);
    let row = |role: &str, spent: &SpentData, share_html: String| RowView {
        role: groups::humanised(role),
        calls: grouped(spent.calls),
        input: grouped(spent.input),
        output: grouped(spent.output),
        cost: match spent.cost_micros {
            0 => "–".to_owned(),
            micros => format!("${}", Dollars(micros)),
        },
        share_html,
    };
    let view = CostView {
        rows: spent
            .iter()
            .map(|(role, spent)| row(role, spent, chart::count_bar(tokens(spent), None, most)))
            .collect(),
        total: row("total", &total, String::new()),
        is_priced: total.cost_micros > 0,
        is_estimated: total.estimated,
        reused: total.reused,
    };
    templates::fill("cost.html", &view).map(Some)
}

pub(super) fn total<'a>(all: impl Iterator<Item = &'a SpentData>) -> SpentData {
    all.fold(SpentData::default(), |sum, one| SpentData {
        calls: sum.calls.saturating_add(one.calls),
        input: sum.input.saturating_add(one.input),
        output: sum.output.saturating_add(one.output),
        cached_input: sum.cached_input.saturating_add(one.cached_input),
        cost_micros: sum.cost_micros.saturating_add(one.cost_micros),
        estimated: sum.estimated || one.estimated,
        reused: sum.reused.saturating_add(one.reused),
    })
}
