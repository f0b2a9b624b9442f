//! What `plan` calls typical beside what simulated runs spend: by stage, with the prices of
//! the three families. A document is taken to be one of many, as in `money.rs`.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use redraft_run::ask::ModelSettings;
use redraft_run::forecast::{
    Forecast, ForecastFigures, Measure, Stage, Warmth, count_caches, expect,
};
use redraft_run::self_review;
use redraft_run::setup::Setup;
use redraft_run::token_estimate::usual_tokens;

use crate::figures::{Figure, mean, quotient};
use crate::money::{self, FAMILIES};
use crate::play::Record;
use crate::purpose::Purpose;
use crate::report::{Goal, Grid, Line, Section, Unit};

/// The stages, in the order of the table.
const STAGES: [(Stage, &str); 7] = [
    (Stage::SelfReview, "self-review"),
    (Stage::Judge, "first judge"),
    (Stage::Panel, "panel"),
    (Stage::Repair, "repair, and writing the whole again"),
    (Stage::Verify, "verification"),
    (Stage::Rejudge, "re-judging"),
    (Stage::Confirm, "confirmation, and other second opinions"),
];

/// The typical cost of a document, in millionths of a dollar, by stage and family.
pub(crate) type Typical = [[u64; 3]; STAGES.len()];

const fn stage(purpose: Purpose) -> Stage {
    match purpose {
        Purpose::Review => Stage::SelfReview,
        Purpose::FirstJudge => Stage::Judge,
        Purpose::FirstPanel => Stage::Panel,
        Purpose::Repair | Purpose::Expand | Purpose::Writing => Stage::Repair,
        Purpose::Verify => Stage::Verify,
        Purpose::NextJudge => Stage::Rejudge,
        Purpose::NextPanel | Purpose::Confirm | Purpose::Guard | Purpose::Other => Stage::Confirm,
    }
}

/// What `plan` would say of a run.
pub(crate) fn typical(setup: &Setup) -> Result<Typical> {
    let repair = &setup.policy.repair;
    let measure = Measure {
        profile: setup.profile,
        document: &setup.inspected.document,
        companions: &setup.companions,
        rubric: &setup.rubric,
        count: &usual_tokens,
        asked: (repair.edit_form(), repair.delta),
    };
    let (document, parts) = (measure.document(), measure.parts());
    let overheads = measure.all().map_err(|error| anyhow!(error))?;
    let constant = measure.constant_parts().map_err(|error| anyhow!(error))?;
    let figures = ForecastFigures::of(&setup.policy, setup.goal, document, setup.limits);
    let has_occasion = self_review::has_occasion(&setup.companions, &setup.self_review);
    let mut typical = Typical::default();
    for (family, _) in FAMILIES.iter().enumerate() {
        let models: BTreeMap<_, ModelSettings> = setup
            .seats
            .iter()
            .map(|seat| seat.role)
            .filter(|role| has_occasion || *role != redraft_run::ask::Role::SelfReviewer)
            .filter_map(|role| Some((role, money::settings(family, role)?)))
            .collect();
        let forecast = Forecast {
            document,
            parts: &parts,
            overheads,
            figures: figures.clone(),
            models: &models,
            roles: &BTreeMap::new(),
        };
        let mut stages = expect(&forecast, &forecast);
        count_caches(&mut stages, constant, &models, Warmth::Warm);
        for one in stages {
            let line = STAGES.iter().position(|(stage, _)| *stage == one.stage);
            if let Some(line) = line {
                typical[line][family] += one.typical.cost_micros;
            }
        }
    }
    Ok(typical)
}

/// How far `plan` is from what was spent.
pub(crate) fn section(title: &str, records: &[Record]) -> Section {
    let families = FAMILIES.iter().enumerate();
    let lines = families.map(|(family, named)| {
        let pairs: Vec<(f64, f64)> = records
            .iter()
            .map(|record| {
                let planned: u64 = record.typical.iter().map(|stage| stage[family]).sum();
                let spent: u64 = record.money.billed.iter().map(|stage| stage[family]).sum();
                (planned as f64, spent as f64)
            })
            .collect();
        Line::new(named.name, quotient(&pairs), Unit::Share).goal(Goal::Between(0.8, 1.2))
    });
    Section {
        title: format!("{title}: typical cost of `plan`, of what was spent"),
        lines: lines.collect(),
    }
}

/// The same by stage, with OpenAI's prices, and how often it is met.
pub(crate) fn by_stage(title: &str, records: &[Record]) -> Grid {
    const COLUMNS: &[(&str, Unit)] = &[
        ("planned", Unit::Dollars),
        ("spent", Unit::Dollars),
        ("calls", Unit::Number),
    ];
    let figure = |of: &dyn Fn(&Record) -> f64| -> Figure {
        let each: Vec<f64> = records.iter().map(of).collect();
        mean(&each)
    };
    let rows = STAGES.iter().enumerate().map(|(line, (stage, name))| {
        let purposes = || {
            Purpose::ALL
                .iter()
                .filter(|one| self::stage(**one) == *stage)
        };
        let planned = |record: &Record| record.typical[line][0] as f64 / 1e6;
        let spent = |record: &Record| {
            let micros = purposes().map(|one| record.money.billed[*one as usize][0]);
            micros.sum::<u64>() as f64 / 1e6
        };
        let calls = |record: &Record| {
            let calls = purposes().map(|one| record.money.calls[*one as usize]);
            f64::from(calls.sum::<u32>())
        };
        (
            *name,
            vec![figure(&planned), figure(&spent), figure(&calls)],
        )
    });
    let mut rows: Vec<(&str, Vec<Figure>)> = rows.collect();
    // What `[decide.usual]` tells apart.
    for (purpose, name) in [
        (Purpose::Repair, "  of it edits"),
        (Purpose::Expand, "  of it components written again"),
    ] {
        let spent = |record: &Record| record.money.billed[purpose as usize][0] as f64 / 1e6;
        let calls = |record: &Record| f64::from(record.money.calls[purpose as usize]);
        rows.push((name, vec![figure(&|_| 0.0), figure(&spent), figure(&calls)]));
    }
    Grid {
        title: format!("{title}: what `plan` expects of a document, and what it costs (OpenAI)"),
        columns: COLUMNS,
        rows,
    }
}
