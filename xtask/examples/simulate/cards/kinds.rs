//! What can be wrong with a set of cards, in two wordings each, and what a judge
//! says of it.

use crate::world::{Kind, Place, Severity, kind};

/// What can be wrong with a set of cards.
pub(super) static KINDS: &[Kind] = &[
    kind(
        PEDAGOGY,
        Severity::Minor,
        EXPLAINER,
        [
            "The step about the {} may be left to chance.",
            "Whether the {} needs this step is for each to guess.",
        ],
        "The support of this step is thin.",
        "Say plainly what to do in this step.",
    ),
    kind(
        PEDAGOGY,
        Severity::Major,
        EXPLAINER,
        [
            "Do the {} alone now, before anybody has shown you how.",
            "Nobody shows how the {} is split before you do it.",
        ],
        "Independent work is asked for before anything was modelled.",
        "Show the step before the learner does it.",
    ),
    kind(
        PEDAGOGY,
        Severity::Critical,
        EXPLAINER,
        [
            "To share the {} we multiply its cost by the number of friends.",
            "Sharing the {} means adding the friends to its cost.",
        ],
        "The method that is taught is wrong.",
        "Teach division by the number of friends.",
    ),
    kind(
        ASSESSMENT,
        Severity::Minor,
        MARKS,
        [
            "Has more or less the steps of the {} in order",
            "Comes near to the steps of the {} somehow",
        ],
        "The marking line could be sharper.",
        "Name the step that earns the mark.",
    ),
    kind(
        ASSESSMENT,
        Severity::Major,
        MARKS,
        [
            "Earns the mark if the {} looks fine at the end",
            "Earns the mark whatever was done about the {} before",
        ],
        "The working earns no mark.",
        "Give the mark for the division.",
    ),
    checked(
        "passive-voice",
        kind(
            ACCESS,
            Severity::Minor,
            PLAIN_FIELD,
            [
                "The {} is regarded as divisible by us.",
                "The {} is looked at by all of us.",
            ],
            "The sentence is in the passive voice.",
            "Put it in the active voice.",
        ),
    ),
    checked(
        "plain-sentence-too-long",
        kind(
            ACCESS,
            Severity::Major,
            PLAIN_FIELD,
            [
                "When all of us look at the {} and at the friends who share it we see many equal parts.",
                "Since the cost of the {} belongs to all of the friends each of them has to pay a part.",
            ],
            "The sentence is far too long for the plain version.",
            "Split it into two short sentences.",
        ),
    ),
    kind(
        CONTEXT,
        Severity::Minor,
        EXPLAINER,
        [
            "The {} could be anywhere at all in the world.",
            "Which country the {} is in does not matter to us.",
        ],
        "The setting is interchangeable.",
        "Set it in a place that learners know.",
    ),
    kind(
        CONTEXT,
        Severity::Major,
        EXPLAINER,
        [
            "The {} belongs to a mall beside a freeway.",
            "We pay for the {} in a diner off the interstate.",
        ],
        "The setting is American.",
        "Use a setting from Scotland.",
    ),
    checked(
        "foreign-currency",
        kind(
            CONTEXT,
            Severity::Critical,
            EXPLAINER,
            [
                "Each of them pays $20 for the {} at the door.",
                "One by one they hand over $20 for the {} that day.",
            ],
            "The amount is in dollars.",
            "Write the amount in pounds.",
        ),
    ),
    kind(
        COHERENCE,
        Severity::Minor,
        EXPLAINER,
        [
            "From here on the {} is called the good.",
            "For a change we now say good instead of {} again.",
        ],
        "A term varies between the cards.",
        "Use one term throughout.",
    ),
    kind(
        COHERENCE,
        Severity::Major,
        EXPLAINER,
        [
            "On the card before this the {} was split in another way that we now drop.",
            "This contradicts what the last card said of the {} on purpose.",
        ],
        "Two cards contradict each other.",
        "Say the same as the card before.",
    ),
    kind(
        SCHEME,
        Severity::Minor,
        EXPLAINER,
        [
            "The theme of the {} is mentioned here in passing only.",
            "That this lesson is about the {} need not concern us.",
        ],
        "The theme is only touched upon.",
        "Take the theme up in the task.",
    ),
    kind(
        SCHEME,
        Severity::Major,
        EXPLAINER,
        [
            "Choosing the notation for the {} is left out of this lesson.",
            "How to write the cost of the {} belongs to another lesson.",
        ],
        "A standard of the entry is named and not addressed.",
        "Address the standard in this card.",
    ),
];

pub(super) const PEDAGOGY: &str = "pedagogical_design";
pub(super) const ASSESSMENT: &str = "assessment_design";
pub(super) const ACCESS: &str = "accessibility";
pub(super) const CONTEXT: &str = "scottish_context";
pub(super) const COHERENCE: &str = "coherence";
pub(super) const SCHEME: &str = "sow_template_fidelity";

const EXPLAINER: Place = Place::Field(".explainer");
const PLAIN_FIELD: Place = Place::Field(".explainer_plain");
const MARKS: Place = Place::Field(".description");

/// The same, where a free check sees it, too.
const fn checked(check: &'static str, kind: Kind) -> Kind {
    Kind { check, ..kind }
}
