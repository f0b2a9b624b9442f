//! An institution's threshold and weights for multiple-choice items (seed 004). They
//! override the profile's policy and rubric.

use redraft_gate::profile::GateProfile as _;
use std::collections::BTreeMap;

use redraft_gate::score::Score;
use redraft_profiles::clinical_mcq::CLINICAL_MCQ;
use redraft_profiles::items::profile::ItemProfile;
use redraft_profiles::mcq::MCQ;
use redraft_run::policy::Policy;
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;

use super::InstitutionSection;
use super::error::ConfigError;
use super::located::Source;
use super::suggest::suggestion;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Institution {
    threshold: Option<Score>,
    /// In thousandths, as in a rubric.
    weights: BTreeMap<String, u32>,
}

impl Institution {
    pub(super) fn of(section: &InstitutionSection, source: &Source) -> Result<Self, ConfigError> {
        let threshold = section
            .threshold
            .as_ref()
            .map(|written| {
                Score::parse(&format!("{:.4}", **written)).ok_or_else(|| {
                    let message = "\"threshold\" must be between 0 and 1, for example 0.75";
                    source.error(written, message)
                })
            })
            .transpose()?;
        let mut weights = BTreeMap::new();
        for (name, written) in &section.weights {
            let is_known = ITEMS
                .iter()
                .any(|profile| profile.rubric().criterion(name).is_some());
            if !is_known {
                return Err(source.error(written, unknown(name)));
            }
            let weight = thousandths(**written).ok_or_else(|| {
                let message = format!(
                    "the weight of \"{name}\" must be between 0 and 1000, for example 0.25"
                );
                source.error(written, message)
            })?;
            weights.insert(name.clone(), weight);
        }
        let institution = Self { threshold, weights };
        let weighs_nothing = |profile: &&ItemProfile| {
            let mut weighed = profile.rubric().clone();
            institution.weigh(*profile, &mut weighed);
            weighed
                .criteria
                .iter()
                .all(|criterion| criterion.weight == 0)
        };
        if ITEMS.iter().any(weighs_nothing) {
            let line = section.weights.values().map(|weight| source.line(weight));
            return Err(source.error_on(
                line.min(),
                "all weights are 0; give at least one criterion a weight above 0",
            ));
        }
        Ok(institution)
    }

    /// Overrides the threshold of the policy for items.
    pub fn decide(&self, profile: &dyn Profile, policy: &mut Policy) {
        if let Some(threshold) = self.threshold.filter(|_| concerns(profile)) {
            policy.accept = threshold;
        }
    }

    /// Overrides the weights of the rubric for items.
    pub fn weigh(&self, profile: &dyn Profile, rubric: &mut Rubric) {
        if !concerns(profile) {
            return;
        }
        for criterion in &mut rubric.criteria {
            if let Some(weight) = self.weights.get(&criterion.name) {
                criterion.weight = *weight;
            }
        }
    }
}

/// The profiles of items.
static ITEMS: [&ItemProfile; 2] = [&CLINICAL_MCQ, &MCQ];

fn concerns(profile: &dyn Profile) -> bool {
    ITEMS.iter().any(|items| items.id() == profile.id())
}

fn unknown(name: &str) -> String {
    let criteria = ITEMS.iter().flat_map(|profile| &profile.rubric().criteria);
    let names = criteria.map(|criterion| criterion.name.as_str());
    format!("unknown criterion \"{name}\"; {}", suggestion(name, names))
}

/// A weight in thousandths; `None` if it is out of range.
fn thousandths(written: f64) -> Option<u32> {
    const MOST: f64 = 1000.0;
    if !(0.0..=MOST).contains(&written) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and a million"
    )]
    Some((written * 1000.0).round() as u32)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use redraft_profiles::registry;
    use redraft_run::policy::Mode;

    use crate::config::Config;

    #[test]
    fn threshold_and_weights_apply_to_items_alone() {
        let text = "[institution]\nthreshold = 0.75\n[institution.weights]\nclinical_accuracy = 0.5\nblooms_match = 0\nclarity = 0.1\n";
        let config = Config::parse(text, Path::new("redraft.toml")).unwrap();
        for profile in registry::PROFILES {
            let mut policy = profile.decision(Mode::FullAuto).clone();
            let mut rubric = profile.rubric().clone();
            config.institution().decide(*profile, &mut policy);
            config.institution().weigh(*profile, &mut rubric);
            let weights: Vec<u32> = rubric.criteria.iter().map(|one| one.weight).collect();
            if profile.id().0 == "clinical-mcq" {
                assert_eq!(policy.accept.thousandths(), 750);
                assert_eq!(weights, [500, 200, 200, 200, 0]);
            } else if profile.id().0 == "mcq" {
                assert_eq!(policy.accept.thousandths(), 750);
                assert_eq!(weights, [200, 100, 200, 200, 200]);
            } else {
                assert_eq!(&policy, profile.decision(Mode::FullAuto));
                assert_eq!(&rubric, profile.rubric());
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            (
                "[institution]\n\nthreshold = 75\n",
                "redraft.toml:3: \"threshold\" must be between 0 and 1",
            ),
            (
                "[institution]\ntreshold = 0.7\n",
                "redraft.toml:2: unknown key \"treshold\" in [institution]; did you mean \"threshold\"?",
            ),
            (
                "[institution.weights]\nclinical_acuracy = 0.5\n",
                "redraft.toml:2: unknown criterion \"clinical_acuracy\"; did you mean \"clinical_accuracy\"?",
            ),
            (
                "[institution.weights]\nblooms_match = -1\n",
                "redraft.toml:2: the weight of \"blooms_match\" must be between 0 and 1000",
            ),
            (
                "[institution.weights]\nclinical_accuracy = 0\npedagogical_alignment = 0\ndistractor_quality = 0\nslo_coverage = 0\nblooms_match = 0\n",
                "redraft.toml:2: all weights are 0",
            ),
        ] {
            let error = Config::parse(text, Path::new("redraft.toml")).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
