//! What a call was made for: the lines of "where the money goes".

use redraft_run::ask::{Ask, Budget, Role};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Review,
    FirstJudge,
    FirstPanel,
    Repair,
    Expand,
    Verify,
    NextJudge,
    NextPanel,
    Confirm,
    Guard,
    Other,
    Writing,
}

impl Purpose {
    pub(crate) const ALL: [Self; 12] = [
        Self::Review,
        Self::FirstJudge,
        Self::FirstPanel,
        Self::Repair,
        Self::Expand,
        Self::Verify,
        Self::NextJudge,
        Self::NextPanel,
        Self::Confirm,
        Self::Guard,
        Self::Other,
        Self::Writing,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Review => "self-review",
            Self::FirstJudge => "first version: the cheap judge",
            Self::FirstPanel => "first version: other judges",
            Self::Repair => "repair: edits",
            Self::Expand => "repair: components written again",
            Self::Verify => "verification",
            Self::NextJudge => "later versions: the cheap judge",
            Self::NextPanel => "later versions: other judges",
            Self::Confirm => "confirmation by the panel",
            Self::Guard => "second opinions on a fall",
            Self::Other => "mixed versions and comparisons",
            Self::Writing => "writing",
        }
    }

    pub(crate) fn of(ask: &Ask) -> Self {
        let id = &ask.id.0;
        let has = |part: &str| id.contains(part);
        match ask.role {
            Role::SelfReviewer => Self::Review,
            Role::DeltaJudge => Self::Verify,
            Role::SectionExpander => Self::Expand,
            role if !role.is_judge() => match role.budget() {
                Budget::Judging | Budget::Repair => Self::Repair,
                Budget::Writing => Self::Writing,
            },
            _ if has("/confirm/") => Self::Confirm,
            _ if has("/guard/") => Self::Guard,
            _ if has("/mixed/") || has("/compare/") => Self::Other,
            Role::JudgeSecondary if id.starts_with("i0/") => Self::FirstJudge,
            _ if id.starts_with("i0/") => Self::FirstPanel,
            Role::JudgeSecondary => Self::NextJudge,
            _ => Self::NextPanel,
        }
    }
}
