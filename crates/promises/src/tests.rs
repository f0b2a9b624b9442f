//! The short form of fuzzing: the documented examples of all checks, each whole, cut
//! off and with a few bytes changed, always the same ones.

use redraft_gate::check::Example;
use redraft_profiles::registry;

use super::PROMISES;

/// A fixed sequence of numbers (xorshift64), so that a failure can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap()
    }
}

/// Strings that parsers stumble over.
const TOKENS: [&[u8]; 8] = [
    b"```",
    b"\\",
    b"\"",
    b"</think>",
    b"\xff\xfe",
    b"$",
    b"\0",
    "\u{202e}".as_bytes(),
];

fn damaged(text: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = text.to_vec();
    match numbers.below(3) {
        0 => bytes.truncate(numbers.below(text.len())),
        1 => {
            let at = numbers.below(text.len());
            let token = TOKENS[numbers.below(TOKENS.len())];
            bytes.splice(at..at, token.iter().copied());
        }
        _ => {
            let at = numbers.below(text.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << numbers.below(8);
            }
        }
    }
    bytes
}

fn examples() -> impl Iterator<Item = &'static Example> {
    registry::all_checks()
        .iter()
        .flat_map(|check| check.examples)
}

#[test]
fn promises_hold_for_the_examples_of_all_checks() {
    for (name, holds) in PROMISES {
        eprintln!("{name}");
        for example in examples() {
            holds(example.fails.as_bytes());
        }
    }
}

#[test]
fn promises_hold_for_damaged_examples() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for (name, holds) in PROMISES {
        for example in examples() {
            let bytes = damaged(example.fails.as_bytes(), &mut numbers);
            eprintln!("{name}: {:?}", String::from_utf8_lossy(&bytes));
            holds(&bytes);
        }
    }
}

/// A bank of each format, with what the formats have of their own.
const BANKS: [&str; 9] = [
    "// note\n$CATEGORY: a/b\n\n::Q1:: What is 2 \\= 2? {\n=yes #Right.\n// odd\n~no \\{x\\} #Wrong.\n~%-50%maybe\n####Because.\n}\n\n[html]<p>Which <b>gas</b> &amp; why?</p>{~O<sub>2</sub> =CO<sub>2</sub>}\n\nThe sky is {=blue ~green} today.\n",
    "What is it?\r\nOn two lines?\r\nA. One\r\nB) Two\r\nANSWER: B\r\n\r\nNext?\r\nA. x\r\nB. y\r\nANSWER: A\r\n",
    "<?xml version=\"1.0\"?>\n<quiz><question type=\"multichoice\"><name><text>N &amp; M</text></name><questiontext format=\"html\"><text><![CDATA[<p>Which <em>gas</em>?</p><img src=\"@@PLUGINFILE@@/a.png\"/>]]></text><file name=\"a.png\" encoding=\"base64\">iVBO</file></questiontext><generalfeedback><text>&lt;p&gt;It is &amp;amp; stays.&lt;/p&gt;</text></generalfeedback><answer fraction=\"100\"><text>Carbon &lt;i&gt;dioxide&lt;/i&gt;</text><feedback><text>Yes.</text></feedback></answer><answer fraction=\"0\" format=\"plain_text\"><text><![CDATA[Oxygen]]></text></answer></question></quiz>",
    "<questestinterop><item ident=\"i1\"><presentation><material><mattext>First.</mattext><mattext texttype=\"text/html\">&lt;b&gt;Why?&lt;/b&gt;</mattext></material><response_lid><render_choice><response_label ident=\"1\"><material><mattext>One</mattext><mattext>more</mattext></material></response_label><response_label ident=\"2\"><material><mattext>Two</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal>1</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing><itemfeedback ident=\"general_fb\"><material><mattext>Since.</mattext></material></itemfeedback></item></questestinterop>",
    "<assessmentItem identifier=\"i7\"><responseDeclaration cardinality=\"single\"><correctResponse><value>B</value></correctResponse></responseDeclaration><itemBody><p>Look at <b>this</b> &amp; that.</p><ul><li>one</li></ul><choiceInteraction><prompt>Which <em>gas</em>?</prompt><simpleChoice identifier=\"A\">O<sub>2</sub><feedbackInline>No.</feedbackInline></simpleChoice><simpleChoice identifier=\"B\"><p>CO<sub>2</sub></p></simpleChoice></choiceInteraction></itemBody><modalFeedback>Since.</modalFeedback></assessmentItem>",
    "\u{feff}id,question,A,feedback A,B,C,key,explanation\r\n1,\"Why, \"\"now\"\"?\",One,So,Two,,B,Since.\r\n2, spaced ,'=1+1,,x,y,A,\r\n",
    "sep=;\nFrage;Antwort 1;Antwort 2;L\u{f6}sung\nWas?;ja; nein ;A\n\nUnd?;-5;+5;B\n",
    "question\tA\tB\tkey\nWhy?\tone\t two\tA\n",
    "题干|选项A|选项B|答案\n为什么？|一|二|A\n",
];

/// Banks that broke a promise once, as small as they still broke it.
const ONCE_BROKEN: [&str; 9] = [
    // A question without options: its stem took the line of the answer with it.
    "Q?\na. one\nb. two\nANSWER: A\n",
    "Q\nANSWER: A\n\nNext?\nA. x\nB. y\nANSWER: B\n",
    "Q\nANSWER: all\n\nNext?\nA. x\nB. y\nANSWER: B\n",
    // Comments of GIFT that are kept: no blank line, and a line of their own.
    "Stem\n//c\n//d\nmore {=a ~b}\n",
    "[html]One\n// note\ntwo {=a ~b}\n",
    "S\n//\nm\n{~a =b}\n",
    "The sky {=a ~b} rest\n// c\n// d\nmore\n\nNext {=a ~b}\n",
    // A line that is deleted.
    "One\ntwo\nthree {=a ~b}\n",
    // White space before a cell that gets quotes.
    "question\tA\tB\n\u{b}w",
];

#[test]
fn banks_that_broke_once_hold() {
    for bank in ONCE_BROKEN {
        eprintln!("{bank:?}");
        super::assert_holds("banks", bank.as_bytes());
    }
}

#[test]
fn banks_hold_whole_and_damaged() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for bank in BANKS {
        super::assert_holds("banks", bank.as_bytes());
        for _ in 0..25 {
            let bytes = damaged(bank.as_bytes(), &mut numbers);
            eprintln!("{:?}", String::from_utf8_lossy(&bytes));
            super::assert_holds("banks", &bytes);
        }
    }
}

#[test]
fn a_broken_promise_panics() {
    let overlapping = [(0..4, String::new()), (2..6, String::new())];
    let result = std::panic::catch_unwind(|| super::splice(b"abcdefgh", &overlapping));
    assert!(result.is_err());
}
