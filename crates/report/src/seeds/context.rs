//! What the seed shapes are made from besides the outcome: the original text, the
//! rubric and the policy.

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_gate::content::{Component, ComponentKind};
use redraft_gate::fix::Inspected;
use redraft_gate::inspect::Inspect;
use redraft_gate::review;
use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;
use redraft_run::outcome::Outcome;
use redraft_run::policy::{Mode, Policy};
use redraft_run::rubric::Rubric;
use redraft_run::setup::Setup;

/// What the shapes need besides the outcome: the original text and the rules.
#[derive(Clone, Debug)]
pub struct SeedContext {
    pub(super) inspected: Arc<Inspected>,
    inspector: Arc<dyn Inspect>,
    pub(super) rubric: Rubric,
    pub(super) policy: Policy,
    pub(super) mode: Mode,
    /// The text after its safe fixes, if the self-review applied any.
    pub(super) patched: Option<String>,
}

impl SeedContext {
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let patched = (setup.self_review.status == review::Status::Fixed)
            .then(|| {
                let bytes = setup.inspected.document.source().bytes().to_vec();
                let fixed = setup.inspector.fix(bytes).ok()?;
                Some(fixed.inspected.document.source().text().to_owned())
            })
            .flatten();
        Self {
            inspected: Arc::clone(&setup.inspected),
            inspector: Arc::clone(&setup.inspector),
            rubric: setup.rubric.clone(),
            policy: setup.policy.clone(),
            mode: setup.mode,
            patched,
        }
    }

    /// The same for an outcome: if there was no original text, components are named
    /// after the text that was written.
    pub(super) fn under(&self, outcome: &Outcome) -> Self {
        let mut context = self.clone();
        let has_original = !self.inspected.document.source().bytes().is_empty();
        if let (false, Some(written)) = (has_original, &outcome.final_content) {
            context.inspected = Arc::new(self.inspector.inspect(written.clone()));
        }
        context
    }

    /// How a reader names a component: `Card 3`, `Section “Heat”`.
    pub(super) fn component_name(&self, id: &ComponentId) -> String {
        let components = self.inspected.document.components();
        let Some(mut at) = components.iter().position(|component| component.id == *id) else {
            return id.to_string();
        };
        // A component of a card is named after its card.
        while let Some(parent) = components[at].parent {
            if components[parent].kind != ComponentKind::Card {
                break;
            }
            at = parent;
        }
        let Component { kind, title, .. } = &components[at];
        match kind {
            ComponentKind::Whole => "The whole text".to_owned(),
            ComponentKind::Meta => "Lesson".to_owned(),
            ComponentKind::Card => {
                let number = components[..=at]
                    .iter()
                    .filter(|component| component.kind == ComponentKind::Card)
                    .count();
                format!("Card {number}")
            }
            _ => match title {
                Some(title) => format!("{id} “{title}”"),
                None => id.to_string(),
            },
        }
    }

    /// The position of a component in the text.
    pub(super) fn position(&self, id: &ComponentId) -> usize {
        let components = self.inspected.document.components();
        components
            .iter()
            .position(|component| component.id == *id)
            .unwrap_or(components.len())
    }

    /// The weights of the criteria, divided by their sum, to three decimals. They add up to
    /// exactly 1: what rounding down leaves goes to those that lost most by it.
    pub(super) fn weights(&self) -> BTreeMap<&str, Score> {
        let criteria = &self.rubric.criteria;
        let shares = thousandths(criteria.iter().map(|criterion| criterion.weight).collect());
        let names = criteria.iter().map(|criterion| criterion.name.as_str());
        names
            .zip(shares)
            .filter_map(|(name, share)| Some((name, Score::from_thousandths(share)?)))
            .collect()
    }
}

/// Shares of a thousand by weight, by the largest remainder; the first of two alike.
fn thousandths(weights: Vec<u32>) -> Vec<u16> {
    const ALL: u64 = 1_000;
    let sum: u64 = weights.iter().copied().map(u64::from).sum();
    if sum == 0 {
        return Vec::new();
    }
    let scaled: Vec<u64> = weights
        .iter()
        .map(|weight| u64::from(*weight) * ALL)
        .collect();
    let mut shares: Vec<u64> = scaled.iter().map(|weight| weight / sum).collect();
    let mut order: Vec<usize> = (0..scaled.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(scaled.get(*index).map_or(0, |one| one % sum)));
    let left = ALL.saturating_sub(shares.iter().sum());
    for index in order.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        if let Some(share) = shares.get_mut(index) {
            *share += 1;
        }
    }
    let shares = shares
        .into_iter()
        .map(|share| u16::try_from(share).unwrap_or(1_000));
    shares.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_weights_add_up_to_one() {
        for (weights, expected) in [
            (vec![1, 1, 1], vec![334, 333, 333]),
            (vec![1; 6], vec![167, 167, 167, 167, 166, 166]),
            (vec![300, 200, 200, 200, 100], vec![300, 200, 200, 200, 100]),
            (
                vec![20, 25, 20, 15, 10, 35],
                vec![160, 200, 160, 120, 80, 280],
            ),
            (vec![0, 7], vec![0, 1_000]),
            (vec![0, 0], vec![]),
        ] {
            let shares = thousandths(weights.clone());
            assert_eq!(shares, expected, "{weights:?}");
            let sum: u16 = shares.iter().sum();
            assert!(shares.is_empty() || sum == 1_000, "{weights:?}");
        }
    }
}
