//! Codes that an entry of a scheme of work asks for and a template lacks: found and
//! reported in the same way for outcomes and for assessment standards.

use redraft_gate::check::Sink;
use redraft_gate::finding::Severity;
use redraft_gate::score::Cap;

use super::model::Template;
use super::scheme::{Matched, same_code};
use super::wording::{listed, quoted};

/// The codes in `asked` that the template does not name.
pub(crate) fn missing<'a>(template: &Template, asked: &'a [String]) -> Vec<&'a str> {
    asked
        .iter()
        .map(String::as_str)
        .filter(|code| !template.codes().any(|own| same_code(&own.value, code)))
        .collect()
}

/// Reports missing codes at the list where they belong. If the entry is only a
/// likely match, this is a warning and not critical.
pub(crate) fn report_missing(
    template: &Template,
    matched: Matched<'_>,
    missing: &[&str],
    caps: &[Cap],
    sink: &mut Sink<'_>,
) {
    let own: Vec<&str> = template.codes().map(|code| code.value.as_str()).collect();
    let has = if own.is_empty() {
        "outcomeRefs is empty".to_owned()
    } else {
        format!("outcomeRefs has {}", quoted(&own))
    };
    let them = if missing.len() == 1 { "it" } else { "them" };
    let cards = match planned_cards(template, matched, missing).as_slice() {
        [] if missing.len() == 1 => "make sure that a card covers it".to_owned(),
        [] => "make sure that cards cover them".to_owned(),
        [card] => format!("make sure that card {card} covers {them}, as the scheme plans"),
        several => format!(
            "make sure that cards {} cover {them}, as the scheme plans",
            listed(several)
        ),
    };
    let message = format!(
        "{has}, but {} also asks for {}; add {them} to outcomeRefs and {cards}",
        matched.name(),
        quoted(missing)
    );
    let range = template.outcomes.range.clone();
    let finding = sink.in_source(range.unwrap_or_else(|| template.anchor()), message);
    finding.caps(caps);
    if !matched.certain {
        finding.severity(Severity::Warning).critical = false;
    }
}

/// The cards planned for these codes, if the lesson has as many cards as the plan.
fn planned_cards(template: &Template, matched: Matched<'_>, codes: &[&str]) -> Vec<String> {
    let planned = &matched.entry.cards;
    if planned.len() != template.cards.len() {
        return Vec::new();
    }
    planned
        .iter()
        .zip(1..)
        .filter(|(card, _)| {
            let mut standards = card.standards.iter();
            standards.any(|standard| codes.iter().any(|code| same_code(code, standard)))
        })
        .map(|(_, number): (_, usize)| number.to_string())
        .collect()
}
