//! Events in a line each, for the terminal.

use redraft_run::event::{Event, EventKind, VerdictResult};
use redraft_run::fit::Input;
use redraft_run::ledger::Dollars;
use redraft_run::rubric::FixAction;

use super::count::counted;
use super::sentences;

/// An event in a line, for the terminal; `None` for those that say nothing new.
#[must_use]
pub fn line(event: &Event) -> Option<String> {
    Some(match &event.kind {
        EventKind::RunStarted { run, .. } => format!("run {run}"),
        EventKind::NodeEnter { .. }
        | EventKind::NodeComplete { .. }
        | EventKind::ConvergenceDetected { .. }
        | EventKind::BatchComplete { .. }
        | EventKind::RefinementComplete { .. } => return None,
        EventKind::CheckComplete {
            errors, warnings, ..
        } => format!(
            "checked: {}, {}",
            counted(*errors, "error"),
            counted(*warnings, "warning")
        ),
        EventKind::SelfReview { by, reasoning, .. } => {
            format!("self-review by {by}: {reasoning}")
        }
        EventKind::Scrubbed { what, .. } => format!("scrubbed: {}", what.join("; ")),
        EventKind::Skipped { what, reason } => {
            format!("{what} left out: {}", sentences::skipped(reason))
        }
        EventKind::Verdict {
            role,
            model,
            result: VerdictResult::Scored { score, issues, .. },
            ..
        } => format!("{role} ({model}): {score}, {}", counted(*issues, "issue")),
        EventKind::Verdict {
            role,
            model,
            result: VerdictResult::Unscored(unscored),
            ..
        } => format!("{role} ({model}): unscored, {}", unscored.message),
        EventKind::InputCut {
            role,
            model,
            of,
            parts,
            all,
            ..
        } => {
            let what = match of {
                Input::Document => "parts of the text",
                Input::Sources => "passages of the sources",
            };
            let shown = all.saturating_sub(parts.len());
            format!("{role} ({model}) has room for {shown} of {all} {what}")
        }
        EventKind::AskedAgain { ask, problem, .. } => {
            format!("{ask} is asked again: {}", problem.message)
        }
        EventKind::FellBack {
            role,
            from,
            to,
            reason,
            ..
        } => format!("{role}: {}", sentences::fell_back(from, to, reason)),
        EventKind::Stopped { reason } => format!("no more rounds: {}", sentences::stopped(reason)),
        EventKind::BestEffortSelected { reason, .. } => {
            format!("best effort: {}", sentences::because(reason))
        }
        EventKind::EscalationTriggered { reason } => {
            format!("escalated to a reviewer: {}", sentences::because(reason))
        }
        EventKind::HumanDecision {
            decision,
            refused: Some(reason),
            ..
        } => format!(
            "reviewer: {decision}, not followed: {}",
            sentences::refused(*reason)
        ),
        EventKind::HumanDecision { decision, .. } => format!("reviewer: {decision}"),
        EventKind::LateReply { ask } => format!("{ask} was answered too late"),
        EventKind::RunComplete { status, .. } => status.name().replace('_', " "),
        other => return repair_event(other),
    })
}

/// The same, for the events of repair.
fn repair_event(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::ArbiterConsolidation {
            issues, set_aside, ..
        } => {
            let aside = match set_aside {
                0 => String::new(),
                number => format!(", {number} set aside"),
            };
            format!("{} stand{aside}", counted(*issues, "issue"))
        }
        EventKind::RefinementStart {
            iteration,
            target_sections,
            estimated_tokens,
            ..
        } => {
            let sections: Vec<&str> = target_sections.iter().map(|id| id.0.as_str()).collect();
            format!(
                "round {iteration}: {}, some {estimated_tokens} tokens",
                sections.join(", ")
            )
        }
        EventKind::SectionWritten {
            section,
            title,
            words,
        } => format!("  {section}: {title} ({})", counted(*words, "word")),
        EventKind::TextWritten { words, .. } => format!("written: {}", counted(*words, "word")),
        EventKind::BatchStarted { batch, sections } => {
            format!("  batch {batch}: {}", counted(sections.len(), "task"))
        }
        EventKind::TaskStarted { section, task, .. } => {
            let what = match task {
                FixAction::SurgicalEdit => "editing",
                FixAction::RegenerateSection => "writing again",
            };
            format!("    {section}: {what} …")
        }
        EventKind::PatchApplied { section, .. } => format!("    {section}: edited"),
        EventKind::SectionRegenerated { section, .. } => format!("    {section}: written again"),
        EventKind::VerificationResult {
            section,
            passed: true,
            ..
        } => format!("    {section}: verified, kept"),
        EventKind::RolledBack { task, reason } => format!(
            "    {}: rolled back, {}",
            task.section,
            sentences::rolled_back(reason)
        ),
        EventKind::QualityLockTriggered {
            criterion,
            locked_at,
            score,
            confirmed,
            ..
        } => {
            let then = if *confirmed {
                "a second judge agrees; undone"
            } else {
                "no second judge confirms it"
            };
            format!("{criterion} fell from {locked_at} to {score}: {then}")
        }
        EventKind::SectionLocked { section, reason } => {
            format!("{section} is locked: {}", sentences::locked(reason))
        }
        EventKind::IterationComplete {
            iteration,
            score,
            cost_micros,
            tokens,
            ..
        } => {
            let score = score.map_or("unscored".to_owned(), |score| score.to_string());
            format!(
                "round {iteration} done: {score}; {} tokens, ${} so far",
                tokens.total(),
                Dollars(*cost_micros)
            )
        }
        _ => return None,
    })
}
