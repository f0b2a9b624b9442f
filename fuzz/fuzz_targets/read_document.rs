//! Any bytes across the whole desk: read with every hint, parsed by every
//! profile, examined by all its checks, fixed. The promises to the user are
//! asserted in `redraft_fuzz::desk`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use redraft_gate::reading::Hint;
use redraft_fuzz::desk::{Desk, assert_promises};
use redraft_profiles::registry::PROFILES;

const HINTS: [Hint; 4] = [Hint::None, Hint::Markdown, Hint::Json, Hint::JsonLines];

fuzz_target!(|bytes: &[u8]| {
    for hint in HINTS {
        for profile in PROFILES {
            assert_promises(&Desk::new(*profile, hint), bytes);
        }
    }
});
