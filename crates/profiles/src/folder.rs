//! What stands in the files of a profile's folder, read once: its checks beside the
//! shared ones, the figures of its policy, how it decides, its rubric. It knows no
//! profile; prompts are another module's.

use std::sync::OnceLock;

use redraft_gate::check::Check;
use redraft_gate::policy::Parameters;
use redraft_run::policy::{Mode, Policy};
use redraft_run::rubric::Rubric;

use crate::policy_file::{self, Decisions};
use crate::{rubric_file, shared};

/// The files of a profile.
#[derive(Debug)]
pub(crate) struct Folder {
    own_checks: &'static [&'static Check],
    policy: &'static str,
    rubric: &'static str,
    read_checks: OnceLock<Vec<&'static Check>>,
    read_parameters: OnceLock<Parameters>,
    read_decisions: OnceLock<Decisions>,
    read_rubric: OnceLock<Rubric>,
}

impl Folder {
    /// A folder with these checks, and the texts of `policy.toml` and `rubric.toml`.
    pub(crate) const fn new(
        own_checks: &'static [&'static Check],
        policy: &'static str,
        rubric: &'static str,
    ) -> Self {
        Self {
            own_checks,
            policy,
            rubric,
            read_checks: OnceLock::new(),
            read_parameters: OnceLock::new(),
            read_decisions: OnceLock::new(),
            read_rubric: OnceLock::new(),
        }
    }

    /// The shared checks and its own, by code.
    pub(crate) fn checks(&self) -> &[&'static Check] {
        self.read_checks
            .get_or_init(|| shared::with(self.own_checks))
    }

    /// The figures of its policy, over the shared ones.
    pub(crate) fn parameters(&self) -> &Parameters {
        self.read_parameters
            .get_or_init(|| policy_file::over_shared(self.policy))
    }

    /// How a judged text is decided on.
    pub(crate) fn decision(&self, mode: Mode) -> &Policy {
        self.read_decisions
            .get_or_init(|| Decisions::of_program(self.policy))
            .of(mode)
    }

    /// What judges are asked.
    pub(crate) fn rubric(&self) -> &Rubric {
        self.read_rubric
            .get_or_init(|| rubric_file::built_in(self.rubric))
    }
}
