//! Parses server-sent events: bytes in, the data of each event out. Does not interpret the data,
//! except that an event may be named an error.

/// A stream's remaining bytes that do not form an event yet.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    event: Event,
}

/// The event that is being received.
#[derive(Debug, Default)]
struct Event {
    data: Vec<u8>,
    is_error: bool,
}

/// The data of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data<'a> {
    Usual(&'a [u8]),
    /// An error by its name, whatever the data is.
    Error(&'a [u8]),
}

impl Events {
    /// Adds bytes and passes on the data of every event that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Data<'_>)) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.event.take_line(line, &mut each);
            } else {
                self.line.extend_from_slice(line);
                self.event.take_line(&self.line, &mut each);
                self.line.clear();
            }
        }
        self.line.extend_from_slice(rest);
    }

    /// Ends the stream: the rest is an event without its closing line.
    pub(super) fn finish(&mut self, mut each: impl FnMut(Data<'_>)) {
        let line = std::mem::take(&mut self.line);
        self.event.take_line(&line, &mut each);
        self.event.take_line(b"", &mut each);
    }
}

impl Event {
    fn take_line(&mut self, line: &[u8], each: &mut impl FnMut(Data<'_>)) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            if self.is_error {
                each(Data::Error(&self.data));
            } else if !self.data.is_empty() {
                each(Data::Usual(&self.data));
            }
            self.data.clear();
            self.is_error = false;
            return;
        }
        // Comments only keep a connection alive. The only event name that matters is `error`;
        // others are repeated in the data. llama.cpp sends errors in a field of that name.
        if let Some(name) = line.strip_prefix(b"event:") {
            self.is_error |= name.trim_ascii() == b"error";
        } else if let Some(value) = line.strip_prefix(b"data:") {
            self.add(value);
        } else if let Some(value) = line.strip_prefix(b"error:") {
            self.is_error = true;
            self.add(value);
        }
    }

    fn add(&mut self, value: &[u8]) {
        if !self.data.is_empty() {
            self.data.push(b'\n');
        }
        self.data
            .extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<String> {
        let mut found = Vec::new();
        let mut events = Events::default();
        let mut keep = |data: Data<'_>| {
            let (mark, data) = match data {
                Data::Usual(data) => ("", data),
                Data::Error(data) => ("error ", data),
            };
            found.push(format!("{mark}{}", String::from_utf8_lossy(data)));
        };
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
            ("event: error\ndata: a\n\ndata: b\n\n", vec!["error a", "b"]),
            ("event: error\n\n", vec!["error "]),
            ("error: {\"a\"}\n\n", vec!["error {\"a\"}"]),
        ] {
            assert_eq!(events(&[stream.as_bytes()]), expected, "{stream:?}");
        }
    }

    proptest! {
        #[test]
        fn where_the_network_cuts_does_not_matter(
            stream in "(data: [a-zé]{0,5}|: c|event: e|event: error|error: x|)(\n|\r\n|\n\n){0,3}(data:x\n\n)?",
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = stream.as_bytes();
            let (left, right) = bytes.split_at(cut.index(bytes.len() + 1));
            prop_assert_eq!(events(&[left, right]), events(&[bytes]));
        }
    }
}
