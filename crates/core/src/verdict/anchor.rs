//! Looking up what a judge quotes (ruling 26), and the part it names.

use crate::content::Document;
use crate::span::ComponentId;

use super::Anchored;

/// Whether a quote is in the text, and the part that it stands in.
pub(crate) fn look_up(document: &Document, quote: &str) -> (Anchored, Option<ComponentId>) {
    for field in document.texts() {
        if let Some(at) = field.text.find(quote) {
            let component = document.component_in(field, at..at + quote.len());
            return (Anchored::Exact, Some(component.id.clone()));
        }
    }
    let wanted = normalised(quote);
    if wanted.is_empty() {
        return (Anchored::NotQuoted, None);
    }
    for field in document.texts() {
        if normalised(&field.text).contains(&wanted) {
            let component = document
                .components()
                .get(field.component)
                .map(|component| component.id.clone());
            // In a Markdown lesson the field is the whole text.
            return (
                Anchored::Normalised,
                component.filter(|_| !field.path.is_empty()),
            );
        }
    }
    (Anchored::Unanchored, None)
}

/// Letters and digits in lower case, anything else as a single space: models
/// straighten quotation marks, drop emphasis and join lines.
fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.trim().to_owned()
}

/// The component that a judge names: by its id, by its title, or by the id at the
/// start of a longer description (`sec_2, paragraph 3`).
pub(crate) fn component(document: &Document, named: &str) -> Option<ComponentId> {
    let named = named.trim();
    let by_id = |id: &str| {
        document
            .components()
            .iter()
            .find(|component| component.id.0 == id)
            .map(|component| component.id.clone())
    };
    by_id(named)
        .or_else(|| by_id(named.split([',', ' ', ':', '#']).next().unwrap_or_default()))
        .or_else(|| {
            let wanted = normalised(named);
            document
                .components()
                .iter()
                .find(|component| {
                    component
                        .title
                        .as_deref()
                        .is_some_and(|title| !wanted.is_empty() && normalised(title) == wanted)
                })
                .map(|component| component.id.clone())
        })
}
