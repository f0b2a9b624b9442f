//! Looser signs of chat than `redraft_text::framing` believes: where a paragraph
//! stands, and two cues in it. They are enough to show a person the place, never
//! to delete it without asking.
//!
//! | where | cues |
//! |---|---|
//! | before the first heading or rule, at the very start | ends with a colon, names the lesson or its text |
//! | the last paragraph, short, not quoted | somebody offers or asks in the first person, and it is about a change or more material |

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::content::TextField;
use redraft_text::hints::Hints;
use redraft_text::markdown::{Block, BlockKind};
use regex::Regex;

/// The longest paragraph that is looked at, in bytes.
const LONGEST: usize = 600;

/// Words for what a model hands over.
static WORK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\b(?:lessons?|version|text|markdown|json|content|course|tutorial|draft|material|document|plan|rewrite)\b
        | \b(?:урок|верси|вариант|текст|материал|план|курс|содержани)
        | (?:lektion|unterricht|fassung|version|\btext\b|inhalt|\bkurs)
        | \b(?:lecci|clase|versión|texto|contenido|curso)
        | \b(?:leçon|cours\b|version|texte|contenu)
        | \b(?:aula|lição|versão|conteúdo)
        | 课程|教案|课文|版本|内容|正文",
    )
    .ok()
});

/// Somebody offers something, or asks to be told.
static OFFER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\b(?:let\ me\ know|feel\ free\ to\ (?:ask|reach|contact)|(?:would\ you\ like|do\ you\ want)\ me\ to|(?:shall|should)\ i\b|i\ (?:can|could)\ (?:also\ )?(?:add|turn|create|make|expand|provide|write|adjust|rewrite|prepare|convert|include|simplify|tailor|adapt)|(?:i(?:'|’)d|i\ would)\ be\ (?:happy|glad)\ to|(?:i(?:'|’)m\ )?happy\ to\ (?:help|revise|adjust|expand|make|add)|is\ there\ anything\ (?:else\ )?(?:i|you))
        | \b(?:дайте\ (?:мне\ )?знать|сообщите\ мне|напишите\ мне|скажите\ мне|хотите,?\ (?:чтобы\ )?я|желаете,?\ чтобы\ я|(?:я\ )(?:также\ |ещё\ |еще\ )?(?:могу|готов|готова|мог\ бы)|могу\ (?:ли\ )?я|буду\ рада?\ (?:внести|помочь|добавить|доработать))\b
        | 告诉我|让我知道|联系我|需要我|想让我|希望我|要不要我|我(?:还|也)?可以(?:为|帮|再|继续)|我很乐意
        | \b(?:lass(?:en\ sie)?\ (?:es\ )?mich|sag(?:en\ sie)?\ (?:es\ )?mir|sag\ (?:einfach\ )?bescheid|g(?:eben\ sie|ib)\ mir|soll\ ich|dass\ ich|(?:kann|könnte)\ ich|ich\ (?:kann|könnte)|stehe\ ich|helfe\ ich|ich\ helfe)\b
        | (?:házmelo|hágamelo|avísame|avíseme|dime\ si|dígame\ si|decirme|pedírmelo|pedirme|(?:quieres?|deseas?|gustaría)\ que|puedo\ (?:también\ )?(?:añadir|agregar|ampliar|crear|hacer|preparar|ajustar|desarrollar|incluir|modificar))
        | (?:dites-moi|dis-moi|-le-moi\ savoir|n['’]hésitez\ pas\ à\ me|(?:souhaitez|voulez)-vous\ que\ j|veux-tu\ que\ j|je\ (?:peux|pourrais)\ (?:également\ |aussi\ )?(?:ajouter|créer|développer|modifier|adapter|préparer|proposer)|je\ reste\ à)
        | (?:me\ avis[ea]r?|avise-me|me\ diga|diga-me|quer\ que\ eu|gostaria\ que\ eu|deseja\ que\ eu|(?:posso|poderia)\ (?:também\ )?(?:acrescentar|adicionar|criar|ampliar|ajustar|fazer|preparar|incluir|modificar)|fico\ à\ disposição)",
    )
    .ok()
});

/// One of these is in every offer. The pattern costs as much as parsing the whole
/// lesson, and most lessons end without any of them.
static HINTS: LazyLock<Hints> = LazyLock::new(|| {
    Hints::new([
        "let me know", "feel free", " me to", "hall I ", "hould I ", "hall i ", "hould i ", "I can ", "I could ", "I'd", "I’d", "i can ", "i could ", "i'd", "i’d",
        "I would", "i would", "happy to", "is there anything", "знать", " мне", "хотите", "желаете", "могу",
        "готов", "мог бы", "буду рад", "告诉我", "让我知道", "联系我", "需要我", "想让我", "希望我", "要不要我",
        "我可以", "我还可以", "我也可以", "我很乐意", "mich", " mir ", "bescheid", "Ich ", " ich ", "ich k", "ich h", "házmelo",
        "hágamelo", "avísame", "avíseme", "dime si", "dígame si", "decirme", "pedírmelo", "pedirme",
        "quiere que", "quieres que", "desea que", "deseas que", "gustaría que", "puedo", "-moi",
        "me savoir", "pas à me", "vous que j", "tu que j", "je peux", "je pourrais", "je reste",
        "me avis", "avise-me", "me diga", "diga-me", "que eu", "posso", "poderia", "fico à",
    ])
});

/// It is about a change, or about more of the same.
static CHANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\b(?:chang|adjust|modif|revis|edit|expan|further|more\ (?:example|exercise|detail|help)|clarif|anything|slide|quiz|version|section|include|format|shorten|tone|difficulty)
        | (?:изменен|правк|исправ|добав|дополн|расшир|уточн|ещё|еще|упражнен|пример|раздел|переработ|адаптир|сократ|тест)
        | 修改|调整|补充|扩展|添加|更多|其他|进一步|练习|改进|部分|版本|细节
        | (?:änder|anpass|ergänz|erweiter|überarbeit|hinzufüg|weitere|beispiel|übung|abschnitt|quiz|kürz)
        | (?:cambi|ajust|modific|ampli|añad|agreg|ejercicio|ejemplo|secci|apartado|desarroll|detall|correg|algo\ más)
        | (?:modifi|ajout|développ|exemple|exercice|section|corrig|quiz|adapt|précision|complét|autre\ chose)
        | (?:alter|mudan|adicion|acrescent|exercício|exemplo|seç|questionário|cri(?:e|asse)\b|corrig|algo\ mais)",
    )
    .ok()
});

/// Whoever says this speaks to a class, not to somebody who ordered a text.
static CLASS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)comment|forum|e-?mail|teacher|issue|github|twitter|discord|slack|комментари|форум|учител|преподавател|почт|评论|老师|论坛|kommentar|lehr|comentario|profesor|foro|commentaire|professeur|comentário|professor|fórum|\bclass\b",
    )
    .ok()
});

/// A paragraph in front of a lesson that announces it.
pub(super) fn in_front(field: &TextField) -> Option<Range<usize>> {
    let mut top = field.markdown().top_level().map(|(_, block)| block);
    let first = top.next()?;
    let next = top.next()?;
    let opens = matches!(
        next.kind,
        BlockKind::Heading { .. } | BlockKind::ThematicBreak
    );
    let text = paragraph(field, first)?;
    (opens
        && text
            .trim_end_matches(['*', '_', ' '])
            .ends_with([':', '：'])
        && matches(&WORK, text)
        && !is_quoted(text))
    .then(|| first.content.clone())
}

/// A paragraph behind a lesson that offers more work on it.
pub(super) fn behind(field: &TextField) -> Option<Range<usize>> {
    let (index, last) = field.markdown().last_content_block()?;
    let text = paragraph(field, last)?;
    let is_chat = index > 0
        && last.parent.is_none()
        && !is_quoted(text)
        && HINTS.any_in(text)
        && matches(&OFFER, text)
        && matches(&CHANGE, text)
        && !matches(&CLASS, text);
    is_chat.then(|| last.content.clone())
}

fn paragraph<'a>(field: &'a TextField, block: &Block) -> Option<&'a str> {
    let text = field.text.get(block.content.clone())?;
    (block.kind == BlockKind::Paragraph && text.len() <= LONGEST).then_some(text)
}

/// Somebody's words in a story, or words that are talked about.
fn is_quoted(text: &str) -> bool {
    text.contains(['"', '“', '”', '«', '„', '「', '『', '`']) || text.starts_with(['—', '–', '-'])
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offer_holds_a_hint() {
        for offer in [
            "Let me know", "feel free to ask", "would you like me to", "do you want me to", "shall I",
            "should i", "I can also add", "i could turn", "I'd be happy to", "I would be glad to",
            "Happy to help", "is there anything else i", "Дайте мне знать", "сообщите мне",
            "Хотите, чтобы я", "желаете, чтобы я", "я также могу", "я готова", "я мог бы", "могу ли я",
            "буду рада внести", "请告诉我", "请让我知道", "联系我", "需要我", "想让我", "希望我", "要不要我",
            "我可以为", "我还可以帮", "我也可以再", "我很乐意", "Lassen Sie es mich", "sag mir",
            "sag einfach bescheid", "gib mir", "Dann soll ich", "dass ich", "könnte ich", "ich kann",
            "stehe ich", "ich helfe", "házmelo", "hágamelo", "Avísame", "avíseme", "dime si",
            "dígame si", "decirme", "pedírmelo", "pedirme", "¿quieres que", "desea que", "gustaría que",
            "puedo también añadir", "dites-moi", "faites-le-moi savoir", "n'hésitez pas à me",
            "souhaitez-vous que j", "veux-tu que j", "je peux également ajouter", "je reste à",
            "me avise", "avise-me", "me diga", "diga-me", "quer que eu", "gostaria que eu",
            "deseja que eu", "posso também acrescentar", "poderia criar", "fico à disposição",
        ] {
            let sentence = format!("{offer} more.");
            assert!(matches(&OFFER, &sentence), "{offer} is no offer");
            assert!(HINTS.any_in(&sentence), "{offer} holds no hint");
        }
    }

    #[test]
    fn every_pattern_is_a_pattern() {
        for pattern in [&WORK, &OFFER, &CHANGE, &CLASS] {
            assert!(pattern.is_some());
        }
    }
}
