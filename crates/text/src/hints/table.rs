//! Many words at once, for a mere yes or no: the automaton of Aho and Corasick as
//! a table with a row for every state, which takes a handful of instructions a
//! byte. It knows bytes only.

use std::collections::VecDeque;

/// A table of states. A state is named by where its row begins.
#[derive(Debug)]
pub(super) struct Table {
    /// The column of each byte; bytes that are in no word share the first.
    columns: [u8; 256],
    next: Vec<u32>,
    /// The state in which a word has been read; it is never left.
    found: u32,
    /// Whether nothing at all is one of the words.
    is_always: bool,
}

/// Marks the state in which a word has been read, until it has a row.
const FOUND: u32 = u32::MAX;

impl Table {
    pub(super) fn new(words: &[String]) -> Self {
        let mut columns = [0u8; 256];
        let mut width = 1;
        for byte in words.iter().flat_map(|word| word.bytes()) {
            let column = &mut columns[usize::from(byte)];
            if *column == 0 {
                // No UTF-8 has all 256 bytes, so there are columns enough.
                *column = u8::try_from(width).unwrap_or(u8::MAX);
                width += 1;
            }
        }
        // The words as a tree of states; 0 is both the root and "none".
        let mut next = vec![0; width];
        for word in words {
            let mut state = 0;
            for byte in word.bytes() {
                let slot = state + usize::from(columns[usize::from(byte)]);
                if next[slot] == FOUND {
                    // A shorter word is found before it.
                    break;
                }
                if next[slot] == 0 {
                    next[slot] = u32::try_from(next.len()).unwrap_or(FOUND);
                    next.resize(next.len() + width, 0);
                }
                state = next[slot] as usize;
            }
            mark_found(&mut next, &columns, word);
        }
        complete(&mut next, width);
        let found = u32::try_from(next.len()).unwrap_or(FOUND);
        for state in next.iter_mut().filter(|state| **state == FOUND) {
            *state = found;
        }
        next.resize(next.len() + width, found);
        Self {
            columns,
            next,
            found,
            is_always: words.iter().any(String::is_empty),
        }
    }

    /// Whether any of the words is in a text.
    pub(super) fn any_in(&self, text: &str) -> bool {
        /// So many bytes are read between two looks at the state.
        const STRIDE: usize = 16;
        let mut state = 0;
        let mut read = |bytes: &[u8]| {
            for byte in bytes {
                let slot = state as usize + usize::from(self.columns[usize::from(*byte)]);
                state = self.next.get(slot).copied().unwrap_or(self.found);
            }
            state == self.found
        };
        let (strides, rest) = text.as_bytes().as_chunks::<STRIDE>();
        if strides.iter().any(|stride| read(stride)) || read(rest) {
            return true;
        }
        self.is_always
    }
}

/// Lets the last step of a word lead to [`FOUND`].
fn mark_found(next: &mut [u32], columns: &[u8; 256], word: &str) {
    let mut state = 0;
    let mut last = None;
    for byte in word.bytes() {
        let slot = state + usize::from(columns[usize::from(byte)]);
        last = Some(slot);
        if next[slot] == FOUND {
            return;
        }
        state = next[slot] as usize;
    }
    if let Some(slot) = last {
        next[slot] = FOUND;
    }
}

/// Fills the gaps of the tree: where no word goes on, the longest end of what was
/// read that begins a word does.
fn complete(next: &mut [u32], width: usize) {
    let mut falls_back = vec![0; next.len() / width];
    let mut queue: VecDeque<usize> = (0..width)
        .map(|column| next[column])
        .filter(|&state| state != 0 && state != FOUND)
        .map(|state| state as usize)
        .collect();
    while let Some(state) = queue.pop_front() {
        let fallback: usize = falls_back[state / width];
        for column in 0..width {
            let below = next[fallback + column];
            let here = next[state + column];
            if here == 0 || below == FOUND {
                next[state + column] = below;
            } else if here != FOUND {
                falls_back[here as usize / width] = below as usize;
                queue.push_back(here as usize);
            }
        }
    }
}
