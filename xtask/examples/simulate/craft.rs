//! What a kind of content brings to the simulated world: how its texts are
//! written, what can be wrong with them, and how often. The figures are
//! assumptions; `docs/simulation.md` lists them.

use redraft_gate::companion::Companions;
use redraft_gate::reading::Hint;
use redraft_profiles::registry;
use redraft_run::profile::Profile;

use crate::dice::Dice;
use crate::world::{Found, Kind, Place, Scale, Severity, Truth, defects};

/// A kind of content.
pub(crate) trait Craft: Sync {
    /// The profile that judges and repairs it.
    fn profile_name(&self) -> &'static str;

    fn hint(&self) -> Hint;

    /// What can be wrong with it.
    fn kinds(&self) -> &'static [Kind];

    /// How often each criterion is what is wrong.
    fn shares(&self) -> &'static [(&'static str, f64)];

    /// What a minor, a major and a critical defect take off their criterion.
    fn costs(&self) -> [f64; 3];

    /// The least and the most of a criterion without a defect.
    fn base(&self) -> (f64, f64);

    /// How many different orders there are: what texts are about.
    fn orders(&self) -> usize;

    /// What came with the texts of an order.
    fn companions(&self, order: usize) -> Companions;

    /// A whole text with these defects.
    fn write(&self, dice: &mut Dice, order: usize, planted: &Planted) -> String;

    /// What stands where a defect stood, after a good repair.
    fn mended(&self, dice: &mut Dice, site: &Site<'_>, defect: &Found) -> String;

    /// A field, or a part of one field, written again: as long as these words, or
    /// with so many where the old ones are not known.
    fn rewritten(&self, dice: &mut Dice, site: &Site<'_>, old: (&str, usize)) -> String;

    /// The sentence of a defect that fits into a field; `None` where it does not
    /// belong there.
    fn spoilt(&self, dice: &mut Dice, site: &Site<'_>, kind: &'static Kind) -> Option<String>;

    /// A text with one more sentence.
    fn with_sentence(&self, text: &str, sentence: &str) -> String {
        match text.split_once("\n\n") {
            Some((first, rest)) => format!("{first} {sentence}\n\n{rest}"),
            None => format!("{text} {sentence}"),
        }
    }
}

/// Where something is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) order: usize,
    /// The field, or the part where it has only one.
    pub(crate) field: &'a str,
    /// The whole part, as far as it is known.
    pub(crate) beside: &'a str,
}

/// What is planted in a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planted {
    pub(crate) defects: Vec<&'static Kind>,
    /// Damage that the free checks see.
    pub(crate) damage: Vec<&'static Kind>,
}

/// How many defects texts have: a share, and from how many to how many.
pub(crate) type Spread = &'static [(f64, usize, usize)];

/// How bad texts are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hardship {
    pub(crate) spread: Spread,
    /// The shares of minor and major defects; the rest is critical.
    pub(crate) minor: f64,
    pub(crate) major: f64,
    /// How often a text has damage that the free checks see.
    pub(crate) damaged: f64,
}

pub(crate) const LESSONS: Hardship = Hardship {
    spread: &[
        (0.30, 0, 0),
        (0.30, 1, 2),
        (0.27, 3, 5),
        (0.10, 6, 9),
        (0.03, 10, 14),
    ],
    minor: 0.50,
    major: 0.38,
    damaged: 0.10,
};

pub(crate) const CARDS: Hardship = Hardship {
    spread: &[(0.40, 0, 0), (0.30, 1, 2), (0.22, 3, 4), (0.08, 5, 8)],
    minor: 0.45,
    major: 0.45,
    damaged: 0.0,
};

pub(crate) const ITEMS: Hardship = Hardship {
    spread: &[(0.35, 0, 0), (0.35, 1, 2), (0.22, 3, 4), (0.08, 5, 7)],
    minor: 0.40,
    major: 0.40,
    damaged: 0.0,
};

impl Hardship {
    /// Draws what is wrong with a text.
    pub(crate) fn draw(&self, dice: &mut Dice, craft: &dyn Craft) -> Planted {
        let mut throw = dice.share();
        let mut number = 0;
        for (share, least, most) in self.spread {
            if throw < *share {
                number = dice.between(*least, *most);
                break;
            }
            throw -= share;
        }
        let defects = (0..number).map(|_| self.one(dice, craft)).collect();
        let damages: Vec<&'static Kind> = craft
            .kinds()
            .iter()
            .filter(|kind| kind.place == Place::Damage)
            .collect();
        let damage = match !damages.is_empty() && dice.happens(self.damaged) {
            true => vec![dice.one_of(&damages)],
            false => Vec::new(),
        };
        Planted { defects, damage }
    }

    /// A kind of defect, as they are distributed.
    pub(crate) fn one(&self, dice: &mut Dice, craft: &dyn Craft) -> &'static Kind {
        let severity = severity(dice, self.minor, self.major);
        of_severity(dice, craft, severity)
    }
}

/// A severity, by the shares of minor and major ones.
pub(crate) fn severity(dice: &mut Dice, minor: f64, major: f64) -> Severity {
    let throw = dice.share();
    if throw < minor {
        Severity::Minor
    } else if throw < minor + major {
        Severity::Major
    } else {
        Severity::Critical
    }
}

/// A kind of this severity, of a criterion as they are distributed.
pub(crate) fn of_severity(dice: &mut Dice, craft: &dyn Craft, severity: Severity) -> &'static Kind {
    let shares = craft.shares();
    let total: f64 = shares.iter().map(|(_, share)| share).sum();
    let mut throw = dice.share() * total;
    let mut criterion = shares[0].0;
    for (name, share) in shares {
        criterion = name;
        if throw < *share {
            break;
        }
        throw -= share;
    }
    let matching: Vec<&'static Kind> = craft
        .kinds()
        .iter()
        .filter(|kind| kind.place != Place::Damage && kind.criterion == criterion)
        .collect();
    let exact: Vec<&'static Kind> = matching
        .iter()
        .copied()
        .filter(|kind| kind.severity == severity)
        .collect();
    dice.one_of(if exact.is_empty() { &matching } else { &exact })
}

/// A text of some kind, and the truth about it.
pub(crate) struct Subject<'a> {
    pub(crate) craft: &'a dyn Craft,
    pub(crate) profile: &'static dyn Profile,
    pub(crate) scale: Scale,
}

impl<'a> Subject<'a> {
    /// The scale of an order. `None` where there is no such profile.
    pub(crate) fn of(craft: &'a dyn Craft, seed: u64, order: usize) -> Option<Self> {
        let profile = registry::profile(craft.profile_name())?;
        let (least, most) = craft.base();
        let base = profile
            .rubric()
            .criteria
            .iter()
            .map(|criterion| {
                let name = [
                    "base",
                    craft.profile_name(),
                    &order.to_string(),
                    &criterion.name,
                ];
                least + (most - least) * Dice::new(seed, &name).share()
            })
            .collect();
        Some(Self {
            craft,
            profile,
            scale: Scale {
                base,
                costs: craft.costs(),
            },
        })
    }

    /// The truth about a text.
    pub(crate) fn truth(&self, text: &str) -> Truth {
        self.scale
            .truth(self.profile.rubric(), &defects(self.craft.kinds(), text))
    }
}
