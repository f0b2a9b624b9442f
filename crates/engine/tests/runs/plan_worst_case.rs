//! The worst case of `plan` against the calls that runs really send: whatever the replies, no run
//! sends more, under the shipped policies and with every option that changes what is asked.

use std::collections::BTreeMap;

use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, ModelSettings, Role};
use redraft_run::forecast::{Forecast, ForecastFigures, Measure, RoleFacts, expect, total};
use redraft_run::policy::{Delta, EditForm, Judging, Mode};
use redraft_run::setup::{Goal, Setup};
use redraft_run::token_estimate::estimated_tokens;
use serde_json::json;

use crate::fixtures::{Subject, seat, setup_about};
use crate::in_memory::{
    CLEAN_LESSON, Finished, ModelReply, delta, everybody, issue, patch, run_to_end, text_reply,
    verdict,
};

const CARDS: &str = include_str!("../../../../examples/scottish-cards.json");
const ITEM: &str = include_str!("../../../../examples/clinical-item.json");

/// The worst case of a run: calls and tokens by kind of role.
#[derive(Debug)]
struct Worst {
    calls: BTreeMap<&'static str, u64>,
    tokens: u64,
}

fn kind(role: Role) -> &'static str {
    match role {
        Role::SelfReviewer => "review",
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => "judging",
        Role::Arbiter => "arbiter",
        Role::DeltaJudge => "verification",
        _ => "repair",
    }
}

/// Computed like `redraft plan`.
fn worst(setup: &Setup) -> Worst {
    let repair = &setup.policy.repair;
    let measure = Measure {
        profile: setup.profile,
        document: &setup.inspected.document,
        companions: &setup.companions,
        rubric: &setup.rubric,
        count: &estimated_tokens,
        asked: (repair.edit_form(), repair.delta),
    };
    let (mut roles, mut models) = (BTreeMap::new(), BTreeMap::new());
    for seat in &setup.seats {
        let (facts, model): (RoleFacts, ModelSettings) = RoleFacts::of(seat).unwrap();
        roles.insert(seat.role, facts);
        models.insert(seat.role, model);
    }
    let parts = measure.parts();
    let document = measure.document();
    let forecast = Forecast {
        document,
        parts: &parts,
        overheads: measure.all().unwrap(),
        figures: ForecastFigures::of(&setup.policy, setup.goal, document, setup.limits),
        models: &models,
        roles: &roles,
    };
    let stages = expect(&forecast, &forecast);
    let mut calls = BTreeMap::new();
    for stage in &stages {
        *calls.entry(kind(stage.roles[0])).or_default() += stage.worst.calls;
    }
    Worst {
        calls,
        tokens: total(&stages).2.tokens.total(),
    }
}

/// Answered calls by kind of role.
fn answered(finished: &Finished) -> (BTreeMap<&'static str, u64>, u64) {
    let mut calls = BTreeMap::new();
    let mut tokens = 0;
    for (role, spent) in &finished.outcome.spent {
        *calls.entry(kind(*role)).or_default() += u64::from(spent.calls);
        tokens += spent.tokens.total();
    }
    (calls, tokens)
}

#[track_caller]
fn never_above_worst(
    case: &str,
    setup: Setup,
    model: impl Fn(&Ask) -> ModelReply,
) -> BTreeMap<&'static str, u64> {
    let worst = worst(&setup);
    let limit = setup.limits.tokens;
    let finished = run_to_end(setup, model, &[]);
    let (calls, tokens) = answered(&finished);
    for (kind, calls) in &calls {
        let most = worst.calls.get(kind).copied().unwrap_or(0);
        assert!(
            *calls <= most,
            "{case}: {calls} calls for {kind}, at most {most} were planned: {:?}",
            finished.names()
        );
    }
    let most = worst.tokens.min(limit);
    assert!(
        tokens <= most,
        "{case}: {tokens} tokens, at most {most} were planned"
    );
    calls
}

/// The kinds of content with their shipped policies.
fn subjects() -> [(&'static str, Subject<'static>); 3] {
    [
        (
            "lesson",
            Subject::of("lesson", CLEAN_LESSON, Hint::Markdown),
        ),
        ("cards", Subject::of("sqa-lesson", CARDS, Hint::Json)),
        ("item", Subject::of("clinical-mcq", ITEM, Hint::Json)),
    ]
}

/// Every option that changes what is asked.
fn variants(subject: &Subject<'_>) -> Vec<(String, Setup)> {
    let mut all = Vec::new();
    for goal in [Goal::Judge, Goal::Refine] {
        for form in [EditForm::Edits, EditForm::Whole] {
            for question in [Delta::YesNo, Delta::BothOrders] {
                for judging in [None, Some(Judging::Panel)] {
                    let mut seats = everybody();
                    seats.push(seat(Role::SelfReviewer, &["reviewer", "spare"]));
                    let mut setup = setup_about(subject, seats, Mode::FullAuto);
                    setup.goal = goal;
                    let policy = &mut setup.policy;
                    policy.repair.edit_form = Some(form);
                    policy.repair.delta = question;
                    policy.judging = judging.unwrap_or(policy.judging);
                    all.push((format!("{goal:?} {form:?} {question:?} {judging:?}"), setup));
                }
            }
        }
    }
    all
}

/// Components that judges criticise, with quotes from them.
const PLACES: [(&str, &str); 6] = [
    ("sec_1", "The element at the bottom of the kettle gets hot."),
    ("sec_2", "Water boils at 90 °C at the seaside."),
    (
        "sec_4",
        "Measure the temperature once a minute and draw a curve.",
    ),
    ("card_001", "A half is one of two equal parts."),
    ("card_002", "A jacket costs £45."),
    (
        "vignette",
        "She has had type 2 diabetes for eleven years and takes metformin.",
    ),
];

/// The models of a run: a judge that criticises every component and never accepts, a repairer that
/// adds a sentence to the quote, and a delta judge that says whether this solved it.
struct Actors {
    /// The text of each component.
    components: BTreeMap<String, String>,
    verified: bool,
    /// Whether the first reply to every question is malformed.
    clumsy: bool,
}

impl Actors {
    fn of(setup: &Setup, verified: bool, clumsy: bool) -> Self {
        let document = &setup.inspected.document;
        let text = document.source().text();
        let components = document.components().iter();
        Self {
            components: components
                .map(|part| (part.id.0.clone(), text[part.range.clone()].to_owned()))
                .collect(),
            verified,
            clumsy,
        }
    }

    fn answer(&self, ask: &Ask) -> ModelReply {
        if self.clumsy && ask.id.0.ends_with("try1") {
            return text_reply(ask, "Looks good to me!");
        }
        match ask.role {
            Role::DeltaJudge => self.verified(ask),
            Role::SelfReviewer => text_reply(
                ask,
                json!({"text_id": ask.content.to_string(), "status": "PASS", "reasoning": "So.",
                    "issues": [], "edits": []})
                .to_string(),
            ),
            Role::Patcher | Role::SectionExpander => self.repaired(ask),
            _ => judged(ask),
        }
    }

    fn verified(&self, ask: &Ask) -> ModelReply {
        let schema = ask.schema.as_ref().unwrap().value();
        if schema["properties"].get("better").is_some() {
            let is_second = ask.id.0.contains("before-after") == self.verified;
            let better = if is_second { "second" } else { "first" };
            return text_reply(ask, json!({"reason": "so", "better": better}).to_string());
        }
        delta(ask, self.verified, "so it is")
    }

    fn repaired(&self, ask: &Ask) -> ModelReply {
        let is_its = |(place, _): &&(&str, &str)| ask.id.0.contains(&format!("/{place}/"));
        let Some((place, quote)) = PLACES.iter().find(is_its) else {
            return text_reply(ask, "No words that fit anything.");
        };
        let longer = format!("{quote} Look at it closely.");
        if ask.id.0.contains("/patch/") {
            return patch(ask, quote, &longer);
        }
        let whole = self.components.get(*place).map_or("", String::as_str);
        text_reply(ask, whole.replace(quote, &longer))
    }
}

fn judged(ask: &Ask) -> ModelReply {
    let schema = ask.schema.as_ref().unwrap().value();
    let criteria = schema["properties"]["scores"]["properties"]
        .as_object()
        .unwrap();
    let name = criteria.keys().next().unwrap();
    let said = &ask.prompt.user;
    let issues: Vec<_> = PLACES
        .iter()
        .filter(|(_, quote)| said.contains(quote))
        .map(|(place, quote)| issue(name, "major", place, quote, "Say more."))
        .collect();
    verdict(ask, 700, &[(name, 600)], "low", &issues)
}

#[test]
fn no_run_has_more_calls_than_the_worst_case_of_its_plan() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, subject) in subjects() {
        for (verified, clumsy) in [(true, false), (true, true), (false, false), (false, true)] {
            for (variant, setup) in variants(&subject) {
                let case = format!("{name}, {variant}, verified: {verified}, clumsy: {clumsy}");
                let actors = Actors::of(&setup, verified, clumsy);
                for (kind, calls) in never_above_worst(&case, setup, |ask| actors.answer(ask)) {
                    *seen.entry(kind).or_default() += calls;
                }
            }
        }
    }
    let kinds: Vec<&str> = seen.into_keys().collect();
    assert_eq!(kinds, ["judging", "repair", "review", "verification"]);
}

#[test]
fn a_plan_knows_that_a_long_text_is_cut() {
    let text = crate::long_inputs::lesson(&crate::long_inputs::ENGLISH, 50, 12);
    let subject = Subject::of("lesson", &text, Hint::Markdown);
    let mut judge = seat(Role::JudgeSecondary, &["judge"]);
    let unknown = worst(&setup_about(&subject, vec![judge.clone()], Mode::FullAuto));
    judge.contexts.insert("scripted/judge".to_owned(), 8_000);
    let setup = setup_about(&subject, vec![judge], Mode::FullAuto);
    let known = worst(&setup);
    assert!(known.tokens < unknown.tokens, "{known:?} {unknown:?}");
    let actors = Actors::of(&setup, true, false);
    never_above_worst("a small window", setup, |ask| actors.answer(ask));
}
