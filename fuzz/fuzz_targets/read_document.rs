//! See `crates/promises/src/read_document.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| redraft_promises::assert_holds("read_document", bytes));
