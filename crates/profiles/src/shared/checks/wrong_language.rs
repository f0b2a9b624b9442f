//! `wrong-language`: prose that is not in the requested language, or a section
//! in another language than the rest.
//!
//! | language requested | prose | finding |
//! |---|---|---|
//! | yes | nearly all of it in one other language | error |
//! | yes | some in the requested language, some in others | a warning for each section wholly in another |
//! | no | a section wholly in another than the rest | warning |
//! | either | the lesson names the other language | no section is reported: it may teach it |
//!
//! `redraft_text::language` detects languages; this check gives it enough prose,
//! without code, quotations, tables and links.

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Parameter, Phase, Sink,
};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::language::{Language, detect};
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::words::words;

use crate::check_list::DEFAULTS;
use crate::shared::prose::is_inside;

pub(super) static CHECK: Check = Check {
    code: "TXT030",
    name: "wrong-language",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Language,
    summary: "the text is not in the requested language",
    what: "Compares the language of the prose with the one requested by the specification or `--language`, and reports the document if nearly all of its prose is in another language. A single section in another language than the rest is a warning, whether or not a language was requested. Code, quotations, tables and links do not count; short texts, mixed texts and lessons that name the other language (they may teach it) are left alone.",
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
            name: "min-share",
            what: "minimum share of prose in another language that is an error",
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let min_words = examination.count("min-words");
    // The detector would mistake an unknown language for another.
    let expected = examination
        .companions
        .expected_language()
        .copied()
        .filter(|language| KNOWN.contains(&language.as_str()));
    let sections = prose_by_section(document);
    let total: usize = sections.iter().map(|section| section.prose.len()).sum();
    if let Some(expected) = expected
        && let Some(found) = whole_in_another(
            &sections,
            expected,
            min_words,
            examination.number("min-share"),
        )
    {
        if let Some(first) = sections
            .iter()
            .find(|section| !section.prose.trim().is_empty())
        {
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
        return;
    }
    // With a single section there is no rest to differ from.
    if sections.len() < 2 {
        return;
    }
    let Some(main) = expected.or_else(|| main_language(document)) else {
        return;
    };
    for section in &sections {
        if !has_words(&section.prose, min_words)
            || section.prose.len() * 2 > total && expected.is_none()
        {
            continue;
        }
        // Most sections are in the right language, and a short sample proves it.
        let little = section
            .prose
            .floor_char_boundary(section.prose.len().min(GLANCE));
        if detect(&section.prose[..little]).language == Some(main) {
            continue;
        }
        let detection = detect(&section.prose);
        let Some(other) = detection.language.filter(|_| detection.reliable) else {
            continue;
        };
        if !are_kin(other, main)
            && is_uniform(&section.prose, other)
            && !names(document.source().text(), other)
        {
            sink.in_text(
                &document.texts()[section.field],
                section.range.clone(),
                format!(
                    "this section is in {}; the rest is in {}",
                    name(other),
                    name(main)
                ),
            )
            .severity(Severity::Warning);
        }
    }
}

/// The length of that sample, in bytes.
const GLANCE: usize = 160;

/// The language of most of the prose, if detected reliably.
fn main_language(document: &Document) -> Option<Language> {
    document
        .detected_language()
        .filter(|language| document.language().is_none_or(|known| known == language))
}

/// Languages that can be recognised.
const KNOWN: [&str; 40] = [
    "en", "de", "es", "fr", "pt", "it", "nl", "pl", "sv", "da", "no", "ro", "ca", "cs", "sk", "hr",
    "tr", "fi", "hu", "id", "vi", "ru", "bg", "sr", "mk", "uk", "be", "zh", "ja", "ko", "el", "he",
    "hy", "ka", "th", "ar", "fa", "ur", "hi", "af",
];

/// The prose of one component.
struct SectionProse {
    field: usize,
    /// The first block.
    range: Range<usize>,
    prose: String,
}

/// Bytes of prose kept per section; the detector samples anyway.
const LONGEST_SAMPLE: usize = 6_000;

fn prose_by_section(document: &Document) -> Vec<SectionProse> {
    let mut sections: Vec<SectionProse> = Vec::new();
    // `None` for a list of sources.
    let mut by_component: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for (index, field) in document.texts().iter().enumerate() {
        if field.role == TextRole::Code {
            continue;
        }
        for block in &field.markdown().blocks {
            if !is_prose(field, block) {
                continue;
            }
            let component = document.component_in(field, block.content.clone());
            let at = *by_component
                .entry(component.id.0.as_str())
                .or_insert_with(|| {
                    if component.title.as_deref().is_some_and(lists_sources) {
                        return None;
                    }
                    sections.push(SectionProse {
                        field: index,
                        range: block.content.clone(),
                        prose: String::new(),
                    });
                    Some(sections.len() - 1)
                });
            let Some(at) = at else {
                continue;
            };
            if sections[at].prose.len() < LONGEST_SAMPLE {
                add_prose(field, block, &mut sections[at].prose);
            }
        }
    }
    sections
}

/// Paragraphs and list items written in sentences.
fn is_prose(field: &TextField, block: &Block) -> bool {
    block.kind == BlockKind::Paragraph
        && !is_inside(field, block, |kind| {
            matches!(
                kind,
                BlockKind::BlockQuote | BlockKind::FootnoteDefinition { .. }
            )
        })
}

/// Whether a heading announces sources, whose titles may be in any language.
fn lists_sources(title: &str) -> bool {
    const NAMES: [&str; 28] = [
        "reference",
        "bibliograph",
        "further reading",
        "suggested reading",
        "sources",
        "works cited",
        "resources",
        "литература",
        "источники",
        "библиограф",
        "ссылки",
        "ресурсы",
        "literatur",
        "quellen",
        "ressourcen",
        "links",
        "bibliografía",
        "referencias",
        "fuentes",
        "recursos",
        "lectura",
        "lectures",
        "références",
        "ressources",
        "bibliografia",
        "referências",
        "参考",
        "资源",
    ];
    let title = title.to_lowercase();
    NAMES.iter().any(|name| title.contains(name))
}

/// Link texts are titles of other things, in their language; quoted
/// text is by another author.
fn add_prose(field: &TextField, block: &Block, prose: &mut String) {
    let markdown = field.markdown();
    let first = markdown
        .prose
        .partition_point(|range| range.end <= block.content.start);
    let mut links = markdown
        .links
        .partition_point(|link| link.span.end <= block.content.start);
    for range in markdown
        .prose
        .iter()
        .skip(first)
        .take_while(|range| range.start < block.content.end)
    {
        while markdown
            .links
            .get(links)
            .is_some_and(|link| link.span.end <= range.start)
        {
            links += 1;
        }
        let in_link = markdown
            .links
            .get(links)
            .is_some_and(|link| link.span.start <= range.start);
        if !in_link {
            prose.push_str(field.text.get(range.clone()).unwrap_or_default());
            prose.push(' ');
        }
    }
    prose.push('\n');
}

/// The language of nearly all prose, if it is not the requested one. The
/// sections vote by their length, so that a mixed text has no answer.
fn whole_in_another(
    sections: &[SectionProse],
    expected: Language,
    min_words: usize,
    min_share: f64,
) -> Option<Language> {
    let total: usize = sections.iter().map(|section| section.prose.len()).sum();
    let whole = sample(sections, total);
    if !has_words(&whole, min_words) {
        return None;
    }
    let detection = detect(&whole);
    let found = detection.language.filter(|_| detection.reliable)?;
    if are_kin(found, expected) {
        return None;
    }
    let mut agreeing = 0;
    let mut voting = 0;
    for section in sections {
        let vote = detect(&section.prose);
        if vote.reliable {
            voting += section.prose.len();
            agreeing += if vote.language == Some(found) {
                section.prose.len()
            } else {
                0
            };
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts")]
    let share = agreeing as f64 / voting.max(1) as f64;
    (voting * 2 >= total && share >= min_share && is_uniform(&whole, found)).then_some(found)
}

/// A sample with prose of every section.
fn sample(sections: &[SectionProse], total: usize) -> String {
    let mut whole = String::with_capacity(total.min(2 * LONGEST_SAMPLE));
    for section in sections {
        if whole.len() > LONGEST_SAMPLE {
            break;
        }
        whole.push_str(&section.prose);
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

/// Languages that the detector, or a reader, may confuse.
fn are_kin(a: Language, b: Language) -> bool {
    const KIN: [&[&str]; 7] = [
        &["no", "nb", "nn", "da", "nor"],
        &["sr", "hr", "bs", "sh"],
        &["id", "ms"],
        &["zh", "yue", "cmn", "wuu"],
        &["es", "gl", "ca"],
        &["pt", "gl"],
        &["cs", "sk"],
    ];
    a == b
        || KIN
            .iter()
            .any(|group| group.contains(&a.as_str()) && group.contains(&b.as_str()))
}

fn name(language: Language) -> String {
    match language.as_str() {
        "en" => "English",
        "ru" => "Russian",
        "zh" => "Chinese",
        "de" => "German",
        "es" => "Spanish",
        "fr" => "French",
        "pt" => "Portuguese",
        "ja" => "Japanese",
        "uk" => "Ukrainian",
        "it" => "Italian",
        "pl" => "Polish",
        code => return format!("“{code}”"),
    }
    .to_owned()
}

/// Whether a lesson names a language, in whatever language: it may teach it.
fn names(text: &str, language: Language) -> bool {
    let stems: &[&str] = match language.as_str() {
        "en" => &[
            "english",
            "английск",
            "englisch",
            "inglés",
            "inglesa",
            "anglais",
            "inglês",
        ],
        "ru" => &[
            "russian",
            "русск",
            "russisch",
            "ruso",
            "rusa",
            "russe",
            "russo",
        ],
        "zh" => &[
            "chinese",
            "mandarin",
            "китайск",
            "chinesisch",
            "chino",
            "chinois",
            "chinês",
        ],
        "de" => &[
            "german",
            "немецк",
            "deutsch",
            "alemán",
            "alemana",
            "allemand",
            "alemão",
        ],
        "es" => &[
            "spanish",
            "испанск",
            "spanisch",
            "español",
            "castellano",
            "espagnol",
            "espanhol",
        ],
        "fr" => &[
            "french",
            "французск",
            "französisch",
            "francés",
            "français",
            "francês",
        ],
        "pt" => &[
            "portuguese",
            "португальск",
            "portugiesisch",
            "portugués",
            "portugais",
            "português",
        ],
        "ja" => &[
            "japanese",
            "японск",
            "japanisch",
            "japonés",
            "japonais",
            "japonês",
        ],
        _ => &[],
    };
    let unspaced: &[&str] = match language.as_str() {
        "en" => &["英语", "英文"],
        "ru" => &["俄语", "俄文"],
        "zh" => &["中文", "汉语"],
        "de" => &["德语", "德文"],
        "es" => &["西班牙语"],
        "fr" => &["法语", "法文"],
        "pt" => &["葡萄牙语"],
        "ja" => &["日语", "日文", "日本語"],
        _ => &[],
    };
    unspaced.iter().any(|name| text.contains(name))
        || words(text).any(|(_, word)| {
            word.len() > 3 && {
                let word = word.to_lowercase();
                stems.iter().any(|stem| word.starts_with(stem))
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(prose: &str) -> SectionProse {
        SectionProse {
            field: 0,
            range: 0..1,
            prose: prose.to_owned(),
        }
    }

    const ENGLISH: &str = "Water boils when it has been heated for long enough, and the steam that rises from it is very hot. Nobody should put a hand into it.";
    const GERMAN: &str = "Wasser kocht, wenn es lange genug erhitzt worden ist, und der Dampf, der davon aufsteigt, ist sehr heiß. Niemand sollte die Hand hineinhalten.";

    #[test]
    fn only_a_text_that_is_nearly_all_in_another_language_is_wrong_as_a_whole() {
        let german = Language::DE;
        for (sections, expected, found) in [
            (
                vec![section(ENGLISH), section(ENGLISH)],
                german,
                Some(Language::EN),
            ),
            (vec![section(GERMAN), section(GERMAN)], german, None),
            (vec![section(GERMAN), section(ENGLISH)], german, None),
            (vec![section("Water boils.")], german, None),
        ] {
            assert_eq!(whole_in_another(&sections, expected, 20, 0.9), found);
        }
    }
}
