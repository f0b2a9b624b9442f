//! What explanations claim, in all languages.

use super::*;

#[test]
fn the_examples_of_every_language_hold() {
    assert_eq!(LIST.faults(), [""; 0]);
    let wrong = LIST.wrong_examples("wrong", |_, text| verdict(text) == Some(false));
    assert_eq!(wrong, [""; 0]);
    let wrong = LIST.wrong_examples("right", |_, text| verdict(text) == Some(true));
    assert_eq!(wrong, [""; 0]);
    let wrong = LIST.wrong_examples("choose", |_, text| chosen(text).is_some());
    assert_eq!(wrong, [""; 0]);
    let wrong = LIST.wrong_examples("is right", |_, text| called_right(text).is_some());
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn what_speaks_of_the_answer_or_marks_an_option_is_seen() {
    let wrong = LIST.wrong_examples("the answer", |_, text| speaks_of_the_answer(text));
    assert_eq!(wrong, [""; 0]);
    for (text, expected) in [
        ("Aspirin (incorrect)", true),
        ("Aspirin ✓", true),
        ("Aspirin [falsch]", true),
        ("Aspirin (oral)", false),
        ("Correct dosing (daily)", false),
    ] {
        assert_eq!(is_marked(text), expected, "{text}");
    }
    assert_eq!(in_brackets("Hence (D). It is hepatitis (B).", 4), [3]);
    assert!(ends_with_letter("Which one is it? (C)", 4));
    assert!(!ends_with_letter("Which complex is it (I or II)?", 4));
    assert_eq!(counted("The last option is the correct one.", 4), [3]);
    assert_eq!(counted("The second choice is the answer.", 4), [1]);
    assert_eq!(counted("Die dritte Antwort ist richtig.", 4), [2]);
    assert_eq!(counted("The first option is surgery.", 4), [0; 0]);
    assert!(calls_right(
        "Raised thyroxine is the correct answer.",
        "Raised thyroxine"
    ));
    assert!(calls_right(
        "So raised thyroxine is the correct diagnosis.",
        "Raised thyroxine"
    ));
    assert!(!calls_right(
        "Raised thyroxine is right for others.",
        "Raised thyroxine"
    ));
    assert!(!calls_right(
        "Raised thyroxine is the most likely finding in others.",
        "Raised thyroxine"
    ));
    let wrong = LIST.wrong_examples("yes", |_, text| agrees(text));
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn signs_that_change_their_length_hide_no_claim() {
    for text in [
        "It isn’t likely. Choose B.",
        "İt is common. Choose B.",
        "The others aren’t. Option B is correct.",
    ] {
        let found = chosen(text).or_else(|| called_right(text));
        assert_eq!(found.map(|(index, _)| index), Some(1), "{text}");
    }
}

/// Phrasings collected before the lists were extended: those of even places were tuned
/// on, and these are the others.
const HELD_OUT: &[(&str, Option<bool>)] = &[
    ("This is the best choice: it acts first.", Some(true)),
    ("Correct answer: it blocks the enzyme.", Some(true)),
    ("Yes, this is correct. It blocks the enzyme.", Some(true)),
    ("That's right: it blocks the enzyme.", Some(true)),
    ("This is the right option.", Some(true)),
    ("Best answer. It blocks the enzyme.", Some(true)),
    (
        "This option is right because it blocks the enzyme.",
        Some(true),
    ),
    ("Richtig. Es hemmt das Enzym.", Some(true)),
    ("Dies ist die beste Antwort.", Some(true)),
    ("Korrekt, denn es hemmt das Enzym.", Some(true)),
    ("Esta es la respuesta correcta.", Some(true)),
    (
        "Es la mejor respuesta porque bloquea la enzima.",
        Some(true),
    ),
    (
        "C'est la bonne réponse, car il bloque l'enzyme.",
        Some(true),
    ),
    ("Resposta correta. Bloqueia a enzima.", Some(true)),
    ("Правильно. Он блокирует фермент.", Some(true)),
    ("Верный ответ: он блокирует фермент.", Some(true)),
    ("这是最佳答案。", Some(true)),
    (
        "Not the correct answer, because it is too slow.",
        Some(false),
    ),
    ("Incorrect answer: it is too slow.", Some(false)),
    ("No, this is wrong. It is too slow.", Some(false)),
    (
        "This is the wrong answer because it is too slow.",
        Some(false),
    ),
    ("It is incorrect, because it is too slow.", Some(false)),
    ("Das ist nicht die richtige Antwort.", Some(false)),
    ("Nicht korrekt, weil es zu langsam wirkt.", Some(false)),
    ("Esta no es la respuesta correcta.", Some(false)),
    ("Incorrect. Il est trop lent.", Some(false)),
    ("Mauvaise réponse : il est trop lent.", Some(false)),
    ("Resposta errada: é lento demais.", Some(false)),
    ("Это неверный ответ, так как он медленный.", Some(false)),
    ("这不是正确答案。", Some(false)),
    ("The best answer to fever is fluids.", None),
    ("Right ventricular strain would be seen.", None),
    ("False positives are common with this test.", None),
    (
        "It is correct that it lowers pressure, but not the cough.",
        None,
    ),
    (
        "The right answer depends on the age, which is unknown.",
        None,
    ),
    ("Falsch positive Ergebnisse sind häufig.", None),
    ("Bonne hydratation est utile.", None),
    ("正确的体位很重要。", None),
];

const TUNED: &[(&str, Option<bool>)] = &[
    (
        "This is the best answer, because it acts first.",
        Some(true),
    ),
    ("The correct answer. It blocks the enzyme.", Some(true)),
    ("Right answer, since it blocks the enzyme.", Some(true)),
    ("That is correct. It blocks the enzyme.", Some(true)),
    (
        "This is the correct choice because it blocks the enzyme.",
        Some(true),
    ),
    ("The best answer, because it blocks the enzyme.", Some(true)),
    ("True. It blocks the enzyme.", Some(true)),
    ("It is the correct answer.", Some(true)),
    (
        "Das ist die richtige Antwort, weil es das Enzym hemmt.",
        Some(true),
    ),
    ("Richtige Antwort: es hemmt das Enzym.", Some(true)),
    ("Correcto. Bloquea la enzima.", Some(true)),
    ("Respuesta correcta: bloquea la enzima.", Some(true)),
    ("Correct. Il bloque l'enzyme.", Some(true)),
    ("Bonne réponse : il bloque l'enzyme.", Some(true)),
    ("Esta é a melhor resposta.", Some(true)),
    (
        "Это правильный ответ, так как он блокирует фермент.",
        Some(true),
    ),
    ("正确。它抑制该酶。", Some(true)),
    ("This is not the best answer. It is too slow.", Some(false)),
    ("Wrong answer. It is too slow.", Some(false)),
    ("False. It is too slow.", Some(false)),
    ("That is incorrect. It is too slow.", Some(false)),
    ("This is an incorrect choice.", Some(false)),
    ("Falsch. Es wirkt zu langsam.", Some(false)),
    ("Falsche Antwort: es wirkt zu langsam.", Some(false)),
    ("Incorrecto. Es demasiado lento.", Some(false)),
    ("Respuesta incorrecta: es demasiado lento.", Some(false)),
    ("Ce n'est pas la bonne réponse.", Some(false)),
    ("Incorreto. É lento demais.", Some(false)),
    ("Неправильно. Он слишком медленный.", Some(false)),
    ("错误。它太慢。", Some(false)),
    ("Correct dosing is vital, and this drug is too slow.", None),
    ("True aneurysms are rare here.", None),
    ("Right-sided heart failure is absent.", None),
    ("Wrong-site surgery is prevented by a checklist.", None),
    ("Incorrect technique leads to this finding.", None),
    ("Richtig dosiert hilft es, doch nicht gegen Husten.", None),
    ("Correcto uso del inhalador es esencial.", None),
    ("Правильное положение трубки важно.", None),
];

#[test]
fn fresh_phrasings_are_read_and_prose_is_left_alone() {
    let read = |all: &[(&str, Option<bool>)]| {
        let claims = all.iter().filter(|(_, says)| says.is_some());
        let found = claims.clone().filter(|(text, says)| verdict(text) == *says);
        let missed: Vec<&str> = claims
            .clone()
            .filter(|(text, says)| verdict(text) != *says)
            .map(|(text, _)| *text)
            .collect();
        // What is no claim is never taken for one, and none for its opposite.
        for (text, says) in all {
            let read = verdict(text);
            assert!(read.is_none() || read == *says, "{text}: {read:?}");
        }
        println!(
            "{} of {} claims; missed: {missed:#?}",
            found.count(),
            claims.count()
        );
        missed.len()
    };
    assert!(read(TUNED) <= 2);
    assert!(read(HELD_OUT) <= 3);
}
