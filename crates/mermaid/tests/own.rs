//! Diagrams of our own, as lessons have them, with the word of mermaid 11's
//! parser on each of them. `mermaid_own.txt` holds them, each behind a line that
//! says what is expected:
//!
//! | word | mermaid | we |
//! |---|---|---|
//! | `valid` | draws it | say so |
//! | `mended` | refuses it, and draws it after our repair | are certain of the repair |
//! | `guessed` | refuses it, and draws it after our repair | only propose the repair |
//! | `invalid` | refuses it | know no repair |

use redraft_mermaid::{Certainty, Verdict, examine};

const DIAGRAMS: &str = include_str!("own.txt");

#[test]
fn our_word_is_that_of_mermaid() {
    let mut wrong = Vec::new();
    let mut number = 0;
    for case in DIAGRAMS.split("==== ").skip(1) {
        let (expected, text) = case.split_once('\n').expect("a diagram");
        number += 1;
        let examined = examine(text);
        let certainty = examined.repair.as_ref().map(|repair| repair.certainty);
        let found = match (&examined.verdict, certainty) {
            (Verdict::Valid, None) => "valid",
            (Verdict::Invalid(_), Some(Certainty::Certain)) => "mended",
            (Verdict::Invalid(_), Some(Certainty::Guess)) => "guessed",
            (Verdict::Invalid(_), None) => "invalid",
            _ => "nothing of the kind",
        };
        if found != expected {
            wrong.push(format!("{expected}, found {found}: {text}"));
        }
        if let Some(repair) = examined.repair {
            let again = examine(&repair.apply(text));
            assert_eq!(again.verdict, Verdict::Valid, "{text}");
        }
    }
    assert!(number >= 150, "{number}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
