//! What a person is asked to do to the components of a text (ruling 59): merged, split,
//! deleted or added cards, and answers that nothing proves wrong.

use std::fmt::Write as _;

use redraft_run::outcome::Outcome;
use redraft_run::restructure::{RaisedBy, Restructuring, RestructuringAction};

use crate::plain;
use crate::style::BOLD;

/// Writes the proposals of an outcome, one line each; nothing where there are none.
pub fn write(text: &mut String, outcome: &Outcome) {
    if outcome.proposals.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n  {BOLD}For a person to decide{BOLD:#}");
    for proposal in &outcome.proposals {
        let _ = writeln!(text, "  - {}", sentence(proposal));
    }
}

/// `merge card_003 and card_004 (judge): …`.
#[must_use]
pub fn sentence(proposal: &Restructuring) -> String {
    let names: Vec<String> = proposal
        .components
        .iter()
        .map(|id| plain::words(&id.0).to_string())
        .collect();
    let components = match names.as_slice() {
        [] => String::new(),
        [one] => format!(" {one}"),
        [all @ .., last] => format!(" {} and {last}", all.join(", ")),
    };
    let action = match (proposal.action, names.is_empty()) {
        (RestructuringAction::Merge, true) => "merge cards",
        (RestructuringAction::Merge, false) => "merge",
        (RestructuringAction::Split, true) => "split a card",
        (RestructuringAction::Split, false) => "split",
        (RestructuringAction::Delete, true) => "delete a card",
        (RestructuringAction::Delete, false) => "delete",
        (RestructuringAction::Add, _) => "add a card",
        (RestructuringAction::ChangeAnswer, true) => "check the answer",
        (RestructuringAction::ChangeAnswer, false) => "check the answer of",
    };
    let by = match proposal.raised_by {
        RaisedBy::Judge => "judge",
        RaisedBy::Check => "check",
    };
    format!(
        "{action}{components} ({by}): {}",
        plain::words(proposal.reason.trim())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_names_the_cards_and_who_found_it() {
        let proposal = |action, components: &[&str], raised_by| Restructuring {
            action,
            components: components.iter().map(|&id| id.into()).collect(),
            reason: "both are guided practice".to_owned(),
            raised_by,
        };
        for (given, expected) in [
            (
                proposal(RestructuringAction::Merge, &["c3", "c4"], RaisedBy::Judge),
                "merge c3 and c4 (judge): both are guided practice",
            ),
            (
                proposal(RestructuringAction::Add, &[], RaisedBy::Check),
                "add a card (check): both are guided practice",
            ),
            (
                proposal(RestructuringAction::ChangeAnswer, &["c1"], RaisedBy::Judge),
                "check the answer of c1 (judge): both are guided practice",
            ),
        ] {
            assert_eq!(sentence(&given), expected);
        }
    }
}
