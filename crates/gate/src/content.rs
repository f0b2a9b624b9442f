//! A document: one version of a source, cut into components and texts.
//!
//! A *component* is a part that can be named, judged and repaired on its own (a
//! section, a card, an item's stem). A *text* is a run of prose that a learner
//! reads, decoded from the file, with the way back to the file's bytes. A
//! Markdown lesson is a single text over many components; a JSON document has a
//! text for every string a learner sees.
//!
//! Documents are immutable. After edits the new bytes are parsed again. Which
//! components a kind of content has is a profile's business.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use redraft_text::json::{EscapeStyle, RecoveryKind};
use redraft_text::language::{Detection, Language};
use redraft_text::markdown::{Analysis, Markdown};
use redraft_text::readability::{self, EnglishWords, Figures, Paragraph};
use redraft_text::text_map::TextMap;
use redraft_text::words;
use redraft_text::writing::Writing;

use crate::edit::Edit;
use crate::reading::{FormKind, Outside, Recovered, Trouble};
use crate::shared_text::SharedText;
use crate::source::Source;
use crate::span::{ComponentId, Span};
use crate::vocabulary::Vocabulary;

/// What a component is, as far as the shared rules need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    /// The whole document.
    Whole,
    /// What opens a lesson.
    Introduction,
    /// A body section of a lesson.
    Section,
    /// What closes a lesson.
    Conclusion,
    /// A worked example.
    Example,
    /// A task for the learner.
    Exercise,
    /// Fields about the document as a whole.
    Meta,
    /// A lesson card.
    Card,
    /// One item of a bank.
    Item,
    /// The case that a clinical item presents.
    Vignette,
    /// The question of an item.
    Stem,
    /// The answers to choose from.
    Options,
    /// Which answer is right.
    AnswerKey,
    /// Why it is right.
    Explanation,
}

impl ComponentKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Introduction => "introduction",
            Self::Section => "section",
            Self::Conclusion => "conclusion",
            Self::Example => "example",
            Self::Exercise => "exercise",
            Self::Meta => "meta",
            Self::Card => "card",
            Self::Item => "item",
            Self::Vignette => "vignette",
            Self::Stem => "stem",
            Self::Options => "options",
            Self::AnswerKey => "answer_key",
            Self::Explanation => "explanation",
        }
    }
}

/// A part of a document with a name of its own.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name, unique within the document.
    pub id: ComponentId,
    /// What it is.
    pub kind: ComponentKind,
    /// Its heading or title, without markup.
    pub title: Option<String>,
    /// Its extent in the source's text.
    pub range: Range<usize>,
    /// The component it lies in; `None` for the whole document.
    pub parent: Option<usize>,
}

/// What a text is to its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextRole {
    /// A title or heading kept in a field of its own.
    Title,
    /// Prose that teaches: Markdown.
    Body,
    /// A short text such as a hint, an answer option or a rubric criterion.
    Short,
    /// Source code in a field of its own.
    Code,
}

/// A run of text that a learner reads.
#[derive(Debug)]
pub struct TextField {
    /// The component it belongs to (an index into the document's components).
    /// The text of a Markdown document belongs to the whole.
    pub component: usize,
    /// Where it lies in a JSON document (`sections[2].content`), or in one of its
    /// values where it is a file of many; empty for Markdown.
    pub path: Arc<str>,
    /// What it is to its reader.
    pub role: TextRole,
    /// The decoded text.
    pub text: SharedText,
    /// The way back from the decoded text to the source's text.
    pub map: TextMap,
    /// How the file writes it, where it is neither Markdown nor JSON.
    pub writing: Option<Writing>,
    /// Whether the text goes to the end of the document, so that a cut document
    /// is cut here.
    pub is_last: bool,
    markdown: OnceLock<Analysis>,
    split: OnceLock<Box<Split>>,
}

/// What is kept of the prose of a text. In a box, because the texts of a bank, of which
/// there are hundreds of thousands, have none.
#[derive(Debug, Default)]
struct Split {
    paragraphs: OnceLock<Vec<Paragraph>>,
    words: OnceLock<Vec<usize>>,
}

impl TextField {
    /// The Markdown structure of the text, analysed once.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Analysis::of(&self.text))
    }

    /// How many words each range of the text's prose has, counted once.
    pub fn prose_words(&self) -> &[usize] {
        let kept = &self.split.get_or_init(Box::default).words;
        kept.get_or_init(|| self.counted_prose().collect())
    }

    /// How many words its prose has. Nothing is kept for it.
    #[must_use]
    pub fn word_count(&self) -> usize {
        match self.split.get().and_then(|kept| kept.words.get()) {
            Some(counted) => counted.iter().sum(),
            None => self.counted_prose().sum(),
        }
    }

    fn counted_prose(&self) -> impl Iterator<Item = usize> {
        let prose = self.markdown().prose.iter();
        prose.map(|range| self.text.get(range.clone()).map_or(0, words::count_words))
    }

    /// Whether the text is prose in Markdown, long enough to have structure.
    #[must_use]
    pub fn is_body(&self) -> bool {
        self.role == TextRole::Body
    }
}

/// One version of a piece of content.
#[derive(Debug)]
pub struct Document {
    source: Source,
    shape: &'static str,
    title: Option<String>,
    language: Option<Language>,
    detection: OnceLock<Detection>,
    components: Vec<Component>,
    texts: Vec<TextField>,
    escape: Option<EscapeStyle>,
    outside: Vec<Outside>,
    recovered: Vec<Recovered>,
    form: FormKind,
    model: Option<Box<dyn Model>>,
    vocabulary: OnceLock<Vocabulary>,
    measured: OnceLock<(Figures, EnglishWords)>,
}

/// What a profile's parser understood of a document beyond its texts: the cards
/// with their questions, the items with their keys. Only the profile that wrote
/// it knows its type.
trait Model: Any + fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
}

impl<M: Any + fmt::Debug + Send + Sync> Model for M {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a value of a bank is expected to be, in the words of [`Trouble::OddField`].
pub const AN_ITEM: &str = "an item";

/// Words from which on a reading grade means something: Flesch and Kincaid
/// measured passages of a hundred words.
const MEASURABLE: usize = 100;

/// Texts up to which the paragraphs of each are kept once they were split.
const MOST_KEPT: usize = 1_000;

impl Document {
    /// The bytes and the text it was read from.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The shape it came in, such as `markdown` or `flat-json`.
    #[must_use]
    pub fn shape(&self) -> &'static str {
        self.shape
    }

    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The language it is written in, as told or as detected.
    #[must_use]
    pub fn language(&self) -> Option<&Language> {
        self.language.as_ref()
    }

    /// The language that its words show, whatever it was told to be in; `None`
    /// where they leave doubt.
    #[must_use]
    pub fn detected_language(&self) -> Option<Language> {
        let detection = self.detection();
        detection.language.filter(|_| detection.reliable)
    }

    fn detection(&self) -> Detection {
        *self
            .detection
            .get_or_init(|| redraft_text::language::detect(&sample(&self.texts)))
    }

    /// All components, parents before their children, in the order of the file.
    /// The first is the whole document.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    pub fn of_kind(&self, kind: ComponentKind) -> impl Iterator<Item = &Component> {
        self.components
            .iter()
            .filter(move |component| component.kind == kind)
    }

    /// All texts, in the order of the file.
    #[must_use]
    pub fn texts(&self) -> &[TextField] {
        &self.texts
    }

    /// The paragraphs of prose in one of the document's texts with their
    /// sentences, split once.
    pub fn paragraphs<'a>(&self, field: &'a TextField) -> &'a [Paragraph] {
        let kept = &field.split.get_or_init(Box::default).paragraphs;
        kept.get_or_init(|| self.split(field))
    }

    fn split(&self, field: &TextField) -> Vec<Paragraph> {
        readability::paragraphs(&field.text, field.markdown(), self.language())
    }

    /// The figures of the document's prose, measured once.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.measured().0
    }

    /// The figures of the prose, and of its words where it is English. The paragraphs of a
    /// large bank are not kept: nothing else asks for them.
    fn measured(&self) -> (Figures, EnglishWords) {
        *self.measured.get_or_init(|| {
            let keeps = self.texts.len() <= MOST_KEPT;
            let (mut figures, mut english) = (Figures::default(), EnglishWords::default());
            for field in self.texts.iter().filter(|field| field.is_body()) {
                let split;
                let paragraphs = if keeps {
                    self.paragraphs(field)
                } else {
                    split = self.split(field);
                    &split
                };
                figures.add(paragraphs);
                if self.language == Some(Language::EN) {
                    english.add(&field.text, field.markdown(), paragraphs);
                }
            }
            (figures, english)
        })
    }

    /// The Flesch-Kincaid grade of English prose, measured once; `None` for any
    /// other language and for texts too short to be measured.
    #[must_use]
    pub fn reading_grade(&self) -> Option<f64> {
        let (figures, english) = self.measured();
        let is_measurable = self.language == Some(Language::EN) && figures.words >= MEASURABLE;
        is_measurable.then(|| figures.flesch_kincaid(english))?
    }

    /// What the profile's parser understood of the document, where it keeps a
    /// model of that type.
    #[must_use]
    pub fn model<M: Any>(&self) -> Option<&M> {
        self.model
            .as_deref()
            .and_then(|model| model.as_any().downcast_ref())
    }

    /// The text that lies within a range of the source's text, such as the span
    /// of a JSON string; the first of them if there are several.
    #[must_use]
    pub fn text_within(&self, range: &Range<usize>) -> Option<&TextField> {
        let at = self
            .texts
            .partition_point(|field| field.map.source_span().start < range.start);
        self.texts
            .get(at)
            .filter(|field| field.map.source_span().end <= range.end)
    }

    /// The words of the document as they are looked up, collected once.
    pub fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::of(self))
    }

    /// What stands around the content and is not part of it.
    #[must_use]
    pub fn outside(&self) -> &[Outside] {
        &self.outside
    }

    /// What was decided about its form when it was read.
    #[must_use]
    pub fn form(&self) -> FormKind {
        self.form
    }

    /// What had to be done to read it.
    #[must_use]
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    /// Whether the file itself breaks off: JSON that is never closed.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.recovered
            .iter()
            .any(|recovered| matches!(recovered.what, Trouble::Json(RecoveryKind::CutOff { .. })))
    }

    /// The span in the file of a range of the source's text.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        self.source.span(range)
    }

    /// The span in the file of a range of one of the document's texts.
    #[must_use]
    pub fn span_in(&self, field: &TextField, range: Range<usize>) -> Span {
        self.span(field.map.to_source(range))
    }

    /// The innermost component at an offset of the source's text.
    #[must_use]
    pub fn component_at(&self, offset: usize) -> &Component {
        // Components stand in pre-order, so the last one that starts at or
        // before the offset, or one of its ancestors, contains it.
        let after = self
            .components
            .partition_point(|component| component.range.start <= offset);
        let mut index = after.saturating_sub(1);
        while let Some(parent) = self.components[index].parent {
            if offset < self.components[index].range.end {
                break;
            }
            // The very end of the file belongs to what stands last.
            if offset == self.source.text().len() && self.components[index].range.end == offset {
                break;
            }
            index = parent;
        }
        &self.components[index]
    }

    /// The component in which a range of a text stands.
    #[must_use]
    pub fn component_in(&self, field: &TextField, range: Range<usize>) -> &Component {
        if field.path.is_empty() {
            self.component_at(field.map.to_source(range).start)
        } else {
            &self.components[field.component]
        }
    }

    /// An edit of one of the document's texts, written as the file writes its
    /// strings.
    #[must_use]
    pub fn edit(&self, field: &TextField, range: Range<usize>, text: &str) -> Edit {
        if let Some(writing) = field.writing {
            return crate::foreign::edit(self, field, writing, range, text);
        }
        let text = match &self.escape {
            Some(style) if !field.path.is_empty() => style.escape(text),
            _ => text.to_owned(),
        };
        Edit {
            span: self.span_in(field, range),
            text,
        }
    }

    #[must_use]
    pub fn edit_source(&self, range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit {
            span: self.span(range),
            text: text.into(),
        }
    }
}

/// Puts a document together, in the order of the file.
#[derive(Debug)]
pub struct DocumentBuilder {
    document: Document,
    has_last_text: bool,
}

impl DocumentBuilder {
    /// Starts a document that has only its whole.
    #[must_use]
    pub fn new(source: Source, shape: &'static str) -> Self {
        let whole = Component {
            id: ComponentId::whole(),
            kind: ComponentKind::Whole,
            title: None,
            range: 0..source.text().len(),
            parent: None,
        };
        Self {
            document: Document {
                source,
                shape,
                title: None,
                language: None,
                detection: OnceLock::new(),
                components: vec![whole],
                texts: Vec::new(),
                escape: None,
                outside: Vec::new(),
                recovered: Vec::new(),
                form: FormKind::Markdown,
                model: None,
                vocabulary: OnceLock::new(),
                measured: OnceLock::new(),
            },
            has_last_text: true,
        }
    }

    /// The index of the whole document among the components.
    pub const WHOLE: usize = 0;

    /// Sets the title.
    pub fn title(&mut self, title: Option<String>) {
        self.document.title = title;
    }

    /// Sets how strings are written back.
    pub fn escape_style(&mut self, style: EscapeStyle) {
        self.document.escape = Some(style);
    }

    /// Says what stood around the content.
    pub fn outside(&mut self, outside: Vec<Outside>) {
        self.document.outside = outside;
    }

    /// Says that the texts are fields of their own, such as those of an item: none of
    /// them is where the document ends.
    pub fn texts_are_fields(&mut self) {
        self.has_last_text = false;
    }

    /// Says what was decided about the form of the content.
    pub fn form(&mut self, form: FormKind) {
        self.document.form = form;
    }

    /// Says what had to be done to read the content.
    pub fn recovered(&mut self, recovered: impl IntoIterator<Item = Recovered>) {
        self.document.recovered.extend(recovered);
    }

    /// Keeps what the profile's parser understood, for the profile's checks.
    pub fn model<M: Any + fmt::Debug + Send + Sync>(&mut self, model: M) {
        self.document.model = Some(Box::new(model));
    }

    /// Adds a component and gives its index. An id that is taken already gets a
    /// number, so that names stay unique whatever a file says.
    pub fn component(&mut self, component: Component) -> usize {
        self.document.components.push(component);
        self.document.components.len() - 1
    }

    /// The source's text, to be pointed into.
    #[must_use]
    pub fn source_text(&self) -> Arc<str> {
        self.document.source.shared_text()
    }

    /// How many texts were added.
    #[must_use]
    pub fn text_count(&self) -> u32 {
        u32::try_from(self.document.texts.len()).unwrap_or(u32::MAX)
    }

    /// Adds a text.
    pub fn text(&mut self, text: NewText) {
        self.written_text(text, None);
    }

    /// Adds a text that the file writes in a way of its own.
    pub fn written_text(&mut self, text: NewText, writing: Option<Writing>) {
        let length = text.text.len();
        self.document.texts.push(TextField {
            component: text.component,
            path: text.path,
            role: text.role,
            text: text.text,
            map: text.map,
            writing,
            is_last: false,
            markdown: text.markdown.map_or_else(OnceLock::new, |markdown| {
                OnceLock::from(Analysis::new(length, markdown))
            }),
            split: OnceLock::new(),
        });
    }

    /// The document, its components brought into order and its names made
    /// unique.
    #[must_use]
    pub fn finish(mut self, told: Option<Language>) -> Document {
        self.order_components();
        self.make_names_unique();
        let order = |field: &TextField| field.map.source_span().start;
        // Sorting takes as much memory again as half of them.
        if !self.document.texts.is_sorted_by_key(order) {
            self.document.texts.sort_by_key(order);
        }
        // A list grows to twice of what it needs, and those of a bank are long.
        self.document.texts.shrink_to_fit();
        self.document.components.shrink_to_fit();
        if self.has_last_text
            && let Some(last) = self
                .document
                .texts
                .iter_mut()
                .rev()
                .find(|field| field.is_body())
        {
            last.is_last = true;
        }
        self.document.language = told.or_else(|| self.document.detection().language);
        self.document
    }

    /// JSON objects may list a conclusion before the sections; the components
    /// are kept in the order of the file, so that look-ups by offset work.
    fn order_components(&mut self) {
        let components = &mut self.document.components;
        let ordered = components
            .windows(2)
            .all(|pair| pair[0].range.start <= pair[1].range.start);
        if ordered {
            return;
        }
        let mut order: Vec<usize> = (0..components.len()).collect();
        order.sort_by_key(|index| {
            let range = &components[*index].range;
            (range.start, std::cmp::Reverse(range.end), *index)
        });
        let mut new_index = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            new_index[*old] = new;
        }
        let mut reordered: Vec<Component> = order
            .iter()
            .map(|index| components[*index].clone())
            .collect();
        for component in &mut reordered {
            component.parent = component.parent.map(|parent| new_index[parent]);
        }
        *components = reordered;
        for text in &mut self.document.texts {
            text.component = new_index[text.component];
        }
    }

    fn make_names_unique(&mut self) {
        // Sorted, equal names stand together; a bank has hundreds of thousands of
        // them, so none is copied, and numbers are compared before names are.
        let components = &mut self.document.components;
        let mut order: Vec<(u64, usize)> = components
            .iter()
            .enumerate()
            .map(|(index, component)| (hash(&component.id.0), index))
            .collect();
        order.sort_unstable_by(|a, b| {
            let name = |entry: &(u64, usize)| &components[entry.1].id.0;
            let hashes = a.0.cmp(&b.0);
            hashes.then_with(|| (name(a), a.1).cmp(&(name(b), b.1)))
        });
        let mut repeated: Vec<(usize, usize)> = Vec::new();
        let mut uses = 1;
        for pair in order.windows(2) {
            let (before, here) = (pair[0].1, pair[1].1);
            uses = if components[before].id == components[here].id {
                uses + 1
            } else {
                1
            };
            if uses > 1 {
                repeated.push((here, uses));
            }
        }
        for (index, uses) in repeated {
            let id = &mut components[index].id.0;
            *id = format!("{id}~{uses}");
        }
    }
}

/// FNV-1a: the same on every machine, and short names are what it is good at.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A text to be added to a document.
#[derive(Debug)]
pub struct NewText {
    /// The index of its component.
    pub component: usize,
    /// Its place in a JSON document; empty for Markdown.
    pub path: Arc<str>,
    /// What it is to its reader.
    pub role: TextRole,
    /// The decoded text.
    pub text: SharedText,
    /// The way back to the source's text.
    pub map: TextMap,
    /// Its Markdown structure, where it is known already.
    pub markdown: Option<Markdown>,
}

/// Detection looks at prose only, and at no more of it than it needs: code is
/// English in any lesson.
fn sample(texts: &[TextField]) -> String {
    const SAMPLE: usize = 6_000;
    let mut sample = String::new();
    'texts: for field in texts.iter().filter(|field| field.role != TextRole::Code) {
        for range in &field.markdown().prose {
            if let Some(prose) = field.text.get(range.clone()) {
                sample.push_str(prose);
                sample.push('\n');
            }
            if sample.len() > SAMPLE {
                break 'texts;
            }
        }
    }
    sample
}
