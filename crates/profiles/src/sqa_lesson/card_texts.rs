//! Every text of a template with the field it belongs to, so that a check can choose
//! its fields: a distractor may be wrong on purpose, an explainer may not. Knows
//! nothing of what is right.

use redraft_gate::content::{Document, TextField};

use super::model::{self, Card, Text};

/// The field of a card that a text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CardField {
    Title,
    Explainer,
    /// `explainer_plain`.
    Plain,
    /// A stem or its context.
    Stem,
    /// A wrong option.
    Distractor,
    RightOption,
    Hint,
    /// An expected answer.
    Answer,
    /// An explanation or model answer.
    Explanation,
    Criterion,
    /// A common mistake, described for the teacher.
    Misconception,
    Clarification,
    /// A note to the teacher.
    Hook,
}

impl CardField {
    /// Whether the text may be wrong on purpose.
    pub(crate) fn may_be_wrong(self) -> bool {
        matches!(self, Self::Distractor | Self::Misconception)
    }

    /// For messages, after the name of the card.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Explainer => "explainer",
            Self::Plain => "explainer_plain",
            Self::Stem => "CFU stem",
            Self::Distractor | Self::RightOption => "option",
            Self::Hint => "hint",
            Self::Answer => "expected answer",
            Self::Explanation => "explanation",
            Self::Criterion => "rubric",
            Self::Misconception => "misconception",
            Self::Clarification => "clarification",
            Self::Hook => "context hook",
        }
    }
}

/// A text of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardText<'a> {
    /// `None` for texts about the whole lesson.
    pub(crate) card: Option<&'a Card>,
    pub(crate) card_field: CardField,
    pub(crate) field: &'a TextField,
}

impl<'a> CardText<'a> {
    pub(crate) fn text(&self) -> &'a str {
        &self.field.text
    }

    /// For messages: `card 3 explainer_plain`.
    pub(crate) fn label(&self) -> String {
        match self.card {
            Some(card) => format!("card {} {}", card.number, self.card_field.words()),
            None => format!("the lesson’s {}", self.card_field.words()),
        }
    }

    /// The ranges of mathematics, code and escaped signs, in order.
    pub(crate) fn masked(&self) -> Vec<std::ops::Range<usize>> {
        let code = &self.field.markdown().code;
        let mut masked = redraft_text::mathematics::mathematics(self.text(), code);
        masked.extend(code.iter().cloned());
        masked.sort_by_key(|range| range.start);
        masked
    }
}

impl CardText<'_> {
    /// The ranges that are not read at all: addresses, tags, comments.
    pub(crate) fn unread(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let markdown = self.field.markdown();
        let text = self.text();
        let is_read = move |range: &std::ops::Range<usize>| {
            markdown.is_code(range.start)
                || text
                    .get(range.clone())
                    .is_some_and(|verbatim| verbatim.starts_with('$'))
        };
        let verbatim = markdown.verbatim.iter();
        verbatim.filter(move |range| !is_read(range)).cloned()
    }
}

/// The texts of a template in the order of its cards; none if the document is not
/// a template.
pub(crate) fn card_texts(document: &Document) -> Vec<CardText<'_>> {
    let Some(template) = model::template(document) else {
        return Vec::new();
    };
    let mut found = Collector {
        document,
        card: None,
        texts: Vec::new(),
    };
    found.add(CardField::Title, template.title.as_ref());
    found.add(CardField::Hook, template.assessment_notes.as_ref());
    for card in &template.cards {
        found.card = Some(card);
        found.card_texts(card);
    }
    found.texts
}

pub(crate) fn plain_texts(document: &Document) -> impl Iterator<Item = CardText<'_>> {
    card_texts(document)
        .into_iter()
        .filter(|text| text.card_field == CardField::Plain)
}

struct Collector<'a> {
    document: &'a Document,
    card: Option<&'a Card>,
    texts: Vec<CardText<'a>>,
}

impl<'a> Collector<'a> {
    fn add(&mut self, card_field: CardField, text: Option<&Text>) {
        if let Some(field) = text.and_then(|text| text.field(self.document)) {
            self.texts.push(CardText {
                card: self.card,
                card_field,
                field,
            });
        }
    }

    fn card_texts(&mut self, card: &'a Card) {
        self.add(CardField::Title, card.title.as_ref());
        self.add(CardField::Explainer, card.explainer.as_ref());
        self.add(CardField::Plain, card.explainer_plain.as_ref());
        for cfu in card.questions() {
            self.add(CardField::Stem, cfu.stem.as_ref());
            self.add(CardField::Stem, cfu.context.as_ref());
            for (index, option) in cfu.options.items.iter().enumerate() {
                let is_key = option.correct == Some(true)
                    || cfu
                        .keys
                        .iter()
                        .any(|key| key.index == i64::try_from(index).ok());
                let card_field = if is_key {
                    CardField::RightOption
                } else {
                    CardField::Distractor
                };
                self.add(card_field, option.text.as_ref());
            }
            for answer in &cfu.expected {
                let field = self.document.text_within(&answer.range);
                self.texts.extend(field.map(|field| CardText {
                    card: self.card,
                    card_field: CardField::Answer,
                    field,
                }));
            }
            for hint in &cfu.hints.items {
                self.add(CardField::Hint, Some(hint));
            }
            for explanation in &cfu.explanations {
                self.add(CardField::Explanation, Some(explanation));
            }
        }
        for rubric in card.rubrics() {
            for criterion in &rubric.criteria {
                self.add(CardField::Criterion, criterion.description.as_ref());
            }
        }
        for misconception in &card.misconceptions.items {
            self.add(
                CardField::Misconception,
                misconception.misconception.as_ref(),
            );
            self.add(
                CardField::Clarification,
                misconception.clarification.as_ref(),
            );
        }
        for hook in &card.context_hooks.items {
            self.add(CardField::Hook, Some(hook));
        }
    }
}
