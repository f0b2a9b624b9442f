//! The same figures over several seeds, pooled: what the goals are measured by. Each
//! kind of content is played as it is, and with the two kinds of judges that are
//! hardest on it.

use anyhow::{Context as _, Result};
use redraft_profiles::registry;
use redraft_run::policy::Mode;

use crate::ablate::{self, AS_IT_IS, NOISY_JUDGES, STRICT_CHEAP_JUDGE, Variant};
use crate::goals;
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
}

impl Pool<'_> {
    /// The figures of every variant, and why texts were not accepted.
    pub(crate) fn play(&self) -> Result<(Grid, Vec<Section>)> {
        let first = self.worlds.first().context("there is no seed")?;
        let profile = registry::profile(first.craft.profile_name());
        let policy = profile.context("there is no such profile")?;
        let policy = policy.decision(self.mode);
        let (mut rows, mut reasons) = (Vec::new(), Vec::new());
        for variant in VARIANTS {
            eprintln!("{}: {}", self.title, variant.name);
            let records = self.records(variant)?;
            rows.push((variant.name, goals::row(&records, policy)));
            let unaccepted = records.iter().filter(|record| !record.is_accepted());
            reasons.push(Section {
                title: format!("{}, {}: why it was not accepted", self.title, variant.name),
                lines: shares(unaccepted.map(|record| goals::reason(record.because.as_ref()))),
            });
        }
        let grid = Grid {
            title: self.title.clone(),
            columns: goals::COLUMNS,
            rows,
        };
        Ok((grid, reasons))
    }

    fn records(&self, variant: &Variant) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        for world in &self.worlds {
            records.extend(ablate::played(world, self.documents, self.mode, variant)?);
        }
        Ok(records)
    }
}
