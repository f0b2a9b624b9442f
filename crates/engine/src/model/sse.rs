//! Server-sent events: bytes in, the data of each event out. Knows nothing of what
//! the data means.

/// The rest of a stream that is not yet a whole event.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
}

impl Events {
    /// Takes some bytes and passes on the data of every event that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                take_line(&mut self.data, line, &mut each);
            } else {
                self.line.extend_from_slice(line);
                take_line(&mut self.data, &self.line, &mut each);
                self.line.clear();
            }
        }
        self.line.extend_from_slice(rest);
    }

    /// The stream is over: what is left is an event without its closing line.
    pub(super) fn finish(&mut self, mut each: impl FnMut(&[u8])) {
        let line = std::mem::take(&mut self.line);
        take_line(&mut self.data, &line, &mut each);
        take_line(&mut self.data, b"", &mut each);
    }
}

fn take_line(data: &mut Vec<u8>, line: &[u8], each: &mut impl FnMut(&[u8])) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        if !data.is_empty() {
            each(data);
            data.clear();
        }
        return;
    }
    // Comments only keep a connection alive; event names are repeated in the data.
    if let Some(value) = line.strip_prefix(b"data:") {
        if !data.is_empty() {
            data.push(b'\n');
        }
        data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<String> {
        let mut found = Vec::new();
        let mut events = Events::default();
        let mut keep = |data: &[u8]| found.push(String::from_utf8_lossy(data).into_owned());
        for chunk in chunks {
            events.feed(chunk, &mut keep);
        }
        events.finish(&mut keep);
        found
    }

    #[test]
    fn events_are_found_in_every_form() {
        for (stream, expected) in [
            ("data: a\n\ndata: b\n\n", vec!["a", "b"]),
            ("event: x\r\ndata: a\r\n\r\n", vec!["a"]),
            (": ping\n\ndata:a\ndata: b\n\n", vec!["a\nb"]),
            ("data: unclosed", vec!["unclosed"]),
            ("", vec![]),
            ("\n\n\n", vec![]),
        ] {
            assert_eq!(events(&[stream.as_bytes()]), expected, "{stream:?}");
        }
    }

    proptest! {
        #[test]
        fn where_the_network_cuts_does_not_matter(
            stream in "(data: [a-zé]{0,5}|: c|event: e|)(\n|\r\n|\n\n){0,3}(data:x\n\n)?",
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = stream.as_bytes();
            let (left, right) = bytes.split_at(cut.index(bytes.len() + 1));
            prop_assert_eq!(events(&[left, right]), events(&[bytes]));
        }
    }
}
