//! See `crates/promises/src/decode.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| redraft_promises::assert_holds("decode", bytes));
