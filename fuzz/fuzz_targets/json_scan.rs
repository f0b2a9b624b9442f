//! See `crates/promises/src/json_scan.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| redraft_promises::assert_holds("json_scan", bytes));
