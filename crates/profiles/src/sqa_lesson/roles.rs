//! The role of a card in its lesson: starter, modelling, guided practice,
//! independent practice. Read from the label before a colon in its title (“We Do:
//! Fixing a Recipe”), from a title that consists of such a label, or from its id
//! (`c3_guided_practice`). A topic that only sounds like one (“Modelling
//! Population Growth”) is ignored. What follows from a role is up to the checks.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    /// Recalls what learners already know.
    Starter,
    /// Explains something new.
    Explainer,
    /// I do: the teacher demonstrates.
    Modelling,
    /// We do: together, with support.
    Guided,
    /// You do: the learner works alone.
    Independent,
    /// Closes the lesson.
    Closing,
}

impl Role {
    /// The role named by the title, otherwise by the id.
    pub(crate) fn of(title: Option<&str>, id: Option<&str>) -> Option<Self> {
        title
            .and_then(Self::of_title)
            .or_else(|| id.and_then(Self::of_id))
    }

    /// For messages: `guided practice (“We do”)`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Starter => "starter",
            Self::Explainer => "explainer",
            Self::Modelling => "modelling (“I do”)",
            Self::Guided => "guided practice (“We do”)",
            Self::Independent => "independent practice (“You do”)",
            Self::Closing => "exit ticket",
        }
    }

    fn of_title(title: &str) -> Option<Self> {
        let label = title
            .find([':', '–', '—', '('])
            .or_else(|| title.find(" - "))
            .and_then(|at| title.get(..at));
        match label {
            Some(label) => Self::of_words(&words(label), Match::Anywhere),
            None => Self::of_words(&words(title), Match::Whole),
        }
    }

    fn of_id(id: &str) -> Option<Self> {
        Self::of_words(&words(id), Match::Anywhere)
    }

    fn of_words(words: &[String], how: Match) -> Option<Self> {
        let is = |phrase: &&str| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            match how {
                Match::Whole => words.iter().eq(phrase.iter()),
                Match::Anywhere => words
                    .windows(phrase.len())
                    .any(|window| window.iter().eq(phrase.iter())),
            }
        };
        LABELS
            .iter()
            .find(|(_, phrases)| phrases.iter().any(is))
            .map(|(role, _)| *role)
    }
}

#[derive(Clone, Copy)]
enum Match {
    Whole,
    Anywhere,
}

/// The labels in use, the more specific first: “Guided practice: worked example
/// together” is guided.
const LABELS: &[(Role, &[&str])] = &[
    (
        Role::Guided,
        &[
            "we do",
            "guided",
            "guided practice",
            "shared practice",
            "work together",
        ],
    ),
    (
        Role::Independent,
        &[
            "you do",
            "independent",
            "independent practice",
            "your turn",
            "on your own",
            "independent work",
        ],
    ),
    (
        Role::Modelling,
        &[
            "i do",
            "modelling",
            "modeling",
            "modelled",
            "modeled",
            "worked example",
            "worked examples",
            "demonstration",
        ],
    ),
    (
        Role::Starter,
        &[
            "starter",
            "warm up",
            "warmup",
            "retrieval",
            "retrieval practice",
            "do now",
            "starter activity",
        ],
    ),
    (Role::Closing, &["exit ticket", "exit", "plenary"]),
    (
        Role::Explainer,
        &["explainer", "key idea", "key ideas", "concept"],
    ),
];

fn words(label: &str) -> Vec<String> {
    label
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_read_from_a_label_and_not_from_a_topic() {
        for (title, id, expected) in [
            ("Starter: Everyday Units", "c1", Some(Role::Starter)),
            ("I Do: Reading a Receipt", "c2", Some(Role::Modelling)),
            ("Modelling: Finding Fractions", "c2", Some(Role::Modelling)),
            ("We Do – Fixing a Recipe", "c3", Some(Role::Guided)),
            ("Guided Practice", "c3", Some(Role::Guided)),
            ("Guided Practice (We Do)", "c3", Some(Role::Guided)),
            ("You Do: Your Turn", "c4", Some(Role::Independent)),
            ("Your Turn", "c4", Some(Role::Independent)),
            ("Exit Ticket", "c5", Some(Role::Closing)),
            (
                "Train Tickets",
                "c4_independent_practice",
                Some(Role::Independent),
            ),
            ("Train Tickets", "c1_starter", Some(Role::Starter)),
            ("Warm-up: Tens", "c1", Some(Role::Starter)),
            ("Modelling Population Growth", "card_001", None),
            ("Independent Events in Probability", "card_002", None),
            ("Fractions: What You Do With Them", "card_003", None),
            ("", "", None),
        ] {
            assert_eq!(Role::of(Some(title), Some(id)), expected, "{title} {id}");
        }
    }
}
