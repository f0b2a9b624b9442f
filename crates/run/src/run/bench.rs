//! The judges of a run: who is asked about a text, and what they come to together.
//!
//! | judging | asked |
//! |---|---|
//! | single | one judge |
//! | cascade | the cheap judge; where that is not clear (ruling 21), the panel |
//! | panel | the panel |
//!
//! | panel | then |
//! |---|---|
//! | two verdicts that agree (ruling 22) | done |
//! | two verdicts that do not | the third is asked |
//! | a seat stays empty (ruling 23) | the third takes it |
//!
//! | who can read the whole text | then |
//! |---|---|
//! | everybody, or nobody says otherwise | as above |
//! | some | only they are asked; the other seats stay empty, with the reason |
//! | those who were thought to could not | the same again, as we know now |
//! | nobody | they read what fits; the text is not accepted on it (`decide`) |
//!
//! A verdict about a text is given once: the cheap judge's counts as its vote in
//! the panel. Seats with the same model are one judge, and never a panel (ruling
//! 24).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::converse::{Conversation, Ended, Reading, converse, does_not_fit};
use super::flow::Flow;
use super::text::Text;
use super::wording::{self, Render, Wordings};
use crate::agreement;
use crate::arbitrate::{self, Arbitration};
use crate::ask::{Budget, ModelSettings, Role, Tokens};
use crate::assess::{Assessment, Vote};
use crate::cascade::{self, Cascade, Lines, Stage};
use crate::decide::QualityStatus;
use crate::event::{EventKind, VerdictResult};
use crate::policy::{Confirm, Judging};
use crate::prompt::{PromptError, Unfit};
use crate::reasons::Unconfirmed;
use crate::request::Task;
use crate::setup::{Seat, to_read};
use crate::token_estimate::estimated_tokens;
use crate::verdict::{self, Issue, IssueSeverity, Judge, Question, Reason, Unscored, Verdict};
use redraft_gate::span::Version;

/// Those who can judge alone, the cheap one first.
const ALONE: [Role; 3] = [
    Role::JudgeSecondary,
    Role::JudgePrimary,
    Role::JudgeTiebreaker,
];

/// What the judges said about one version of the text.
#[derive(Debug, Default)]
pub(super) struct Bench {
    /// The verdicts, by seat, with the weight of the seat.
    verdicts: BTreeMap<Role, (u32, Verdict)>,
    /// The seats that gave none.
    unscored: BTreeMap<Role, Unscored>,
    /// Whether a panel was wanted and could not be had.
    lacks_panel: bool,
    /// What stands of the verdicts, worked out once.
    ruled: OnceLock<Option<Arc<Arbitration>>>,
}

impl Bench {
    fn votes(&self) -> Vec<Vote<'_>> {
        self.verdicts
            .values()
            .map(|(weight, verdict)| Vote {
                verdict,
                weight: *weight,
            })
            .collect()
    }

    fn add(&mut self, role: Role, weight: u32, verdict: Verdict) {
        self.verdicts.insert(role, (weight, verdict));
        self.ruled = OnceLock::new();
    }

    pub(super) fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.values().map(|(_, verdict)| verdict)
    }

    pub(super) fn verdict(&self, role: Role) -> Option<&Verdict> {
        self.verdicts.get(&role).map(|(_, verdict)| verdict)
    }

    pub(super) fn unscored(&self) -> &BTreeMap<Role, Unscored> {
        &self.unscored
    }

    /// The first judge that gave no verdict, and why.
    fn without_verdict(&self) -> Option<Unconfirmed> {
        let (role, unscored) = self.unscored.iter().next()?;
        Some(Unconfirmed::NoVerdict {
            role: *role,
            unscored: unscored.clone(),
        })
    }

    /// The models that gave a verdict.
    fn voted(&self) -> BTreeSet<String> {
        self.verdicts()
            .map(|verdict| verdict.judge().model.clone())
            .collect()
    }
}

/// Who is asked about a text, by what they can read of it.
#[derive(Debug, Default)]
struct Readers {
    /// The seats that are asked, and whether a part of the text will do.
    asked: Vec<(Seat, Reading)>,
    /// Those that are not, with the reason.
    left_out: Vec<(Seat, Ended<Verdict>)>,
    /// Whether any judge is thought to have room for the whole text.
    somebody_reads_all: bool,
}

/// Why a text is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// It came in.
    First,
    /// It was repaired.
    Repaired,
    /// The panel has to confirm it.
    Confirmed,
}

impl Flow {
    /// Has a text judged, as far as the policy wants it and the budget goes.
    /// `path` is the beginning of the asks' names.
    pub(super) async fn judge(
        &mut self,
        text: &Text,
        path: &str,
        wanted: Wanted,
    ) -> Result<(), PromptError> {
        let node = self.setup.profile.stage_name("judge");
        self.post.emit(EventKind::NodeEnter { node });
        if !self.benches.contains_key(&text.version()) {
            let document = estimated_tokens(text.document().source().text());
            let to_read = to_read(document, &self.setup.companions, &self.setup.seats);
            let limit = self.setup.policy.judging_limit(to_read);
            self.post.lock().ledger.allot(Budget::Judging, limit);
        }
        self.benches.entry(text.version()).or_default();
        match (wanted, self.setup.policy.judging) {
            (Wanted::Confirmed, _) | (_, Judging::Panel) => self.panel(text, path).await?,
            (_, Judging::Single) => self.one_judge(text, path).await?,
            (_, Judging::Cascade) => {
                self.one_judge(text, path).await?;
                if !self.is_clear(text, wanted) {
                    self.panel(text, path).await?;
                }
            }
        }
        self.post.emit(EventKind::NodeComplete { node });
        if let Some(arbitration) = self.arbitration(text) {
            self.post.emit(EventKind::ArbiterConsolidation {
                agreement: arbitration.agreement.level,
                alpha: arbitration.agreement.alpha,
                issues: arbitration.issues.len(),
                set_aside: arbitration.set_aside.len(),
                conflicts: arbitration.conflicts.len(),
            });
        }
        Ok(())
    }

    /// The cheap judge; where nothing can be had of it, the next one.
    async fn one_judge(&mut self, text: &Text, path: &str) -> Result<(), PromptError> {
        for role in ALONE {
            if self.seat(role).is_some() {
                self.ask_judges(text, path, &[role]).await?;
            }
            let bench = self.benches.entry(text.version()).or_default();
            if !bench.verdicts.is_empty() || self.post.lock().stopped.is_some() {
                break;
            }
        }
        Ok(())
    }

    async fn panel(&mut self, text: &Text, path: &str) -> Result<(), PromptError> {
        let two = [Role::JudgePrimary, Role::JudgeSecondary];
        self.ask_judges(text, path, &two).await?;
        let is_settled = self.benches.get(&text.version()).is_some_and(|bench| {
            let votes = bench.votes();
            votes.len() > 1 && !cascade::dispute(&votes, &self.setup.rubric, &self.cascade())
        });
        if !is_settled {
            self.ask_judges(text, path, &[Role::JudgeTiebreaker])
                .await?;
        }
        let bench = self.benches.entry(text.version()).or_default();
        bench.lacks_panel = bench.verdicts.len() < 2;
        Ok(())
    }

    /// Asks those of these judges that were not asked about this text yet, side by
    /// side.
    pub(super) async fn ask_judges(
        &mut self,
        text: &Text,
        path: &str,
        roles: &[Role],
    ) -> Result<(), PromptError> {
        let bench = self.benches.entry(text.version()).or_default();
        let mut taken = bench.voted();
        let mut seats = Vec::new();
        for role in roles {
            let Some(seat) = self.setup.seats.iter().find(|seat| seat.role == *role) else {
                continue;
            };
            if bench.verdicts.contains_key(role) || bench.unscored.contains_key(role) {
                continue;
            }
            let mut seat = seat.clone();
            seat.models.retain(|model| !taken.contains(&model.name()));
            if let Some(first) = seat.models.first() {
                taken.insert(first.name());
                seats.push(seat);
            }
        }
        if seats.is_empty() {
            return Ok(());
        }
        let flagged = self.flagged();
        let setup = Arc::clone(&self.setup);
        let setup = setup.as_ref();
        let words = |flagged| wording::render(setup, text.document(), Task::Judge { flagged });
        let mut wordings = self
            .asked_of_judges
            .remove(&text.version())
            .unwrap_or_else(|| Wordings::new(Some(verdict::schema(&setup.rubric))));
        let mut ended: BTreeMap<Role, (Seat, Ended<Verdict>)> = BTreeMap::new();
        for is_again in [false, true] {
            let readers = self.readers(seats, &mut wordings, &words(&flagged))?;
            if is_again && readers.somebody_reads_all {
                // They are asked on seats of their own.
                break;
            }
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
                            },
                            reply,
                        )
                    }),
                })
                .collect();
            let said = converse(setup, &self.post, conversations).await?;
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
            let bench = self.benches.entry(text.version()).or_default();
            let is_judged = ended.values().any(|(_, said)| said.result.is_ok());
            if seats.is_empty() || is_judged || !bench.verdicts.is_empty() {
                break;
            }
        }
        self.asked_of_judges.insert(text.version(), wordings);
        for (seat, said) in ended.into_values() {
            self.seat_done(text.version(), seat.role, seat.weight, said);
        }
        Ok(())
    }

    /// Which of these seats are asked: those that can read the whole text, where any
    /// judge can; all of them where none can. The question is put into words on the
    /// way.
    fn readers(
        &self,
        seats: Vec<Seat>,
        wordings: &mut Wordings,
        render: &Render<'_>,
    ) -> Result<Readers, PromptError> {
        let mut whole: BTreeSet<(Role, String)> = BTreeSet::new();
        let mut short: BTreeMap<Role, Unscored> = BTreeMap::new();
        let judges = self.setup.seats.iter();
        for seat in judges.filter(|seat| ALONE.contains(&seat.role)) {
            for model in &seat.models {
                let (room, context) = {
                    let ledger = &self.post.lock().ledger;
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
            somebody_reads_all: !whole.is_empty(),
            ..Readers::default()
        };
        for mut seat in seats {
            let names: Vec<String> = seat.models.iter().map(ModelSettings::name).collect();
            // Whoever turns out to lack room leaves the text to a judge who has it.
            let is_alone = whole.iter().all(|(_, name)| names.contains(name));
            let reading = if is_alone {
                Reading::InPart
            } else {
                Reading::Whole
            };
            let first = seat.models.first().cloned();
            if readers.somebody_reads_all {
                let can = |model: &ModelSettings| whole.contains(&(seat.role, model.name()));
                seat.models.retain(can);
            }
            match short.get(&seat.role).filter(|_| seat.models.is_empty()) {
                Some(why_not) => {
                    let nothing = Ended {
                        result: Err(why_not.clone()),
                        ask: None,
                        model: first,
                        used: Tokens::default(),
                        unread: None,
                    };
                    readers.left_out.push((seat, nothing));
                }
                None => readers.asked.push((seat, reading)),
            }
        }
        Ok(readers)
    }

    fn seat_done(&mut self, version: Version, role: Role, weight: u32, mut ended: Ended<Verdict>) {
        // Two seats may have fallen back on the same model: it has one vote.
        let voted = self
            .benches
            .get(&version)
            .map(Bench::voted)
            .unwrap_or_default();
        if let Ok(verdict) = &ended.result
            && voted.contains(&verdict.judge().model)
        {
            let message = format!("{} judges on another seat already", verdict.judge().model);
            ended.result = Err(Unscored::new(Reason::CallFailed, message));
        }
        let result = match &ended.result {
            Ok(verdict) => match cascade::overall(verdict, &self.setup.rubric) {
                Some(score) => VerdictResult::Scored {
                    score,
                    confidence: verdict.confidence(),
                    issues: verdict.issues().len(),
                },
                None => VerdictResult::Unscored(Unscored::new(
                    Reason::WrongShape,
                    "the rubric weighs nothing",
                )),
            },
            Err(unscored) => VerdictResult::Unscored(unscored.clone()),
        };
        self.post.emit(EventKind::Verdict {
            ask: ended.ask,
            role,
            model: ended
                .model
                .as_ref()
                .map(ModelSettings::name)
                .unwrap_or_default(),
            result,
            tokens: ended.used,
        });
        let bench = self.benches.entry(version).or_default();
        match ended.result {
            Ok(verdict) => {
                let verdict = verdict.having_used(ended.used).having_missed(ended.unread);
                bench.add(role, weight, verdict);
            }
            Err(unscored) => {
                bench.unscored.insert(role, unscored);
            }
        }
    }

    /// A text that no judge is asked about.
    pub(super) fn leave_unjudged(&mut self, text: &Text, because: &Unscored) {
        let bench = self.benches.entry(text.version()).or_default();
        for seat in &self.setup.seats {
            if ALONE.contains(&seat.role) {
                bench.unscored.insert(seat.role, because.clone());
            }
        }
        if bench.unscored.is_empty() {
            bench.unscored.insert(Role::JudgeSecondary, because.clone());
        }
    }

    fn cascade(&self) -> Cascade {
        let policy = &self.setup.policy;
        Cascade {
            clear_by: policy.clear_by,
            agree_within: policy.agree_within,
            redo_below: policy.redo_below,
        }
    }

    /// Whether the single judge's word suffices (ruling 21).
    fn is_clear(&self, text: &Text, wanted: Wanted) -> bool {
        let policy = &self.setup.policy;
        let Some(assessment) = self.assessment(text) else {
            return false;
        };
        let has_critical = self.has_critical(text);
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
        cascade::is_clear(&assessment, stage, &lines, &self.cascade())
    }

    pub(super) fn has_critical(&self, text: &Text) -> bool {
        text.findings().iter().any(|finding| finding.critical)
            || self
                .issues(text)
                .iter()
                .any(|issue| issue.severity == IssueSeverity::Critical)
    }

    /// What the judges come to together.
    pub(super) fn assessment(&self, text: &Text) -> Option<Assessment> {
        let bench = self.benches.get(&text.version())?;
        Assessment::of(&bench.votes(), &self.setup.rubric, text.findings())
    }

    /// Whether a judge could not read all of it.
    pub(super) fn was_read_in_part(&self, text: &Text) -> bool {
        let bench = self.benches.get(&text.version());
        bench.is_some_and(|bench| bench.verdicts().any(|verdict| verdict.unread().is_some()))
    }

    /// What stands of what they said.
    pub(super) fn arbitration(&self, text: &Text) -> Option<Arc<Arbitration>> {
        let bench = self.benches.get(&text.version())?;
        let rule = || {
            let assessment = self.assessment(text)?;
            Some(Arc::new(arbitrate::arbitrate(
                &bench.votes(),
                &assessment,
                &self.setup.rubric,
                text.document(),
            )))
        };
        bench.ruled.get_or_init(rule).clone()
    }

    /// The issues that stand.
    pub(super) fn issues(&self, text: &Text) -> Vec<Issue> {
        self.arbitration(text)
            .map(|ruled| {
                ruled
                    .issues
                    .iter()
                    .map(|targeted| targeted.issue.clone())
                    .collect()
            })
            .unwrap_or_default()
    }

    pub(super) fn quality(&self, text: &Text) -> QualityStatus {
        self.assessment(text)
            // Nobody knows about what no judge could read.
            .filter(|assessment| assessment.unread().is_none())
            .map_or(QualityStatus::BelowStandard, |assessment| {
                QualityStatus::of(assessment.overall())
            })
    }

    /// The reason why nobody scored a text, of all reasons the one of the first
    /// seat.
    pub(super) fn why_unscored(&self, text: &Text) -> Unscored {
        self.benches
            .get(&text.version())
            .and_then(|bench| bench.unscored.values().next().cloned())
            .unwrap_or_else(|| Unscored::new(Reason::CallFailed, "no judge was asked"))
    }

    /// How many different judges are configured.
    pub(super) fn judges_configured(&self) -> usize {
        self.setup
            .seats
            .iter()
            .filter(|seat| ALONE.contains(&seat.role))
            .filter_map(|seat| seat.models.first())
            .map(ModelSettings::name)
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// Why too few judges stand behind a result, where that is
    /// not to be borne.
    pub(super) fn missing_judges(&self, text: &Text) -> Option<Unconfirmed> {
        let bench = self.benches.get(&text.version())?;
        if !self.setup.require_judged || !bench.lacks_panel || bench.verdicts.is_empty() {
            return None;
        }
        Some(bench.without_verdict().unwrap_or(Unconfirmed::OneJudge))
    }

    /// Why the panel has not confirmed a repaired text (rulings 31, 36), if it has
    /// not.
    pub(super) fn unconfirmed(&self, text: &Text) -> Option<Unconfirmed> {
        if self.setup.policy.confirm == Confirm::Nobody {
            return None;
        }
        if self.judges_configured() < 2 {
            return self.setup.require_judged.then_some(Unconfirmed::OneJudge);
        }
        let bench = self.benches.get(&text.version())?;
        if bench.verdicts.len() > 1 {
            return None;
        }
        Some(bench.without_verdict().unwrap_or(Unconfirmed::NotAsked))
    }

    /// Whether the judges of a text disagree so much that a person should look.
    pub(super) fn needs_second_look(&self, text: &Text) -> bool {
        let Some(bench) = self.benches.get(&text.version()) else {
            return true;
        };
        bench.lacks_panel
            || self
                .arbitration(text)
                .is_none_or(|arbitration| arbitration.needs_review)
    }

    /// How far the judges of a text agree.
    pub(super) fn agreement(&self, text: &Text) -> Option<agreement::Agreement> {
        let bench = self.benches.get(&text.version())?;
        let votes = bench.votes();
        (!votes.is_empty()).then(|| agreement::of_panel(&votes, &self.setup.rubric))
    }
}
