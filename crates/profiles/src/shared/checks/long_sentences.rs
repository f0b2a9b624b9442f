//! `long-sentences`: sentences that are too long on average.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;
use redraft_text::readability::Figures;

use crate::check_list::DEFAULTS;
use crate::shared::readability::{MIN_SENTENCES, TooLong, prose_of_any_length};

pub(super) static CHECK: Check = Check {
    code: "TXT035",
    name: "long-sentences",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    concern: Concern::Hygiene,
    summary: "the sentences are too long on average",
    what: "Counts the words of the sentences in a document's paragraphs, in every language, and reports the document once, at its longest sentence, if the average is above the limit. Otherwise each single sentence above a second limit is info, however short the document is. Code and formulas in a sentence count as one word each. Headings, lists, tables, quotations and code blocks are not counted, and multiple-choice items are skipped; so is the average of a few sentences.",
    why: "Learners who have to remember the start of a long sentence lose track of what it says.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater is a thing that we all know because we drink it every day and wash with it and cook with it, and yet it is stranger than most of the things around us when we look at it closely. It is the only thing that we meet in the house as a solid and as a liquid and as a gas, which is why it is such a good thing to start with when we want to learn how matter behaves. When it is heated on the stove it gets warmer for a while until small bubbles form at the bottom of the pot and rise and burst, and then it does not get warmer any more however long we wait. All the heat that the flame gives goes into making steam out of water then, and none of it into making the water hotter, which is why an egg is not done any sooner when the water boils more wildly.\n\nWhen it is cooled it gets colder until it starts to freeze, and it stays at this one temperature until the very last drop of it has turned into ice in the tray that we put into the freezer. Ice takes up more room than the water that it came from, so a full bottle that is forgotten in the freezer bursts in the night and leaves a heap of glass and ice for the morning. Most other things shrink when they freeze, and so this is one of the ways in which water is different from nearly everything else that we know from the kitchen or from the garden. It is also the reason why ice floats on a lake and keeps the water below it warm enough for the fish that wait for the spring at the bottom of the lake under the ice.\n\nSteam is not the white cloud that we see above the pot, since the cloud is made of tiny drops of water that have formed again in the cooler air some way above the hot water. The steam itself is the clear gap between the water and the cloud, and it is so hot that we should never put a hand into it in order to find out whether there is something there.\n",
        passes: "# Water\n\nWater is a thing that we all know. We drink it every day. We wash with it and cook with it. Yet it is stranger than most things around us. In the house we meet it as a solid, a liquid and a gas.\n\nOn the stove it gets warmer for a while. Then small bubbles form at the bottom. They rise and burst. From then on the water does not get warmer any more. All the heat goes into making steam. None of it makes the water hotter.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "max-average",
            what: "maximum average number of words per sentence",
        },
        Parameter {
            name: "target",
            what: "average to aim for, shown in the message",
        },
        Parameter {
            name: "longest",
            what: "maximum number of words of a single sentence",
        },
        MIN_SENTENCES,
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    // Thai and Lao have no mark at the end of a sentence.
    let language = examination.document.language();
    if language.is_some_and(|language| ["th", "lo"].contains(&language.as_str())) {
        return;
    }
    let too_long = TooLong {
        average: Figures::avg_sentence_length,
        longer: |a, b| a.length().cmp(&b.length()),
    };
    let is_reported = too_long.report(examination, sink, |average, most, longest| {
        format!(
            "sentences average {average:.1} words, more than {most}; aim for {}, and split this one, which has {}",
            examination.number("target"),
            longest.length(),
        )
    });
    if !is_reported {
        report_single(examination, sink);
    }
}

/// Single long sentences among short ones.
fn report_single(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(prose) = prose_of_any_length(examination) else {
        return;
    };
    let most = examination.count("longest");
    for (field, sentence) in prose.sentences() {
        let words = sentence.length();
        if words > most {
            let field = &examination.document.texts()[field];
            let message = format!("this sentence has {words} words; split it");
            sink.in_text(field, sentence.range.clone(), message)
                .severity(Severity::Info);
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Info, Warning};

    use crate::lesson::checks::testing::hold;

    #[test]
    fn a_single_long_sentence_is_reported_once() {
        let clause = |words: usize| format!("Rain{}.", " falls".repeat(words - 1));
        let short = "Rain falls from clouds. ".repeat(12);
        hold(
            &super::CHECK,
            &[
                (&format!("# Rain\n\n{}\n", clause(60)), None, &[]),
                (&format!("# Rain\n\n{}\n", clause(61)), None, &[Info]),
                (&format!("# Rain\n\n{short}{}\n", clause(61)), None, &[Info]),
                (&format!("# Rain\n\n> {}\n", clause(90)), None, &[]),
                (
                    &format!("# Rain\n\n{}\n", format!("{} ", clause(61)).repeat(10)),
                    None,
                    &[Warning],
                ),
            ],
        );
    }
}
