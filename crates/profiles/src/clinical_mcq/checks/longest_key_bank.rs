//! `longest-key-bank`: the longest option is the key too often.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use super::{p_value, report_bank};
use crate::clinical_mcq::bank::sheet::Sheet;

pub(super) static CHECK: Check = Check {
    code: "BNK002",
    name: "longest-key-bank",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "the longest option is the key too often",
    what: "Counts, over the items in which one option is longer than all others, how often that option is the key, and compares this with chance: an exact probability up to 2,000 items, a normal approximation above that. Reports banks with p below .025 and a share five points above chance, with its 95% interval. Fewer than 30 such items are too few to tell. Criterion: `distractor_quality`, for the bank as a whole.",
    why: "Learners who always choose the longest option should do no better than chance.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"[{"stem": "What is question 0?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 1?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 2?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 3?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 4?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 5?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 6?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 7?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 8?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 9?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 10?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 11?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 12?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 13?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 14?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 15?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 16?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 17?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 18?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 19?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 20?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 21?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 22?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 23?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 24?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 25?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 26?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 27?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 28?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 29?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 30?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 31?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}]"#,
            passes: r#"[{"stem": "What is question 0?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 1?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 2?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "C"}, {"stem": "What is question 3?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "D"}, {"stem": "What is question 4?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 5?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 6?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "C"}, {"stem": "What is question 7?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "D"}, {"stem": "What is question 8?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "A"}, {"stem": "What is question 9?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "B"}, {"stem": "What is question 10?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 11?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "D"}, {"stem": "What is question 12?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "A"}, {"stem": "What is question 13?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "B"}, {"stem": "What is question 14?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "C"}, {"stem": "What is question 15?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}, {"stem": "What is question 16?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 17?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 18?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "C"}, {"stem": "What is question 19?", "options": ["alphalonger", "gamma", "delta", "kappa"], "answer": "D"}, {"stem": "What is question 20?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "A"}, {"stem": "What is question 21?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "B"}, {"stem": "What is question 22?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "C"}, {"stem": "What is question 23?", "options": ["alpha", "gammalonger", "delta", "kappa"], "answer": "D"}, {"stem": "What is question 24?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "A"}, {"stem": "What is question 25?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "B"}, {"stem": "What is question 26?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "C"}, {"stem": "What is question 27?", "options": ["alpha", "gamma", "deltalonger", "kappa"], "answer": "D"}, {"stem": "What is question 28?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "A"}, {"stem": "What is question 29?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "B"}, {"stem": "What is question 30?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "C"}, {"stem": "What is question 31?", "options": ["alpha", "gamma", "delta", "kappalonger"], "answer": "D"}]"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least-items", what: "minimum number of items with a single longest option" },Parameter { name: "p-below", what: "p-value below which a bank is reported" },Parameter { name: "least-more", what: "share above chance at which a bank is reported" },],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    report_bank(examination, sink, Sheet::length_cue, |cue| {
        format!(
            "the longest option is the key in {} of {} items: {:.0}% (95% interval {:.0} to {:.0}%), where chance gives {:.0}% (p {}); shorten keys or lengthen wrong options",
            cue.longest,
            cue.items,
            cue.rate() * 100.0,
            cue.interval.0 * 100.0,
            cue.interval.1 * 100.0,
            cue.chance * 100.0,
            p_value(cue.p_value)
        )
    });
}
