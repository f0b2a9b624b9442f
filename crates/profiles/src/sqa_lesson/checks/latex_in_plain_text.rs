//! `latex-in-plain-text`: LaTeX that a learner would see as source code.

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::{CardField, card_texts};

pub(super) static CHECK: Check = Check {
    code: "SQA059",
    name: "latex-in-plain-text",
    severity: Severity::Warning,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "LaTeX that a learner would see as source code",
    what: "Reports formulas with LaTeX commands (`\\frac`, `\\times`) in `explainer_plain`, and such commands outside `$…$` in every other text of a card, where they are not rendered. A number or a letter between dollar signs is ignored. Caps `accessibility` at .90 (seed 000: the plain explainer is for readers who need simple words; assume that visuals are not available).",
    why: "A screen reader says “backslash frac”. “One quarter of £20” can be heard, and that is what the plain explainer is for.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "Find $\\frac{1}{4}$ of £20."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "Find $\\frac{1}{4}$ of £20.", "explainer_plain": "Find 1/4 of £20."}]}"#,
        fixed: None,
    }],
    caps: &[ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in card_texts(examination.document) {
        let code = &text.field.markdown().code;
        let formulas = redraft_text::mathematics::mathematics(text.text(), code);
        let commands: Vec<Range<usize>> = commands(text.text())
            .filter(|range| !text.field.markdown().is_code(range.start))
            .collect();
        let formula_of = |command: &Range<usize>| {
            let next = formulas.partition_point(|formula| formula.end <= command.start);
            formulas.get(next).filter(|formula| formula.start <= command.start)
        };
        let mut end = 0;
        for command in commands {
            let formula = formula_of(&command);
            let range = match (text.card_field, formula) {
                (CardField::Plain, Some(formula)) => formula.clone(),
                (_, Some(_)) => continue,
                (_, None) => command.clone(),
            };
            // One finding per formula.
            if range.start < end {
                continue;
            }
            end = range.end;
            let found = text.text().get(range.clone()).unwrap_or_default();
            let name = text.text().get(command).unwrap_or_default();
            let spoken = spoken(name);
            let message = if text.card_field == CardField::Plain {
                format!("{} contains a LaTeX formula: {found}; write it in words or plain symbols ({spoken})", text.label())
            } else {
                format!("{} shows the raw LaTeX “{found}”; put the formula between dollar signs, or write it in words ({spoken})", text.label())
            };
            sink.in_text(text.field, range, message).caps(CHECK.caps);
        }
    }
}

fn commands(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('\\').filter_map(|(at, _)| {
        let name = text.get(at + 1..)?;
        let len = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = name.get(..len)?;
        COMMANDS.contains(&name).then_some(at..at + 1 + len)
    })
}

const COMMANDS: &[&str] = &[
    "frac", "dfrac", "tfrac", "times", "div", "cdot", "sqrt", "pounds", "text", "left", "right", "approx",
    "pi", "circ", "degree", "leq", "geq", "begin", "end", "mathrm", "overline", "angle", "theta", "pm", "quad",
];

/// How to write a command in words.
fn spoken(command: &str) -> &'static str {
    match command {
        "\\frac" | "\\dfrac" | "\\tfrac" => "“1/4” or “one quarter”",
        "\\times" | "\\cdot" => "“×” or “times”",
        "\\div" => "“÷” or “divided by”",
        "\\pounds" => "“£”",
        "\\sqrt" => "“the square root of”",
        "\\approx" => "“about”",
        _ => "for example “20 ÷ 4 = 5”",
    }
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn commands_are_found_where_they_are_not_rendered() {
        for (card, expected) in [
            (r#""explainer_plain": "$\\frac{1}{4} \\times 8$""#, &[r"$\\frac{1}{4} \\times 8$"][..]),
            (r#""explainer_plain": "$x$ and $20$""#, &[]),
            (r#""explainer": "$20 \\div 4$""#, &[]),
            (r#""explainer": "20 \\div 4 and `\\frac`""#, &[r"\\div"]),
            (r#""cfu": {"stem": "Find \\frac{1}{4} of £20"}"#, &[r"\\frac"]),
            (r#""explainer_plain": "Look.\\nNext line""#, &[]),
        ] {
            let at: Vec<String> = findings(&super::CHECK, &format!(r#"{{"cards": [{{"id": "c1", {card}}}]}}"#))
                .into_iter()
                .map(|said| said.at)
                .collect();
            assert_eq!(at, expected, "{card}");
        }
    }
}
