//! What can be wrong with a lesson, in two wordings each, and what a judge says of
//! it. No sentence states anything that somebody should learn.

use crate::world::{Kind, Place, Severity, kind};

/// What can be wrong with a lesson. The last three are damage that the free checks
/// see.
pub(super) static KINDS: &[Kind] = &[
    prose(
        OBJECTIVES,
        Severity::Minor,
        [
            "The {} has also given its name to a popular song.",
            "By the way, the {} is shown on several stamps.",
        ],
        "This serves none of the objectives.",
        "Replace the remark with something that serves an objective.",
    ),
    prose(
        OBJECTIVES,
        Severity::Major,
        [
            "What the {} is good for is not our subject here, so we look at who first wrote about it.",
            "Rather than explain the {}, we list the people who have studied it.",
        ],
        "The passage turns away from the objective it should serve.",
        "Say what the term does, as the objective asks.",
    ),
    prose(
        OBJECTIVES,
        Severity::Critical,
        [
            "You do not need to understand the {} at all, only to spell it.",
            "Spelling the {} is all that this lesson is about.",
        ],
        "The learner is sent away from the objective altogether.",
        "Teach what the objective names.",
    ),
    prose(
        STRUCTURE,
        Severity::Minor,
        [
            "We said so much about the {} that this needs no link to what follows.",
            "Now to something else than the {} altogether.",
        ],
        "The step to the next thought is missing.",
        "Say how this leads on.",
    ),
    prose(
        STRUCTURE,
        Severity::Major,
        [
            "The {} rests on an idea that is explained only two parts further down.",
            "For the {} you need a rule which comes later in this lesson.",
        ],
        "An idea is used before it is explained.",
        "Explain the idea where it is first needed.",
    ),
    prose(
        STRUCTURE,
        Severity::Critical,
        [
            "Skip all the other parts and begin with the {} in the last one.",
            "The parts about the {} can be read in no order that makes sense.",
        ],
        "The order of the steps defeats the lesson.",
        "Put the steps into an order that builds up.",
    ),
    prose(
        FACTS,
        Severity::Minor,
        [
            "The {} is about a third larger than the books say.",
            "As a rule the {} is found a bit too far to the left.",
        ],
        "A detail is imprecise.",
        "State the detail precisely.",
    ),
    prose(
        FACTS,
        Severity::Major,
        [
            "The {} does the very opposite of what was said above.",
            "In truth the {} never does any such thing.",
        ],
        "The statement is false.",
        "State it the right way round.",
    ),
    prose(
        FACTS,
        Severity::Critical,
        [
            "It is safe to swallow the {} whenever nobody is looking.",
            "Put the {} into a socket to see what it does.",
        ],
        "Following this would harm a learner.",
        "Take the dangerous statement out and say what is safe.",
    ),
    prose(
        CLARITY,
        Severity::Minor,
        [
            "The {} is, so to speak, in a manner of speaking, what it is.",
            "It is the {} that it is which it is that matters.",
        ],
        "The sentence goes round in circles.",
        "Say it in one plain clause.",
    ),
    prose(
        CLARITY,
        Severity::Major,
        [
            "The {} presupposes a diachronic heterogeneity of its substrate.",
            "Epistemically the {} supervenes on its own preconditions.",
        ],
        "The words are far above the audience.",
        "Use words that learners of this age know.",
    ),
    prose(
        CLARITY,
        Severity::Critical,
        [
            "The {} and the other one are the same one, or the other, but not both nor neither.",
            "Either the {} or it is, but then not, unless so.",
        ],
        "Nobody can tell what is meant.",
        "Say what is meant.",
    ),
    prose(
        EXAMPLES,
        Severity::Minor,
        [
            "The {} is important in many ways and for many reasons.",
            "There is a lot that could be said in favour of the {} in general.",
        ],
        "This stays general where a case would help.",
        "Name a case that the learner knows.",
    ),
    gap(
        EXAMPLES,
        Severity::Major,
        [
            "Of the {} no case is given, as the idea speaks for itself.",
            "Readers may think of a case for the {} on their own.",
        ],
        "An example is missing where the idea is introduced.",
        "Add an example from the learner's world.",
    ),
    prose(
        EXAMPLES,
        Severity::Critical,
        [
            "Laugh at whoever in your class still gets the {} wrong.",
            "Pick the weakest in your class and make them draw the {} in front of all.",
        ],
        "The task humiliates learners.",
        "Give a task that everybody can do.",
    ),
    prose(
        COMPLETE,
        Severity::Minor,
        [
            "The rest about the {} is treated elsewhere.",
            "More on the {} would go too far at this point.",
        ],
        "A point is treated more briefly than it deserves.",
        "Say the rest in a sentence.",
    ),
    gap(
        COMPLETE,
        Severity::Major,
        [
            "The second of the two rules for the {} is left out here.",
            "Of the two rules for the {} one will do.",
        ],
        "A rule that was announced is missing.",
        "Add the rule that was announced.",
    ),
    gap(
        COMPLETE,
        Severity::Critical,
        [
            "Everything that was promised about the {} has been dropped.",
            "What this part should say about the {} is not said.",
        ],
        "The part does not deliver what it announces.",
        "Write what the part announces.",
    ),
    Kind {
        criterion: CLARITY,
        severity: Severity::Minor,
        place: Place::Damage,
        wordings: [
            "Sure! Here is the lesson you asked for:",
            "I hope this lesson helps! Let me know if you would like any changes.",
        ],
        said: "A model talks about its answer.",
        fix: "Take it out.",
        is_quoted: true,
        check: "chatbot-framing",
    },
    Kind {
        criterion: COMPLETE,
        severity: Severity::Major,
        place: Place::Damage,
        wordings: ["[Insert example here]", "TODO: add an example."],
        said: "A placeholder was left.",
        fix: "Write what belongs there.",
        is_quoted: true,
        check: "placeholder-text",
    },
    Kind {
        criterion: COMPLETE,
        severity: Severity::Critical,
        place: Place::Damage,
        wordings: [CUT, "and it breaks off in the middle of the"],
        said: "The text breaks off.",
        fix: "Write the end.",
        is_quoted: true,
        check: "truncated-content",
    },
];

/// The last words of a lesson that was cut off.
pub(super) const CUT: &str = "and the last thing that everybody should keep in mi";

/// A sentence of the prose.
const fn prose(
    criterion: &'static str,
    severity: Severity,
    wordings: [&'static str; 2],
    said: &'static str,
    fix: &'static str,
) -> Kind {
    kind(criterion, severity, Place::Prose, wordings, said, fix)
}

/// The same for something that is missing.
const fn gap(
    criterion: &'static str,
    severity: Severity,
    wordings: [&'static str; 2],
    said: &'static str,
    fix: &'static str,
) -> Kind {
    Kind {
        is_quoted: false,
        ..prose(criterion, severity, wordings, said, fix)
    }
}

pub(super) const OBJECTIVES: &str = "learning_objective_alignment";
pub(super) const STRUCTURE: &str = "pedagogical_structure";
pub(super) const FACTS: &str = "factual_accuracy";
pub(super) const CLARITY: &str = "clarity_readability";
pub(super) const EXAMPLES: &str = "engagement_examples";
pub(super) const COMPLETE: &str = "completeness";
