//! Pure text work for redraft: everything here takes text and gives facts about
//! it, with byte offsets. No files, no clock, no randomness, no printing (see
//! `clippy.toml` beside this crate), and no knowledge of lessons, checks or
//! findings: those live in `redraft-gate`, `redraft-run` and `redraft-profiles`.

pub mod bm25;
pub mod char_set;
pub mod cut_sentences;
pub mod edit_notes;
pub mod encoding;
pub mod framing;
pub mod hints;
pub mod html_tags;
pub mod json;
pub mod language;
pub mod left_out;
pub mod letters;
pub mod light_regex;
pub mod lines;
pub mod markdown;
pub mod mathematics;
pub mod phrases;
pub mod readability;
pub mod reply;
pub mod residue;
pub mod scripts;
pub mod sentences;
pub mod stems;
pub mod text_map;
pub mod word_index;
pub mod words;
pub mod wrappers;
pub mod writing;
