//! The judging stage: decides which judges are asked about a version of the text.
//!
//! | judging | who is asked |
//! |---|---|
//! | single | one judge; while none has enough confidence, one more (ruling 64) |
//! | cascade | the cheap judge; if its verdict is not clear (ruling 21), the panel |
//! | panel | the panel |
//!
//! If repair follows, no more judges are asked about a text that certainly will not be accepted
//! (`prospects`), unless they could cause a rewrite of the whole text.
//!
//! | the panel gives | then |
//! |---|---|
//! | two verdicts that agree (ruling 22) | done |
//! | two verdicts that disagree | the third judge is asked; without its verdict the dispute is unresolved and the text is not accepted (ruling 52) |
//! | no verdict from one judge (ruling 23) | the third judge is asked |
//!
//! | judges that can read the whole text | then |
//! |---|---|
//! | all, as far as is known | as above |
//! | some | only they are asked; the others give no verdict, with the reason |
//! | those that were expected to could not | repeated with what is known now |
//! | none | they read what fits, and the text is not accepted on it (`decide`) |
//!
//! A judge scores a text once: the cheap judge's verdict counts as its vote in the panel. Roles
//! filled by the same model count as one judge, and never as a panel (ruling 24).

use std::collections::{BTreeMap, BTreeSet};

use super::asking::{AskOutcome, Conversation, Reading, converse};
use super::context::Context;
use super::fallbacks::does_not_fit;
use super::judgements::{JUDGES, Judgements};
use super::tested_judges;
use super::text::Text;
use super::wording::{self, Render, Wordings};
use super::worth_asking::may_matter;
use crate::ask::{Budget, ModelSettings, Role, Tokens};
use crate::cascade::{self, Cascade, Lines, Stage};
use crate::event::{EventKind, VerdictResult};
use crate::ledger::{COMPLAINT_TOKENS, Ledger};
use crate::policy::{Judging, Policy};
use crate::prompt::{PromptError, Unfit};
use crate::request::Task;
use crate::setup::Seat;
use crate::verdict::{self, Confidence, Judge, Question, Reason, Unscored, Verdict};
use redraft_gate::span::Version;

/// The text that judges are asked about.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) text: &'a Text,
    /// The prefix of the ask ids: `i0`.
    pub(super) path: &'a str,
}

/// Which judges are asked about a text, by how much of it they can read.
#[derive(Debug, Default)]
struct Readers {
    /// The judges that are asked, and whether part of the text is enough.
    asked: Vec<(Seat, Reading)>,
    /// The judges that are not asked, with the reason.
    left_out: Vec<(Seat, AskOutcome<Verdict>)>,
    /// Whether any judge is expected to have room for the whole text.
    any_reads_all: bool,
}

/// A judge that was expected to read the whole text may turn out not to. Then a second pass asks
/// the same judges again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    First,
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// It is the initial text.
    First,
    Repaired,
    /// It needs confirmation by the panel.
    Confirmed,
}

/// Judges a text as far as the policy asks for it and the budget allows. `path` is the prefix of
/// the ask ids.
pub(super) async fn judge(
    context: &Context,
    judgements: &mut Judgements,
    subject: Subject<'_>,
    wanted: Wanted,
) -> Result<(), PromptError> {
    let (setup, text) = (context.setup.as_ref(), subject.text);
    let node = setup.profile.stage_name("judge");
    context.emit(EventKind::NodeEnter { node });
    judgements.panel_mut(text.version());
    match (wanted, setup.policy.judging) {
        (Wanted::Confirmed, _) | (_, Judging::Panel) => {
            panel(context, judgements, subject).await?;
        }
        (_, Judging::Single) => {
            one_judge(context, judgements, subject).await?;
            let is_unsure = is_unsure(judgements, text);
            if is_unsure && may_matter(context, judgements, (text, wanted), "second_opinion") {
                second_opinion(context, judgements, subject).await?;
            }
        }
        (_, Judging::Cascade) => {
            one_judge(context, judgements, subject).await?;
            let is_clear = is_clear(&setup.policy, judgements, text, wanted);
            if !is_clear && may_matter(context, judgements, (text, wanted), "panel") {
                panel(context, judgements, subject).await?;
            }
        }
    }
    context.emit(EventKind::NodeComplete { node });
    if let Some(arbitration) = judgements.arbitration(text) {
        context.emit(EventKind::ArbiterConsolidation {
            agreement: arbitration.agreement.level,
            alpha: arbitration.agreement.alpha,
            issues: arbitration.issues.len(),
            set_aside: arbitration.set_aside.len(),
            conflicts: arbitration.conflicts.len(),
        });
    }
    Ok(())
}

/// Asks the cheap judge, or the next one if it gives no verdict.
async fn one_judge(
    context: &Context,
    judgements: &mut Judgements,
    subject: Subject<'_>,
) -> Result<(), PromptError> {
    for role in JUDGES {
        if context.seat(role).is_some() {
            ask_judges(context, judgements, subject, &[role]).await?;
        }
        let is_judged = judgements.judges_of(subject.text) > 0;
        if is_judged || context.mailbox.lock().stopped.is_some() {
            break;
        }
    }
    Ok(())
}

/// Asks other judges one by one until one has enough confidence (ruling 64).
async fn second_opinion(
    context: &Context,
    judgements: &mut Judgements,
    subject: Subject<'_>,
) -> Result<(), PromptError> {
    for role in JUDGES {
        if !is_unsure(judgements, subject.text) {
            break;
        }
        ask_judges(context, judgements, subject, &[role]).await?;
    }
    Ok(())
}

fn is_unsure(judgements: &Judgements, text: &Text) -> bool {
    let assessment = judgements.assessment(text);
    assessment.is_some_and(|assessment| assessment.confidence() == Confidence::Low)
}

async fn panel(
    context: &Context,
    judgements: &mut Judgements,
    subject: Subject<'_>,
) -> Result<(), PromptError> {
    let two = [Role::JudgePrimary, Role::JudgeSecondary];
    ask_judges(context, judgements, subject, &two).await?;
    let version = subject.text.version();
    let is_disputed = |judgements: &Judgements| {
        let setup = &context.setup;
        judgements.panel(version).is_none_or(|panel| {
            cascade::dispute(&panel.votes(), &setup.rubric, &cascade(&setup.policy))
        })
    };
    // Two judges who disagree leave few issues to repair. The third is worth its price even if the
    // text cannot be accepted.
    if is_disputed(judgements) {
        ask_judges(context, judgements, subject, &[Role::JudgeTiebreaker]).await?;
    }
    let size = judgements.panel_mut(version).size();
    // Three votes settle a dispute (ruling 22); two that disagree do not.
    let is_disputed = size == 2 && is_disputed(judgements);
    let panel = judgements.panel_mut(version);
    panel.is_incomplete = size < 2;
    panel.is_disputed = is_disputed;
    Ok(())
}

/// Asks those of these judges that were not asked about this text yet, in parallel.
pub(super) async fn ask_judges(
    context: &Context,
    judgements: &mut Judgements,
    subject: Subject<'_>,
    roles: &[Role],
) -> Result<(), PromptError> {
    let Subject { text, path } = subject;
    let mut seats = seats_to_ask(context, judgements, text, roles);
    if seats.is_empty() {
        return Ok(());
    }
    let flagged = judgements.flagged(text);
    let setup = context.setup.as_ref();
    let words = |flagged| wording::render(setup, text.document(), Task::Judge { flagged });
    let mut wordings = judgements.wordings(text.version());
    let mut ended: BTreeMap<Role, (Seat, AskOutcome<Verdict>)> = BTreeMap::new();
    for pass in [Pass::First, Pass::Second] {
        let readers = readers(context, seats, &mut wordings, &words(&flagged))?;
        if pass == Pass::Second && readers.any_reads_all {
            // Judges with room for the whole text are asked in roles of their own.
            break;
        }
        allot(context, judgements, text.version(), wordings.longest());
        for (seat, nothing) in readers.left_out {
            ended.insert(seat.role, (seat, nothing));
        }
        let conversations = readers
            .asked
            .iter()
            .map(|(seat, reading)| Conversation {
                path: format!("{path}/judge/{}", seat.role),
                seat: seat.clone(),
                content: text.version(),
                wordings: wordings.clone(),
                reading: *reading,
                render: words(&flagged),
                read: Box::new(|reply, model| {
                    verdict::read(
                        &Question {
                            document: text.document(),
                            rubric: &setup.rubric,
                            judge: &Judge::new(seat.role, model),
                            has_sources: !setup.companions.sources.is_empty(),
                        },
                        reply,
                    )
                }),
            })
            .collect();
        let said = converse(setup, &context.mailbox, conversations).await?;
        seats = Vec::new();
        for ((seat, reading), mut said) in readers.asked.into_iter().zip(said) {
            let lacks_room = matches!(&said.result, Err(why) if why.reason == Reason::TooLong);
            if lacks_room && reading == Reading::Whole {
                seats.push(seat.clone());
            }
            if let Some((_, before)) = ended.get(&seat.role) {
                said.used = said.used.plus(before.used);
            }
            ended.insert(seat.role, (seat, said));
        }
        let is_judged = ended.values().any(|(_, said)| said.result.is_ok());
        if seats.is_empty() || is_judged || judgements.judges_of(text) > 0 {
            break;
        }
    }
    judgements.keep_wordings(text.version(), wordings);
    for (seat, said) in ended.into_values() {
        record(context, judgements, (text.version(), &seat), said);
    }
    Ok(())
}

/// Sets the judging budget to the worst case of all judges that may still be asked about a version,
/// with one retry each (ruling 51), unless the policy sets a lower limit. A malformed reply must
/// never cost the text its third judge.
fn allot(context: &Context, judgements: &mut Judgements, version: Version, prompt: u64) {
    let ledger = &mut context.mailbox.lock().ledger;
    let panel = judgements.panel_mut(version);
    let to_ask = JUDGES.iter().filter(|role| !panel.was_asked(**role));
    let need = to_ask
        .filter_map(|role| context.seat(*role))
        .map(|seat| worst_with_retry(ledger, seat, prompt))
        .fold(0, u64::saturating_add);
    let committed = ledger.committed_to(Budget::Judging);
    let before = *panel.committed_before.get_or_insert(committed);
    let left = match context.setup.policy.judging_tokens {
        Some(most) => most.saturating_sub(committed.saturating_sub(before)),
        None => u64::MAX,
    };
    ledger.allot(Budget::Judging, need.min(left));
    if context.setup.policy.judging_tokens.is_none() {
        ledger.let_judging_grow();
    }
}

/// The worst case of a role for a prompt of this many tokens, with one retry.
pub(super) fn worst_with_retry(ledger: &Ledger, seat: &Seat, prompt: u64) -> u64 {
    // A retry includes a complaint about the first answer.
    let retry = prompt.saturating_add(COMPLAINT_TOKENS);
    let worst = |model: &ModelSettings| {
        let of = |prompt| ledger.worst(model, prompt).total();
        of(prompt).saturating_add(of(retry))
    };
    seat.models.iter().map(worst).max().unwrap_or_default()
}

/// Those of these roles that were not asked about this text yet, each with the models that gave no
/// verdict in another role.
fn seats_to_ask(
    context: &Context,
    judgements: &mut Judgements,
    text: &Text,
    roles: &[Role],
) -> Vec<Seat> {
    let panel = judgements.panel_mut(text.version());
    let mut taken = panel.voted();
    let mut seats = Vec::new();
    for role in roles {
        let Some(seat) = context.seat(*role) else {
            continue;
        };
        if panel.was_asked(*role) {
            continue;
        }
        let mut seat = seat.clone();
        seat.models.retain(|model| !taken.contains(&model.name()));
        if let Some(first) = seat.models.first() {
            taken.insert(first.name());
            seats.push(seat);
        }
    }
    seats
}

/// Decides which of these judges are asked: those that can read the whole text if any can,
/// otherwise all. Renders their prompts along the way.
fn readers(
    context: &Context,
    seats: Vec<Seat>,
    wordings: &mut Wordings,
    render: &Render<'_>,
) -> Result<Readers, PromptError> {
    let mut whole: BTreeSet<(Role, String)> = BTreeSet::new();
    let mut short: BTreeMap<Role, Unscored> = BTreeMap::new();
    let judges = context.setup.seats.iter();
    for seat in judges.filter(|seat| JUDGES.contains(&seat.role)) {
        for model in &seat.models {
            let (room, context) = {
                let ledger = &context.mailbox.lock().ledger;
                let context = ledger.context(model, seat.context(model));
                (wordings.room(ledger, seat, model), context)
            };
            let why_not = match wordings.word(render, None, room) {
                Ok(wording) => match wording.unread() {
                    None => {
                        whole.insert((seat.role, model.name()));
                        continue;
                    }
                    Some(unread) => {
                        let name = model.name();
                        let message = format!(
                            "{name} has room for only {unread}, and another judge can read all"
                        );
                        Unscored::new(Reason::TooLong, message)
                    }
                },
                Err(Unfit::Fault(fault)) => return Err(fault),
                Err(Unfit::TooLong(long)) => does_not_fit(model, context, long),
            };
            short.entry(seat.role).or_insert(why_not);
        }
    }
    let mut readers = Readers {
        any_reads_all: !whole.is_empty(),
        ..Readers::default()
    };
    for mut seat in seats {
        let names: Vec<String> = seat.models.iter().map(ModelSettings::name).collect();
        // A judge that turns out to lack room leaves the text to one that has it.
        let is_alone = whole.iter().all(|(_, name)| names.contains(name));
        let reading = if is_alone {
            Reading::InPart
        } else {
            Reading::Whole
        };
        let first = seat.models.first().cloned();
        if readers.any_reads_all {
            let can = |model: &ModelSettings| whole.contains(&(seat.role, model.name()));
            seat.models.retain(can);
        }
        match short.get(&seat.role).filter(|_| seat.models.is_empty()) {
            Some(why_not) => {
                let nothing = AskOutcome {
                    result: Err(why_not.clone()),
                    ask: None,
                    model: first,
                    used: Tokens::default(),
                    not_used: Vec::new(),
                    reused: false,
                    unread: None,
                };
                readers.left_out.push((seat, nothing));
            }
            None => readers.asked.push((seat, reading)),
        }
    }
    Ok(readers)
}

/// Records the result of asking a judge.
fn record(
    context: &Context,
    judgements: &mut Judgements,
    (version, seat): (Version, &Seat),
    mut ended: AskOutcome<Verdict>,
) {
    // Two roles may have fallen back to the same model, which has only one vote.
    let panel = judgements.panel_mut(version);
    let voted = panel.voted();
    if let Ok(verdict) = &ended.result
        && voted.contains(&verdict.judge().model)
    {
        let message = format!("{} judges on another seat already", verdict.judge().model);
        ended.result = Err(Unscored::new(Reason::CallFailed, message));
    }
    ended.result = ended.result.map(|verdict| {
        let test = tested_judges::failed(&context.setup, &verdict.judge().model);
        verdict.having_failed(test)
    });
    let result = match &ended.result {
        Ok(verdict) => match cascade::overall(verdict, &context.setup.rubric) {
            Some(score) => VerdictResult::Scored {
                score,
                confidence: verdict.confidence(),
                doubts: verdict.doubts().to_vec(),
                issues: verdict.issues().len(),
            },
            None => VerdictResult::Unscored(Unscored::new(
                Reason::WrongShape,
                "the rubric weighs nothing",
            )),
        },
        Err(unscored) => VerdictResult::Unscored(unscored.clone()),
    };
    context.emit(EventKind::Verdict {
        ask: ended.ask,
        role: seat.role,
        model: ended
            .model
            .as_ref()
            .map(ModelSettings::name)
            .unwrap_or_default(),
        result,
        tokens: ended.used,
        reused: ended.reused,
    });
    match ended.result {
        Ok(verdict) => {
            let verdict = verdict.having_used(ended.used).having_missed(ended.unread);
            panel.add(seat.role, seat.weight, verdict);
        }
        Err(unscored) => panel.leave_unscored(seat.role, unscored),
    }
}

fn cascade(policy: &Policy) -> Cascade {
    Cascade {
        clear_by: policy.clear_by,
        agree_within: policy.agree_within,
        redo_below: policy.redo_below,
    }
}

/// Whether the single judge's verdict is enough (ruling 21).
fn is_clear(policy: &Policy, judgements: &Judgements, text: &Text, wanted: Wanted) -> bool {
    let Some(assessment) = judgements.assessment(text) else {
        return false;
    };
    let has_critical = judgements.has_critical(text);
    let stage = match wanted {
        Wanted::First => Stage::First,
        Wanted::Repaired | Wanted::Confirmed if has_critical => Stage::StillCritical,
        Wanted::Repaired | Wanted::Confirmed => Stage::Repaired,
    };
    let lines = Lines {
        accept: policy.accept,
        good_enough: policy.good_enough.map(|enough| enough.from),
        every_criterion: policy.every_criterion,
    };
    cascade::is_clear(&assessment, stage, &lines, &cascade(policy))
}
