//! `missing-conclusion`: nothing closes the lesson.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::lesson::headings::Role;
use crate::lesson::structure::{self, Part};

pub(super) static CHECK: Check = Check {
    code: "LES003",
    name: "missing-conclusion",
    severity: Severity::Info,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "nothing closes the lesson",
    what: "Reports a lesson with several sections that simply stops. A section named so closes it, a heading in its second half that says so (summary, review, next steps), or prose at its end that looks back or sends the learner on, in English, Russian, German, Spanish, French, Portuguese and Chinese. It is an error where the specification lists a conclusion or the policy demands one. Otherwise it is only a remark: of the published lessons that this was measured on one in four has no conclusion of any kind.",
    why: "What is said last is remembered best; a lesson that gathers what was learned is learned better.",
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
        what: "1 where every lesson must have a conclusion",
    }],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let part = Part {
        role: Role::Conclusion,
        is_there: structure::closes,
        message: "nothing closes the lesson: no summary, and no look back at its end",
    };
    structure::expect(examination, sink, &part);
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Error, Info};

    use crate::lesson::checks::testing::hold;

    #[test]
    fn it_is_an_error_only_where_it_is_demanded() {
        hold(&super::CHECK, &[
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
        ]);
    }
}
