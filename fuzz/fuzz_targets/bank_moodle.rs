//! See `crates/promises/src/banks.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| redraft_promises::assert_holds("bank_moodle", bytes));
