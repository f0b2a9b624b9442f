//! `duplicate-items`: two items of a bank are the same or nearly the same.

use std::collections::HashSet;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::whole_bank;
use crate::check_list::DEFAULTS;
use crate::items::bank::{reworded, similar};
use crate::items::model::{ItemView, items};

pub(super) static CHECK: Check = Check {
    code: "BNK003",
    name: "duplicate-items",
    severity: Severity::Warning,
    summary: "two items of a bank are the same or nearly the same",
    what: "Compares items by their runs of three words in vignette, stem and options, ignoring the order of the options. The same words, also in another order, are a warning; four fifths of the runs in common is info, and so is a question with the same right answer, nearly the same options and most of its words in common. Items in a folder are compared across its files, and with the items of earlier banks that `--against` names. Criterion: `pedagogical_alignment`, for the bank as a whole.",
    why: "A learner who meets an item twice is only tested once, and the bank is smaller than it seems.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"[{"stem": "A man of fifty has had chest pain for two hours and sweats. What should be given first?", "options": ["Aspirin", "Heparin", "Insulin"], "answer": "A"}, {"stem": "A man of fifty has had chest pain for two hours and sweats. What should be given first?", "options": ["Insulin", "Aspirin", "Heparin"], "answer": "B"}]"#,
            passes: r#"[{"stem": "A man of fifty has had chest pain for two hours and sweats. What should be given first?", "options": ["Aspirin", "Heparin", "Insulin"], "answer": "A"}, {"stem": "Which vitamin prevents scurvy?", "options": ["Vitamin A", "Vitamin C", "Vitamin D"], "answer": "B"}]"#,
            fixed: None,
        },
    ],
    parameters: &[
        Parameter { name: "least-likeness", what: "share of runs in common at which two items count as near duplicates" },
        Parameter { name: "least-words-in-common", what: "share of the question's words in common at which items with one right answer and nearly the same options count as asking the same" },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let earlier = &examination.companions.earlier;
    if whole_bank(document).is_none() && earlier.is_empty() {
        return;
    }
    let least = examination.number("least-likeness");
    // Earlier banks come first, so that a duplicate is found in the later one.
    let mut known: Vec<(Option<&str>, ItemView<'_>)> = Vec::new();
    for bank in earlier {
        known.extend(items(&bank.document).map(|view| (Some(bank.path.as_str()), view)));
    }
    let own = known.len();
    known.extend(items(document).map(|view| (None, view)));
    let alike = {
        let fingerprints: Vec<_> = known.iter().map(|(_, view)| similar::fingerprint(*view)).collect();
        similar::pairs(&fingerprints, least)
    };
    let is_alike: HashSet<usize> = alike.iter().map(|pair| pair.second).collect();
    let views = known.iter().map(|(_, view)| *view);
    let reworded = reworded::pairs(views, examination.number("least-words-in-common"));
    let other_words = reworded.into_iter().filter(|(_, second)| *second >= own && !is_alike.contains(second));
    for (first, second) in other_words {
        let name = named(known[first]);
        let message =
            format!("this item seems to ask the same as {name} in other words: same right answer, nearly the same options");
        let finding = sink.in_source(known[second].1.stem_range(), message);
        finding.severity(Severity::Info);
    }
    for pair in alike.into_iter().filter(|pair| pair.second >= own) {
        let (name, second) = (named(known[pair.first]), known[pair.second].1);
        let is_same = pair.likeness >= 1.0 || pair.same_words;
        let message = if pair.likeness >= 1.0 {
            format!("this item is the same as {name}")
        } else if pair.same_words {
            format!("this item has the same words as {name}, in another order")
        } else {
            format!(
                "this item is nearly the same as {name}: {:.0}% of the wording in common",
                (pair.likeness * 100.0).floor()
            )
        };
        let finding = sink.in_source(second.stem_range(), message);
        if !is_same {
            finding.severity(Severity::Info);
        }
    }
}

/// An item as a message names it.
fn named((path, view): (Option<&str>, ItemView<'_>)) -> String {
    match path {
        Some(path) => format!("{} of {path}", view.id()),
        None => view.id().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn the_same_stem_with_other_options_is_another_item() {
        let item = |stem: &str, options: &str| format!(r#"{{"stem": "{stem}", "options": [{options}], "answer": "A"}}"#);
        let stem = "What is the most likely diagnosis of this man?";
        let long = "A man of fifty has had crushing chest pain for two hours, sweats, feels sick, and his left arm is heavy; his father died of a heart attack at the age of forty. What is it?";
        let (a, b) = (r#""Asthma", "Cold", "Cough""#, r#""Gout", "Mumps", "Measles""#);
        for (first, second, expected) in [
            (item(stem, a), item(stem, b), 0),
            (item(stem, a), item(stem, a), 1),
            (item(long, a), item(&long.replace("sick", "cold"), a), 1),
            (item(long, a), item(&long.replace("of fifty", "of sixty"), b), 0),
        ] {
            assert_eq!(count(&super::CHECK, &format!("[{first}, {second}]")), expected, "{second}");
        }
    }

    #[test]
    fn the_same_question_in_other_words_is_a_remark() {
        let item = |stem: &str, options: &str| format!(r#"{{"stem": "{stem}", "options": [{options}], "answer": "A"}}"#);
        for (first, second, options, expected) in [
            ("What is the capital city of Australia?", "Which city is the capital of Australia?", r#""Canberra", "Sydney", "Darwin", "Perth""#, 1),
            ("Welches Organ produziert Insulin?", "Insulin wird von welchem Organ produziert?", r#""Pankreas", "Leber", "Niere""#, 1),
            ("光合作用发生在植物细胞的哪个结构中？", "植物细胞的哪个结构中发生光合作用？", r#""叶绿体", "线粒体", "细胞核""#, 1),
            ("Which organ makes insulin?", "Where does a blocked duct cause pain?", r#""Pancreas", "Liver", "Kidney""#, 0),
        ] {
            let bank = format!("[{}, {}]", item(first, options), item(second, options));
            assert_eq!(count(&super::CHECK, &bank), expected, "{second}");
        }
        // Another right answer is another question.
        let other = item("Which city is the capital of Austria?", r#""Vienna", "Sydney", "Darwin", "Perth""#);
        let first = item("Which city is the capital of Australia?", r#""Canberra", "Sydney", "Darwin", "Perth""#);
        assert_eq!(count(&super::CHECK, &format!("[{first}, {other}]")), 0);
    }
}
