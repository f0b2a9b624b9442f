//! Names of tables in `[roles]`: a role, a group of roles, or a phase name of seed
//! 003. It knows no model.
//!
//! | table | applies to |
//! |---|---|
//! | a role | that role |
//! | `judge` | the three judges and the solver |
//! | `refinement` | patcher, section_expander, arbiter, delta_judge |
//! | `writing` | planner, expander, smoother, author |
//! | `default` | every role |
//! | `stage_6_NAME` | the role or group NAME (seed 003, 18.4) |
//! | `stage_6_rag_planning` | planner |
//!
//! The most specific table that has a setting wins: the role's own, then its
//! group's, then `default`; within each of them the table for the language first.

use redraft_run::ask::Role;

/// What a table of `[roles]` applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoleTable {
    Role(Role),
    Judge,
    Refinement,
    Writing,
    Default,
}

const GROUPS: [(&str, RoleTable); 4] = [
    ("judge", RoleTable::Judge),
    ("refinement", RoleTable::Refinement),
    ("writing", RoleTable::Writing),
    ("default", RoleTable::Default),
];

impl RoleTable {
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let plain = match name.strip_prefix("stage_6_") {
            Some("rag_planning") => return Some(Self::Role(Role::Planner)),
            Some("default") => return None,
            Some(phase) => phase,
            None => name,
        };
        let group = GROUPS.iter().find(|(group, _)| *group == plain);
        group
            .map(|(_, group)| *group)
            .or_else(|| Role::parse(plain).map(Self::Role))
    }

    /// All names except those of phases.
    pub fn all() -> impl Iterator<Item = &'static str> + Clone {
        let groups = GROUPS.iter().map(|(name, _)| *name);
        Role::ALL.into_iter().map(Role::name).chain(groups)
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Role(role) => role.name(),
            group => GROUPS
                .iter()
                .find(|(_, other)| *other == group)
                .map_or("default", |(name, _)| name),
        }
    }

    /// The tables that apply to a role, the most specific first.
    #[must_use]
    pub fn applying_to(role: Role) -> Vec<Self> {
        let group = match role {
            Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker | Role::Solver => {
                Some(Self::Judge)
            }
            Role::Arbiter | Role::Patcher | Role::SectionExpander | Role::DeltaJudge => {
                Some(Self::Refinement)
            }
            Role::Planner | Role::Expander | Role::Smoother | Role::Author => Some(Self::Writing),
            Role::SelfReviewer => None,
        };
        [Some(Self::Role(role)), group, Some(Self::Default)]
            .into_iter()
            .flatten()
            .collect()
    }
}

pub const JUDGES: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeSecondary,
    Role::JudgeTiebreaker,
];

/// Roles that write whole sections, which a judge then reads (ruling 24). A patcher
/// only edits passages.
pub const WRITERS: [Role; 4] = [
    Role::SectionExpander,
    Role::Expander,
    Role::Smoother,
    Role::Author,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_groups_and_phases_are_parsed() {
        for (name, means) in [
            ("judge", Some(RoleTable::Judge)),
            ("judge_primary", Some(RoleTable::Role(Role::JudgePrimary))),
            ("stage_6_judge", Some(RoleTable::Judge)),
            ("stage_6_refinement", Some(RoleTable::Refinement)),
            ("stage_6_arbiter", Some(RoleTable::Role(Role::Arbiter))),
            ("stage_6_patcher", Some(RoleTable::Role(Role::Patcher))),
            (
                "stage_6_section_expander",
                Some(RoleTable::Role(Role::SectionExpander)),
            ),
            (
                "stage_6_delta_judge",
                Some(RoleTable::Role(Role::DeltaJudge)),
            ),
            ("stage_6_rag_planning", Some(RoleTable::Role(Role::Planner))),
            ("default", Some(RoleTable::Default)),
            ("stage_6_default", None),
            ("stage_7_judge", None),
            ("critic", None),
        ] {
            assert_eq!(RoleTable::parse(name), means, "{name}");
        }
        for name in RoleTable::all() {
            assert_eq!(RoleTable::parse(name).map(RoleTable::name), Some(name));
        }
    }

    #[test]
    fn a_role_uses_its_own_table_its_groups_and_the_default() {
        for (role, expected) in [
            (Role::SelfReviewer, &["self_reviewer", "default"][..]),
            (
                Role::JudgeTiebreaker,
                &["judge_tiebreaker", "judge", "default"],
            ),
            (Role::DeltaJudge, &["delta_judge", "refinement", "default"]),
            (Role::Planner, &["planner", "writing", "default"]),
        ] {
            let names: Vec<&str> = RoleTable::applying_to(role)
                .into_iter()
                .map(RoleTable::name)
                .collect();
            assert_eq!(names, expected);
        }
    }
}
