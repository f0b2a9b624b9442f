//! Events in a line each, for the terminal.

use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;
use redraft_run::event::{Event, EventKind, VerdictResult};
use redraft_run::fit::Input;
use redraft_run::ledger::Dollars;
use redraft_run::reasons::Refusal;
use redraft_run::rubric::FixAction;
use unicode_width::UnicodeWidthStr as _;

use super::count::counted;
use super::plain;
use super::sentences;

/// An event in a line; `None` for those that add nothing.
#[must_use]
pub fn line(event: &Event) -> Option<String> {
    wording(event).map(|line| plain::words(&line).into_owned())
}

fn wording(event: &Event) -> Option<String> {
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
        EventKind::SelfReview {
            by,
            reasoning,
            said,
            ..
        } => {
            let opinion = match said {
                Some(_) => " It suggests a rewrite; the judge is shown this.",
                None => "",
            };
            format!("self-review by {by}: {reasoning}{opinion}")
        }
        EventKind::Scrubbed { what, .. } => format!("fixed: {}", what.join("; ")),
        EventKind::Skipped { what, reason } => {
            format!("{what} skipped: {}", sentences::skipped(reason))
        }
        EventKind::Verdict {
            role,
            model,
            result:
                VerdictResult::Scored {
                    score,
                    issues,
                    doubts,
                    ..
                },
            reused,
            ..
        } => {
            let from = if *reused { ", reused" } else { "" };
            let said = format!(
                "{role} ({model}): {score}, {}{from}",
                counted(*issues, "issue")
            );
            match doubts.first() {
                Some(doubt) => format!("{said}; not credible: {}", sentences::doubt(doubt)),
                None => said,
            }
        }
        EventKind::Verdict {
            role,
            model,
            result: VerdictResult::Unscored(unscored),
            ..
        } => format!("{role} ({model}): no verdict: {}", unscored.message),
        EventKind::InputCut {
            role,
            model,
            of,
            parts,
            all,
            ..
        } => {
            let what = match of {
                Input::Document => "components of the text",
                Input::Sources => "chunks of the sources",
            };
            let shown = all.saturating_sub(parts.len());
            format!("{role} ({model}) reads only {shown} of {all} {what}")
        }
        EventKind::AskedAgain {
            role,
            model,
            problem,
            ..
        } => format!("asking {role} ({model}) again: {}", problem.message),
        EventKind::FellBack {
            role,
            from,
            to,
            reason,
            ..
        } => format!("{role}: {}", sentences::fell_back(from, to, reason)),
        EventKind::Stopped { reason } => format!("stopped: {}", sentences::stopped(reason)),
        EventKind::BestEffortSelected { reason, .. } => {
            format!("best effort: {}", sentences::because(reason))
        }
        EventKind::EscalationTriggered { reason } => {
            format!("escalated to a reviewer: {}", sentences::because(reason))
        }
        EventKind::LateReply { ask } => format!("the reply to {ask} came too late"),
        EventKind::RunComplete { status, .. } => sentences::status(*status).to_owned(),
        other => return later_event(other),
    })
}

/// What a reviewer decided, about which component, and why it was not followed.
fn reviewer(decision: &str, section: Option<&ComponentId>, refused: Option<Refusal>) -> String {
    let about = section.map(|section| format!(" {section}"));
    let refused = refused.map(|reason| format!(", not followed: {}", sentences::refused(reason)));
    format!(
        "reviewer: {decision}{}{}",
        about.unwrap_or_default(),
        refused.unwrap_or_default()
    )
}

fn later_event(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::HumanDecision {
            decision,
            section,
            refused,
            ..
        } => reviewer(decision, section.as_ref(), *refused),
        EventKind::Solved { solving, .. } => sentences::solved(solving),
        EventKind::ArbiterConsolidation {
            issues, set_aside, ..
        } => {
            let aside = match set_aside {
                0 => String::new(),
                number => format!(", {number} set aside"),
            };
            format!("{}{aside}", counted(*issues, "open issue"))
        }
        EventKind::InstructionsPhrased { by, sections, .. } => format!(
            "  instructions for {} put into words by {by}",
            counted(sections.len(), "component")
        ),
        other => return repair_event(other),
    })
}

fn repair_event(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::RefinementStart {
            iteration,
            target_sections,
            estimated_tokens,
            ..
        } => {
            let sections: Vec<&str> = target_sections.iter().map(|id| id.0.as_str()).collect();
            let what = match sections.as_slice() {
                [] => "the whole text".to_owned(),
                sections => sections.join(", "),
            };
            format!("round {iteration}: repairing {what}, about {estimated_tokens} tokens")
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
        EventKind::TaskStarted {
            section,
            task,
            retry,
            ..
        } => {
            let what = match task {
                FixAction::SurgicalEdit => "editing",
                FixAction::RegenerateSection => "rewriting",
            };
            let again = if *retry { " once more" } else { "" };
            format!("    {section}: {what}{again} …")
        }
        EventKind::PatchApplied { section, .. } => format!("    {section}: edited"),
        EventKind::SectionRegenerated { section, .. } => format!("    {section}: rewritten"),
        EventKind::VerificationResult {
            section,
            passed: true,
            ..
        } => format!("    {section}: verified, kept"),
        EventKind::RolledBack { task, reason, .. } => format!(
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
                "a second judge agrees; rolled back"
            } else {
                "a second judge does not confirm it"
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
            let score = score.map_or("not scored".to_owned(), |score| score.to_string());
            // Without a price nothing is known of the cost.
            let cost = match *cost_micros {
                0 => String::new(),
                micros => format!(", ${}", Dollars(micros)),
            };
            format!(
                "round {iteration} done: {score}; {} tokens{cost} so far",
                tokens.total()
            )
        }
        _ => return None,
    })
}

/// Where the run of a document is, in a line for the terminal.
#[derive(Clone, Debug)]
pub struct Stage {
    name: String,
    now: String,
    score: Option<Score>,
    cost_micros: u64,
}

impl Stage {
    #[must_use]
    pub fn new(path: &str) -> Self {
        const LONGEST: usize = 34;
        let path = plain::path(path);
        let mut shown: &str = &path;
        let mut lead = "";
        while shown.width() + lead.width() > LONGEST {
            lead = "…";
            let mut rest = shown.chars();
            rest.next();
            shown = rest.as_str();
        }
        let space = LONGEST.saturating_sub(shown.width() + lead.width());
        let name = format!("{lead}{shown}{}", " ".repeat(space));
        Self {
            name,
            now: "waiting".to_owned(),
            score: None,
            cost_micros: 0,
        }
    }

    /// Takes an event in; whether that changed the line.
    pub fn update(&mut self, event: &Event) -> bool {
        match &event.kind {
            EventKind::CheckComplete { .. } => "judging".clone_into(&mut self.now),
            EventKind::Verdict {
                result: VerdictResult::Scored { score, .. },
                ..
            } => self.score = Some(*score),
            EventKind::RefinementStart { iteration, .. } => {
                self.now = format!("repairing, round {iteration}");
            }
            EventKind::BatchComplete { .. } => "judging again".clone_into(&mut self.now),
            EventKind::IterationComplete {
                score, cost_micros, ..
            } => {
                self.score = score.or(self.score);
                self.cost_micros = *cost_micros;
            }
            EventKind::RunComplete { cost_micros, .. } => {
                self.cost_micros = *cost_micros;
                "done".clone_into(&mut self.now);
            }
            _ => return false,
        }
        true
    }

    #[must_use]
    pub fn line(&self) -> String {
        let score = self.score.map_or(String::new(), |score| score.to_string());
        let cost = match self.cost_micros {
            0 => String::new(),
            micros => format!("${}", Dollars(micros)),
        };
        format!("{}  {:<20}  {score:<5}  {cost}", self.name, self.now)
            .trim_end()
            .to_owned()
    }
}
