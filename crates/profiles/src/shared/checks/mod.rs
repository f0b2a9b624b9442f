//! The shared checks, one per file.

use redraft_gate::check::Check;

use crate::check_list::checks;
use crate::examples::Beside;

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
    empty_document
    merge_conflict
    escaped_newlines
    unclosed_mathematics
    active_content
    bidi_control
    unread_file
    citation_not_found
    wrong_encoding
    control_character
    wrapped_output
    malformed_json
    malformed_bank
    unchecked_question
    duplicate_key
    invalid_escape
    unexpected_type
    excessive_nesting
    faulty_ignore
    eaten_escape
    wrong_language
    foreign_script
    hybrid_script_word
    prompt_injection
    invalid_mermaid
    long_sentences
    dense_text
    long_words
    copied_from_source
}

/// What the examples of the checks about sources come with.
pub(crate) fn beside_examples(check: &Check) -> Option<Beside> {
    let sources = match check.name {
        "citation-not-found" => {
            r#"[{"document_name": "Physics, volume 1", "page_or_section": 12, "content": "A lever turns about its fulcrum."}]"#
        }
        "copied-from-source" => {
            r#"[{"document_name": "Physics", "content": "A lever is a rigid bar that turns about a fixed point, and with it a small force that acts far from that point can lift a heavy load that rests close to it."}]"#
        }
        _ => return None,
    };
    Some(Beside {
        sources: Some(sources),
        ..Beside::default()
    })
}
