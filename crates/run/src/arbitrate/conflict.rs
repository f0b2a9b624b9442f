//! Finds instructions that pull one component in opposite directions, and decides which one wins.
//!
//! | one says | the other says | opposed |
//! |---|---|---|
//! | add | cut | yes |
//! | go into detail | simplify | yes |
//! | more formal | plainer | yes |
//! | add one thing | cut another thing that it quotes, or names | no |
//! | either, about one quoted passage | either, about another | no |
//!
//! | of the two | wins |
//! |---|---|
//! | one is critical, the other not | the critical one: as a mere constraint it would not be repaired |
//! | their criteria differ | the earlier one in the rubric's hierarchy (ruling 27) |
//! | one is more severe | that one |
//! | more judges raised one | that one |
//! | else | the earlier one in the text |
//!
//! Demands are processed from the strongest down. An issue that has lost cannot win over another,
//! because it is not followed.
//!
//! The loser stays among the issues; its entry in the ledger makes it a constraint. `directions`
//! recognises the direction of an instruction by its words.

mod directions;

use std::cmp::Reverse;

use super::similar::{keys, overlap};
use super::{Conflict, TargetedIssue, rank};
use crate::planning_reasons::{Opposition, Precedence};
use crate::rubric::Rubric;
use crate::verdict::{IssueSeverity, Occurrence, Quotes};
use directions::{Direction, OPPOSED, directions_of, instruction, is_about_length, is_listed};

pub(super) use directions::is_addition;

/// The conflict ledger of the kept issues.
pub(super) fn conflicts(
    kept: &[TargetedIssue],
    rubric: &Rubric,
    quotes: &Quotes<'_>,
) -> Vec<Conflict> {
    // Issues are in the order of the text, so those of one component are together.
    kept.chunk_by(|one, other| one.target_section_id == other.target_section_id)
        .flat_map(|part| within(part, rubric, quotes))
        .collect()
}

/// Bounds the pairwise comparison. Beyond it, the weakest demands go to the repair unresolved.
const MOST: usize = 24;

fn within(part: &[TargetedIssue], rubric: &Rubric, quotes: &Quotes<'_>) -> Vec<Conflict> {
    let mut demands: Vec<Demand<'_>> = part
        .iter()
        .map(|issue| Demand::of(issue, quotes))
        .filter(|demand| !demand.directions.is_empty())
        .collect();
    // Strongest first. The sort is stable, so ties keep the order of the text.
    demands.sort_by_key(|demand| strength(demand.issue, rubric));
    demands.truncate(MOST);
    let mut ledger: Vec<Conflict> = Vec::new();
    let mut yielded: Vec<Option<&str>> = vec![None; demands.len()];
    for (strong, one) in demands.iter().enumerate() {
        for (weak, other) in demands.iter().enumerate().skip(strong + 1) {
            let Some(about) = one.opposes(other) else {
                continue;
            };
            let already = |index: usize| yielded.get(index).copied().flatten();
            let (winner, loser, why) = match (already(strong), already(weak)) {
                // An issue that is not followed opposes nothing.
                (Some(_), Some(_)) => continue,
                (Some(to), None) => {
                    let why = Precedence::OtherAlreadyLost { to: to.to_owned() };
                    (other, one, why)
                }
                (None, _) => (one, other, precedence(one.issue, other.issue, rubric)),
            };
            let at = if std::ptr::eq(loser, one) {
                strong
            } else {
                weak
            };
            if let Some(yields) = yielded.get_mut(at) {
                yields.get_or_insert(&winner.issue.id);
            }
            ledger.push(entry(winner.issue, loser.issue, about, why));
        }
    }
    ledger
}

fn entry(
    winner: &TargetedIssue,
    loser: &TargetedIssue,
    about: Opposition,
    because: Precedence,
) -> Conflict {
    Conflict {
        section_id: winner.target_section_id.clone(),
        about,
        winner: winner.id.clone(),
        winner_criterion: winner.issue.criterion.clone(),
        loser: loser.id.clone(),
        loser_criterion: loser.issue.criterion.clone(),
        constraint: format!(
            "{} must not get worse: {}",
            loser.issue.criterion, loser.fix_instructions
        ),
        because,
    }
}

/// Sort key by precedence, the strongest first.
fn strength(
    issue: &TargetedIssue,
    rubric: &Rubric,
) -> (bool, usize, Reverse<IssueSeverity>, Reverse<usize>) {
    let severity = issue.issue.severity;
    (
        severity != IssueSeverity::Critical,
        rank(rubric, &issue.issue.criterion),
        Reverse(severity),
        Reverse(issue.raised_by),
    )
}

/// Which part of `strength` decided.
fn precedence(winner: &TargetedIssue, loser: &TargetedIssue, rubric: &Rubric) -> Precedence {
    let (one, other) = (strength(winner, rubric), strength(loser, rubric));
    if one.0 != other.0 {
        Precedence::Critical
    } else if one.1 != other.1 {
        Precedence::Hierarchy
    } else if one.2 != other.2 {
        Precedence::Severity
    } else if one.3 != other.3 {
        Precedence::Judges {
            winner: winner.raised_by,
            loser: loser.raised_by,
        }
    } else {
        Precedence::Position
    }
}

struct Demand<'i> {
    issue: &'i TargetedIssue,
    directions: Vec<Direction>,
    occurrence: Option<Occurrence>,
}

impl<'i> Demand<'i> {
    fn of(issue: &'i TargetedIssue, quotes: &Quotes<'_>) -> Self {
        let quote = issue.issue.quote.as_deref();
        Self {
            issue,
            directions: directions_of(&issue.issue),
            occurrence: quote.and_then(|quote| quotes.look_up(quote).ok()),
        }
    }

    /// What the two demands disagree about, if they are opposed.
    fn opposes(&self, other: &Self) -> Option<Opposition> {
        OPPOSED.iter().find_map(|(towards, away, about)| {
            let has = |demand: &Self, direction| demand.directions.contains(&direction);
            let meet = has(self, *towards) && has(other, *away) && self.meets(other, *towards)
                || has(other, *towards) && has(self, *away) && other.meets(self, *towards);
            meet.then_some(*about)
        })
    }

    /// Whether both demands are about the same thing. `self` points in the direction `pull`,
    /// `other` in the opposite one.
    fn meets(&self, other: &Self, pull: Direction) -> bool {
        match (&self.occurrence, &other.occurrence) {
            (Some(one), Some(other)) => overlap(one, other),
            // Adding one thing is compatible with cutting a quoted passage, unless both are about
            // the same thing.
            (None, Some(_)) if pull == Direction::Add => self.shares_words(other),
            (None, None) if pull == Direction::Add => {
                is_about_length(&other.issue.issue) || self.shares_words(other)
            }
            _ => true,
        }
    }

    /// Whether the two instructions share a word that carries meaning.
    fn shares_words(&self, other: &Self) -> bool {
        let about = |demand: &Self| {
            let mut about = keys(instruction(&demand.issue.issue));
            about.retain(|key| !is_listed(COMMON, key));
            about
        };
        about(self).intersection(&about(other)).next().is_some()
    }
}

/// Stems of words that are common in instructions, whatever they are about.
const COMMON: &str = "secti|parag|sente|text|lesso|more|from|that|this|with|which|would|after|befor|\
 about|into|part|раздел|разде|абзац|предл|текст|урок|более|чтобы|absch|absat|\
 diese|dieser|secci|párra|secti|parag|phras|exampl|examp|приме|beisp|ejemp|\
 exemp|例子";
