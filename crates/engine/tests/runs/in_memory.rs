//! Whole runs stepped by hand, without a driver: a fake model answers each ask immediately, and the
//! invariants of every run are checked along the way.
//!
//! | invariant | checked by |
//! |---|---|
//! | no two questions have the same id | the ids of all asks |
//! | nothing is asked beyond the budget | the ledger at every step that asks |
//! | no component is edited more often than the policy allows | the events |
//! | nothing else was changed | receipts, checked against both texts |
//! | protected text stays | the bytes of those ranges, before and after |
//! | what is accepted was scored, without an open error | the outcome |

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;
use redraft_gate::reading::Hint;
use redraft_run::ask::{
    Ask, Budget, CallFailure, FailureKind, Finish, Reply, Role, Time, Tokens, Usage,
};
use redraft_run::event::{Event, EventKind};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::reasons::{Because, NotAccepted, StopReason};
use redraft_run::run::{Awaiting, Decision, Run, Step};
use redraft_run::setup::{Goal, Seat, Setup};
use redraft_run::token_estimate::estimated_tokens;
use redraft_run::verdict::{Reason, Unscored};
use serde_json::{Value, json};

use crate::fixtures::{Subject, block, seat, setup_about};

/// Six sections without an error that the program could find.
pub(crate) const CLEAN_LESSON: &str = include_str!("clean_lesson.md");

/// The reply of a fake model.
pub(crate) type ModelReply = Option<Result<Reply, CallFailure>>;

/// All roles of a lesson's refinement, each with its own model.
pub(crate) fn everybody() -> Vec<Seat> {
    [
        Role::JudgePrimary,
        Role::JudgeSecondary,
        Role::JudgeTiebreaker,
        Role::Patcher,
        Role::SectionExpander,
        Role::DeltaJudge,
    ]
    .into_iter()
    .map(|role| seat(role, &[role.name()]))
    .collect()
}

/// A run that repairs a lesson.
pub(crate) fn refining(text: &str, mode: Mode) -> Setup {
    Setup {
        goal: Goal::Refine,
        ..setup_with_budget("lesson", text, Hint::Markdown, everybody(), mode)
    }
}

/// A run about a text of this profile, with a sufficient budget.
pub(crate) fn setup_with_budget(
    profile: &str,
    text: &str,
    hint: Hint,
    seats: Vec<Seat>,
    mode: Mode,
) -> Setup {
    let mut setup = setup_about(&Subject::of(profile, text, hint), seats, mode);
    setup.policy.repair.tokens = 120_000;
    setup
}

/// The result of a run.
pub(crate) struct Finished {
    pub(crate) outcome: Outcome,
    pub(crate) events: Vec<Event>,
    pub(crate) asks: Vec<Ask>,
    pub(crate) original: String,
}

impl Finished {
    /// The final text.
    pub(crate) fn result(&self) -> String {
        self.outcome.final_content.as_ref().map_or_else(
            || self.original.clone(),
            |bytes| String::from_utf8(bytes.clone()).unwrap(),
        )
    }

    /// Asserts the status, and shows the reason otherwise.
    #[track_caller]
    pub(crate) fn ends_as(&self, status: Status) {
        assert_eq!(self.outcome.status, status, "{}", self.because());
    }

    /// Asserts that the reason satisfies `holds`, and shows it otherwise.
    #[track_caller]
    pub(crate) fn reason(&self, holds: impl Fn(&Because) -> bool) {
        let is_so = self.outcome.because.as_ref().is_some_and(holds);
        assert!(is_so, "{}", self.because());
    }

    /// The reason, for messages of failing tests.
    pub(crate) fn because(&self) -> String {
        format!("{:?}", self.outcome.because)
    }

    /// Why the text was not accepted.
    #[track_caller]
    pub(crate) fn lacks(&self) -> &NotAccepted {
        &self.outcome.because.as_ref().unwrap().not_accepted
    }

    /// Why repair ended.
    #[track_caller]
    pub(crate) fn stopped(&self) -> &StopReason {
        let because = self.outcome.because.as_ref().unwrap();
        because.stopped.as_ref().unwrap()
    }

    /// The number of asks whose id contains `part`.
    pub(crate) fn asked(&self, part: &str) -> usize {
        self.asks
            .iter()
            .filter(|ask| ask.id.0.contains(part))
            .count()
    }

    /// The prompt of the first ask whose id contains `part`.
    pub(crate) fn prompt(&self, part: &str) -> &str {
        assert!(self.asked(part) > 0, "{part}: {:?}", self.names());
        let ask = self.asks.iter().find(|ask| ask.id.0.contains(part));
        &ask.unwrap().prompt.user
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.asks.iter().map(|ask| ask.id.0.as_str()).collect()
    }

    pub(crate) fn has(&self, event: &str) -> bool {
        self.count(event) > 0
    }

    pub(crate) fn count(&self, event: &str) -> usize {
        self.events
            .iter()
            .filter(|one| one.kind.name() == event)
            .count()
    }

    fn was_edited_by_hand(&self) -> bool {
        self.events.iter().any(|event| {
            matches!(
                event.kind,
                EventKind::HumanDecision {
                    decision: "edit",
                    ..
                }
            )
        })
    }

    pub(crate) fn overall(&self) -> u16 {
        let score = self.outcome.score.as_ref();
        score.map_or(0, |score| score.overall().thousandths())
    }
}

/// Runs to the end. `people` decide in turn; after them no reviewer is available.
pub(crate) fn run_to_end(
    setup: Setup,
    model: impl Fn(&Ask) -> ModelReply,
    people: &[Decision],
) -> Finished {
    run_shuffled(setup, model, people, &|_| {})
}

/// Runs to the end with the replies of a batch in another order.
pub(crate) fn run_shuffled(
    setup: Setup,
    model: impl Fn(&Ask) -> ModelReply,
    people: &[Decision],
    shuffle: &dyn Fn(&mut Vec<Ask>),
) -> Finished {
    let document = Arc::clone(&setup.inspected);
    let original = document.document.source().text().to_owned();
    let policy = setup.policy.clone();
    let profile = setup.profile;
    let inspector = Arc::clone(&setup.inspector);
    let size = estimated_tokens(&original);
    let mut dearest = 0;
    let world = World {
        model: &model,
        people,
        shuffle,
    };
    let (outcome, events, asks) = step_to_end(Run::new(setup, Time(0)), &world, |run, all, new| {
        for ask in new
            .iter()
            .filter(|ask| ask.role.budget() == Budget::Judging)
        {
            dearest = dearest.max(ask.reserved.total());
        }
        let account = run.ledger();
        let repair = account.committed_to(Budget::Repair);
        assert!(
            repair <= policy.repair_limit(size),
            "{repair} for repair is too much"
        );
        // Each judged text has its own budget: three judges, with one retry each.
        let judged: BTreeSet<String> = all
            .iter()
            .filter(|ask| ask.role.budget() == Budget::Judging)
            .map(|ask| ask.content.to_string())
            .collect();
        let reviews = all.iter().any(|ask| ask.role == Role::SelfReviewer);
        let allotments = judged.len() as u64 + u64::from(reviews);
        let most = dearest * 6 * allotments;
        let judging = account.committed_to(Budget::Judging);
        assert!(judging <= most, "{judging} for judging, {most} is the most");
    });
    let finished = Finished {
        outcome,
        events,
        asks,
        original,
    };
    look_at_edits(&finished, policy.repair.edits_per_component);
    look_at_outcome(&finished);
    if !finished.was_edited_by_hand() && !finished.has("scrubbed") {
        let after = inspector.inspect(finished.result().into_bytes());
        let words = |text: &str, ranges: Vec<Range<usize>>| -> Vec<String> {
            ranges
                .into_iter()
                .map(|range| text[range].to_owned())
                .collect()
        };
        assert_eq!(
            words(
                document.document.source().text(),
                profile.protected(&document.document)
            ),
            words(
                after.document.source().text(),
                profile.protected(&after.document)
            ),
            "protected text was changed"
        );
    }
    finished
}

/// The surroundings of a run that is stepped by hand.
pub(crate) struct World<'a> {
    /// The model; `None` for no answer.
    pub(crate) model: &'a dyn Fn(&Ask) -> ModelReply,
    /// Reviewers' decisions in turn; after them no reviewer is available.
    pub(crate) people: &'a [Decision],
    /// The order in which the replies of a batch arrive.
    pub(crate) shuffle: &'a dyn Fn(&mut Vec<Ask>),
}

/// Runs to the end and returns the outcome, the events and all asks. `look` sees every batch before
/// it is answered: the run, all earlier asks, the new ones.
pub(crate) fn step_to_end(
    mut run: Run,
    world: &World<'_>,
    mut look: impl FnMut(&Run, &[Ask], &[Ask]),
) -> (Outcome, Vec<Event>, Vec<Ask>) {
    let mut people = world.people.iter();
    let (mut events, mut all, mut out) = (Vec::new(), Vec::<Ask>::new(), Vec::<Ask>::new());
    let mut names = BTreeSet::new();
    let mut now = 0;
    let mut steps = 0;
    loop {
        steps += 1;
        assert!(steps < 5_000, "it does not end: {names:?}");
        let step = run.next_step().unwrap();
        events.extend(run.drain_events());
        match step {
            Step::Ask(asks) => {
                for ask in &asks {
                    assert!(names.insert(ask.id.clone()), "{} was asked twice", ask.id);
                }
                all.extend(asks.iter().cloned());
                look(&run, &all, &asks);
                out = asks;
            }
            Step::Cancel(_) => {}
            Step::Done(outcome) => return (*outcome, events, all),
            Step::Wait {
                on: Awaiting::Human { .. },
                ..
            } => {
                now += 1_000;
                let decision = people.next().cloned().unwrap_or(Decision::Absent);
                run.handle_decision(Time(now), &decision);
            }
            Step::Wait { until, .. } => {
                (world.shuffle)(&mut out);
                let asks = std::mem::take(&mut out);
                // All at once, when the last of them may be sent, so that the time does not depend
                // on the order of the replies.
                let latest = asks.iter().filter_map(|ask| ask.not_before).max();
                now = (now + 10).max(latest.map_or(0, |time| time.0));
                let mut is_silent = false;
                for ask in asks {
                    match (world.model)(&ask) {
                        Some(result) => run.handle_reply(Time(now), &ask.id, result),
                        None => is_silent = true,
                    }
                }
                if is_silent {
                    now = now.max(until.unwrap().0);
                    run.handle_timeout(Time(now));
                }
            }
        }
    }
}

/// Reorders asks by `swaps`.
pub(crate) fn shuffled(asks: &mut [Ask], swaps: &[prop::sample::Index]) {
    if asks.len() > 1 {
        for index in swaps {
            asks.swap(0, index.index(asks.len()));
        }
    }
}

fn look_at_edits(finished: &Finished, a_part: u32) {
    // Retries that a reviewer asks for do not count.
    if !finished.has("human_decision") || finished.outcome.status != Status::Accepted {
        let mut edits: BTreeMap<&str, u32> = BTreeMap::new();
        for event in &finished.events {
            if let EventKind::TaskStarted {
                section,
                retry: false,
                ..
            } = &event.kind
            {
                *edits.entry(section.0.as_str()).or_default() += 1;
            }
        }
        let retries = finished.count("human_decision") as u32;
        for (section, edits) in edits {
            let most = a_part * (1 + retries);
            assert!(edits <= most, "{section} was edited {edits} times");
        }
    }
}

fn look_at_outcome(finished: &Finished) {
    let outcome = &finished.outcome;
    let result = finished.result();
    if let Some(score) = &outcome.score {
        assert_eq!(score.content(), outcome.content);
        assert!(!outcome.verdicts.is_empty());
        for verdict in &outcome.verdicts {
            assert_eq!(
                verdict.content(),
                outcome.content,
                "a score of another text"
            );
        }
    } else {
        assert!(outcome.unscored.is_some());
    }
    if matches!(outcome.status, Status::Accepted | Status::AcceptedWarning) {
        assert!(outcome.score.is_some(), "accepted without a score");
        assert_eq!(outcome.open_errors, 0, "accepted with an error");
    } else {
        assert!(outcome.because.is_some(), "nobody text_reply why");
    }
    let Some(receipts) = &outcome.receipts else {
        assert!(
            !finished.has("refinement_complete"),
            "a refined text without receipts: {:?}",
            finished.events
        );
        return;
    };
    let receipts = serde_json::to_value(receipts).unwrap();
    let verified =
        redraft_gate::receipt::verify(&receipts, finished.original.as_bytes(), result.as_bytes())
            .unwrap();
    // Every kept edit is in the text, and every change in the text is a kept edit or reported.
    let touched: BTreeSet<&str> = verified.touched.iter().map(String::as_str).collect();
    for task in outcome.tasks.iter().filter(|task| task.kept) {
        let id = task.section_id.0.as_str();
        let is_touched = touched
            .iter()
            .any(|part| *part == id || part.starts_with(id));
        // A reviewer may have overwritten it, or a later round may have restored the old words.
        let is_over = finished.was_edited_by_hand() || outcome.tasks.len() > 1;
        // A rewrite of the whole text edits no single component.
        let is_over = is_over || (id == "sec_global" && result != finished.original);
        assert!(
            is_touched || is_over,
            "{id} is told of as repaired, and is as it was"
        );
    }
}

/// The round, the verb and the component of an ask: `i1/patch/sec_2/try1`.
pub(crate) fn parts(ask: &Ask) -> (u32, &str, &str) {
    let mut parts = ask.id.0.split('/');
    let round = parts.next().unwrap_or_default()[1..].parse().unwrap();
    (
        round,
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    )
}

/// A reply with this text.
pub(crate) fn text_reply(ask: &Ask, text: impl Into<String>) -> ModelReply {
    let text = text.into();
    let output = estimated_tokens(&text).min(u64::from(ask.model.max_tokens));
    Some(Ok(Reply {
        finish: Finish::Stop,
        usage: Usage {
            tokens: Tokens::new(
                estimated_tokens(&ask.prompt.system) + estimated_tokens(&ask.prompt.user),
                output,
            ),
            estimated: true,
        },
        took: 5,
        reused: false,
        text,
    }))
}

pub(crate) fn fails() -> ModelReply {
    Some(Err(CallFailure {
        kind: FailureKind::Permanent,
        message: "out of order".to_owned(),
        usage: None,
        context: None,
    }))
}

/// The reason that [`fails`] leads to.
pub(crate) fn out_of_order() -> Unscored {
    Unscored::new(Reason::CallFailed, "out of order")
}

/// A credible verdict on a lesson with this overall score (ruling 70): the scores differ, and low
/// ones are explained.
pub(crate) fn scored_overall(
    ask: &Ask,
    score: u16,
    confidence: &str,
    issues: &[Value],
) -> ModelReply {
    // Two criteria of the same weight. A criticised one must not score higher.
    let is_free = |name: &&str| issues.iter().all(|issue| issue["criterion"] != **name);
    let equal = [
        "engagement_examples",
        "clarity_readability",
        "factual_accuracy",
    ];
    let higher = equal.iter().find(|name| is_free(name)).unwrap_or(&equal[0]);
    let lower = equal.iter().rfind(|name| *name != higher).unwrap();
    let apart = 20.min(1_000 - score).min(score);
    let mut issues = issues.to_vec();
    if score < 750 + apart {
        let about = |name: &str| issue(name, "minor", "sec_global", "", "Improve it.");
        let unexplained: Vec<Value> = LESSON_CRITERIA
            .iter()
            .filter(|name| issues.iter().all(|issue| issue["criterion"] != **name))
            .map(|name| about(name))
            .collect();
        issues.extend(unexplained);
    }
    let but = [(*higher, score + apart), (*lower, score - apart)];
    verdict(ask, score, &but, confidence, &issues)
}

const LESSON_CRITERIA: [&str; 6] = [
    "learning_objective_alignment",
    "pedagogical_structure",
    "factual_accuracy",
    "clarity_readability",
    "engagement_examples",
    "completeness",
];

/// A verdict with one score for all criteria except the named ones, in thousandths.
pub(crate) fn verdict(
    ask: &Ask,
    score: u16,
    but: &[(&str, u16)],
    confidence: &str,
    issues: &[Value],
) -> ModelReply {
    text_reply(ask, verdict_text(ask, score, but, confidence, issues))
}

pub(crate) fn verdict_text(
    ask: &Ask,
    score: u16,
    but: &[(&str, u16)],
    confidence: &str,
    issues: &[Value],
) -> String {
    let names = ask.schema.as_ref().unwrap().value()["properties"]["scores"]["properties"]
        .as_object()
        .unwrap();
    let scores: serde_json::Map<String, Value> = names
        .keys()
        .map(|name| {
            let named = but.iter().find(|(one, _)| one == name);
            let score = named.map_or(score, |(_, score)| *score);
            (name.clone(), json!(f64::from(score) / 1000.0))
        })
        .collect();
    json!({
        "text_id": ask.content.to_string(),
        "issues": issues,
        "strengths": [],
        "scores": scores,
        "overall": f64::from(score) / 1000.0,
        "confidence": confidence,
    })
    .to_string()
}

pub(crate) fn issue(
    criterion: &str,
    severity: &str,
    location: &str,
    quote: &str,
    fix: &str,
) -> Value {
    json!({
        "criterion": criterion, "severity": severity, "location": location, "quote": quote,
        "description": format!("{criterion} is wanting in {location}: {fix}"), "suggested_fix": fix,
    })
}

/// A search/replace block.
pub(crate) fn patch(ask: &Ask, search: &str, replace: &str) -> ModelReply {
    text_reply(ask, block(search, replace))
}

/// The delta judge's yes or no to everything, including the consistency question.
pub(crate) fn delta(ask: &Ask, yes: bool, reason: &str) -> ModelReply {
    let answer = if yes { "yes" } else { "no" };
    let schema = ask.schema.as_ref().unwrap().value();
    if schema["properties"].get("fits").is_some() {
        return text_reply(
            ask,
            json!({"reason": reason, "quote": "", "fits": answer}).to_string(),
        );
    }
    let ids = &schema["properties"]["answers"]["items"]["properties"]["id"]["enum"];
    let answers: Vec<Value> = ids
        .as_array()
        .unwrap()
        .iter()
        // Without an answer about the next section, that question is asked separately.
        .filter(|id| *id != "next_part")
        .map(|id| json!({"id": id, "reason": reason, "answer": answer}))
        .collect();
    text_reply(ask, json!({"answers": answers}).to_string())
}

/// A delta judge that accepts a repair, and says in the same answer whether the next section still
/// fits.
pub(crate) fn delta_and_next(ask: &Ask, fits: bool, reason: &str) -> ModelReply {
    let schema = ask.schema.as_ref().unwrap().value();
    let ids = &schema["properties"]["answers"]["items"]["properties"]["id"]["enum"];
    let answers: Vec<Value> = ids
        .as_array()
        .unwrap()
        .iter()
        .map(|id| {
            let yes = fits || *id != "next_part";
            json!({"id": id, "reason": reason, "answer": if yes { "yes" } else { "no" }})
        })
        .collect();
    text_reply(ask, json!({"answers": answers}).to_string())
}
