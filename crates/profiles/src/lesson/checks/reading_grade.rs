//! `reading-grade`: a reading grade outside the usual range.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES012",
    name: "reading-grade",
    severity: Severity::Info,
    phase: Phase::Acceptance,
    summary: "English prose that is easier or harder to read than usual",
    what: "Measures the Flesch-Kincaid grade of English lessons with at least a hundred words in paragraphs (code, lists and tables do not count) and reports grades below 6 or above 14; aim for 10. Other languages are not measured, because the formula counts English syllables.",
    why: "The grade is the number of school years needed to read a text easily. It says little about a single sentence, but a lesson of grade 16 is too hard for any school.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# The cat\n\nThe cat sat on the mat. The dog ran to the cat. It did not run. The sun was hot. The cat had a nap. The dog sat by it. A bird sang a song. The cat saw the bird. It got up. It went to the tree. The bird flew off. The cat was sad. It went back to its mat. The dog had a bone. The cat had some milk. Then it was dark. The moon came up. The cat went out. It saw a mouse. The mouse hid in a hole. The cat sat and sat. The mouse did not come out.\n",
        passes: "# Boiling\n\nWhen water is heated, its particles move faster and faster. At first only a few of them leave the surface, and we say that the water evaporates. As the temperature rises, small bubbles appear at the bottom of the pot, where it is hottest. They are filled with steam and collapse again as they rise into cooler layers. At a hundred degrees the pressure in the bubbles is as high as that of the air above, so they no longer collapse. They reach the surface and burst. From now on all the heat is used to turn water into steam, and the temperature stays where it is.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "least",
            what: "lowest usual grade",
        },
        Parameter {
            name: "most",
            what: "highest usual grade",
        },
        Parameter {
            name: "target",
            what: "grade to aim for, shown in the message",
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some(grade) = document.reading_grade() else {
        return;
    };
    let (least, most) = (examination.number("least"), examination.number("most"));
    let side = if grade < least {
        "below"
    } else if grade > most {
        "above"
    } else {
        return;
    };
    let message = format!(
        "reading grade {grade:.1} (Flesch-Kincaid) is {side} the usual {least} to {most}; aim for {}",
        examination.number("target")
    );
    structure::report(document, sink, message);
}
