//! The shared checks, one per file.

use crate::check_list::checks;

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
    refusal
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
    wrong_language
    foreign_script
    hybrid_script_word
    prompt_injection
    invalid_mermaid
    long_sentences
    dense_text
    long_words
}
