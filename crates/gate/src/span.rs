//! Where something stands in a source file, and in which version of it.
//!
//! A span counts bytes of the *file*, also where the file is not UTF-8. It
//! carries the version it was measured in, so that an edit can never be applied
//! to a text it was not computed for.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The identity of one version of a document: the beginning of the SHA-256 of
/// its bytes. Equal bytes are the same version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version([u8; 8]);

impl Version {
    /// The version of a file with these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let mut head = [0; 8];
        head.copy_from_slice(&digest[..8]);
        Self(head)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Version({self})")
    }
}

impl Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Version {
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A version of a text: the first 16 digits of the SHA-256 of its bytes.",
            "type": "string",
            "pattern": "^[0-9a-f]{16}$"
        })
    }
}

/// A range of bytes in one version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; equal to `start` for a place between two bytes.
    pub end: usize,
    /// The version in which the two were counted.
    pub version: Version,
}

impl Span {
    /// The bytes as a range.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether the two share a byte, or one is an insertion point strictly
    /// inside the other or at the same place.
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        if self.start == self.end || other.start == other.end {
            self.start <= other.end && other.start <= self.end
        } else {
            self.start < other.end && other.start < self.end
        }
    }
}

/// A stable name for one part of a document: `sec_2`, `exercise_1`, `meta`, a
/// card's own id, `item_4/stem`.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ComponentId(pub String);

impl ComponentId {
    /// The whole document, and whatever cannot be placed more exactly.
    #[must_use]
    pub fn whole() -> Self {
        Self("sec_global".to_owned())
    }
}

impl fmt::Display for ComponentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for ComponentId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_are_the_same_version_and_other_bytes_are_not() {
        assert_eq!(Version::of(b"a"), Version::of(b"a"));
        assert_ne!(Version::of(b"a"), Version::of(b"b"));
        assert_eq!(Version::of(b"").to_string(), "e3b0c44298fc1c14");
    }

    #[test]
    fn spans_touch_when_they_share_a_byte_or_an_insertion_lies_on_an_edge() {
        let span = |start, end| Span {
            start,
            end,
            version: Version::of(b""),
        };
        for (a, b, expected) in [
            ((0, 2), (1, 3), true),
            ((0, 2), (2, 3), false),
            ((2, 2), (0, 2), true),
            ((2, 2), (2, 2), true),
            ((2, 2), (3, 4), false),
        ] {
            assert_eq!(
                span(a.0, a.1).touches(span(b.0, b.1)),
                expected,
                "{a:?} {b:?}"
            );
            assert_eq!(
                span(b.0, b.1).touches(span(a.0, a.1)),
                expected,
                "{b:?} {a:?}"
            );
        }
    }
}
