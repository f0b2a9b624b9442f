//! `foreign-currency`: an amount that is not in pounds.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Mends, Parameter, Sink};
use redraft_gate::finding::{Fix, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::SCOTTISH_BELOW;
use crate::sqa_lesson::card_texts::card_texts;
use crate::sqa_lesson::model;
use crate::sqa_lesson::money::{Foreign, WrittenAs, foreign};
use crate::sqa_lesson::phrases::occurrences;
use crate::sqa_lesson::scheme;

pub(super) static CHECK: Check = Check {
    code: "SQA060",
    name: "foreign-currency",
    severity: Severity::Error,
    critical: true,
    mends: Mends::Proposes,
    summary: "an amount that is not in pounds",
    what: "Finds a foreign currency sign or code next to an amount, in every text of a template: `$3.50`, `20€`, `US$12`, `EUR 5`. Text between dollar signs that reads as a formula is mathematics, and so are `\\( … \\)`, code and `\\$`. A currency in words (“5 dollars”, “a ten-dollar note”) is a warning. If the scheme-of-work entry or the specification is about other currencies, all of this is info and caps nothing; the words of the cards themselves never excuse it. Caps `scottish_context` below its threshold (seed 000: zero tolerance for $ or €, automatic fail). The proposed fix writes the same number in pounds, cents as pence; a person must check that the price is still right.",
    why: "Learners in Scotland pay in pounds, and their exam questions use pounds.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "A sandwich costs $3.50. Find $\\frac{1}{2}$ of it."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "A sandwich costs £3.50. Find $\\frac{1}{2}$ of it, where $x = 5$."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "units",
            what: "words of other currencies",
        },
        Parameter {
            name: "small-units",
            what: "currencies in which a number says nothing about pounds",
        },
        Parameter {
            name: "numbers",
            what: "number words before a currency: “twenty dollars”",
        },
        Parameter {
            name: "idioms",
            what: "phrases that name a currency without an amount",
        },
    ],
    caps: &[SCOTTISH_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let is_topic = model::template(document)
        .is_some_and(|template| scheme::is_about_currencies(template, examination.companions));
    for text in &card_texts(document) {
        let masked = text.masked();
        let amounts = foreign(text.text(), &masked);
        let mut hits: Vec<Hit> = amounts.into_iter().map(Hit::of).collect();
        hits.extend(in_words(examination, text.text(), &masked, &hits));
        hits.sort_by_key(|hit| hit.range.start);
        for hit in hits {
            let amount = text.text().get(hit.amount.clone()).unwrap_or_default();
            let found = text.text().get(hit.range.clone()).unwrap_or_default();
            let label = text.label();
            if is_topic {
                let message = format!("{label} uses a foreign currency: {found}; the lesson is about other currencies, so keep it where the task needs it");
                let finding = sink.in_text(text.field, hit.range, message);
                finding.severity(Severity::Info);
                finding.critical = false;
                continue;
            }
            let is_small = is_small(found, examination.texts("small-units"));
            let instead = hit.counts.then(|| in_pounds(found, amount)).filter(|_| !is_small);
            let write = instead.as_ref().map_or_else(|| "give the amount in pounds".to_owned(), |instead| format!("write {instead}"));
            let message = format!("{label} uses a foreign currency: {found}; {write}, check that the price is realistic in Scotland, and replace the currency on the whole card. A lesson about exchange rates needs a scheme-of-work entry or specification that says so");
            let fix = instead.map(|instead| Fix::proposed(vec![document.edit(text.field, hit.range.clone(), &instead)]));
            let finding = sink.in_text(text.field, hit.range, message).caps(CHECK.caps);
            if let Some(fix) = fix {
                finding.fix(fix);
            }
            if hit.written_as == WrittenAs::Word {
                finding.severity(Severity::Warning);
                finding.critical = false;
            }
        }
    }
}

/// An amount in a foreign currency.
struct Hit {
    range: Range<usize>,
    amount: Range<usize>,
    written_as: WrittenAs,
    /// Whether the amount is in digits.
    counts: bool,
}

impl Hit {
    fn of(found: Foreign) -> Self {
        Self {
            range: found.range,
            amount: found.amount,
            written_as: found.written_as,
            counts: true,
        }
    }
}

/// Currencies in words that follow a number in words, or a number and a hyphen: “twenty
/// dollars”, “a 10-dollar note”.
fn in_words(examination: &Examination<'_>, text: &str, masked: &[Range<usize>], known: &[Hit]) -> Vec<Hit> {
    let lower = text.to_ascii_lowercase();
    let idioms: Vec<Range<usize>> = examination
        .texts("idioms")
        .iter()
        .flat_map(|idiom| occurrences(&lower, idiom).collect::<Vec<_>>())
        .collect();
    let mut found: Vec<Hit> = Vec::new();
    for unit in examination.texts("units") {
        for at in occurrences(&lower, &unit.to_ascii_lowercase()) {
            let before = lower.get(..at.start).unwrap_or_default();
            let trimmed = before.trim_end_matches([' ', '-']);
            let start = trimmed.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |space| space + 1);
            let number = trimmed.get(start..).unwrap_or_default();
            let is_counted = examination.texts("numbers").iter().any(|word| word == number)
                || number.len() <= 9 && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let range = start..at.end;
            let overlaps = |other: &Range<usize>| other.start < range.end && range.start < other.end;
            let is_taken = known.iter().map(|hit| &hit.range).chain(&idioms).chain(masked).any(overlaps)
                || found.iter().any(|hit| overlaps(&hit.range));
            if is_counted && before.len() > trimmed.len() && !is_taken {
                found.push(Hit {
                    range: range.clone(),
                    amount: range,
                    written_as: WrittenAs::Word,
                    counts: false,
                });
            }
        }
    }
    found
}

fn is_small(found: &str, units: &[String]) -> bool {
    let lower = found.to_lowercase();
    units.iter().any(|unit| lower.contains(&unit.to_lowercase()))
}

/// The amount in British money: cents become pence.
fn in_pounds(found: &str, amount: &str) -> String {
    let lower = found.to_lowercase();
    let is_small = ["cent", "cents", "¢"].iter().any(|unit| lower.ends_with(unit) || lower.starts_with(unit));
    match is_small {
        true => format!("{amount}p"),
        false => format!("£{amount}"),
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{self, Error, Warning};

    use crate::sqa_lesson::testing::{findings, findings_beside, scheme};

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
            (r#""explainer": "It costs 48 cents.""#, &[(Warning, "48 cents")]),
            (r#""explainer": "It costs twenty dollars, or fifty cents, or a million euros.""#, &[(Warning, "twenty dollars"), (Warning, "fifty cents"), (Warning, "million euros")]),
            (r#""explainer": "A ten-dollar note, a 10-dollar bill, 20 Swiss francs and 5 bucks.""#, &[(Warning, "ten-dollar"), (Warning, "10-dollar"), (Warning, "20 Swiss francs"), (Warning, "5 bucks")]),
            (r#""explainer": "Add your two cents. A dollar sign is $. A per cent. Francs.""#, &[]),
            // The text under test cannot disarm the check (ruling 76).
            (r#""explainer": "The exchange rate: £1 = €1.15""#, &[(Error, "€1.15")]),
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
            "card 2 explainer uses a foreign currency: $4; write £4, check that the price is realistic in Scotland, and replace the currency on the whole card. A lesson about exchange rates needs a scheme-of-work entry or specification that says so"
        );
    }

    #[test]
    fn cents_become_pence() {
        for (text, instead) in [("It costs 48 cents.", "write 48p,"), ("It costs 48¢.", "write 48p,"), ("It costs 3 dollars.", "write £3,"), ("It costs 300 yen.", "give the amount in pounds,"), ("It costs ₹500.", "give the amount in pounds,"), ("It costs ten dollars.", "give the amount in pounds,")] {
            let found = findings(&super::CHECK, &format!(r#"{{"cards": [{{"id": "a", "explainer": "{text}"}}]}}"#));
            assert!(found[0].message.contains(instead), "{}", found[0].message);
        }
    }

    #[test]
    fn a_lesson_about_currencies_by_its_entry_may_name_them() {
        let template = r#"{"title": "Money Abroad", "sow_order": 1, "cards": [{"id": "a", "explainer": "£1 is €1.15."}]}"#;
        for (entry, expected) in [
            (r#"{"order": 1, "label": "Money Abroad", "big_idea": "Learners convert pounds by an exchange rate."}"#, Severity::Info),
            (r#"{"order": 1, "label": "Money Abroad", "engagement_tags": ["foreign_currency"]}"#, Severity::Info),
            (r#"{"order": 1, "label": "Money Abroad"}"#, Error),
        ] {
            let found = findings_beside(&super::CHECK, template, &scheme(entry));
            assert_eq!(found[0].severity, expected, "{entry}");
        }
    }
}
