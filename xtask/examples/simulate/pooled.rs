//! The same figures over several seeds, pooled: what the goals are measured by. Each
//! kind of content is played as it is, and with the two kinds of judges that are
//! hardest on it.

use anyhow::{Context as _, Result};
use redraft_profiles::registry;
use redraft_run::policy::Mode;

use crate::ablate::{self, AS_IT_IS, NOISY_JUDGES, STRICT_CHEAP_JUDGE, Variant};
use crate::arms;
use crate::goals;
use crate::money;
use crate::play::Record;
use crate::report::{Grid, Section, shares};
use crate::trial::World;

/// Those that are compared.
const VARIANTS: [&Variant; 3] = [&AS_IT_IS, &NOISY_JUDGES, &STRICT_CHEAP_JUDGE];

/// One kind of content in one mode, over the worlds of several seeds.
pub(crate) struct Pool<'a> {
    pub(crate) title: String,
    pub(crate) worlds: Vec<World<'a>>,
    /// How many of each world.
    pub(crate) documents: usize,
    pub(crate) mode: Mode,
    /// What repair may cost at most, of writing again until accepted.
    pub(crate) most: f64,
}

/// What a pool comes to.
pub(crate) struct Pooled {
    pub(crate) grids: Vec<Grid>,
    pub(crate) sections: Vec<Section>,
}

impl Pool<'_> {
    /// The figures of every variant, and why texts were not accepted.
    pub(crate) fn play(&self) -> Result<Pooled> {
        let first = self.worlds.first().context("there is no seed")?;
        let profile = registry::profile(first.craft.profile_name());
        let policy = profile.context("there is no such profile")?;
        let policy = policy.decision(self.mode);
        let (mut rows, mut sections) = (Vec::new(), Vec::new());
        let mut money = None;
        for variant in VARIANTS {
            eprintln!("{}: {}", self.title, variant.name);
            let records = self.records(variant)?;
            if money.is_none() {
                money = Some(self.money(&records)?);
            }
            rows.push((variant.name, goals::row(&records, policy)));
            let unaccepted = records.iter().filter(|record| !record.is_accepted());
            sections.push(Section {
                title: format!("{}, {}: why it was not accepted", self.title, variant.name),
                lines: shares(unaccepted.map(|record| goals::reason(record.because.as_ref()))),
            });
            let rolled_back = records.iter().flat_map(|record| record.rolled_back.clone());
            sections.push(Section {
                title: format!(
                    "{}, {}: why repairs were rolled back",
                    self.title, variant.name
                ),
                lines: shares(rolled_back),
            });
        }
        let grid = Grid {
            title: self.title.clone(),
            columns: goals::COLUMNS,
            rows,
        };
        let mut pooled = money.context("there is no variant")?;
        pooled.grids.insert(0, grid);
        pooled.sections.extend(sections);
        Ok(pooled)
    }

    /// The money of redraft as it is, beside that of writing the whole again.
    fn money(&self, ours: &[Record]) -> Result<Pooled> {
        eprintln!("{}: written again", self.title);
        let mut theirs = Vec::new();
        for world in &self.worlds {
            theirs.extend(world.play_all(self.documents, &|genre, subject| {
                arms::written_again(genre, subject, self.mode)
            })?);
        }
        let (repaired, rewritten): (Vec<&Record>, Vec<&Record>) = ours
            .iter()
            .zip(&theirs)
            .filter(|(ours, _)| ours.rounds > 0)
            .unzip();
        let title = |what: &str| format!("{}: where the money of {what} goes", self.title);
        Ok(Pooled {
            grids: vec![
                money::spent_on(&title("repaired documents"), &repaired),
                money::spent_on(&title("the same, written again"), &rewritten),
            ],
            sections: vec![money::section(&self.title, ours, &theirs, self.most)],
        })
    }

    fn records(&self, variant: &Variant) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        for world in &self.worlds {
            records.extend(ablate::played(world, self.documents, self.mode, variant)?);
        }
        Ok(records)
    }
}
