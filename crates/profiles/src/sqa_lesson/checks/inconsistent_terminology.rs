//! `inconsistent-terminology`: two names for the same thing.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::COHERENCE_MINOR;
use crate::sqa_lesson::card_texts::{CardField, CardText, card_texts};
use crate::sqa_lesson::phrases::occurrences;
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA066",
    name: "inconsistent-terminology",
    severity: Severity::Warning,
    summary: "two names for the same thing",
    what: "Counts the names of things that have several (gradient and slope, anticlockwise and counterclockwise, standard form and scientific notation) in all texts of a template, and reports the first use of every name but the most frequent one. A sentence that gives both names, such as “the gradient, also called slope”, explains them, and then nothing is reported. Plain names next to technical ones (bottom number, denominator) are not in the table. Caps `coherence` at .90 (seed 000: terminology consistent across cards).",
    why: "A learner who meets a second name looks for a second thing.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "Find the gradient. The gradient is 2."}, {"id": "c2", "explainer": "Now find the slope of this line."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "Find the gradient. The gradient is 2."}, {"id": "c2", "explainer": "Now find the gradient of this line."}]}"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "terms",
        what: "names of one thing, separated by `|`, with the Scottish one first",
    }],
    caps: &[COHERENCE_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let texts: Vec<(CardText<'_>, Plain)> = card_texts(examination.document)
        .into_iter()
        // Learners' mistakes may be in their own words.
        .filter(|text| !matches!(text.card_field, CardField::Misconception | CardField::Distractor | CardField::Hook))
        .map(|text| (text, Plain::of(&text)))
        .collect();
    let lower: Vec<String> = texts.iter().map(|(_, plain)| plain.text().to_ascii_lowercase()).collect();
    for group in examination.texts("terms") {
        let names: Vec<&str> = group.split('|').map(str::trim).filter(|name| !name.is_empty()).collect();
        report(&texts, &lower, &names, sink);
    }
}

/// The uses of one name.
struct Uses<'n> {
    name: &'n str,
    count: usize,
    /// The index of the text with the first use, and its range in that text.
    first: Option<(usize, std::ops::Range<usize>)>,
}

fn report(texts: &[(CardText<'_>, Plain)], lower: &[String], names: &[&str], sink: &mut Sink<'_>) {
    let uses: Vec<Uses<'_>> = names
        .iter()
        .map(|name| {
            let mut uses = Uses { name, count: 0, first: None };
            for (index, text) in lower.iter().enumerate() {
                for form in [(*name).to_owned(), format!("{name}s")] {
                    for range in occurrences(text, &form) {
                        uses.count += 1;
                        if uses.first.is_none() {
                            uses.first = Some((index, range));
                        }
                    }
                }
            }
            uses
        })
        .collect();
    let used: Vec<&Uses<'_>> = uses.iter().filter(|uses| uses.count > 0).collect();
    if used.len() < 2 || explains(lower, &used) {
        return;
    }
    // With equal counts the first name wins: the Scottish one.
    let Some(kept) = used.iter().rev().max_by_key(|uses| uses.count) else {
        return;
    };
    let kept_at = kept.first.as_ref().and_then(|(index, _)| texts.get(*index)).map(|(text, _)| text.label());
    for other in used.iter().filter(|uses| uses.name != kept.name) {
        let Some((index, range)) = &other.first else { continue };
        let Some((text, _)) = texts.get(*index) else { continue };
        let message = format!(
            "{} says “{}”, but {} says “{}”; use “{}” throughout the lesson",
            text.label(),
            other.name,
            kept_at.as_deref().unwrap_or("another text"),
            kept.name,
            kept.name
        );
        sink.in_text(text.field, range.clone(), message).caps(CHECK.caps);
    }
}

/// Whether one sentence gives two of the names.
fn explains(lower: &[String], used: &[&Uses<'_>]) -> bool {
    lower.iter().any(|text| {
        text.split(['.', '\n', '!', '?']).any(|sentence| {
            used.iter().filter(|uses| occurrences(sentence, uses.name).next().is_some()).count() >= 2
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn the_rarer_name_is_reported_once() {
        for (texts, expected) in [
            (["Find the gradient. The gradient is 2.", "Find the slope. The slopes are 3."], &["slope"][..]),
            (["Find the gradient.", "Find the gradients."], &[]),
            (["The gradient, also called slope, is 2.", "Find the slope."], &[]),
            (["Turn anticlockwise.", "Turn counterclockwise. Go on counterclockwise."], &["anticlockwise"]),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "a", "explainer": "{}"}}, {{"id": "b", "explainer": "{}"}}]}}"#, texts[0], texts[1]);
            let at: Vec<String> = findings(&super::CHECK, &template).into_iter().map(|said| said.at).collect();
            assert_eq!(at, expected, "{texts:?}");
        }
    }
}
