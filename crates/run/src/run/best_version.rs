//! Selects the best version of a text so far.
//!
//! | two versions | the better one |
//! |---|---|
//! | have a judge in common | scores higher by the common judges (ruling 53) |
//! | … and score the same | has fewer open issues, then has verified repairs, then is the earlier (rulings 39, 71) |
//! | have no judge in common | the judges of one are asked about the other; if that fails, the later is taken and never accepted |

use std::cmp::Reverse;

use super::context::Context;
use super::judgements::Judgements;
use super::judging::{Subject, ask_judges};
use super::progress::Attempt;
use super::state::State;
use super::text::Text;
use crate::prompt::PromptError;

/// The best version so far, as far as the scores can be compared.
pub(super) fn best(state: &State) -> Option<&Attempt> {
    let judgements = &state.judgements;
    state
        .progress
        .candidates()
        .reduce(|best, next| match is_better(judgements, next, best) {
            Some(false) => best,
            Some(true) | None => next,
        })
}

/// Whether a later version is better than an earlier one. `None` if no judge has scored both.
fn is_better(judgements: &Judgements, later: &Attempt, earlier: &Attempt) -> Option<bool> {
    let (now, before) = judgements.compared(&later.text, &earlier.text)?;
    let rank = |attempt: &Attempt| {
        let fewer_issues = Reverse(attempt.issues.len());
        // Repairs were verified one by one; a rewritten text was not.
        let is_repaired = attempt.round > 0 && attempt.lineage == 0;
        (fewer_issues, is_repaired)
    };
    Some((now, rank(later)) > (before, rank(earlier)))
}

/// Makes all versions comparable by asking the judges that they do not have in common. Returns the
/// best version.
pub(super) async fn settle(
    context: &Context,
    state: &mut State,
    current: &Text,
) -> Result<Text, PromptError> {
    let versions: Vec<Text> = state
        .progress
        .candidates()
        .map(|attempt| attempt.text.clone())
        .collect();
    for pair in versions.windows(2) {
        let [earlier, later] = pair else { continue };
        if state.judgements.compared(earlier, later).is_some() {
            continue;
        }
        let roles = state
            .judgements
            .panel(later.version())
            .map(super::panel::Panel::roles)
            .unwrap_or_default();
        let path = format!("{}/compare", state.progress.path());
        let subject = Subject {
            text: earlier,
            path: &path,
        };
        ask_judges(context, &mut state.judgements, subject, &roles).await?;
        state.remember(earlier, context.now());
        if state.judgements.compared(earlier, later).is_none() {
            let panel = state.judgements.panel_mut(later.version());
            panel.is_incomparable = true;
        }
    }
    let best = best(state);
    Ok(best.map_or_else(|| current.clone(), |best| best.text.clone()))
}
