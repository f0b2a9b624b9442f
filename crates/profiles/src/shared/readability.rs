//! What the readability checks share: `long-sentences`, `long-words`, `dense-text`.

use std::cmp::Ordering;

use redraft_gate::check::{Examination, Parameter, Sink};
use redraft_gate::content::{ComponentKind, Document};
use redraft_text::readability::{Figures, Paragraph, Sentence};

/// Averages of a few sentences say nothing.
pub(crate) const MIN_SENTENCES: Parameter = Parameter {
    name: "min-sentences",
    what: "minimum number of sentences for the document to be measured",
};

/// Something that is too long on average (`max-average`), reported once.
pub(crate) struct TooLong {
    pub(crate) average: fn(&Figures) -> Option<f64>,
    /// Which of two sentences is the worse example.
    pub(crate) longer: fn(&Sentence, &Sentence) -> Ordering,
}

impl TooLong {
    /// Reports the first of the worst sentences. `message` gets the average, the
    /// maximum and that sentence. Says whether there was anything to report.
    pub(crate) fn report(
        &self,
        examination: &Examination<'_>,
        sink: &mut Sink<'_>,
        message: impl FnOnce(f64, f64, &Sentence) -> String,
    ) -> bool {
        let Some(prose) = prose(examination) else {
            return false;
        };
        let most = examination.number("max-average");
        let Some(average) = (self.average)(&prose.figures).filter(|average| *average > most) else {
            return false;
        };
        let sentences = prose.sentences().rev();
        if let Some((field, worst)) = sentences.max_by(|(_, a), (_, b)| (self.longer)(a, b)) {
            let field = &examination.document.texts()[field];
            let message = message(average, most, worst);
            sink.in_text(field, worst.range.clone(), message);
        }
        true
    }
}

/// The paragraphs and sentences of a document, which it caches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prose<'a> {
    document: &'a Document,
    pub(crate) figures: Figures,
}

impl<'a> Prose<'a> {
    /// All paragraphs in order, each with the index of its text.
    pub(crate) fn paragraphs(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Paragraph)> {
        let document = self.document;
        let bodies = document
            .texts()
            .iter()
            .enumerate()
            .filter(|(_, field)| field.is_body());
        bodies.flat_map(move |(index, field)| {
            document
                .paragraphs(field)
                .iter()
                .map(move |paragraph| (index, paragraph))
        })
    }

    /// All sentences in order, each with the index of its text.
    pub(crate) fn sentences(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Sentence)> {
        self.paragraphs().flat_map(|(field, paragraph)| {
            paragraph
                .sentences
                .iter()
                .map(move |sentence| (field, sentence))
        })
    }
}

/// The prose of a document; `None` below `min-sentences`, and for multiple-choice items: an
/// average over a bank would say something else than one over each item (ruling 50).
pub(crate) fn prose<'a>(examination: &Examination<'a>) -> Option<Prose<'a>> {
    let least = examination.count("min-sentences");
    prose_of_any_length(examination).filter(|prose| prose.figures.sentences >= least)
}

/// The prose of a document, however little there is; `None` for multiple-choice items.
pub(crate) fn prose_of_any_length<'a>(examination: &Examination<'a>) -> Option<Prose<'a>> {
    let document = examination.document;
    let mut components = document.components().iter();
    if components.any(|component| component.kind == ComponentKind::Options) {
        return None;
    }
    let figures = document.figures();
    Some(Prose { document, figures })
}
