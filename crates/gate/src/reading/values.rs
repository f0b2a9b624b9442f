//! Values one after the other, such as the items of a bank: JSON, or questions of
//! another format. Only their places are kept: a value is read again when it is asked
//! for, so that a bank of a hundred thousand items never lies in memory as a tree.

use std::ops::Range;
use std::sync::Arc;

use crate::field_map::FieldMap;
use redraft_banks::Bank;
use redraft_text::json::{self, Json};

/// Values in a text.
#[derive(Clone, Debug)]
pub struct Values {
    text: Arc<str>,
    ranges: Vec<Range<usize>>,
    /// Where they are questions of another format than JSON.
    bank: Option<Arc<Bank>>,
    /// Where they are JSON of a user's own shape.
    map: Option<Arc<FieldMap>>,
}

impl Values {
    /// The values in these ranges of a text.
    pub(super) fn new(text: &Arc<str>, ranges: Vec<Range<usize>>) -> Self {
        Self {
            text: Arc::clone(text),
            ranges,
            bank: None,
            map: None,
        }
    }

    /// The questions of a bank, as far as they have a choice.
    pub(super) fn questions(text: &Arc<str>, ranges: Vec<Range<usize>>, bank: Bank) -> Self {
        Self {
            text: Arc::clone(text),
            ranges,
            bank: Some(Arc::new(bank)),
            map: None,
        }
    }

    /// The same values under our names; one that does not fit stays as it is.
    pub(super) fn mapped(self, map: &Arc<FieldMap>) -> Self {
        Self {
            map: Some(Arc::clone(map)),
            ..self
        }
    }

    /// The bank that they are questions of, where it is not JSON.
    #[must_use]
    pub fn bank(&self) -> Option<&Bank> {
        self.bank.as_deref()
    }

    /// The values, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = Json> {
        self.ranges.iter().map(|range| match &self.bank {
            Some(bank) => bank.read(&self.text, range),
            None => {
                let value = json::scan(&self.text, range.clone());
                let mapped = self.map.as_ref().and_then(|map| map.apply(&value).ok());
                mapped.unwrap_or(value)
            }
        })
    }

    /// The first value.
    #[must_use]
    pub fn first(&self) -> Option<Json> {
        self.iter().next()
    }
}

/// From this size on a list is read value by value.
const LARGE: usize = 1 << 20;

/// The places of the objects in a large list that begins at `at` and is written as
/// JSON wants it; `None` for anything else, which is for the tolerant scanner to
/// read as a whole.
pub(super) fn of_large_list(text: &str, at: usize) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    if text.len() - at < LARGE || bytes.get(at) != Some(&b'[') {
        return None;
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let (mut depth, mut start, mut here) = (0_usize, at + 1, at + 1);
    loop {
        match bytes.get(here)? {
            b'"' => here = behind_string(bytes, here)?,
            b'{' | b'[' => {
                depth += 1;
                here += 1;
            }
            byte @ (b',' | b']') if depth == 0 => {
                ranges.push(object(text, start..here)?);
                here += 1;
                start = here;
                if *byte == b']' {
                    break;
                }
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                here += 1;
            }
            _ => here += 1,
        }
    }
    text.get(here..)?.trim().is_empty().then_some(ranges)
}

/// After the string that begins at an offset.
fn behind_string(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut here = quote + 1;
    loop {
        match bytes.get(here)? {
            b'"' => return Some(here + 1),
            b'\\' => here += 2,
            _ => here += 1,
        }
    }
}

/// The extent of the object that is all of a range but white space.
fn object(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let inner = part.trim();
    if !inner.starts_with('{') || !inner.ends_with('}') {
        return None;
    }
    let start = range.start + (part.len() - part.trim_start().len());
    Some(start..start + inner.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn large(item: &str) -> String {
        let item = format!("{item},\n");
        let items = item.repeat(LARGE / item.len() + 1);
        format!("[{}]\n", items.trim_end().trim_end_matches(','))
    }

    #[test]
    fn a_large_list_of_objects_is_cut_where_its_objects_end() {
        let text = large(r#"{"stem": "a ] \" } b", "options": [{"x": [1]}, {}]}"#);
        let ranges = of_large_list(&text, 0).unwrap();
        assert!(ranges.len() > 1_000);
        for range in &ranges {
            assert!(text[range.clone()].starts_with(r#"{"stem""#));
            assert!(text[range.clone()].ends_with("{}]}"));
        }
    }

    #[test]
    fn anything_else_is_left_to_the_tolerant_scanner() {
        let sound = large(r#"{"stem": "a"}"#);
        for text in [
            r#"[{"stem": "small"}]"#.to_owned(),
            sound.trim_end().trim_end_matches(']').to_owned(),
            sound.replacen(r#"{"stem": "a"}"#, "1", 1),
            sound.replacen(r#""a""#, r#""a"#, 1),
            format!("{sound} and more"),
            sound.replacen("},", "}} ,", 1),
            "[".repeat(LARGE),
            format!("[\"{}", "\\".repeat(LARGE)),
        ] {
            assert_eq!(of_large_list(&text, 0), None);
        }
    }
}
