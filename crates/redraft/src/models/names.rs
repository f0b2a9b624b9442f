//! What a table of `[roles]` may be called: a role, a group of roles, or a phase
//! of the pipeline that some users come from. It knows no model.
//!
//! | table | speaks for |
//! |---|---|
//! | a role | itself |
//! | `judge` | the three judges |
//! | `refinement` | patcher, section_expander, arbiter, delta_judge |
//! | `writing` | planner, expander, smoother, author |
//! | `default` | every role |
//! | `stage_6_NAME` | the role or group NAME (seed 003, 18.4) |
//! | `stage_6_rag_planning` | planner |
//!
//! The nearest table that says something wins: the role's own, then its group's,
//! then `default`; within each of them the choice for the language comes first.

use redraft_run::ask::Role;

/// Whom a table speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// One role.
    Role(Role),
    /// The three judges.
    Judge,
    /// Those who repair and those who look after them.
    Refinement,
    /// Those who write.
    Writing,
    /// Everybody.
    Default,
}

const GROUPS: [(&str, Named); 4] = [
    ("judge", Named::Judge),
    ("refinement", Named::Refinement),
    ("writing", Named::Writing),
    ("default", Named::Default),
];

impl Named {
    /// Whom a name means.
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

    /// Every name that can be written, but for those of phases.
    pub fn all() -> impl Iterator<Item = &'static str> + Clone {
        let groups = GROUPS.iter().map(|(name, _)| *name);
        Role::ALL.into_iter().map(Role::name).chain(groups)
    }

    /// Its own name.
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

    /// Those that speak for a role, the nearest first.
    #[must_use]
    pub fn speaking_for(role: Role) -> Vec<Self> {
        let group = match role {
            Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => Some(Self::Judge),
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

/// Those who give scores.
pub const JUDGES: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeSecondary,
    Role::JudgeTiebreaker,
];

/// Those whose whole sections a judge then reads (ruling 24). A patcher changes
/// passages of somebody else's text and is none of them.
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
    fn roles_groups_and_phases_are_known_by_their_names() {
        for (name, means) in [
            ("judge", Some(Named::Judge)),
            ("judge_primary", Some(Named::Role(Role::JudgePrimary))),
            ("stage_6_judge", Some(Named::Judge)),
            ("stage_6_refinement", Some(Named::Refinement)),
            ("stage_6_arbiter", Some(Named::Role(Role::Arbiter))),
            ("stage_6_patcher", Some(Named::Role(Role::Patcher))),
            (
                "stage_6_section_expander",
                Some(Named::Role(Role::SectionExpander)),
            ),
            ("stage_6_delta_judge", Some(Named::Role(Role::DeltaJudge))),
            ("stage_6_rag_planning", Some(Named::Role(Role::Planner))),
            ("default", Some(Named::Default)),
            ("stage_6_default", None),
            ("stage_7_judge", None),
            ("critic", None),
        ] {
            assert_eq!(Named::parse(name), means, "{name}");
        }
        for name in Named::all() {
            assert_eq!(Named::parse(name).map(Named::name), Some(name));
        }
    }

    #[test]
    fn every_role_listens_to_itself_its_group_and_the_default() {
        for (role, expected) in [
            (Role::SelfReviewer, &["self_reviewer", "default"][..]),
            (
                Role::JudgeTiebreaker,
                &["judge_tiebreaker", "judge", "default"],
            ),
            (Role::DeltaJudge, &["delta_judge", "refinement", "default"]),
            (Role::Planner, &["planner", "writing", "default"]),
        ] {
            let names: Vec<&str> = Named::speaking_for(role)
                .into_iter()
                .map(Named::name)
                .collect();
            assert_eq!(names, expected);
        }
    }
}
