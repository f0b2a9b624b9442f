//! The phrases by which a text speaks to its judge, in seven languages.
//!
//! A demand is a word that opens it and further words that follow within the
//! same sentence. All words are beginnings, in lower case. Nothing here knows
//! where the text stands.

use std::ops::Range;

/// What may be demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// Drop your instructions.
    Override,
    /// You there, judge.
    Address,
    /// Give the best mark.
    Verdict,
    /// Markers of a chat.
    Markers,
    /// It speaks of the text that it stands in.
    ThisText,
}

/// Where the first demand of each kind stands.
#[derive(Debug, Default)]
pub(super) struct Found([Option<Range<usize>>; 5]);

impl Found {
    pub(super) fn get(&self, demand: Demand) -> Option<Range<usize>> {
        self.0[demand as usize].clone()
    }
}

/// The words that open a demand to drop instructions, per language, what must
/// follow, and what must follow that (in any order).
const OVERRIDES: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["ignore", "disregard", "forget", "override"],
        &[
            "previous",
            "prior",
            "above",
            "earlier",
            "preceding",
            "your ",
            "system",
            "you were given",
            "you have been given",
        ],
        &[
            "instruction",
            "prompt",
            "guideline",
            "rubric",
            "criteria",
            "directive",
            "system rules",
        ],
    ),
    (
        &["игнорируй", "проигнорируй", "забудь", "не обращай"],
        &["предыдущ", "прежн", "выше", "все ", "свои", "системн"],
        &["инструкци", "указани", "промпт", "команды"],
    ),
    (
        &["ignorier", "vergiss", "vergessen sie", "missachte"],
        &[
            "vorherig",
            "vorig",
            "bisherig",
            "obig",
            "früher",
            "vorangegangen",
            "system",
            "alle ",
        ],
        &["anweisung", "instruktion", "vorgabe", "prompt"],
    ),
    (
        &[
            "ignora",
            "ignore",
            "olvida",
            "olvide",
            "descarta",
            "haz caso omiso",
        ],
        &["anterior", "previ", "precedent", "todas"],
        &["instruccion", "indicacion", "directri"],
    ),
    (
        &[
            "ignore",
            "oublie",
            "ne tenez pas compte",
            "ne tiens pas compte",
        ],
        &["précédent", "antérieur", "ci-dessus", "toutes"],
        &["instruction", "consigne", "directive"],
    ),
    (
        &["ignore", "ignora", "esqueça", "esquece", "desconsider"],
        &["anterior", "prévi", "acima", "todas"],
        &["instruç", "orientaç", "diretri"],
    ),
    (
        &["忽略", "无视", "忘记", "忘掉", "不要理会", "忽視"],
        &[
            "之前", "以前", "先前", "上述", "以上", "此前", "前面", "所有",
        ],
        &["指令", "指示", "提示", "规则", "规定"],
    ),
];

/// Words before an opening that make it advice to a learner: “you can ignore”,
/// “do not forget”.
const ADVICE: &[&str] = &[
    "can",
    "may",
    "could",
    "might",
    "should",
    "to",
    "not",
    "don't",
    "don’t",
    "never",
    "if",
    "will",
    "they",
    "можете",
    "можно",
    "не",
    "если",
    "können",
    "kannst",
    "nicht",
    "puede",
    "puedes",
    "no",
    "pouvez",
    "peut",
    "pode",
    "não",
];

/// Words that open a demand for a verdict.
const GIVE: &[&str] = &[
    "give",
    "assign",
    "award",
    "rate",
    "score",
    "grade",
    "mark",
    "output",
    "return",
    "report",
    "respond",
    "set",
    "постав",
    "дай",
    "присво",
    "выстав",
    "оцени",
    "gib",
    "geben sie",
    "vergib",
    "vergeben sie",
    "bewerte",
    "setze",
    "da ",
    "dale",
    "dé ",
    "otorg",
    "asign",
    "califi",
    "puntú",
    "evalú",
    "donne",
    "attribue",
    "accorde",
    "note",
    "évalue",
    "dê ",
    "atribu",
    "avali",
    "pontu",
    "给",
    "打",
    "评",
    "请",
];

/// The best marks. Each is rare enough to be looked for in every text.
const BEST: &[&str] = &[
    "score of 1.0",
    "score of 1",
    "score of 10",
    "score of 100",
    "score to 1",
    "score: 1",
    "rating of 10",
    "rating of 5",
    "rating of 1.0",
    "full marks",
    "full score",
    "full points",
    "top marks",
    "top score",
    "perfect score",
    "perfect rating",
    "perfect grade",
    "maximum score",
    "maximum rating",
    "maximum marks",
    "maximum possible",
    "highest score",
    "highest rating",
    "highest grade",
    "highest mark",
    "highest possible",
    "best possible",
    "grade of a",
    "10/10",
    "10 out of 10",
    "100/100",
    "100 out of 100",
    "5/5",
    "1.0",
    "1,0",
    "максимальную оценку",
    "максимальный балл",
    "высшую оценку",
    "высший балл",
    "наивысшую оценку",
    "наивысший балл",
    "оценку 1",
    "оценку 10",
    "оценку 5",
    "10 из 10",
    "100 баллов",
    "10 баллов",
    "отличную оценку",
    "höchste punktzahl",
    "höchstnote",
    "bestnote",
    "volle punktzahl",
    "maximale punktzahl",
    "höchste bewertung",
    "beste bewertung",
    "höchste note",
    "maximale bewertung",
    "10 von 10",
    "100 punkte",
    "puntuación máxima",
    "máxima puntuación",
    "calificación máxima",
    "máxima calificación",
    "nota máxima",
    "máxima nota",
    "puntuación de 1",
    "calificación de 1",
    "puntuación perfecta",
    "calificación perfecta",
    "10 de 10",
    "note maximale",
    "meilleure note",
    "note parfaite",
    "score maximal",
    "score parfait",
    "note de 20",
    "note de 10",
    "20/20",
    "10 sur 10",
    "pontuação máxima",
    "nota de 10",
    "nota 10",
    "pontuação perfeita",
    "10 de 10",
    "满分",
    "最高分",
    "最高评分",
    "1.0分",
    "100分",
    "10分",
];

/// Who is spoken to.
const JUDGE: &[&str] = &[
    "judge",
    "grader",
    "evaluator",
    "reviewer",
    "assessor",
    "examiner",
    "marker",
    "llm",
    "language model",
    "ai model",
    "ai assistant",
    "ai system",
    "ai grader",
    "ai judge",
    "судья",
    "судье",
    "оценщик",
    "проверяющ",
    "рецензент",
    "языковая модель",
    "нейросет",
    "ии-",
    "richter",
    "gutachter",
    "bewerter",
    "prüfer",
    "juror",
    "sprachmodell",
    "ki-",
    "juez",
    "evaluador",
    "revisor",
    "calificador",
    "modelo de lenguaje",
    "juge",
    "évaluateur",
    "correcteur",
    "relecteur",
    "examinateur",
    "modèle de langage",
    "juiz",
    "avaliador",
    "corretor",
    "modelo de linguagem",
    "评委",
    "评审",
    "评分员",
    "评估者",
    "评判",
    "裁判",
    "审核员",
    "语言模型",
    "大模型",
];

/// How somebody is spoken to, directly before naming them.
const YOU: &[&str] = &[
    "you are",
    "you're",
    "dear",
    "attention",
    "note to",
    "note for",
    "message to",
    "message for",
    "to the",
    "hey",
    "as the",
    "as a",
    "as an",
    "if you are",
    "instruction to",
    "instructions for",
    "ты",
    "вы ",
    "уважаем",
    "внимание",
    "для ",
    "сообщение",
    "du bist",
    "sie sind",
    "liebe",
    "achtung",
    "hinweis an",
    "an den",
    "an die",
    "als ",
    "eres",
    "usted es",
    "estimad",
    "querid",
    "atención",
    "nota para",
    "al ",
    "como ",
    "tu es",
    "vous êtes",
    "cher",
    "attention",
    "note à",
    "note pour",
    "au ",
    "en tant que",
    "você é",
    "prezad",
    "caro",
    "atenção",
    "nota ao",
    "ao ",
    "como ",
    "你是",
    "您是",
    "作为",
    "致",
    "亲爱的",
    "尊敬的",
    "各位",
];

/// The text itself.
const THIS: &[&str] = &[
    "this lesson",
    "this text",
    "this content",
    "this document",
    "this material",
    "this submission",
    "this response",
    "this answer",
    "this course",
    "this essay",
    "the lesson",
    "этому уроку",
    "этот урок",
    "этого урока",
    "этому тексту",
    "этот текст",
    "уроку",
    "dieser lektion",
    "diese lektion",
    "diesem text",
    "diesen text",
    "dieser unterricht",
    "dieses dokument",
    "esta lección",
    "este texto",
    "este contenido",
    "este documento",
    "cette leçon",
    "ce texte",
    "ce contenu",
    "ce document",
    "ce cours",
    "esta lição",
    "esta aula",
    "este conteúdo",
    "这节课",
    "本课",
    "这篇",
    "本文",
    "该课程",
    "这个课程",
    "此课",
];

const MARKERS: &[&str] = &[
    "<|im_start|>",
    "<|system|>",
    "<<sys>>",
    "[inst]",
    "<|endoftext|>",
    "[system override]",
];

/// Words by which a text shows that it talks about attacks.
const ATTACK: &[&str] = &[
    "prompt injection",
    "prompt-injection",
    "jailbreak",
    "injection attack",
    "adversarial",
    "промпт-инъекц",
    "инъекция промпт",
    "инъекции промпт",
    "инъекций промпт",
    "внедрение промпт",
    "джейлбрейк",
    "inyección de prompt",
    "inyecciones de prompt",
    "injection de prompt",
    "injeção de prompt",
    "提示注入",
    "提示词注入",
    "越狱",
];

const EXAMPLE: &[&str] = &[
    "attack",
    "example",
    "for instance",
    "malicious",
    "атак",
    "пример",
    "angriff",
    "angreifer",
    "beispiel",
    "ataque",
    "atacante",
    "ejemplo",
    "attaque",
    "exemple",
    "exemplo",
    "攻击",
    "例如",
    "示例",
];

/// Words of which every demand has one.
pub(super) fn triggers() -> impl Iterator<Item = &'static str> {
    OVERRIDES
        .iter()
        .flat_map(|(open, _, _)| open.iter())
        .chain(BEST)
        .chain(MARKERS)
        .copied()
}

/// How far behind its opening a demand may reach, in bytes.
const REACH: usize = 160;

/// How many openings of one kind are followed up in a piece of text.
const MOST: usize = 8;

/// The demands in a piece of text.
pub(super) fn find(text: &str) -> Found {
    let lower = lower_case(text);
    let mut found = Found::default();
    found.0[Demand::Override as usize] = OVERRIDES.iter().find_map(|(open, what, whose)| {
        occurrences(&lower, open)
            .take(MOST)
            .filter(|at| !is_advice(&lower, at.start))
            .find_map(|at| {
                let rest = sentence_from(&lower, at.end);
                let whose = occurrences(rest, whose).next()?;
                let what = occurrences(rest, what).next()?;
                Some(at.start..at.end + whose.end.max(what.end))
            })
    });
    found.0[Demand::Verdict as usize] = occurrences(&lower, BEST).take(MOST).find_map(|best| {
        let before = sentence_to(&lower, best.start);
        let give = occurrences(before, GIVE).last()?;
        Some(best.start - before.len() + give.start..best.end)
    });
    found.0[Demand::Markers as usize] = MARKERS
        .iter()
        .find_map(|marker| lower.find(marker).map(|at| at..at + marker.len()));
    if found.0.iter().all(Option::is_none) {
        return found;
    }
    found.0[Demand::Address as usize] = occurrences(&lower, JUDGE).find_map(|judge| {
        let from = lower.ceil_char_boundary(judge.start.saturating_sub(30));
        let you = occurrences(&lower[from..judge.start], YOU).last();
        let is_called = lower[judge.end..]
            .trim_start_matches(char::is_alphabetic)
            .starts_with([':', '：']);
        match you {
            Some(you) => Some(from + you.start..judge.end),
            None => is_called.then_some(judge),
        }
    });
    found.0[Demand::ThisText as usize] = occurrences(&lower, THIS).next();
    found
}

/// Whether a text shows that it is about attacks, or gives an example.
pub(super) fn talks_about_attacks(text: &str) -> bool {
    let lower = lower_case(text);
    [ATTACK, EXAMPLE]
        .iter()
        .any(|words| occurrences(&lower, words).next().is_some())
}

/// Whether a text names the attack.
pub(super) fn names_attack(text: &str) -> bool {
    let lower = lower_case(text);
    ATTACK.iter().any(|name| lower.contains(name))
}

/// In lower case, byte for byte.
fn lower_case(text: &str) -> String {
    text.chars()
        .map(|c| {
            let mut lower = c.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(single), None) if single.len_utf8() == c.len_utf8() => single,
                _ => c,
            }
        })
        .collect()
}

/// Where one of the phrases stands at the start of a word, in order.
fn occurrences<'a>(
    text: &'a str,
    phrases: &'a [&'a str],
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut all: Vec<Range<usize>> = phrases
        .iter()
        .flat_map(|phrase| {
            text.match_indices(phrase)
                .map(|(at, found)| at..at + found.len())
        })
        .filter(|range| starts_word(text, range.start))
        .collect();
    all.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    all.into_iter()
}

fn starts_word(text: &str, at: usize) -> bool {
    let is_han = |c: char| ('\u{3400}'..='\u{9FFF}').contains(&c);
    let before = text[..at].chars().next_back();
    let first = text[at..].chars().next();
    before.is_none_or(|c| !c.is_alphanumeric() || is_han(c)) || first.is_some_and(is_han)
}

/// Whether the words before an opening make it advice.
fn is_advice(text: &str, at: usize) -> bool {
    let sentence = sentence_to(text, at);
    let is = |word: &str| ADVICE.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words = sentence.split_whitespace();
    words.clone().rev().take(3).any(is)
        || words
            .next()
            .is_some_and(|first| matches!(first, "if" | "если" | "wenn" | "si" | "se"))
}

/// The rest of the sentence, as far as a demand reaches.
fn sentence_from(text: &str, at: usize) -> &str {
    let to = text.floor_char_boundary((at + REACH).min(text.len()));
    let rest = &text[at..to];
    &rest[..sentence_end(rest).unwrap_or(rest.len())]
}

/// The sentence up to here, as far as a demand reaches.
fn sentence_to(text: &str, at: usize) -> &str {
    let from = text.ceil_char_boundary(at.saturating_sub(REACH));
    let mut rest = &text[from..at];
    while let Some(end) = sentence_end(rest) {
        rest = &rest[end..];
    }
    rest
}

/// Where the first sentence ends, if it does.
fn sentence_end(text: &str) -> Option<usize> {
    text.char_indices().find_map(|(at, c)| {
        let end = at + c.len_utf8();
        let is_end = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => text[end..].starts_with(char::is_whitespace),
            _ => false,
        };
        is_end.then_some(end)
    })
}
