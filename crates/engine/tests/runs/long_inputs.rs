//! Texts and sources that do not fit a model: what is asked nevertheless, what is reported, and
//! that nothing unread is accepted.

use std::sync::Arc;

use redraft_engine::journal::Journal;
use redraft_engine::replay::{self, Replayed};
use redraft_gate::companion::{Companions, SourcePassage};
use redraft_run::ask::{Ask, CallFailure, FailureKind, ModelSettings, Role, Tokens};
use redraft_run::decide::QualityStatus;
use redraft_run::event::{Event, EventKind};
use redraft_run::fit::Input;
use redraft_run::outcome::Status;
use redraft_run::policy::{Judging, Mode};
use redraft_run::reasons::{NotAccepted, RollbackReason};
use redraft_run::run::Run;
use redraft_run::setup::{Goal, Seat, Setup};
use redraft_run::verdict::Reason;

use crate::fixtures::{GOOD, fresh, one_judge, seat, setup_of};
use crate::in_memory::{
    CLEAN_LESSON, Finished, ModelReply, delta, issue, parts, patch, refining, run_to_end,
    scored_overall,
};

/// The context window of a small model.
const SMALL: u64 = 8_000;

/// The words of sentences: who, does what, where, and why.
pub(crate) struct Words {
    title: &'static str,
    part: &'static str,
    who: [&'static str; 7],
    does: [&'static str; 5],
    place: [&'static str; 6],
    why: [&'static str; 11],
}

pub(crate) const ENGLISH: Words = Words {
    title: "How a village runs its mill",
    part: "Step",
    who: [
        "the miller",
        "a young helper",
        "the owner of the mill",
        "every farmer",
        "the carpenter",
        "a patient teacher",
        "the clerk of the village",
    ],
    does: [
        "measures the grain",
        "looks after the wheel",
        "counts the sacks",
        "opens the gate of the pond",
        "writes down the weight",
    ],
    place: [
        "behind the old barn",
        "beside the river",
        "under the wooden roof",
        "in the long hall",
        "near the market",
        "on the stone bridge",
    ],
    why: [
        "because the water is low",
        "so that nobody has to wait",
        "before the frost comes",
        "while the others rest",
        "as soon as the bell rings",
        "although the road is bad",
        "until the last cart has left",
        "when the wind turns",
        "if the stones are warm",
        "after the harvest is in",
        "since the flour must stay dry",
    ],
};

const RUSSIAN: Words = Words {
    title: "Как деревня держит мельницу",
    part: "Шаг",
    who: [
        "мельник",
        "молодой помощник",
        "хозяин мельницы",
        "каждый крестьянин",
        "плотник",
        "терпеливый учитель",
        "деревенский писарь",
    ],
    does: [
        "взвешивает зерно",
        "следит за колесом",
        "считает мешки",
        "открывает ворота пруда",
        "записывает вес",
    ],
    place: [
        "за старым амбаром",
        "у самой реки",
        "под деревянной крышей",
        "в длинном зале",
        "возле рынка",
        "на каменном мосту",
    ],
    why: [
        "потому что воды мало",
        "чтобы никто не ждал",
        "пока не пришли морозы",
        "когда остальные отдыхают",
        "как только прозвонит колокол",
        "хотя дорога плохая",
        "пока не уедет последняя телега",
        "если ветер меняется",
        "раз жернова уже тёплые",
        "после того как собран урожай",
        "ведь мука должна быть сухой",
    ],
};

/// A sentence that only this section has, for tests to refer to.
fn landmark(section: usize) -> String {
    format!("Gate {section} is opened by hand.")
}

/// A lesson with this many sections of this many sentences.
pub(crate) fn lesson(words: &Words, sections: usize, sentences: usize) -> String {
    let mut text = format!("# {}\n\n", words.title);
    let mut turn = 0usize;
    for section in 1..=sections {
        text.push_str(&format!(
            "## {} {section}\n\n{}",
            words.part,
            landmark(section)
        ));
        for _ in 0..sentences {
            turn += 1;
            let who = words.who[turn % 7];
            let mut letters = who.chars();
            let capital: String = letters.next().unwrap().to_uppercase().collect();
            text.push_str(&format!(
                " {capital}{} {} {} {}.",
                letters.as_str(),
                words.does[turn % 5],
                words.place[turn % 6],
                words.why[turn % 11]
            ));
        }
        text.push_str("\n\n");
    }
    text
}

/// These roles, with a context window for each of their models.
fn taking(mut seats: Vec<Seat>, context: u64) -> Vec<Seat> {
    for seat in &mut seats {
        let names = seat.models.iter().map(ModelSettings::name);
        seat.contexts = names.map(|name| (name, context)).collect();
    }
    seats
}

/// A run that repairs a lesson with small models.
fn small(text: &str, mode: Mode) -> Setup {
    let setup = refining(text, mode);
    Setup {
        seats: taking(setup.seats.clone(), SMALL),
        ..setup
    }
}

/// What was left out of questions whose ids contain `name`.
fn cuts<'a>(events: &'a [Event], name: &str) -> Vec<(Input, &'a [String], usize)> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::InputCut {
                ask,
                of,
                parts,
                all,
                ..
            } if ask.0.contains(name) => Some((*of, parts.as_slice(), *all)),
            _ => None,
        })
        .collect()
}

/// The tokens of a question, as a tokeniser would count them.
fn counted(ask: &Ask) -> u64 {
    let schema = ask.schema.as_ref().map_or("", |schema| schema.text());
    [&ask.prompt.system, &ask.prompt.user, schema]
        .iter()
        .map(|text| tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u64)
        .sum()
}

/// Asserts that every prompt leaves room for its answer.
fn look_at_sizes(finished: &Finished, context: u64) {
    for ask in &finished.asks {
        let (size, answer) = (counted(ask), u64::from(ask.model.max_tokens));
        assert!(size + answer <= context, "{}: {size} + {answer}", ask.id);
    }
}

/// Judges that accept the text, editors that follow instructions.
fn content(ask: &Ask) -> ModelReply {
    scored_overall(ask, 950, "high", &[])
}

/// A judge that criticises the third section, and an editor that fixes it.
fn mends_the_third(ask: &Ask) -> ModelReply {
    let (round, verb, _) = parts(ask);
    match verb {
        "patch" => patch(ask, &landmark(3), "Somebody opens gate 3 by hand."),
        "delta" | "consistency" => delta(ask, true, "done"),
        _ if round == 0 => {
            let fix = "Say who opens it.";
            let found = issue("clarity_readability", "major", "sec_3", &landmark(3), fix);
            scored_overall(ask, 800, "high", &[found])
        }
        _ => scored_overall(ask, 950, "high", &[]),
    }
}

/// For the catalogue of events.
pub(crate) fn told() -> Vec<Event> {
    run_to_end(
        small(&lesson(&ENGLISH, 50, 12), Mode::FullAuto),
        content,
        &[],
    )
    .events
}

#[test]
fn a_long_lesson_is_read_in_part_and_not_accepted() {
    for (words, sentences, mode, status) in [
        (&ENGLISH, 12, Mode::SemiAuto, Status::Escalated),
        (&ENGLISH, 12, Mode::FullAuto, Status::BestEffort),
        (&RUSSIAN, 5, Mode::FullAuto, Status::BestEffort),
    ] {
        let finished = run_to_end(small(&lesson(words, 50, sentences), mode), content, &[]);
        look_at_sizes(&finished, SMALL);
        assert_eq!(finished.outcome.status, status, "{}", finished.because());
        assert!(
            matches!(finished.lacks(), NotAccepted::PartlyRead { .. }),
            "{}",
            finished.because()
        );
        assert_eq!(finished.outcome.quality, QualityStatus::BelowStandard);
        assert!(finished.outcome.needs_review && !finished.outcome.passed);
        assert!(
            !finished.has("refinement_start"),
            "there is nothing to repair"
        );
        let judged = finished.asked("/judge/");
        assert!(judged > 0, "{:?}", finished.names());
        let cuts = cuts(&finished.events, "/judge/");
        assert_eq!(cuts.len(), judged, "told once for each question");
        for ask in &finished.asks {
            let user = &ask.prompt.user;
            let shown = (1..=50).filter(|section| user.contains(&landmark(*section)));
            let shown = shown.count();
            // The title is above all sections.
            assert!(
                user.contains(&format!("Only {} of the 51 parts", shown + 1)),
                "{user}"
            );
            assert!((5..50).contains(&shown), "{shown} sections were shown");
            assert_eq!(cuts[0].1.len(), 50 - shown);
            assert!(user.contains("were left out"), "{user}");
        }
    }
}

#[test]
fn a_replay_of_a_cut_reading_comes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let text = lesson(&ENGLISH, 50, 12);
    let setup = || setup_of(&text, taking(one_judge(), SMALL), Mode::FullAuto);
    let driven = fresh(folder.path(), setup(), GOOD);
    let outcome = driven.result.unwrap();
    assert_eq!(outcome.status, Status::BestEffort);
    assert_eq!(cuts(&driven.events, "judge").len(), 1);
    let (header, recorded) = Journal::read(&folder.path().join("run.jsonl")).unwrap();
    let run = Run::new(setup(), header.started);
    let (replayed, events) = replay::replay(run, &recorded).unwrap();
    assert_eq!(replayed, Replayed::Outcome(Box::new(outcome)));
    assert_eq!(events, driven.events);
}

#[test]
fn a_seat_of_an_old_journal_has_no_contexts_and_nothing_is_cut_for_it() {
    let json = r#"{"role": "judge_secondary", "weight": 1, "models": []}"#;
    let old: Seat = serde_json::from_str(json).unwrap();
    assert!(old.contexts.is_empty());
    assert_eq!(serde_json::to_value(&old).unwrap().get("contexts"), None);
    let new = taking(one_judge(), SMALL);
    let written = serde_json::to_string(&new).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Seat>>(&written).unwrap(), new);
    let text = lesson(&ENGLISH, 50, 12);
    let finished = run_to_end(refining(&text, Mode::FullAuto), content, &[]);
    assert!(!finished.has("input_cut"));
    assert_eq!(finished.outcome.status, Status::Accepted);
}

#[test]
fn an_editor_of_a_long_lesson_is_shown_its_section() {
    let text = lesson(&ENGLISH, 50, 12);
    let finished = run_to_end(small(&text, Mode::FullAuto), mends_the_third, &[]);
    look_at_sizes(&finished, SMALL);
    assert!(finished.prompt("patch/sec_3").contains(&landmark(3)));
    assert!(cuts(&finished.events, "patch").is_empty());
    assert!(finished.result().contains("Somebody opens gate 3 by hand."));
    assert!(
        finished.result().contains(&landmark(50)),
        "the rest is as it was"
    );
    assert_eq!(finished.outcome.status, Status::BestEffort);
}

#[test]
fn what_is_larger_than_the_model_is_not_asked_and_costs_nothing() {
    let text = lesson(&ENGLISH, 1, 400);
    let setup = setup_of(&text, taking(one_judge(), SMALL), Mode::SemiAuto);
    let finished = run_to_end(setup, content, &[]);
    assert!(finished.asks.is_empty(), "{:?}", finished.names());
    assert!(finished.outcome.spent.is_empty());
    assert_eq!(finished.outcome.status, Status::Escalated);
    let unscored = finished.outcome.unscored.as_ref().unwrap();
    assert_eq!(unscored.reason, Reason::TooLong);
    for words in [
        "takes 8000 tokens in one call",
        "name a model with a longer context",
    ] {
        assert!(unscored.message.contains(words), "{}", unscored.message);
    }
}

#[test]
fn a_section_larger_than_the_editor_is_left_alone_with_the_reason() {
    // The judges can read all of it.
    let text = lesson(&ENGLISH, 1, 400);
    let mut setup = refining(&text, Mode::FullAuto);
    for seat in &mut setup.seats {
        if seat.role == Role::Patcher {
            *seat = taking(vec![seat.clone()], SMALL).remove(0);
        }
    }
    let fix = "Say who opens it.";
    let found = || issue("clarity_readability", "major", "sec_1", &landmark(1), fix);
    let finished = run_to_end(
        setup,
        |ask| scored_overall(ask, 800, "high", &[found()]),
        &[],
    );
    assert_eq!(finished.asked("patch"), 0, "{:?}", finished.names());
    assert_eq!(finished.result(), text);
    let task = &finished.outcome.tasks[0];
    assert_eq!(task.tokens, Tokens::default());
    let because = task.because.as_ref().unwrap();
    assert!(
        matches!(because, RollbackReason::NoAnswer(unscored)
            if unscored.message.contains("does not fit into scripted/patcher")),
        "{because:?}"
    );
}

#[test]
fn a_model_with_room_for_all_is_better_than_a_cut() {
    let text = lesson(&ENGLISH, 50, 12);
    let mixed = |role, models: &[&str]| {
        let mut seat = seat(role, models);
        let small = seat
            .models
            .iter()
            .filter(|model| model.model.starts_with("small"));
        seat.contexts = small.map(|model| (model.name(), SMALL)).collect();
        seat
    };
    for (what, seats) in [
        (
            "a fall-back of the same seat",
            vec![mixed(Role::JudgeSecondary, &["small", "large"])],
        ),
        (
            "a judge on another seat",
            vec![
                mixed(Role::JudgeSecondary, &["small"]),
                mixed(Role::JudgePrimary, &["large"]),
            ],
        ),
    ] {
        let setup = Setup {
            goal: Goal::Judge,
            seats,
            ..refining(&text, Mode::SemiAuto)
        };
        let finished = run_to_end(setup, content, &[]);
        assert!(!finished.has("input_cut"), "{what}");
        assert_eq!(
            finished.outcome.status,
            Status::Accepted,
            "{what}: {}",
            finished.because()
        );
        let asked: Vec<&str> = finished
            .asks
            .iter()
            .map(|ask| ask.model.model.as_str())
            .collect();
        assert_eq!(asked, ["large"], "{what}");
    }
}

#[test]
fn of_many_sources_the_nearest_are_shown_with_their_ids() {
    let filler = lesson(&ENGLISH, 200, 12);
    let mut sources: Vec<SourcePassage> = filler
        .split("\n\n")
        .filter(|paragraph| paragraph.starts_with("Gate"))
        .map(|paragraph| SourcePassage {
            content: paragraph.to_owned(),
            ..SourcePassage::default()
        })
        .collect();
    assert_eq!(sources.len(), 200);
    sources[149].content =
        "In the mountains the pressure of the air is lower, and potatoes in a pot cook slowly."
            .to_owned();
    let companions = Arc::new(Companions {
        sources,
        ..Companions::default()
    });
    for context in [None, Some(SMALL), Some(1_000_000)] {
        let mut setup = Setup {
            companions: Arc::clone(&companions),
            goal: Goal::Judge,
            ..refining(CLEAN_LESSON, Mode::SemiAuto)
        };
        if let Some(context) = context {
            setup.seats = taking(setup.seats, context);
        }
        let finished = run_to_end(setup, content, &[]);
        if let Some(context) = context {
            look_at_sizes(&finished, context);
        }
        let user = finished.prompt("judge");
        assert!(
            user.contains("[source_150] In the mountains"),
            "{context:?}: {user}"
        );
        let cuts = cuts(&finished.events, "judge");
        if context == Some(1_000_000) {
            assert!(
                cuts.is_empty() && user.contains("[source_200] "),
                "they go whole"
            );
        } else {
            assert_eq!(cuts.len(), 1, "{context:?}");
            assert_eq!((cuts[0].0, cuts[0].2), (Input::Sources, 200), "{context:?}");
            assert!(user.contains("more are not shown"), "{context:?}");
        }
        // The decision is about the whole text, which was read.
        assert_eq!(
            finished.outcome.status,
            Status::Accepted,
            "{}",
            finished.because()
        );
    }
}

/// A model with this context window, which it reports when a prompt is too long.
fn refusing_beyond(context: u64, says: Option<u64>) -> impl Fn(&Ask) -> ModelReply {
    move |ask| refusal(ask, context, says).or_else(|| content(ask))
}

/// The model's reply to a prompt that is too long.
fn refusal(ask: &Ask, context: u64, says: Option<u64>) -> ModelReply {
    let is_too_much = counted(ask) + u64::from(ask.model.max_tokens) > context;
    is_too_much.then(|| {
        Err(CallFailure {
            kind: FailureKind::TooLong,
            message: format!("{} takes only {context} tokens", ask.model.model),
            usage: None,
            context: says,
        })
    })
}

/// Judges' roles with the names of their models.
fn judges(seats: &[(Role, &[&str])]) -> Vec<Seat> {
    seats
        .iter()
        .map(|(role, models)| seat(*role, models))
        .collect()
}

#[test]
fn a_provider_that_says_how_much_it_takes_is_asked_again_with_what_fits() {
    let text = lesson(&ENGLISH, 50, 12);
    let (first, second, third) = (
        Role::JudgePrimary,
        Role::JudgeSecondary,
        Role::JudgeTiebreaker,
    );
    for (what, seats, panel, asked) in [
        (
            "one judge",
            judges(&[(second, &["a"])]),
            Judging::Cascade,
            vec!["a", "a"],
        ),
        (
            "one after the other, neither of whom has room",
            judges(&[(first, &["a"]), (second, &["b"])]),
            Judging::Single,
            vec!["b", "a", "a"],
        ),
        (
            "a panel",
            judges(&[(first, &["a"]), (second, &["b"])]),
            Judging::Panel,
            vec!["a", "b", "a", "b"],
        ),
        (
            "a third judge, who is the last that might have room",
            judges(&[(first, &["a"]), (second, &["b"]), (third, &["c"])]),
            Judging::Panel,
            vec!["a", "b", "c", "c"],
        ),
        (
            "a fall-back that has no more room",
            judges(&[(second, &["a", "b"])]),
            Judging::Single,
            vec!["a", "b", "a"],
        ),
    ] {
        let mut setup = Setup {
            goal: Goal::Judge,
            seats,
            ..refining(&text, Mode::SemiAuto)
        };
        setup.policy.judging = panel;
        let finished = run_to_end(setup, refusing_beyond(SMALL, Some(SMALL)), &[]);
        let models: Vec<&str> = finished
            .asks
            .iter()
            .map(|ask| ask.model.model.as_str())
            .collect();
        assert_eq!(models, asked, "{what}: {:?}", finished.names());
        assert_eq!(finished.outcome.status, Status::Escalated, "{what}");
        assert!(
            matches!(finished.lacks(), NotAccepted::PartlyRead { .. }),
            "{what}: {}",
            finished.because()
        );
        assert!(finished.has("input_cut"), "{what}: it is told");
        assert!(finished.outcome.score.is_some(), "{what}");
    }
}

#[test]
fn whoever_has_room_is_asked_before_anybody_reads_a_part() {
    let text = lesson(&ENGLISH, 50, 12);
    let (first, second) = (Role::JudgePrimary, Role::JudgeSecondary);
    for (seats, asked) in [
        (judges(&[(second, &["small", "large"])]), ["small", "large"]),
        (
            judges(&[(first, &["large"]), (second, &["small"])]),
            ["small", "large"],
        ),
    ] {
        let setup = Setup {
            goal: Goal::Judge,
            seats,
            ..refining(&text, Mode::SemiAuto)
        };
        let small = refusing_beyond(SMALL, Some(SMALL));
        let model = |ask: &Ask| match ask.model.model.as_str() {
            "small" => small(ask),
            _ => content(ask),
        };
        let finished = run_to_end(setup, model, &[]);
        let models: Vec<&str> = finished
            .asks
            .iter()
            .map(|ask| ask.model.model.as_str())
            .collect();
        assert_eq!(models, asked, "{:?}", finished.names());
        assert_eq!(
            finished.outcome.status,
            Status::Accepted,
            "{}",
            finished.because()
        );
        assert!(!finished.has("input_cut"));
    }
}

#[test]
fn a_provider_that_is_never_content_is_not_asked_for_ever() {
    let text = lesson(&ENGLISH, 50, 12);
    let less = std::cell::Cell::new(SMALL);
    for (what, says) in [("less each time", true), ("nothing", false)] {
        let setup = Setup {
            goal: Goal::Judge,
            seats: judges(&[(Role::JudgeSecondary, &["a"])]),
            ..refining(&text, Mode::SemiAuto)
        };
        let model = |ask: &Ask| {
            less.set(less.get() - 100);
            refusing_beyond(0, says.then_some(less.get()))(ask)
        };
        let finished = run_to_end(setup, model, &[]);
        let most = if says { 3 } else { 1 };
        assert!(
            finished.asks.len() <= most,
            "{what}: {:?}",
            finished.names()
        );
        let unscored = finished.outcome.unscored.as_ref().unwrap();
        assert_eq!(unscored.reason, Reason::TooLong, "{what}");
        assert_eq!(finished.outcome.status, Status::Escalated, "{what}");
    }
}

#[test]
fn a_small_model_repairs_a_long_lesson_though_nobody_said_how_small_it_is() {
    let text = lesson(&ENGLISH, 50, 12);
    let model = |ask: &Ask| refusal(ask, SMALL, Some(SMALL)).or_else(|| mends_the_third(ask));
    let finished = run_to_end(refining(&text, Mode::FullAuto), model, &[]);
    assert!(finished.result().contains("Somebody opens gate 3 by hand."));
    assert!(finished.result().contains(&landmark(50)));
    assert_eq!(finished.outcome.status, Status::BestEffort);
}
