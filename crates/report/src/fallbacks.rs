//! What became of the seats of a run, for people and for programs: which model was
//! of no use and who took over, which seat stayed empty, and what to change in the
//! configuration about it. It knows nothing of scores, and asks nobody.
//!
//! A run says in its events that a model was of no use, and why; who that was
//! follows from the seat and from who answered in the end. Where it does not follow
//! for certain, nobody is named.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use redraft_run::ask::{AskId, ModelSettings, Role};
use redraft_run::event::{Event, EventKind, TAKES_OVER, VerdictResult};
use redraft_run::outcome::Outcome;
use redraft_run::setup::{Seat, Setup};
use redraft_run::verdict::{Reason, Unscored};
use schemars::JsonSchema;
use serde::Serialize;

use super::style::DIM;

/// A model that was of no use, and the one that was asked in its place.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TookOver {
    /// The seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The model that was of no use, where it is known for certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why; of several reasons the first.
    pub because: String,
    /// The model that took over, where it is known for certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How often.
    pub times: u32,
}

/// What became of the seats of a run.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Seated {
    /// Every model that was of no use, and who took over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub took_over: Vec<TookOver>,
    /// Who was to be asked.
    #[serde(skip)]
    seats: Vec<Seat>,
    /// The seats whose turn came and that gave no verdict about some text, with what
    /// had gone wrong before they were given up.
    #[serde(skip)]
    silent: BTreeMap<Role, Option<String>>,
}

/// Listens to a run.
#[derive(Debug)]
pub struct Listener {
    seats: Vec<Seat>,
    /// Why models were of no use, by the question they were asked, in order.
    gone: Vec<(String, Vec<String>)>,
    /// Who was asked last, by the question.
    last: BTreeMap<String, String>,
    /// What went wrong last, by the question.
    failed: BTreeMap<String, String>,
    silent: BTreeMap<Role, Option<String>>,
}

impl Listener {
    /// Of a run that is about to begin.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        Self {
            seats: setup.seats.clone(),
            gone: Vec::new(),
            last: BTreeMap::new(),
            failed: BTreeMap::new(),
            silent: BTreeMap::new(),
        }
    }

    /// Hears of something.
    pub fn hear(&mut self, event: &Event) {
        match &event.kind {
            EventKind::AskedAgain { ask, because } => {
                let question = question(ask);
                let reason = because.strip_suffix(TAKES_OVER).unwrap_or(because);
                self.failed.insert(question.to_owned(), reason.to_owned());
                if reason.len() == because.len() {
                    return;
                }
                match self.gone.iter_mut().find(|(path, _)| path == question) {
                    Some((_, reasons)) => reasons.push(reason.to_owned()),
                    None => self
                        .gone
                        .push((question.to_owned(), vec![reason.to_owned()])),
                }
            }
            EventKind::Verdict {
                ask,
                role,
                model,
                result,
                ..
            } => {
                let question = ask.as_ref().map(question).unwrap_or_default();
                self.last.insert(question.to_owned(), model.clone());
                if matches!(result, VerdictResult::Unscored(_)) {
                    let failed = self.failed.get(question).cloned();
                    self.silent.insert(*role, failed);
                }
            }
            _ => {}
        }
    }

    /// What became of the seats.
    #[must_use]
    pub fn told(self) -> Seated {
        let mut took_over: Vec<TookOver> = Vec::new();
        for (question, reasons) in &self.gone {
            let role = role(question);
            let seat = self.seats.iter().find(|seat| Some(seat.role) == role);
            let last = self.last.get(question).cloned();
            let asked = asked(seat, reasons, last);
            for (at, because) in reasons.iter().enumerate() {
                let name = |at: usize| asked.get(at).cloned().flatten();
                let one = TookOver {
                    role,
                    model: name(at),
                    because: because.clone(),
                    by: name(at + 1),
                    times: 1,
                };
                let same = took_over.iter_mut().find(|known| {
                    (known.role, &known.model, &known.by) == (one.role, &one.model, &one.by)
                });
                match same {
                    Some(known) => known.times += 1,
                    None => took_over.push(one),
                }
            }
        }
        Seated {
            took_over,
            seats: self.seats,
            silent: self.silent,
        }
    }
}

/// The name of an ask without the number of the try.
fn question(ask: &AskId) -> &str {
    ask.0.rsplit_once("/try").map_or(&ask.0, |(path, _)| path)
}

/// The role that a question is for, by its name.
fn role(question: &str) -> Option<Role> {
    question.split('/').find_map(|part| {
        Some(match part {
            "patch" | "rewrite" => Role::Patcher,
            "expand" => Role::SectionExpander,
            "delta" | "consistency" => Role::DeltaJudge,
            part if part.starts_with("section") => Role::Expander,
            part => return Role::parse(part),
        })
    })
}

/// Who was asked, one after the other: those of no use, for these reasons, and then
/// the last. A provider's failure begins with the name of the model. Others are
/// named after their places on the seat, if all that is known fits those places: a
/// run may ask the models of a seat in another order, or leave some of them out.
fn asked(seat: Option<&Seat>, reasons: &[String], last: Option<String>) -> Vec<Option<String>> {
    let Some(seat) = seat else {
        return Vec::new();
    };
    let names: Vec<String> = seat.models.iter().map(ModelSettings::name).collect();
    let mut asked: Vec<Option<String>> = reasons
        .iter()
        .map(|because| {
            let is_it = |name: &&String| plain(because, name) != because;
            names.iter().find(is_it).cloned()
        })
        .chain([last])
        .collect();
    let fits = asked.len() <= names.len()
        && asked
            .iter()
            .zip(&names)
            .all(|(known, name)| known.as_ref().is_none_or(|known| known == name));
    let is_certain = seat.contexts.is_empty() || asked.iter().any(Option::is_some);
    if fits && is_certain {
        asked = names.into_iter().take(asked.len()).map(Some).collect();
    } else if let ([first, second], [one, other]) = (asked.as_mut_slice(), names.as_slice()) {
        let opposite = |name: &String| if name == one { other } else { one }.clone();
        *first = first.take().or_else(|| second.as_ref().map(opposite));
        *second = second.take().or_else(|| first.as_ref().map(opposite));
    }
    asked
}

/// A reason without the name of the model it begins with.
fn plain<'a>(because: &'a str, model: &str) -> &'a str {
    because
        .strip_prefix(model)
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(because)
}

/// Who took over, which seats stayed empty and why, and what to change: a line each.
pub(super) fn write(text: &mut String, outcome: &Outcome, seated: &Seated) {
    for one in &seated.took_over {
        let _ = writeln!(text, "  {}", one.line());
    }
    let because = outcome.because.as_deref().unwrap_or_default();
    let mut hints = BTreeSet::new();
    // A text that reached no judge has a reason for all seats, which is told already.
    for (role, unscored) in &outcome.unscored_seats {
        let Some(failed) = seated.silent.get(role) else {
            continue;
        };
        if !because.contains(&unscored.message) {
            let _ = writeln!(text, "  {role} gave no verdict: {}", unscored.message);
        }
        // That there was no more money or time is half of the truth.
        if let (Reason::OverBudget | Reason::TimedOut, Some(failed)) = (unscored.reason, failed) {
            let _ = writeln!(text, "  {role} was asked before, in vain: {failed}");
        }
        hints.extend(seated.hint(Some(*role), unscored));
    }
    if let (true, Some(unscored)) = (seated.silent.is_empty(), &outcome.unscored) {
        hints.extend(seated.hint(None, unscored));
    }
    if outcome.scripted {
        return;
    }
    for hint in hints {
        let _ = writeln!(text, "  {DIM}→ {hint}{DIM:#}");
    }
}

impl TookOver {
    /// What happened, in a line.
    fn line(&self) -> String {
        let seat = self
            .role
            .map_or_else(String::new, |role| format!("{role}: "));
        let (who, because) = match &self.model {
            Some(model) => (model.as_str(), plain(&self.because, model)),
            None => ("a model", self.because.as_str()),
        };
        // A provider's failure is told with the name of its model.
        let what = if because.len() < self.because.len() {
            "did not answer"
        } else {
            "gave no answer that can be used"
        };
        let by = self.by.as_deref().unwrap_or("another model");
        let times = match self.times {
            0 | 1 => String::new(),
            times => format!(" ({times} times)"),
        };
        format!("{seat}{who} {what}: {because}; {by} took over{times}")
    }
}

impl Seated {
    /// What to change in the configuration where there is no verdict because of this.
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
                    "if the reply has reached its limit{limit}, write max-tokens = {more} under {table} in redraft.toml"
                ))
            }
            // Where we know how much fits, the reason tells it and what would help.
            Reason::TooLong if self.is_of_provider(&unscored.message) => Some(format!(
                "name a model with a longer context, or write context = N (the tokens that it takes) under {table} in redraft.toml, so that it reads what fits"
            )),
            _ => None,
        }
    }

    /// Whether a provider says so: its failures begin with the name of the model.
    fn is_of_provider(&self, message: &str) -> bool {
        let mut models = self.seats.iter().flat_map(|seat| &seat.models);
        models.any(|model| plain(message, &model.name()) != message)
    }
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::{Time, Tokens};

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

    fn told(seat: Seat, events: Vec<EventKind>) -> Seated {
        let mut listener = Listener {
            seats: vec![seat],
            gone: Vec::new(),
            last: BTreeMap::new(),
            failed: BTreeMap::new(),
            silent: BTreeMap::new(),
        };
        for (seq, kind) in (1..).zip(events) {
            listener.hear(&Event {
                seq,
                at: Time(0),
                elapsed: 0,
                kind,
            });
        }
        listener.told()
    }

    fn again(ask: &str, because: &str) -> EventKind {
        EventKind::AskedAgain {
            ask: AskId(ask.to_owned()),
            because: because.to_owned(),
        }
    }

    fn verdict(ask: &str, model: &str) -> EventKind {
        EventKind::Verdict {
            ask: Some(AskId(ask.to_owned())),
            role: Role::JudgeSecondary,
            model: model.to_owned(),
            result: VerdictResult::Unscored(Unscored::new(Reason::Empty, "the reply was empty")),
            tokens: Tokens::default(),
        }
    }

    #[test]
    fn who_took_over_is_told_in_a_line_as_far_as_it_is_certain() {
        const JUDGE: &str = "i0/judge/judge_secondary/try";
        let judge = |models: &[&str], context| seat(Role::JudgeSecondary, models, context);
        let next = |ask: &str, because: &str| again(ask, &format!("{because}{TAKES_OVER}"));
        let first = || next(&format!("{JUDGE}1"), "house/a: no key (401)");
        let form = |number: u32| next(&format!("{JUDGE}{number}"), "the reply was empty");
        for (seat, events, expected) in [
            // Asked again is not taken over.
            (
                judge(&["a", "b"], None),
                vec![
                    again(&format!("{JUDGE}1"), "house/a: bad day (500)"),
                    verdict(&format!("{JUDGE}2"), "house/a"),
                ],
                vec![],
            ),
            (
                judge(&["a", "b"], None),
                vec![first(), verdict(&format!("{JUDGE}2"), "house/b")],
                vec!["judge_secondary: house/a did not answer: no key (401); house/b took over"],
            ),
            (
                judge(&["a", "b", "c"], None),
                vec![first(), form(3), verdict(&format!("{JUDGE}4"), "house/c")],
                vec![
                    "judge_secondary: house/a did not answer: no key (401); house/b took over",
                    "judge_secondary: house/b gave no answer that can be used: the reply was empty; house/c took over",
                ],
            ),
            // Another order than that of the seat.
            (
                judge(&["a", "b"], Some(9_000)),
                vec![form(1), verdict(&format!("{JUDGE}2"), "house/a")],
                vec![
                    "judge_secondary: house/b gave no answer that can be used: the reply was empty; house/a took over",
                ],
            ),
            (
                judge(&["a", "b", "c"], Some(9_000)),
                vec![form(1), verdict(&format!("{JUDGE}2"), "house/a")],
                vec![
                    "judge_secondary: a model gave no answer that can be used: the reply was empty; house/a took over",
                ],
            ),
            // The same for several parts.
            (
                seat(Role::Patcher, &["a", "b"], None),
                vec![
                    next("i1/patch/sec_1/try1", "house/a: no key (401)"),
                    next("i1/patch/sec_2/try1", "house/a: no key (401)"),
                ],
                vec!["patcher: house/a did not answer: no key (401); house/b took over (2 times)"],
            ),
            (
                seat(Role::Patcher, &["a", "b"], None),
                vec![next("i1/new/sec_1/try1", "house/a: no key (401)")],
                vec![
                    "a model gave no answer that can be used: house/a: no key (401); another model took over",
                ],
            ),
        ] {
            let told = told(seat, events);
            let lines: Vec<String> = told.took_over.iter().map(TookOver::line).collect();
            assert_eq!(lines, expected);
        }
    }

    #[test]
    fn the_name_of_a_question_tells_its_role() {
        for (question, expected) in [
            ("i0/judge/judge_primary", Some(Role::JudgePrimary)),
            (
                "i1/guard/before/judge/judge_primary/2",
                Some(Role::JudgePrimary),
            ),
            ("i0/review/self_reviewer", Some(Role::SelfReviewer)),
            ("i1/patch/sec_1", Some(Role::Patcher)),
            ("i2/rewrite/sec_1", Some(Role::Patcher)),
            ("i1/expand/sec_1", Some(Role::SectionExpander)),
            ("i1/delta/sec_1/after-before", Some(Role::DeltaJudge)),
            ("i1/consistency/sec_2", Some(Role::DeltaJudge)),
            ("i0/plan/planner", Some(Role::Planner)),
            ("i0/section2/sec_1", Some(Role::Expander)),
            ("i0/smooth/smoother", Some(Role::Smoother)),
            ("i0/author/author", Some(Role::Author)),
            ("i0/other/sec_1", None),
        ] {
            assert_eq!(role(question), expected, "{question}");
        }
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
            let seated = told(seat(Role::JudgeSecondary, &["a"], None), Vec::new());
            let unscored = Unscored::new(reason, message);
            let hint = seated.hint(Some(Role::JudgeSecondary), &unscored);
            assert_eq!(hint.is_some(), expected.is_some(), "{message}");
            assert!(
                hint.unwrap_or_default()
                    .contains(expected.unwrap_or_default())
            );
        }
    }
}
