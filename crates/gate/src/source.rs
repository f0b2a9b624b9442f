//! The bytes of a file and the text they mean.
//!
//! For UTF-8, which is nearly every file, the two have the same offsets. For the
//! others a map leads from the text back to the bytes, so that a finding points
//! at the file as it lies on the disk. What the text *says* is no business of
//! this module.

use std::ops::Range;
use std::sync::Arc;

use redraft_text::encoding::{self, BadBytes, ByteMap, Encoding};

use crate::span::{Span, Version};

/// One version of a file: its bytes and its text.
#[derive(Clone, Debug)]
pub struct Source {
    bytes: Arc<[u8]>,
    text: Arc<str>,
    encoding: Encoding,
    map: Option<Arc<ByteMap>>,
    bad: Arc<[BadBytes]>,
    version: Version,
}

impl Source {
    /// Decodes the bytes of a file.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        let decoded = encoding::decode(&bytes);
        let version = Version::of(&bytes);
        // The text of a file in UTF-8 is its bytes, so one copy serves both.
        let is_text = decoded.map.is_none() && decoded.text.as_bytes() == bytes;
        let (bytes, text): (Arc<[u8]>, Arc<str>) = if is_text {
            drop(bytes);
            let text: Arc<str> = decoded.text.into();
            (Arc::from(Arc::clone(&text)), text)
        } else {
            (bytes.into(), decoded.text.into())
        };
        Self {
            version,
            bytes,
            text,
            encoding: decoded.encoding,
            map: decoded.map.map(Arc::new),
            bad: decoded.bad.into(),
        }
    }

    /// The file, byte for byte as it was read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, to be shared without a copy.
    #[must_use]
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// How the text was encoded.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Byte sequences that mean nothing in the file's encoding.
    #[must_use]
    pub fn bad_bytes(&self) -> &[BadBytes] {
        &self.bad
    }

    /// The version of these bytes.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// Whether text can be written into the file as it is. In a file that is not
    /// UTF-8 an edit computed on the text would write the wrong bytes.
    #[must_use]
    pub fn takes_text(&self) -> bool {
        matches!(self.encoding, Encoding::Utf8 | Encoding::Utf8WithBom)
    }

    /// The span in the file of a range of the text.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        let range = self.map.as_ref().map_or(range.clone(), |map| {
            map.to_file(range.start)..map.to_file(range.end)
        });
        self.file_span(range)
    }

    /// A span of this version from file offsets.
    #[must_use]
    pub fn file_span(&self, range: Range<usize>) -> Span {
        Span {
            start: range.start,
            end: range.end,
            version: self.version,
        }
    }

    /// The range of the text at which a span of the file stands.
    #[must_use]
    pub fn text_range(&self, span: Span) -> Range<usize> {
        match &self.map {
            None => span.range(),
            Some(map) => self.text_offset(map, span.start)..self.text_offset(map, span.end),
        }
    }

    /// The map is monotonic, so its inverse is a binary search.
    fn text_offset(&self, map: &ByteMap, file_offset: usize) -> usize {
        let (mut low, mut high) = (0, self.text.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if map.to_file(middle) < file_offset {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        while !self.text.is_char_boundary(low) {
            low += 1;
        }
        low
    }
}
