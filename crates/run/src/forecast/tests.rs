//! The table of stages row by row, and the bounds of the worst case.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::ask::{ModelSettings, Role};
use crate::policy::{EditForm, Judging, Targets};
use crate::route::estimate::Overheads;

fn model(max_tokens: u32) -> ModelSettings {
    ModelSettings {
        provider: "scripted".to_owned(),
        model: "m".to_owned(),
        temperature_hundredths: 0,
        max_tokens,
        price_in: 1_000_000,
        price_out: 4_000_000,
        cache: None,
    }
}

fn models(roles: &[Role]) -> BTreeMap<Role, ModelSettings> {
    roles.iter().map(|role| (*role, model(1_500))).collect()
}

const ROLES: [Role; 8] = [
    Role::SelfReviewer,
    Role::JudgePrimary,
    Role::JudgeSecondary,
    Role::JudgeTiebreaker,
    Role::Arbiter,
    Role::Patcher,
    Role::SectionExpander,
    Role::DeltaJudge,
];

const OVERHEADS: Overheads = Overheads {
    self_review: 600,
    judge: 2_000,
    solve: 0,
    arbiter: 300,
    patch: 400,
    expand: 500,
    delta: 300,
};

static NOTHING_KNOWN: BTreeMap<Role, RoleFacts> = BTreeMap::new();

/// The budgets of ruling 38.
fn budgets(document: u64) -> Budgets {
    Budgets {
        repair: (document * 75 / 10).max(15_000),
        judging: Some(((document + 3_000) * 3).max(10_000)),
    }
}

fn limited_to(cost: Option<u64>) -> SpendingLimits {
    SpendingLimits {
        cost,
        ..SpendingLimits::default()
    }
}

fn figures() -> ForecastFigures {
    ForecastFigures {
        iterations: 3,
        targets: Targets::All,
        edits_per_component: 2,
        retries: 0,
        judging: Judging::Cascade,
        confirm: true,
        both_orders: false,
        edit_form: EditForm::Edits,
        tries: 2,
        budgets: budgets(2_000),
        limits: SpendingLimits::default(),
        usual: UsualCalls::default(),
    }
}

fn forecast<'a>(
    models: &'a BTreeMap<Role, ModelSettings>,
    parts: &'a [u64],
    figures: ForecastFigures,
) -> Forecast<'a> {
    Forecast {
        document: parts.iter().sum(),
        parts,
        overheads: OVERHEADS,
        figures,
        models,
        roles: &NOTHING_KNOWN,
    }
}

/// Calls by stage: best/typical/worst.
fn calls(stages: &[StageEstimate]) -> Vec<String> {
    stages
        .iter()
        .map(|stage| {
            format!(
                "{} {}/{}/{}{}",
                stage.stage.name(),
                stage.best.calls,
                stage.typical.calls,
                stage.worst.calls,
                if stage.stopped.is_empty() {
                    ""
                } else {
                    " stopped"
                }
            )
        })
        .collect()
}

#[test]
fn the_stages_of_the_table_come_with_their_calls() {
    let lesson = [300, 500, 400, 300, 500];
    let all = models(&ROLES);
    let judges = models(&[Role::JudgeSecondary]);
    let no_panel = ForecastFigures {
        judging: Judging::Single,
        confirm: false,
        usual: UsualCalls {
            confirm: 0,
            ..UsualCalls::default()
        },
        ..figures()
    };
    let judged_only = ForecastFigures {
        iterations: 0,
        ..figures()
    };
    let weakest = ForecastFigures {
        targets: Targets::Weakest,
        iterations: 2,
        ..no_panel
    };
    for (name, models, figures, expected) in [
        (
            "cascade",
            &all,
            figures(),
            &[
                "self_review 1/1/2",
                "judge 1/1/1 stopped",
                "panel 0/0/1 stopped",
                "arbiter 0/1/6",
                "repair 0/2/40 stopped",
                "verify 0/2/40 stopped",
                "rejudge 0/1/6 stopped",
                "confirm 0/1/6 stopped",
            ][..],
        ),
        (
            "one judge, no repair",
            &judges,
            judged_only,
            &["judge 1/1/2"][..],
        ),
        (
            "weakest",
            &all,
            weakest,
            &[
                "self_review 1/1/2",
                "judge 1/1/2",
                "panel 0/0/0 stopped",
                "arbiter 0/1/4",
                "repair 0/2/16 stopped",
                "verify 0/2/16 stopped",
                "rejudge 0/1/8",
                "confirm 0/0/0 stopped",
            ][..],
        ),
        (
            "always a panel",
            &all,
            ForecastFigures {
                judging: Judging::Panel,
                iterations: 0,
                tries: 1,
                ..figures()
            },
            &["self_review 1/1/1", "judge 1/1/1", "panel 1/1/1 stopped"][..],
        ),
        ("nobody", &models(&[]), figures(), &[][..]),
    ] {
        let request = forecast(models, &lesson, figures);
        let stages = expect(&request, &request);
        assert_eq!(calls(&stages), expected, "{name}");
    }
}

#[test]
fn where_no_judge_can_be_paid_nothing_after_it_is_expected() {
    let all = models(&ROLES);
    let starved = Budgets {
        judging: Some(100),
        ..budgets(2_000)
    };
    for (name, figures) in [
        (
            "tokens",
            ForecastFigures {
                budgets: starved,
                ..figures()
            },
        ),
        (
            "money",
            ForecastFigures {
                limits: limited_to(Some(1)),
                ..figures()
            },
        ),
    ] {
        let request = forecast(&all, &[300, 400], figures);
        for stage in expect(&request, &request) {
            assert_eq!(stage.typical, Amount::default(), "{name}: {stage:?}");
            assert_eq!(stage.worst, Amount::default(), "{name}: {stage:?}");
            assert!(!stage.stopped.is_empty(), "{name}: {stage:?}");
        }
    }
}

proptest! {
    #[test]
    fn the_worst_case_keeps_to_the_budgets_and_the_best_is_the_cheapest(
        parts in prop::collection::vec(1_u64..5_000, 1..30),
        iterations in 0_u32..11,
        tries in 1_u32..4,
        targets in prop::sample::select(vec![Targets::All, Targets::Failing, Targets::Weakest]),
        cost_limit in prop::option::of(1_u64..1_000_000),
    ) {
        let all = models(&ROLES);
        let budgets = budgets(parts.iter().sum());
        let figures = ForecastFigures { iterations, tries, targets, limits: limited_to(cost_limit), budgets, ..figures() };
        let request = forecast(&all, &parts, figures);
        let stages = expect(&request, &request);
        let of = |wanted: &[Stage]| {
            stages.iter()
                .filter(|stage| wanted.contains(&stage.stage))
                .map(|stage| stage.worst.tokens.total())
                .sum::<u64>()
        };
        let budgets = request.figures.budgets;
        prop_assert!(of(&[Stage::Repair, Stage::Verify]) <= budgets.repair);
        prop_assert!(of(&[Stage::Judge, Stage::Panel]) <= budgets.judging.unwrap());
        prop_assert!(of(&[Stage::Rejudge, Stage::Confirm]) <= budgets.judging.unwrap() * 2 * u64::from(iterations));
        let (best, typical, worst) = total(&stages);
        prop_assert!(best.tokens.total() <= typical.tokens.total());
        if let Some(limit) = cost_limit {
            prop_assert!(worst.cost_micros <= limit);
        }
    }
}

#[test]
fn caches_make_every_call_but_the_first_cheaper_and_no_limit_counts_on_them() {
    let terms = CacheTerms {
        least_tokens: 1_024,
        price_read: 100_000,
        price_write: 1_250_000,
    };
    let plain = models(&ROLES);
    let mut caching = plain.clone();
    for model in caching.values_mut() {
        model.cache = Some(terms);
    }
    let constant = ConstantParts {
        self_review: 500,
        judge: 1_500,
    };
    let stages = |models, warmth| {
        let forecast = forecast(models, &[500, 700], figures());
        let mut stages = expect(&forecast, &forecast);
        count_caches(&mut stages, constant, models, warmth);
        stages
    };
    let of = |stages: &[StageEstimate], stage: Stage| {
        stages
            .iter()
            .find(|one| one.stage == stage)
            .cloned()
            .unwrap()
    };
    let full = stages(&plain, Warmth::Cold);
    let cold = stages(&caching, Warmth::Cold);
    let warm = stages(&caching, Warmth::Warm);
    // The first call writes to the cache, at a quarter more; the second reads, at a tenth.
    let (first, again) = (
        of(&full, Stage::Judge).typical,
        of(&full, Stage::Rejudge).typical,
    );
    let written = of(&cold, Stage::Judge).typical;
    assert_eq!(written.tokens.cache_write, 1_500);
    assert_eq!(written.cost_micros, first.cost_micros + 375);
    for (of_case, stage) in [
        (&cold, Stage::Rejudge),
        (&warm, Stage::Rejudge),
        (&warm, Stage::Judge),
    ] {
        let read = of(of_case, stage).typical;
        assert_eq!(read.tokens.cached_input, 1_500, "{stage:?}");
        assert_eq!(read.tokens.input, again.tokens.input, "{stage:?}");
        assert_eq!(read.cost_micros, again.cost_micros - 1_350, "{stage:?}");
    }
    // These prompts are too short to be cached, or not counted.
    for stage in [Stage::SelfReview, Stage::Repair, Stage::Verify] {
        assert_eq!(
            of(&cold, stage).typical,
            of(&full, stage).typical,
            "{stage:?}"
        );
    }
    // The worst case is what is reserved: everything written, nothing read.
    for (worst, full) in cold.iter().zip(&full).map(|(a, b)| (a.worst, b.worst)) {
        assert_eq!(worst.tokens, full.tokens);
        // The cost of each call may be rounded up.
        let quarter = full.cost_micros + full.tokens.input / 4;
        assert!((quarter..=quarter + worst.calls).contains(&worst.cost_micros));
    }
    // Nothing changes for a model without a cache.
    assert_eq!(stages(&plain, Warmth::Warm), full);
}

#[test]
fn what_is_usual_is_a_share_of_a_call_and_counts_as_one() {
    let all = models(&ROLES);
    let stages = |usual| {
        let figures = ForecastFigures { usual, ..figures() };
        let request = forecast(&all, &[300, 500], figures);
        expect(&request, &request)
    };
    let of = |stages: &[StageEstimate], stage: Stage| {
        let found = stages.iter().find(|one| one.stage == stage);
        found.map(|one| one.typical).unwrap()
    };
    let whole = UsualCalls {
        panel: 100,
        expand: 100,
        patch: 100,
        ..UsualCalls::default()
    };
    let quarter = UsualCalls {
        panel: 25,
        expand: 25,
        patch: 25,
        verify: 50,
        rejudge: 25,
        confirm: 25,
        ..UsualCalls::default()
    };
    let (whole, quarter) = (stages(whole), stages(quarter));
    for stage in [Stage::Panel, Stage::Verify, Stage::Rejudge, Stage::Confirm] {
        let (all, part) = (of(&whole, stage), of(&quarter, stage));
        assert_eq!(part.calls, 1, "{stage:?}");
        assert_eq!(part.tokens.input, all.tokens.input.div_ceil(4), "{stage:?}");
        assert_eq!(
            part.tokens.output,
            all.tokens.output.div_ceil(4),
            "{stage:?}"
        );
    }
    assert!(of(&quarter, Stage::Repair).cost_micros < of(&whole, Stage::Repair).cost_micros / 3);
    // A stage that is never reached costs nothing.
    let never = UsualCalls {
        panel: 0,
        ..UsualCalls::default()
    };
    assert_eq!(of(&stages(never), Stage::Panel), Amount::default());
    // A profile may declare the usual length of answers.
    let terse = stages(UsualCalls {
        verify: 100,
        rejudge: 100,
        judge_answer: Some(150),
        verify_answer: Some(30),
        ..UsualCalls::default()
    });
    for (stage, output) in [
        (Stage::Judge, 150),
        (Stage::Rejudge, 150),
        (Stage::Verify, 30),
    ] {
        assert_eq!(of(&terse, stage).tokens.output, output, "{stage:?}");
    }
}

#[test]
fn a_role_is_as_dear_as_the_dearest_of_its_models_writing_to_a_cache_included() {
    let cached = |price_in, price_write| ModelSettings {
        price_in,
        cache: Some(CacheTerms {
            least_tokens: 1_024,
            price_read: price_in / 10,
            price_write,
        }),
        ..model(100)
    };
    let plain = model(100);
    for (models, dearest) in [
        (vec![plain.clone()], 1_000_000),
        (
            vec![cached(2_000_000, 2_000_000), cached(3_000_000, 3_750_000)],
            3_750_000,
        ),
        (
            vec![cached(3_000_000, 3_750_000), cached(2_000_000, 2_000_000)],
            3_750_000,
        ),
        (vec![plain.clone(), cached(1_000_000, 1_250_000)], 1_250_000),
        (
            vec![
                cached(1_000_000, 1_250_000),
                ModelSettings {
                    price_in: 2_000_000,
                    ..plain
                },
            ],
            2_000_000,
        ),
    ] {
        let seat = Seat {
            role: Role::JudgePrimary,
            weight: 1,
            models: models.clone(),
            contexts: BTreeMap::new(),
        };
        let (_, one) = RoleFacts::of(&seat).unwrap();
        assert_eq!(one.dearest_in(), dearest, "{models:?}");
    }
}
