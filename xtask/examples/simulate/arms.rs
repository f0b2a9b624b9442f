//! What is done with a document: redraft as it is in either mode, writing the
//! whole again instead, and redraft with one rule changed.

use redraft_gate::score::Score;
use redraft_run::ask::Role;
use redraft_run::policy::{AtTheEnd, Mode};

use crate::craft::Subject;
use crate::play::Desk;

/// Whose texts are simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Genre {
    Lessons,
    Cards,
    Items,
}

/// Redraft as it is.
pub(crate) fn as_it_is(genre: Genre, subject: &Subject<'_>, mode: Mode) -> Desk {
    let mut policy = subject.profile.decision(mode).clone();
    // What solving costs is measured apart from judging and repair.
    policy.solve = false;
    Desk {
        mode,
        policy,
        roles: roles(genre),
    }
}

/// The whole is written again until the same judges accept it. The machine is the
/// same; only repair is taken from it, and budgets and time do not bind.
pub(crate) fn written_again(genre: Genre, subject: &Subject<'_>, mode: Mode) -> Desk {
    let mut desk = as_it_is(genre, subject, mode);
    desk.roles.retain(|role| {
        !matches!(
            role,
            Role::Patcher | Role::SectionExpander | Role::DeltaJudge
        )
    });
    let policy = &mut desk.policy;
    // Whatever is not accepted is written again. Where a cascade judges, the line
    // has to be the accept threshold itself, so that no panel is asked for more.
    policy.redo_below = match genre {
        Genre::Lessons => policy.accept,
        Genre::Cards | Genre::Items => Score::ONE,
    };
    policy.repair.critical_share = 0;
    policy.repair.structure = None;
    policy.repair.iterations = MOST_WRITINGS;
    policy.repair.whole_regenerations = MOST_WRITINGS;
    policy.repair.converged_below = Score::from_thousandths(0).unwrap_or(policy.accept);
    policy.at_the_end = AtTheEnd::BestEffort;
    policy.writing_tokens = 10_000_000;
    policy.seconds = 1_000_000;
    desk
}

/// How often a text is written again, at most.
pub(crate) const MOST_WRITINGS: u32 = 9;

fn roles(genre: Genre) -> Vec<Role> {
    let repairers = [Role::Patcher, Role::SectionExpander, Role::DeltaJudge];
    let others: &[Role] = match genre {
        Genre::Lessons => &[
            Role::SelfReviewer,
            Role::JudgePrimary,
            Role::JudgeSecondary,
            Role::JudgeTiebreaker,
            Role::Planner,
            Role::Expander,
            Role::Smoother,
        ],
        // Seeds 000 and 004 know one judge. The others are asked where it is not sure
        // (ruling 64).
        Genre::Cards | Genre::Items => &[
            Role::JudgeSecondary,
            Role::JudgePrimary,
            Role::JudgeTiebreaker,
            Role::Author,
        ],
    };
    others.iter().copied().chain(repairers).collect()
}
