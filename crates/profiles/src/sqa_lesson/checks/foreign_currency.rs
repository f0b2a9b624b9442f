//! `foreign-currency`: an amount that is not in pounds.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Mends, Sink};
use redraft_gate::finding::{Fix, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::SCOTTISH_BELOW;
use crate::sqa_lesson::card_texts::card_texts;
use crate::sqa_lesson::model::Card;
use crate::sqa_lesson::money::{WrittenAs, foreign};

pub(super) static CHECK: Check = Check {
    code: "SQA060",
    name: "foreign-currency",
    severity: Severity::Error,
    critical: true,
    mends: Mends::Proposes,
    summary: "an amount that is not in pounds",
    what: "Finds a foreign currency sign or code next to an amount, in every text of a template: `$3.50`, `20€`, `US$12`, `EUR 5`. Text between dollar signs that reads as a formula is mathematics, and so are `\\( … \\)`, code and `\\$`. A currency in words (“5 dollars”), and any foreign amount on a card about exchange rates, is a warning. Caps `scottish_context` below its threshold (seed 000: zero tolerance for $ or €, automatic fail). The proposed fix writes the same number in pounds; a person must check that the price is still right.",
    why: "Learners in Scotland pay in pounds, and their exam questions use pounds.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "A sandwich costs $3.50. Find $\\frac{1}{2}$ of it."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "A sandwich costs £3.50. Find $\\frac{1}{2}$ of it, where $x = 5$."}]}"#,
        fixed: None,
    }],
    caps: &[SCOTTISH_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let texts = card_texts(document);
    let mut about_exchange: Option<(usize, bool)> = None;
    for text in &texts {
        let masked = text.masked();
        for hit in foreign(text.text(), &masked) {
            let amount = text.text().get(hit.amount.clone()).unwrap_or_default();
            let found = text.text().get(hit.range.clone()).unwrap_or_default();
            // Determined once per card.
            let number = text.card.map_or(0, |card| card.number);
            let exchanges = match about_exchange {
                Some((card, exchanges)) if card == number => exchanges,
                _ => {
                    let exchanges = text.card.is_some_and(is_about_exchange);
                    about_exchange = Some((number, exchanges));
                    exchanges
                }
            };
            let message = if exchanges {
                format!("{} uses a foreign currency: {found}; keep it only if the question is about exchange rates, otherwise write £{amount}", text.label())
            } else {
                format!("{} uses a foreign currency: {found}; write £{amount}, check that the price is realistic in Scotland, and replace the currency on the whole card", text.label())
            };
            let edit = document.edit(text.field, hit.range.clone(), &format!("£{amount}"));
            let finding = sink.in_text(text.field, hit.range, message).caps(CHECK.caps);
            finding.fix(Fix::proposed(vec![edit]));
            if exchanges || hit.written_as == WrittenAs::Word {
                finding.severity(Severity::Warning);
                finding.critical = false;
            }
        }
    }
}

/// Whether a card is about exchanging money.
fn is_about_exchange(card: &Card) -> bool {
    let says = |text: Option<&str>| {
        text.is_some_and(|text| {
            let lower = text.to_lowercase();
            ["exchange rate", "foreign currency", "foreign currencies", "currency conversion", "convert currency", "holiday money"]
                .iter()
                .any(|phrase| lower.contains(phrase))
        })
    };
    let value = |text: &Option<crate::sqa_lesson::model::Text>| -> bool {
        says(text.as_ref().map(|text| text.value.as_str()))
    };
    value(&card.title)
        || value(&card.explainer)
        || value(&card.explainer_plain)
        || card.questions().iter().any(|cfu| value(&cfu.stem))
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{self, Error, Warning};

    use crate::sqa_lesson::testing::findings;

    fn said(card: &str) -> Vec<(Severity, String)> {
        findings(&super::CHECK, &format!(r#"{{"title": "T", "cards": [{{"id": "c1", {card}}}]}}"#))
            .into_iter()
            .map(|said| (said.severity, said.at))
            .collect()
    }

    #[test]
    fn foreign_money_is_an_error_in_every_text() {
        for (card, expected) in [
            (r#""explainer": "It costs $3.50, or US$12, or €5, or 20€.""#, &[(Error, "$3.50"), (Error, "US$12"), (Error, "€5"), (Error, "20€")][..]),
            (r#""cfu": {"stem": "If $x = 3$, what is $5 worth?"}"#, &[(Error, "$5")]),
            (r#""cfu": {"stem": "Q", "options": ["$5", "£5"], "hints": ["Take $2 off."]}"#, &[(Error, "$5"), (Error, "$2")]),
            (r#""cfu": {"stem": "Q", "expected": "It is $5 each"}"#, &[(Error, "$5")]),
            (r#""context_hooks": ["Prices around $5"]"#, &[(Error, "$5")]),
            (r#""explainer": "It costs 5 dollars.""#, &[(Warning, "5 dollars")]),
            (r#""explainer": "The exchange rate: £1 = €1.15""#, &[(Warning, "€1.15")]),
            (r#""explainer": "$x = 5$, $20$, `$5`, \\$5, $\\frac{1}{2}$""#, &[]),
            (r#""explainer": "Never use $ or €.""#, &[]),
            (r#""explainer": "It costs \u00245.""#, &[(Error, "\\u00245")]),
        ] {
            let expected: Vec<(Severity, String)> = expected.iter().map(|(severity, at)| (*severity, (*at).to_owned())).collect();
            assert_eq!(said(card), expected, "{card}");
        }
    }

    #[test]
    fn the_seeds_dollar_is_found_with_what_to_do() {
        let found = findings(&super::CHECK, r#"{"cards": [{"id": "a"}, {"id": "b", "explainer": "A snack costs $4."}]}"#);
        assert_eq!(
            found[0].message,
            "card 2 explainer uses a foreign currency: $4; write £4, check that the price is realistic in Scotland, and replace the currency on the whole card"
        );
    }
}
