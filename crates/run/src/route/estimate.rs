//! Estimates the tokens of calls from the sizes of their parts. Prices come with the models.
//!
//! | call | input | output |
//! |---|---|---|
//! | patch | our instructions, the component, the text on both sides, the task, the terms | the passages that change, before and after: as much as the component |
//! | expand | the same | the component, and a quarter more |
//! | delta | our instructions, the passages before and after, the task | a line for every issue and constraint |
//! | consistency | our instructions, the next component and the end of the one before | a line |
//! | judge | instructions and rubric, the text | scores, and a few issues |
//! | solver | instructions, the item without its key | a letter and a sentence |
//! | self-review | instructions, the text | a status, and a few issues |
//! | arbiter | instructions, the issues | a sentence an issue |
//!
//! Seed 003 §7.2 and §8.2 expect 600 to 1,000 tokens for a patch and 1,200 to 2,000 for a rewritten
//! section.

use serde::{Deserialize, Serialize};

use super::RepairTask;
use crate::ask::Tokens;
use crate::rubric::FixAction;
use crate::token_estimate::estimated_tokens;

/// Tokens of our own text in a prompt, without the document and the task, measured on the templates
/// of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overheads {
    pub self_review: u64,
    /// Including rubric and companions.
    pub judge: u64,
    /// Including the item.
    #[serde(default)]
    pub solve: u64,
    pub arbiter: u64,
    pub patch: u64,
    /// Including the specification.
    pub expand: u64,
    pub delta: u64,
}

/// A line of a delta judge: yes or no with a reason.
const LINE: u64 = 40;
/// A verdict without its issues, and one issue.
const VERDICT: u64 = 170;
const ISSUE: u64 = 110;
/// Issues of a usual verdict; many texts have none.
const USUAL_ISSUES: u64 = 2;
/// The status and reasoning of a self-review.
const STATUS: u64 = 120;
/// The minimum length of a rewritten component.
const SHORTEST: u64 = 200;
/// The markers of a block, or a fence.
const MARKS: u64 = 30;

/// The estimate for one task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskEstimate {
    /// The patcher or the expander.
    pub repair: Tokens,
    /// The delta judge.
    pub verify: Tokens,
    /// The consistency check of the component after it.
    pub consistency: Tokens,
}

impl TaskEstimate {
    #[must_use]
    pub fn total(&self) -> Tokens {
        sum([self.repair, self.verify, self.consistency])
    }
}

/// Estimates a task for a component with this text.
#[must_use]
pub fn task(
    task: &RepairTask,
    component: &str,
    terms: &[String],
    overheads: &Overheads,
) -> TaskEstimate {
    let instructions = task_tokens(task);
    let anchors = [
        &task.context_anchors.prev_section_end,
        &task.context_anchors.next_section_start,
    ];
    let anchors = anchors
        .into_iter()
        .flatten()
        .map(|anchor| estimated_tokens(anchor))
        .sum::<u64>();
    let terms = terms
        .iter()
        .map(|term| estimated_tokens(term) + 1)
        .sum::<u64>();
    let component = estimated_tokens(component);
    let demands = (task.source_issues.len() + task.constraints.len()).max(1);
    let beside = instructions.saturating_add(anchors).saturating_add(terms);
    TaskEstimate {
        repair: match task.action_type {
            FixAction::SurgicalEdit => patch(component, beside, overheads),
            FixAction::RegenerateSection => expand(component, beside, overheads),
        },
        verify: delta(component, instructions, demands as u64, overheads),
        consistency: match task.check_after {
            Some(_) => consistency(component, overheads),
            None => Tokens::default(),
        },
    }
}

/// A patch of a component of this many tokens; `beside` is the task and the context.
#[must_use]
pub fn patch(component: u64, beside: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads
            .patch
            .saturating_add(component)
            .saturating_add(beside),
        component.saturating_add(MARKS),
    )
}

/// A rewrite of a component of this many tokens.
#[must_use]
pub fn expand(component: u64, beside: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads
            .expand
            .saturating_add(component)
            .saturating_add(beside),
        component.saturating_add(component / 4).max(SHORTEST),
    )
}

/// A delta judge's check: at most the component before and after the repair.
#[must_use]
pub fn delta(component: u64, instructions: u64, demands: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads
            .delta
            .saturating_add(component.saturating_mul(2))
            .saturating_add(instructions),
        demands.saturating_mul(LINE).saturating_add(LINE),
    )
}

/// The consistency check of the component after a rewritten one.
#[must_use]
pub fn consistency(component: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads.delta.saturating_add(component.saturating_mul(2)),
        LINE * 2,
    )
}

/// A judge's verdict on a document of this many tokens.
#[must_use]
pub fn judge(document: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads.judge.saturating_add(document),
        VERDICT + ISSUE * USUAL_ISSUES,
    )
}

/// A self-review of a document of this many tokens.
#[must_use]
pub fn self_review(document: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads.self_review.saturating_add(document),
        STATUS + ISSUE,
    )
}

/// The arbiter's wording of this many merged issues.
#[must_use]
pub fn arbiter(issues: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads
            .arbiter
            .saturating_add(issues.saturating_mul(ISSUE)),
        issues.saturating_mul(LINE).saturating_add(LINE),
    )
}

/// A solver's answer.
#[must_use]
pub fn solve(overheads: &Overheads) -> Tokens {
    Tokens::new(overheads.solve, LINE * 2)
}

#[must_use]
pub fn sum(all: impl IntoIterator<Item = Tokens>) -> Tokens {
    all.into_iter().fold(Tokens::default(), Tokens::plus)
}

/// Tokens of a task's own instructions and constraints.
fn task_tokens(task: &RepairTask) -> u64 {
    estimated_tokens(&task.synthesized_instructions)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section of 250 tokens, with prompts as long as in the seed.
    const SEED: Overheads = Overheads {
        self_review: 400,
        judge: 1_200,
        solve: 0,
        arbiter: 300,
        patch: 150,
        expand: 450,
        delta: 100,
    };

    #[test]
    fn the_estimates_meet_what_the_seed_expects() {
        for (name, tokens, from, to) in [
            ("patch", patch(250, 150, &SEED), 600, 1_000),
            ("expand", expand(350, 200, &SEED), 1_200, 2_000),
        ] {
            let total = tokens.total();
            assert!((from..=to).contains(&total), "{name}: {total}");
        }
    }

    #[test]
    fn more_text_takes_more_and_nothing_overflows() {
        for call in [
            patch as fn(u64, u64, &Overheads) -> Tokens,
            expand,
            |component, instructions, overheads| delta(component, instructions, 3, overheads),
        ] {
            assert!(call(2_000, 100, &SEED).total() > call(1_000, 100, &SEED).total());
            assert!(call(u64::MAX, u64::MAX, &SEED).total() >= u64::MAX - 1);
        }
        assert!(judge(2_000, &SEED).total() > judge(1_000, &SEED).total());
        assert!(self_review(2_000, &SEED).total() > self_review(1_000, &SEED).total());
        assert!(arbiter(2, &SEED).total() > arbiter(1, &SEED).total());
    }
}
