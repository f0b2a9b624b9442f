//! What happens before a judge is paid: the program's safe fixes and a model's self-review (seed
//! 001).
//!
//! | the model says | then |
//! |---|---|
//! | PASS, PASS_WITH_FLAGS | the text goes to the judge |
//! | FLAG_TO_JUDGE | the text goes to the judge with the flagged issues |
//! | FIXED | its edits are applied, each within one component, if they only remove noise; a run that only judges reports them |
//! | REGENERATE, and a check confirms that the text is cut off, in the wrong language or empty | the affected components, or the whole text, are rewritten if a model can write them (`damage`); else as FLAG_TO_JUDGE |
//! | REGENERATE otherwise | one opinion: as FLAG_TO_JUDGE (ruling 54) |
//! | nothing readable | the text goes to the judge: the self-review saves money, and decides nothing |
//! | nothing, because the whole text does not fit | the same: it is never asked about part of a text |
//!
//! The model is only asked if the program's own review found nothing fatal. If no model was
//! configured for the role explicitly, it is only asked if there is something to look at.

use super::asking::{Conversation, Reading, converse};
use super::by_hand;
use super::context::Context;
use super::judgements::Judgements;
use super::judging::worst_with_retry;
use super::text::Text;
use super::wording::{self, Render, Wordings};
use crate::ask::{Budget, ModelSettings, Role};
use crate::event::EventKind;
use crate::prompt::PromptError;
use crate::reasons::SkipReason;
use crate::repair::{self, Block, EditTarget, Proposal};
use crate::request::Task;
use crate::self_review::{self, ModelReview, ProposedEdit};
use crate::setup::{Goal, Seat};
use crate::verdict::Unscored;
use crate::verify;
use redraft_gate::check::{Concern, Phase};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::review::{Issue, IssueSeverity, SelfReview, Status};
use redraft_gate::span::ComponentId;

/// The result of a model's review.
pub(super) struct Reviewed {
    pub(super) text: Text,
    /// The findings that confirm the model's REGENERATE. Empty if it gave another status or no
    /// check agrees.
    pub(super) confirmed: Vec<Finding>,
}

impl Reviewed {
    fn of(text: Text) -> Self {
        Self {
            text,
            confirmed: Vec::new(),
        }
    }
}

/// Applies the program's safe fixes.
pub(super) fn scrub(context: &Context, text: Text) -> Text {
    let bytes = text.document().source().bytes().to_vec();
    let Ok(fixed) = context.setup.inspector.fix(bytes) else {
        return text;
    };
    if fixed.applied.is_empty() {
        return text;
    }
    let what: Vec<String> = fixed
        .applied
        .iter()
        .map(|finding| format!("{}: {}", finding.check.name, finding.message))
        .collect();
    let after = fixed.inspected.document.source().bytes();
    let edits = text.difference(after);
    let Some(scrubbed) = text.edited(context.setup.inspector.as_ref(), edits, "safe fixes", None)
    else {
        return text;
    };
    context.emit(EventKind::Scrubbed {
        content: scrubbed.version(),
        what,
    });
    scrubbed
}

/// Has a model review the text, if one is configured.
pub(super) async fn review_by_model(
    context: &Context,
    judgements: &mut Judgements,
    text: Text,
) -> Result<Reviewed, PromptError> {
    let by_program = judgements.self_review(&text);
    let Some(seat) = context.seat(Role::SelfReviewer).cloned() else {
        return Ok(Reviewed::of(text));
    };
    let is_wanted = !context.setup.unnamed.contains(&Role::SelfReviewer)
        || self_review::has_occasion(&context.setup.companions, by_program);
    if !is_wanted || by_program.status == Status::Regenerate {
        return Ok(Reviewed::of(text));
    }
    context.emit(EventKind::NodeEnter { node: "review" });
    let setup = &context.setup;
    let text_now = &text;
    let mut wordings = Wordings::new(Some(self_review::schema()));
    let render = wording::render(setup, text_now.document(), Task::SelfReview);
    allot(context, &seat, &mut wordings, &render);
    let conversation = Conversation {
        path: "i0/review/self_reviewer".to_owned(),
        seat,
        content: text.version(),
        wordings,
        // Part of a text would look cut off.
        reading: Reading::Whole,
        render,
        read: Box::new(move |reply, _| {
            self_review::read(text_now.document(), reply)
                .map_err(|error| Unscored::new(error.reason, error.message))
        }),
    };
    let ended = converse(setup, &context.mailbox, vec![conversation]).await?;
    let mut after = Reviewed::of(text.clone());
    for one in ended {
        match one.result {
            Ok(reviewed) => {
                let by = one.model.as_ref().map(ModelSettings::name);
                let by = by.unwrap_or_default();
                after = follow(context, judgements, &text, (reviewed, by));
            }
            Err(unscored) => context.emit(EventKind::Skipped {
                what: "self_review",
                reason: SkipReason::NoAnswer(unscored),
            }),
        }
    }
    context.emit(EventKind::NodeComplete { node: "review" });
    Ok(after)
}

/// Sets the judging budget to the worst case of one role, with one retry.
pub(super) fn allot(context: &Context, seat: &Seat, wordings: &mut Wordings, render: &Render<'_>) {
    let ledger = &mut context.mailbox.lock().ledger;
    for model in &seat.models {
        let room = wordings.room(ledger, seat, model);
        // A prompt that does not fit is found again, and reported, when it is sent.
        let _ = wordings.word(render, None, room);
    }
    let need = worst_with_retry(ledger, seat, wordings.longest());
    let most = context.setup.policy.judging_tokens.unwrap_or(u64::MAX);
    ledger.allot(Budget::Judging, need.min(most));
    if context.setup.policy.judging_tokens.is_none() {
        ledger.let_judging_grow();
    }
}

/// Follows the model's status as far as the program agrees.
fn follow(
    context: &Context,
    judgements: &mut Judgements,
    text: &Text,
    (reviewed, by): (ModelReview, String),
) -> Reviewed {
    let said = reviewed.status;
    let ModelReview {
        mut status,
        mut reasoning,
        mut issues,
        edits,
    } = reviewed;
    let mut after = text.clone();
    let mut confirmed = Vec::new();
    if status == Status::Regenerate {
        confirmed = confirming(text.findings(), &issues);
        status = Status::FlagToJudge;
        // What the reviewer calls damage is shown to a judge.
        for issue in &mut issues {
            if issue.severity == IssueSeverity::Critical {
                issue.severity = IssueSeverity::Complex;
            }
        }
    }
    if status == Status::Fixed {
        let (scrubbed, refused) = apply_scrubbing(context, text, &edits);
        for reason in refused {
            context.emit(EventKind::Skipped {
                what: "self_review_edit",
                reason,
            });
        }
        if scrubbed.version() == text.version() {
            status = Status::PassWithFlags;
            reasoning = format!("{reasoning} None of its edits could be applied.");
        } else if matches!(context.setup.goal, Goal::Refine | Goal::Write) {
            context.emit(EventKind::Scrubbed {
                content: scrubbed.version(),
                what: vec![reasoning.clone()],
            });
            after = scrubbed;
        }
    }
    // The program's flags for the current text are added, whatever the model says.
    if after.version() != text.version() {
        judgements.review(&after);
    }
    let flagged = judgements.flagged(&after);
    let is_clean = matches!(status, Status::Pass | Status::PassWithFlags);
    if is_clean && !flagged.is_empty() {
        status = Status::FlagToJudge;
    }
    issues.extend(flagged);
    context.emit(EventKind::SelfReview {
        by,
        status,
        said: (said == Status::Regenerate).then_some(said),
        reasoning: reasoning.clone(),
    });
    let review = SelfReview {
        status,
        reasoning,
        issues,
    };
    judgements.keep_self_review(&after, review);
    Reviewed {
        text: after,
        confirmed,
    }
}

/// The findings that confirm a model's REGENERATE: the model saw a cut, emptiness or the wrong
/// language in the same place. Safe fixes have been applied by then, and certain damage was handled
/// before the model was asked.
fn confirming(findings: &[Finding], issues: &[Issue]) -> Vec<Finding> {
    let whole = ComponentId::whole().to_string();
    let is_damage = |finding: &&Finding| {
        finding.severity >= Severity::Warning
            && finding.check.phase == Phase::Integrity
            && matches!(
                finding.check.concern,
                Concern::Truncation | Concern::Language
            )
    };
    let agrees = |finding: &&Finding| {
        let place = finding.component.to_string();
        issues.iter().any(|issue| {
            let is_there = issue.location == place || issue.location == whole || place == whole;
            issue.severity == IssueSeverity::Critical
                && issue.kind == finding.check.concern.name()
                && is_there
        })
    };
    let damage = findings.iter().filter(is_damage);
    damage.filter(agrees).cloned().collect()
}

/// Applies the edits that only remove noise, each within its component.
fn apply_scrubbing(
    context: &Context,
    text: &Text,
    edits: &[ProposedEdit],
) -> (Text, Vec<SkipReason>) {
    let mut now = text.clone();
    let mut refused = Vec::new();
    for edit in edits {
        match scrubbed(context, &now, edit) {
            Ok(after) => now = after,
            Err(problem) => refused.push(SkipReason::EditRejected {
                component: edit.location.clone(),
                problem,
            }),
        }
    }
    (now, refused)
}

fn scrubbed(context: &Context, text: &Text, edit: &ProposedEdit) -> Result<Text, String> {
    if by_hand::is_left_alone(context, text.document(), &edit.location) {
        return Err("a reviewer locked it".to_owned());
    }
    let protected = context.setup.profile.protected(text.document());
    let target = EditTarget {
        document: text.document(),
        component: &edit.location,
        protected: &protected,
    };
    let proposal = Proposal::Blocks(vec![Block {
        field: None,
        readings: vec![(edit.search.clone(), edit.replace.clone())],
        ..Block::default()
    }]);
    let applied = repair::apply(target, &proposal).map_err(|complaint| complaint.message)?;
    let after = text
        .edited(
            context.setup.inspector.as_ref(),
            applied.edits,
            "self-review",
            Some(&edit.location),
        )
        .ok_or("the edit does not fit")?;
    verify::scrubs_only(text.document(), after.document())
        .map_err(|objection| objection.to_string())?;
    Ok(after)
}
