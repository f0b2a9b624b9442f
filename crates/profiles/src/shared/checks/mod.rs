//! The shared checks, one a file. The macro declares the modules and the
//! registry in one list, so that a file cannot be forgotten in either.

use redraft_core::check::Check;

macro_rules! checks {
    ($($module:ident)*) => {
        $(mod $module;)*
        /// The shared checks, by code.
        pub static CHECKS: &[&Check] = &[$(&$module::CHECK),*];
        /// The names of their modules, which are also the names of the checks.
        pub const MODULES: &[&str] = &[$(stringify!($module)),*];
    };
}

checks! {
    truncated_content
    empty_section
    placeholder_text
    chatbot_framing
    leaked_reasoning
    unclosed_emphasis
    unclosed_fence
    broken_link
    malformed_list
    repeated_text
    wrong_encoding
    control_character
    wrapped_output
    malformed_json
    duplicate_key
    invalid_escape
    eaten_escape
    unexpected_type
    excessive_nesting
    faulty_ignore
    invalid_mermaid
}
