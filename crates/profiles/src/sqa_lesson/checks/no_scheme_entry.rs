//! `no-scheme-entry`: no entry of the given scheme of work is this lesson's.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::model;
use crate::sqa_lesson::scheme;

pub(super) static CHECK: Check = Check {
    code: "SQA029",
    name: "no-scheme-entry",
    severity: Severity::Error,
    summary: "the scheme of work has no entry for this lesson",
    what: "With `--sow`: looks for the entry that the lesson implements, by course, order, title, lesson type and codes. If there is none, the finding names the nearest entries. Without `--sow` nothing is reported.",
    why: "Without its entry it is unknown whether a lesson does what was planned: outcomes, themes, minutes and calculator rule would all go unchecked. While it is open, no model is paid.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Reading a Map\", \"sow_order\": 9, \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: North\", \"explainer\": \"A map has a north.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"sow_order\": 1, \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"A quarter is one of four parts.\"}]}",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

/// The scheme of work beside the examples.
pub(super) const SCHEME: &str = r#"[{"order": 1, "label": "Fractions of Amounts", "lesson_type": "teach"}, {"order": 2, "label": "Speed and Distance", "lesson_type": "teach"}]"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let companions = examination.companions;
    // A template without a title says nothing that could be compared.
    if companions.scheme_of_work.is_empty()
        || template.title.is_none()
        || scheme::entry(template, companions).is_some()
    {
        return;
    }
    let nearest = scheme::nearest(template, companions, NEAREST);
    let title = template
        .title
        .as_ref()
        .map_or_else(String::new, |title| format!(" “{}”", title.value.trim()));
    let message = format!(
        "no entry of the scheme of work is for{title}; the nearest {}: {}; correct sow_order, courseId, lesson_type or the title, or give another scheme",
        if nearest.len() == 1 { "is" } else { "are" },
        nearest.join(", ")
    );
    sink.in_source(template.anchor(), message);
}

/// Entries that are named.
const NEAREST: usize = 3;

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::{findings_beside, scheme};

    use super::{CHECK, SCHEME};

    #[test]
    fn the_nearest_entries_are_named() {
        let found = |title: &str, order: i64| {
            let template = format!(
                r#"{{"title": "{title}", "sow_order": {order}, "lesson_type": "teach", "cards": []}}"#
            );
            findings_beside(&CHECK, &template, &scheme(SCHEME))
        };
        assert!(found("Fractions of Amounts", 1).is_empty());
        let missed = found("How Speed Feels on a Bus", 7);
        assert_eq!(
            missed[0].message,
            "no entry of the scheme of work is for “How Speed Feels on a Bus”; the nearest are: 2 (“Speed and Distance”), 1 (“Fractions of Amounts”); correct sow_order, courseId, lesson_type or the title, or give another scheme"
        );
        assert!(crate::sqa_lesson::testing::findings(&CHECK, r#"{"title": "A", "cards": []}"#).is_empty());
    }
}
