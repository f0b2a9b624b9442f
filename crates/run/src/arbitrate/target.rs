//! Decides which component is repaired for an issue.
//!
//! | the issue names | the rubric's target | the component |
//! |---|---|---|
//! | a component | – | that component |
//! | an item as a whole | stem, options … | that component of the item |
//! | nothing | none | the whole document |
//! | nothing | `meta`, `stem` … | that component, if there is only one |
//! | nothing | `card` | the only card, else the whole document |
//! | nothing, or an item, but it mentions the explanation | vignette | the explanation (ruling 20) |
//! | nothing, or an item | vignette, but the item has none | the stem, which then contains the case |

use redraft_text::words::words;

use crate::rubric::Rubric;
use crate::verdict::Issue;
use redraft_gate::content::{Component, ComponentKind, Document};
use redraft_gate::span::ComponentId;

pub(super) fn of(issue: &Issue, rubric: &Rubric, document: &Document) -> ComponentId {
    let components = document.components();
    let index = components
        .iter()
        .position(|component| component.id == issue.location)
        .unwrap_or(0);
    let Some(named) = components.get(index) else {
        return ComponentId::whole();
    };
    let leaves_open = matches!(named.kind, ComponentKind::Whole | ComponentKind::Item);
    let wanted = rubric
        .criterion(&issue.criterion)
        .and_then(|criterion| criterion.repair.target.as_deref())
        .filter(|_| leaves_open);
    let Some(wanted) = wanted else {
        return named.id.clone();
    };
    let inside = |is_it: &dyn Fn(&Component) -> bool| {
        let mut found = components.iter().filter(|component| {
            is_it(component)
                && component.parent.is_some()
                && named.range.start <= component.range.start
                && component.range.end <= named.range.end
        });
        let first = found.next()?;
        found.next().is_none().then(|| first.id.clone())
    };
    let kind = |kind: ComponentKind| inside(&|component| component.kind == kind);
    let explained = (wanted == "vignette" && speaks_of_explanation(issue))
        .then(|| kind(ComponentKind::Explanation))
        .flatten();
    explained
        .or_else(|| inside(&|component| last_name(&component.id) == wanted))
        .or_else(|| kind_called(wanted).and_then(kind))
        .or_else(|| {
            (wanted == "vignette")
                .then(|| kind(ComponentKind::Stem))
                .flatten()
        })
        .unwrap_or_else(|| named.id.clone())
}

/// The last segment of an id: `stem` of `item_4/stem`.
fn last_name(id: &ComponentId) -> &str {
    id.0.rsplit('/').next().unwrap_or_default()
}

fn kind_called(name: &str) -> Option<ComponentKind> {
    Some(match name {
        "card" => ComponentKind::Card,
        "meta" => ComponentKind::Meta,
        "vignette" => ComponentKind::Vignette,
        "stem" => ComponentKind::Stem,
        "options" => ComponentKind::Options,
        "explanation" => ComponentKind::Explanation,
        _ => return None,
    })
}

fn speaks_of_explanation(issue: &Issue) -> bool {
    const NAMES: &[&str] = &[
        "explanation",
        "rationale",
        "объяснени",
        "пояснени",
        "обосновани",
        "erklärung",
        "begründung",
        "explicación",
        "explication",
    ];
    let text = format!("{} {}", issue.description, issue.suggested_fix).to_lowercase();
    words(&text).any(|(_, word)| NAMES.iter().any(|name| word.starts_with(name)))
        || text.contains("解析")
        || text.contains("解释部分")
}
