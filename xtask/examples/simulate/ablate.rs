//! What each rule costs: the same documents again with one rule changed, and with
//! one assumption changed. Rules that no policy states are changed in what the
//! models answer, and marked `as if`.

use anyhow::{Context as _, Result};
use redraft_gate::score::Score;
use redraft_profiles::registry;
use redraft_run::ask::Role;
use redraft_run::policy::Targets;
use redraft_run::policy::{Confirm, Delta, Judging, Mode, Policy};

use crate::actors::Skill;
use crate::arms::{self, Genre};
use crate::craft::Hardship;
use crate::goals;
use crate::play::Record;
use crate::report::Grid;
use crate::trial::World;

/// One change.
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    policy: fn(&mut Policy),
    skill: fn(&mut Skill),
    hardship: fn(&mut Hardship),
    without: &'static [Role],
}

pub(crate) const AS_IT_IS: Variant = Variant {
    name: "as it is",
    policy: |_| {},
    skill: |_| {},
    hardship: |_| {},
    without: &[],
};

const fn rule(name: &'static str, policy: fn(&mut Policy)) -> Variant {
    Variant {
        name,
        policy,
        ..AS_IT_IS
    }
}

const fn assumed(name: &'static str, skill: fn(&mut Skill)) -> Variant {
    Variant {
        name,
        skill,
        ..AS_IT_IS
    }
}

fn score(thousandths: u16) -> Score {
    Score::from_thousandths(thousandths).unwrap_or(Score::ONE)
}

/// Rules of every kind of content.
const SHARED: &[Variant] = &[
    AS_IT_IS,
    rule("one round more", |policy| policy.repair.iterations += 1),
    rule("a part is edited once more", |policy| {
        policy.repair.edits_per_component += 1;
    }),
    rule("one round and one edit more", |policy| {
        policy.repair.iterations += 1;
        policy.repair.edits_per_component += 1;
    }),
    rule("a criterion may fall by .10, not .05", |policy| {
        policy.repair.tolerance = score(100);
    }),
    rule("no guard of good criteria", |policy| {
        policy.repair.tolerance = score(1_000);
    }),
    rule("delta judge compares in both orders", |policy| {
        policy.repair.delta = Delta::BothOrders;
    }),
    Variant {
        name: "no delta judge",
        without: &[Role::DeltaJudge],
        ..AS_IT_IS
    },
    assumed(
        "as if a repair were kept that mends a part of its issues",
        |skill| {
            skill.keeps_partial = true;
        },
    ),
    assumed("as if no judge ever said low confidence", |skill| {
        skill.unsure[1] = 0.0;
    }),
];

const LESSONS: &[Variant] = &[
    rule("clear by .02, not .05", |policy| {
        policy.clear_by = score(20);
    }),
    rule("clear by .08, not .05", |policy| {
        policy.clear_by = score(80);
    }),
    rule("one judge alone", |policy| {
        policy.judging = Judging::Single;
        policy.confirm = Confirm::Nobody;
    }),
    rule("cascade, nobody confirms", |policy| {
        policy.confirm = Confirm::Nobody;
    }),
    rule("always the panel", |policy| policy.judging = Judging::Panel),
    rule("only three idle rounds are convergence", |policy| {
        policy.repair.converged_below = score(0);
    }),
    rule("twice the budget of repair", |policy| {
        policy.repair.tokens *= 2;
        policy.repair.tokens_a_hundred *= 2;
    }),
    Variant {
        name: "no model reviews before the judges",
        without: &[Role::SelfReviewer],
        ..AS_IT_IS
    },
    Variant {
        name: "one round, one edit more, parts of issues kept",
        policy: |policy| {
            policy.repair.iterations += 1;
            policy.repair.edits_per_component += 1;
        },
        skill: |skill| skill.keeps_partial = true,
        ..AS_IT_IS
    },
];

const ONE_JUDGE: &[Variant] = &[
    Variant {
        name: "no second opinion: one judge is configured",
        without: &[Role::JudgePrimary, Role::JudgeTiebreaker],
        ..AS_IT_IS
    },
    Variant {
        name: "cascade with a panel, not one judge",
        policy: |policy| policy.judging = Judging::Cascade,
        ..AS_IT_IS
    },
    Variant {
        name: "cascade with a panel, parts of issues kept",
        policy: |policy| policy.judging = Judging::Cascade,
        skill: |skill| skill.keeps_partial = true,
        ..AS_IT_IS
    },
    Variant {
        name: "cascade, one round and one edit more, parts of issues kept",
        policy: |policy| {
            policy.judging = Judging::Cascade;
            policy.repair.iterations += 1;
            policy.repair.edits_per_component += 1;
        },
        skill: |skill| skill.keeps_partial = true,
        ..AS_IT_IS
    },
];

const ITEMS: &[Variant] = &[
    rule("all weak parts at once, not the weakest", |policy| {
        policy.repair.targets = Targets::All;
    }),
    rule("failing parts, not the weakest", |policy| {
        policy.repair.targets = Targets::Failing;
    }),
];

pub(crate) const NOISY_JUDGES: Variant =
    assumed("judges with noise .05", |skill| skill.noise = 0.05);

pub(crate) const STRICT_CHEAP_JUDGE: Variant =
    assumed("the cheap judge is the strict one", |skill| {
        skill.bias = -skill.bias;
    });

/// What the figures owe to the assumptions.
const ASSUMPTIONS: &[Variant] = &[
    NOISY_JUDGES,
    assumed("judges .08 apart", |skill| skill.bias = 0.08),
    STRICT_CHEAP_JUDGE,
    assumed("repairs succeed .10 less often", |skill| {
        skill.better = -0.10;
    }),
    assumed("repairs succeed .15 more often", |skill| {
        skill.better = 0.15;
    }),
    assumed("repairs break something twice as often", |skill| {
        skill.breaks *= 2.0;
    }),
    assumed("delta judge errs twice as often", |skill| {
        skill.delta = skill.delta.map(|share| share * 2.0);
    }),
    Variant {
        name: "worse texts: a fifth clean, more defects",
        hardship: |hardship| {
            hardship.spread = &[
                (0.20, 0, 0),
                (0.25, 1, 2),
                (0.30, 3, 5),
                (0.18, 6, 9),
                (0.07, 10, 14),
            ];
        },
        ..AS_IT_IS
    },
    Variant {
        name: "better texts: two fifths clean, fewer defects",
        hardship: |hardship| {
            hardship.spread = &[(0.40, 0, 0), (0.35, 1, 2), (0.20, 3, 5), (0.05, 6, 9)];
        },
        ..AS_IT_IS
    },
];

/// The rules, and the assumptions, over so many documents.
pub(crate) fn grids(world: &World<'_>, documents: usize, modes: &[Mode]) -> Result<Vec<Grid>> {
    let own: [&[Variant]; 2] = match world.genre {
        Genre::Lessons => [LESSONS, &[]],
        Genre::Cards => [ONE_JUDGE, &[]],
        Genre::Items => [ONE_JUDGE, ITEMS],
    };
    let mut grids = Vec::new();
    for mode in modes {
        let name = match world.genre {
            Genre::Lessons => format!("Lessons, {}", mode.name()),
            Genre::Cards => "Card sets".to_owned(),
            Genre::Items => "Items".to_owned(),
        };
        let rules = SHARED.iter().chain(own.into_iter().flatten());
        let title = format!("{name}: one rule changed");
        grids.push(grid(world, documents, *mode, title, rules)?);
        let assumptions = std::iter::once(&AS_IT_IS).chain(ASSUMPTIONS);
        let title = format!("{name}: one assumption changed");
        grids.push(grid(world, documents, *mode, title, assumptions)?);
    }
    Ok(grids)
}

fn grid<'v>(
    world: &World<'_>,
    documents: usize,
    mode: Mode,
    title: String,
    variants: impl Iterator<Item = &'v Variant>,
) -> Result<Grid> {
    let profile = registry::profile(world.craft.profile_name());
    let profile = profile.context("there is no such profile")?;
    let mut rows = Vec::new();
    for variant in variants {
        eprintln!("{title}: {}", variant.name);
        let records = played(world, documents, mode, variant)?;
        let row = goals::row(&records, profile.decision(mode));
        eprintln!(
            "  accepted: {:.3}",
            row.first().map_or(0.0, |share| share.value)
        );
        rows.push((variant.name, row));
    }
    Ok(Grid {
        title,
        columns: goals::COLUMNS,
        rows,
    })
}

/// What becomes of documents with one change.
pub(crate) fn played(
    world: &World<'_>,
    documents: usize,
    mode: Mode,
    variant: &Variant,
) -> Result<Vec<Record>> {
    let mut world = *world;
    (variant.skill)(&mut world.skill);
    (variant.hardship)(&mut world.hardship);
    world.play_all(documents, &|genre, subject| {
        let mut desk = arms::as_it_is(genre, subject, mode);
        (variant.policy)(&mut desk.policy);
        desk.roles.retain(|role| !variant.without.contains(role));
        desk
    })
}
