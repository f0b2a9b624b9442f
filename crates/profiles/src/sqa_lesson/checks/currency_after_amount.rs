//! `currency-after-amount`: a pound sign after the amount.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::{Fix, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::SCOTTISH_MINOR;
use crate::sqa_lesson::card_texts::{CardField, card_texts};
use crate::sqa_lesson::money::sign_after_amount;
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA061",
    name: "currency-after-amount",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a pound sign after the amount",
    what: "Finds `20£` and moves the sign to the front. Ignores options and misconceptions, which show wrong notation on purpose, and sentences that call it wrong or put it in quotation marks. Caps `scottish_context` at .95 (seed 000: correct placement £20, not 20£).",
    why: "Notation is part of what the cards teach.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "A ticket costs 20£ today."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "A ticket costs £20 today. We write £20, not 20£."}]}"#,
        fixed: Some(r#"{"cards": [{"id": "c1", "explainer": "A ticket costs £20 today."}]}"#),
    }],
    caps: &[SCOTTISH_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for text in card_texts(document) {
        if matches!(text.card_field, CardField::Misconception | CardField::Distractor | CardField::RightOption | CardField::Clarification) {
            continue;
        }
        let plain = Plain::of(&text);
        let sentences: Vec<_> = plain.sentences().collect();
        let mut asked: Option<(usize, bool)> = None;
        for (range, amount) in sign_after_amount(text.text(), &text.masked()) {
            let after = sentences.partition_point(|sentence| sentence.end <= range.start);
            // Determined once per sentence.
            let on_notation = match asked {
                Some((index, answer)) if index == after => answer,
                _ => sentences
                    .get(after)
                    .is_some_and(|sentence| speaks_of_notation(plain.get(sentence))),
            };
            asked = Some((after, on_notation));
            if on_notation || crate::shared::prose::is_quoted(text.text(), &range) {
                continue;
            }
            let written = text.text().get(amount).unwrap_or_default();
            let found = text.text().get(range.clone()).unwrap_or_default();
            let message = format!("{} has the pound sign after the amount: {found}; write £{written}", text.label());
            let edit = document.edit(text.field, range.clone(), &format!("£{written}"));
            sink.in_text(text.field, range, message).caps(CHECK.caps).fix(Fix::safe(vec![edit]));
        }
    }
}

/// Whether a sentence is about how to write an amount.
fn speaks_of_notation(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    ["not", "never", "wrong", "incorrect", "instead", "mistake", "write", "writing", "wrote", "symbol", "sign", "notation", "behind", "n't"]
        .iter()
        .any(|word| sentence.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn wrong_notation_that_is_shown_on_purpose_is_left_alone() {
        for (card, expected) in [
            (r#""explainer": "It costs 20£.""#, 1),
            (r#""explainer": "It costs 3.50 £ and 4£.""#, 2),
            (r#""explainer": "Never put the sign last: 20£.""#, 0),
            (r#""explainer": "Some put '20£' on a tag.""#, 0),
            (r#""cfu": {"stem": "Which is right?", "options": ["20£", "£20"]}"#, 0),
            (r#""explainer": "It costs £20. Three £5 notes.""#, 0),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "c1", {card}}}]}}"#);
            assert_eq!(findings(&super::CHECK, &template).len(), expected, "{card}");
        }
    }
}
