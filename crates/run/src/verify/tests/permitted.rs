//! What tasks permit, depending on the words of their issues.

use super::*;

#[test]
fn a_task_permits_what_its_issues_are_about() {
    for (quote, description, fix, expected) in [
        (
            Some("hard words"),
            "The sentence is hard to read.",
            "Use short words.",
            "",
        ),
        (
            Some("the loop"),
            "The code is wrong.",
            "Correct the code.",
            "code",
        ),
        (Some("`x = 1`"), "Wrong.", "Mend it.", "code"),
        // A quote that contains a number does not make the issue one about that number (ruling 61).
        (Some("boils at 90"), "Clumsy.", "Mend it.", ""),
        (
            Some("boils at 90"),
            "It boils at 100.",
            "Mend it.",
            "numbers",
        ),
        (None, "There is no example of a loop.", "Show one.", "add"),
        (
            Some("loops"),
            "Too thin.",
            "Add an example of a loop.",
            "add",
        ),
        (
            Some("цикл"),
            "Ошибка в коде.",
            "Добавьте пример.",
            "add code",
        ),
        (
            Some("3 Schleifen"),
            "Die Zahl ist falsch.",
            "Ändere sie.",
            "numbers",
        ),
        (Some("循环"), "代码有错误。", "修改。", "code"),
        (Some("x"), "The heading is vague.", "Reword it.", "headings"),
        (
            Some("x"),
            "The address is wrong.",
            "Address the reader.",
            "",
        ),
    ] {
        let task = task(FixAction::SurgicalEdit, quote, description, fix);
        let permitted = Permitted::of(&task, LengthLimits::default());
        let found: Vec<&str> = [
            (permitted.may_add, "add"),
            (permitted.may_touch_code, "code"),
            (!permitted.numbers.is_empty(), "numbers"),
            (permitted.may_touch_headings, "headings"),
        ]
        .into_iter()
        .filter(|(may, _)| *may)
        .map(|(_, what)| what)
        .collect();
        assert_eq!(found.join(" "), expected, "{description} {fix}");
    }
    let mut factual = task(FixAction::RegenerateSection, Some("90 °C of 7"), "x", "y");
    factual.source_issues[0].issue.criterion = "factual_accuracy".to_owned();
    factual.finding_words = vec!["costs £500".to_owned()];
    let permitted = Permitted::of(&factual, LengthLimits::default());
    assert_eq!(permitted.numbers, ["90", "7", "500"]);
    assert!(permitted.regenerates);
}

#[test]
fn a_named_minimum_of_words_is_read_in_several_languages() {
    for (said, expected) in [
        (
            "the vignette has 3 words, but needs at least 15; describe it",
            Some(15),
        ),
        ("Write at least 120 words.", Some(120)),
        ("Schreibe mindestens 80 Wörter.", Some(80)),
        ("Escribe al menos 90 palabras.", Some(90)),
        ("Écrivez au moins 70 mots.", Some(70)),
        ("Escreva pelo menos 60 palavras.", Some(60)),
        ("Напишите не менее 50 слов.", Some(50)),
        ("至少40字。", Some(40)),
        ("Add at least 2 examples.", None),
        ("It has 40 words.", None),
        // No component is that long.
        ("Write at least 900000 words.", None),
    ] {
        let task = task(FixAction::SurgicalEdit, None, said, "");
        let permitted = Permitted::of(&task, LengthLimits::default());
        assert_eq!(permitted.least_words, expected, "{said}");
    }
}

#[test]
fn only_the_number_that_an_issue_quotes_may_change() {
    let before =
        "## A\n\nThe pot holds 3 litres. It boils at 90 degrees, and 12 cups are filled with it.\n";
    let judge = |old: &str, new: &str, quote: &str| {
        let mut task = task(
            FixAction::SurgicalEdit,
            Some(quote),
            "The number is wrong.",
            "Correct it.",
        );
        task.constraints.clear();
        tier_one(
            &inspected(markdown_lesson(before)),
            &inspected(markdown_lesson(&before.replacen(old, new, 1))),
            &ComponentId::from("sec_1"),
            &Permitted::of(&task, LengthLimits::default()),
        )
        .is_ok()
    };
    for (old, new, quote, expected) in [
        ("90", "100", "It boils at 90 degrees", true),
        ("12", "13", "It boils at 90 degrees", false),
        ("3 litres", "4 litres", "It boils at 90 degrees", false),
        ("90", "100", "The pot", false),
        (
            "90 degrees, and 12",
            "100 degrees, and 13",
            "boils at 90",
            false,
        ),
    ] {
        assert_eq!(judge(old, new, quote), expected, "{old} {new} {quote}");
    }
}

#[test]
fn only_a_short_text_that_an_issue_quotes_as_a_whole_may_be_replaced_by_a_shorter_one() {
    let long = "It is as right as the key. ".repeat(8);
    for (quote, text, is_free) in [
        (
            "“Equal cure of the rash as such”",
            "Equal cure of the rash as such",
            true,
        ),
        ("cure of the rash", "Equal cure of the rash as such", false),
        ("anything", "", false),
        (&long, &long, false),
    ] {
        let task = task(
            FixAction::RegenerateSection,
            Some(quote),
            "Also right.",
            "Replace it.",
        );
        let limits = LengthLimits {
            free: 120,
            ..LengthLimits::default()
        };
        let permitted = Permitted::of(&task, limits);
        assert_eq!(permitted.quotes_all_of(text), is_free, "{quote}");
    }
}
