//! Hostile replies in whole runs with the shipped policies, over real HTTP in all three protocols.
//! Whatever a model or its provider sends:
//!
//! - a score comes only from the reply, and only if the reply is a verdict;
//! - no critical issue is lost;
//! - a text without a score is never accepted;
//! - the budget is respected, and the key is written nowhere.
//!
//! | table | what is hostile |
//! |---|---|
//! | `verdicts` | the judge's replies |
//! | `wire` | the provider's responses |
//! | `repairs` | replies of patcher, section expander, delta judge and self-reviewer |

mod repairs;
mod server;
mod verdicts;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use redraft_engine::driver::{self, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::model::connection::Api;
use redraft_engine::model::limits::ProcessSpent;
use redraft_engine::model::providers::Providers;
use redraft_gate::reading::Hint;
use redraft_gate::score::Score;
use redraft_run::ask::{Role, Time};
use redraft_run::event::Event;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::{Seat, Setup, SpendingLimits};
use redraft_run::verdict::IssueSeverity;
use serde_json::{Value, json};

use crate::cards;
use crate::fake_provider::CANARY;
use crate::fixtures::{Subject, header, setup_about};
use crate::http::{JumpingClock, runtime, settings, timeouts};
use crate::in_memory::CLEAN_LESSON;
use crate::items::ITEM;
use server::{Answer, Form, HostileServer, Question, Raw, reply};

/// The result of a run over HTTP.
struct Driven {
    outcome: Outcome,
    spent: ProcessSpent,
    asked: Vec<Question>,
    /// Everything that was written or could be printed.
    written: String,
}

impl Driven {
    fn is_accepted(&self) -> bool {
        matches!(
            self.outcome.status,
            Status::Accepted | Status::AcceptedWarning
        )
    }

    /// What must hold after any reply.
    #[track_caller]
    fn holds(&self, case: &str) {
        let outcome = &self.outcome;
        assert_eq!(
            outcome.score.is_none(),
            outcome.unscored.is_some(),
            "{case}"
        );
        assert!(outcome.score.is_some() || !self.is_accepted(), "{case}");
        assert!(outcome.because.is_some() || self.is_accepted(), "{case}");
        if let Some(score) = &outcome.score {
            assert_eq!(score.content(), outcome.content, "{case}");
        }
        let is_critical =
            |issue: &redraft_run::verdict::Issue| issue.severity == IssueSeverity::Critical;
        let lost = outcome
            .verdicts
            .iter()
            .any(|verdict| verdict.issues().iter().any(is_critical));
        assert!(
            !(lost && self.is_accepted()),
            "{case}: a critical issue was lost"
        );
        let used = self.spent.tokens.input + self.spent.tokens.output;
        let most = SpendingLimits::default().tokens;
        assert!(used <= most, "{case}: {used} tokens of {most}");
        // Eight characters are enough to reveal a key, in any encoding.
        let encoded = STANDARD.encode(&CANARY[2..]);
        let escaped = |c: char| format!("\\u{:04x}", u32::from(c));
        for form in [
            CANARY[..8].to_owned(),
            CANARY[8..].to_owned(),
            CANARY[CANARY.len() - 8..].to_owned(),
            encoded[..8].to_owned(),
            CANARY[3..9].chars().map(escaped).collect(),
        ] {
            assert!(!self.written.contains(&form), "{case}: the key was written");
        }
    }
}

/// A kind of content, with the verdict that accepts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Lesson,
    Cards,
    Item,
}

const CONTENTS: [Content; 3] = [Content::Lesson, Content::Cards, Content::Item];

impl Content {
    fn setup(self, seats: Vec<Seat>) -> Setup {
        let cards = cards::sound();
        let (profile, text, hint) = match self {
            Self::Lesson => ("lesson", CLEAN_LESSON, Hint::Markdown),
            Self::Cards => ("sqa-lesson", cards.as_str(), Hint::Json),
            Self::Item => ("clinical-mcq", ITEM, Hint::Json),
        };
        setup_about(&Subject::of(profile, text, hint), seats, Mode::FullAuto)
    }
}

fn seats(roles: &[Role]) -> Vec<Seat> {
    let seat = |role: &Role| Seat {
        role: *role,
        weight: 1,
        models: vec![settings(role.name())],
        contexts: BTreeMap::new(),
    };
    roles.iter().map(seat).collect()
}

/// Drives a run against a server with these answers.
fn drive(api: Api, setup: Setup, answer: Arc<Answer>) -> Driven {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let server = HostileServer::open(api, answer).await;
        let connection = server.connection(api);
        let providers = Arc::new(Providers::new(vec![connection], timeouts()).unwrap());
        let context = DriverContext {
            model: providers.clone(),
            clock: Arc::new(JumpingClock::default()),
            human: Arc::new(Unattended),
            in_flight: 4,
            patchers_in_flight: PATCHERS_IN_FLIGHT,
        };
        let mut events = Vec::new();
        let path = folder.path().join("run.jsonl");
        let outcome = driver::drive(
            Run::new(setup, Time(0)),
            Journal::create(&path, &header()).unwrap(),
            Recorded::default(),
            &context,
            &mut |event: &Event| events.push(event.clone()),
            std::future::pending(),
        )
        .await
        .unwrap();
        let written = [
            format!("{outcome:?} {events:?} {providers:?}"),
            serde_json::to_string(&outcome).unwrap(),
            std::fs::read_to_string(&path).unwrap(),
        ];
        let asked = server.asked.lock().unwrap().clone();
        Driven {
            outcome,
            spent: providers.spent(),
            asked,
            written: written.concat(),
        }
    })
}

/// The expected result of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// No verdict.
    Nothing,
    /// The good verdict; the text is accepted.
    Good,
    /// A verdict with an open critical issue.
    Critical,
    /// A verdict that is not credible (ruling 70).
    Doubted,
}

/// The verdict that accepts a text; the first score occurs only once in it.
fn good(setup: &Setup, text_id: &str) -> Value {
    let scores: serde_json::Map<String, Value> = setup
        .rubric
        .criteria
        .iter()
        .enumerate()
        .map(|(at, criterion)| {
            let score = if at == 0 { json!(0.97) } else { json!(0.95) };
            (criterion.name.clone(), score)
        })
        .collect();
    json!({
        "text_id": text_id, "issues": [], "strengths": ["Clear."],
        "scores": scores, "overall": 0.95, "confidence": "high",
    })
}

fn first_criterion(setup: &Setup) -> String {
    setup.rubric.criteria[0].name.clone()
}

/// The setting in which a reply is tried.
#[derive(Clone, Copy, Debug)]
struct Trial {
    api: Api,
    form: Form,
    content: Content,
}

/// Judges a text with a hostile reply: every time, and then once followed by a good one.
#[track_caller]
fn judged(name: &str, place: Trial, expect: Expect, hostile: impl Fn(&Setup, &str) -> Raw) {
    let Trial { api, form, content } = place;
    let case = format!("{name} ({api:?}, {form:?}, {content:?})");
    let setup = content.setup(seats(&[Role::JudgeSecondary]));
    let text_id = setup.inspected.document.source().version().to_string();
    let (hostile, good_one) = (
        hostile(&setup, &text_id),
        reply(api, form, &good(&setup, &text_id).to_string()),
    );
    let always = {
        let hostile = hostile.clone();
        drive(
            api,
            content.setup(seats(&[Role::JudgeSecondary])),
            Arc::new(move |_, _| hostile.clone()),
        )
    };
    always.holds(&case);
    let outcome = &always.outcome;
    let told = format!("{case}: {:?} {:?}", outcome.status, outcome.because);
    let first = first_criterion(&setup);
    let first_score = || {
        let verdict = outcome.verdicts.first();
        verdict
            .and_then(|verdict| verdict.score(&first))
            .map(Score::thousandths)
    };
    match expect {
        Expect::Nothing => {
            assert!(
                outcome.score.is_none() && outcome.verdicts.is_empty(),
                "{told}"
            );
        }
        Expect::Good => {
            assert!(always.is_accepted(), "{told}");
            assert_eq!(first_score(), Some(970), "{told}");
        }
        Expect::Critical => {
            assert!(outcome.score.is_some(), "{told}");
            assert!(
                outcome.has_open_critical() && !always.is_accepted(),
                "{told}"
            );
        }
        Expect::Doubted => {
            assert!(outcome.score.is_some() && !always.is_accepted(), "{told}");
        }
    }
    if expect == Expect::Nothing {
        let once = drive(
            api,
            setup,
            Arc::new(move |_, before| match before {
                0 => hostile.clone(),
                _ => good_one.clone(),
            }),
        );
        once.holds(&case);
        // A permanent failure is not retried.
        if once.asked.len() > 1 {
            assert!(once.is_accepted(), "{case}: {:?}", once.outcome.because);
        }
    }
}

/// The failed rows of a table, collected so that all of them are shown.
#[derive(Default)]
struct Wrong {
    rows: Vec<String>,
}

impl Wrong {
    fn look(&mut self, row: impl FnOnce()) {
        if let Err(why) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(row)) {
            let words = why.downcast_ref::<String>().cloned();
            let plain = || why.downcast_ref::<&str>().map(|words| (*words).to_owned());
            self.rows.push(words.or_else(plain).unwrap_or_default());
        }
    }

    #[track_caller]
    fn assert_none(&self) {
        let rows = &self.rows;
        assert!(
            rows.is_empty(),
            "{} wrong:\n{}",
            rows.len(),
            rows.join("\n")
        );
    }
}

#[test]
fn there_are_at_least_a_hundred_and_fifty_hostile_replies() {
    let replies = [verdicts::count(), wire::count(), repairs::count()];
    assert!(replies.iter().sum::<usize>() >= 150, "{replies:?}");
}
