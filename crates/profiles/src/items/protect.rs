//! What a repair of an item must not change: the key, the flags and the letters of
//! the options, so that only a person decides which answer is right (ruling 19);
//! and what it may only change if an issue is about it: the words of the right
//! answer.

use std::ops::Range;

use redraft_gate::content::{Document, TextField};
use redraft_run::verify::without_frames;

use super::labels::without_label;
use super::model::{self, ItemView};
use crate::fields::outside_texts;

/// Keys, flags and letters: the list of options without its texts, the labels in
/// texts, and the key.
pub(super) fn protected(document: &Document) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for view in model::items(document) {
        if let Some(list) = &view.item.option_list {
            found.extend(between_options(document, list));
        }
        found.extend((0..view.options().len()).filter_map(|index| label(view, index)));
        found.extend(view.item.key_range.clone());
        found.extend(view.item.more_keys.iter().cloned());
    }
    found.sort_by_key(|range| (range.start, range.end));
    found
}

/// What stands between the texts of a list of options, without the quotes, tags and signs that
/// the format puts around a text as the text needs them.
fn between_options(document: &Document, list: &Range<usize>) -> Vec<Range<usize>> {
    let text = document.source().text();
    let texts = document.texts();
    let bare = |gap: Range<usize>| {
        let next = texts.partition_point(|field| field.map.source_span().start < gap.end);
        let after = texts.get(next);
        let before = next.checked_sub(1).and_then(|before| texts.get(before));
        let before = before.filter(|field| field.map.source_span().end == gap.start);
        let after = after.filter(|field| field.map.source_span().start == gap.end);
        let writing = |field: Option<&TextField>| field.and_then(|field| field.writing);
        without_frames(text, gap, writing(before), writing(after))
    };
    let mut found: Vec<Range<usize>> = outside_texts(document, list).map(bare).collect();
    found.retain(|range| range.start < range.end);
    found
}

/// The words of the right options.
pub(super) fn sensitive(document: &Document) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for view in model::items(document) {
        let right: Vec<usize> = match view.correct() {
            Some(index) => vec![index],
            None => view.flagged().collect(),
        };
        found.extend(
            right
                .into_iter()
                .filter_map(|index| view.option_field(index))
                .map(|field| field.map.source_span()),
        );
    }
    found
}

/// The label at the start of an option's text (`B. Aspirin`).
fn label(view: ItemView<'_>, index: usize) -> Option<Range<usize>> {
    let field = view.option_field(index)?;
    let text = field.text.trim_start();
    let lead = field.text.len() - text.len();
    let length = text.len() - without_label(text, index).len();
    (length > 0).then(|| field.map.to_source(lead..lead + length))
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;
    use redraft_run::profile::Profile as _;

    use crate::clinical_mcq::CLINICAL_MCQ;

    fn texts(json: &str) -> (String, String) {
        let raw = reading::read(Source::new(json.as_bytes().to_vec()), Hint::Json);
        let document = CLINICAL_MCQ.parse(raw, None);
        let join = |ranges: Vec<std::ops::Range<usize>>| {
            let texts: Vec<&str> = ranges.into_iter().map(|range| &json[range]).collect();
            texts.join("|")
        };
        (
            join(CLINICAL_MCQ.protected(&document)),
            join(CLINICAL_MCQ.sensitive(&document)),
        )
    }

    #[test]
    fn keys_flags_and_letters_are_protected_and_the_right_words_sensitive() {
        for (json, protected, sensitive) in [
            (
                r#"{"stem": "Which?", "options": ["A. Aspirin", "B. Heparin"], "correct_answer": "B"}"#,
                r#"["|A. |", "|B. |"]|"B""#,
                "B. Heparin",
            ),
            (
                r#"{"stem": "Which?", "distractors": [{"text": "Aspirin", "isCorrect": true, "explanation": "x y"}, {"text": "Heparin", "isCorrect": false}], "answerKey": "A"}"#,
                r#"[{"text": "|", "isCorrect": true, "explanation": "|"}, {"text": "|", "isCorrect": false}]|"A""#,
                "Aspirin",
            ),
            (
                r#"{"stem": "Which?", "options": {"A": "Aspirin", "B": "Heparin"}, "correct_answer": "A"}"#,
                r#"{"A": "|", "B": "|"}|"A""#,
                "Aspirin",
            ),
        ] {
            assert_eq!(
                texts(json),
                (protected.to_owned(), sensitive.to_owned()),
                "{json}"
            );
        }
    }
}
