//! From what became of documents to the figures of the report.

use redraft_run::ask::{Budget, Role};
use redraft_run::outcome::{Outcome, Status, TaskDone};
use redraft_run::policy::Policy;
use redraft_run::reasons::{Because, NotAccepted, NothingToRepair, RollbackReason, StopReason};
use redraft_run::rubric::{Criterion, FixAction, Rubric};

use crate::figures::{Figure, mean, quotient, share};
use crate::play::Record;
use crate::report::{Goal, Line, Section, Unit, shares};

/// What a kind of content has to reach, by seed 003 §15.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Goals {
    pub(crate) accepted: Option<f64>,
    pub(crate) usable: Option<f64>,
    pub(crate) escalated: Option<f64>,
}

/// How texts ended, against the goals.
pub(crate) fn outcomes(
    title: &str,
    records: &[Record],
    (policy, rubric): (&Policy, &Rubric),
    goals: Goals,
) -> Section {
    let n = records.len();
    let count = |holds: &dyn Fn(&Record) -> bool| records.iter().filter(|r| holds(r)).count();
    let repaired: Vec<&Record> = records.iter().filter(|r| r.rounds > 0).collect();
    let of_repaired =
        |holds: &dyn Fn(&Record) -> bool| repaired.iter().filter(|r| holds(r)).count();
    let accepted = Line::share("accepted", count(&Record::is_accepted), n);
    let escalated = Line::share(
        "handed over to a person",
        count(&|r| r.status == Status::Escalated),
        n,
    );
    let rounds: Vec<f64> = repaired
        .iter()
        .filter(|record| record.is_accepted())
        .map(|record| f64::from(record.rounds))
        .collect();
    let mut lines = vec![
        with(accepted, goals.accepted.map(Goal::Above)),
        Line::share(
            "  of those that were repaired",
            of_repaired(&Record::is_accepted),
            repaired.len(),
        ),
    ];
    if goals.usable.is_some() {
        let line = Line::share("accepted, or best effort from .75 on", count(&is_usable), n);
        lines.push(with(line, goals.usable.map(Goal::Above)));
    }
    lines.push(with(escalated, goals.escalated.map(Goal::Below)));
    lines.extend([
        Line::new(
            "rounds of repair until accepted",
            mean(&rounds),
            Unit::Number,
        )
        .goal(Goal::Below(2.5)),
        Line::share(
            "no regression of the true quality, of all",
            count(&|r| !has_regressed(r)),
            n,
        )
        .goal(Goal::Above(0.95)),
        Line::share(
            "  of those whose text was changed",
            count(&|r| is_changed(r) && !has_regressed(r)),
            count(&is_changed),
        )
        .goal(Goal::Above(0.95)),
        Line::share(
            "  no criterion truly worse by more than .05, of the changed",
            count(&|r| is_changed(r) && !has_lost_a_criterion(r)),
            count(&is_changed),
        ),
        Line::new(
            "true quality before",
            mean(&each(records, |r| r.before.overall)),
            Unit::Number,
        ),
        Line::new(
            "true quality after",
            mean(&each(records, |r| r.after.overall)),
            Unit::Number,
        ),
        Line::share("repaired at all", repaired.len(), n),
        Line::share(
            "accepted below the line in truth, of the accepted",
            count(&|r| is_false_accept(r, policy, 0.0)),
            count(&Record::is_accepted),
        ),
        Line::share(
            "  by more than .02",
            count(&|r| is_false_accept(r, policy, 0.02)),
            count(&Record::is_accepted),
        ),
        Line::share(
            "  with a critical defect",
            count(&|r| r.is_accepted() && r.after.has_critical),
            count(&Record::is_accepted),
        ),
        Line::share(
            "not accepted though good enough in truth, of those",
            count(&|r| !r.is_accepted() && is_truly_good(r, policy, rubric)),
            count(&|r| !r.is_accepted()),
        ),
    ]);
    Section {
        title: title.to_owned(),
        lines,
    }
}

fn with(line: Line, goal: Option<Goal>) -> Line {
    match goal {
        Some(goal) => line.goal(goal),
        None => line,
    }
}

fn each(records: &[Record], what: impl Fn(&Record) -> f64) -> Vec<f64> {
    records.iter().map(what).collect()
}

/// Sums of the same figures in another order differ behind the comma.
const EQUAL: f64 = 1e-9;

fn has_regressed(record: &Record) -> bool {
    record.after.overall < record.before.overall - EQUAL
}

fn is_changed(record: &Record) -> bool {
    record.counts.kept > 0
}

fn has_lost_a_criterion(record: &Record) -> bool {
    let scores = record.before.scores.iter().zip(&record.after.scores);
    scores
        .into_iter()
        .any(|(before, after)| after + 0.05 + EQUAL < *before)
}

/// The score from which on a text may be accepted.
fn line_of(record: &Record, policy: &Policy) -> f64 {
    let enough = policy.good_enough.filter(|_| record.rounds > 0);
    let line = enough.map_or(policy.accept, |enough| enough.from);
    f64::from(line.thousandths()) / 1_000.0
}

fn is_false_accept(record: &Record, policy: &Policy, by: f64) -> bool {
    record.is_accepted() && record.after.overall < line_of(record, policy) - by
}

fn is_truly_good(record: &Record, policy: &Policy, rubric: &Rubric) -> bool {
    let suffices = |(score, criterion): (&f64, &Criterion)| {
        let threshold = criterion.threshold.filter(|_| policy.every_criterion);
        threshold.is_none_or(|least| *score >= f64::from(least.thousandths()) / 1_000.0)
    };
    record.after.overall >= line_of(record, policy)
        && !record.after.has_critical
        && record
            .after
            .scores
            .iter()
            .zip(&rubric.criteria)
            .all(suffices)
}

/// Where documents end, and why they are not accepted.
pub(crate) fn stages(title: &str, records: &[Record]) -> Vec<Section> {
    let first = |record: &Record| match record.judges[0] {
        0 => "the free checks stopped it before a judge".to_owned(),
        1 => "one judge".to_owned(),
        2 => "two judges".to_owned(),
        _ => "three judges".to_owned(),
    };
    let last = |record: &Record| match (record.is_accepted(), record.rounds) {
        (true, 0) if record.judges[1] == 1 => "accepted as it came, by one judge".to_owned(),
        (true, 0) => "accepted as it came, by the panel".to_owned(),
        (true, round) => format!("accepted after round {round}"),
        (false, _) => match record.status {
            Status::BestEffort => "best effort".to_owned(),
            _ => "handed over".to_owned(),
        },
    };
    let unaccepted = records.iter().filter(|record| !record.is_accepted());
    vec![
        Section {
            title: format!("{title}: who looked at the text that came in"),
            lines: shares(records.iter().map(first)),
        },
        Section {
            title: format!("{title}: where it ended"),
            lines: shares(records.iter().map(last)),
        },
        Section {
            title: format!("{title}: why it was not accepted"),
            lines: shares(unaccepted.map(|record| reason(record.because.as_ref()))),
        },
    ]
}

/// A reason without its figures and names.
pub(crate) fn reason(because: Option<&Because>) -> String {
    let Some(because) = because else {
        return "other; other".to_owned();
    };
    let lacks = match (&because.not_accepted, &because.stopped) {
        (
            _,
            Some(StopReason::NothingToRepair {
                reason: NothingToRepair::WholeNeeded { .. },
            }),
        ) => "the whole would have to be written again",
        (NotAccepted::Unscored(_), _) => "nobody has scored it",
        (NotAccepted::OpenError(_), _) => "an error is open",
        (NotAccepted::LowConfidence { .. }, _) => "a judge is not sure",
        (NotAccepted::Unconfirmed { .. }, _) => "the panel has not confirmed it",
        (NotAccepted::CriticalIssue, _) => "a critical issue is open",
        (NotAccepted::BlockingIssue { .. }, _) => "an issue that blocks is open",
        (NotAccepted::OverallBelow { .. }, _) => "the overall score",
        (NotAccepted::CriteriaBelow { .. }, _) => "a criterion scores too low",
        (NotAccepted::KeyDisputed { .. }, _) => "the solver names another option",
        (NotAccepted::NotWritten { .. } | NotAccepted::PartlyRead { .. }, _) => "other",
    };
    let end = match &because.stopped {
        Some(StopReason::IterationsUsedUp { .. }) => "rounds used up",
        Some(StopReason::Converged { .. }) => "converged",
        Some(StopReason::Oscillating) => "to and fro",
        Some(StopReason::NothingToRepair {
            reason: NothingToRepair::NoTaskLeft,
        }) => "no task left",
        Some(StopReason::NoProposal { .. }) => "nothing changed any more",
        Some(StopReason::SameTextAgain) => "the same text came back",
        Some(StopReason::NothingKept { .. }) => "no repair was kept",
        Some(StopReason::BudgetExhausted(_)) => "budget exhausted",
        Some(StopReason::Interrupted(_)) => "no time left",
        Some(
            StopReason::NothingToRepair { .. }
            | StopReason::BeyondRepair { .. }
            | StopReason::NotRewritten { .. },
        )
        | None => "other",
    };
    format!("{lacks}; {end}")
}

/// Why repairs were rolled back, or parts of them: by how they were asked for, without
/// figures and names.
pub(crate) fn rolled_back(outcome: &Outcome) -> Vec<String> {
    let told = |task: &TaskDone| {
        let because = match task.because.as_ref()? {
            RollbackReason::NoChange { .. } => "no change was proposed".to_owned(),
            RollbackReason::NoAnswer(_) => "no usable answer".to_owned(),
            RollbackReason::Rejected { objections } => format!("rejected: {}", kind_of(objections)),
            RollbackReason::NoLongerFits { .. } => "no longer fits beside the others".to_owned(),
            RollbackReason::NotSolved { .. } if task.kept => "a part of it not solved".to_owned(),
            RollbackReason::NotSolved { .. } => "not solved".to_owned(),
            RollbackReason::QualityLock { .. } => "a good criterion fell".to_owned(),
            RollbackReason::OtherVersionPreferred => "another version is better".to_owned(),
            _ => "other".to_owned(),
        };
        let how = match task.action_type {
            FixAction::SurgicalEdit => "edit",
            FixAction::RegenerateSection => "rewrite",
        };
        let again = if task.retry { ", once more" } else { "" };
        Some(format!("{how}{again}: {because}"))
    };
    outcome.tasks.iter().filter_map(told).collect()
}

/// The first words of an objection, without what it quotes.
fn kind_of(objections: &str) -> String {
    let is_word =
        |word: &&str| !word.contains(['“', '”', '`', '"']) && !word.contains(char::is_numeric);
    let words = objections.split_whitespace().filter(is_word);
    words.take(8).collect::<Vec<_>>().join(" ")
}

/// What it takes, by role.
pub(crate) fn spending(title: &str, records: &[Record]) -> Section {
    let tokens = |role: Role| {
        each(records, |record| {
            record.tokens.get(&role).copied().unwrap_or_default() as f64
        })
    };
    let mut lines = vec![Line::new(
        "all",
        mean(&each(records, |record| record.total() as f64)),
        Unit::Tokens,
    )];
    for role in Role::ALL {
        let spent = tokens(role);
        if spent.iter().any(|tokens| *tokens > 0.0) {
            lines.push(Line::new(role.name(), mean(&spent), Unit::Tokens));
        }
    }
    let per_round: Vec<(f64, f64)> = records
        .iter()
        .filter(|record| record.rounds > 0)
        .map(|record| (record.of(Budget::Repair) as f64, f64::from(record.rounds)))
        .collect();
    lines.push(
        Line::new(
            "repair and verification, a round",
            quotient(&per_round),
            Unit::Tokens,
        )
        .goal(Goal::Below(2_600.0)),
    );
    Section {
        title: format!("{title}: tokens of a document"),
        lines,
    }
}

/// What becomes of repairs.
pub(crate) fn repairs(title: &str, records: &[Record]) -> Section {
    let sum = |what: &dyn Fn(&Record) -> usize| records.iter().map(what).sum::<usize>();
    let per = |what: &dyn Fn(&Record) -> usize, of: &dyn Fn(&Record) -> usize| -> Figure {
        let pairs: Vec<(f64, f64)> = records
            .iter()
            .map(|record| (what(record) as f64, of(record) as f64))
            .collect();
        quotient(&pairs)
    };
    let repairs = sum(&|r| r.counts.repairs);
    let several = sum(&|r| r.counts.several);
    let rounds = |r: &Record| r.rounds as usize;
    Section {
        title: format!("{title}: what becomes of repairs"),
        lines: vec![
            Line::share("kept", sum(&|r| r.counts.kept), repairs),
            Line::share(
                "  of one issue",
                sum(&|r| r.counts.kept - r.counts.several_kept),
                repairs - several,
            ),
            Line::share(
                "  of several issues",
                sum(&|r| r.counts.several_kept),
                several,
            ),
            Line::new(
                "answers refused and asked for again, a round",
                per(&|r| r.counts.asked_again, &rounds),
                Unit::Number,
            ),
            Line::new(
                "  because they reached outside their part",
                per(&|r| r.counts.outside, &rounds),
                Unit::Number,
            ),
            Line::new(
                "alarms that a criterion fell, a round",
                per(&|r| r.counts.alarms, &rounds),
                Unit::Number,
            ),
            Line::new(
                "  that a second judge confirmed",
                per(&|r| r.counts.confirmed, &rounds),
                Unit::Number,
            ),
            Line::new(
                "  tokens to look into them, a document",
                mean(&each(records, |r| r.counts.guard_tokens as f64)),
                Unit::Tokens,
            ),
            Line::new(
                "parts locked, a document",
                mean(&each(records, |r| r.counts.locked as f64)),
                Unit::Number,
            ),
            Line::new(
                "seats that gave no verdict, a document",
                mean(&each(records, |r| r.counts.unscored as f64)),
                Unit::Number,
            ),
            Line::share(
                "written anew as a whole",
                records.iter().filter(|r| r.counts.whole > 0).count(),
                records.len(),
            ),
        ],
    }
}

/// Repair against writing the whole again: the same documents, in the same order.
/// `fresh` is how good a new text of a document is, by document and attempt.
pub(crate) fn against(
    title: &str,
    ours: &[Record],
    theirs: &[Record],
    fresh: &dyn Fn(usize, usize) -> f64,
) -> Section {
    let pairs: Vec<(usize, &Record, &Record)> = ours
        .iter()
        .zip(theirs)
        .enumerate()
        .filter(|(_, (ours, _))| ours.rounds > 0)
        .map(|(number, (ours, theirs))| (number, ours, theirs))
        .collect();
    let fold = |what: &dyn Fn(&Record, &Record) -> (f64, f64)| -> Vec<(f64, f64)> {
        pairs.iter().map(|(_, a, b)| what(a, b)).collect()
    };
    // What one more writing takes, by itself and with its judging.
    let writers = || theirs.iter().filter(|record| record.counts.whole > 0);
    let a_writing = |what: &dyn Fn(&Record) -> f64| -> Figure {
        let pairs: Vec<(f64, f64)> = writers()
            .map(|record| (what(record), record.counts.whole as f64))
            .collect();
        quotient(&pairs)
    };
    let alone = a_writing(&|record| record.of(Budget::Writing) as f64);
    let round = a_writing(&after_first);
    let at_our_cost = |ours: &Record, theirs: &Record| {
        let budget = ours.total();
        let paid = theirs.course.iter().filter(|stop| stop.tokens <= budget);
        let best = paid.max_by_key(|stop| (stop.score, std::cmp::Reverse(stop.round)));
        best.map_or(theirs.before.overall, |stop| stop.truth.overall)
    };
    // Of each pair: the tokens of writing again until it is as good.
    let until_as_good: Vec<f64> = pairs
        .iter()
        .map(|(number, ours, _)| {
            const MOST: usize = 60;
            let enough = ours.after.overall - 0.005;
            let tries = (1..=MOST).find(|attempt| fresh(*number, *attempt) >= enough);
            let first = ours.course.first().map_or(0, |stop| stop.tokens) as f64;
            first + tries.unwrap_or(MOST) as f64 * round.value
        })
        .collect();
    let ours_and_theirs: Vec<(f64, f64)> = pairs
        .iter()
        .zip(&until_as_good)
        .map(|((_, ours, _), theirs)| (ours.total() as f64, *theirs))
        .collect();
    let value =
        |figures: Vec<(f64, f64)>| -> Vec<f64> { figures.iter().map(|(a, _)| *a).collect() };
    Section {
        title: title.to_owned(),
        lines: vec![
            Line::new("writing it again once", alone, Unit::Tokens),
            Line::new("  with judging it again", round, Unit::Tokens),
            Line::new(
                "tokens of repair, of writing again until accepted",
                quotient(&fold(&|a, b| (a.total() as f64, b.total() as f64))),
                Unit::Share,
            )
            .goal(Goal::Below(1.0)),
            Line::new(
                "  without the first judging, which both pay",
                quotient(&fold(&|a, b| (after_first(a), after_first(b)))),
                Unit::Share,
            ),
            Line::share(
                "  accepted by repair",
                pairs.iter().filter(|(_, a, _)| a.is_accepted()).count(),
                pairs.len(),
            ),
            Line::share(
                "  accepted by writing again, up to nine times",
                pairs.iter().filter(|(_, _, b)| b.is_accepted()).count(),
                pairs.len(),
            ),
            Line::new(
                "at equal cost: true quality by repair",
                mean(&value(fold(&|a, _| (a.after.overall, 0.0)))),
                Unit::Number,
            ),
            Line::new(
                "at equal cost: true quality by writing again",
                mean(&value(fold(&|a, b| (at_our_cost(a, b), 0.0)))),
                Unit::Number,
            ),
            Line::new(
                "at equal quality: tokens of repair, of writing again",
                quotient(&ours_and_theirs),
                Unit::Share,
            )
            .goal(Goal::Below(1.0)),
            Line::new(
                "at equal quality: tokens by repair",
                mean(&value(ours_and_theirs)),
                Unit::Tokens,
            ),
            Line::new(
                "at equal quality: tokens by writing again",
                mean(&until_as_good),
                Unit::Tokens,
            ),
        ],
    }
}

fn after_first(record: &Record) -> f64 {
    let first = record.course.first().map_or(0, |stop| stop.tokens);
    record.total().saturating_sub(first) as f64
}

/// Passes by attempt; the first attempt is the author's (seed 000).
pub(crate) fn attempts(title: &str, records: &[Record], goals: &[f64]) -> Section {
    let lines = (1..=10u32)
        .map(|attempt| {
            let passed = records
                .iter()
                .filter(|record| record.is_accepted() && record.rounds < attempt)
                .count();
            let line = Line::share(
                format!("passed by attempt {attempt}"),
                passed,
                records.len(),
            );
            let goal = goals.get(attempt as usize - 1).copied();
            with(line, goal.map(Goal::Above))
        })
        .collect();
    Section {
        title: title.to_owned(),
        lines,
    }
}

/// The columns of a comparison.
pub(crate) const COLUMNS: &[(&str, Unit)] = &[
    ("accepted %", Unit::Share),
    ("usable %", Unit::Share),
    ("rounds", Unit::Number),
    ("no regress. %", Unit::Share),
    ("true after", Unit::Number),
    ("false accept %", Unit::Share),
    ("tokens", Unit::Tokens),
];

/// The figures of one variant, in the order of [`COLUMNS`]. What is a false accept
/// is measured by the policy as it is, not by the changed one.
pub(crate) fn row(records: &[Record], policy: &Policy) -> Vec<Figure> {
    let count = |holds: &dyn Fn(&Record) -> bool| records.iter().filter(|r| holds(r)).count();
    let accepted = count(&Record::is_accepted);
    let rounds: Vec<f64> = records
        .iter()
        .filter(|record| record.is_accepted() && record.rounds > 0)
        .map(|record| f64::from(record.rounds))
        .collect();
    vec![
        share(accepted, records.len()),
        share(count(&is_usable), records.len()),
        mean(&rounds),
        share(
            count(&|r| is_changed(r) && !has_regressed(r)),
            count(&is_changed),
        ),
        mean(&each(records, |r| r.after.overall)),
        share(
            count(&|r| {
                is_false_accept(r, policy, 0.0) || (r.is_accepted() && r.after.has_critical)
            }),
            accepted,
        ),
        mean(&each(records, |r| r.total() as f64)),
    ]
}

/// Accepted, or best effort that is not below standard.
fn is_usable(record: &Record) -> bool {
    record.is_accepted()
        || (record.status == Status::BestEffort && record.score.is_some_and(|score| score >= 750))
}
