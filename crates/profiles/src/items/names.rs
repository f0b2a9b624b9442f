//! The names under which items keep their fields: the seeds' own, those of question banks
//! and of text generators, in several languages. A name is compared without case, spaces,
//! hyphens and underscores, so that `correct_answer` and `correctAnswer` are one.
//! Knows no values.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What a field is to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    Vignette,
    Stem,
    /// A stem, if the rest of the object is an item.
    WeakStem,
    Options,
    /// Options, if something says that one of them is right.
    WeakOptions,
    /// The wrong options alone; the right one is the value of the key.
    WrongOptions,
    Key,
    /// A key by a name that also means other things.
    WeakKey,
    /// A key whose number is an index.
    IndexKey,
    /// A key or a worked solution.
    Solution,
    Explanation,
}

/// Names by role, the preferred first.
const NAMES: &[(Role, &[&str])] = &[
    (
        Role::Vignette,
        &[
            "vignette",
            "clinicalvignette",
            "case",
            "scenario",
            "casevignette",
            "casedescription",
            "patientcase",
            "clinicalcase",
            "clinicalscenario",
            "passage",
            "stimulus",
            "context",
            "situation",
            "fallvignette",
            "fallbeschreibung",
            "viñeta",
            "vineta",
            "casoclinico",
            "casoclínico",
            "casclinique",
            "клиническийслучай",
            "病例",
        ],
    ),
    (
        Role::Stem,
        &[
            "stem",
            "question",
            "questiontext",
            "leadin",
            "questionstem",
            "questionbody",
            "questiontitle",
            "itemstem",
            "frage",
            "fragestellung",
            "fragetext",
            "pregunta",
            "enunciado",
            "énoncé",
            "enonce",
            "pergunta",
            "questão",
            "questao",
            "domanda",
            "вопрос",
            "текствопроса",
            "问题",
            "题目",
            "题干",
        ],
    ),
    (
        Role::WeakStem,
        &[
            "prompt",
            "query",
            "problem",
            "statement",
            "q",
            "text",
            "title",
            "body",
            "intitulé",
            "intitule",
            "aufgabe",
            "задание",
        ],
    ),
    (
        Role::Options,
        &[
            "distractors",
            "options",
            "choices",
            "alternatives",
            "answeroptions",
            "answerchoices",
            "possibleanswers",
            "questionoptions",
            "mcqoptions",
            "antwortmöglichkeiten",
            "antwortmoeglichkeiten",
            "antwortoptionen",
            "auswahlmöglichkeiten",
            "optionen",
            "opciones",
            "alternativas",
            "choix",
            "propositions",
            "opções",
            "opcoes",
            "opzioni",
            "варианты",
            "вариантыответа",
            "вариантыответов",
            "选项",
        ],
    ),
    (
        Role::WeakOptions,
        &[
            "answers",
            "responses",
            "candidates",
            "variants",
            "antworten",
            "respuestas",
            "réponses",
            "reponses",
            "respostas",
            "risposte",
            "ответы",
            "答案选项",
        ],
    ),
    (
        Role::WrongOptions,
        &[
            "incorrectanswers",
            "wronganswers",
            "incorrectoptions",
            "wrongoptions",
            "incorrectchoices",
            "wrongchoices",
            "incorrect",
            "wrong",
            "falscheantworten",
            "distraktoren",
            "distractores",
            "distracteurs",
            "distratores",
            "respuestasincorrectas",
            "неправильныеответы",
            "дистракторы",
            "干扰项",
        ],
    ),
    (
        Role::Key,
        &[
            "answerkey",
            "correctanswer",
            "answer",
            "correctoption",
            "correctanswers",
            "correctchoice",
            "correctresponse",
            "correctletter",
            "answerletter",
            "correctkey",
            "correctanswerkey",
            "correctanswerletter",
            "correctoptionletter",
            "correctoptions",
            "rightanswer",
            "richtigeantwort",
            "richtig",
            "antwort",
            "korrekteantwort",
            "respuestacorrecta",
            "respuesta",
            "correcta",
            "réponsecorrecte",
            "reponsecorrecte",
            "bonneréponse",
            "bonnereponse",
            "réponse",
            "reponse",
            "respostacorreta",
            "resposta",
            "gabarito",
            "rispostacorretta",
            "risposta",
            "правильныйответ",
            "ответ",
            "верныйответ",
            "正确答案",
            "答案",
        ],
    ),
    (
        Role::IndexKey,
        &[
            "answerindex",
            "correctindex",
            "correctanswerindex",
            "correctoptionindex",
            "correctchoiceindex",
            "answeridx",
            "correctidx",
            "correctansweridx",
            "answerid",
            "correctanswerid",
            "correctoptionid",
        ],
    ),
    (
        Role::WeakKey,
        &["correct", "key", "cop", "ans", "label", "gold", "target"],
    ),
    (
        Role::Solution,
        &[
            "solution",
            "lösung",
            "loesung",
            "solución",
            "solucion",
            "solução",
            "solucao",
            "soluzione",
            "решение",
        ],
    ),
    (
        Role::Explanation,
        &[
            "explanation",
            "rationale",
            "exp",
            "support",
            "justification",
            "reasoning",
            "answerexplanation",
            "correctexplanation",
            "explanationtext",
            "feedback",
            "erklärung",
            "erklaerung",
            "begründung",
            "begruendung",
            "explicación",
            "explicacion",
            "justificación",
            "justificacion",
            "explication",
            "explicação",
            "explicacao",
            "justificativa",
            "spiegazione",
            "объяснение",
            "пояснение",
            "обоснование",
            "解析",
            "解释",
            "说明",
        ],
    ),
];

/// The names of an option's own fields.
pub(super) const OPTION_TEXT: &[&str] = &[
    "text",
    "option",
    "value",
    "content",
    "answer",
    "answertext",
    "optiontext",
    "choice",
    "choicetext",
    "body",
    "description",
    "statement",
    "html",
    "response",
    "antwort",
    "texto",
    "texte",
    "testo",
    "respuesta",
    "réponse",
    "reponse",
    "resposta",
    "risposta",
    "текст",
    "ответ",
    "内容",
    "文本",
];
pub(super) const OPTION_LABEL: &[&str] = &[
    "key",
    "label",
    "letter",
    "id",
    "buchstabe",
    "letra",
    "lettre",
    "буква",
];
pub(super) const OPTION_EXPLANATION: &[&str] = &[
    "explanation",
    "reasoning",
    "rationale",
    "feedback",
    "justification",
    "misconception",
    "erklärung",
    "erklaerung",
    "begründung",
    "begruendung",
    "explicación",
    "explicacion",
    "explication",
    "explicação",
    "explicacao",
    "spiegazione",
    "объяснение",
    "пояснение",
    "解析",
];
pub(super) const FLAG: &[&str] = &[
    "iscorrect",
    "correct",
    "isanswer",
    "isright",
    "right",
    "iscorrectanswer",
    "correctanswer",
    "istrue",
    "richtig",
    "korrekt",
    "istrichtig",
    "correcta",
    "correcto",
    "escorrecta",
    "escorrecto",
    "juste",
    "correcte",
    "estcorrecte",
    "correta",
    "correto",
    "ecorreta",
    "corretta",
    "верно",
    "правильный",
    "правильно",
    "正确",
    "answerweight",
    "fraction",
];

/// The role of a field, and its rank among the names of that role.
pub(super) fn role(name: &str) -> Option<(Role, usize)> {
    static ROLES: OnceLock<HashMap<&'static str, (Role, usize)>> = OnceLock::new();
    let roles = ROLES.get_or_init(|| {
        let names = NAMES.iter().flat_map(|(role, names)| {
            let ranked = names.iter().enumerate();
            ranked.map(|(rank, name)| (*name, (*role, rank)))
        });
        names.collect()
    });
    // The longest name has fewer letters than this.
    if name.len() > 80 {
        return None;
    }
    roles.get(plain(name).as_str()).copied()
}

/// Whether a name is one of these.
pub(super) fn is_one_of(name: &str, names: &[&str]) -> Option<usize> {
    if name.len() > 80 {
        return None;
    }
    let name = plain(name);
    names.iter().position(|known| *known == name)
}

/// A name as it is compared.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.'));
    letters.flat_map(char::to_lowercase).collect()
}

/// What numbered fields hold: `option_a`, `opb`, `C`, `distractor2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbered {
    Option,
    /// A wrong option; the right one is the value of the key.
    Wrong,
}

/// A field that is one of several options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberedName {
    pub(super) what: Numbered,
    /// What the names of its neighbours begin with, too.
    pub(super) prefix: String,
    /// Its number or the letter's, from 0.
    pub(super) index: usize,
}

/// Reads the name of a field that is one of several options.
pub(super) fn numbered(name: &str) -> Option<NumberedName> {
    const OPTION: &[&str] = &[
        "",
        "option",
        "opt",
        "op",
        "choice",
        "answer",
        "ans",
        "alternative",
        "answeroption",
        "antwort",
        "opcion",
        "opción",
        "opcao",
        "opção",
        "reponse",
        "réponse",
        "вариант",
        "ответ",
        "选项",
    ];
    const WRONG: &[&str] = &[
        "distractor",
        "wrong",
        "wronganswer",
        "wrongoption",
        "incorrect",
        "incorrectanswer",
        "incorrectoption",
        "distraktor",
        "distracteur",
        "дистрактор",
    ];
    if name.len() > 40 {
        return None;
    }
    let name = plain(name);
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (prefix, index) = match (digits, name.chars().next_back()) {
        (1 | 2, _) => {
            let (prefix, number) = name.split_at(name.len() - digits);
            (prefix, number.parse::<usize>().ok()?)
        }
        (0, Some(letter @ 'a'..='j')) => {
            let prefix = name.strip_suffix(letter).unwrap_or_default();
            (prefix, letter as usize - 'a' as usize)
        }
        _ => return None,
    };
    let what = if OPTION.contains(&prefix) {
        Numbered::Option
    } else if WRONG.contains(&prefix) {
        Numbered::Wrong
    } else {
        return None;
    };
    // Letters and numbers are different series.
    let series = if digits > 0 { "#" } else { "" };
    Some(NumberedName {
        what,
        prefix: format!("{prefix}{series}"),
        index,
    })
}

/// Whether a field says that an item is about medicine: a vignette, or what only clinical
/// items carry.
pub(super) fn is_clinical(name: &str) -> bool {
    const CLINICAL: &[&str] = &[
        "vignette",
        "clinicalvignette",
        "case",
        "casevignette",
        "casedescription",
        "patientcase",
        "clinicalcase",
        "clinicalscenario",
        "fallvignette",
        "fallbeschreibung",
        "viñeta",
        "vineta",
        "casoclinico",
        "casoclínico",
        "casclinique",
        "клиническийслучай",
        "病例",
        "patient",
        "patientpresentation",
        "sloids",
        "slo",
        "slos",
        "specialty",
        "speciality",
        "organsystem",
    ];
    is_one_of(name, CLINICAL).is_some()
}

/// Whether the value of a field `subject` names a medical subject.
pub(super) fn is_medical(subject: &str) -> bool {
    const MEDICAL: &[&str] = &[
        "medicine",
        "medical",
        "clinical",
        "surgery",
        "pathology",
        "pharmacology",
        "pediatrics",
        "paediatrics",
        "psychiatry",
        "radiology",
        "dental",
        "dentistry",
        "gynaecology",
        "gynecology",
        "obstetrics",
        "anaesthesia",
        "anesthesia",
        "ophthalmology",
        "orthopaedics",
        "orthopedics",
        "dermatology",
        "cardiology",
        "neurology",
        "nursing",
        "medizin",
        "medicina",
        "médecine",
        "медицина",
        "医学",
    ];
    let subject = subject.to_lowercase();
    let mut words = subject.split(|c: char| !c.is_alphanumeric());
    words.any(|word| MEDICAL.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_role_and_is_written_as_it_is_compared() {
        let mut seen = std::collections::BTreeMap::new();
        for (role, names) in NAMES {
            for name in *names {
                assert_eq!(plain(name), *name);
                assert_eq!(seen.insert(*name, *role), None, "{name}");
            }
        }
        for names in [OPTION_TEXT, OPTION_LABEL, OPTION_EXPLANATION, FLAG] {
            for name in names {
                assert_eq!(plain(name), *name);
            }
        }
    }

    #[test]
    fn case_and_separators_do_not_matter() {
        for name in [
            "correct_answer",
            "correctAnswer",
            "Correct Answer",
            "CORRECT-ANSWER",
        ] {
            assert_eq!(role(name), Some((Role::Key, 1)), "{name}");
        }
        assert_eq!(
            role("Antwortmöglichkeiten").map(|found| found.0),
            Some(Role::Options)
        );
        assert_eq!(role("difficulty"), None);
    }

    #[test]
    fn options_in_fields_of_their_own_are_recognised_by_letter_or_number() {
        for (name, what, prefix, index) in [
            ("A", Numbered::Option, "", 0),
            ("d", Numbered::Option, "", 3),
            ("opb", Numbered::Option, "op", 1),
            ("option_c", Numbered::Option, "option", 2),
            ("optionD", Numbered::Option, "option", 3),
            ("Option 2", Numbered::Option, "option#", 2),
            ("distractor3", Numbered::Wrong, "distractor#", 3),
            ("incorrect_answer_1", Numbered::Wrong, "incorrectanswer#", 1),
        ] {
            let expected = NumberedName {
                what,
                prefix: prefix.to_owned(),
                index,
            };
            assert_eq!(numbered(name), Some(expected), "{name}");
        }
        for name in ["", "answer", "cop", "topic", "z", "section1", "media"] {
            assert_eq!(numbered(name), None, "{name}");
        }
    }
}
