//! `long-words`: words that are too long on average.

use std::cmp::Ordering;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;
use redraft_text::readability::{Figures, Sentence};

use crate::check_list::DEFAULTS;
use crate::shared::readability::{MIN_SENTENCES, TooLong};

pub(super) static CHECK: Check = Check {
    code: "TXT037",
    name: "long-words",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    concern: Concern::Hygiene,
    summary: "the words are too long on average",
    what: "Counts the letters of the words in a document's paragraphs, code and formulas left out, and reports the document once, at the sentence with the longest words, if the average is above the limit. The limit leaves room for German compounds. Documents with few sentences are skipped.",
    why: "Long words are often abstract, or several words whose spaces were lost.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Quality\n\nOrganisational responsibilities necessitate interdisciplinary communication. Comprehensive standardisation facilitates operationalisation. Institutional representatives systematically institutionalise accountability. Multidimensional conceptualisation characterises contemporary professionalisation. Transformational methodologies revolutionise administrative infrastructures. Interdepartmental collaboration strengthens organisational sustainability. Professional development encompasses multidisciplinary specialisation. Intercultural understanding presupposes communicative competencies. Technological advancements fundamentally restructure bureaucracies. Contextualised recommendations supplement generalised considerations.\n",
        passes: "# Quality\n\nTeams need to talk to each other. Rules help them. People say what they did. They learn new ways to think. New tools change the office. Working with others makes a firm last. People learn more than one trade. They learn to talk to people from far away. Machines change how papers are kept. Advice should fit the case.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "max-average",
            what: "maximum average number of letters per word",
        },
        MIN_SENTENCES,
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let too_long = TooLong {
        average: Figures::avg_word_length,
        longer: heavier,
    };
    too_long.report(examination, sink, |average, most, _| {
        format!("words average {average:.1} letters, more than {most}; use shorter words")
    });
}

/// Compares letters a word without dividing.
fn heavier(a: &Sentence, b: &Sentence) -> Ordering {
    (a.letters * b.words.max(1)).cmp(&(b.letters * a.words.max(1)))
}
