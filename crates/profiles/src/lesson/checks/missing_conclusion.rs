//! `missing-conclusion`: the lesson has no conclusion.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES003",
    name: "missing-conclusion",
    severity: Severity::Info,
    summary: "the lesson has no conclusion",
    what: "Reports a lesson with several sections that simply stops. What counts as a conclusion: a section with such a name, a heading in the second half of the lesson (summary, review, next steps), or prose at its end that looks back or says what comes next, in English, Russian, German, Spanish, French, Portuguese and Chinese. It is an error if the specification lists a conclusion or the policy requires one. Otherwise it is info: one in four of the published lessons measured has no conclusion of any kind.",
    why: "Learners remember best what comes last; a summary helps them to remember the lesson.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\nWhy does a kettle whistle?\n\n## Heat\n\nHeat makes water boil.\n\n## Steam\n\nSteam is water in the air.\n",
            passes: "# Water\n\nWhy does a kettle whistle?\n\n## Heat\n\nHeat makes water boil.\n\n## Steam\n\nSteam is water in the air. Now you know why a kettle whistles.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: "{\"intro\": \"Why?\", \"sections\": [{\"title\": \"Heat\", \"content\": \"Heat makes water boil.\"}, {\"title\": \"Steam\", \"content\": \"Steam is water in the air.\"}]}",
            passes: "{\"intro\": \"Why?\", \"sections\": [{\"title\": \"Heat\", \"content\": \"Heat makes water boil.\"}, {\"title\": \"Steam\", \"content\": \"Steam is water in the air.\"}], \"summary\": [\"Heat makes steam.\"]}",
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "required",
        what: "1 if every lesson must have a conclusion",
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    structure::CONCLUSION.expect(examination, sink);
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Error, Info};

    use crate::lesson::checks::testing::hold;

    #[test]
    fn it_is_an_error_only_where_it_is_required() {
        hold(
            &super::CHECK,
            &[
                ("# T\n\n## Heat\n\na\n\n## Ice\n\nb\n", None, &[Info]),
                (
                    "# T\n\n## Heat\n\na\n\n## Ice\n\nb\n",
                    Some(r#"{"title": "T", "sections": ["Heat"]}"#),
                    &[Info],
                ),
                (
                    "# T\n\n## Heat\n\na\n\n## Ice\n\nb\n",
                    Some(r#"{"title": "T", "sections": ["Heat", "Summary"]}"#),
                    &[Error],
                ),
                (
                    "# T\n\n## 水\n\n水。\n\n## 冰\n\n冰。\n",
                    Some(r#"{"title": "T", "sections": ["总结"]}"#),
                    &[Error],
                ),
                (
                    "# T\n\n## Heat\n\na\n\n## Ice\n\nIn this lesson we saw ice.\n",
                    Some(r#"{"title": "T", "sections": ["Summary"]}"#),
                    &[],
                ),
                ("Only a paragraph.\n", None, &[]),
            ],
        );
    }
}
