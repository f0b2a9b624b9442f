//! Sentences about what happened in a run: the reasons that events and the outcome
//! carry as data, in plain English. Every report takes its words from here.

use redraft_run::outcome::{Hint, Status};
use redraft_run::reasons::{
    Because, BeyondRepair, CannotWrite, LockReason, NotAccepted, NotWritten, NothingToRepair,
    OverBudget, Refusal, RollbackReason, SkipReason, StopReason, Unconfirmed,
};
use redraft_run::solve::{ItemOption, SolverAnswer, Solving, SolvingResult};
use redraft_run::verdict::{Doubt, IssueSeverity, Reason, Unscored};

use super::decimals::Decimals;
use super::planning_sentences;

/// What became of a text.
#[must_use]
pub fn status(status: Status) -> &'static str {
    match status {
        Status::Accepted => "accepted",
        Status::AcceptedWarning => "accepted with warnings",
        Status::BestEffort => "best effort",
        Status::Escalated => "escalated to a reviewer",
        Status::Checked => "checked",
    }
}

/// Why a text was not accepted, and why its repair ended.
#[must_use]
pub fn because(because: &Because) -> String {
    let not_accepted = not_accepted(&because.not_accepted);
    match &because.stopped {
        Some(reason) => format!("{not_accepted}; {}", stopped(reason)),
        None => not_accepted,
    }
}

/// Why a text was not accepted.
#[must_use]
pub fn not_accepted(reason: &NotAccepted) -> String {
    match reason {
        NotAccepted::NotWritten { reason } => {
            format!("nothing was written: {}", not_written(reason))
        }
        // Its message says itself that no judge was asked.
        NotAccepted::Unscored(unscored) if unscored.reason == Reason::Unusable => {
            unscored.message.clone()
        }
        NotAccepted::Unscored(unscored) => format!("no judge has scored it: {}", unscored.message),
        NotAccepted::PartlyRead { unread } => format!(
            "the judge could read only {unread}: use a model with a longer context window, or judge the text in smaller files"
        ),
        NotAccepted::OpenError(error) => {
            format!("there is an open error: {} ({})", error.message, error.name)
        }
        NotAccepted::LowConfidence { doubts } => match doubts.as_slice() {
            [] => "the judge is not sure of the score".to_owned(),
            doubts => {
                let each: Vec<String> = doubts.iter().map(doubt).collect();
                format!("the verdict is not credible: {}", each.join("; "))
            }
        },
        NotAccepted::CriteriaBelow { criteria } => {
            let each: Vec<String> = criteria
                .iter()
                .map(|one| {
                    let decimals = Decimals::of([one.score, one.threshold]);
                    format!(
                        "{} scores {}, below its threshold of {}",
                        one.criterion,
                        decimals.show(one.score),
                        decimals.show(one.threshold)
                    )
                })
                .collect();
            each.join("; ")
        }
        NotAccepted::OverallBelow { score, needed } => {
            let decimals = Decimals::of([*score, *needed]);
            format!(
                "the overall score is {}, below the threshold of {}",
                decimals.show(*score),
                decimals.show(*needed)
            )
        }
        NotAccepted::CriticalIssue => "a critical issue is open".to_owned(),
        NotAccepted::BlockingIssue {
            criterion,
            component,
            severity,
        } => format!(
            "a {} issue of {criterion} is open in {component}, and the policy never accepts one",
            self::severity(*severity)
        ),
        NotAccepted::KeyDisputed { key, answers } => key_disputed(key, answers),
        NotAccepted::Unconfirmed { reason } => {
            format!("the panel has not confirmed it: {}", unconfirmed(reason))
        }
    }
}

/// Why a verdict is not credible.
#[must_use]
pub fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Flat { score } => format!("it scores every criterion {score}"),
        Doubt::Unexplained { criterion, score } => {
            format!("it scores {criterion} {score} without naming an issue")
        }
        Doubt::Contradicted { criterion, score } => format!(
            "it names a serious issue of {criterion}, but scores nothing higher than this criterion ({score})"
        ),
        Doubt::Misquoted { quotes: 1 } => "the passage it quotes is not in the text".to_owned(),
        Doubt::Misquoted { quotes } => {
            format!("none of the {quotes} passages it quotes is in the text")
        }
        Doubt::EmptyFix { criterion } => {
            format!("its fix for {criterion} repeats the words that it criticises")
        }
        Doubt::FailedTest { right, pairs } => format!(
            "its judge ranked only {right} of {pairs} pairs of good and bad texts correctly in `redraft models --test`"
        ),
    }
}

/// What a solver who does not see the key came to.
#[must_use]
pub fn solved(solving: &Solving) -> String {
    let first = solving.answers.first();
    let named = first.map_or("nothing", |answer| answer.option.letter.as_str());
    let model = &solving.model;
    let key = &solving.key.letter;
    match solving.result {
        SolvingResult::Agrees => format!("solver ({model}): {named}, as the key says"),
        SolvingResult::Disagrees => {
            format!("solver ({model}): {named} twice, but the key is {key}")
        }
        SolvingResult::Unsure => {
            format!("solver ({model}): {named}, but it is not sure; the key is {key}")
        }
        SolvingResult::Unanswered => {
            let why = solving.unanswered.as_ref();
            let why = why.map_or("no answer", |unscored| unscored.message.as_str());
            format!("solver ({model}): no answer: {why}")
        }
    }
}

/// That a solver names another option than the key, with both of its answers.
fn key_disputed(key: &ItemOption, answers: &[SolverAnswer]) -> String {
    let shown = |option: &ItemOption| format!("{} (“{}”)", option.letter, option.text);
    let named = answers.first().map(|answer| shown(&answer.option));
    let said: Vec<String> = answers
        .iter()
        .map(|answer| format!("“{}”", answer.reason.trim().trim_end_matches('.')))
        .collect();
    format!(
        "the key may be wrong: it is {}, but a solver that did not see it chose {} twice, with high confidence: {}; compare the two, and correct the key or the item",
        shown(key),
        named.unwrap_or_default(),
        said.join(", then ")
    )
}

fn unconfirmed(reason: &Unconfirmed) -> String {
    match reason {
        Unconfirmed::Incomparable => {
            "different judges scored the other version, so the two cannot be compared".to_owned()
        }
        Unconfirmed::Disputed { unscored: None } => {
            "two judges disagree, and there is no tiebreaker".to_owned()
        }
        Unconfirmed::Disputed {
            unscored: Some(unscored),
        } => format!(
            "two judges disagree, and the third gave no verdict: {}",
            unscored.message
        ),
        Unconfirmed::OneJudge => "only one judge is configured".to_owned(),
        Unconfirmed::NoVerdict { role, unscored } => format!(
            "only one judge has scored it; {role} gave no verdict: {}",
            unscored.message
        ),
        Unconfirmed::NotAsked => "the second judge was not asked".to_owned(),
    }
}

/// Why repair ended.
#[must_use]
pub fn stopped(reason: &StopReason) -> String {
    match reason {
        StopReason::Interrupted(unscored) => unscored.message.clone(),
        StopReason::IterationsUsedUp { most: 1 } => "the one round of repair is used up".to_owned(),
        StopReason::IterationsUsedUp { most } => {
            format!("all {most} rounds of repair are used up")
        }
        StopReason::Converged { below } => {
            format!("the last two rounds improved the score by less than {below}")
        }
        StopReason::Oscillating => "the score is oscillating".to_owned(),
        StopReason::NoProposal { rounds } => {
            format!("no usable change was proposed in the last {rounds} rounds")
        }
        StopReason::NothingKept { rounds } => {
            format!("no repair was kept in the last {rounds} rounds")
        }
        StopReason::BudgetExhausted(lack) => over_budget(*lack),
        StopReason::SameTextAgain => "a repair led back to an earlier version".to_owned(),
        StopReason::NothingToRepair { reason } => nothing_to_repair(reason),
        StopReason::BeyondRepair { reason } => match reason {
            BeyondRepair::PartlyRead => "what was read needs no further repair".to_owned(),
            BeyondRepair::KeyDisputed => "no repair changes a key".to_owned(),
            BeyondRepair::LowConfidence => {
                "the scores are high enough, but no repair can make the judge more confident"
                    .to_owned()
            }
        },
        StopReason::NotRewritten { reason } => not_rewritten(reason),
    }
}

fn over_budget(OverBudget { needs, left }: OverBudget) -> String {
    format!(
        "budget exhausted: a repair with its verification needs up to {needs} tokens, and {left} are left"
    )
}

fn nothing_to_repair(reason: &NothingToRepair) -> String {
    match reason {
        NothingToRepair::NotJudged => "no judge has named anything to repair".to_owned(),
        NothingToRepair::WholeNeeded { because, obstacle } => format!(
            "the whole text would have to be rewritten ({}), but {}",
            planning_sentences::whole_rewrite(because),
            cannot_write(obstacle)
        ),
        NothingToRepair::NoTaskLeft => "no repair task is left".to_owned(),
    }
}

fn not_rewritten(reason: &NotWritten) -> String {
    match reason {
        NotWritten::Unusable(_) => {
            format!("the rewritten text is unusable: {}", not_written(reason))
        }
        NotWritten::NotTried { .. } | NotWritten::NoAnswer(_) => {
            format!("the text could not be rewritten: {}", not_written(reason))
        }
    }
}

fn not_written(reason: &NotWritten) -> String {
    match reason {
        NotWritten::NotTried { reason } => cannot_write(reason),
        NotWritten::NoAnswer(Unscored { message, .. })
        | NotWritten::Unusable(Unscored { message, .. }) => message.clone(),
    }
}

fn cannot_write(reason: &CannotWrite) -> String {
    match reason {
        CannotWrite::NoSpecification => {
            "there is no specification to write it from: give one with --spec".to_owned()
        }
        CannotWrite::NoModel { role } => format!("no model is configured as {role}"),
        CannotWrite::Forbidden => "the policy does not allow rewriting the whole text".to_owned(),
        CannotWrite::RewrittenOften { times: 1 } => "it was already rewritten once".to_owned(),
        CannotWrite::RewrittenOften { times } => format!("it was already rewritten {times} times"),
        CannotWrite::PartlyRead => "a judge has read only a part of it".to_owned(),
        CannotWrite::Locked => "a reviewer locked or edited a component".to_owned(),
    }
}

/// Why a repair was rolled back. Ids of issues are left out: they are for models.
#[must_use]
pub fn rolled_back(reason: &RollbackReason) -> String {
    match reason {
        RollbackReason::NotSolved { unmet } => {
            let mut each: Vec<&str> = Vec::new();
            for one in unmet {
                let said = match one.reason.trim().trim_end_matches('.') {
                    "" if one.id.starts_with("constraint") => "a constraint is broken",
                    "" => "the issue is not solved",
                    said => said,
                };
                if !each.contains(&said) {
                    each.push(said);
                }
            }
            each.join("; ")
        }
        RollbackReason::NotRewritten { reason } => not_rewritten(reason),
        // What was wrong with an answer is told to the model at length.
        RollbackReason::NoAnswer(unscored) => {
            format!("no usable answer: {}", in_short(&unscored.message))
        }
        RollbackReason::NoChange { reason } if reason.trim().is_empty() => {
            "nothing was changed".to_owned()
        }
        RollbackReason::NotBetter { reason } if reason.trim().is_empty() => {
            "the new text is not better".to_owned()
        }
        RollbackReason::NoChange { .. }
        | RollbackReason::Rejected { .. }
        | RollbackReason::NoLongerFits { .. }
        | RollbackReason::NotBetter { .. }
        | RollbackReason::NotVerified(_)
        | RollbackReason::QualityLock { .. }
        | RollbackReason::Locked { .. }
        | RollbackReason::Skipped { .. }
        | RollbackReason::OtherVersionPreferred => reason.to_string(),
    }
}

/// The beginning of a long message.
fn in_short(message: &str) -> String {
    const MOST: usize = 120;
    match message.char_indices().nth(MOST) {
        Some((at, _)) => {
            let start = message.get(..at).unwrap_or_default();
            let end = start.rfind(char::is_whitespace).unwrap_or(at);
            format!("{} …", start.get(..end).unwrap_or(start))
        }
        None => message.to_owned(),
    }
}

/// Why a component is no longer edited.
#[must_use]
pub fn locked(reason: &LockReason) -> String {
    match reason {
        LockReason::EditedOften { edits: 1 } => "it was edited once".to_owned(),
        LockReason::EditedOften { edits } => format!("it was edited {edits} times"),
        LockReason::MadeWorse { criterion } => format!("a repair of it made {criterion} worse"),
        LockReason::ByReviewer { by } => format!("{by} locked it"),
        LockReason::EditedByReviewer { by } => format!("{by} edited it"),
    }
}

/// Why something was left out.
#[must_use]
pub fn skipped(reason: &SkipReason) -> String {
    match reason {
        SkipReason::NoModel => "no model is configured for it".to_owned(),
        SkipReason::CannotChangeDecision {
            not_accepted: reason,
        } => format!(
            "not asked, as it could not change the decision: {}",
            not_accepted(reason)
        ),
        SkipReason::FallWithoutIssue { criterion } => {
            format!(
                "not asked: {criterion} scores lower, but the judge names no new issue about it"
            )
        }
        SkipReason::NoAnswer(unscored) => unscored.message.clone(),
        SkipReason::EditRejected { component, problem } => format!("{component}: {problem}"),
        SkipReason::DoesNotFit => "its edits do not fit the text".to_owned(),
        SkipReason::OverBudget { component, lack } => {
            format!("{component}: {}", over_budget(*lack))
        }
        SkipReason::NotRewritten { reason } => not_rewritten(reason),
        SkipReason::Internal { message } => format!("internal error, please report it: {message}"),
    }
}

/// Why a reviewer's decision was not followed.
#[must_use]
pub fn refused(reason: Refusal) -> &'static str {
    match reason {
        Refusal::NotScored => "no judge has scored this text",
        Refusal::OpenError => "an error is open",
        Refusal::JudgingOnly => "this run only judges; use `redraft refine`",
        Refusal::EditedOften => "the maximum number of edits is reached",
        Refusal::RetriedOften => "the maximum number of retries is reached",
    }
}

/// How bad an issue is, in a word.
#[must_use]
pub fn severity(severity: IssueSeverity) -> &'static str {
    match severity {
        IssueSeverity::Critical => "critical",
        IssueSeverity::Major => "major",
        IssueSeverity::Minor => "minor",
    }
}

/// What would improve the text.
#[must_use]
pub fn hint(hint: &Hint) -> String {
    let severity = severity(hint.severity);
    let component = hint.title.as_deref().unwrap_or(hint.component.0.as_str());
    format!("{component} ({}, {severity}): {}", hint.criterion, hint.fix)
}

/// That a fallback model was asked: `fallback: b was asked instead of a: why`.
#[must_use]
pub fn fell_back(from: &str, to: &str, reason: &Unscored) -> String {
    format!(
        "fallback: {to} was asked instead of {from}: {}",
        without_name(&reason.message, from)
    )
}

/// A provider's failure without the name of its model, which it begins with.
pub(crate) fn without_name<'a>(message: &'a str, model: &str) -> &'a str {
    message
        .strip_prefix(model)
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use redraft_gate::score::Score;
    use redraft_run::ask::Role;
    use redraft_run::planning_reasons::WholeRewriteReason;
    use redraft_run::reasons::{CriterionBelow, Unmet};
    use redraft_run::verdict::Reason;

    use super::*;

    fn score(thousandths: u16) -> Score {
        Score::from_thousandths(thousandths).unwrap()
    }

    #[test]
    fn a_text_that_was_not_accepted_says_what_it_lacks_and_why_repair_ended() {
        let low = NotAccepted::OverallBelow {
            score: score(800),
            needed: score(900),
        };
        for (not_accepted, stopped, expected) in [
            (
                low.clone(),
                None,
                "the overall score is 0.80, below the threshold of 0.90",
            ),
            (
                low.clone(),
                Some(StopReason::Oscillating),
                "the overall score is 0.80, below the threshold of 0.90; the score is oscillating",
            ),
            (
                low,
                Some(StopReason::NothingToRepair {
                    reason: NothingToRepair::WholeNeeded {
                        because: WholeRewriteReason::CriticalSections {
                            critical: 3,
                            sections: 7,
                            most_percent: 40,
                        },
                        obstacle: CannotWrite::NoModel {
                            role: Role::Planner,
                        },
                    },
                }),
                "the overall score is 0.80, below the threshold of 0.90; the whole text would have to be \
                 rewritten (3 of 7 sections have a critical issue, more than 40%), but no model is configured as planner",
            ),
            (
                NotAccepted::CriteriaBelow {
                    criteria: ["coherence", "accessibility"]
                        .map(|criterion| CriterionBelow {
                            criterion: criterion.to_owned(),
                            score: score(700),
                            threshold: score(850),
                        })
                        .to_vec(),
                },
                Some(StopReason::IterationsUsedUp { most: 3 }),
                "coherence scores 0.70, below its threshold of 0.85; accessibility scores 0.70, \
                 below its threshold of 0.85; all 3 rounds of repair are used up",
            ),
            (
                NotAccepted::Unconfirmed {
                    reason: Unconfirmed::NoVerdict {
                        role: Role::JudgePrimary,
                        unscored: Unscored::new(Reason::CallFailed, "no key"),
                    },
                },
                None,
                "the panel has not confirmed it: only one judge has scored it; judge_primary gave \
                 no verdict: no key",
            ),
        ] {
            let told = because(&Because {
                not_accepted,
                stopped,
            });
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn a_rollback_is_told_without_the_ids_that_models_see() {
        let unmet = |id: &str, reason: &str| Unmet {
            id: id.to_owned(),
            demand: format!("the demand of {id}"),
            reason: reason.to_owned(),
        };
        let reason = RollbackReason::NotSolved {
            unmet: vec![
                unmet("issue_1", "Nothing changed."),
                unmet("constraint_2", "a term is gone"),
            ],
        };
        assert_eq!(rolled_back(&reason), "Nothing changed; a term is gone");
        // A judge who gives no reason, or the same one twice.
        let silent = RollbackReason::NotSolved {
            unmet: vec![
                unmet("issue_1", " "),
                unmet("issue_2", ""),
                unmet("constraint_1", ""),
                unmet("issue_3", "It is wrong."),
                unmet("issue_4", "It is wrong"),
            ],
        };
        assert_eq!(
            rolled_back(&silent),
            "the issue is not solved; a constraint is broken; It is wrong"
        );
        for reason in [
            RollbackReason::NoChange {
                reason: String::new(),
            },
            RollbackReason::NotBetter {
                reason: String::new(),
            },
        ] {
            let told = rolled_back(&reason);
            assert!(!told.trim_end().ends_with(':'), "{told}");
        }
        let long = Unscored::new(
            Reason::WrongShape,
            "write a line before the text of each: ".repeat(20),
        );
        let told = rolled_back(&RollbackReason::NoAnswer(long));
        assert!(told.chars().count() < 160 && told.ends_with('…'), "{told}");
        assert_eq!(
            reason.to_string(),
            "“the demand of issue_1”: Nothing changed.; “the demand of constraint_2”: a term is gone"
        );
    }

    #[test]
    fn a_fallback_names_both_models_and_the_reason_once() {
        let failed = Unscored::new(Reason::CallFailed, "openai/y: no key (401)");
        assert_eq!(
            fell_back("openai/y", "openrouter/x", &failed),
            "fallback: openrouter/x was asked instead of openai/y: no key (401)"
        );
    }
}
