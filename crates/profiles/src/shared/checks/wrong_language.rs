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
    // A language that the detector does not know would be taken for another.
    let expected = examination
        .companions
        .expected_language()
        .copied()
        .filter(|language| KNOWN.contains(&language.as_str()));
    let parts = parts(document);
    let total: usize = parts.iter().map(|part| part.prose.len()).sum();
    if let Some(expected) = expected
        && let Some(found) =
            whole_in_another(&parts, expected, min_words, examination.number("min-share"))
    {
        if let Some(first) = parts.iter().find(|part| !part.prose.trim().is_empty()) {
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
    // Two parts at least, or there is no rest to differ from.
    if parts.len() < 2 {
        return;
    }
    let Some(main) = expected.or_else(|| main_language(document)) else {
        return;
    };
    for part in &parts {
        if !has_words(&part.prose, min_words) || part.prose.len() * 2 > total && expected.is_none()
        {
            continue;
        }
        // Most sections are in the right language, and a little of them says so.
        let little = part.prose.floor_char_boundary(part.prose.len().min(GLANCE));
        if detect(&part.prose[..little]).language == Some(main) {
            continue;
        }
        let detection = detect(&part.prose);
        let Some(other) = detection.language.filter(|_| detection.reliable) else {
            continue;
        };
        if !are_kin(other, main)
            && is_uniform(&part.prose, other)
            && !names(document.source().text(), other)
        {
            sink.in_text(
                &document.texts()[part.field],
                part.range.clone(),
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

/// How much of a section a first glance sees, in bytes.
const GLANCE: usize = 160;

/// The language of most of the prose, where there is no doubt about it.
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
struct Part {
    field: usize,
    /// The first block of it.
    range: Range<usize>,
    prose: String,
}

/// Prose that is looked at in one part, in bytes; the detector samples anyway.
const LONGEST_SAMPLE: usize = 6_000;

fn parts(document: &Document) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    // A component whose heading announces sources has no part.
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
                    parts.push(Part {
                        field: index,
                        range: block.content.clone(),
                        prose: String::new(),
                    });
                    Some(parts.len() - 1)
                });
            let Some(at) = at else {
                continue;
            };
            if parts[at].prose.len() < LONGEST_SAMPLE {
                add_prose(field, block, &mut parts[at].prose);
            }
        }
    }
    parts
}

/// Paragraphs and list items that somebody wrote in sentences.
fn is_prose(field: &TextField, block: &Block) -> bool {
    block.kind == BlockKind::Paragraph
        && !is_inside(field, block, |kind| {
            matches!(
                kind,
                BlockKind::BlockQuote | BlockKind::FootnoteDefinition { .. }
            )
        })
}

/// Whether a heading announces books and pages, whose titles are in their own
/// language.
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

/// Link texts are titles of other things, in their language; what stands in
/// quotes is somebody else's.
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

/// The language of nearly all prose, where it is not the one asked for. The
/// parts vote by their length, so that a mixed text has no answer.
fn whole_in_another(
    parts: &[Part],
    expected: Language,
    min_words: usize,
    min_share: f64,
) -> Option<Language> {
    let total: usize = parts.iter().map(|part| part.prose.len()).sum();
    let whole = sample(parts, total);
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
    for part in parts {
        let vote = detect(&part.prose);
        if vote.reliable {
            voting += part.prose.len();
            agreeing += if vote.language == Some(found) {
                part.prose.len()
            } else {
                0
            };
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts")]
    let share = agreeing as f64 / voting.max(1) as f64;
    (voting * 2 >= total && share >= min_share && is_uniform(&whole, found)).then_some(found)
}

/// Some prose of every part.
fn sample(parts: &[Part], total: usize) -> String {
    let mut whole = String::with_capacity(total.min(2 * LONGEST_SAMPLE));
    for part in parts {
        if whole.len() > LONGEST_SAMPLE {
            break;
        }
        whole.push_str(&part.prose);
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

/// Whether a text has so many words. Where it has far more spaces than that, the
/// words need not be told apart.
fn has_words(text: &str, least: usize) -> bool {
    let plenty = 2 * least;
    let spaces = text.bytes().filter(|byte| *byte == b' ');
    spaces.take(plenty).count() == plenty || words(text).take(least).count() == least
}

/// Languages that the detector, or a reader, may take for one another.
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

    fn part(prose: &str) -> Part {
        Part {
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
        for (parts, expected, found) in [
            (
                vec![part(ENGLISH), part(ENGLISH)],
                german,
                Some(Language::EN),
            ),
            (vec![part(GERMAN), part(GERMAN)], german, None),
            (vec![part(GERMAN), part(ENGLISH)], german, None),
            (vec![part("Water boils.")], german, None),
        ] {
            assert_eq!(whole_in_another(&parts, expected, 20, 0.9), found);
        }
    }
}
