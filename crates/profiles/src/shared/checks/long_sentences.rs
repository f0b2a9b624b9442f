//! `long-sentences`: sentences that are too long on average.
//!
//! The three readability checks (this one, `dense-text`, `long-words`) share the
//! document's paragraphs and sentences; each declares its own parameters.

use std::cmp::Ordering;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::Document;
use redraft_gate::finding::Severity;
use redraft_text::readability::{Figures, Paragraph, Sentence};

pub(super) static CHECK: Check = Check {
    code: "TXT035",
    name: "long-sentences",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Acceptance,
    concern: Concern::Hygiene,
    summary: "the sentences are too long on average",
    what: "Counts the words of the sentences in a document's paragraphs, in every language, and reports the document once, at its longest sentence, if the average is above the limit. Code and formulas in a sentence count as one word each. Headings, lists, tables, quotations and code blocks are not counted, and documents with few sentences are skipped.",
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
            name: "min-sentences",
            what: "minimum number of sentences for the document to be measured",
        },
    ],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let too_long = TooLong {
        average: Figures::avg_sentence_length,
        longer: |a, b| a.length().cmp(&b.length()),
    };
    too_long.report(examination, sink, |average, most, longest| {
        format!(
            "sentences average {average:.1} words, more than {most}; aim for {}, and split this one, which has {}",
            examination.number("target"),
            longest.length(),
        )
    });
}

/// Something that is too long on average (`max-average`), reported once.
pub(super) struct TooLong {
    /// The average, if there is anything to measure.
    pub(super) average: fn(&Figures) -> Option<f64>,
    /// Which of two sentences is the worse example.
    pub(super) longer: fn(&Sentence, &Sentence) -> Ordering,
}

impl TooLong {
    /// Reports the worst sentence, the first of several, with a message made of the
    /// average, the most it may be, and that sentence.
    pub(super) fn report(
        &self,
        examination: &Examination<'_>,
        sink: &mut Sink<'_>,
        message: impl FnOnce(f64, f64, &Sentence) -> String,
    ) {
        let Some(prose) = prose(examination) else {
            return;
        };
        let most = examination.number("max-average");
        let Some(average) = (self.average)(&prose.figures).filter(|average| *average > most) else {
            return;
        };
        let sentences = prose.sentences().rev();
        if let Some((field, worst)) = sentences.max_by(|(_, a), (_, b)| (self.longer)(a, b)) {
            let field = &examination.document.texts()[field];
            let message = message(average, most, worst);
            sink.in_text(field, worst.range.clone(), message);
        }
    }
}

/// What the checks of readability look at: prose that the document has split into
/// paragraphs and sentences once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prose<'a> {
    document: &'a Document,
    /// The sum of it.
    pub(super) figures: Figures,
}

impl<'a> Prose<'a> {
    /// All paragraphs in order, each with the index of its text.
    pub(super) fn paragraphs(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Paragraph)> {
        let document = self.document;
        let bodies = document.texts().iter().enumerate().filter(|(_, field)| field.is_body());
        bodies.flat_map(move |(index, field)| {
            document.paragraphs(field).iter().map(move |paragraph| (index, paragraph))
        })
    }

    /// All sentences in order, each with the index of its text.
    pub(super) fn sentences(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Sentence)> {
        self.paragraphs().flat_map(|(field, paragraph)| {
            paragraph
                .sentences
                .iter()
                .map(move |sentence| (field, sentence))
        })
    }
}

/// The prose of a document, if there is enough of it to be measured
/// (`min-sentences`).
pub(super) fn prose<'a>(examination: &Examination<'a>) -> Option<Prose<'a>> {
    let document = examination.document;
    let figures = document.figures();
    let is_enough = figures.sentences >= examination.count("min-sentences");
    is_enough.then_some(Prose { document, figures })
}
