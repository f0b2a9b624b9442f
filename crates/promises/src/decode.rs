//! Any bytes through the decoder: offsets lead back into the file in order, and
//! the conversion to UTF-8 gives the text that was read.

use crate::splice;
use redraft_text::encoding::{Encoding, decode, reencode_edits};

pub(crate) fn holds(bytes: &[u8]) {
    let decoded = decode(bytes);
    if decoded.encoding == Encoding::Binary {
        assert!(decoded.text.is_empty());
        return;
    }
    for bad in &decoded.bad {
        assert!(bytes.get(bad.file_range.clone()).is_some(), "{bad:?}");
        assert_eq!(
            decoded.text.get(bad.text_range.clone()),
            Some("\u{fffd}"),
            "{bad:?}"
        );
    }
    if let Some(map) = &decoded.map {
        let mut before = 0;
        for (at, _) in decoded.text.char_indices() {
            let file = map.to_file(at);
            assert!(
                before <= file && file <= bytes.len(),
                "{at} leads to {file}"
            );
            before = file;
        }
        assert_eq!(map.to_file(decoded.text.len()), bytes.len());
    }
    let converted = splice(bytes, &reencode_edits(&decoded, bytes));
    assert_eq!(converted, decoded.text.as_bytes());
}
