//! Banks as teachers have them: several languages in one text, questions of other kinds
//! between the items.

use redraft_banks::BankFormat;
use redraft_gate::reading::Hint;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_profiles::items::model::items;

use crate::fixtures::inspect;

const HEAD: &str = "<quiz><question type=\"multichoice\"><name><text>Q</text></name><questiontext format=\"html\"><text><![CDATA[";
const TAIL: &str = "]]></text></questiontext><generalfeedback><text>Die Pflanzen brauchen das Gas, weil sie daraus und aus Wasser mit dem Licht der Sonne ihren Zucker machen.</text></generalfeedback><answer fraction=\"100\"><text>Kohlenstoffdioxid</text></answer><answer fraction=\"0\"><text>Sauerstoff</text></answer><answer fraction=\"0\"><text>Helium</text></answer></question></quiz>";

#[test]
fn a_text_in_several_languages_of_which_one_is_shown_is_not_in_a_wrong_one() {
    const DE: &str = "Welches Gas nehmen die Pflanzen aus der Luft auf, wenn sie wachsen?";
    const EN: &str = "Which gas do the plants take in from the air while they grow?";
    for (stem, is_wrong) in [
        (format!("<p>{EN}</p>"), true),
        (
            format!(
                "<span lang=\"de\" class=\"multilang\">{DE}</span><span lang=\"en\" class=\"multilang\">{EN}</span>"
            ),
            false,
        ),
        (
            format!(
                "<p><span class=\"multilang\" lang=\"de\">{DE}</span> <span class=\"multilang\" lang=\"en\">{EN}</span></p>"
            ),
            false,
        ),
        (
            format!("<p>{{mlang de}}{DE}{{mlang}}{{mlang en}}{EN}{{mlang}}</p>"),
            false,
        ),
    ] {
        let bank = format!("{HEAD}{stem}{TAIL}");
        let inspected = inspect(bank.as_bytes(), Hint::Bank(BankFormat::MoodleXml));
        let names: Vec<&str> = inspected
            .findings
            .iter()
            .map(|one| one.check.name)
            .collect();
        assert_eq!(
            names.contains(&"wrong-language"),
            is_wrong,
            "{stem}: {names:?}"
        );
        assert!(!names.contains(&"placeholder-text"), "{stem}: {names:?}");
    }
}

#[test]
fn marks_of_languages_are_no_text_of_an_item() {
    let bank = "::Q::\\{mlang de\\}Was?\\{mlang\\}\\{mlang en,other\\}What?\\{mlang\\}{=\\{mlang de\\}Gas\\{mlang\\} ~\\{mlanguage\\} ~c}\n";
    let inspected = inspect(bank.as_bytes(), Hint::Bank(BankFormat::Gift));
    let item = items(&inspected.document).next().unwrap();
    assert_eq!(&*item.stem()[0].text, "Was?\nWhat?");
    let options: Vec<&str> = item.option_texts().collect();
    assert_eq!(options, ["Gas", "{mlanguage}", "c"]);
}

#[test]
fn a_question_that_is_not_checked_says_nothing_of_the_item_before_it() {
    let item = "::Q::Which gas do plants take in?{=Carbon dioxide ~Oxygen gas ~Helium gas####They need it to grow.}";
    let bank = format!("{item}\n\nSay why.{{}}\n\nIs it so?{{T}}\n");
    let inspected = inspect(bank.as_bytes(), Hint::Bank(BankFormat::Gift));
    let (document, findings) = (&inspected.document, &inspected.findings);
    let listed = findings
        .iter()
        .filter(|one| one.check.name == "unchecked-question");
    assert_eq!(listed.count(), 2);
    let sheet = Sheet::of("bank.gift", document, findings, Use::Alone).unwrap();
    assert!(
        sheet.worst.is_empty() && sheet.flaws.is_empty(),
        "{sheet:?}"
    );
}

#[test]
fn the_only_text_of_an_option_is_its_text_by_whatever_name() {
    let bank = r#"{"rows": [{"question": "Which gas do plants take in?", "choices": [{"t": "Oxygen", "ok": false}, {"t": "Carbon dioxide", "ok": true}, {"t": "Helium", "ok": false}], "explanation": "They need it."}]}"#;
    let inspected = inspect(bank.as_bytes(), Hint::Json);
    let item = items(&inspected.document).next().unwrap();
    let options: Vec<&str> = item.option_texts().collect();
    assert_eq!(options, ["Oxygen", "Carbon dioxide", "Helium"]);
    assert_eq!(item.correct(), Some(1));
}
