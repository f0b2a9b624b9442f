//! The same questions in every format, and what must not be taken for one.

use proptest::prelude::*;
use redraft_text::json::{Json, Node, Quotes};

use super::*;

/// An item in one line: `stem | *right | wrong (feedback) | explanation`.
fn shown(text: &str, json: &Json) -> String {
    let root = json.root().unwrap();
    let of = |node: Option<Node<'_>>| node.and_then(Node::as_str).unwrap_or("-").to_owned();
    let mut parts = vec![of(root.get("id")), of(root.get("stem"))];
    let key = root.get("answerIndex").and_then(Node::as_i64);
    let written = root.get("correct_answer").and_then(Node::as_str);
    if let Some(options) = root.get("options") {
        for (index, option) in options.items().enumerate() {
            let letter = char::from(b'A' + u8::try_from(index).unwrap()).to_string();
            let is_right = i64::try_from(index).ok() == key || written == Some(letter.as_str());
            let star = if is_right { "*" } else { "" };
            let feedback = option
                .get("feedback")
                .map_or_else(String::new, |node| format!(" ({})", node.as_str().unwrap()));
            parts.push(format!("{star}{}{feedback}", of(option.get("text"))));
        }
    }
    if root.get("multiple_answers").is_some() {
        parts.push("several".to_owned());
    }
    parts.push(of(root.get("explanation")));
    assert!(json.end <= text.len());
    parts.join(" | ")
}

fn read_all(text: &str, format: BankFormat) -> Vec<String> {
    let bank = cut(text, format).unwrap();
    bank.questions
        .iter()
        .map(|question| match question.kind {
            QuestionKind::Choice => shown(text, &bank.read(text, &question.range)),
            QuestionKind::Other(kind) => format!("({kind})"),
        })
        .collect()
}

#[test]
fn gift_is_read_with_all_its_kinds() {
    let text = "\u{feff}// a comment\n$CATEGORY: $course$/top\n\n\
::Q1:: What is 2 \\= 2? {\n=yes #Right.\n// odd\n~no #Wrong \\{really\\}.\n~%-50%maybe\n####Because.\n}\n\n\
[html]<p>Which <b>gas</b> &amp; why?</p>{~O<sub>2</sub> =CO<sub>2</sub>}\n\n\
Two of them {~%50%a ~%50%b ~%-100%c}\n\n\
The sky is {=blue ~green} today.\n\n\
Sun is a star.{T}\n\nHow many?{#3:1}\n\nMatch.{=a -> b =c -> d}\n\nName it.{=x =y}\n\nTell.{}\n\nJust text.\n";
    assert_eq!(
        read_all(text, BankFormat::Gift),
        [
            "Q1 | What is 2 = 2? | *yes (Right.) | no (Wrong {really}.) | maybe | Because.",
            "- | Which gas & why? | O2 | *CO2 | -",
            "- | Two of them | a | b | c | several | -",
            "- | The sky is | *blue | green | -",
            "(true or false)",
            "(number)",
            "(matching)",
            "(short answer)",
            "(essay)",
            "(description)",
        ]
    );
}

#[test]
fn an_answer_that_gives_a_part_of_the_points_is_not_right() {
    for (text, expected) in [
        ("Q {~a ~%50%b =c}", "- | Q | a | b | *c | -"),
        ("Q {~%-50%a =b ~c}", "- | Q | a | *b | c | -"),
        ("Q {~%100%a ~%-100%b ~c}", "- | Q | *a | b | c | -"),
        ("Q {~%50%a ~%50%b ~c}", "- | Q | a | b | c | several | -"),
    ] {
        assert_eq!(read_all(text, BankFormat::Gift), [expected]);
    }
    let moodle = |kind: &str, single: &str, shares: [&str; 3]| {
        let answers: String = shares
            .iter()
            .map(|share| format!("<answer fraction=\"{share}\"><text>{share}</text></answer>"))
            .collect();
        format!(
            "<quiz><question type=\"{kind}\"><questiontext><text>Q</text></questiontext>{answers}{single}</question></quiz>"
        )
    };
    let one = "<single>true</single>";
    let several = "<single>false</single>";
    for (text, expected) in [
        (
            moodle("multichoice", one, ["100", "50", "0"]),
            "- | Q | *100 | 50 | 0 | -",
        ),
        (
            moodle("multichoice", "", ["33.33333", "0", "90"]),
            "- | Q | 33.33333 | 0 | *90 | -",
        ),
        (
            moodle("multichoice", one, ["100", "100", "0"]),
            "- | Q | 100 | 100 | 0 | -",
        ),
        (
            moodle("multichoice", several, ["50", "50", "0"]),
            "- | Q | 50 | 50 | 0 | several | -",
        ),
        (
            moodle("oumultiresponse", "", ["100", "100", "0"]),
            "- | Q | 100 | 100 | 0 | several | -",
        ),
    ] {
        assert_eq!(read_all(&text, BankFormat::MoodleXml), [expected], "{text}");
    }
}

#[test]
fn tags_that_do_not_fit_each_other_are_named_where_they_stand() {
    let question = |inner: &str| {
        format!(
            "<quiz><question type=\"multichoice\"><questiontext><text>Q</text></questiontext>{inner}</question></quiz>"
        )
    };
    let troubles = |text: &str| -> Vec<(String, TroubleKind)> {
        let bank = cut(text, BankFormat::MoodleXml).unwrap();
        let troubles = bank.troubles.iter();
        troubles
            .map(|trouble| (text[trouble.range.clone()].to_owned(), trouble.what))
            .collect()
    };
    let unclosed = |tag: &str| (tag.to_owned(), TroubleKind::Unclosed("tag"));
    let unopened = |tag: &str| (tag.to_owned(), TroubleKind::Unopened("tag"));
    let sound = question("<answer fraction=\"100\"><text>a</text></answer><tags/><br />");
    assert_eq!(troubles(&sound), []);
    let text = question(
        "<answer fraction=\"100\"><text>a</text><answer fraction=\"0\"><text>b</text></answer>",
    );
    assert_eq!(troubles(&text), [unclosed("<answer fraction=\"100\">")]);
    assert_eq!(
        troubles(&question("<answer><text>a</answer>")),
        [unclosed("<text>")]
    );
    assert_eq!(troubles(&question("</text>")), [unopened("</text>")]);
    assert_eq!(
        troubles(&sound.replace("</quiz>", "<question type=\"essay\"><name>")),
        [unclosed("<question type=\"essay\">")]
    );
    assert_eq!(
        troubles(&sound.replace("</quiz>", "")),
        [unclosed("<quiz>")]
    );
    let deep = format!(
        "<quiz>{}</quiz>",
        "<a>".repeat(50_000) + &"<text></b>".repeat(50_000)
    );
    assert_eq!(troubles(&deep).len(), 100);
    let laughs = "<!DOCTYPE quiz [<!ENTITY a \"]>\"><!ENTITY b \"&a;&a;\">]>\n<quiz></quiz>";
    assert_eq!(
        troubles(laughs),
        [(
            laughs.lines().next().unwrap().to_owned(),
            TroubleKind::Declaration
        )]
    );
}

#[test]
fn depth_costs_nothing() {
    let deep = format!(
        "<quiz><question type=\"multichoice\">{}{}</question></quiz>",
        "<a>".repeat(100_000),
        "<text></text>".repeat(100_000)
    );
    for (format, text) in [
        (BankFormat::MoodleXml, deep.clone()),
        (
            BankFormat::Qti,
            deep.replace("quiz", "questestinterop")
                .replace("question ", "item ")
                .replace("/question>", "/item>")
                .replace("text>", "mattext>"),
        ),
    ] {
        assert_eq!(read_all(&text, format).len(), 1);
    }
}

#[test]
fn aiken_is_read_line_by_line() {
    let text = "What is it?\r\nOn two lines?\r\nA. One\r\nB) Two\r\nANSWER: B\r\n\r\nNext?\r\nA. x\r\nB. y\r\nAnswer: a\r\n";
    assert_eq!(
        read_all(text, BankFormat::Aiken),
        [
            "- | What is it?\r\nOn two lines? | One | *Two | -",
            "- | Next? | x | y | -",
        ]
    );
    let broken = "Q?\nA. x\nB. y\n\nQ2?\nA. x\nB. y\nANSWER: A\n";
    let bank = cut(broken, BankFormat::Aiken).unwrap();
    assert_eq!(bank.troubles.len(), 1);
    assert_eq!(bank.troubles[0].what, TroubleKind::NoAnswer);
}

const MOODLE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="category"><category><text>$course$/x</text></category></question>
<!-- <question type="multichoice"> -->
<question type="multichoice">
  <name><text>First</text></name>
  <questiontext format="html"><text><![CDATA[<p>Which <em>gas</em> is <b>CO<sub>2</sub></b>?</p><img src="@@PLUGINFILE@@/a.png" />]]></text>
  <file name="a.png" encoding="base64">iVBORw0KGgo=</file></questiontext>
  <generalfeedback format="html"><text>&lt;p&gt;It is &amp;amp; stays.&lt;/p&gt;</text></generalfeedback>
  <single>true</single>
  <answer fraction="100" format="html"><text>Carbon &lt;i&gt;dioxide&lt;/i&gt;</text><feedback format="html"><text>Yes.</text></feedback></answer>
  <answer fraction="0"><text><![CDATA[Oxygen]]></text><feedback><text></text></feedback></answer>
</question>
<question type="essay"><name><text>E</text></name></question>
<question type="multichoice"><questiontext><text>Two?</text></questiontext><single>false</single>
<answer fraction="50"><text>a</text></answer><answer fraction="50"><text>b</text></answer><answer fraction="-100"><text>c</text></answer></question>
</quiz>
"#;

#[test]
fn moodle_xml_is_read_with_html_as_text() {
    assert_eq!(
        read_all(MOODLE, BankFormat::MoodleXml),
        [
            "First | Which gas is CO2? | *Carbon dioxide (Yes.) | Oxygen | It is & stays.",
            "(essay)",
            "- | Two? | a | b | c | several | -",
        ]
    );
}

#[test]
fn answers_that_stand_apart_have_no_key() {
    let text = "<quiz><question type=\"multichoice\"><questiontext><text>Why?</text></questiontext><answer fraction=\"0\"><text>a</text></answer><generalfeedback><text>So.</text></generalfeedback><answer fraction=\"100\"><text>b</text></answer><answer fraction=\"0\"/></question></quiz>";
    assert_eq!(
        read_all(text, BankFormat::MoodleXml),
        ["- | Why? | a | So."],
        "the right answer is not among the options that were read"
    );
    let bank = cut(text, BankFormat::MoodleXml).unwrap();
    let item = bank.read(text, &bank.questions[0].range);
    let key = item.root().unwrap().get("answerIndex").unwrap().as_i64();
    assert_eq!(key, Some(i64::from(u32::MAX)));
}

#[test]
fn hostile_xml_is_not_obeyed() {
    let laughs = "<!DOCTYPE quiz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<quiz><question type=\"multichoice\"><questiontext><text>&b; &#x41;</text></questiontext></question></quiz>";
    let bank = cut(laughs, BankFormat::MoodleXml).unwrap();
    assert!(
        bank.troubles
            .iter()
            .any(|trouble| trouble.what == TroubleKind::Declaration)
    );
    let item = bank.read(laughs, &bank.questions[0].range);
    assert_eq!(
        item.root().unwrap().get("stem").unwrap().as_str(),
        Some("&b; A")
    );
    let open = "<quiz><question type=\"multichoice\"><questiontext><text>Why";
    let bank = cut(open, BankFormat::MoodleXml).unwrap();
    assert!(bank.questions.is_empty());
    assert_eq!(bank.troubles.len(), 1);
    let script = "<quiz><question type=\"multichoice\"><questiontext format=\"html\"><text><![CDATA[<p onclick=\"x()\">Hi</p><script>y()</script>]]></text></questiontext></question></quiz>";
    let bank = cut(script, BankFormat::MoodleXml).unwrap();
    let item = bank.read(script, &bank.questions[0].range);
    let stem = item
        .root()
        .unwrap()
        .get("stem")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        stem.contains("onclick") && stem.contains("<script>"),
        "{stem}"
    );
}

#[test]
fn qti_is_read_by_its_labels() {
    let text = r#"<questestinterop><assessment><section><item ident="i1" title="T">
<presentation><material><mattext texttype="text/html">&lt;p&gt;Why?&lt;/p&gt;</mattext></material>
<response_lid ident="response1" rcardinality="Single"><render_choice>
<response_label ident="4232"><material><mattext texttype="text/plain">One</mattext></material></response_label>
<response_label ident="7"><material><mattext texttype="text/plain">Two</mattext></material></response_label>
</render_choice></response_lid></presentation>
<resprocessing><respcondition continue="No"><conditionvar><varequal respident="response1">7</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>
<itemfeedback ident="general_fb"><flow_mat><material><mattext texttype="text/plain">Since.</mattext></material></flow_mat></itemfeedback>
</item></section></assessment></questestinterop>"#;
    assert_eq!(
        read_all(text, BankFormat::Qti),
        ["i1 | Why? | One | *Two | Since."]
    );
}

#[test]
fn several_right_answers_of_qti_are_marked_and_points_decide_between_two() {
    let item = |cardinality: &str, conditions: &str| {
        format!(
            "<item ident=\"i\"><presentation><material><mattext>Why?</mattext></material><response_lid rcardinality=\"{cardinality}\"><render_choice><response_label ident=\"1\"><material><mattext>a</mattext></material></response_label><response_label ident=\"2\"><material><mattext>b</mattext></material></response_label><response_label ident=\"3\"><material><mattext>c</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing>{conditions}</resprocessing></item>"
        )
    };
    let condition = |labels: &str, points: u8| {
        format!(
            "<respcondition><conditionvar>{labels}</conditionvar><setvar>{points}</setvar></respcondition>"
        )
    };
    let is = |label: u8| format!("<varequal>{label}</varequal>");
    let several = condition(
        &format!("<and>{}{}<not>{}</not></and>", is(1), is(2), is(3)),
        100,
    );
    let text = item("Multiple", &several);
    let bank = cut(&text, BankFormat::Qti).unwrap();
    let json = bank.read(&text, &bank.questions[0].range);
    let flags: Vec<Option<bool>> = json
        .root()
        .unwrap()
        .get("options")
        .unwrap()
        .items()
        .map(|option| option.get("correct").unwrap().as_bool())
        .collect();
    assert_eq!(flags, [Some(true), Some(true), Some(false)]);
    for (first, second, expected) in [
        (100, 50, "i | Why? | *a | b | c | -"),
        (50, 100, "i | Why? | a | *b | c | -"),
        (50, 50, "i | Why? | a | b | c | -"),
        (0, 0, "i | Why? | a | b | c | -"),
    ] {
        let both = condition(&is(1), first) + &condition(&is(2), second);
        assert_eq!(
            read_all(&item("Single", &both), BankFormat::Qti),
            [expected]
        );
    }
}

#[test]
fn feedback_of_qti_belongs_to_the_option_that_it_is_shown_for() {
    let text = r#"<questestinterop><item ident="i"><presentation><material><mattext>Why?</mattext></material><response_lid rcardinality="Single"><render_choice><response_label ident="1"><material><mattext>a</mattext></material></response_label><response_label ident="2"><material><mattext>b</mattext></material></response_label><response_label ident="3"><material><mattext>c</mattext></material></response_label></render_choice></response_lid></presentation>
<resprocessing><respcondition continue="Yes"><conditionvar><varequal respident="r">2</varequal></conditionvar><displayfeedback feedbacktype="Response" linkrefid="2_fb"/></respcondition>
<respcondition continue="Yes"><conditionvar><varequal>1</varequal><varequal>3</varequal></conditionvar><displayfeedback linkrefid="wrong_fb"/></respcondition>
<respcondition><conditionvar><varequal>2</varequal></conditionvar><setvar>100</setvar><displayfeedback linkrefid="correct_fb"/></respcondition></resprocessing>
<itemfeedback ident="general_incorrect_fb"><flow_mat><material><mattext>Try again.</mattext></material></flow_mat></itemfeedback>
<itemfeedback ident="correct_fb"><flow_mat><material><mattext>Since b.</mattext></material></flow_mat></itemfeedback>
<itemfeedback ident="2_fb"><flow_mat><material><mattext texttype="text/html">&lt;p&gt;Yes &amp;amp; no.&lt;/p&gt;</mattext></material></flow_mat></itemfeedback>
<itemfeedback ident="wrong_fb"><flow_mat><material><mattext>No.</mattext></material></flow_mat></itemfeedback></item></questestinterop>"#;
    assert_eq!(
        read_all(text, BankFormat::Qti),
        ["i | Why? | a | *b (Yes & no.) | c | Since b."]
    );
    texts_are_where_they_say(text, BankFormat::Qti);
}

fn texts_of_stem(json: &Json) -> Vec<&str> {
    let stem = json.root().unwrap().get("stem").unwrap();
    stem.members()
        .map(|(_, text)| text.as_str().unwrap())
        .collect()
}

#[test]
fn a_text_of_qti_may_be_spread_over_several_elements() {
    let text = r#"<questestinterop><item ident="i1"><presentation><flow><material><mattext>First.</mattext><matimage uri="a.png"/><mattext texttype="text/html">&lt;b&gt;Why?&lt;/b&gt;</mattext></material>
<response_lid><render_choice><response_label ident="1"><material><mattext>One</mattext><mattext>and more</mattext></material></response_label><response_label ident="2"><material><mattext>Two</mattext></material></response_label></render_choice></response_lid></flow></presentation></item></questestinterop>"#;
    let bank = cut(text, BankFormat::Qti).unwrap();
    let json = bank.read(text, &bank.questions[0].range);
    assert_eq!(texts_of_stem(&json), ["First.", "Why?"]);
    assert_eq!(shown(text, &json), "i1 | - | One\nand more | Two | -");
    texts_are_where_they_say(text, BankFormat::Qti);
}

const QTI_2: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i7" title="T" adaptive="false">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>ChoiceB</value></correctResponse></responseDeclaration>
<itemBody><rubricBlock view="scorer"><p>For markers.</p></rubricBlock><p>Look at <b>this</b> &amp; that.</p><div>
<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1"><prompt>Which <em>gas</em>?</prompt>
<simpleChoice identifier="ChoiceA">O<sub>2</sub><feedbackInline outcomeIdentifier="F" identifier="ChoiceA" showHide="show">No.</feedbackInline></simpleChoice>
<simpleChoice identifier="ChoiceB"><p>CO<sub>2</sub></p></simpleChoice></choiceInteraction></div></itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>
<modalFeedback outcomeIdentifier="F" identifier="x" showHide="show">Since.</modalFeedback></assessmentItem>
"#;

#[test]
fn later_versions_of_qti_are_read_by_their_identifiers() {
    let in_3 = QTI_2
        .replace("assessmentItem", "qti-assessment-item")
        .replace("responseDeclaration", "qti-response-declaration")
        .replace("correctResponse", "qti-correct-response")
        .replace("value>", "qti-value>")
        .replace("itemBody", "qti-item-body")
        .replace("rubricBlock", "qti-rubric-block")
        .replace("choiceInteraction", "qti-choice-interaction")
        .replace("prompt>", "qti-prompt>")
        .replace("simpleChoice", "qti-simple-choice")
        .replace("feedbackInline", "qti-feedback-inline")
        .replace("modalFeedback", "qti-modal-feedback");
    for text in [QTI_2, &in_3] {
        assert_eq!(
            read_all(text, BankFormat::Qti),
            ["i7 | - | O2 (No.) | *CO2 | Since."],
            "{text}"
        );
        let bank = cut(text, BankFormat::Qti).unwrap();
        assert!(bank.troubles.is_empty(), "{:?}", bank.troubles);
        let json = bank.read(text, &bank.questions[0].range);
        assert_eq!(texts_of_stem(&json), ["Look at this & that.", "Which gas?"]);
        texts_are_where_they_say(text, BankFormat::Qti);
    }
    let essay = QTI_2.replace("choiceInteraction", "extendedTextInteraction");
    assert_eq!(read_all(&essay, BankFormat::Qti), ["(essay)"]);
    // Points for two of which one may be chosen are no key; a key that no choice has names none.
    let points = QTI_2.replace(
        "<correctResponse><value>ChoiceB</value></correctResponse>",
        "<mapping><mapEntry mapKey=\"ChoiceA\" mappedValue=\"1\"/><mapEntry mapKey=\"ChoiceB\" mappedValue=\"0.5\"/></mapping>",
    );
    assert!(read_all(&points, BankFormat::Qti)[0].contains("| CO2 |"));
    let lost = QTI_2.replace("<value>ChoiceB", "<value>ChoiceC");
    assert!(read_all(&lost, BankFormat::Qti)[0].contains("| CO2 |"));
}

#[test]
fn columns_are_what_the_user_says() {
    let text = "Nr;Der Text;Erste;Zweite;Dritte;Stimmt;Notiz\n1;Why?;x;;z;C;n\n";
    assert!(cut(text, BankFormat::Table).is_none());
    for choice in [
        "stem=Der Text,options=Erste..Dritte,key=Stimmt",
        "stem=der text, options=C..E, key=F",
        "question=B,option=Erste,option=Zweite,option=Dritte,answer=Stimmt",
    ] {
        let choice = ColumnChoice::parse(choice).unwrap();
        let bank = cut_with(text, BankFormat::Table, Some(&choice)).unwrap();
        let item = bank.read(text, &bank.questions[0].range);
        // The empty cell counts, or the key would name another option.
        assert_eq!(shown(text, &item), "1 | Why? | x |  | *z | -");
        let columns = bank.columns.unwrap();
        let left: Vec<&str> = columns.named(|column| column == Column::Other).collect();
        assert_eq!(left, ["Notiz"]);
    }
    for (choice, expected) in [
        ("stem", "`stem` does not say"),
        ("", "does not say"),
        ("stem=", "does not say"),
        ("titel=A", "unknown kind of column `titel`"),
    ] {
        let error = ColumnChoice::parse(choice).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let choice = ColumnChoice::parse("stem=Frage,options=C..E").unwrap();
    assert_eq!(
        columns(text, Some(&choice)).unwrap_err().to_string(),
        "no column `Frage`; the table has `Nr`, `Der Text`, `Erste`, `Zweite`, `Dritte`, `Stimmt`, `Notiz`"
    );
}

#[test]
fn other_encodings_are_read_and_written_back() {
    let text = "Frage;Antwort A;Antwort B;Lösung\r\nWäre 1 €?;ja;nein;A\r\n";
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    let latin: Vec<u8> = text
        .chars()
        .map(|c| match c {
            '€' => 0x80,
            c => u8::try_from(u32::from(c)).unwrap(),
        })
        .collect();
    let marked = format!("\u{feff}{text}");
    for (bytes, expected) in [
        (latin, text),
        (utf16(&marked, u16::to_le_bytes), marked.as_str()),
        (utf16(&marked, u16::to_be_bytes), marked.as_str()),
        (marked.clone().into_bytes(), marked.as_str()),
    ] {
        let decoded = encoded::decode(&bytes).unwrap();
        assert_eq!(decoded, expected);
        assert_eq!(encoded::encode_like(&bytes, &decoded).unwrap(), bytes);
    }
    // The declaration of XML counts more than a guess.
    let xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><quiz>\u{b3}</quiz>";
    let bytes: Vec<u8> = xml
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let decoded = encoded::decode(&bytes).unwrap();
    assert!(decoded.contains('ł'), "{decoded}");
    assert_eq!(encoded::encode_like(&bytes, &decoded).unwrap(), bytes);
    assert_eq!(encoded::encode_like(&bytes, "→"), None);
    assert_eq!(encoded::decode(b"\x89PNG\r\n\x1a\n\xff\xfe\x00"), None);
}

#[test]
fn xml_in_another_encoding_than_it_names_is_noticed() {
    let xml = |encoding: &str, text: &[u8]| -> Vec<u8> {
        let head = format!("<?xml version=\"1.0\"{encoding}?>\n<quiz>");
        [head.as_bytes(), text, b"</quiz>"].concat()
    };
    for (bytes, expected) in [
        (xml(" encoding=\"UTF-8\"", "ä".as_bytes()), None),
        (xml(" encoding='ISO-8859-1'", b"\xe4"), None),
        (xml(" encoding='ISO-8859-1'", b"a"), None),
        (xml("", "ä".as_bytes()), None),
        (b"\xff\xfe<\0q\0".to_vec(), None),
        (b"<\0q\0".to_vec(), None),
        (b"Why \xe4? {=a ~b}".to_vec(), None),
        (xml(" encoding=\"utf-8\"", b"\xe4"), Some(("utf-8", 45))),
        (xml("", b"\xe4"), Some(("UTF-8", 28))),
        (
            xml(" encoding=\"ISO-8859-1\"", "ä".as_bytes()),
            Some(("ISO-8859-1", 50)),
        ),
        (xml(" encoding=\"UTF-16\"", b"a"), Some(("UTF-16", 0))),
    ] {
        let found = encoded::contradiction(&bytes);
        let found = found.as_ref().map(|found| (found.named.as_str(), found.at));
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn tables_are_read_by_their_headers_in_seven_languages() {
    for text in [
        "Question,Option A,Option B,Correct answer,Explanation\n\"Why, now?\",One,\"Tw\"\"o\"\"\",B,Since.\n",
        "Frage;Antwort 1;Antwort 2;Richtige Antwort;Begründung\r\n\"Why, now?\";One;\"Tw\"\"o\"\"\";B;Since.\r\n",
        "Pregunta;Opción A;Opción B;Respuesta correcta;Explicación\n\"Why, now?\";One;Tw\"o\";B;Since.\n",
        "Énoncé\tChoix A\tChoix B\tBonne réponse\tExplication\nWhy, now?\tOne\tTw\"o\"\tB\tSince.\n",
        "sep=;\nPergunta;Alternativa A;Alternativa B;Gabarito;Explicação\nWhy, now?;One;Tw\"o\";B;Since.\n",
        "Вопрос|Вариант А|Вариант Б|Правильный ответ|Пояснение\nWhy, now?|One|Tw\"o\"|B|Since.\n",
        "\u{feff}题干,选项A,选项B,答案,解析\n\"Why, now?\",One,\"Tw\"\"o\"\"\",B,Since.\n",
        "no,question,a,b,c,key,rationale,tag\n-,\"Why, now?\",One,\"Tw\"\"o\"\"\",,B,Since.,x\n",
    ] {
        assert_eq!(
            read_all(text, BankFormat::Table),
            ["- | Why, now? | One | *Tw\"o\" | Since."],
            "{text}"
        );
    }
}

#[test]
fn headers_are_understood_as_tools_write_them() {
    for text in [
        "questionText,optionA,optionB,correctAnswer,explanation\nWhy?,One,Two,B,Since.\n",
        "question,opa,opb,cop,exp\nWhy?,One,Two,B,Since.\n",
        "Question - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,Correct answer(s) - choose one,Why\nWhy?,One,Two,B,Since.\n",
        "My quiz,,,,\n\n,,,,\nQuestion,A,B,Answer,Why\nWhy?,One,Two,B,Since.\n",
        "Questão;Opção A;Opção B;Resposta certa;Comentário\nWhy?;One;Two;B;Since.\n",
        "Question (text),Question,A,B,Answer,Why\nno,Why?,One,Two,B,Since.\n",
    ] {
        assert_eq!(
            read_all(text, BankFormat::Table),
            ["- | Why? | One | *Two | Since."],
            "{text}"
        );
    }
    let apart = "Question,A,B,Answer,Feedback A,Feedback B\nWhy?,One,Two,B,no,yes\n";
    assert_eq!(
        read_all(apart, BankFormat::Table),
        ["- | Why? | One (no) | *Two (yes) | -"]
    );
    texts_are_where_they_say(apart, BankFormat::Table);
    let mixed = "Titel, lang;Option A, first;Correct answer\n";
    assert!(
        columns(mixed, None)
            .unwrap_err()
            .to_string()
            .contains("`Option A, first`"),
        "{:?}",
        columns(mixed, None)
    );
}

#[test]
fn what_no_cell_holds_is_named() {
    let what = |text: &str, choice: Option<&str>| -> Vec<(String, TroubleKind)> {
        let choice = choice.map(|choice| ColumnChoice::parse(choice).unwrap());
        let bank = cut_with(text, BankFormat::Table, choice.as_ref()).unwrap();
        let troubles = bank.troubles.iter();
        troubles
            .map(|trouble| (text[trouble.range.clone()].to_owned(), trouble.what))
            .collect()
    };
    assert_eq!(
        what("question,a,b,key\n\"Why?\" ,\"x\" y z,w,A\n", None),
        [("y z".to_owned(), TroubleKind::AfterQuote)]
    );
    let headless = "Why?,x,y,B\nWho?,v,w,C\n";
    assert_eq!(
        what(headless, Some("stem=Why?,options=x..y,key=D")),
        [("Why?,x,y,B".to_owned(), TroubleKind::NoHeader)]
    );
}

#[test]
fn a_text_that_is_no_bank_is_none() {
    for text in [
        "",
        "# A lesson\n\nIn set notation, {1, 2} is a set and {} is empty.\n",
        "Name,Points\nAnna,3\n",
        "<html><body><p>Hi</p></body></html>",
        "{\"stem\": \"Why?\"}",
        "Dear all,\n\nA. one thing\nB. another\n",
    ] {
        assert!(detect(text).is_none(), "{text}");
    }
}

/// Every text of a tree stands where its map says, and written back says the same.
fn texts_are_where_they_say(text: &str, format: BankFormat) {
    let Some(bank) = cut(text, format) else {
        return;
    };
    for question in &bank.questions {
        assert!(text.get(question.range.clone()).is_some());
        let json = bank.read(text, &question.range);
        let mut open: Vec<Node<'_>> = json.root().into_iter().collect();
        while let Some(node) = open.pop() {
            open.extend(node.items());
            open.extend(node.members().map(|(_, value)| value));
            let Some(string) = node.string() else {
                continue;
            };
            let span = string.map.source_span();
            assert!(text.get(span.clone()).is_some(), "{span:?} in {text:?}");
            assert_eq!(
                string.map.len(),
                string.text.len(),
                "{:?} in {text:?}",
                string.text
            );
            for (at, _) in string.text.char_indices() {
                let range = string
                    .map
                    .to_source(at..string.text.ceil_char_boundary(at + 1));
                assert!(text.get(range).is_some());
            }
            assert!(matches!(string.quotes, Quotes::Foreign(_)));
        }
    }
}

proptest! {
    #[test]
    fn no_text_upsets_a_reader(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("{"), Just("}"), Just("="), Just("~"), Just("#"), Just("####"), Just("\\"),
                Just("::"), Just("\n"), Just("\n\n"), Just("//"), Just("%50%"), Just("T"),
                Just("<quiz>"), Just("<question type=\"multichoice\">"), Just("</question>"),
                Just("<text>"), Just("</text>"), Just("<answer fraction=\"100\">"), Just("</answer>"),
                Just("<questiontext>"), Just("</questiontext>"), Just("<![CDATA["), Just("]]>"),
                Just("<!--"), Just("-->"), Just("&amp;"), Just("&#x1F600;"), Just("<p>"), Just("<b"),
                Just("question,a,b,key\n"), Just("\""), Just(","), Just(";"), Just("ä"), Just("题"),
                Just("ANSWER: A\n"), Just("A. x\n"), Just("B) y\n"), Just("word"), Just(" "), Just("\r\n"),
                Just("<item ident=\"1\">"), Just("</item>"), Just("<questestinterop>"), Just("<mattext>"),
                Just("</mattext>"), Just("<response_label ident=\"2\">"), Just("</response_label>"),
                Just("<presentation>"), Just("[html]"), Just("\u{feff}"),
            ],
            0..40,
        ),
    ) {
        let text = parts.concat();
        for format in BankFormat::ALL {
            texts_are_where_they_say(&text, format);
        }
    }
}

#[test]
fn kinds_of_canvas_with_lists_to_choose_from_are_no_items() {
    for (name, expected) in [
        ("multiple_choice_question", QuestionKind::Choice),
        ("multiple_answers_question", QuestionKind::Choice),
        (
            "multiple_dropdowns_question",
            QuestionKind::Other("drop-down lists"),
        ),
        (
            "fill_in_multiple_blanks_question",
            QuestionKind::Other("short answer"),
        ),
    ] {
        let item = format!(
            "<questestinterop><item ident=\"a\"><itemmetadata><fieldentry>{name}</fieldentry></itemmetadata><presentation><material><mattext>Roses are [c]</mattext></material><response_lid ident=\"response_c\"><render_choice><response_label ident=\"1\"><material><mattext>red</mattext></material></response_label></render_choice></response_lid></presentation></item></questestinterop>"
        );
        let bank = cut(&item, BankFormat::Qti).unwrap();
        assert_eq!(bank.questions[0].kind, expected, "{name}");
    }
}
