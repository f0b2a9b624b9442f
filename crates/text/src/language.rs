//! Which language a text is in. It sees prose only (callers leave out code),
//! and knows nothing of lessons or of what follows from a language.
//!
//! Scripts and letters decide where they can. Among languages that share a
//! script, function words and telling spellings are counted; only where they
//! leave doubt is whatlang asked, which is slow and weak on short texts.

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use whatlang::{Detector, Lang};

/// A language by its primary BCP 47 subtag, such as `en`; regions and scripts
/// are dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

impl Language {
    /// English.
    pub const EN: Self = Self(*b"en\0");
    /// Russian.
    pub const RU: Self = Self(*b"ru\0");
    /// Chinese.
    pub const ZH: Self = Self(*b"zh\0");
    /// German.
    pub const DE: Self = Self(*b"de\0");
    /// Spanish.
    pub const ES: Self = Self(*b"es\0");
    /// French.
    pub const FR: Self = Self(*b"fr\0");
    /// Portuguese.
    pub const PT: Self = Self(*b"pt\0");

    /// Reads a tag (`pt-BR`, `zh_Hans`, `DEU`) or the name of one of the seven
    /// languages, in English or in itself.
    pub fn parse(tag: &str) -> Option<Self> {
        let lower = tag.trim().to_lowercase();
        let named = NAMES
            .iter()
            .find(|(_, names)| names.split(' ').any(|name| name == lower));
        if let Some((language, _)) = named {
            return Some(*language);
        }
        let mut subtags = lower.split(['-', '_']);
        let primary = subtags.next()?;
        let well_formed = subtags.all(|subtag| {
            (1..=8).contains(&subtag.len()) && subtag.bytes().all(|b| b.is_ascii_alphanumeric())
        });
        // Tags that say "no language", "several" or "unknown".
        if !well_formed || matches!(primary, "und" | "mul" | "mis" | "zxx") {
            return None;
        }
        if let Some((language, _)) = NAMES
            .iter()
            .find(|(_, names)| primary.len() == 3 && names.split(' ').any(|name| name == primary))
        {
            return Some(*language);
        }
        Self::from_code(primary)
    }

    /// The subtag, in lower case.
    pub fn as_str(&self) -> &str {
        let len = self.0.iter().take_while(|&&byte| byte != 0).count();
        self.0
            .get(..len)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    fn from_code(code: &str) -> Option<Self> {
        let bytes = code.as_bytes();
        if !(2..=3).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let mut tag = [0; 3];
        for (to, from) in tag.iter_mut().zip(bytes) {
            *to = *from;
        }
        Some(Self(tag))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.as_str())
    }
}

/// Names by which settings and models call the languages, in lower case.
const NAMES: [(Language, &str); 7] = [
    (
        Language::EN,
        "english eng английский englisch inglés inglês anglais 英语 英文",
    ),
    (
        Language::RU,
        "russian rus русский russisch ruso russe russo 俄语 俄文",
    ),
    (
        Language::ZH,
        "chinese mandarin zho chi cmn китайский chinesisch chino chinois chinês 中文 汉语 汉文 简体中文 繁體中文 普通话",
    ),
    (
        Language::DE,
        "german deu ger немецкий deutsch alemán alemão allemand 德语 德文",
    ),
    (
        Language::ES,
        "spanish spa испанский spanisch español espanol castellano espagnol espanhol 西班牙语 西班牙文",
    ),
    (
        Language::FR,
        "french fra fre французский französisch français francais francés francês 法语 法文",
    ),
    (
        Language::PT,
        "portuguese por португальский portugiesisch portugués português portugues portugais 葡萄牙语 葡萄牙文",
    ),
];

/// What [`detect`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The language; `None` where there is too little text, or none of the
    /// languages known here fits.
    pub language: Option<Language>,
    /// Whether to rely on it, say for a finding.
    pub reliable: bool,
}

impl Detection {
    const NONE: Self = Self {
        language: None,
        reliable: false,
    };

    fn of(code: &str, reliable: bool) -> Self {
        let language = Language::from_code(code);
        Self {
            language,
            reliable: reliable && language.is_some(),
        }
    }
}

/// Recognises the language of prose from a bounded sample of it.
pub fn detect(text: &str) -> Detection {
    let sample = sample(text);
    let letters = Letters::count(&sample);
    let Some(script) = letters.leading_script() else {
        return Detection::NONE;
    };
    match script {
        Script::Han if letters.kana * 20 > letters.han => Detection::of("ja", true),
        Script::Han => Detection::of("zh", true),
        Script::Kana => Detection::of("ja", true),
        Script::Latin => by_words(&sample, &LATIN, letters.of(Script::Latin)),
        Script::Cyrillic => by_cyrillic_letters(&sample, letters.of(Script::Cyrillic)),
        Script::Arabic => by_arabic_letters(&sample),
        Script::Devanagari => by_whatlang(&sample).unwrap_or(Detection::of("hi", false)),
        Script::Other(code) => Detection::of(code, true),
    }
}

/// Texts longer than this are judged by three pieces of a third of it each.
const SAMPLE: usize = 2048;

/// Beginning, middle and end of the text, cut between words, without the
/// tokens that are no prose (addresses, code, markup).
fn sample(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(SAMPLE) + 8);
    let mut add = |piece: &str| {
        for token in piece.split_whitespace() {
            if !token.contains("://") && !token.contains(['`', '_', '\\', '=', '<', '{', '@']) {
                out.push_str(token);
                out.push(' ');
            }
        }
    };
    if text.len() <= SAMPLE {
        add(text);
        return out;
    }
    let third = SAMPLE / 3;
    for start in [0, text.len() / 2 - third / 2, text.len() - third] {
        let mut from = text.floor_char_boundary(start);
        let mut to = text.floor_char_boundary(start + third);
        let piece = text.get(from..to).unwrap_or_default();
        // Half a word at either edge would count as a word. Text without
        // spaces is cut anywhere.
        if from > 0
            && let Some(space) = piece.find(char::is_whitespace)
        {
            from += space;
        }
        if to < text.len()
            && let Some(space) = piece.rfind(char::is_whitespace)
        {
            to = to - piece.len() + space;
        }
        add(text.get(from..to).unwrap_or_default());
    }
    out
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Han,
    Kana,
    Arabic,
    Devanagari,
    /// A script that stands for one language.
    Other(&'static str),
}

fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z'
        | 'A'..='Z'
        | '\u{AA}'
        | '\u{BA}'
        | '\u{C0}'..='\u{24F}'
        | '\u{1E00}'..='\u{1EFF}'
            if c.is_alphabetic() =>
        {
            Script::Latin
        }
        '\u{400}'..='\u{52F}' if c.is_alphabetic() => Script::Cyrillic,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Script::Kana,
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}' => Script::Han,
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' if c.is_alphabetic() => Script::Arabic,
        '\u{900}'..='\u{97F}' if c.is_alphabetic() => Script::Devanagari,
        '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' => Script::Other("ko"),
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' if c.is_alphabetic() => Script::Other("el"),
        '\u{5D0}'..='\u{5EA}' => Script::Other("he"),
        '\u{531}'..='\u{587}' if c.is_alphabetic() => Script::Other("hy"),
        '\u{10A0}'..='\u{10FF}' => Script::Other("ka"),
        '\u{E01}'..='\u{E30}' => Script::Other("th"),
        '\u{E81}'..='\u{EB0}' => Script::Other("lo"),
        '\u{1780}'..='\u{17B3}' => Script::Other("km"),
        '\u{1000}'..='\u{102A}' => Script::Other("my"),
        '\u{985}'..='\u{9B9}' => Script::Other("bn"),
        '\u{A05}'..='\u{A39}' => Script::Other("pa"),
        '\u{A85}'..='\u{AB9}' => Script::Other("gu"),
        '\u{B85}'..='\u{BB9}' => Script::Other("ta"),
        '\u{C05}'..='\u{C39}' => Script::Other("te"),
        '\u{C85}'..='\u{CB9}' => Script::Other("kn"),
        '\u{D05}'..='\u{D39}' => Script::Other("ml"),
        '\u{D85}'..='\u{DC6}' => Script::Other("si"),
        '\u{1200}'..='\u{135A}' => Script::Other("am"),
        _ => return None,
    })
}

/// How many letters of each script a sample holds.
struct Letters {
    han: usize,
    kana: usize,
    counts: Vec<(Script, usize)>,
}

impl Letters {
    fn count(sample: &str) -> Self {
        let mut counts: Vec<(Script, usize)> = Vec::new();
        for script in sample.chars().filter_map(script) {
            match counts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, count)) => *count += 1,
                None => counts.push((script, 1)),
            }
        }
        let mut letters = Self {
            han: 0,
            kana: 0,
            counts,
        };
        letters.han = letters.of(Script::Han);
        letters.kana = letters.of(Script::Kana);
        letters
    }

    fn of(&self, script: Script) -> usize {
        self.counts
            .iter()
            .find(|(known, _)| *known == script)
            .map_or(0, |(_, count)| *count)
    }

    /// The script that carries the text; `None` with too few letters. A Han
    /// character or a syllable of Hangul says as much as several Latin letters,
    /// and Chinese prose about programming is full of Latin names.
    fn leading_script(&self) -> Option<Script> {
        let weigh = |script, count| match script {
            Script::Han | Script::Kana => count * 4,
            Script::Other("ko") => count * 3,
            Script::Latin => count,
            _ => count * 2,
        };
        let (script, weight) = self
            .counts
            .iter()
            .map(|&(script, count)| (script, weigh(script, count)))
            .max_by_key(|&(_, weight)| weight)?;
        let enough = if script == Script::Latin { 20 } else { 28 };
        (weight >= enough).then_some(script)
    }
}

/// Letters that only some languages of the script write. Counts decide, so
/// that one quoted foreign word does not.
fn by_cyrillic_letters(sample: &str, letters: usize) -> Detection {
    let lower = sample.to_lowercase();
    let count = |set: &str| lower.chars().filter(|&c| set.contains(c)).count();
    let russian = count("ыэё");
    let ukrainian = count("іїєґў");
    let (serbian, macedonian) = (count("ђјљњћџ"), count("ѓќѕ"));
    // Russian and Ukrainian write и in every other word, Belarusian never.
    let i = count("и");
    if count("әғқңөұүһҳҷҡҙҫ") * 50 > letters {
        return Detection::NONE;
    }
    if ukrainian > 0 && ukrainian * 12 > russian {
        let writes_belarusian = count("ў") > 0 || (russian > 0 && i * 8 <= count("і") + russian);
        let code = if writes_belarusian { "be" } else { "uk" };
        return Detection::of(code, true);
    }
    if serbian + macedonian > russian {
        return Detection::of(if macedonian > 0 { "mk" } else { "sr" }, true);
    }
    if i == 0 && letters >= 80 {
        return Detection::of("be", false);
    }
    if russian > 0 {
        return Detection::of("ru", letters >= 40 || russian > 1);
    }
    // One ъ may be Russian ("объяснил"); Bulgarian has it in every line.
    let hard_signs = count("ъ");
    if hard_signs > 1 && hard_signs * 100 > letters * 2 {
        return Detection::of("bg", letters >= 40);
    }
    // Bulgarian writes ь only before о, Serbian and Macedonian not at all.
    let soft_signs = count("ь");
    if soft_signs > lower.matches("ьо").count() {
        return Detection::of("ru", soft_signs > 1);
    }
    // Russian without a single ы, э, ё or ь is a guess, however many words agree.
    let found = by_words(sample, &CYRILLIC, letters);
    Detection {
        reliable: found.reliable && found.language != Some(Language::RU),
        ..found
    }
}

fn by_arabic_letters(sample: &str) -> Detection {
    let has = |set: &str| sample.chars().any(|c| set.contains(c));
    if has("ٹڈڑںے") {
        Detection::of("ur", true)
    } else if has("پچژگ") {
        Detection::of("fa", true)
    } else {
        Detection::of("ar", true)
    }
}

fn by_whatlang(sample: &str) -> Option<Detection> {
    let info = Detector::new().detect(sample)?;
    let code = two_letters(info.lang().code());
    Some(Detection::of(code, info.is_reliable()))
}

/// Languages of one script with the words and spellings that tell them apart.
struct Family {
    codes: Vec<&'static str>,
    /// Those of them that whatlang is asked about.
    candidates: Vec<Lang>,
    words: BTreeMap<&'static str, u32>,
    endings: Vec<(&'static str, u32)>,
    letters: BTreeMap<char, u32>,
}

impl Family {
    fn new(
        words: &[(&'static str, &'static str)],
        endings: &[(&'static str, &'static str)],
        letters: &[(&'static str, &'static str)],
    ) -> Self {
        let codes: Vec<&'static str> = words.iter().map(|&(code, _)| code).collect();
        let bit = |code: &str| {
            codes
                .iter()
                .position(|&known| known == code)
                .map_or(0, |index| 1u32 << index)
        };
        let mut family = Self {
            words: BTreeMap::new(),
            endings: Vec::new(),
            letters: BTreeMap::new(),
            candidates: Vec::new(),
            codes: Vec::new(),
        };
        for (code, list) in words {
            for word in list.split_whitespace() {
                *family.words.entry(word).or_default() |= bit(code);
            }
        }
        for (codes, list) in endings {
            let bits = codes.split(' ').map(bit).fold(0, |all, bit| all | bit);
            family
                .endings
                .extend(list.split_whitespace().map(|ending| (ending, bits)));
        }
        for (codes, list) in letters {
            let bits = codes.split(' ').map(bit).fold(0, |all, bit| all | bit);
            for letter in list.chars().filter(|c| !c.is_whitespace()) {
                *family.letters.entry(letter).or_default() |= bits;
            }
        }
        family.candidates = Lang::all()
            .iter()
            .copied()
            // Both resemble half of Europe to a detector that counts trigrams.
            .filter(|lang| !matches!(lang, Lang::Epo | Lang::Lat))
            .filter(|lang| codes.contains(&two_letters(lang.code())))
            .collect();
        family.codes = codes;
        family
    }

    /// Points for every language, and how many words there were.
    fn score(&self, sample: &str) -> (Vec<u32>, u32) {
        // A head start of half a word for the language that most often comes
        // without its telling letters.
        let mut points: Vec<u32> = self
            .codes
            .iter()
            .map(|&code| if code == "ru" { 14 } else { 0 })
            .collect();
        let mut total = 0;
        for written in sample
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
        {
            // A lone capital is an initial or a label, not a function word.
            if written.len() <= 2 && written.chars().all(char::is_uppercase) {
                continue;
            }
            let word = written.to_lowercase();
            let word = word.as_str();
            total += 1;
            if let Some(&bits) = self.words.get(word) {
                share(&mut points, bits, 24);
            } else if let Some((_, bits)) = self
                .endings
                .iter()
                .find(|(ending, _)| word.len() > ending.len() + 2 && word.ends_with(ending))
            {
                share(&mut points, *bits, 12);
            }
            let telling = word
                .chars()
                .filter(|c| !c.is_ascii())
                .find_map(|c| self.letters.get(&c));
            if let Some(&bits) = telling {
                share(&mut points, bits, 14);
            }
        }
        for c in sample.chars().filter(|c| matches!(c, '¿' | '¡')) {
            if let Some(&bits) = self.letters.get(&c) {
                share(&mut points, bits, 24);
            }
        }
        (points, total)
    }
}

/// A word that several languages share says less about each of them.
fn share(points: &mut [u32], bits: u32, worth: u32) {
    let each = match bits.count_ones() {
        0 | 1 => worth,
        2 => worth * 2 / 3,
        3 => worth / 2,
        _ => worth / 3,
    };
    for (index, points) in points.iter_mut().enumerate() {
        if bits & (1 << index) != 0 {
            *points += each;
        }
    }
}

/// Decides by counted words, and asks whatlang where they leave doubt.
fn by_words(sample: &str, family: &Family, letters: usize) -> Detection {
    let (mut points, words) = family.score(sample);
    let (best, top, second) = leader(&points);
    // Prose has a function word in every second or third word, about 8 points
    // a word; names and lists fall far below, and so do languages without a
    // list, which share a word with some language here by chance.
    let supported = |top: u32| top >= words * 2;
    if top >= 72 && top * 2 >= second * 3 && top >= words * 4 {
        return Detection::of(code_at(family, best), letters >= 30);
    }
    let guess = Detector::with_allowlist(family.candidates.clone()).detect(sample);
    let (code, confidence) = guess.map_or(("", 0.0), |info| {
        (two_letters(info.lang().code()), info.confidence())
    });
    let guessed = family.codes.iter().position(|&known| known == code);
    if let Some(points) = guessed.and_then(|index| points.get_mut(index)) {
        *points += match confidence {
            0.9.. => 40,
            0.3.. => 24,
            _ => 12,
        };
    }
    let (best, top, second) = leader(&points);
    if top == second || top < 24 || !supported(top) {
        return Detection::NONE;
    }
    let agreed = code == code_at(family, best) || top * 2 >= second * 3;
    let reliable = letters >= 30 && top >= 72 && top * 5 >= second * 6 && agreed;
    Detection::of(code_at(family, best), reliable)
}

fn code_at(family: &Family, index: usize) -> &'static str {
    family.codes.get(index).copied().unwrap_or_default()
}

/// The best index, its points, and the points of the next best.
fn leader(points: &[u32]) -> (usize, u32, u32) {
    let (mut best, mut top, mut second) = (0, 0, 0);
    for (index, &points) in points.iter().enumerate() {
        if points > top {
            (best, top, second) = (index, points, top);
        } else {
            second = second.max(points);
        }
    }
    (best, top, second)
}

/// whatlang speaks ISO 639-3; the rest of the program two letters.
fn two_letters(code: &str) -> &'static str {
    const CODES: &str = "eng en rus ru cmn zh spa es por pt ita it fra fr deu de ukr uk pol pl nob no dan da swe sv fin fi \
        tur tr nld nl hun hu ces cs bul bg bel be ron ro slv sl hrv hr srp sr mkd mk lit lt lav lv est et vie vi \
        aze az ind id uzb uz tuk tk aka ak zul zu sna sn afr af lat la slk sk cat ca tgl tl cym cy epo eo jav jv \
        hin hi mar mr nep ne";
    let mut codes = CODES.split_whitespace();
    while let (Some(three), Some(two)) = (codes.next(), codes.next()) {
        if three == code {
            return two;
        }
    }
    ""
}

static LATIN: LazyLock<Family> = LazyLock::new(|| {
    Family::new(
        &[
            (
                "en",
                "the of and a to in is that it for was on are as with be by at this have from or had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two him see could no than been who its now did get may part you i he they my me our us after only also because where most such any those while should does being between through over under here just very don t s re ve ll isn doesn one his first new time people year years day days work use used using make made makes know take want need needs like good long little much before right same every still must why again help learn example however both during without within another even well per next last three four per let",
            ),
            (
                "de",
                "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn ihre ihr seine ich wir kann können diese dieser dieses dann unter sehr was wer hier schon muss müssen gegen vom wurden keine kein alle sondern jedoch weil uns mich mir dir euch zwischen zwei jeder etwas da denn ihm ihn hatte ob beim also damit eines wo warum immer wieder ja nein mal nun ganz gibt macht machen viel viele jetzt heute gut ohne während seit dort hatten wären würde wollte sollte soll will weiter neue neuen jahr jahre zeit selbst doch ihrer ihren seiner ebenfalls bereits",
            ),
            (
                "es",
                "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo solo han yo hay vez puede todos así nos ni parte tiene él uno donde bien mismo ese ahora cada e otro otra otros después te esto eso estos estas nuestra nuestro usted ellos ella según hacer aunque tan están tu cuál cómo les pues unos unas siempre nunca hoy ayer aquí allí mucho mucha muchos poco nada algo alguien hace hacia durante contra mediante tras antes luego entonces además gran nuevo nueva primera primer tres debe pueden tienen hemos creo ninguna ninguno cual quien quienes mientras",
            ),
            (
                "fr",
                "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son cette aux ou comme mais on nous tout sa ses ils elle été être fait deux même si leur très aussi sans vous je y où bien peut ces leurs entre dont après avant encore ont quand c d l n qu s j m t lui donc sous depuis avait était était chez votre notre nos vos mes mon ma tous toute toutes cela ça car alors fut chaque autres autre elles ainsi moins à ici fois peu jamais toujours rien celui celle ceux quel quelle comment pourquoi faut doit va vont sera serait soit plusieurs chose temps jour jours an ans lors vers contre jusqu puis parce selon pendant parfois j'ai ai as es suis êtes sommes deviennent devient",
            ),
            (
                "pt",
                "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu às minha têm numa pelos elas havia seja qual será nós tenho lhe deles essas esses pelas este fosse dele tu te vocês vos são pode sobre onde cada porque nesta neste desta deste nossa nosso outros outro fazer ainda estava sempre nunca hoje ontem aqui ali muita muitos pouco nada algo alguém faz durante contra após antes então além novo nova primeira primeiro três deve podem tanto tanta todos todas tudo vai vem fez ano anos dia dias uns umas assim enquanto segundo apenas agora lá estamos quer",
            ),
            (
                "it",
                "di e il la che in a per un è del non una i le con si da sono dei al nel come della lo gli ha anche alla più ma su dal delle se o suo sua questo questa ci loro quando essere stato dalla tra fra ai nella molto ne alle stata mi ho degli sulla dell all nell sull l d un c quello cui perché così dopo solo tutti tutto può hanno era prima ogni dove cosa anni due fatto sia poi noi lui lei io chi senza sul dai negli",
            ),
            (
                "nl",
                "de het een en van in is dat op te zijn met voor niet aan er om ook als dan maar bij uit door over ze hij naar heeft hebben worden wordt deze nog wel geen kan meer wat of was werd zo je we ik haar hun tot omdat zou kunnen moet veel andere onder waar tussen dit die want zich al mijn u",
            ),
            (
                "pl",
                "i w na z do się nie jest że to o jak po za od dla przez ale tak co był była było przy czy tym tego są lub jego już tylko oraz który która które jej ich przed może być ze pod gdy nad bardzo także a u jako więc nawet mnie mi ma jednak go może np bez",
            ),
            (
                "sv",
                "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då sedan över bara in blir upp även vad ni du mellan denna detta",
            ),
            (
                "da",
                "og i at det er en til af på for med de som den der ikke et har han var om fra men jeg vi sig så kan når år også efter eller nu hvor ved mod skal ville kommer ud får være havde alle andre meget her da siden over bare ind bliver op hvad du denne dette blev vil mere hun kun mange",
            ),
            (
                "no",
                "og i det er en til av på for med de som den ikke et har han var om fra men jeg vi seg så kan når år også etter eller nå hvor ved mot skal ville kommer ut får være hadde alle andre mye her da siden over bare inn blir opp hva du denne dette ble vil mer hun noen mange kunne enn",
            ),
            (
                "ro",
                "de și în a la cu pe din care este o un nu că mai pentru sunt se fi ca au prin sau dar fost după între lui ei al ale cel cea când această acest am ai dacă foarte unde despre către fără doar lor său sa avea toate tot",
            ),
            (
                "ca",
                "de la i el que a les en per un amb els una és no del al es seva seu més com o són però si va han ha ser dels aquest aquesta als també perquè molt l d s n on pel fins sense entre quan tot tots hi ho seus ja",
            ),
            (
                "cs",
                "a v se na je že s z do o i to k ve pro za by jako po jsou tak byl ale jeho které který která od při není jsem bylo také až nebo ze jen podle však mezi aby si co když před už své než pod jejich může být",
            ),
            (
                "sk",
                "a v sa na je že s z do o aj to k vo pre za by ako po sú tak bol ale jeho ktoré ktorý ktorá od pri nie som bolo tiež až alebo zo len podľa však medzi aby si čo keď pred už svoje než pod ich môže byť",
            ),
            (
                "hr",
                "i u je se na da su za od s a o kao ne koji koja koje iz to biti bio bila ali ili do po kako više ako te što bi sam samo nije jer kod među prema već njegov sve može ova ovaj",
            ),
            (
                "tr",
                "ve bir bu da de için ile olarak çok olan daha gibi ne kadar en sonra ama o her var ya mi mı ki değil ise oldu olduğu göre hem veya ancak ben sen biz siz bunu onun tarafından üzerinde iki şey büyük yok diye bile nasıl şekilde içinde kendi bütün böyle",
            ),
            (
                "fi",
                "ja on ei se että oli hän ovat mutta tai kun joka niin myös kuin ole mukaan jos vain sen hänen olla mitä tämä tässä ne he me minä sinä te jo vielä sekä voi sitä siitä kanssa ennen jälkeen vuonna jotka noin itse nyt hyvin tämän muun en",
            ),
            (
                "hu",
                "a az és hogy nem is egy volt meg ez de csak már még ha vagy mint el ki azt kell lehet amely után szerint minden volna van ezt pedig akkor ami úgy nagy neki mert lesz között majd sem így itt több ő én te mi",
            ),
            (
                "id",
                "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada adalah mereka oleh sebagai atau kita telah bisa lebih dapat sudah seorang kami hanya anda dia saat para seperti tersebut bahwa secara harus orang",
            ),
            (
                "vi",
                "và của là có không được trong một cho các với những người đã này khi để đến từ cũng như nhưng về tại sẽ vào ra hay làm phải rất nhiều nếu thì theo bị đó lại trên",
            ),
            (
                "ga",
                "agus an na ar i a go is le do bhí ag ach tá sé nach ní sa mar chun ina leis sí siad bhfuil ó bhi atá as níl faoi gur seo sin den don é iad raibh nó cad conas féin nuair gach tar éis idir mé tú againn acu aige dá ba níor aon óna dhá",
            ),
            (
                "af",
                "die en van in is nie het te dat wat vir met op as hy sy word ook aan by om was kan sal deur uit maar ek ons hulle haar sê moet so nog daar toe net tot een baie wees",
            ),
            (
                "eo",
                "la de kaj en al estas ne ke por kun li mi vi ili oni pri sed pli ankaŭ tiu ĉi kiu kiel estis el ĝi povas sur ĉar aŭ ĝis tio post nur dum",
            ),
            (
                "la",
                "et in est non ad ut cum sed quod ex si qui quae per atque ab esse de nec sunt etiam aut eius autem enim hoc quam ac erat ipse quid nihil omnia neque",
            ),
        ],
        &[
            ("en", "ing ings ness ful ght ould ally"),
            ("en fr", "tion tions"),
            (
                "de",
                "ung ungen lich liche lichen keit heit isch ische ischen schaft tschaft",
            ),
            ("es", "ción ciones dad dades iendo ando amiento"),
            ("pt", "ção ções dade dades mento"),
            ("fr", "eux euse ement ements aient eur eurs ique iques"),
            ("it", "zione zioni mente aggio ezza ità"),
            ("ro", "ului ilor ție"),
            ("nl", "heid ijk ijke"),
            ("pl", "ości ego ych owie owy"),
            (
                "tr",
                "lar ler ları leri ların lerin larının lerinin iyor ıyor uyor",
            ),
        ],
        &[
            ("de", "ß"),
            ("de sv fi hu tr", "ö"),
            ("de tr hu", "ü"),
            ("de sv fi", "ä"),
            ("es", "ñ¿¡"),
            ("pt", "ãõ"),
            ("fr", "œèùûëî"),
            ("fr pt", "êâ"),
            ("fr pt ca", "ç"),
            ("it ca", "ìò"),
            ("pl", "łąęśźżńć"),
            ("tr", "ğışİ"),
            ("sv da no", "å"),
            ("da no", "øæ"),
            ("ro", "ășțţ"),
            ("hu", "őű"),
            ("cs", "ěřů"),
            ("sk", "ľĺŕô"),
            ("cs sk", "ď ť"),
            ("cs sk hr", "čšž"),
            ("hr", "đ"),
            ("eo", "ĉĝĥĵŝŭ"),
            ("vi", "ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"),
        ],
    )
});

static CYRILLIC: LazyLock<Family> = LazyLock::new(|| {
    Family::new(
        &[
            (
                "ru",
                "и в не на что с по как это а то но к из у за от же для бы мы он она они был была было его её ее или при до так если все когда уже только во со о об где нет да я ты вы их мне нас вас том чем чтобы также может быть есть под над между после через этот эта эти который которая которые очень тоже себя этого лишь ещё еще том можно нужно под ли был были тем кто вот меня ему ей без там здесь тут теперь сейчас потом тогда всегда никогда опять снова надо будет будут стал стала стали время год года лет день раз более менее самый всё всех всего этом этой тот та те один два три чего какой какая какие свой свою своей себе даже хотя потому сам сама того тоже почему зачем",
            ),
            (
                "bg",
                "на и е за се от да са с не по че като със при до или във беше има към но това тази този тези които който която може бе те той тя ние вие си го я му ѝ им ще след преди между само също така ли какво защо когато където без над под още много бил била била са им в а",
            ),
            (
                "sr",
                "је и у се да на су за од са као који која које не ће то би из али или што био била до по после није само код како он она оно они сам смо ми ви им га му јој њен његов а о",
            ),
            (
                "mk",
                "на и во е од се за да со што ги го не по како или до кој која кои беше има но тоа оваа овој овие може тие тој таа ние вие си ја му им ќе по пред меѓу само исто така ли кога каде без над под уште многу бил била а",
            ),
            (
                "uk",
                "і в на що не з до та як є у за від це але для або так його її вони він вона був була було бути при про після під між також може який яка які ще вже лише тільки коли де й зі а й це ми ви нас вас то якщо чи",
            ),
            (
                "be",
                "і ў на што не з да як у за ад гэта але для або так яго яе яны ён яна быў была было быць пры пра пасля пад між таксама можа які якая якія яшчэ ўжо толькі калі дзе а мы вы нас вас то гэты ці",
            ),
        ],
        &[
            (
                "ru",
                "ого его ться ется ются ными ость ости ение ения ании ий ать ять ить еть ешь ишь ете ите ющий ющая",
            ),
            ("bg", "ът ите ата ето ото ваше аха иха"),
        ],
        &[
            ("uk be", "і"),
            ("uk", "їєґ"),
            ("be", "ў"),
            ("ru be", "ыэё"),
            ("bg ru", "ъ"),
        ],
    )
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags_and_names_are_read() {
        let cases = [
            ("en", Some("en")),
            ("EN-us", Some("en")),
            ("zh-CN", Some("zh")),
            ("zh_Hans_CN", Some("zh")),
            (" pt-BR ", Some("pt")),
            ("English", Some("en")),
            ("Russian", Some("ru")),
            ("русский", Some("ru")),
            ("Русский", Some("ru")),
            ("Deutsch", Some("de")),
            ("Français", Some("fr")),
            ("español", Some("es")),
            ("中文", Some("zh")),
            ("cmn-Hans", Some("zh")),
            ("deu", Some("de")),
            ("tlh", Some("tlh")),
            ("", None),
            ("e", None),
            ("Klingon", None),
            ("und", None),
            ("en us", None),
            ("en--us", None),
            ("日本", None),
        ];
        for (tag, expected) in cases {
            let parsed = Language::parse(tag).map(|language| language.to_string());
            assert_eq!(parsed.as_deref(), expected, "{tag:?}");
        }
    }

    #[test]
    fn prose_is_recognised() {
        let cases = [
            (
                "en",
                "Plants need light, and without it they cannot make their food.",
            ),
            (
                "ru",
                "Растениям нужен свет, без него они не могут создавать пищу.",
            ),
            ("ru", "Тема нового урока: вода в природе и жизни человека."),
            ("ru", "Доктор объяснил нам, что такое температура и пар"),
            ("zh", "植物需要阳光，没有阳光它们就无法制造食物。"),
            (
                "zh",
                "使用 JavaScript 的 addEventListener 方法来监听点击事件。",
            ),
            (
                "de",
                "Pflanzen brauchen Licht, ohne das sie keine Nahrung herstellen können.",
            ),
            (
                "es",
                "Las plantas necesitan luz y sin ella no pueden producir su alimento.",
            ),
            (
                "fr",
                "Les plantes ont besoin de lumière pour fabriquer leur nourriture.",
            ),
            (
                "pt",
                "As plantas precisam de luz e sem ela não podem produzir o seu alimento.",
            ),
            (
                "it",
                "Le piante hanno bisogno di luce per produrre il loro nutrimento.",
            ),
            (
                "nl",
                "Planten hebben licht nodig om hun eigen voedsel te maken.",
            ),
            (
                "pl",
                "Rośliny potrzebują światła, bez którego nie mogą się rozwijać.",
            ),
            (
                "sv",
                "Växter behöver ljus och utan det kan de inte göra sin egen föda.",
            ),
            (
                "tr",
                "Bitkiler ışığa ihtiyaç duyar ve onsuz kendi besinlerini üretemezler.",
            ),
            (
                "uk",
                "Рослинам потрібне світло, без нього вони не можуть жити.",
            ),
            (
                "be",
                "Раслінам патрэбна святло, без яго яны не могуць жыць у прыродзе, ды ўсё.",
            ),
            (
                "bg",
                "Растенията се нуждаят от светлина, за да произвеждат храната си.",
            ),
            ("ja", "植物は光がなければ食べ物を作ることができません。"),
            ("ko", "식물은 빛이 없으면 양분을 만들 수 없습니다."),
        ];
        for (code, text) in cases {
            assert_eq!(detect(text).language, Language::parse(code), "{text}");
        }
    }

    #[test]
    fn too_little_text_has_no_language() {
        for text in [
            "",
            "12 + 3 = 15",
            "```\n---\n```",
            "Hello",
            "https://example.org/path/of/the/file",
            "你好",
            "x = y_1 {the} <of>",
        ] {
            assert_eq!(detect(text), Detection::NONE, "{text:?}");
        }
    }

    #[test]
    fn names_and_gibberish_are_not_claimed_reliably() {
        for text in [
            "Zxcvbn Qwerty Asdfgh Yuiop Hjklm Bnmvc",
            "JavaScript TypeScript PostgreSQL Kubernetes Docker",
            "lkjh sdfg poiu mnbv tyui zxcv hjkl qaws",
        ] {
            assert!(!detect(text).reliable, "{text} is {:?}", detect(text));
        }
    }

    #[test]
    fn a_long_text_is_judged_by_a_bounded_sample() {
        let text = "Plants need light, and without it they cannot make food. ".repeat(50_000);
        assert!(sample(&text).len() <= SAMPLE);
        let expected = Detection {
            language: Some(Language::EN),
            reliable: true,
        };
        assert_eq!(detect(&text), expected);
        assert_eq!(
            detect(&"植物需要阳光".repeat(50_000)).language,
            Some(Language::ZH)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_text_is_taken(text in "\\PC{0,200}", times in 1usize..30) {
            let _ = detect(&text.repeat(times));
            let _ = Language::parse(&text);
        }
    }
}
