//! JSON text with long strings in it, written straight into the bytes that are sent
//! or kept: a prompt is long, and to escape it is most of the work of sending it.
//! Whoever calls decides what is in it; here it only becomes well-formed.

use std::fmt::Display;
use std::io::Write as _;

use serde_json::Value;

/// An object that is being written.
#[derive(Debug)]
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
}

/// An object as text. `length` is what is known of how long it will be.
pub(crate) fn object(length: usize, fill: impl FnOnce(&mut Object<'_>)) -> Vec<u8> {
    // Line breaks and quotation marks take two bytes each.
    let mut out = Vec::with_capacity(length + length / 8 + 512);
    write_object(&mut out, fill);
    out
}

impl Object<'_> {
    /// Words.
    pub(crate) fn string(&mut self, name: &'static str, words: &str) {
        write_string(self.value_of(name), words);
    }

    /// A number, `true` or `false`.
    pub(crate) fn plain(&mut self, name: &'static str, value: impl Display) {
        // Writing into memory does not fail.
        let _ = write!(self.value_of(name), "{value}");
    }

    /// The same, where there is one.
    pub(crate) fn plain_if(&mut self, name: &'static str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.plain(name, value);
        }
    }

    /// Anything.
    pub(crate) fn value(&mut self, name: &'static str, value: &Value) {
        write_value(self.value_of(name), value);
    }

    /// Something that is JSON already.
    pub(crate) fn json(&mut self, name: &'static str, json: &str) {
        self.value_of(name).extend_from_slice(json.as_bytes());
    }

    /// An object in it.
    pub(crate) fn object(&mut self, name: &'static str, fill: impl FnOnce(&mut Object<'_>)) {
        write_object(self.value_of(name), fill);
    }

    /// A list of objects, one for each of these.
    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(&mut Object<'_>, T),
    ) {
        let out = self.value_of(name);
        out.push(b'[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_object(out, |object| fill(object, item));
        }
        out.push(b']');
    }

    fn value_of(&mut self, name: &'static str) -> &mut Vec<u8> {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(b',');
        }
        write_string(self.out, name);
        self.out.push(b':');
        self.out
    }
}

fn write_object(out: &mut Vec<u8>, fill: impl FnOnce(&mut Object<'_>)) {
    out.push(b'{');
    fill(&mut Object {
        out,
        is_empty: true,
    });
    out.push(b'}');
}

fn write_value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::String(words) => write_string(out, words),
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_value(out, item);
            }
            out.push(b']');
        }
        Value::Object(map) => {
            out.push(b'{');
            for (index, (name, item)) in map.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_string(out, name);
                out.push(b':');
                write_value(out, item);
            }
            out.push(b'}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            let _ = write!(out, "{value}");
        }
    }
}

fn write_string(out: &mut Vec<u8>, words: &str) {
    out.push(b'"');
    let mut rest = words.as_bytes();
    while let Some(at) = first_special(rest) {
        let (plain, behind) = rest.split_at(at);
        out.extend_from_slice(plain);
        let Some((special, behind)) = behind.split_first() else {
            break;
        };
        match special {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            other => {
                let _ = write!(out, "\\u{other:04x}");
            }
        }
        rest = behind;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Where the first byte stands that JSON does not take as it is. Eight are looked
/// at in one go.
pub(crate) fn first_special(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES * 0x80;
    // The lowest byte that is marked is one that is smaller; those above it may be
    // marked for nothing.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGH;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (index, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let marked = below(word, 0x20)
            | below(word ^ (ONES * u64::from(b'"')), 1)
            | below(word ^ (ONES * u64::from(b'\\')), 1);
        if marked != 0 {
            return Some(index * 8 + marked.trailing_zeros() as usize / 8);
        }
    }
    let at = rest
        .iter()
        .position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\'));
    at.map(|at| chunks.len() * 8 + at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_is_what_was_put_into_it() {
        let text = object(0, |body| {
            body.string("model", "a \"b\"\\\n\u{1}é");
            body.plain("most", 3);
            body.plain("share", 0.7f32);
            body.plain_if("none", None::<u8>);
            body.plain_if("some", Some(true));
            body.json("schema", "{\"x\":[1]}");
            body.object("empty", |_| {});
            body.list("none_of_them", [0; 0], |_, _: i32| {});
            body.list("list", ["p", "q"], |item, name| item.string("name", name));
            let any = json!({"\"": [null, true, -1.5, [], {}], "é\n": {"x": "y"}});
            body.value("any", &any);
        });
        let read: Value = serde_json::from_slice(&text).unwrap();
        let expected = json!({
            "model": "a \"b\"\\\n\u{1}é", "most": 3, "share": 0.7, "some": true,
            "schema": {"x": [1]}, "empty": {}, "none_of_them": [],
            "list": [{"name": "p"}, {"name": "q"}],
            "any": {"\"": [null, true, -1.5, [], {}], "é\n": {"x": "y"}},
        });
        assert_eq!(read, expected);
    }

    proptest! {
        #[test]
        fn words_are_escaped_as_everywhere(words in "([a-z]{0,20}|[\"\\\\\n\r\t\u{0}-\u{1f}\u{7f}\u{80}é語🙂 ]){0,12}") {
            let mut out = Vec::new();
            write_string(&mut out, &words);
            let read: String = serde_json::from_slice(&out).unwrap();
            prop_assert_eq!(&read, &words);
            let plain = first_special(words.as_bytes()).map_or(words.len(), |at| at);
            let is_plain = |byte: &u8| *byte >= 0x20 && *byte != b'"' && *byte != b'\\';
            prop_assert!(words.as_bytes()[..plain].iter().all(is_plain));
        }
    }
}
