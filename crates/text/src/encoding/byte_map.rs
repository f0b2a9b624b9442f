//! The way back from offsets of a decoded text to offsets of its file. It knows
//! lengths only, not what the bytes mean.

/// Leads from offsets of a decoded text back to offsets of its file.
#[derive(Clone, Debug, Default)]
pub struct ByteMap {
    pub(super) runs: Vec<Run>,
    pub(super) text_len: usize,
    pub(super) file_len: usize,
}

/// A run of units (a character, or bytes copied as they are) that all have the
/// same length in the text and the same length in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) text: usize,
    pub(super) file: usize,
    pub(super) text_step: u8,
    pub(super) file_step: u8,
    pub(super) kind: RunKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunKind {
    /// The bytes of text and file are identical.
    Copied,
    Converted,
}

impl ByteMap {
    /// The offset in the file of the character at `text_offset`. An offset
    /// inside a converted character gives that character's start, an offset
    /// past the end the end of the file.
    pub fn to_file(&self, text_offset: usize) -> usize {
        if text_offset >= self.text_len {
            return self.file_len;
        }
        let after = self.runs.partition_point(|run| run.text <= text_offset);
        let Some(run) = after.checked_sub(1).and_then(|index| self.runs.get(index)) else {
            return text_offset;
        };
        let units = (text_offset - run.text) / usize::from(run.text_step.max(1));
        run.file + units * usize::from(run.file_step)
    }

    pub(super) fn end_of(&self, index: usize) -> (usize, usize) {
        self.runs
            .get(index + 1)
            .map_or((self.text_len, self.file_len), |next| {
                (next.text, next.file)
            })
    }

    pub(super) fn push(&mut self, text_step: usize, file_step: usize, kind: RunKind) {
        self.push_run(text_step, file_step, 1, kind);
    }

    pub(super) fn push_run(
        &mut self,
        text_step: usize,
        file_step: usize,
        units: usize,
        kind: RunKind,
    ) {
        if units == 0 {
            return;
        }
        // Steps are lengths of one character, so they always fit.
        let steps = (text_step as u8, file_step as u8);
        let continues = self
            .runs
            .last()
            .is_some_and(|last| (last.text_step, last.file_step) == steps && last.kind == kind);
        if !continues {
            self.runs.push(Run {
                text: self.text_len,
                file: self.file_len,
                text_step: steps.0,
                file_step: steps.1,
                kind,
            });
        }
        self.text_len += text_step * units;
        self.file_len += file_step * units;
    }
}
