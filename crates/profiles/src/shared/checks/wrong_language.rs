//! `wrong-language`: prose that is not in the requested language, or a section
//! or paragraph in another language than the rest.
//!
//! | language requested | prose | finding |
//! |---|---|---|
//! | yes | nearly all of it in one other language | error |
//! | either | a section wholly in another than the rest | error; a warning if it is short or announced as a text |
//! | either | a paragraph in another than the rest | warning |
//! | either | the explanation of an option in another script than the others (`fields`) | warning |
//! | either | the companions name the other language, or the two take turns throughout | none: it is taught |
//!
//! Each item of a bank is a text of its own.
//!
//! `redraft_text::language` detects languages; `passages` gives it prose without
//! code, quotations, tables and links.

use std::collections::BTreeSet;
use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Parameter, Phase, Sink,
};
use redraft_gate::companion::Companions;
use redraft_gate::content::{ComponentKind, Document, TextField};
use redraft_gate::finding::Severity;
use redraft_text::language::{Language, detect, differs, is_clearly, leading, mentions};
use redraft_text::words::words;

use crate::check_list::DEFAULTS;
use crate::shared::prose::prose_blocks;
use crate::shared::taught_language::is_taught;

mod fields;
mod names;
mod passages;

use names::{KNOWN, are_kin, name};
use passages::{Passage, Section, sections, sections_of};

pub(super) static CHECK: Check = Check {
    code: "TXT030",
    name: "wrong-language",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Language,
    summary: "the text is not in the requested language",
    what: "Compares the language of the prose with the one requested by the specification or `--language`, and reports the document if nearly all of its prose is in another language. A section that is wholly in another language than the rest is an error, a paragraph a warning, whether or not a language was requested. Code, quotations, poems, emphasised passages, tables, links and lists of sources do not count. Short texts, texts that mix two languages throughout, and lessons whose specification or scheme of work names the other language (they teach it) are left alone.",
    why: "Models fall back to English or to the language of their sources, which the learner may not be able to read.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\n## Boiling\n\nWater boils when it has been heated for long enough. The bubbles that rise from the bottom of the pot are made of steam, and they burst as soon as they reach the surface. After that the water does not get any hotter, because all of the heat goes into making more steam.\n\nThe pot should never be left alone on the stove while the water in it is boiling.\n\n## Замерзание\n\nЕсли воду охлаждать достаточно долго, она превращается в лёд. Лёд занимает больше места, чем вода, из которой он получился, поэтому полная бутылка в морозильнике лопается. Почти все другие вещества при замерзании сжимаются, и в этом вода не похожа ни на что другое в доме.\n",
        passes: "# Water\n\n## Boiling\n\nWater boils when it has been heated for long enough. The bubbles that rise from the bottom of the pot are made of steam, and they burst as soon as they reach the surface.\n\n## Freezing\n\nWhen water is cooled for long enough it turns into ice. As they say in Moscow:\n\n> Лёд занимает больше места, чем вода, из которой он получился, поэтому полная бутылка в морозильнике лопается.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "min-words",
            what: "minimum number of words for the language to be detected",
        },
        Parameter {
            name: "min-passage-words",
            what: "minimum number of words of a paragraph or section whose language is compared with the rest",
        },
        Parameter {
            name: "min-share",
            what: "minimum share of prose in another language that is an error",
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    fields::report(document, sink);
    // The detector would mistake an unknown language for another.
    let expected = examination
        .companions
        .expected_language()
        .copied()
        .filter(|language| KNOWN.contains(&language.as_str()));
    let mut items = document.of_kind(ComponentKind::Item).peekable();
    if items.peek().is_none() {
        let sections = sections(document);
        let scope = Scope {
            texts: document.texts(),
            sections: &sections,
            main: main_language(document, &sections),
        };
        if !scope.examine(examination, expected, sink) {
            fields::strange_passage(document, &sections, sink);
        }
        return;
    }
    // An item is compared with itself, so that it has the same findings alone and in
    // a bank. The prose of one item at a time is enough.
    let mut has_strange_item = false;
    for item in items {
        let texts = texts_in(document, &item.range);
        let sections = sections_of(document, texts.clone());
        if sections.is_empty() {
            continue;
        }
        let sample = sample(&sections);
        let min_words = examination.count("min-passage-words");
        if expected.is_none() && is_all_alike(&sections, &sample, min_words) {
            continue;
        }
        let scope = Scope {
            texts: document.texts().get(texts).unwrap_or_default(),
            main: reliable_language(&sample),
            sections: &sections,
        };
        has_strange_item |= scope.examine(examination, expected, sink);
    }
    // Items too short to tell alone.
    if let Some(expected) = expected
        && !has_strange_item
    {
        let sections = sections(document);
        if let Some(found) = Whole::new(examination, expected).in_another(&sections) {
            report_whole(document, &sections, (found, expected), sink);
        }
    }
}

/// The indexes of the texts within a range of the source's text.
fn texts_in(document: &Document, range: &Range<usize>) -> Range<usize> {
    let texts = document.texts();
    let start = |field: &TextField| field.map.source_span().start;
    let first = texts.partition_point(|field| start(field) < range.start);
    let end = texts.partition_point(|field| start(field) < range.end);
    first..end.max(first)
}

/// What is compared: a document, or one item of a bank.
struct Scope<'a> {
    texts: &'a [TextField],
    sections: &'a [Section<'a>],
    /// The language of most of it, as detected.
    main: Option<Language>,
}

impl Scope<'_> {
    /// Reports what is in another language. Whether anything is.
    fn examine(
        &self,
        examination: &Examination<'_>,
        expected: Option<Language>,
        sink: &mut Sink<'_>,
    ) -> bool {
        let document = examination.document;
        let sections = self.sections;
        if let Some(expected) = expected
            && let Some(found) = Whole::new(examination, expected).in_another(sections)
        {
            report_whole(document, sections, (found, expected), sink);
            return true;
        }
        let Some(mut main) = expected.or(self.main) else {
            return false;
        };
        let min_words = examination.count("min-passage-words");
        let mut strangers = strangers(sections, main, min_words);
        // The sample that the language was detected from may be a strange passage.
        if expected.is_none()
            && let Some(most) = most_of(sections, &strangers)
        {
            main = most;
            strangers = self::strangers(sections, main, min_words);
        }
        let mut others: Vec<Language> = strangers.iter().map(|stranger| stranger.language).collect();
        others.sort_unstable();
        others.dedup();
        let rest = Rest {
            texts: self.texts,
            sections,
            main,
            requested: expected.is_some(),
            min_words: examination.count("min-words"),
        };
        for other in others {
            let of_it: Vec<&Stranger> = strangers
                .iter()
                .filter(|stranger| stranger.language == other)
                .collect();
            if !rest.teaches(document, examination.companions, &of_it, other) {
                rest.report(document, &of_it, other, sink);
            }
        }
        !strangers.is_empty()
    }
}

fn report_whole(
    document: &Document,
    sections: &[Section<'_>],
    (found, expected): (Language, Language),
    sink: &mut Sink<'_>,
) {
    let first = sections.iter().flat_map(|section| &section.passages).next();
    if let Some(first) = first {
        sink.in_text(
            &document.texts()[first.field],
            first.range.clone(),
            format!(
                "the text is in {}; {} was requested",
                name(found),
                name(expected)
            ),
        );
    }
}

/// The language of most of the prose, if detected reliably; where two languages
/// leave doubt about the whole, that of the longest section.
fn main_language(document: &Document, sections: &[Section<'_>]) -> Option<Language> {
    let detected = document.detected_language().or_else(|| {
        let longest = sections.iter().map(Section::prose).max_by_key(String::len)?;
        reliable_language(&longest)
    })?;
    let is_told_otherwise = document.language().is_some_and(|told| *told != detected);
    (!is_told_otherwise || document.detected_language().is_none()).then_some(detected)
}

fn reliable_language(prose: &str) -> Option<Language> {
    let detection = detect(prose);
    detection.language.filter(|_| detection.reliable)
}

/// Whether every passage is in the language that most of the words are of, so that the
/// detector need not be asked.
fn is_all_alike(sections: &[Section<'_>], sample: &str, min_words: usize) -> bool {
    let Some(main) = leading(sample) else {
        return false;
    };
    sections.iter().all(|section| {
        let mut long = section.passages.iter().filter(|passage| has_words(&passage.prose, min_words));
        let mut has_long = false;
        let are_alike = long.all(|passage| {
            has_long = true;
            passage.is_apart || is_clearly(&passage.prose, main)
        });
        are_alike && (has_long || section.passages.len() < 2 || is_clearly(&section.prose(), main))
    })
}

/// The language of the strangers, if they are more than half of the text.
fn most_of(sections: &[Section<'_>], strangers: &[Stranger]) -> Option<Language> {
    let first = strangers.first()?.language;
    let letters = Passage::weight;
    let all: usize = sections
        .iter()
        .flat_map(|section| &section.passages)
        .map(letters)
        .sum();
    let strange: usize = strangers
        .iter()
        .filter(|stranger| stranger.language == first)
        .map(|stranger| letters(&sections[stranger.section].passages[stranger.passage]))
        .sum();
    (strange * 2 > all).then_some(first)
}

/// A passage in another language than the rest.
struct Stranger {
    section: usize,
    passage: usize,
    language: Language,
}

/// The passages in another language, in order.
fn strangers(sections: &[Section<'_>], main: Language, min_words: usize) -> Vec<Stranger> {
    let mut strangers = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        let first = strangers.len();
        for (index, passage) in section.passages.iter().enumerate() {
            if passage.is_apart || !has_words(&passage.prose, min_words) {
                continue;
            }
            if let Some(language) = differs(&passage.prose, main)
                && !are_kin(language, main)
                && !may_be_japanese(&passage.prose, language, main)
            {
                strangers.push(Stranger {
                    section: at,
                    passage: index,
                    language,
                });
            }
        }
        if let Some(language) = whole_section(section, &strangers[first..], main, min_words) {
            strangers.truncate(first);
            strangers.extend((0..section.passages.len()).map(|passage| Stranger {
                section: at,
                passage,
                language,
            }));
        }
    }
    strangers
}

/// Whether characters that Japanese and Chinese share are Japanese here: durations, dates and
/// names have no kana, and no word that only Chinese has either.
fn may_be_japanese(prose: &str, language: Language, main: Language) -> bool {
    const CHINESE_ONLY: &str = "的了是这這那们們我你他她它吗嗎吧呢很没沒说說还還为為从從对對就都也把被给給让讓";
    main.as_str() == "ja" && language.as_str() == "zh" && !prose.chars().any(|c| CHINESE_ONLY.contains(c))
}

/// The language of a section that is wholly in another language, though some of
/// its passages are too short to tell alone.
fn whole_section(
    section: &Section<'_>,
    found: &[Stranger],
    main: Language,
    min_words: usize,
) -> Option<Language> {
    let passages = &section.passages;
    if passages.len() < 2
        || found.len() == passages.len()
        || passages.iter().any(|passage| passage.is_apart)
    {
        return None;
    }
    let is_short = |passage: &Passage| !has_words(&passage.prose, min_words);
    if found.is_empty() && !passages.iter().all(is_short) {
        return None;
    }
    let prose = section.prose();
    if !has_words(&prose, min_words) {
        return None;
    }
    let language = differs(&prose, main)
        .filter(|language| !are_kin(*language, main) && !may_be_japanese(&prose, *language, main))?;
    let agrees = found
        .iter()
        .all(|stranger| are_kin(stranger.language, language));
    let is_in_main = |passage: &Passage| {
        has_words(&passage.prose, min_words) && detect(&passage.prose).language == Some(main)
    };
    (agrees && !passages.iter().any(is_in_main)).then_some(language)
}

/// What the passages in another language stand in.
struct Rest<'a> {
    texts: &'a [TextField],
    sections: &'a [Section<'a>],
    main: Language,
    requested: bool,
    min_words: usize,
}

impl Rest<'_> {
    /// Whether the lesson teaches the language, or is written in both.
    fn teaches(
        &self,
        document: &Document,
        companions: &Companions,
        strangers: &[&Stranger],
        other: Language,
    ) -> bool {
        is_taught(companions, other)
            || self.takes_turns(strangers)
            || self.mentions(document, strangers, other) >= MENTIONS
    }

    /// Whether the languages alternate, and a good part of the text is in the other.
    fn takes_turns(&self, strangers: &[&Stranger]) -> bool {
        let strange: BTreeSet<(usize, usize)> = strangers
            .iter()
            .map(|stranger| (stranger.section, stranger.passage))
            .collect();
        let mut changes = 0;
        let (mut all_letters, mut strange_letters) = (0, 0);
        let mut was_strange = false;
        for (at, section) in self.sections.iter().enumerate() {
            for (index, passage) in section.passages.iter().enumerate() {
                let is_strange = strange.contains(&(at, index));
                let letters = passage.weight();
                changes += usize::from(is_strange != was_strange);
                was_strange = is_strange;
                all_letters += letters;
                strange_letters += if is_strange { letters } else { 0 };
            }
        }
        changes > 4 && strange_letters * 4 > all_letters
    }

    /// In how many blocks of other sections the language is quoted, up to a limit.
    fn mentions(&self, document: &Document, strangers: &[&Stranger], other: Language) -> usize {
        let places: BTreeSet<&str> = strangers
            .iter()
            .map(|stranger| self.sections[stranger.section].component)
            .collect();
        self.texts
            .iter()
            .flat_map(|field| prose_blocks(field).map(move |(_, block)| (field, block)))
            .filter(|(field, block)| {
                let text = field.text.get(block.content.clone()).unwrap_or_default();
                let component = document.component_in(field, block.content.clone());
                mentions(text, other, self.main) && !places.contains(component.id.0.as_str())
            })
            .take(MENTIONS)
            .count()
    }

    /// One finding for a section that is wholly in the other language, otherwise
    /// one for every paragraph.
    fn report(
        &self,
        document: &Document,
        strangers: &[&Stranger],
        other: Language,
        sink: &mut Sink<'_>,
    ) {
        let (other_name, main_name) = (name(other), name(self.main));
        for group in strangers.chunk_by(|a, b| a.section == b.section) {
            let Some(section) = group.first().map(|first| &self.sections[first.section]) else {
                continue;
            };
            let here: Vec<&Passage> = group
                .iter()
                .map(|stranger| &section.passages[stranger.passage])
                .collect();
            let Some(first) = here.first() else { continue };
            let is_whole = self.sections.len() > 1 && section.is_wholly(&here);
            if is_whole {
                let is_certain = !section.announces_text
                    && (self.sections.len() > 2 || self.requested)
                    && has_words(&section.prose(), self.min_words);
                sink.in_text(
                    &document.texts()[first.field],
                    first.range.clone(),
                    format!("this section is in {other_name}; the rest is in {main_name}"),
                )
                .severity(if is_certain { Severity::Error } else { Severity::Warning });
                continue;
            }
            for passage in here {
                sink.in_text(
                    &document.texts()[passage.field],
                    passage.range.clone(),
                    format!("this paragraph is in {other_name}; the rest is in {main_name}"),
                )
                .severity(Severity::Warning);
            }
        }
    }
}

/// Blocks with words of the other language that show that a lesson is about it.
const MENTIONS: usize = 3;

/// What a document in another language than requested is recognised by.
struct Whole {
    expected: Language,
    min_words: usize,
    min_share: f64,
}

impl Whole {
    fn new(examination: &Examination<'_>, expected: Language) -> Self {
        Self {
            expected,
            min_words: examination.count("min-words"),
            min_share: examination.number("min-share"),
        }
    }

    /// The language of nearly all prose, if it is not the requested one. The
    /// sections vote by their length, so that a mixed text has no answer.
    fn in_another(&self, sections: &[Section<'_>]) -> Option<Language> {
        let proses: Vec<String> = sections.iter().map(Section::prose).collect();
        let total: usize = proses.iter().map(String::len).sum();
        let whole = sample(sections);
        if !has_words(&whole, self.min_words) {
            return None;
        }
        let found = reliable_language(&whole)?;
        if are_kin(found, self.expected) {
            return None;
        }
        let mut agreeing = 0;
        let mut voting = 0;
        for prose in &proses {
            let vote = detect(prose);
            if vote.reliable {
                voting += prose.len();
                agreeing += if vote.language == Some(found) { prose.len() } else { 0 };
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "lengths of texts")]
        let share = agreeing as f64 / voting.max(1) as f64;
        (voting * 2 >= total && share >= self.min_share && is_uniform(&whole, found)).then_some(found)
    }
}

/// Bytes of prose that are looked at; the detector samples anyway.
const LONGEST_SAMPLE: usize = 6_000;

/// A sample with prose of every section.
fn sample(sections: &[Section<'_>]) -> String {
    let mut whole = String::new();
    for section in sections {
        if whole.len() > LONGEST_SAMPLE {
            break;
        }
        let prose = section.prose();
        let end = prose.floor_char_boundary(prose.len().min(LONGEST_SAMPLE));
        whole.push_str(&prose[..end]);
    }
    whole
}

/// Whether the halves of a text are in the same language as the whole: where
/// two languages take turns, one of them teaches the other.
fn is_uniform(text: &str, language: Language) -> bool {
    let middle = text.floor_char_boundary(text.len() / 2);
    let (first, second) = text.split_at(middle);
    [first, second]
        .into_iter()
        .all(|half| detect(half).language == Some(language))
}

/// Whether a text has so many words. If it has far more spaces than that, the
/// words need not be segmented.
fn has_words(text: &str, least: usize) -> bool {
    let plenty = 2 * least;
    let spaces = text.bytes().filter(|byte| *byte == b' ');
    spaces.take(plenty).count() == plenty || words(text).take(least).count() == least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(prose: &str) -> Section<'static> {
        Section {
            component: "",
            passages: vec![Passage {
                field: 0,
                range: 0..1,
                prose: prose.to_owned(),
                is_apart: false,
            }],
            announces_text: false,
        }
    }

    const ENGLISH: &str = "Water boils when it has been heated for long enough, and the steam that rises from it is very hot. Nobody should put a hand into it.";
    const GERMAN: &str = "Wasser kocht, wenn es lange genug erhitzt worden ist, und der Dampf, der davon aufsteigt, ist sehr heiß. Niemand sollte die Hand hineinhalten.";

    #[test]
    fn only_a_text_that_is_nearly_all_in_another_language_is_wrong_as_a_whole() {
        let german = Whole {
            expected: Language::DE,
            min_words: 20,
            min_share: 0.9,
        };
        for (sections, found) in [
            (vec![section(ENGLISH), section(ENGLISH)], Some(Language::EN)),
            (vec![section(GERMAN), section(GERMAN)], None),
            (vec![section(GERMAN), section(ENGLISH)], None),
            (vec![section("Water boils.")], None),
        ] {
            assert_eq!(german.in_another(&sections), found);
        }
    }
}
