//! Banks that are broken, odd or made to mislead: what is wrong is named at its place, and no
//! option becomes the key that is not.

use redraft_text::json::Json;

use crate::{BankFormat, QuestionKind, TroubleKind, cut};

/// What is wrong with a bank, with the words where it stands.
fn troubles(text: &str, format: BankFormat) -> Vec<(TroubleKind, String)> {
    let bank = cut(text, format).unwrap();
    let troubles = bank.troubles.iter();
    troubles
        .map(|trouble| (trouble.what, text[trouble.range.clone()].to_owned()))
        .collect()
}

fn first(text: &str, format: BankFormat) -> Json {
    let bank = cut(text, format).unwrap();
    let question = &bank.questions[0];
    assert_eq!(question.kind, QuestionKind::Choice, "{text}");
    bank.read(text, &question.range)
}

fn options(json: &Json) -> Vec<String> {
    let options = json.root().unwrap().get("options").unwrap();
    let options = options.items();
    options
        .map(|option| option.get("text").unwrap().as_str().unwrap().to_owned())
        .collect()
}

/// The text of the option that the key names by position.
fn key(json: &Json) -> Option<String> {
    let index = json.root().unwrap().get("answerIndex")?.as_i64()?;
    options(json).get(usize::try_from(index).ok()?).cloned()
}

#[test]
fn comments_in_a_question_hold_no_answers() {
    let text = "Which gas? {\n// the =right one is {CO2} ~not O2\n=Carbon dioxide\n~Oxygen\n  // ~Argon }\n~Helium\n}\n";
    let json = first(text, BankFormat::Gift);
    assert_eq!(options(&json), ["Carbon dioxide", "Oxygen", "Helium"]);
    assert_eq!(key(&json).as_deref(), Some("Carbon dioxide"));
    assert_eq!(troubles(text, BankFormat::Gift), []);
}

#[test]
fn signs_in_general_feedback_are_no_answers() {
    let text = "Which? {=One thing #so ~Two things ####since 2=2 and ~so #on}";
    let json = first(text, BankFormat::Gift);
    assert_eq!(options(&json), ["One thing", "Two things"]);
    let root = json.root().unwrap();
    let explanation = root.get("explanation").unwrap().as_str();
    assert_eq!(explanation, Some("since 2=2 and ~so #on"));
}

#[test]
fn old_line_ends_part_questions_too() {
    let text = "One?{=a ~b}\r\rTwo?{\r=c\r// ~x\r~d}\r\n\r\nThree?{=e ~f}\n";
    let bank = cut(text, BankFormat::Gift).unwrap();
    assert_eq!(bank.questions.len(), 3);
    let aiken = "Which?\rA. one\rB. two\rANSWER: B\r";
    let json = first(aiken, BankFormat::Aiken);
    assert_eq!(options(&json), ["one", "two"]);
}

#[test]
fn braces_and_weights_that_platforms_refuse_are_named() {
    use TroubleKind::{SecondAnswers, Weight, WeightSum};
    for (text, expected) in [
        (
            "The {=sun ~moon} and the {=moon ~sun}",
            vec![(SecondAnswers, "{")],
        ),
        (
            "Metals? {~%150%Iron ~%-50%Wood}",
            vec![(Weight, "~%150%"), (WeightSum, "~%150%")],
        ),
        ("Metals? {~%nan%Iron ~%100%Wood}", vec![(Weight, "~%nan%")]),
        (
            "Metals? {~%30%Iron ~%30%Copper ~Wood}",
            vec![(WeightSum, "~%30%")],
        ),
        (
            "Metals? {~%33.33333%a ~%33.33333%b ~%33.33333%c ~%-100%d}",
            vec![],
        ),
        ("Metals? {=Iron ~%50%Copper ~%-50%Wood}", vec![]),
    ] {
        let found = troubles(text, BankFormat::Gift);
        let found: Vec<_> = found
            .iter()
            .map(|(what, at)| (*what, at.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn two_answers_that_are_marked_right_have_no_key() {
    let json = first("Which? {=One ~Two =Three}", BankFormat::Gift);
    assert_eq!(key(&json), None);
    assert!(json.root().unwrap().get("multiple_answers").is_none());
}

#[test]
fn an_answer_line_names_one_option() {
    for line in [
        "ANSWER: AC",
        "ANSWER: A, C",
        "ANSWER:",
        "ANSWER: Carbon",
        "ANSWER: \u{412}",
    ] {
        let text = format!("Which?\nA. one\nB. two\n{line}\n\nWhy?\nA. so\nB. thus\nANSWER: B\n");
        let found = troubles(&text, BankFormat::Aiken);
        assert_eq!(found, [(TroubleKind::AnswerLine, line.to_owned())]);
        let json = first(&text, BankFormat::Aiken);
        assert!(
            json.root().unwrap().get("correct_answer").is_none(),
            "{line}"
        );
    }
    for line in ["ANSWER: B", "answer:b", "ANSWER: B.", "ANSWER : B)"] {
        let text = format!("Which?\nA. one\nB. two\n{line}\n");
        assert_eq!(troubles(&text, BankFormat::Aiken), [], "{line}");
    }
}

const MOODLE: &str = "<quiz><question type=\"multichoice\"><questiontext format=\"html\"><text>Which?</text></questiontext><single>true</single><answer fraction=\"100\"><text>One</text></answer><answer fraction=\"0\"><text>Two</text></answer></question></quiz>";

#[test]
fn what_no_reader_of_xml_takes_is_named() {
    use TroubleKind::{Attribute, BesideRoot, Entity};
    for (old, new, what, at) in [
        ("Two", "Two &foo; b", Entity, "&"),
        ("Two", "R & D", Entity, "&"),
        ("Two", "&#0;", Entity, "&"),
        ("Two", "&nbsp;x", Entity, "&"),
        (
            "fraction=\"0\"",
            "fraction=\"0\" fraction=\"100\"",
            Attribute,
            "<answer fraction=\"0\" fraction=\"100\">",
        ),
        (
            "fraction=\"0\"",
            "fraction=0",
            Attribute,
            "<answer fraction=0>",
        ),
        (
            "fraction=\"0\"",
            "fraction=\"0\" hidden",
            Attribute,
            "<answer fraction=\"0\" hidden>",
        ),
        ("</quiz>", "</quiz>\nwords", BesideRoot, "words"),
        ("</quiz>", "</quiz><quiz/>", BesideRoot, "<quiz/>"),
    ] {
        assert!(MOODLE.contains(old));
        let text = MOODLE.replace(old, new);
        let found = troubles(&text, BankFormat::MoodleXml);
        assert_eq!(found, [(what, at.to_owned())], "{text}");
    }
    for new in [
        "R &amp; D",
        "<![CDATA[R & D &foo;]]>",
        "&#228;",
        "&#xE4;",
        "a<!-- & -->",
    ] {
        let text = MOODLE.replace("Two", new);
        assert_eq!(troubles(&text, BankFormat::MoodleXml), [], "{new}");
    }
}

#[test]
fn fractions_that_moodle_refuses_are_named() {
    use TroubleKind::{NoFullWeight, Weight, WeightSum};
    let several = MOODLE.replace("<single>true", "<single>false");
    for (text, expected) in [
        (
            MOODLE.replace("\"100\"", "\"50\""),
            vec![(NoFullWeight, "50")],
        ),
        (MOODLE.replace("\"100\"", "\"150\""), vec![(Weight, "150")]),
        (
            several.replace("\"100\"", "\"50\""),
            vec![(WeightSum, "50")],
        ),
        (
            several
                .replace("\"100\"", "\"50\"")
                .replace("\"0\"", "\"50\""),
            vec![],
        ),
        (several, vec![]),
        // Those of other kinds have a rule of their own.
        (
            MOODLE
                .replace("multichoice", "oumultiresponse")
                .replace("\"0\"", "\"100\""),
            vec![],
        ),
    ] {
        let found = troubles(&text, BankFormat::MoodleXml);
        let found: Vec<_> = found
            .iter()
            .map(|(what, at)| (*what, at.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

fn qti(conditions: &str, idents: [&str; 3]) -> String {
    let labels: String = idents
        .iter()
        .zip(["One", "Two", "Three"])
        .map(|(ident, text)| format!("<response_label ident=\"{ident}\"><material><mattext>{text}</mattext></material></response_label>"))
        .collect();
    format!(
        "<questestinterop><item ident=\"i\"><presentation><material><mattext>Which?</mattext></material><response_lid ident=\"r\" rcardinality=\"Single\"><render_choice>{labels}</render_choice></response_lid></presentation><resprocessing>{conditions}</resprocessing></item></questestinterop>"
    )
}

fn condition(label: &str, setvar: &str) -> String {
    format!(
        "<respcondition continue=\"Yes\"><conditionvar><varequal respident=\"r\">{label}</varequal></conditionvar><setvar {setvar}</setvar></respcondition>"
    )
}

#[test]
fn points_of_qti_are_those_of_the_score() {
    let right = condition("1", "action=\"Set\" varname=\"SCORE\">100");
    for (conditions, expected) in [
        (right.clone(), Some("One")),
        (
            condition("2", "varname=\"TRIES\">500") + &right,
            Some("One"),
        ),
        (condition("2", "varname=\"TIME\">500"), Some("Two")),
        (
            condition("2", "action=\"Subtract\" varname=\"SCORE\">50") + &right,
            Some("One"),
        ),
        (
            condition("2", "action=\"Add\" varname=\"SCORE\">-50") + &right,
            Some("One"),
        ),
        (
            condition("<![CDATA[1]]>", "varname=\"SCORE\">100"),
            Some("One"),
        ),
        (
            condition("<!-- 2 -->1", "varname=\"SCORE\">100"),
            Some("One"),
        ),
        (
            condition("3", "variablename=\"SCORE\">SCORE.max"),
            Some("Three"),
        ),
        (condition("3", "varname=\"que_score\">1"), Some("Three")),
    ] {
        let json = first(&qti(&conditions, ["1", "2", "3"]), BankFormat::Qti);
        assert_eq!(key(&json).as_deref(), expected, "{conditions}");
    }
    // A name that two options have names none; entities are what they stand for.
    let doubled = first(&qti(&right, ["1", "1", "3"]), BankFormat::Qti);
    assert_eq!(key(&doubled), None);
    let entity = condition("a&#38;b", "varname=\"SCORE\">100");
    let json = first(&qti(&entity, ["1", "a&amp;b", "3"]), BankFormat::Qti);
    assert_eq!(key(&json).as_deref(), Some("Two"));
}

#[test]
fn of_mapped_points_the_most_are_right() {
    let item = |declared: &str| {
        format!(
            "<assessmentItem identifier=\"q\"><responseDeclaration identifier=\"RESPONSE\" cardinality=\"single\">{declared}</responseDeclaration><itemBody><choiceInteraction responseIdentifier=\"RESPONSE\"><prompt>Which?</prompt><simpleChoice identifier=\"A\">One</simpleChoice><simpleChoice identifier=\"B\">Two</simpleChoice></choiceInteraction></itemBody></assessmentItem>"
        )
    };
    let mapped = "<mapping><mapEntry mapKey=\"A\" mappedValue=\"0.5\"/><mapEntry mapKey=\"B\" mappedValue=\"1\"/></mapping>";
    let section = "<correctResponse><value><![CDATA[B]]></value></correctResponse>";
    for declared in [mapped, section] {
        let json = first(&item(declared), BankFormat::Qti);
        assert_eq!(key(&json).as_deref(), Some("Two"), "{declared}");
    }
}

#[test]
fn letters_of_keys_mean_the_columns_that_are_called_so() {
    let label = |text: &str| -> Vec<String> {
        let json = first(text, BankFormat::Table);
        let options = json.root().unwrap().get("options").unwrap();
        let options = options.items();
        options
            .filter_map(|option| Some(option.get("label")?.as_str()?.to_owned()))
            .collect()
    };
    assert_eq!(
        label("question,option B,option A,option C,answer\nWhich?,two,one,three,A\n"),
        ["B", "A", "C"]
    );
    assert_eq!(
        label("question,option 2,option 1,answer\nWhich?,two,one,1\n"),
        ["2", "1"]
    );
    assert_eq!(
        label("question,A,B,D,answer\nWhich?,one,two,four,D\n"),
        ["A", "B", "D"]
    );
    assert_eq!(
        label("question,A,B,C,answer\nWhich?,one,two,three,A\n"),
        Vec::<String>::new()
    );
}

#[test]
fn rows_and_columns_that_mislead_are_named() {
    use TroubleKind::{Formula, SameColumn, SecondHeader, TwoKeys};
    let header = "question,A,B,answer\n";
    for (text, expected) in [
        (
            format!("{header}Which?,one,two,A\n{header}"),
            vec![(SecondHeader, "question,A,B,answer")],
        ),
        (
            "question,A,B,B,answer\nWhich?,one,two,three,A\n".to_owned(),
            vec![(SameColumn, "question,A,B,B,answer")],
        ),
        (
            "question,A,B,answer,answer key\nWhich?,one,two,A,B\n".to_owned(),
            vec![(TwoKeys, "B")],
        ),
        (
            "question,A,B,answer,solution\nWhich?,one,two,A,it is one\n".to_owned(),
            vec![],
        ),
        (
            "question,A,B,answer,answer key\nWhich?,one,two,A,a\n".to_owned(),
            vec![],
        ),
        (
            format!("{header}Which?,=cmd|'/c calc'!A1,two,A\n"),
            vec![(Formula, "=cmd|'/c calc'!A1")],
        ),
        (
            format!("{header}Which?,=SUM(1;2),two,A\n"),
            vec![(Formula, "=SUM(1;2)")],
        ),
        (
            format!("{header}Which?,@SUM(1;2),two,A\n"),
            vec![(Formula, "@SUM(1;2)")],
        ),
        (
            format!("{header}Which?,+HYPERLINK(x),=B2,A\n"),
            vec![(Formula, "+HYPERLINK(x)"), (Formula, "=B2")],
        ),
        // In the middle of a cell, and after white space that spreadsheets skip.
        (
            format!("{header}Which?,-2+3+cmd|' /C calc'!A0,=1+SUM(2;3),A\n"),
            vec![
                (Formula, "-2+3+cmd|' /C calc'!A0"),
                (Formula, "=1+SUM(2;3)"),
            ],
        ),
        (
            format!("{header}Which?,\t=WEBSERVICE(x),-1+WEBSERVICE(x),A\n"),
            vec![(Formula, "\t=WEBSERVICE(x)"), (Formula, "-1+WEBSERVICE(x)")],
        ),
        (format!("{header}Which?,-n|m!,+2 CO(g),A\n"), vec![]),
        (format!("{header}Which?,-2+F(x),-a|b| ! c,A\n"), vec![]),
        (format!("{header}Which?,-5 °C,+ve (positive),A\n"), vec![]),
        (format!("{header}Which?,= 4,@home,A\n"), vec![]),
        (format!("{header}Which?,'=SUM(1;2),-sin(x),A\n"), vec![]),
    ] {
        let found = troubles(&text, BankFormat::Table);
        let found: Vec<_> = found
            .iter()
            .map(|(what, at)| (*what, at.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn many_comments_that_never_close_cost_no_more_than_their_length() {
    let comments = "<!--".repeat(100_000);
    let text = MOODLE.replace("Which?", &format!("<![CDATA[{comments}]]>"));
    let json = first(&text, BankFormat::MoodleXml);
    let stem = json.root().unwrap().get("stem").unwrap();
    assert_eq!(stem.as_str(), Some(comments.as_str()));
}

#[test]
fn an_answer_with_all_of_the_points_is_a_second_right_one() {
    let json = first(
        "Which gas? {=Carbon dioxide ~%100%Oxygen ~Neon}\n",
        BankFormat::Gift,
    );
    assert_eq!(key(&json), None);
    let part = first(
        "Which gas? {=Carbon dioxide ~%50%Oxygen ~Neon}\n",
        BankFormat::Gift,
    );
    assert_eq!(key(&part).as_deref(), Some("Carbon dioxide"));
}

#[test]
fn only_the_response_of_the_choices_names_the_key() {
    let item = |declarations: &str, response: &str| {
        format!(
            "<assessmentItem identifier=\"i\">{declarations}<itemBody><choiceInteraction{response}><prompt>Why?</prompt><simpleChoice identifier=\"A\">one</simpleChoice><simpleChoice identifier=\"B\">two</simpleChoice></choiceInteraction></itemBody></assessmentItem>"
        )
    };
    let declared = |identifier: &str, value: &str| {
        format!(
            "<responseDeclaration identifier=\"{identifier}\" cardinality=\"single\"><correctResponse><value>{value}</value></correctResponse></responseDeclaration>"
        )
    };
    let named = " responseIdentifier=\"R\"";
    for (declarations, response, expected) in [
        (declared("R", "B"), named, Some("two")),
        (declared("X", "A") + &declared("R", "B"), named, Some("two")),
        (declared("R", "B") + &declared("X", "A"), named, Some("two")),
        (declared("X", "B"), named, None),
        (declared("R", "A") + &declared("R", "B"), named, None),
        (declared("X", "B"), "", Some("two")),
        (declared("X", "A") + &declared("Y", "B"), "", None),
    ] {
        let text = item(&declarations, response);
        let json = first(&text, BankFormat::Qti);
        assert_eq!(key(&json).as_deref(), expected, "{text}");
    }
}

/// The names of options, where the key needs them.
fn labels(json: &Json) -> Vec<String> {
    let options = json.root().unwrap().get("options").unwrap();
    let options = options.items();
    options
        .filter_map(|option| Some(option.get("label")?.as_str()?.to_owned()))
        .collect()
}

#[test]
fn numbers_of_keys_mean_the_columns_that_have_them() {
    for (header, key, options, expected) in [
        ("Frage;Antwort 1;Antwort 2;Lösung", "2", 2, &["1", "2"][..]),
        ("question;option 0;option 1;key", "1", 2, &["0", "1"]),
        ("question;Option1;Option2;key", "1", 2, &["1", "2"]),
        ("question;A;B;key", "2", 2, &[]),
        ("question;Option1;Option2;key", "B", 2, &[]),
    ] {
        let text = format!("{header}\nWhy?;one;two;{key}\n");
        let json = first(&text, BankFormat::Table);
        assert_eq!(self::options(&json).len(), options, "{header}");
        assert_eq!(labels(&json), expected, "{header}");
    }
    let many = (1..=10).map(|number| format!("Option{number};"));
    let many: String = many.collect();
    let text = format!("question;{many}key\nWhy?;a;b;c;d;e;f;g;h;i;j;10\n");
    assert_eq!(options(&first(&text, BankFormat::Table)).len(), 10);
}

#[test]
fn aiken_names_a_question_without_options_or_with_no_letter() {
    let text = "Q one?\nANSWER: all\n\nNext?\nA. x\nB. y\nANSWER: B\n";
    assert_eq!(
        troubles(text, BankFormat::Aiken),
        [(TroubleKind::AnswerLine, "ANSWER: all".to_owned())]
    );
    let bank = cut(text, BankFormat::Aiken).unwrap();
    assert_eq!(bank.questions.len(), 2);
    let json = bank.read(text, &bank.questions[1].range);
    assert_eq!(
        json.root().unwrap().get("stem").unwrap().as_str(),
        Some("Next?")
    );
}

#[test]
fn what_is_wholly_broken_is_shown_at_its_place() {
    use TroubleKind::{BraceInAnswers, NoAnswer, Unclosed};
    for (text, format, expected) in [
        (
            "Why?\nA. one\nB. two\n",
            BankFormat::Aiken,
            (NoAnswer, "Why?\nA. one\nB. two"),
        ),
        (
            "<assessmentItem xmlns=\"http://x identifier=\"i\"><itemBody/></assessmentItem",
            BankFormat::Qti,
            (Unclosed(">"), "<"),
        ),
        (
            "Why? {=a ~\\frac{1\\} ~c}\n",
            BankFormat::Gift,
            (BraceInAnswers, "{"),
        ),
        (
            "Why? {{=a ~b ~c}\n",
            BankFormat::Gift,
            (BraceInAnswers, "{"),
        ),
    ] {
        let found = troubles(text, format);
        let (what, words) = found.first().unwrap();
        assert_eq!(*what, expected.0, "{text}");
        assert!(words.starts_with(expected.1), "{words} in {text}");
    }
    assert!(cut("Dear all,\n\nplease come.\n", BankFormat::Aiken).is_none());
    let nameless = b"<?xml version=\"1.0\" encoding=\"\"?>\n<quiz>\xe4</quiz>";
    let found = crate::encoded::contradiction(nameless).unwrap();
    assert_eq!(found.named, "UTF-8");
}

#[test]
fn a_gift_file_of_all_kinds_is_one() {
    let text = "// exported\n$CATEGORY: $course$/top\n\n::a:: Which? {=x ~y ~z}\n\n::b:: Is it so? {T}\n\n::c:: Say it. {}\n\n::d:: How many? {#3}\n\n::e:: Name it. {=one =two}\n\nOnly words.\n";
    assert_eq!(
        crate::detect(text).map(|bank| bank.format),
        Some(BankFormat::Gift)
    );
    let prose = "A set {=1 ~2} here.\n\nWords follow.\n\nMore words.\n\nAnd more.\n";
    assert!(crate::detect(prose).is_none());
}

#[test]
fn what_would_be_dropped_or_counted_otherwise_is_named() {
    use TroubleKind::{BeforeAnswers, LetterOrder, Unclosed};
    for (format, text, expected) in [
        (
            BankFormat::Gift,
            "::Title Which? {=a ~b}\n",
            vec![(Unclosed("::"), "::")],
        ),
        (BankFormat::Gift, "::Title:: Which: one? {=a ~b}\n", vec![]),
        (BankFormat::Gift, "\\:\\: Which? {=a ~b}\n", vec![]),
        (
            BankFormat::Gift,
            "Which? { one two =a ~b}\n",
            vec![(BeforeAnswers, "one two")],
        ),
        (
            BankFormat::Gift,
            "Which? {\n// one two\n=a\n~b\n}\n",
            vec![],
        ),
        (
            BankFormat::Aiken,
            "Which?\nA. x\nC. y\nB. z\nANSWER: B\n\nNext?\nB. x\nC. y\nANSWER: B\n",
            vec![(LetterOrder, "C"), (LetterOrder, "B")],
        ),
        (
            BankFormat::Aiken,
            "Which?\nA. x\nB) y\nANSWER: B\n\nNext?\nA. x\nB. y\nC. z\nANSWER: B\n",
            vec![],
        ),
    ] {
        let found = troubles(text, format);
        let found: Vec<_> = found
            .iter()
            .map(|(what, at)| (*what, at.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}
