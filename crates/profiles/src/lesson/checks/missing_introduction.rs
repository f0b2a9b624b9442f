//! `missing-introduction`: the lesson has no introduction.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES002",
    name: "missing-introduction",
    severity: Severity::Warning,
    summary: "the lesson has no introduction",
    what: "Reports a lesson with several sections that starts with the first of them. Prose before the first section counts as an introduction, and so does a first section with such a name or purpose (goals, overview, background, “What is …?”), in English, Russian, German, Spanish, French, Portuguese and Chinese. It is an error if the specification lists an introduction or the policy requires one, otherwise a warning.",
    why: "Learners who do not know what a lesson is about, and why, cannot connect it with what they know.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\n## Heat\n\nHeat makes water boil.\n\n## Steam\n\nSteam is water in the air.\n",
            passes: "# Water\n\nWhy does a kettle whistle?\n\n## Heat\n\nHeat makes water boil.\n\n## Steam\n\nSteam is water in the air.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: "{\"sections\": [{\"title\": \"Heat\", \"content\": \"Heat makes water boil.\"}, {\"title\": \"Steam\", \"content\": \"Steam is water in the air.\"}]}",
            passes: "{\"intro\": \"Why does a kettle whistle?\", \"sections\": [{\"title\": \"Heat\", \"content\": \"Heat makes water boil.\"}, {\"title\": \"Steam\", \"content\": \"Steam is water in the air.\"}]}",
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "required",
        what: "1 if every lesson must have an introduction",
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    structure::INTRODUCTION.expect(examination, sink);
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Error, Warning};

    use crate::lesson::checks::testing::hold;

    #[test]
    fn it_is_an_error_only_where_it_is_required() {
        hold(
            &super::CHECK,
            &[
                ("# T\n\n## Heat\n\na\n\n## Ice\n\nb\n", None, &[Warning]),
                (
                    "# T\n\n## Heat\n\na\n\n## Ice\n\nb\n",
                    Some(r#"{"title": "T", "sections": ["Heat"]}"#),
                    &[Warning],
                ),
                (
                    "# T\n\n## Heat\n\na\n\n## Ice\n\nb\n",
                    Some(r#"{"title": "T", "sections": ["Introduction", "Heat"]}"#),
                    &[Error],
                ),
                (
                    "# T\n\n## Жара\n\nа\n\n## Лёд\n\nб\n",
                    Some(r#"{"title": "T", "sections": ["1. Введение"]}"#),
                    &[Error],
                ),
                (
                    "# T\n\nLead.\n\n## Heat\n\na\n",
                    Some(r#"{"title": "T", "sections": ["Introduction"]}"#),
                    &[],
                ),
                ("# T\n\n## Обзор темы\n\nа\n\n## Лёд\n\nб\n", None, &[]),
                ("Only a paragraph.\n", None, &[]),
            ],
        );
    }
}
