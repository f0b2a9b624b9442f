//! `placeholder-text`: text that was to be replaced and was not.
//!
//! | form | example | severity |
//! |---|---|---|
//! | in brackets | `[Insert text here]`, `[TODO: add image]`, `【请填写】` | error |
//! | a whole paragraph, heading or item | `Your text here`, `TBD`, `Inhalt folgt` | error |
//! | a paragraph of nothing but brackets that begin with an order | `[Insert diagram of a cell]` | error |
//! | in brackets, could be a button | `[insert image]` | warning |
//! | filler Latin | `Lorem ipsum dolor sit amet` | error |
//! | a note at the start of a paragraph | `TODO: write this` | error |

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::markdown::{Block, BlockKind};
use regex::Regex;

use crate::shared::prose::{is_quoted, prose_blocks};

pub(super) static CHECK: Check = Check {
    code: "TXT003",
    name: "placeholder-text",
    severity: Severity::Error,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "a placeholder that nobody replaced",
    what: "Reports placeholders in English, Russian, German, Spanish, French, Portuguese and Chinese: in brackets (“[Insert text here]”), as a whole paragraph (“Your text here”, “TBD”), as a note (“TODO: …”), and filler Latin. Code, quoted words and links are left alone, and so is a sentence that merely contains such words: “Type your text here and press Enter.” is part of a lesson.",
    why: "A placeholder is a hole in the lesson, and it is the first thing that a reader sees.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\n[Insert text here]\n",
            passes: "# Forms\n\nThe field shows “Your text here”. Write a `TODO` list, and type your text here.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "[Вставьте текст здесь]", "sections": []}"#,
            passes: r#"{"intro": "Вода кипит при ста градусах.", "sections": []}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "phrases",
        what: "further phrases to be taken for placeholders wherever they stand in prose",
    }],
    caps: &[],
    run,
};

/// In brackets: an order to insert something here.
static BRACKETED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)
        ^[\[【]\s*(?:
            (?:please\s+)?(?:insert|add|enter|put|write|type|place|paste)\b[^\]】\n]{0,60}\bhere\b[^\]】\n]{0,20}
          | (?:your|the)\s+(?:own\s+)?(?:text|content|paragraph|title|description|image|example|explanation)\b[^\]】\n]{0,30}\bhere
          | (?:todo|tbd|tbc|fixme|placeholder|lorem\s+ipsum)\b[^\]】\n]{0,80}
          | [^\]】\n]{0,40}\bto\s+be\s+(?:added|completed|written|determined|inserted|filled|provided|defined|announced)\b[^\]】\n]{0,40}
          | [^\]】\n]{1,40}\b(?:goes|coming)\s+(?:here|soon)
          | (?:contenido|texto|imagen|ejemplo|sección)\s+(?:pendiente|por\s+(?:añadir|agregar|completar))[^\]】\n]{0,40}
          | (?:contenu|texte|image|exemple|section)\s+à\s+(?:venir|compléter|ajouter|insérer)[^\]】\n]{0,40}
          | (?:conteúdo|texto|imagem|exemplo|seção)\s+(?:a\s+ser|pendente|por)\b[^\]】\n]{0,40}
          | (?:inhalt|text|abschnitt|beispiel|bild)\s+(?:folgt|fehlt)[^\]】\n]{0,40}
          | [^\]】\n]{0,40}(?:будет\s+(?:добавлен|дополнен|вставлен|позже)|будут\s+добавлены)[^\]】\n]{0,40}
          | (?:пожалуйста,?\s+)?(?:вставьте|вставить|впишите|вписать|добавьте|добавить|введите)\s[^\]】\n]{1,80}
          | (?:ваш|здесь|место\s+для)\s[^\]】\n]{0,30}(?:текст|текста|текстом|содержание|изображени[ея])[^\]】\n]{0,30}
          | (?:заполнить|заглушка|дописать)\b[^\]】\n]{0,60}
          | [^\]】\n]{0,60}\b(?:hier|bitte|text|bild|beispiel|inhalt)\b[^\]】\n]{0,40}\b(?:einfügen|eingeben|ergänzen|eintragen)
          | fügen\s+sie\b[^\]】\n]{0,60}\bein
          | (?:platzhalter|ihr\s+text\s+hier|dein\s+text\s+hier)[^\]】\n]{0,40}
          | (?:insertar|inserte|inserta|ingrese|escriba|escribe|añadir|añada|agregar|agregue)\s[^\]】\n]{0,50}\b(?:aquí|texto|imagen|ejemplo|contenido)\b[^\]】\n]{0,30}
          | (?:tu|su)\s+(?:texto|contenido)\s+aquí
          | (?:insérer|insérez|ajouter|ajoutez|saisir|saisissez|écrire|écrivez)\s[^\]】\n]{0,50}\b(?:ici|texte|image|exemple|contenu)\b[^\]】\n]{0,30}
          | (?:votre|ton)\s+(?:texte|contenu)\s+ici
          | (?:inserir|insira|adicionar|adicione|digite|escreva)\s[^\]】\n]{0,50}\b(?:aqui|texto|imagem|exemplo|conteúdo)\b[^\]】\n]{0,30}
          | (?:seu|o\s+seu)\s+(?:texto|conteúdo)\s+aqui
          | (?:请)?(?:在此处?|此处|这里)?(?:插入|填写|填入|输入|添加|补充)[^\]】\n]{0,30}
          | (?:待补充|待定|待完善|占位符|你的文本|您的文本)[^\]】\n]{0,30}
        )\s*[\]】]$",
    )
    .ok()
});

/// In brackets: could be a placeholder or the label of a button.
static BRACKETED_NOUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\[\s*insert\s+(?:an?\s+|the\s+|your\s+)?(?:text|image|picture|diagram|example|figure|content|chart|graph|screenshot|citation|source|description|definition|explanation|name of [^\]\n]{1,40})\s*\]$",
    )
    .ok()
});

/// A paragraph that is nothing but brackets and begins with an order or a word
/// for a picture: no reader is meant. In the middle of a paragraph the same may
/// be a button.
static ORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^[\[【<{]{1,2}\s*(?:please\s+|bitte\s+|por\s+favor,?\s+|пожалуйста,?\s+|请)?(?:
            (?:insert|add|write|include|provide|describe|explain|fill\s+in|place|put|complete|expand)\s+\S
          | placeholder\b
          | (?:вставьте|вставить|добавьте|добавить|опишите|описать|напишите|написать|заполните|заполнить|дополните)\s+\S
          | (?:место|здесь\s+(?:будет|должен|должна|должно)|заглушка)\b
          | (?:fügen\s+sie|füge|ergänzen|ergänze|schreiben\s+sie|beschreiben\s+sie)\s+\S
          | [^\]】>}\n]{1,60}\s(?:einfügen|ergänzen|hinzufügen|eintragen|einsetzen)\s*[\]】>}]
          | (?:insertar|inserte|inserta|añadir|añada|añade|agregar|agregue|agrega|describir|describa|escribir|escriba|completar|complete|incluir|incluya)\s+\S
          | (?:insérer|insérez|ajouter|ajoutez|décrire|décrivez|écrire|écrivez|compléter|complétez|inclure|incluez)\s+\S
          | (?:inserir|insira|adicionar|adicione|acrescentar|acrescente|descrever|descreva|escrever|escreva|completar|complete|incluir|inclua)\s+\S
          | (?:在此处?|此处|这里)
          | (?:插入|添加|填写|填入|补充|描述)\S
        )[^\]】>}\n]{0,160}[\]】>}]{1,2}\.?$",
    )
    .ok()
});

/// Filler Latin that goes on.
static FILLER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\blorem\s+ipsum\s+dolor(?:\s+sit\s+amet)?").ok());

/// A whole block of nothing but a placeholder; compared without case and
/// punctuation.
const WHOLE: &[&str] = &[
    "your text here",
    "your content here",
    "insert text here",
    "insert your text here",
    "insert content here",
    "add text here",
    "add your text here",
    "add content here",
    "enter text here",
    "type your text here",
    "text goes here",
    "content goes here",
    "content here",
    "placeholder",
    "placeholder text",
    "tbd",
    "tbc",
    "todo",
    "fixme",
    "to be determined",
    "to be added",
    "to be completed",
    "to be written",
    "to do",
    "content coming soon",
    "coming soon",
    "lorem ipsum",
    "xxx",
    "ваш текст здесь",
    "ваш текст",
    "текст здесь",
    "вставьте текст здесь",
    "вставьте текст",
    "вставить текст",
    "введите текст",
    "здесь будет текст",
    "текст будет добавлен позже",
    "будет добавлено позже",
    "будет дополнено",
    "раздел в разработке",
    "заглушка",
    "дописать",
    "заполнить позже",
    "ihr text hier",
    "dein text hier",
    "hier text einfügen",
    "text hier einfügen",
    "hier steht ihr text",
    "platzhalter",
    "platzhaltertext",
    "inhalt folgt",
    "folgt in kürze",
    "noch zu ergänzen",
    "tu texto aquí",
    "su texto aquí",
    "inserte texto aquí",
    "insertar texto aquí",
    "inserta tu texto aquí",
    "texto de ejemplo",
    "por completar",
    "pendiente de completar",
    "por hacer",
    "próximamente",
    "votre texte ici",
    "insérez votre texte ici",
    "insérer le texte ici",
    "texte à insérer",
    "à compléter",
    "contenu à venir",
    "à venir",
    "seu texto aqui",
    "insira o texto aqui",
    "insira seu texto aqui",
    "inserir texto aqui",
    "a completar",
    "a ser preenchido",
    "em breve",
    "待补充",
    "待完善",
    "待定",
    "内容待定",
    "此处插入文本",
    "在此处输入文本",
    "在此输入文本",
    "在此插入文本",
    "您的文本",
    "您的文字",
    "你的文本",
    "占位符",
    "敬请期待",
];

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let phrases: Vec<String> = examination
        .texts("phrases")
        .iter()
        .map(|phrase| phrase.to_lowercase())
        .collect();
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
    {
        for (_, block) in prose_blocks(field) {
            let block_text = &field.text[block.content.clone()];
            let is_heading = matches!(block.kind, BlockKind::Heading { .. });
            if (whole(block_text) && (!is_heading || is_hole(block_text)))
                || is_note(block_text)
                || is_order(field, block)
            {
                let message = format!("“{}” is a placeholder", shortened(block_text));
                sink.in_text(field, block.content.clone(), message);
                continue;
            }
            look(sink, field, block, &phrases);
        }
    }
}

fn look(sink: &mut Sink<'_>, field: &TextField, block: &Block, phrases: &[String]) {
    let block_text = &field.text[block.content.clone()];
    let offset = block.content.start;
    let mut report = |found: Range<usize>, severity| {
        let range = offset + found.start..offset + found.end;
        let is_meant = field.markdown().is_verbatim(range.start)
            || is_quoted(&field.text, &range)
            || is_link_text(&field.text, &range);
        if !is_meant {
            let message = format!(
                "“{}” is a placeholder",
                shortened(&field.text[range.clone()])
            );
            sink.in_text(field, range, message).severity(severity);
        }
    };
    for bracketed in brackets(block_text) {
        let text = &block_text[bracketed.clone()];
        for (pattern, severity) in [
            (&BRACKETED, Severity::Error),
            (&BRACKETED_NOUN, Severity::Warning),
        ] {
            if pattern
                .as_ref()
                .is_some_and(|pattern| pattern.is_match(text))
            {
                report(bracketed.clone(), severity);
            }
        }
    }
    // A look at the first letters saves most texts from the pattern.
    if memchr_ipsum(block_text) {
        for found in FILLER
            .iter()
            .flat_map(|pattern| pattern.find_iter(block_text))
        {
            report(found.range(), Severity::Error);
        }
    }
    if !phrases.is_empty() {
        let lower = block_text.to_lowercase();
        // Lower case may have other lengths; such a block is reported whole.
        let aligned = lower.len() == block_text.len();
        for phrase in phrases.iter().filter(|phrase| !phrase.is_empty()) {
            if let Some(at) = lower.find(phrase.as_str()) {
                let range = at..at + phrase.len();
                let whole = 0..block_text.len();
                let fits = aligned && block_text.get(range.clone()).is_some();
                report(if fits { range } else { whole }, Severity::Error);
            }
        }
    }
}

/// What stands in brackets on one line, brackets included, unless it is the text
/// of a link: the patterns are slow, and most brackets are links.
fn brackets(text: &str) -> impl Iterator<Item = Range<usize>> {
    let starts = memchr::memchr2_iter(b'[', "【".as_bytes()[0], text.as_bytes());
    starts.filter_map(|start| {
        let rest = &text[start..];
        let open = ["[", "【"].into_iter().find(|open| rest.starts_with(open))?;
        let inner = start + open.len();
        let rest = &text[inner..];
        let (end, close) = rest.match_indices([']', '】', '\n', '[', '【']).next()?;
        let end = inner + end + close.len();
        (matches!(close, "]" | "】") && !is_link_text(text, &(start..end))).then_some(start..end)
    })
}

fn memchr_ipsum(text: &str) -> bool {
    text.contains("ipsum") || text.contains("Ipsum") || text.contains("IPSUM")
}

/// `[Insert text here](…)` is a link, whatever it is called.
fn is_link_text(text: &str, range: &Range<usize>) -> bool {
    text[range.end..].starts_with(['(', '[', ':'])
}

fn whole(block: &str) -> bool {
    const LONGEST: usize = 80;
    if block.len() > LONGEST {
        return false;
    }
    let bare = block
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    // Quoted or put in code: talked about, not left behind.
    let quoted = block
        .trim_start()
        .starts_with(['"', '“', '„', '«', '\'', '`', '「', '《']);
    !quoted && WHOLE.contains(&bare.as_str())
}

/// Whether a heading of nothing but a placeholder is one: “TODO”, “Placeholder”
/// and “Coming soon” may well be what a section is about.
fn is_hole(heading: &str) -> bool {
    const HOLES: &[&str] = &[
        "your",
        "insert",
        "add",
        "enter",
        "type",
        "text",
        "content",
        "tbd",
        "tbc",
        "ваш",
        "встав",
        "введите",
        "текст",
        "здесь",
        "ihr",
        "dein",
        "hier",
        "tu ",
        "su ",
        "insert",
        "texto",
        "votre",
        "insér",
        "texte",
        "seu",
        "insira",
        "在此",
        "此处",
        "您的",
        "你的",
    ];
    let bare = heading
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    HOLES.iter().any(|hole| bare.starts_with(hole))
}

/// `TODO: write this` at the start of a block; `TODO list` is a topic.
fn is_note(block: &str) -> bool {
    let bare = block.trim_start_matches(['*', '_', ' ', '(']);
    ["TODO", "FIXME", "TBD", "XXX"].iter().any(|word| {
        bare.strip_prefix(word).is_some_and(|rest| {
            rest.trim_start_matches(['*', '_', ' ', '\u{a0}'])
                .starts_with([':', '：'])
        })
    })
}

/// A whole block in brackets that tells somebody to write something.
fn is_order(field: &TextField, block: &Block) -> bool {
    const LONGEST: usize = 400;
    let text = field.text[block.content.clone()].trim_matches(['*', '_', ' ']);
    if text.len() > LONGEST || !text.starts_with(['[', '【', '<', '{']) {
        return false;
    }
    // A link and a button of a menu have their own markup or a short label.
    let is_verbatim = field.markdown().is_verbatim(block.content.start);
    let links = &field.markdown().links;
    let next = links.partition_point(|link| link.span.start < block.content.start);
    let is_link = links
        .get(next)
        .is_some_and(|link| link.span.start < block.content.end);
    let is_label = !text.contains(char::is_whitespace) && text.is_ascii();
    !is_verbatim
        && !is_link
        && !is_label
        && ORDER.as_ref().is_some_and(|order| order.is_match(text))
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = shown.char_indices().nth(MOST) {
        shown.truncate(at);
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_a_pattern() {
        assert!(
            BRACKETED.is_some() && BRACKETED_NOUN.is_some() && FILLER.is_some() && ORDER.is_some()
        );
    }

    #[test]
    fn placeholders_in_brackets_are_found_in_the_languages_we_read() {
        let pattern = BRACKETED.as_ref().unwrap();
        for text in [
            "[Insert text here]",
            "[Insert your explanation of loops here]",
            "[Your text here]",
            "[TODO: add a diagram]",
            "[TBD]",
            "[Вставьте текст здесь]",
            "[Добавить пример]",
            "[Ваш текст]",
            "[Hier Text einfügen]",
            "[Bitte Beispiel ergänzen]",
            "[Insertar texto aquí]",
            "[Inserte una imagen]",
            "[Insérez votre texte ici]",
            "[Insira o texto aqui]",
            "[在此插入文本]",
            "【请填写】",
            "【待补充】",
        ] {
            assert!(pattern.is_match(text), "{text}");
        }
        for text in [
            "[Enter]",
            "[Insert]",
            "[Add file]",
            "[sic]",
            "[1]",
            "[Ins]",
            "[Ввод]",
            "[Text]",
            "[ ]",
            "[x] done",
            "[确定]",
            "[Добавить]",
            "a[here]",
        ] {
            assert!(!pattern.is_match(text), "{text}");
        }
    }

    #[test]
    fn a_note_needs_its_colon() {
        for (text, expected) in [
            ("TODO: write this", true),
            ("**TODO:** write this", true),
            ("TODO lists are useful.", false),
            ("To do this, press Enter.", false),
        ] {
            assert_eq!(is_note(text), expected, "{text}");
        }
    }
}
