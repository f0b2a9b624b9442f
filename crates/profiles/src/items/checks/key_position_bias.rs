//! `key-position-bias`: the keys of a bank favour one position.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Mends, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::{p_value, report_bank};
use crate::check_list::DEFAULTS;
use crate::items::bank::sheet::Sheet;
use crate::items::model::letter;

pub(super) static CHECK: Check = Check {
    code: "BNK001",
    name: "key-position-bias",
    severity: Severity::Warning,
    mends: Mends::Proposes,
    summary: "the keys of a bank favour one position",
    what: "Counts the positions of the keys in a bank and tests how likely such an uneven spread is by chance: Pearson's chi-squared over items with the same number of options, with the p-value from simulated banks up to 1,000 items and from the distribution above that. Reports banks with p below .025 and an effect (Cohen's w) of at least .1. Banks with fewer than 30 keyed items are too small to tell. Criterion: `distractor_quality`, for the bank as a whole. Options that are stored apart from their key have no order and do not count. `check --fix-only BNK001 --unsafe` moves keys to other positions; items whose order matters (“all of the above”, “both A and B”, numbers, scales, alphabetical lists, texts that name letters) keep theirs.",
    why: "Models put the key first or second, authors put it in the middle. A learner who notices can be right without knowing.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"[{"stem": "What is question 0?", "options": ["alpha0", "gamma0", "delta0", "kappa0"], "answer": "B"}, {"stem": "What is question 1?", "options": ["alpha1", "gamma1", "delta1", "kappa1"], "answer": "B"}, {"stem": "What is question 2?", "options": ["alpha2", "gamma2", "delta2", "kappa2"], "answer": "B"}, {"stem": "What is question 3?", "options": ["alpha3", "gamma3", "delta3", "kappa3"], "answer": "B"}, {"stem": "What is question 4?", "options": ["alpha4", "gamma4", "delta4", "kappa4"], "answer": "B"}, {"stem": "What is question 5?", "options": ["alpha5", "gamma5", "delta5", "kappa5"], "answer": "B"}, {"stem": "What is question 6?", "options": ["alpha6", "gamma6", "delta6", "kappa6"], "answer": "B"}, {"stem": "What is question 7?", "options": ["alpha7", "gamma7", "delta7", "kappa7"], "answer": "B"}, {"stem": "What is question 8?", "options": ["alpha8", "gamma8", "delta8", "kappa8"], "answer": "B"}, {"stem": "What is question 9?", "options": ["alpha9", "gamma9", "delta9", "kappa9"], "answer": "B"}, {"stem": "What is question 10?", "options": ["alpha10", "gamma10", "delta10", "kappa10"], "answer": "B"}, {"stem": "What is question 11?", "options": ["alpha11", "gamma11", "delta11", "kappa11"], "answer": "B"}, {"stem": "What is question 12?", "options": ["alpha12", "gamma12", "delta12", "kappa12"], "answer": "B"}, {"stem": "What is question 13?", "options": ["alpha13", "gamma13", "delta13", "kappa13"], "answer": "B"}, {"stem": "What is question 14?", "options": ["alpha14", "gamma14", "delta14", "kappa14"], "answer": "B"}, {"stem": "What is question 15?", "options": ["alpha15", "gamma15", "delta15", "kappa15"], "answer": "B"}, {"stem": "What is question 16?", "options": ["alpha16", "gamma16", "delta16", "kappa16"], "answer": "B"}, {"stem": "What is question 17?", "options": ["alpha17", "gamma17", "delta17", "kappa17"], "answer": "B"}, {"stem": "What is question 18?", "options": ["alpha18", "gamma18", "delta18", "kappa18"], "answer": "B"}, {"stem": "What is question 19?", "options": ["alpha19", "gamma19", "delta19", "kappa19"], "answer": "B"}, {"stem": "What is question 20?", "options": ["alpha20", "gamma20", "delta20", "kappa20"], "answer": "B"}, {"stem": "What is question 21?", "options": ["alpha21", "gamma21", "delta21", "kappa21"], "answer": "B"}, {"stem": "What is question 22?", "options": ["alpha22", "gamma22", "delta22", "kappa22"], "answer": "B"}, {"stem": "What is question 23?", "options": ["alpha23", "gamma23", "delta23", "kappa23"], "answer": "B"}, {"stem": "What is question 24?", "options": ["alpha24", "gamma24", "delta24", "kappa24"], "answer": "B"}, {"stem": "What is question 25?", "options": ["alpha25", "gamma25", "delta25", "kappa25"], "answer": "B"}, {"stem": "What is question 26?", "options": ["alpha26", "gamma26", "delta26", "kappa26"], "answer": "B"}, {"stem": "What is question 27?", "options": ["alpha27", "gamma27", "delta27", "kappa27"], "answer": "B"}, {"stem": "What is question 28?", "options": ["alpha28", "gamma28", "delta28", "kappa28"], "answer": "B"}, {"stem": "What is question 29?", "options": ["alpha29", "gamma29", "delta29", "kappa29"], "answer": "B"}, {"stem": "What is question 30?", "options": ["alpha30", "gamma30", "delta30", "kappa30"], "answer": "B"}, {"stem": "What is question 31?", "options": ["alpha31", "gamma31", "delta31", "kappa31"], "answer": "B"}]"#,
            passes: r#"[{"stem": "What is question 0?", "options": ["alpha0", "gamma0", "delta0", "kappa0"], "answer": "A"}, {"stem": "What is question 1?", "options": ["alpha1", "gamma1", "delta1", "kappa1"], "answer": "B"}, {"stem": "What is question 2?", "options": ["alpha2", "gamma2", "delta2", "kappa2"], "answer": "C"}, {"stem": "What is question 3?", "options": ["alpha3", "gamma3", "delta3", "kappa3"], "answer": "D"}, {"stem": "What is question 4?", "options": ["alpha4", "gamma4", "delta4", "kappa4"], "answer": "A"}, {"stem": "What is question 5?", "options": ["alpha5", "gamma5", "delta5", "kappa5"], "answer": "B"}, {"stem": "What is question 6?", "options": ["alpha6", "gamma6", "delta6", "kappa6"], "answer": "C"}, {"stem": "What is question 7?", "options": ["alpha7", "gamma7", "delta7", "kappa7"], "answer": "D"}, {"stem": "What is question 8?", "options": ["alpha8", "gamma8", "delta8", "kappa8"], "answer": "A"}, {"stem": "What is question 9?", "options": ["alpha9", "gamma9", "delta9", "kappa9"], "answer": "B"}, {"stem": "What is question 10?", "options": ["alpha10", "gamma10", "delta10", "kappa10"], "answer": "C"}, {"stem": "What is question 11?", "options": ["alpha11", "gamma11", "delta11", "kappa11"], "answer": "D"}, {"stem": "What is question 12?", "options": ["alpha12", "gamma12", "delta12", "kappa12"], "answer": "A"}, {"stem": "What is question 13?", "options": ["alpha13", "gamma13", "delta13", "kappa13"], "answer": "B"}, {"stem": "What is question 14?", "options": ["alpha14", "gamma14", "delta14", "kappa14"], "answer": "C"}, {"stem": "What is question 15?", "options": ["alpha15", "gamma15", "delta15", "kappa15"], "answer": "D"}, {"stem": "What is question 16?", "options": ["alpha16", "gamma16", "delta16", "kappa16"], "answer": "A"}, {"stem": "What is question 17?", "options": ["alpha17", "gamma17", "delta17", "kappa17"], "answer": "B"}, {"stem": "What is question 18?", "options": ["alpha18", "gamma18", "delta18", "kappa18"], "answer": "C"}, {"stem": "What is question 19?", "options": ["alpha19", "gamma19", "delta19", "kappa19"], "answer": "D"}, {"stem": "What is question 20?", "options": ["alpha20", "gamma20", "delta20", "kappa20"], "answer": "A"}, {"stem": "What is question 21?", "options": ["alpha21", "gamma21", "delta21", "kappa21"], "answer": "B"}, {"stem": "What is question 22?", "options": ["alpha22", "gamma22", "delta22", "kappa22"], "answer": "C"}, {"stem": "What is question 23?", "options": ["alpha23", "gamma23", "delta23", "kappa23"], "answer": "D"}, {"stem": "What is question 24?", "options": ["alpha24", "gamma24", "delta24", "kappa24"], "answer": "A"}, {"stem": "What is question 25?", "options": ["alpha25", "gamma25", "delta25", "kappa25"], "answer": "B"}, {"stem": "What is question 26?", "options": ["alpha26", "gamma26", "delta26", "kappa26"], "answer": "C"}, {"stem": "What is question 27?", "options": ["alpha27", "gamma27", "delta27", "kappa27"], "answer": "D"}, {"stem": "What is question 28?", "options": ["alpha28", "gamma28", "delta28", "kappa28"], "answer": "A"}, {"stem": "What is question 29?", "options": ["alpha29", "gamma29", "delta29", "kappa29"], "answer": "B"}, {"stem": "What is question 30?", "options": ["alpha30", "gamma30", "delta30", "kappa30"], "answer": "C"}, {"stem": "What is question 31?", "options": ["alpha31", "gamma31", "delta31", "kappa31"], "answer": "D"}]"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least-items", what: "minimum number of items with a key" },Parameter { name: "p-below", what: "p-value below which a spread is reported" },Parameter { name: "least-effect", what: "effect size at which a spread is reported" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    report_bank(examination, sink, Sheet::position_bias, |bias| {
        format!(
            "{} of {} keys are {}, where chance gives {:.0} (p {}, effect size {:.2}); shuffle the options, or use --fix-only BNK001 --unsafe",
            bias.keys,
            bias.items,
            letter(bias.position),
            bias.expected,
            p_value(bias.p_value),
            bias.effect
        )
    });
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn a_small_bank_and_an_even_one_are_left_alone() {
        let bank = |items: usize, key: &dyn Fn(usize) -> char| {
            let items: Vec<String> = (0..items)
                .map(|index| {
                    let key = key(index);
                    format!(r#"{{"stem": "q", "options": ["a", "b", "c", "d"], "answer": "{key}"}}"#)
                })
                .collect();
            format!("[{}]", items.join(","))
        };
        let even = |index: usize| ['A', 'B', 'C', 'D'][index % 4];
        for (bank, expected) in [
            (bank(29, &|_| 'B'), 0),
            (bank(30, &|_| 'B'), 1),
            (bank(100, &even), 0),
            (bank(100, &|index| if index % 5 < 3 { 'C' } else { even(index) }), 1),
        ] {
            assert_eq!(count(&super::CHECK, &bank), expected);
        }
    }
}
