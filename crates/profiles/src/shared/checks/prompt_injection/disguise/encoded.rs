//! Runs of letters and figures that are a text in base64 or hexadecimal.

use std::ops::Range;

use super::{Disguise, View};

/// Shorter runs are words.
const SHORTEST_RUN: usize = 20;

/// The texts that long runs of letters and figures stand for.
pub(super) fn encoded(text: &str) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = run_end(bytes, at);
        if run - at >= SHORTEST_RUN {
            let end = joined_lines(bytes, at, run);
            views.extend(decoded(bytes, at..end));
            at = end;
        }
        at = run.max(at) + 1;
    }
    views
}

fn run_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let is_part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
    };
    at + rest
        .iter()
        .position(|byte| !is_part(byte))
        .unwrap_or(rest.len())
}

/// The end of a run that goes on in the next lines.
fn joined_lines(bytes: &[u8], start: usize, end: usize) -> usize {
    const LINE: usize = 40;
    let (mut line, mut end) = (start, end);
    while end - line >= LINE && bytes.get(end) == Some(&b'\n') {
        let next = run_end(bytes, end + 1);
        if next == end + 1 {
            break;
        }
        (line, end) = (end + 1, next);
    }
    end
}

fn decoded(bytes: &[u8], range: Range<usize>) -> Option<View> {
    let run = bytes.get(range.clone())?;
    let (disguise, decoded) = if run.iter().all(u8::is_ascii_hexdigit) {
        (Disguise::Hexadecimal, hexadecimal(run))
    } else {
        (Disguise::Base64, base64(run))
    };
    // Words are text from their first bytes on; hashes and pictures are not.
    let text = String::from_utf8_lossy(&decoded);
    let odd = |c: char| c == '\u{fffd}' || c.is_control() && !c.is_whitespace();
    let shown = text.chars().filter(|c| !odd(*c)).count();
    if text.chars().count() > shown + shown / 8 {
        return None;
    }
    Some(View::whole(disguise, text.into_owned(), range))
}

fn hexadecimal(run: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    run.chunks_exact(2)
        .filter_map(|pair| Some(digit(pair[0])? * 16 + digit(pair[1])?))
        .collect()
}

fn base64(run: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(run.len() * 3 / 4);
    let (mut bits, mut held) = (0u32, 0);
    for byte in run {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = ((bits << 6) | u32::from(value)) & 0x00ff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.extend(u8::try_from((bits >> held) & 0xff));
        }
    }
    decoded
}
