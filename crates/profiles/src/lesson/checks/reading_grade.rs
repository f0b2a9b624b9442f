//! `reading-grade`: English prose that is far easier or harder to read than lessons are.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES012",
    name: "reading-grade",
    severity: Severity::Info,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Acceptance,
    concern: Concern::Alignment,
    summary: "English prose that is far easier or harder to read than lessons are",
    what: "Measures the Flesch-Kincaid grade of the paragraphs of English lessons, code, lists and tables left out, from a hundred words on, and remarks on grades below 6 or above 14; 10 is the target. Other languages are not measured, because the formula counts English syllables.",
    why: "A grade is the number of school years that it takes to read a text with ease. It says little about a single sentence, but a lesson of grade 16 is read by nobody at school.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# The cat\n\nThe cat sat on the mat. The dog ran to the cat. It did not run. The sun was hot. The cat had a nap. The dog sat by it. A bird sang a song. The cat saw the bird. It got up. It went to the tree. The bird flew off. The cat was sad. It went back to its mat. The dog had a bone. The cat had some milk. Then it was dark. The moon came up. The cat went out. It saw a mouse. The mouse hid in a hole. The cat sat and sat. The mouse did not come out.\n",
        passes: "# Boiling\n\nWhen water is heated, its particles move faster and faster. At first only a few of them leave the surface, and we say that the water evaporates. As the temperature rises, small bubbles appear at the bottom of the pot, where it is hottest. They are filled with steam and collapse again as they rise into cooler layers. At a hundred degrees the pressure in the bubbles is as high as that of the air above, so they no longer collapse. They reach the surface and burst. From now on all the heat is used to turn water into steam, and the temperature stays where it is.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "least",
            what: "the lowest usual grade",
        },
        Parameter {
            name: "most",
            what: "the highest usual grade",
        },
        Parameter {
            name: "target",
            what: "the grade to aim at",
        },
    ],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some(grade) = document.reading_grade() else {
        return;
    };
    let (least, most) = (examination.number("least"), examination.number("most"));
    let how = if grade < least {
        "easier"
    } else if grade > most {
        "harder"
    } else {
        return;
    };
    let message = format!(
        "the prose is {how} to read than lessons are: Flesch-Kincaid grade {grade:.1}, usual are {least} to {most}, {} is the target",
        examination.number("target")
    );
    structure::report(document, sink, message);
}
