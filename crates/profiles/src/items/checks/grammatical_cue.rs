//! `grammatical-cue`: only some options fit the grammar of the stem.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use std::ops::Range;

use crate::check_list::DEFAULTS;
use crate::items::articles::Article;
use crate::items::model::items;
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ017",
    name: "grammatical-cue",
    severity: Severity::Warning,
    summary: "only some options fit the grammar of the stem",
    what: "Where the stem ends in “a” or “an”, or has one before a blank, checks whether every option starts with a matching sound (an hour, a university, an MRI, an X-ray) and is not a plural. Reports items in which the key fits and others do not, or in which the key itself does not fit. Words with more than one pronunciation count as fitting. Criterion: `distractor_quality`; field: `stem`.",
    why: "The article gives the answer away to learners who know the language but not the subject.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "The patient should be examined with an", "options": ["ultrasound scan", "lumbar puncture", "bone biopsy", "X-ray"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "The patient should be examined with a(n)", "options": ["ultrasound scan", "lumbar puncture", "bone biopsy", "X-ray"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        let Some((field, article, range)) = view
            .stem()
            .iter()
            .rev()
            .find_map(|field| article_before_gap(&field.text).map(|(article, range)| (field, article, range)))
        else {
            continue;
        };
        let options: Vec<&str> = view.option_texts().collect();
        // Options with their own article complete the stem differently.
        if options.iter().any(|option| brings_article(option)) {
            continue;
        }
        let misfits: Vec<usize> = (0..options.len())
            .filter(|index| !article.fits(options[*index]))
            .collect();
        if misfits.is_empty() {
            continue;
        }
        let named: Vec<String> = misfits
            .iter()
            .take(4)
            .map(|index| format!("“{}”", wording::shortened(options[*index])))
            .collect();
        let named = named.join(", ");
        let word = article.word();
        let key_misfits = view.correct().is_some_and(|key| misfits.contains(&key));
        let message = if key_misfits {
            format!("the stem uses “{word}”, but the key does not fit it ({named}); write “a(n)” or move the article into the options")
        } else if misfits.len() == options.len() {
            continue;
        } else {
            let does = if misfits.len() == 1 { "does" } else { "do" };
            format!("the stem uses “{word}”, which {named} {does} not fit; write “a(n)” or move the article into the options")
        };
        sink.in_text(field, range, message);
    }
}

fn brings_article(option: &str) -> bool {
    let first = wording::words(option).next().unwrap_or_default();
    option.contains(' ') && ["a", "an", "the"].iter().any(|article| first.eq_ignore_ascii_case(article))
}

/// The article before the gap that an option fills: at the end of the stem or
/// before a blank.
fn article_before_gap(stem: &str) -> Option<(Article, Range<usize>)> {
    let blank = wording::blank(stem);
    let before = match &blank {
        Some(blank) => stem.get(..blank.start)?.trim_end(),
        None => stem.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | '…' | '-' | '–')),
    };
    let start = before.rfind(|c: char| c.is_whitespace()).map_or(0, |at| at + 1);
    let start = (start..before.len()).find(|at| before.is_char_boundary(*at))?;
    let article = match before.get(start..)? {
        "a" | "A" => Article::A,
        "an" | "An" | "AN" => Article::An,
        _ => return None,
    };
    // The A of “vitamin A” and “hepatitis A” is a name.
    let is_name = blank.is_none() && before.get(start..) == Some("A");
    (!is_name).then_some((article, start..before.len()))
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn the_article_has_to_fit_every_option() {
        for (stem, options, expected) in [
            ("It is an", r#"["apple", "pear", "orange"]"#, 1),
            ("It is an", r#"["apple", "hour", "MRI"]"#, 0),
            ("He was given a", r#"["tablet", "fluid", "injections"]"#, 1),
            ("It is a", r#"["university", "European", "one-off"]"#, 0),
            ("It is a ____ of note.", r#"["pear", "apple", "plum"]"#, 1),
            ("It is an <blank> of note.", r#"["apple", "pear", "plum"]"#, 1),
            ("It is a/an", r#"["apple", "pear", "plum"]"#, 0),
            ("It is a(n)", r#"["apple", "pear", "plum"]"#, 0),
            ("Which is an organ?", r#"["liver", "apple", "car"]"#, 0),
            ("It is a", r#"["an apple", "a pear", "a plum"]"#, 0),
            ("This is rich in vitamin A", r#"["liver", "apple", "egg"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "{stem}", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{stem} {options}");
        }
    }
}
