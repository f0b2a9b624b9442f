//! A repair of any text of a bank to any words, in every format: read again, the text is
//! those words and everything else is as it was, or the program rejects the repair. Each
//! question is repaired alone, as the program does it, and put back into its bank.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use redraft_banks::BankFormat;
use redraft_gate::content::Document;
use redraft_gate::edit;
use redraft_gate::examine::Settings;
use redraft_gate::finding::Severity;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::reading::{FormKind, Hint};
use redraft_profiles::items::model::{Bank, items};
use redraft_profiles::registry;
use redraft_run::verify;

/// A bank of each form, with what the formats have of their own.
const BANKS: &[(BankFormat, &str)] = &[
    (
        BankFormat::Gift,
        "// note\n$CATEGORY: a/b\n\n::Q1:: What is 2 \\= 2? {\n=yes #Right.\n// odd\n~no \\{x\\} #Wrong.\n~%-50%maybe\n####Because.\n}\n\n[html]<p>Which <b>gas</b> &amp; why?</p>{~O<sub>2</sub> =CO<sub>2</sub>}\n\nThe sky is {=blue ~green} today.\n\n[markdown]Which *two*? {~%50%one\n~%50%two\n~%-100%three}\n",
    ),
    (
        BankFormat::Gift,
        "::Q1::\r\nOne\r\ntwo {\r\n=a\r\n~b\r\n}\r\n\r\nLast {=a ~b}",
    ),
    (
        BankFormat::Aiken,
        "What is it?\r\nOn two lines?\r\nA. One\r\nB) Two\r\nANSWER: B\r\n\r\nNext?\r\nA. x\r\nB. y\r\nANSWER: A\r\n",
    ),
    (
        BankFormat::Aiken,
        "First?\nA) x\nB) y\nANSWER: A\nSecond?\nA) x\nB) y\nC) z\nANSWER: C",
    ),
    (
        BankFormat::MoodleXml,
        "<?xml version=\"1.0\"?>\n<quiz><question type=\"multichoice\"><name><text>N &amp; M</text></name><questiontext format=\"html\"><text><![CDATA[<p>Which <em>gas</em>?</p><img src=\"@@PLUGINFILE@@/a.png\"/>]]></text><file name=\"a.png\" encoding=\"base64\">iVBO</file></questiontext><generalfeedback><text>&lt;p&gt;It is &amp;amp; stays.&lt;/p&gt;</text></generalfeedback><answer fraction=\"100\"><text>Carbon &lt;i&gt;dioxide&lt;/i&gt;</text><feedback><text>Yes.</text></feedback></answer><answer fraction=\"0\" format=\"plain_text\"><text><![CDATA[Oxygen]]></text></answer></question><question type=\"multichoice\"><name><text>P</text></name><questiontext format=\"plain_text\"><text>Plain?</text></questiontext><answer fraction=\"0\"><text>no</text></answer><answer fraction=\"100\"><text>yes</text></answer></question></quiz>",
    ),
    (
        BankFormat::Qti,
        "<questestinterop><item ident=\"i1\"><presentation><material><mattext>First.</mattext><mattext texttype=\"text/html\">&lt;b&gt;Why?&lt;/b&gt;</mattext></material><response_lid><render_choice><response_label ident=\"1\"><material><mattext>One</mattext><mattext>more</mattext></material></response_label><response_label ident=\"2\"><material><mattext>Two</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal>1</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing><itemfeedback ident=\"general_fb\"><material><mattext>Since.</mattext></material></itemfeedback></item></questestinterop>",
    ),
    (
        BankFormat::Qti,
        "<assessmentItem identifier=\"i7\"><responseDeclaration cardinality=\"single\"><correctResponse><value>B</value></correctResponse></responseDeclaration><itemBody><p>Look at <b>this</b> &amp; that.</p><ul><li>one</li></ul><choiceInteraction><prompt>Which <em>gas</em>?</prompt><simpleChoice identifier=\"A\">O<sub>2</sub><feedbackInline>No.</feedbackInline></simpleChoice><simpleChoice identifier=\"B\"><p>CO<sub>2</sub></p></simpleChoice></choiceInteraction></itemBody><modalFeedback>Since.</modalFeedback></assessmentItem>",
    ),
    (
        BankFormat::Table,
        "\u{feff}id,question,A,feedback A,B,C,key,explanation\r\n1,\"Why, \"\"now\"\"?\",One,So,Two,,B,Since.\r\n2, spaced ,'=1+1,,x,y,A,\r\n",
    ),
    (
        BankFormat::Table,
        "Frage;Antwort 1;Antwort 2;L\u{f6}sung\nWas?;ja; nein ;A\nUnd?;-5;+5;B\n",
    ),
    (
        BankFormat::Table,
        "question\tA\tB\tkey\nWhy?\tone\t two\tA\nHow?\tso\tnot\tB",
    ),
    // The key repeats the words of the right option.
    (
        BankFormat::Table,
        "Question,Option 1,Option 2,Correct answer\nWhy?,one,two,two\nHow?,three,four,three\n",
    ),
];

/// What is written into every text: the signs of all formats, and what files stumble over.
const HOSTILE: &[&str] = &[
    "new = text, \"q\" {x} #1 ~ 50% <b> & 'it'",
    // Aiken
    "A. one",
    "B) two",
    "ANSWER: A",
    "Why?\nA. one\nB. two\nANSWER: B",
    "Why?\n\nANSWER: B\n\nNext?",
    "answer: a",
    // GIFT
    "{=a ~b}",
    "}",
    "{",
    "=right",
    "~%100%right",
    "%100%right",
    "50%",
    "#feedback",
    "####general",
    "a -> b",
    "::title:: x",
    ":",
    "// no comment",
    "a\n// no comment\nb",
    "$CATEGORY: x",
    "[html]<b>x</b>",
    "[moodle]",
    "x ]",
    "\\",
    "\\n",
    "x\\",
    "\\=\\~",
    "T",
    "TRUE",
    "one\n\ntwo",
    "one\r\n\r\ntwo",
    "one\rtwo",
    // XML
    "]]>",
    "a ]]> b",
    "<![CDATA[x]]>",
    "<!-- x -->",
    "-->",
    "&amp;",
    "&lt;p&gt;",
    "&#x41;",
    "&unknown;",
    "a & b",
    "a < b > c",
    "</text></question></quiz>",
    "</mattext>",
    "<p>x</p><br>",
    "<script>x</script>",
    "<?php x ?>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>&b;",
    // Tables
    "a,b",
    "a;b",
    "a\tb",
    "a|b",
    "\"",
    "\"\"",
    "\"a\"",
    "a\"b",
    "'",
    "'=1",
    "=1+1",
    "+1",
    "-x",
    "@x",
    "\tx",
    "=HYPERLINK(\"http://x\",\"y\")",
    "＝1",
    ",",
    ";;;;;;",
    "sep=;",
    "\n",
    "a\nb",
    "question,A,B,key",
    // JSON and YAML
    "{\"stem\": \"x\"}",
    "[1, 2]",
    "- a\n- b",
    // Signs
    "\u{feff}x",
    "x\u{feff}y",
    "\u{202e}x\u{202c}",
    "\u{200b}x",
    "a\u{a0}b",
    "\u{2028}x",
    "a\u{2028}b\u{85}c",
    "\u{b}x\u{c}",
    "a\u{1}b",
    "a\u{0}b",
    "😀",
    "水",
    "e\u{301}",
];

/// Repairs that no format has a reason to refuse.
const PLAIN: &[&str] = &[
    "new = text, \"q\" {x} #1 ~ 50% <b> & 'it'",
    "a, b; c\td | e",
    "5 < 6 & 7 > 6",
    "x = {y} ~ #z : w",
    "]]> \\ &amp;",
];

static READER: LazyLock<Reader> = LazyLock::new(|| {
    let profile = registry::profile("mcq").unwrap();
    Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            ..Settings::default()
        },
        companions: Arc::default(),
        hint: Hint::None,
    }
});

fn parsed(bytes: &[u8], form: FormKind) -> Document {
    READER.parse_version(bytes.to_vec(), form)
}

/// Everything that a bank says: its texts by their paths, and which options are right.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    texts: Vec<(String, String)>,
    right: Vec<(usize, Vec<usize>)>,
}

fn said(document: &Document) -> Said {
    let texts = document.texts().iter();
    Said {
        texts: texts
            .map(|field| (field.path.to_string(), spaced(&field.text)))
            .collect(),
        right: items(document)
            .map(|view| (view.options().len(), view.right()))
            .collect(),
    }
}

/// White space is what a format makes of it; other control characters say nothing.
fn spaced(text: &str) -> String {
    let is_space = |c: char| c.is_whitespace() || c == '\u{feff}';
    let text: String = text
        .chars()
        .filter(|c| is_space(*c) || !c.is_control())
        .collect();
    let words: Vec<&str> = text
        .split(is_space)
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// One question of a bank, as it is repaired.
struct Alone {
    document: Document,
    /// Where it stands in the bank.
    range: Range<usize>,
    head: usize,
    /// Which of the bank's texts is its first.
    first: usize,
}

fn questions(bank: &str, format: BankFormat) -> (Document, Vec<Alone>) {
    let whole = parsed(bank.as_bytes(), FormKind::Bank(format));
    let head = redraft_banks::cut(whole.source().text(), format)
        .unwrap()
        .head;
    let head_bytes = bank[whole.span(head).range()].to_owned();
    let model = whole.model::<Bank>().unwrap();
    let alone = model.items.iter().map(|item| {
        let range = whole.span(item.range.clone()).range();
        let bytes = format!("{head_bytes}{}", &bank[range.clone()]);
        let texts = whole.texts().iter();
        let first = texts
            .take_while(|field| field.map.source_span().start < item.range.start)
            .count();
        Alone {
            document: parsed(bytes.as_bytes(), FormKind::Question(format)),
            range,
            head: head_bytes.len(),
            first,
        }
    });
    let alone = alone.collect();
    (whole, alone)
}

/// What becomes of a repair of one text: the bank with it, or nothing where it is rejected.
fn repaired(
    bank: &str,
    alone: &Alone,
    index: usize,
    range: Range<usize>,
    new: &str,
    format: BankFormat,
) -> Option<Vec<u8>> {
    let document = &alone.document;
    let field = &document.texts()[index];
    let edit = document.edit(field, range, new);
    let source = document.source();
    let bytes = edit::apply(source.bytes(), source.version(), &[edit]).ok()?;
    let after = parsed(&bytes, FormKind::Question(format));
    let component = &document.components()[field.component].id;
    if !verify::keeps_the_rest(document, &after, component) || !keeps_protected(document, &after) {
        return None;
    }
    let mut whole = bank.as_bytes().to_vec();
    whole.splice(alone.range.clone(), bytes[alone.head..].iter().copied());
    Some(whole)
}

/// Whether what no repair may change is as it was: keys, letters, what stands between options.
fn keeps_protected(before: &Document, after: &Document) -> bool {
    let profile = registry::profile("mcq").unwrap();
    let texts = |document: &Document| -> Vec<String> {
        let ranges = profile.protected(document).into_iter();
        ranges
            .map(|range| document.source().text()[range].to_owned())
            .collect()
    };
    texts(before) == texts(after)
}

/// Whether a question has more errors in its bank than it had.
fn makes_an_error(bank: &str, repaired: &[u8], format: BankFormat) -> bool {
    let errors = |bytes: &[u8]| {
        let form = FormKind::Bank(format);
        let inspected = READER.inspect_as(bytes.to_vec(), form);
        let findings = inspected.findings.iter();
        findings
            .filter(|finding| finding.severity == Severity::Error)
            .count()
    };
    errors(repaired) > errors(bank.as_bytes())
}

fn is_words(path: &str) -> bool {
    !path.ends_with("label") && !path.ends_with("correct_answer") && !path.ends_with("key")
}

fn assert_repairs(
    format: BankFormat,
    bank: &str,
    hostile: &str,
    faults: &mut Vec<String>,
) -> (usize, usize) {
    let (before, alone) = questions(bank, format);
    let before = said(&before);
    let mut counts = (0, 0);
    for question in &alone {
        for (index, field) in question.document.texts().iter().enumerate() {
            if !is_words(&field.path) {
                continue;
            }
            let length = field.text.len();
            let middle = field.text.floor_char_boundary(length / 2);
            for range in [0..length, 0..0, middle..middle, length..length] {
                let mut wanted = field.text.to_string();
                wanted.replace_range(range.clone(), hostile);
                let Some(bytes) = repaired(bank, question, index, range.clone(), hostile, format)
                else {
                    // A text over several elements is not replaced by one.
                    counts.1 += usize::from(!field.text.contains('\n'));
                    continue;
                };
                counts.0 += 1;
                let mut expected = before.clone();
                let after = said(&parsed(&bytes, FormKind::Bank(format)));
                expected.texts[question.first + index].1 = spaced(&wanted);
                // The program also rejects a repair that makes an error.
                if expected != after && !makes_an_error(bank, &bytes, format) {
                    let differs = expected
                        .texts
                        .iter()
                        .zip(&after.texts)
                        .find(|(a, b)| a != b);
                    faults.push(format!(
                        "{format:?} {} {hostile:?} at {range:?}: {differs:?}, keys {:?} {:?}\n{}",
                        field.path,
                        expected.right,
                        after.right,
                        String::from_utf8_lossy(&bytes)
                    ));
                }
            }
        }
    }
    counts
}

#[test]
fn a_hostile_repair_is_read_back_as_it_was_meant_or_rejected() {
    let mut faults = Vec::new();
    for (format, bank) in BANKS {
        for hostile in HOSTILE {
            assert_repairs(*format, bank, hostile, &mut faults);
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n\n")
    );
}

#[test]
fn plain_words_are_never_rejected() {
    let mut faults = Vec::new();
    for (format, bank) in BANKS {
        for words in PLAIN {
            let (_, rejected) = assert_repairs(*format, bank, words, &mut faults);
            assert_eq!(rejected, 0, "{format:?} {words:?}: {bank}");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn keys_of_tables_name_columns() {
    const NONE: &[usize] = &[];
    for (table, expected) in [
        // Letters are those of the columns, whatever the options say.
        (
            "Вопрос;Вариант А;Вариант Б;Вариант В;Ответ\nСколько?;3;4;5;Б\n",
            &[1][..],
        ),
        ("Вопрос;А;Б;В;Ответ\nСколько?;3;4;5;В\n", &[2]),
        ("Вопрос;А;Б;В;Ответ\nКто?;он;она;оно;б)\n", &[1]),
        // A Cyrillic В under Latin columns is a B to one and the third letter to another.
        (
            "Вопрос;A;B;C;D;Ответ\nСтолица?;Рим;Париж;Бонн;Омск;В\n",
            NONE,
        ),
        (
            "Вопрос;А;Б;В;Г;Ответ\nСтолица?;Рим;Париж;Бонн;Омск;B\n",
            NONE,
        ),
        (
            "Вопрос;A;B;C;D;Ответ\nСтолица?;Рим;Париж;Бонн;Омск;B\n",
            &[1],
        ),
        (
            "Вопрос;А;Б;В;Г;Ответ\nСтолица?;Рим;Париж;Бонн;Омск;A\n",
            NONE,
        ),
        // An index may count from 0, also where the columns count from 1.
        (
            "Question,Option 1,Option 2,Option 3,Answer Index\nA?,a,b,c,1\nB?,d,e,f,0\n",
            &[1, 0],
        ),
        (
            "Question,Option 1,Option 2,Option 3,correct_index\nA?,a,b,c,1\nB?,d,e,f,3\n",
            &[0, 2],
        ),
        // Lists of numbers, as quiz tools write them.
        (
            "Question,Answer 1,Answer 2,Answer 3,Answer 4,Correct answer(s)\nWhich?,Whale,Shark,Bat,Tuna,\"1,3\"\n",
            &[0, 2],
        ),
        (
            "Question Text,Option 1,Option 2,Option 3,Correct Answer\nEven?,2,3,4,\"1, 3\"\n",
            &[0, 2],
        ),
        (
            "Question,Option 1,Option 2,Option 3,Correct Answer\nPrime?,2,4,3,\"2,3\"\n",
            NONE,
        ),
        (
            "Question,Option 1,Option 2,Correct Answer\nWhich?,x,y,\"1,4\"\n",
            NONE,
        ),
        (
            "Question,A,B,C,Correct Answer\nWhich?,x,y,z,\"A,C\"\n",
            &[0, 2],
        ),
    ] {
        let document = parsed(table.as_bytes(), FormKind::Bank(BankFormat::Table));
        let right: Vec<usize> = items(&document).flat_map(|view| view.right()).collect();
        assert_eq!(right, expected, "{table}");
    }
}
