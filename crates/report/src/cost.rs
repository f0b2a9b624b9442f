//! Calls, tokens and cost in the reports for the terminal: a table by role, or a
//! line if that says as much.
//!
//! | report | shown |
//! |---|---|
//! | one document, one role | a line |
//! | one document, several roles | the table |
//! | several documents | a line for each, and one table over all of them at the end |
//!
//! Money is shown only if a call had a price, and what came from a provider's cache only
//! if something did.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_run::ask::Role;
use redraft_run::ledger::{Dollars, Spent};
use redraft_run::outcome::Outcome;

use super::count::counted;
use super::style::BOLD;

pub(super) type ByRole = BTreeMap<Role, Spent>;

/// Calls, tokens and cost in a line.
pub(super) fn line(spent: &ByRole) -> String {
    let all = total(spent);
    if all.calls == 0 && all.tokens.total() == 0 {
        return format!("no calls{}", reused(&all));
    }
    let money = if all.cost_micros > 0 {
        format!(", ${}", Dollars(all.cost_micros))
    } else {
        String::new()
    };
    format!(
        "{}, {} tokens in{}, {} out{}{money}{}",
        counted(all.calls as usize, "call"),
        all.tokens.input,
        cached(&all),
        all.tokens.output,
        remark(&all),
        reused(&all)
    )
}

/// Answers that other runs paid for.
fn reused(spent: &Spent) -> String {
    match spent.reused {
        0 => String::new(),
        number => format!(", {} reused", counted(number as usize, "answer")),
    }
}

fn cached(spent: &Spent) -> String {
    match spent.tokens.cached_input {
        0 => String::new(),
        tokens => format!(" ({tokens} cached)"),
    }
}

/// The table, if several roles were used; `false` if a line says as much.
pub(super) fn write_table(text: &mut String, spent: &ByRole) -> bool {
    if spent.len() < 2 {
        return false;
    }
    let _ = writeln!(text, "\n  {BOLD}Cost{BOLD:#}");
    text.push_str(&table(spent));
    true
}

/// The sum over several documents; nothing if there are no calls.
pub(super) fn write_all(text: &mut String, outcomes: &[&Outcome]) {
    let mut all = ByRole::new();
    for (role, spent) in outcomes.iter().flat_map(|outcome| &outcome.spent) {
        let sum = all.entry(*role).or_default();
        *sum = plus(*sum, spent);
    }
    if outcomes.len() < 2 || all.is_empty() {
        return;
    }
    let by_scripts = outcomes.iter().any(|outcome| outcome.scripted);
    let _ = writeln!(
        text,
        "\n{BOLD}Cost{BOLD:#}, {}{}",
        counted(outcomes.len(), "document"),
        if by_scripts {
            " (scripted replies were used)"
        } else {
            ""
        }
    );
    text.push_str(&table(&all));
}

fn table(spent: &ByRole) -> String {
    let all = total(spent);
    let mut rows: Vec<(&str, Spent)> = spent
        .iter()
        .map(|(role, spent)| (role.name(), *spent))
        .collect();
    if rows.len() > 1 {
        rows.push(("total", all));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or_default();
    let is_priced = all.cost_micros > 0;
    let has_cached = all.tokens.cached_input > 0;
    let mut text = format!(
        "  {:width$}  calls  tokens in{}  tokens out{}\n",
        "role",
        if has_cached { "     cached" } else { "" },
        if is_priced { "        cost" } else { "" }
    );
    for (name, spent) in rows {
        let money = match (is_priced, spent.cost_micros) {
            (false, _) => String::new(),
            (true, 0) => format!("  {:>10}", "–"),
            (true, micros) => format!("  {:>10}", format!("${}", Dollars(micros))),
        };
        let cached = match (has_cached, spent.tokens.cached_input) {
            (false, _) => String::new(),
            (true, 0) => format!("  {:>9}", "–"),
            (true, tokens) => format!("  {tokens:>9}"),
        };
        let _ = writeln!(
            text,
            "  {name:width$}  {:>5}  {:>9}{cached}  {:>10}{money}{}{}",
            spent.calls,
            spent.tokens.input,
            spent.tokens.output,
            remark(&spent),
            reused(&spent)
        );
    }
    text
}

/// Marks our own estimates.
fn remark(spent: &Spent) -> &'static str {
    if spent.estimated { " (estimated)" } else { "" }
}

fn total(spent: &ByRole) -> Spent {
    spent.values().fold(Spent::default(), plus)
}

fn plus(one: Spent, other: &Spent) -> Spent {
    Spent {
        calls: one.calls.saturating_add(other.calls),
        tokens: one.tokens.plus(other.tokens),
        cost_micros: one.cost_micros.saturating_add(other.cost_micros),
        estimated: one.estimated || other.estimated,
        overrun: one.overrun.saturating_add(other.overrun),
        reused: one.reused.saturating_add(other.reused),
    }
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::Tokens;

    use super::*;

    fn spent(calls: u32, input: u64, output: u64, cost_micros: u64, estimated: bool) -> Spent {
        Spent {
            calls,
            tokens: Tokens::new(input, output),
            cost_micros,
            estimated,
            overrun: 0,
            reused: 0,
        }
    }

    #[test]
    fn a_line_shows_money_only_if_there_is_a_price() {
        for (spent, expected) in [
            (
                spent(1, 1_000, 300, 0, true),
                "1 call, 1000 tokens in, 300 out (estimated)",
            ),
            (
                spent(2, 1_000, 300, 5_200, false),
                "2 calls, 1000 tokens in, 300 out, $0.005200",
            ),
        ] {
            assert_eq!(
                line(&ByRole::from([(Role::JudgeSecondary, spent)])),
                expected
            );
        }
        assert_eq!(line(&ByRole::new()), "no calls");
        for (calls, expected) in [
            (0, "no calls, 2 answers reused"),
            (1, "1 call, 900 tokens in, 80 out, 2 answers reused"),
        ] {
            let tokens = if calls == 0 { (0, 0) } else { (900, 80) };
            let judged = Spent {
                reused: 2,
                ..spent(calls, tokens.0, tokens.1, 0, false)
            };
            assert_eq!(
                line(&ByRole::from([(Role::JudgePrimary, judged)])),
                expected
            );
        }
    }

    #[test]
    fn a_table_has_a_row_for_each_role_and_their_sum() {
        let mut roles = ByRole::from([
            (Role::JudgePrimary, spent(1, 1_000, 300, 25_000, false)),
            (Role::JudgeSecondary, spent(12, 120_000, 3_600, 0, true)),
        ]);
        insta::assert_snapshot!(table(&roles), @r"
        role             calls  tokens in  tokens out        cost
        judge_primary        1       1000         300     $0.0250
        judge_secondary     12     120000        3600           – (estimated)
        total               13     121000        3900     $0.0250 (estimated)
        ");
        if let Some(spent) = roles.get_mut(&Role::JudgeSecondary) {
            spent.tokens.cached_input = 15_000;
        }
        assert_eq!(
            line(&roles),
            "13 calls, 121000 tokens in (15000 cached), 3900 out (estimated), $0.0250"
        );
        insta::assert_snapshot!(table(&roles), @r"
        role             calls  tokens in     cached  tokens out        cost
        judge_primary        1       1000          –         300     $0.0250
        judge_secondary     12     120000      15000        3600           – (estimated)
        total               13     121000      15000        3900     $0.0250 (estimated)
        ");
        roles.values_mut().for_each(|spent| {
            spent.cost_micros = 0;
            spent.tokens.cached_input = 0;
        });
        insta::assert_snapshot!(table(&roles), @r"
        role             calls  tokens in  tokens out
        judge_primary        1       1000         300
        judge_secondary     12     120000        3600 (estimated)
        total               13     121000        3900 (estimated)
        ");
    }
}
