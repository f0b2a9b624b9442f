//! The direction of an instruction, recognised by its words, in the languages we read. A
//! pattern is a word's beginning (`simplif*`), a word, or several of them near each
//! other.
//!
//! | it says | then |
//! |---|---|
//! | both of an opposed pair in one breath ("cut the list and add a table") | neither: it knows what it wants |
//! | "do not cut" | nothing about cutting |

use crate::planning_reasons::Opposition;
use crate::verdict::Issue;
use redraft_gate::vocabulary::normal_keys;

/// The direction of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Add,
    Cut,
    Detail,
    Simplify,
    Formal,
    Plain,
}

/// Pulls against each other, as the ledger calls them.
pub(super) const OPPOSED: [(Direction, Direction, Opposition); 3] = [
    (Direction::Add, Direction::Cut, Opposition::AddOrCut),
    (
        Direction::Detail,
        Direction::Simplify,
        Opposition::DetailOrSimplicity,
    ),
    (
        Direction::Formal,
        Direction::Plain,
        Opposition::FormalOrPlain,
    ),
];

/// English, Russian, German, Spanish, French, Portuguese, Chinese. No bare
/// beginnings that words of a subject may have, too: condensation, appendicitis,
/// amplitude, deletion.
const PATTERNS: &[(Direction, &str)] = &[
    (
        Direction::Add,
        "add|adds|adding|include|insert|inserting|supply|supplement|expand|\
         extend|lengthen|append|provide more|give more|more example*|\
         more detail*|more exercise*|more practice|добавь*|добавит*|добавля*|\
         включит*|дополните|дополнить|вставь*|вставит*|расширьте|расширить|\
         больше пример*|приведи*|привести|hinzufüg*|füge|fügen|ergänze|\
         ergänzen|erweitern|einfügen|mehr beispiel*|añad*|agreg*|incluya*|\
         incluir|amplíe|ampliar|incorpore|más ejempl*|ajout*|inclure|incluez|\
         insérez|insérer|complétez|compléter|étoff*|plus exempl*|adicione|\
         adicionar|acrescent*|inclua|添加|增加|补充|加入|加上|扩充|扩展",
    ),
    (
        Direction::Cut,
        "cut|cuts|cutting|remove|removing|delete|deleting|shorten*|trim|\
         trimming|condense|condensing|omit|omitting|reduc* length|reduc* text|\
         make shorter|tighten|abridge|too long|сократите|сократить|сокращайте|\
         уберите|убрать|удалите|удалить|удаляйте|исключите|исключить|урежьте|\
         слишком длин*|kürze|kürzen|streiche|streichen|entferne|entfernen|\
         lösche|löschen|weglassen|zu lang*|acort*|elimine|eliminar|recorte|\
         recortar|suprima|suprimir|quitar|demasiado larg*|supprim*|raccourc*|\
         coupez|couper|enlevez|enlever|retirez|abrégez|abréger|trop long*|\
         remova|remover|encurt*|删除|删去|删掉|缩短|精简|去掉|压缩|太长|过长",
    ),
    (
        Direction::Detail,
        "elaborate|elaborating|deepen|deepening|more detail*|further detail*|\
         add detail*|great* detail*|great* depth|more depth|more thorough*|\
         expand on|expand|подробнее|более подробн*|детальнее|больше детал*|\
         добав* детал*|детализируйте|углубите|разверните|ausführlicher*|\
         vertiefen|mehr detail*|detaillierter*|más detall*|profundice|\
         profundizar|approfondi*|détaillez|détailler|plus détail*|développez|\
         développer|davantage détail*|aprofunde|aprofundar|mais detalh*|更详细|\
         更多细节|详细说明|详细解释|深入|展开",
    ),
    (
        Direction::Simplify,
        "simplify|simplifying|simpler|make simple|less detail*|too complex|\
         too complicated|too detailed|easier word*|easier language|\
         shorter sentence*|short sentences|split sentence*|less complex|\
         упростите|упростить|упрощайте|проще|слишком сложн*|менее подробн*|\
         короче предложени*|vereinfach*|einfacher*|zu kompliziert|zu komplex*|\
         kürzere sätz*|simplifique|simplificar|más sencill*|más simpl*|\
         demasiado complej*|frases más cort*|simplifiez|simplifier|plus simpl*|\
         trop complex*|phrases plus court*|mais simples|简化|更简单|太复杂|过于复杂|简单化|\
         更短的句子",
    ),
    (
        Direction::Formal,
        "more formal*|formal tone|formal language|formal register|formal style|\
         academic tone|academic language|academic style|academic register|\
         more academic|less informal|less casual|less colloquial|\
         less conversational|too informal|too casual|too colloquial|\
         more scientific|более формальн*|формальн* стил*|формальн* тон*|\
         академическ* стил*|научн* стил*|более научн*|слишком разговорн*|\
         менее разговорн*|формальнее|formeller*|formal* ton|\
         wissenschaftlich* stil|sachlicher*|zu umgangssprachlich|\
         weniger umgangssprachlich|más formal*|tono formal*|lenguaje formal|\
         tono académic*|demasiado coloquial|menos coloquial|plus formel*|\
         plus soutenu*|registre soutenu|ton académique|moins familier*|\
         trop familier*|mais formal|更正式|正式的语言|正式语言|书面语|学术语言|学术性|太口语|过于口语",
    ),
    (
        Direction::Plain,
        "less formal*|too formal*|plain language|plain english|plain word*|\
         plainer|conversational|informal*|everyday language|everyday word*|\
         friendlier|friendly tone|less academic|too academic|colloquial*|\
         менее формальн*|слишком формальн*|простым язык*|простыми слов*|\
         простой язык|разговорн*|живым язык*|неформальн*|слишком академичн*|\
         weniger formell|weniger formal|zu formell|zu formal|alltagssprach*|\
         umgangssprach*|lockerer*|einfache sprache|menos formal|\
         demasiado formal|lenguaje sencillo|coloquial*|lenguaje cotidiano|\
         tono cercano|moins formel*|trop formel*|langage courant|\
         langage simple|不那么正式|太正式|过于正式|口语|通俗|日常语言|平实",
    ),
];

/// Words that take back what follows them: "do not add", "without cutting".
const TAKES_BACK: &str = "not|don't|don’t|never|without|avoid|instead|less|too|rather|не|без|вместо|\
 менее|слишком|nicht|ohne|statt|zu|weniger|no|sin|evit|menos|demasiado|ne|sans|\
 éviter|évitez|moins|trop|não|sem|不|勿|别|无|免|太";

/// Whether a cut is about length as such, not about a thing to be taken out.
pub(super) fn is_about_length(issue: &Issue) -> bool {
    const PATTERNS: &str = "shorten*|condense|trim|make shorter|too long|tighten*|reduc* length|\
     сократ*|слишком длин*|kürz*|zu lang*|acort*|recort*|demasiado larg*|\
     raccourc*|abrég*|trop long*|encurt*|缩短|精简|压缩|太长|过长";
    let words = normal_keys(instruction(issue), None);
    PATTERNS.split('|').any(|pattern| says(&words, pattern))
}

/// What an issue says should be done; where it says nothing, what is wrong.
pub(super) fn instruction(issue: &Issue) -> &str {
    match issue.suggested_fix.trim() {
        "" => &issue.description,
        fix => fix,
    }
}

/// Whether an issue is mended by adding something and by nothing else.
pub(in crate::arbitrate) fn is_addition(issue: &Issue) -> bool {
    const REWRITES: &str = "rewrit*|replac*|restructur*|reorgani*|regenerat*|start over|перепи*|\
     замен*|переработ*|перестро*|neu schreib*|umschreib*|ersetz*|reescrib*|\
     reemplaz*|sustitu*|réécri*|remplac*|重写|改写|替换|重新";
    let words = normal_keys(instruction(issue), None);
    let directions = directions_of(issue);
    directions.contains(&Direction::Add)
        && !REWRITES.split('|').any(|pattern| says(&words, pattern))
}

/// The directions of an issue. Of two opposed ones it has neither.
pub(super) fn directions_of(issue: &Issue) -> Vec<Direction> {
    let words = normal_keys(instruction(issue), None);
    let mut directions: Vec<Direction> = PATTERNS
        .iter()
        .filter(|(_, patterns)| patterns.split('|').any(|pattern| says(&words, pattern)))
        .map(|(pull, _)| *pull)
        .collect();
    for (one, other, _) in OPPOSED {
        if directions.contains(&one) && directions.contains(&other) {
            directions.retain(|direction| *direction != one && *direction != other);
        }
    }
    directions
}

/// Whether words follow a pattern somewhere, and are not taken back.
fn says(words: &[String], pattern: &str) -> bool {
    let parts: Vec<String> = if pattern.chars().all(|c| c > '\u{2e80}') {
        pattern.chars().map(String::from).collect()
    } else {
        pattern.split(' ').map(str::to_owned).collect()
    };
    let is_wide = parts.len() > 1 && !pattern.contains(' ');
    let Some(first) = parts.first() else {
        return false;
    };
    // How many words may come between two of a pattern: "more worked examples".
    let gap = if is_wide { 0 } else { 2 };
    words.iter().enumerate().any(|(start, word)| {
        if !is(word, first) || is_taken_back(words, start, first) {
            return false;
        }
        let mut at = start;
        parts.iter().skip(1).all(|part| {
            let next = (at + 1..=at + 1 + gap)
                .find(|index| words.get(*index).is_some_and(|word| is(word, part)));
            next.is_some_and(|next| {
                at = next;
                true
            })
        })
    })
}

/// Whether a word is one of a list, which is parted by strokes.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    list.split('|').any(|listed| listed == word)
}

fn is(word: &str, part: &str) -> bool {
    match part.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == part,
    }
}

/// Whether one of the words before takes back what is said; a pattern that
/// begins with such a word means it.
fn is_taken_back(words: &[String], at: usize, first: &str) -> bool {
    const NEAR: usize = 2;
    if is_listed(TAKES_BACK, first) {
        return false;
    }
    let before = words.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    before.iter().any(|word| is_listed(TAKES_BACK, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Anchored, IssueSeverity};
    use redraft_gate::span::ComponentId;

    fn issue(fix: &str) -> Issue {
        Issue {
            criterion: "clarity".to_owned(),
            severity: IssueSeverity::Major,
            location: ComponentId::whole(),
            quote: None,
            anchor: Anchored::NotQuoted,
            description: "A fault.".to_owned(),
            suggested_fix: fix.to_owned(),
            source: None,
        }
    }

    #[test]
    fn instructions_pull_where_their_words_say() {
        use Direction::{Add, Cut, Detail, Formal, Plain, Simplify};
        for (fix, expected) in [
            ("Add a simple example.", &[Add][..]),
            ("Add more details about the stages.", &[Add, Detail]),
            ("Simplify the language, it is too complex.", &[Simplify]),
            ("Use shorter sentences.", &[Simplify]),
            ("Shorten the section.", &[Cut]),
            ("Remove the list and add a table.", &[]),
            ("Do not add anything here.", &[]),
            ("Do not cut the definition.", &[]),
            ("Address the misconception about heat.", &[]),
            ("Correct the figure to 100 °C.", &[]),
            ("Explain that condensation is quite slow.", &[]),
            ("Name the included amplitude of the simplified model.", &[]),
            ("Say that the muscle contracts after the deletion.", &[]),
            ("Объясните сокращение мышц без исключений.", &[]),
            ("Remove unnecessary details.", &[Cut]),
            ("Elaborate on the second step.", &[Detail]),
            ("Use a more formal tone.", &[Formal]),
            ("Make it less formal.", &[Plain]),
            ("The tone is too informal for a textbook.", &[Formal]),
            ("Use plain language.", &[Plain]),
            ("Добавьте простой пример.", &[Add]),
            ("Упростите формулировки.", &[Simplify]),
            ("Сократите раздел вдвое.", &[Cut]),
            ("Опишите этапы подробнее.", &[Detail]),
            ("Используйте более формальный стиль.", &[Formal]),
            ("Не удаляйте таблицу.", &[]),
            ("Ergänzen Sie ein Beispiel.", &[Add]),
            ("Kürzen Sie den Abschnitt.", &[Cut]),
            ("Vereinfachen Sie die Sprache.", &[Simplify]),
            ("Añada un ejemplo sencillo.", &[Add]),
            ("Acorte el párrafo.", &[Cut]),
            ("Simplifique el lenguaje.", &[Simplify]),
            ("Ajoutez un exemple.", &[Add]),
            ("Raccourcissez la section.", &[Cut]),
            ("Simplifiez les phrases.", &[Simplify]),
            ("添加一个简单的例子。", &[Add]),
            ("缩短这一节。", &[Cut]),
            ("请简化语言。", &[Simplify]),
            ("请更详细地解释步骤。", &[Detail]),
            ("使用更正式的语言。", &[Formal]),
            ("不要删除定义。", &[]),
            ("", &[]),
        ] {
            assert_eq!(directions_of(&issue(fix)), expected, "{fix}");
        }
    }

    #[test]
    fn an_addition_adds_and_rewrites_nothing() {
        for (fix, expected) in [
            ("Add an example of a loop.", true),
            ("Include a definition of osmosis.", true),
            ("Rewrite the section and add examples.", false),
            ("Replace the example.", false),
            ("Add the missing part and remove the digression.", false),
            ("Приведите определение осмоса.", true),
            ("补充一个定义。", true),
            ("重写这一节,并补充例子。", false),
        ] {
            assert_eq!(is_addition(&issue(fix)), expected, "{fix}");
        }
    }
}
