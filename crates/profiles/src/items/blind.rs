//! An item as somebody who does not know its key would answer it.
//!
//! | the item | then |
//! |---|---|
//! | no single key, fewer than two options, an option or a question without words, several items | nothing to solve |
//! | options mean others (“both a and b”, “both of the above”) | nothing to solve: they mean something else in another order |
//! | “none of the above” | it stays last |
//! | an option longer than a prompt shows | nothing to solve: half an option is another one |

use redraft_gate::content::{ComponentKind, Document, TextField};
use redraft_gate::span::ComponentId;
use redraft_run::solve::{BlindOption, BlindQuestion};

use super::model::items;
use super::{option_words, order, whole_list, wording};
use crate::prompts::LONGEST_OPTION;

pub(super) fn question(document: &Document) -> Option<BlindQuestion> {
    let mut all = items(document);
    let view = all.next().filter(|_| all.next().is_none())?;
    if view.item.wants_several {
        return None;
    }
    let key = view.correct()?;
    let options: Vec<BlindOption> = view
        .option_texts()
        .map(|text| BlindOption {
            text: text.to_owned(),
            stays_last: stays_last(text),
        })
        .collect();
    let is_empty = |option: &BlindOption| option.text.trim().is_empty();
    let is_unfit = |option: &BlindOption| {
        is_empty(option)
            || means_others(option, options.len())
            || option.text.chars().count() > LONGEST_OPTION
    };
    if options.len() < 2 || options.iter().any(is_unfit) {
        return None;
    }
    let stem = joined(view.stem());
    (!stem.is_empty()).then(|| BlindQuestion {
        case: joined(view.vignette()),
        stem,
        options,
        key,
    })
}

/// The question of the only item and its right answer, if a repair of this component could
/// make another answer right.
pub(crate) fn only_answer(
    document: &Document,
    component: &ComponentId,
) -> Option<(String, String)> {
    let mut all = items(document);
    let view = all.next().filter(|_| all.next().is_none())?;
    let mut components = document.components().iter();
    let kind = components.find(|one| one.id == *component)?.kind;
    let decides = matches!(
        kind,
        ComponentKind::Vignette | ComponentKind::Stem | ComponentKind::Options
    );
    let key = view.option(view.correct().filter(|_| decides)?).trim();
    (!key.is_empty()).then(|| (joined(view.stem()), key.to_owned()))
}

fn joined(fields: &[TextField]) -> String {
    let texts: Vec<&str> = fields
        .iter()
        .map(|field| field.text.trim())
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n")
}

/// Whether an option makes sense only after all others: “all of the above”, “none”.
fn stays_last(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    whole_list::in_any_order(text).is_some() && !has_letters(text)
        || matches!(lower.trim_end_matches('.'), "all" | "none")
}

/// Whether an option means others by their place or their letters. A long one that has such
/// a word has it for another reason.
fn means_others(option: &BlindOption, options: usize) -> bool {
    const LONG: usize = 6;
    let text = &option.text;
    let is_short = wording::words(text).count() <= LONG;
    order::names_options(text, options)
        || has_letters(text) && whole_list::spoken_of(text).is_some()
        || is_short
            && (option_words::refers(text) || option_words::option_points_by_place(text))
            && !option.stays_last
}

/// “Options A through D are all correct” may leave one out.
fn has_letters(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word.as_bytes(), [b'A'..=b'J']))
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::clinical_mcq::CLINICAL_MCQ;

    fn document(json: &str) -> Document {
        let raw = reading::read(Source::new(json.as_bytes().to_vec()), Hint::Json);
        CLINICAL_MCQ.parse(raw, None)
    }

    #[test]
    fn options_that_mean_others_stay_or_keep_an_item_from_being_solved() {
        for (text, last, unfit) in [
            ("None of the above", true, false),
            ("All of these.", true, false),
            ("Keine der genannten Antworten", true, false),
            ("以上都不对", true, false),
            ("Every option above is correct", true, false),
            ("Sämtliche genannten Punkte", true, false),
            ("Options A through D are all correct", false, true),
            ("Both A and B", false, true),
            ("both a and b", false, true),
            ("Both of the above", false, true),
            ("Either of these", false, true),
            ("Beide sind richtig", false, true),
            ("A, C and D only", false, true),
            ("A und B", false, true),
            ("A", false, false),
            ("Hepatitis B", false, false),
            ("A and Z", false, false),
            ("Vitamin A and vitamin D", false, false),
            (
                "Removal of both kidneys before the patient is dialysed",
                false,
                false,
            ),
        ] {
            let option = BlindOption {
                text: text.to_owned(),
                stays_last: stays_last(text),
            };
            assert_eq!(option.stays_last, last, "{text}");
            assert_eq!(means_others(&option, 4), unfit, "{text}");
        }
    }

    #[test]
    fn what_tells_the_key_is_no_part_of_the_question() {
        let item = |options: &str, key: &str| {
            format!(
                r#"{{"vignette": "A man coughs.", "stem": "Why?", "options": {options}, "answerKey": {key}, "explanation": "It is B."}}"#
            )
        };
        let whole = item(r#"["A. Ramipril", "B. Aspirin", "C. Codeine"]"#, r#""B""#);
        let question = question(&document(&whole)).unwrap();
        assert_eq!(question.key, 1);
        // Neither labels nor explanations.
        let texts: Vec<&str> = question
            .options
            .iter()
            .map(|one| one.text.as_str())
            .collect();
        assert_eq!(texts, ["Ramipril", "Aspirin", "Codeine"]);
        assert_eq!(
            (question.case.as_str(), question.stem.as_str()),
            ("A man coughs.", "Why?")
        );
        for (options, key) in [
            (r#"["x", "y"]"#, "null"),
            (r#"["x", "y"]"#, r#""D""#),
            (r#"["x"]"#, r#""A""#),
            (r#"["x", ""]"#, r#""A""#),
            (r#"["x", "y", "Both A and B"]"#, r#""A""#),
        ] {
            let item = item(options, key);
            assert_eq!(super::question(&document(&item)), None, "{item}");
        }
    }
}
