//! One document through one run, in memory: the real machine, with the models of
//! the simulated world. What is noted of it is what the report counts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use redraft_gate::examine::Settings;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::review;
use redraft_gate::score::Score;
use redraft_gate::span::Version;
use redraft_run::ask::{Ask, Budget, ModelSettings, Role, Time};
use redraft_run::event::{Event, EventKind, VerdictResult};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::{Mode, Policy};
use redraft_run::reasons::Because;
use redraft_run::run::{Decision, Run, Step};
use redraft_run::setup::{Goal, Seat, Setup, SpendingLimits};

use crate::actors::Cast;
use crate::forecast::{self, Typical};
use crate::goals;
use crate::money::{Money, Till};
use crate::world::Truth;

/// How a run is set up.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    pub(crate) mode: Mode,
    pub(crate) policy: Policy,
    pub(crate) roles: Vec<Role>,
}

/// What became of a document.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) status: Status,
    pub(crate) because: Option<Because>,
    pub(crate) before: Truth,
    pub(crate) after: Truth,
    /// The score that was given at the end, in thousandths.
    pub(crate) score: Option<u16>,
    /// Rounds of repair.
    pub(crate) rounds: u32,
    /// Judges who scored the text that came in, and the one that goes out.
    pub(crate) judges: [usize; 2],
    pub(crate) tokens: BTreeMap<Role, u64>,
    /// The texts on the way: tokens so far, the truth, the score that was given.
    pub(crate) course: Vec<Stop>,
    pub(crate) counts: Counts,
    /// Why repairs are not in the text, as far as they are not: a line each.
    pub(crate) rolled_back: Vec<String>,
    pub(crate) money: Money,
    /// What `plan` expects it to cost.
    pub(crate) typical: Typical,
}

/// A text on the way.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) round: u32,
    /// What the run had used when it was scored.
    pub(crate) tokens: u64,
    pub(crate) truth: Truth,
    pub(crate) score: Option<u16>,
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) repairs: usize,
    pub(crate) kept: usize,
    /// Undone by the delta judge, or because nothing usable came.
    pub(crate) undone: usize,
    /// Of the tasks, those that had more than one issue, and of these those kept.
    pub(crate) several: usize,
    pub(crate) several_kept: usize,
    /// Answers that were refused for touching what they must not, or their form.
    pub(crate) asked_again: usize,
    pub(crate) outside: usize,
    /// Alarms about a criterion that fell, and those that a second judge saw too.
    pub(crate) alarms: usize,
    pub(crate) confirmed: usize,
    /// Judges asked only because of such an alarm.
    pub(crate) guards: usize,
    pub(crate) guard_tokens: u64,
    pub(crate) whole: usize,
    pub(crate) locked: usize,
    pub(crate) converged: usize,
    pub(crate) unscored: usize,
}

impl Record {
    pub(crate) fn total(&self) -> u64 {
        self.tokens.values().sum()
    }

    pub(crate) fn of(&self, budget: Budget) -> u64 {
        self.tokens
            .iter()
            .filter(|(role, _)| role.budget() == budget)
            .map(|(_, tokens)| tokens)
            .sum()
    }

    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self.status, Status::Accepted | Status::AcceptedWarning)
    }
}

/// Plays a document to its end.
pub(crate) fn play(cast: &Cast<'_>, text: &str, desk: &Desk) -> Result<Record> {
    let setup = setup(cast, text, desk)?;
    let typical = forecast::typical(&setup)?;
    let mut run = Run::new(setup, Time(0));
    let mut now = 0;
    let mut texts = Texts::default();
    let mut counts = Counts::default();
    let mut used: BTreeMap<Role, u64> = BTreeMap::new();
    let mut till = Till::default();
    let mut out: Vec<Ask> = Vec::new();
    for _ in 0..MOST_STEPS {
        let step = run.next_step()?;
        for event in run.drain_events() {
            counts.hear(&event);
        }
        match step {
            Step::Ask(asks) => out = asks,
            Step::Cancel(_) => {}
            Step::Wait {
                on: redraft_run::run::Awaiting::Human { .. },
                ..
            } => run.handle_decision(Time(now), &Decision::Absent),
            Step::Wait { until, .. } => {
                if out.is_empty() {
                    now = until.map_or(now, |until| until.0.max(now));
                    run.handle_timeout(Time(now));
                    continue;
                }
                let started = now;
                for ask in std::mem::take(&mut out) {
                    let result = cast.answer(&ask);
                    let begins = ask.not_before.map_or(started, |time| time.0.max(started));
                    if let Ok(reply) = &result {
                        let tokens = reply.usage.tokens;
                        till.hear(&ask, tokens);
                        let tokens = tokens.input + tokens.output;
                        *used.entry(ask.role).or_default() += tokens;
                        texts.hear(cast, &ask, tokens);
                        if ask.id.0.contains("/guard/") {
                            counts.guards += 1;
                            counts.guard_tokens += tokens;
                        }
                        now = now.max(begins + reply.took);
                    }
                    run.handle_reply(Time(now), &ask.id, result);
                }
            }
            Step::Done(outcome) => {
                let money = till.money();
                return Ok(Record {
                    money,
                    typical,
                    ..record(cast, text, &outcome, (texts, counts, used))
                });
            }
        }
    }
    bail!("{} does not end", cast.name)
}

/// Far more than any run takes.
const MOST_STEPS: usize = 5_000;

fn setup(cast: &Cast<'_>, text: &str, desk: &Desk) -> Result<Setup> {
    let craft = cast.subject.craft;
    let profile = cast.subject.profile;
    let companions = Arc::new(craft.companions(cast.order));
    let reader = Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            ..Settings::default()
        },
        companions: Arc::clone(&companions),
        hint: craft.hint(),
    };
    let inspected = reader.inspect(text.as_bytes().to_vec());
    let fixed = reader.fix(text.as_bytes().to_vec());
    let fixed = fixed.context("the safe fixes do not fit")?;
    Ok(Setup {
        id: cast.name.clone(),
        goal: Goal::Refine,
        profile,
        self_review: review::review(&inspected.findings, &fixed.inspected.findings),
        inspector: Arc::new(reader),
        inspected: Arc::new(inspected),
        companions,
        rubric: profile.rubric().clone(),
        policy: desk.policy.clone(),
        mode: desk.mode,
        // As with one model for all roles: neither is configured by name.
        unnamed: BTreeSet::from([Role::SelfReviewer, Role::Arbiter]),
        seats: desk.roles.iter().map(|role| seat(*role)).collect(),
        feedback_language: None,
        limits: SpendingLimits::default(),
        require_judged: false,
        self_preference: None,
        models: redraft_run::setup::KnownModels::default(),
    })
}

/// A model of its own for every role, with the program's own limits.
fn seat(role: Role) -> Seat {
    let (temperature_hundredths, max_tokens) = redraft::config::defaults::call_settings(role);
    Seat {
        role,
        weight: 1,
        models: vec![ModelSettings {
            provider: "simulated".to_owned(),
            model: role.name().to_owned(),
            temperature_hundredths,
            max_tokens,
            price_in: 0,
            price_out: 0,
            cache: None,
        }],
        contexts: BTreeMap::new(),
    }
}

fn record(
    cast: &Cast<'_>,
    text: &str,
    outcome: &Outcome,
    (texts, mut counts, tokens): (Texts, Counts, BTreeMap<Role, u64>),
) -> Record {
    let last = outcome
        .final_content
        .as_ref()
        .map_or(text.into(), |bytes| String::from_utf8_lossy(bytes));
    counts.hear_tasks(outcome);
    Record {
        status: outcome.status,
        because: outcome.because.clone(),
        before: cast.subject.truth(text),
        after: cast.subject.truth(&last),
        score: outcome
            .score
            .as_ref()
            .map(|score| score.overall().thousandths()),
        rounds: outcome
            .tasks
            .iter()
            .map(|task| task.iteration)
            .max()
            .unwrap_or_default(),
        judges: [
            outcome.iterations.first().map_or(0, |first| first.judges),
            outcome.verdicts.len(),
        ],
        tokens,
        course: texts.course(outcome),
        counts,
        rolled_back: goals::rolled_back(outcome),
        money: Money::default(),
        typical: Typical::default(),
    }
}

/// The texts that judges were shown.
#[derive(Debug, Default)]
struct Texts {
    /// What the run has used so far.
    used: u64,
    /// Of each version: the truth about it, and what was used when the last judge
    /// had read it.
    shown: BTreeMap<Version, (Truth, u64)>,
}

impl Texts {
    fn hear(&mut self, cast: &Cast<'_>, ask: &Ask, tokens: u64) {
        self.used += tokens;
        if !JUDGES.contains(&ask.role) {
            return;
        }
        match self.shown.get_mut(&ask.content) {
            Some((_, used)) => *used = self.used,
            None => {
                let truth = cast.truth_of_prompt(ask);
                self.shown.insert(ask.content, (truth, self.used));
            }
        }
    }

    fn course(&self, outcome: &Outcome) -> Vec<Stop> {
        outcome
            .iterations
            .iter()
            .filter_map(|iteration| {
                let (truth, tokens) = self.shown.get(&iteration.content)?;
                Some(Stop {
                    round: iteration.iteration,
                    tokens: *tokens,
                    truth: truth.clone(),
                    score: iteration.score.map(Score::thousandths),
                })
            })
            .collect()
    }
}

const JUDGES: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeSecondary,
    Role::JudgeTiebreaker,
];

impl Counts {
    fn hear(&mut self, event: &Event) {
        match &event.kind {
            EventKind::AskedAgain { ask, problem, .. }
            | EventKind::FellBack {
                ask,
                reason: problem,
                ..
            } => {
                self.asked_again += 1;
                let is_patch = ask.0.contains("/patch/") || ask.0.contains("/rewrite/");
                let is_outside = problem.message.contains("are not in this part");
                self.outside += usize::from(is_patch && is_outside);
            }
            EventKind::QualityLockTriggered { confirmed, .. } => {
                self.alarms += 1;
                self.confirmed += usize::from(*confirmed);
            }
            EventKind::TextWritten { .. } => self.whole += 1,
            EventKind::SectionLocked { .. } => self.locked += 1,
            EventKind::ConvergenceDetected { .. } => self.converged += 1,
            EventKind::Verdict {
                result: VerdictResult::Unscored(_),
                ..
            } => self.unscored += 1,
            _ => {}
        }
    }

    fn hear_tasks(&mut self, outcome: &Outcome) {
        for task in &outcome.tasks {
            self.repairs += 1;
            self.kept += usize::from(task.kept);
            self.undone += usize::from(!task.kept);
            if task.issues.len() > 1 {
                self.several += 1;
                self.several_kept += usize::from(task.kept);
            }
        }
    }
}
