//! `us-spelling`: American spelling.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::{Fix, Severity};

use crate::sqa_lesson::caps::SCOTTISH_MINOR;
use crate::sqa_lesson::card_texts::{CardField, card_texts};
use crate::sqa_lesson::phrases::{find, in_case_of, opens_sentence, rows};
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA064",
    name: "us-spelling",
    severity: Severity::Info,
    critical: false,
    mends: Mends::Proposes,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "American spelling",
    what: "Looks for spellings that only American English has (color, center, liter) and gives the British spelling. Words that exist in both (meter, program, practice, the endings in -ize) are left alone, and so are code and formulas. The British spelling is proposed, not applied: a safe fix changes no letters. A word with a capital letter inside a sentence may be part of a name (Center Parcs) and is left alone. Caps `scottish_context` at .95 (seed 000: authentic Scottish contexts).",
    why: "Learners copy what they read, and lose marks for it elsewhere.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "Choose your favorite color."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "Choose your favourite colour on the parking meter. Write `color: red`."}]}"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "words",
        what: "American spellings, each with the British one",
    }],
    caps: &[SCOTTISH_MINOR],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for text in card_texts(document) {
        let plain = Plain::of(&text);
        for (range, row) in find(plain.text(), rows(examination.texts("words"))) {
            let found = text.text().get(range.clone()).unwrap_or_default();
            let instead = in_case_of(found, row.instead);
            let message = format!("{} has the American spelling “{found}”; write “{instead}”", text.label());
            let is_small = found.chars().all(char::is_lowercase);
            let opens = opens_sentence(text.text(), range.start);
            // Gray may be a person, MOM an abbreviation; in a title all words may
            // have capital letters.
            let is_short_for = found.len() <= 4 && found.chars().all(char::is_uppercase);
            if is_short_for || !(is_small || opens || text.card_field == CardField::Title) {
                continue;
            }
            let edit = document.edit(text.field, range.clone(), &instead);
            sink.in_text(text.field, range, message)
                .caps(CHECK.caps)
                .fix(Fix::proposed(vec![edit]));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn only_what_is_american_is_found() {
        for (text, expected) in [
            ("Color the center gray.", 3),
            ("2 liters and 3 kilometers", 2),
            ("The colour, the centre, 2 litres, a gas meter, a computer program, organize, practice", 0),
            ("Colorado and centered", 1),
            ("We go to Center Parcs with Mr Gray. The MOM is 2.", 0),
            ("$color$ and `center`", 0),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "c1", "explainer": "{text}"}}]}}"#);
            assert_eq!(findings(&super::CHECK, &template).len(), expected, "{text}");
        }
    }
}
