//! The short form of fuzzing: the documented examples of all checks, each whole, cut
//! off and with a few bytes changed, always the same ones.

use redraft_gate::check::Example;
use redraft_profiles::registry;

use super::PROMISES;
use super::bank_examples::BANKS;

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

/// The promises of all formats of banks: what is written as one is read as the others, too.
fn assert_bank_holds(bytes: &[u8]) {
    eprintln!("{:?}", String::from_utf8_lossy(bytes));
    let of_banks = PROMISES
        .iter()
        .filter(|(name, _)| name.starts_with("bank_"));
    for (_, holds) in of_banks {
        holds(bytes);
    }
}

#[test]
fn banks_that_broke_once_hold() {
    for bank in ONCE_BROKEN {
        assert_bank_holds(bank.as_bytes());
    }
}

#[test]
fn banks_hold_whole_and_damaged() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for (_, bank) in BANKS {
        assert_bank_holds(bank.as_bytes());
        for _ in 0..25 {
            assert_bank_holds(&damaged(bank.as_bytes(), &mut numbers));
        }
    }
}

#[test]
fn a_broken_promise_panics() {
    let overlapping = [(0..4, String::new()), (2..6, String::new())];
    let result = std::panic::catch_unwind(|| super::splice(b"abcdefgh", &overlapping));
    assert!(result.is_err());
}
