//! The contents of a profile's folder, read once: its checks and the shared ones, the
//! parameters of its policy, how it decides, its rubric. It knows no profile; prompts are
//! in `prompts`.

use std::sync::OnceLock;

use redraft_gate::check::Check;
use redraft_gate::policy::Parameters;
use redraft_run::policy::{Mode, Policy};
use redraft_run::rubric::Rubric;

use crate::policy_file::{self, Decisions};
use crate::{rubric_file, shared};

#[derive(Debug)]
pub(crate) struct Folder {
    own_checks: &'static [&'static Check],
    more_checks: &'static [&'static Check],
    policy: &'static str,
    rubric: &'static str,
    read_checks: OnceLock<Vec<&'static Check>>,
    read_parameters: OnceLock<Parameters>,
    read_decisions: OnceLock<Decisions>,
    read_rubric: OnceLock<Rubric>,
}

impl Folder {
    /// `policy` and `rubric` are the texts of `policy.toml` and `rubric.toml`.
    pub(crate) const fn new(
        own_checks: &'static [&'static Check],
        policy: &'static str,
        rubric: &'static str,
    ) -> Self {
        Self {
            own_checks,
            more_checks: &[],
            policy,
            rubric,
            read_checks: OnceLock::new(),
            read_parameters: OnceLock::new(),
            read_decisions: OnceLock::new(),
            read_rubric: OnceLock::new(),
        }
    }

    /// Adds the checks of a profile that shares the rest of its checks with others.
    pub(crate) const fn and_checks(mut self, checks: &'static [&'static Check]) -> Self {
        self.more_checks = checks;
        self
    }

    /// The shared checks and its own, sorted by code.
    pub(crate) fn checks(&self) -> &[&'static Check] {
        self.read_checks
            .get_or_init(|| shared::with(&[self.own_checks, self.more_checks].concat()))
    }

    /// The check parameters of its policy, over the shared ones.
    pub(crate) fn parameters(&self) -> &Parameters {
        self.read_parameters
            .get_or_init(|| over_shared(self.policy))
    }

    /// How a judged text is decided on.
    pub(crate) fn decision(&self, mode: Mode) -> &Policy {
        self.read_decisions
            .get_or_init(|| Decisions::of_program(self.policy))
            .of(mode)
    }

    /// The criteria that judges score.
    pub(crate) fn rubric(&self) -> &Rubric {
        self.read_rubric
            .get_or_init(|| rubric_file::built_in(self.rubric))
    }
}

/// The parameters of a profile over the shared ones. The file is compiled into the
/// program; the conformance test reads it and fails where this would fall back.
fn over_shared(policy: &str) -> Parameters {
    let mut parameters = shared::parameters().clone();
    parameters.overlay(&policy_file::parameters(policy).unwrap_or_default());
    parameters
}
