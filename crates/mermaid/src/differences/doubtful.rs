//! Rejections of the library that are no more than a hint.

use super::super::parser::Rejection;

/// Rejections of the library that mermaid does not share often enough to call the
/// diagram invalid: these kinds are read by mermaid more loosely.
pub(crate) fn is_doubtful(text: &str, rejection: &Rejection) -> bool {
    let says = |words: &str| rejection.words.contains(words);
    match rejection.kind.as_str() {
        "mindmap" => says("unterminated"),
        "gantt" => says("section") || !says("unrecognized statement"),
        "block" => says("integer"),
        // Inside a composite state mermaid reads more than it documents.
        "stateDiagram" => {
            says("struct stop") || (says("string literal") && is_in_braces(text, rejection))
        }
        // Newer than the mermaid most readers have, or not part of it.
        "zenuml" | "agentflow" | "usecase" | "cynefin" | "railroad" | "swimlane" => true,
        _ => false,
    }
}

fn is_in_braces(text: &str, rejection: &Rejection) -> bool {
    let before = rejection
        .at
        .as_ref()
        .and_then(|at| text.get(..at.start))
        .unwrap_or_default();
    before.matches('{').count() > before.matches('}').count()
}
