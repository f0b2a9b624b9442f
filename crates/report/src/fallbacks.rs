//! Which fallback models were asked in a run, which judges gave no verdict, and what
//! to change in the configuration about it. It knows nothing of scores.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use redraft_run::ask::{AskId, Role};
use redraft_run::event::{Event, EventKind, VerdictResult};
use redraft_run::outcome::Outcome;
use redraft_run::reasons::{Because, NotAccepted, Unconfirmed};
use redraft_run::setup::{Seat, Setup};
use redraft_run::verdict::{Reason, Unscored};
use schemars::JsonSchema;
use serde::Serialize;

use super::sentences::{self, without_name};
use super::style::DIM;

/// A model that failed, and the fallback model that was asked instead.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Fallback {
    /// The role.
    pub role: Role,
    /// The model that failed.
    pub from: String,
    /// The fallback model.
    pub to: String,
    /// Why the first one failed; of several reasons the first.
    pub reason: Unscored,
    /// How often.
    pub times: u32,
}

/// Who was asked in a run, where that was not simply the first model of each role.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Fallbacks {
    /// The fallback models that were asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<Fallback>,
    /// The configured models of each role.
    #[serde(skip)]
    seats: Vec<Seat>,
    /// The judges that were asked and gave no verdict about some text, with what had
    /// gone wrong before they were given up.
    #[serde(skip)]
    silent: BTreeMap<Role, Option<String>>,
}

/// Records fallbacks and failures from the events of a run.
#[derive(Debug)]
pub struct FallbackRecorder {
    noted: Fallbacks,
    /// What went wrong last, by the question.
    failed: BTreeMap<String, String>,
}

impl FallbackRecorder {
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        Self::with(setup.seats.clone())
    }

    fn with(seats: Vec<Seat>) -> Self {
        Self {
            noted: Fallbacks {
                seats,
                ..Fallbacks::default()
            },
            failed: BTreeMap::new(),
        }
    }

    pub fn record(&mut self, event: &Event) {
        match &event.kind {
            EventKind::AskedAgain { ask, problem, .. } => self.note_failure(ask, problem),
            EventKind::FellBack {
                ask,
                role,
                from,
                to,
                reason,
            } => {
                self.note_failure(ask, reason);
                let is_same = |known: &&mut Fallback| {
                    (known.role, &known.from, &known.to) == (*role, from, to)
                };
                match self.noted.fallbacks.iter_mut().find(is_same) {
                    Some(known) => known.times += 1,
                    None => self.noted.fallbacks.push(Fallback {
                        role: *role,
                        from: from.clone(),
                        to: to.clone(),
                        reason: reason.clone(),
                        times: 1,
                    }),
                }
            }
            EventKind::Verdict {
                ask,
                role,
                result: VerdictResult::Unscored(_),
                ..
            } => {
                let question = ask.as_ref().map(question).unwrap_or_default();
                let failed = self.failed.get(question).cloned();
                self.noted.silent.insert(*role, failed);
            }
            _ => {}
        }
    }

    fn note_failure(&mut self, ask: &AskId, problem: &Unscored) {
        let question = question(ask).to_owned();
        self.failed.insert(question, problem.message.clone());
    }

    #[must_use]
    pub fn finish(self) -> Fallbacks {
        self.noted
    }
}

/// The name of an ask without the number of the try.
fn question(ask: &AskId) -> &str {
    ask.0.rsplit_once("/try").map_or(&ask.0, |(path, _)| path)
}

/// Which fallbacks were asked, which judges gave no verdict and why, and what to
/// change: a line each.
pub(super) fn write(text: &mut String, outcome: &Outcome, noted: &Fallbacks) {
    for one in &noted.fallbacks {
        let _ = writeln!(text, "  {}", one.line());
    }
    let is_told = |unscored: &Unscored| {
        let because = outcome.because.as_ref();
        because.is_some_and(|because| tells_of(because, unscored))
    };
    let mut hints = BTreeSet::new();
    // A text that reached no judge has one reason for all roles, which is shown already.
    for (role, unscored) in &outcome.unscored_seats {
        let Some(failed) = noted.silent.get(role) else {
            continue;
        };
        if !is_told(unscored) {
            let _ = writeln!(text, "  {role} gave no verdict: {}", unscored.message);
        }
        // An exhausted budget is only half of the reason.
        if let (Reason::OverBudget | Reason::TimedOut, Some(failed)) = (unscored.reason, failed) {
            let _ = writeln!(text, "  {role}: an earlier attempt failed: {failed}");
        }
        hints.extend(noted.hint(Some(*role), unscored));
    }
    if let (true, Some(unscored)) = (noted.silent.is_empty(), &outcome.unscored) {
        hints.extend(noted.hint(None, unscored));
    }
    if outcome.scripted {
        return;
    }
    for hint in hints {
        let _ = writeln!(text, "  {DIM}→ {hint}{DIM:#}");
    }
}

/// Whether the reason why a text was not accepted names this failure already.
fn tells_of(because: &Because, failure: &Unscored) -> bool {
    match &because.not_accepted {
        NotAccepted::Unscored(unscored)
        | NotAccepted::Unconfirmed {
            reason: Unconfirmed::NoVerdict { unscored, .. },
        } => unscored == failure,
        _ => false,
    }
}

impl Fallback {
    fn line(&self) -> String {
        let times = match self.times {
            0 | 1 => String::new(),
            times => format!(" ({times} times)"),
        };
        let fallback = sentences::fell_back(&self.from, &self.to, &self.reason);
        format!("{}: {fallback}{times}", self.role)
    }
}

impl Fallbacks {
    /// What to change in the configuration so that there is a verdict.
    fn hint(&self, role: Option<Role>, unscored: &Unscored) -> Option<String> {
        let seat = self.seats.iter().find(|seat| Some(seat.role) == role);
        let table = role.map_or("its role".to_owned(), |role| format!("[roles.{role}]"));
        match unscored.reason {
            Reason::Truncated => {
                let first = seat.and_then(|seat| seat.models.first());
                let (limit, more) = match first.map(|model| model.max_tokens) {
                    Some(most) => (
                        format!(" of {most} tokens"),
                        most.saturating_mul(2).to_string(),
                    ),
                    None => (String::new(), "N".to_owned()),
                };
                Some(format!(
                    "if the reply reached its limit{limit}, set max-tokens = {more} under {table} in redraft.toml"
                ))
            }
            // If we know the context window, the reason says what to do.
            Reason::TooLong if self.is_of_provider(&unscored.message) => Some(format!(
                "use a model with a longer context window, or set context = N (its context window in tokens) under {table} in redraft.toml, so that it reads what fits"
            )),
            _ => None,
        }
    }

    /// Whether a provider says so: its failures begin with the name of the model.
    fn is_of_provider(&self, message: &str) -> bool {
        let mut models = self.seats.iter().flat_map(|seat| &seat.models);
        models.any(|model| without_name(message, &model.name()) != message)
    }
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::{ModelSettings, Time, Tokens};

    use super::*;

    fn seat(role: Role, models: &[&str], context: Option<u64>) -> Seat {
        let models: Vec<ModelSettings> = models
            .iter()
            .map(|name| ModelSettings {
                provider: "house".to_owned(),
                ..ModelSettings::scripted(name, 2_000)
            })
            .collect();
        let context = context.and_then(|context| Some((models.first()?.name(), context)));
        Seat {
            role,
            weight: 1,
            models,
            contexts: context.into_iter().collect(),
        }
    }

    fn told(seat: Seat, events: Vec<EventKind>) -> Fallbacks {
        let mut recorder = FallbackRecorder::with(vec![seat]);
        for (seq, kind) in (1..).zip(events) {
            recorder.record(&Event {
                seq,
                at: Time(0),
                elapsed: 0,
                kind,
            });
        }
        recorder.finish()
    }

    #[test]
    fn a_fallback_is_told_in_a_line_and_alike_ones_once() {
        let ask = |name: &str| AskId(name.to_owned());
        let failed = || Unscored::new(Reason::CallFailed, "house/a: no key (401)");
        let empty = || Unscored::new(Reason::Empty, "the reply was empty");
        let fell = |name: &str, from: &str, to: &str, reason| EventKind::FellBack {
            ask: ask(name),
            role: Role::Patcher,
            from: from.to_owned(),
            to: to.to_owned(),
            reason,
        };
        let events = vec![
            // Asked again is not a fallback.
            EventKind::AskedAgain {
                ask: ask("i1/patch/sec_1/try1"),
                role: Role::Patcher,
                model: "house/a".to_owned(),
                problem: failed(),
            },
            fell("i1/patch/sec_1/try2", "house/a", "house/b", failed()),
            fell("i1/patch/sec_1/try3", "house/b", "house/c", empty()),
            fell("i1/patch/sec_2/try1", "house/a", "house/b", empty()),
        ];
        let told = told(seat(Role::Patcher, &["a", "b", "c"], None), events);
        let lines: Vec<String> = told.fallbacks.iter().map(Fallback::line).collect();
        assert_eq!(
            lines,
            [
                "patcher: fallback: house/b was asked instead of house/a: no key (401) (2 times)",
                "patcher: fallback: house/c was asked instead of house/b: the reply was empty",
            ]
        );
    }

    #[test]
    fn a_judge_without_a_verdict_keeps_what_went_wrong_before() {
        let unscored = EventKind::Verdict {
            ask: Some(AskId("i0/judge/judge_secondary/try2".to_owned())),
            role: Role::JudgeSecondary,
            model: "house/b".to_owned(),
            result: VerdictResult::Unscored(Unscored::new(Reason::OverBudget, "no budget")),
            tokens: Tokens::default(),
            reused: false,
        };
        let again = EventKind::AskedAgain {
            ask: AskId("i0/judge/judge_secondary/try1".to_owned()),
            role: Role::JudgeSecondary,
            model: "house/b".to_owned(),
            problem: Unscored::new(Reason::Empty, "the reply was empty"),
        };
        let told = told(
            seat(Role::JudgeSecondary, &["b"], None),
            vec![again, unscored],
        );
        let failed = Some("the reply was empty".to_owned());
        assert_eq!(
            told.silent,
            BTreeMap::from([(Role::JudgeSecondary, failed)])
        );
    }

    #[test]
    fn a_hint_names_what_to_write_where_it_would_help() {
        for (reason, message, expected) in [
            (
                Reason::Truncated,
                "the reply breaks off",
                Some("max-tokens = 4000 under [roles.judge_secondary]"),
            ),
            (Reason::TooLong, "house/a: too long", Some("context = N ")),
            (Reason::TooLong, "it does not fit into house/a", None),
            (Reason::CallFailed, "house/a: no key", None),
            (Reason::OverBudget, "too dear", None),
        ] {
            let noted = told(seat(Role::JudgeSecondary, &["a"], None), Vec::new());
            let unscored = Unscored::new(reason, message);
            let hint = noted.hint(Some(Role::JudgeSecondary), &unscored);
            assert_eq!(hint.is_some(), expected.is_some(), "{message}");
            assert!(
                hint.unwrap_or_default()
                    .contains(expected.unwrap_or_default())
            );
        }
    }
}
