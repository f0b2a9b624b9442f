//! See `crates/promises/src/markdown_analyse.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| redraft_promises::assert_holds("markdown_analyse", bytes));
