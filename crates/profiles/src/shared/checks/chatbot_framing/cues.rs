//! Weaker signs of chat than those of `redraft_text::framing`: the position of a
//! paragraph, and two cues in it. They are enough to report the paragraph, never to
//! delete it without asking. The cues are in `crates/text/data/chat_cues`.
//!
//! | where | cues |
//! |---|---|
//! | before the first heading or rule, at the very start | ends with a colon, names the lesson or its text |
//! | the last paragraph, short, not quoted | an offer or a question in the first person, about a change or more material |

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::content::TextField;
use redraft_text::hints::Hints;
use redraft_text::light_regex::PatternList;
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::phrases::PhraseList;

/// Longer paragraphs are not chat, in bytes.
const LONGEST: usize = 600;

static LIST: PhraseList =
    PhraseList::new("chat_cues", &["work", "offer hints", "offer", "change", "class"]);

static WORK: LazyLock<PatternList> = LazyLock::new(|| any_of("work"));
static OFFER: LazyLock<PatternList> = LazyLock::new(|| any_of("offer"));
static CHANGE: LazyLock<PatternList> = LazyLock::new(|| any_of("change"));
static CLASS: LazyLock<PatternList> = LazyLock::new(|| any_of("class"));

/// One of these is in every offer. The pattern costs as much as parsing the whole
/// lesson, and most lessons end without any of them.
static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(LIST.all("offer hints")));

/// The patterns of a section in all languages.
fn any_of(section: &str) -> PatternList {
    PatternList::new(LIST.all(section).map(ToOwned::to_owned))
}

/// A paragraph before a lesson that announces it.
pub(super) fn before(field: &TextField) -> Option<Range<usize>> {
    let mut top = field.markdown().top_level().map(|(_, block)| block);
    let first = top.next()?;
    let next = top.next()?;
    let opens = matches!(
        next.kind,
        BlockKind::Heading { .. } | BlockKind::ThematicBreak
    );
    let text = paragraph(field, first)?;
    (opens && announces(text)).then(|| first.content.clone())
}

/// Whether a text begins with a paragraph and goes on with a heading or a rule, as an
/// answer does that is announced.
pub(super) fn is_before_a_heading(field: &TextField) -> bool {
    let mut top = field.markdown().top_level().map(|(_, block)| block);
    let mut next = || top.next().map(|block| &block.kind);
    matches!(next(), Some(BlockKind::Paragraph))
        && matches!(
            next(),
            Some(BlockKind::Heading { .. } | BlockKind::ThematicBreak)
        )
}

fn announces(paragraph: &str) -> bool {
    let end = paragraph.trim_end_matches(['*', '_', ' ']);
    end.ends_with([':', '：']) && matches(&WORK, paragraph) && !is_quoted(paragraph)
}

/// A paragraph after a lesson that offers more work on it.
pub(super) fn after(field: &TextField) -> Option<Range<usize>> {
    let (index, last) = field.markdown().last_content_block()?;
    let text = paragraph(field, last)?;
    let is_chat = index > 0 && last.parent.is_none() && offers(text);
    is_chat.then(|| last.content.clone())
}

fn offers(paragraph: &str) -> bool {
    !is_quoted(paragraph)
        && HINTS.any_in(paragraph)
        && matches(&OFFER, paragraph)
        && matches(&CHANGE, paragraph)
        && !matches(&CLASS, paragraph)
}

fn paragraph<'a>(field: &'a TextField, block: &Block) -> Option<&'a str> {
    let text = field.text.get(block.content.clone())?;
    (block.kind == BlockKind::Paragraph && text.len() <= LONGEST).then_some(text)
}

/// Speech in a story, or words that the text is about.
fn is_quoted(text: &str) -> bool {
    text.contains(['"', '“', '”', '«', '„', '「', '『', '`']) || text.starts_with(['—', '–', '-'])
}

fn matches(pattern: &LazyLock<PatternList>, text: &str) -> bool {
    pattern.any_matches(&text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        assert_eq!(LIST.wrong_examples("work", |_, text| announces(text)), [""; 0]);
        assert_eq!(LIST.wrong_examples("offer", |_, text| offers(text)), [""; 0]);
    }

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
            assert_eq!(pattern.faults(), [""; 0]);
        }
    }
}
