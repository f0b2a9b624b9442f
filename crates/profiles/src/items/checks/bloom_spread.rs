//! `bloom-spread`: nearly all items of a bank test recall.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use redraft_gate::span::ComponentId;

use super::whole_bank;
use crate::check_list::DEFAULTS;
use crate::items::bank::sheet::Sheet;
use crate::items::model::Bloom;

pub(super) static CHECK: Check = Check {
    code: "BNK004",
    name: "bloom-spread",
    severity: Severity::Warning,
    summary: "nearly all items of a bank test recall",
    what: "Counts the levels that items say they test (`bloom_level`, on the item or in its metadata). Reports banks of at least ten such items in which 85% test only remembering or understanding. What an item really tests is left to a judge. Criterion: `blooms_match`, for the bank as a whole.",
    why: "Learners who are tested on recall learn to recall; patients need judgement.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"[{"stem": "What is question 0?", "options": ["alpha0", "gamma0", "delta0", "kappa0"], "answer": "A", "bloom_level": "remember"}, {"stem": "What is question 1?", "options": ["alpha1", "gamma1", "delta1", "kappa1"], "answer": "B", "bloom_level": "remember"}, {"stem": "What is question 2?", "options": ["alpha2", "gamma2", "delta2", "kappa2"], "answer": "C", "bloom_level": "remember"}, {"stem": "What is question 3?", "options": ["alpha3", "gamma3", "delta3", "kappa3"], "answer": "D", "bloom_level": "remember"}, {"stem": "What is question 4?", "options": ["alpha4", "gamma4", "delta4", "kappa4"], "answer": "A", "bloom_level": "remember"}, {"stem": "What is question 5?", "options": ["alpha5", "gamma5", "delta5", "kappa5"], "answer": "B", "bloom_level": "remember"}, {"stem": "What is question 6?", "options": ["alpha6", "gamma6", "delta6", "kappa6"], "answer": "C", "bloom_level": "remember"}, {"stem": "What is question 7?", "options": ["alpha7", "gamma7", "delta7", "kappa7"], "answer": "D", "bloom_level": "remember"}, {"stem": "What is question 8?", "options": ["alpha8", "gamma8", "delta8", "kappa8"], "answer": "A", "bloom_level": "remember"}, {"stem": "What is question 9?", "options": ["alpha9", "gamma9", "delta9", "kappa9"], "answer": "B", "bloom_level": "remember"}]"#,
            passes: r#"[{"stem": "What is question 0?", "options": ["alpha0", "gamma0", "delta0", "kappa0"], "answer": "A", "bloom_level": "remember"}, {"stem": "What is question 1?", "options": ["alpha1", "gamma1", "delta1", "kappa1"], "answer": "B", "bloom_level": "apply"}, {"stem": "What is question 2?", "options": ["alpha2", "gamma2", "delta2", "kappa2"], "answer": "C", "bloom_level": "analyze"}, {"stem": "What is question 3?", "options": ["alpha3", "gamma3", "delta3", "kappa3"], "answer": "D", "bloom_level": "remember"}, {"stem": "What is question 4?", "options": ["alpha4", "gamma4", "delta4", "kappa4"], "answer": "A", "bloom_level": "apply"}, {"stem": "What is question 5?", "options": ["alpha5", "gamma5", "delta5", "kappa5"], "answer": "B", "bloom_level": "analyze"}, {"stem": "What is question 6?", "options": ["alpha6", "gamma6", "delta6", "kappa6"], "answer": "C", "bloom_level": "remember"}, {"stem": "What is question 7?", "options": ["alpha7", "gamma7", "delta7", "kappa7"], "answer": "D", "bloom_level": "apply"}, {"stem": "What is question 8?", "options": ["alpha8", "gamma8", "delta8", "kappa8"], "answer": "A", "bloom_level": "analyze"}, {"stem": "What is question 9?", "options": ["alpha9", "gamma9", "delta9", "kappa9"], "answer": "B", "bloom_level": "remember"}]"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least-items", what: "minimum number of items with a level" },Parameter { name: "share", what: "share of recall items at which a bank is reported" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some(range) = whole_bank(document) else {
        return;
    };
    let blooms = Sheet::tally(document).blooms;
    let items: usize = blooms.values().sum();
    if items == 0 || items < examination.count("least-items") {
        return;
    }
    let recall: usize = [Bloom::Remember, Bloom::Understand]
        .iter()
        .filter_map(|bloom| blooms.get(bloom))
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of items")]
    let share = recall as f64 / items as f64;
    if share >= examination.number("share") {
        sink.in_source(
            range,
            format!("{recall} of {items} items only test remembering or understanding; add items that ask to apply, analyse or evaluate"),
        )
        .component = ComponentId::whole();
    }
}
