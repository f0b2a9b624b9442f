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

    /// The weights of the criteria to three decimals, from which overall scores are
    /// computed; together they are 1.
    pub(super) fn weights(&self) -> BTreeMap<&str, Score> {
        let criteria = self.rubric.criteria.iter();
        let names = criteria.map(|criterion| criterion.name.as_str());
        let weights = self.rubric.weights().into_iter();
        names
            .zip(weights)
            .filter_map(|(name, weight)| {
                let weight = u16::try_from(weight).ok()?;
                Some((name, Score::from_thousandths(weight)?))
            })
            .collect()
    }
}
