//! `duplicate-items`: two items of a bank are the same or nearly the same.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::whole_bank;
use crate::check_list::DEFAULTS;
use crate::items::bank::similar;
use crate::items::model::{ItemView, items};

pub(super) static CHECK: Check = Check {
    code: "BNK003",
    name: "duplicate-items",
    severity: Severity::Warning,
    summary: "two items of a bank are the same or nearly the same",
    what: "Compares items by their runs of three words in vignette, stem and options, ignoring the order of the options. The same words, also in another order, are a warning; four fifths of the runs in common is info. Items in a folder are compared across its files, and with the items of earlier banks that `--against` names. Criterion: `pedagogical_alignment`, for the bank as a whole.",
    why: "A learner who meets an item twice is only tested once, and the bank is smaller than it seems.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"[{"stem": "A man of fifty has had chest pain for two hours and sweats. What should be given first?", "options": ["Aspirin", "Heparin", "Insulin"], "answer": "A"}, {"stem": "A man of fifty has had chest pain for two hours and sweats. What should be given first?", "options": ["Insulin", "Aspirin", "Heparin"], "answer": "B"}]"#,
            passes: r#"[{"stem": "A man of fifty has had chest pain for two hours and sweats. What should be given first?", "options": ["Aspirin", "Heparin", "Insulin"], "answer": "A"}, {"stem": "Which vitamin prevents scurvy?", "options": ["Vitamin A", "Vitamin C", "Vitamin D"], "answer": "B"}]"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least-likeness", what: "share of runs in common at which two items count as near duplicates" },],
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
    let fingerprints: Vec<_> = known.iter().map(|(_, view)| similar::fingerprint(*view)).collect();
    for pair in similar::pairs(&fingerprints, least).into_iter().filter(|pair| pair.second >= own) {
        let ((path, first), (_, second)) = (known[pair.first], known[pair.second]);
        let name = match path {
            Some(path) => format!("{} of {path}", first.id()),
            None => first.id().to_owned(),
        };
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
}
