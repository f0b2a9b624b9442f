//! What calls are expected to take, in tokens, from the sizes of what is sent.
//! Pure sums; prices come with the models.
//!
//! | call | sent | received |
//! |---|---|---|
//! | patch | instructions of ours, the component, the text on both sides, the task, the terms | the passages that change, before and after: as much as the component |
//! | expand | the same | the component, and a quarter more |
//! | delta | instructions of ours, the passages before and after, the task | a line for every issue and constraint |
//! | consistency | instructions of ours, the next component and the end of the one before | a line |
//! | judge | instructions and rubric, the text | scores, and a few issues |
//! | solver | instructions, the item without its key | a letter and a sentence |
//! | self-review | instructions, the text | a status, and a few issues |
//! | arbiter | instructions, the issues | a sentence an issue |
//!
//! Seed 003 §7.2 and §8.2 expect 600 to 1,000 tokens for a patch and 1,200 to
//! 2,000 for a section that is written again.

use serde::{Deserialize, Serialize};

use super::RepairTask;
use crate::ask::Tokens;
use crate::rubric::FixAction;
use crate::token_estimate::estimated_tokens;

/// What our own words in a prompt take, in tokens, the text and the task left
/// out: measured from the templates of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overheads {
    pub self_review: u64,
    /// Of a judge, rubric and companions included.
    pub judge: u64,
    /// Of a solver, with the item.
    #[serde(default)]
    pub solve: u64,
    pub arbiter: u64,
    pub patch: u64,
    /// Of a section that is written again, specification included.
    pub expand: u64,
    pub delta: u64,
}

/// A line of a delta judge: yes or no, and a reason.
const LINE: u64 = 40;
/// What a verdict holds beside its issues, and an issue.
const VERDICT: u64 = 170;
const ISSUE: u64 = 110;
/// Issues of a usual verdict: many texts have none.
const USUAL_ISSUES: u64 = 2;
/// A self-review's status and reasoning.
const STATUS: u64 = 120;
/// Shorter components are written again at some length all the same.
const SHORTEST: u64 = 200;
/// Search and replace marks, or a fence.
const MARKS: u64 = 30;

/// What one task is expected to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskEstimate {
    /// For the patcher or the expander.
    pub repair: Tokens,
    /// For the delta judge.
    pub verify: Tokens,
    /// For a look at the component after it.
    pub consistency: Tokens,
}

impl TaskEstimate {
    #[must_use]
    pub fn total(&self) -> Tokens {
        sum([self.repair, self.verify, self.consistency])
    }
}

/// The estimate of a task on a component with this text.
#[must_use]
pub fn task(
    task: &RepairTask,
    component: &str,
    terms: &[String],
    overheads: &Overheads,
) -> TaskEstimate {
    let told = task_tokens(task);
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
    let beside = told.saturating_add(anchors).saturating_add(terms);
    TaskEstimate {
        repair: match task.action_type {
            FixAction::SurgicalEdit => patch(component, beside, overheads),
            FixAction::RegenerateSection => expand(component, beside, overheads),
        },
        verify: delta(component, told, demands as u64, overheads),
        consistency: match task.check_after {
            Some(_) => consistency(component, overheads),
            None => Tokens::default(),
        },
    }
}

/// A patch of a component of so many tokens; `beside` is the task and the context.
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

/// A component of so many tokens written again.
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

/// A look at what a repair changed: at most the component before and after.
#[must_use]
pub fn delta(component: u64, told: u64, demands: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads
            .delta
            .saturating_add(component.saturating_mul(2))
            .saturating_add(told),
        demands.saturating_mul(LINE).saturating_add(LINE),
    )
}

/// A look at the component after one that was written again.
#[must_use]
pub fn consistency(component: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads.delta.saturating_add(component.saturating_mul(2)),
        LINE * 2,
    )
}

/// A judge's verdict on a document of so many tokens.
#[must_use]
pub fn judge(document: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads.judge.saturating_add(document),
        VERDICT + ISSUE * USUAL_ISSUES,
    )
}

/// A self-review of a document of so many tokens.
#[must_use]
pub fn self_review(document: u64, overheads: &Overheads) -> Tokens {
    Tokens::new(
        overheads.self_review.saturating_add(document),
        STATUS + ISSUE,
    )
}

/// The arbiter's words for so many merged issues.
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

/// What the task itself takes to be told.
fn task_tokens(task: &RepairTask) -> u64 {
    estimated_tokens(&task.synthesized_instructions)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section of 250 tokens under prompts as long as the seed's.
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
            |component, told, overheads| delta(component, told, 3, overheads),
        ] {
            assert!(call(2_000, 100, &SEED).total() > call(1_000, 100, &SEED).total());
            assert!(call(u64::MAX, u64::MAX, &SEED).total() >= u64::MAX - 1);
        }
        assert!(judge(2_000, &SEED).total() > judge(1_000, &SEED).total());
        assert!(self_review(2_000, &SEED).total() > self_review(1_000, &SEED).total());
        assert!(arbiter(2, &SEED).total() > arbiter(1, &SEED).total());
    }
}
