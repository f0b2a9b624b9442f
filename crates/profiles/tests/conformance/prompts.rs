//! What must hold for every prompt: it asks for every criterion, and nothing in it
//! sways a judge. What it tells stands in `told`, that foreign text stays data in
//! `blocks`, what providers can cache of it in `caching`.

mod blocks;
mod caching;
mod told;

use redraft_gate::companion::{
    Companions, Objective, Outcome, SchemeEntry, SectionSpecification, SourcePassage, Specification,
};
use redraft_gate::content::Document;
use redraft_gate::reading::{self, Hint};
use redraft_gate::review::{Issue, IssueSeverity};
use redraft_gate::source::Source;
use redraft_profiles::registry;
use redraft_run::profile::Profile;
use redraft_run::prompt::Prompt;
use redraft_run::request::{PromptRequest, Task};
use redraft_run::verdict;

pub(crate) use blocks::{hostile_text, looks_like_a_tag};

const LESSON: &str = "# Why a kettle sings\n\nA kettle hums long before the water boils.\n\n\
## Bubbles at the bottom\n\nThe bottom is hotter than the water above it. \
Steam bubbles form there and collapse.\n\n### Example: a glass pot\n\n\
In a glass pot you can watch them.\n\n## Summary\n\nThe song is the sound of collapsing bubbles.\n";

const CARDS: &str = r#"{"title": "Sharing a bill", "lesson_type": "teach", "estMinutes": 20,
"sow_order": 2, "outcomeRefs": ["O1"], "policy": {"calculator_allowed": false},
"review_notes": "the last critic gave 0.93", "cards": [
{"id": "c1", "title": "Split it", "explainer": "Four friends eat in Leith.\nThey pay £24.",
"explainer_plain": "Divide £24 by 4. Each pays £6.",
"cfu": {"type": "numeric", "stem": "Five friends pay £30. What does each pay?", "expected": 6,
"hints": ["Say it in your own words"]}}]}"#;

const ITEM: &str = r#"{"id": "q7", "vignette": "A 60-year-old man has had crushing chest pain for two hours.",
"stem": "Which test comes first?", "options": [{"key": "A", "text": "An electrocardiogram"},
{"key": "B", "text": "A stress test"}], "correct_answer": "A",
"rationale": "It is quick and decides on reperfusion.",
"metadata": {"bloom_level": "apply", "qualityScore": 0.93}}"#;

const QUIZ: &str = r#"{"id": "p3", "question": "Which planet is the largest?",
"options": [{"label": "A", "text": "Jupiter"}, {"label": "B", "text": "Saturn"}, {"label": "C", "text": "Neptune"}],
"correct_answer": "A", "explanation": "Its mass is more than that of all others together, though it has little water.",
"bloom_level": "remember", "qualityScore": 0.93}"#;

/// One small document a profile.
pub(crate) const DOCUMENTS: [(&str, &str, Hint); 4] = [
    ("lesson", LESSON, Hint::Markdown),
    ("sqa-lesson", CARDS, Hint::Json),
    ("clinical-mcq", ITEM, Hint::Json),
    ("mcq", QUIZ, Hint::Json),
];

#[test]
fn every_profile_has_a_document_here() {
    let names: Vec<&str> = DOCUMENTS.iter().map(|(name, ..)| *name).collect();
    for profile in registry::names() {
        assert!(names.contains(&profile), "{profile}");
    }
}

pub(crate) fn document(profile: &dyn Profile, text: &str, hint: Hint) -> Document {
    profile.parse(
        reading::read(Source::new(text.as_bytes().to_vec()), hint),
        None,
    )
}

/// The prompt of a document without anything beside it.
pub(crate) fn prompt(profile: &str, text: &str, hint: Hint) -> (Document, Prompt) {
    prompt_with(profile, (text, hint), &Companions::default(), &[], None)
}

fn prompt_with(
    profile: &str,
    (text, hint): (&str, Hint),
    companions: &Companions,
    flagged: &[Issue],
    complaint: Option<&str>,
) -> (Document, Prompt) {
    let profile = registry::profile(profile).unwrap();
    let document = document(profile, text, hint);
    let prompt = profile
        .render(&PromptRequest {
            document: &document,
            companions,
            rubric: profile.rubric(),
            task: Task::Judge { flagged },
            feedback_language: None,
            complaint,
        })
        .unwrap();
    (document, prompt)
}

pub(crate) fn flag(location: &str, description: &str) -> Issue {
    Issue {
        kind: "HYGIENE",
        severity: IssueSeverity::Complex,
        location: location.to_owned(),
        description: description.to_owned(),
    }
}

/// Everything that can come with a document, with `words` in every place.
pub(crate) fn companions(words: &str) -> Companions {
    let words = || words.to_owned();
    Companions {
        specification: Some(Specification {
            title: Some(words()),
            minutes: Some(20.0),
            difficulty: Some("beginner".to_owned()),
            audience: Some(words()),
            tone: Some(words()),
            archetype: Some(words()),
            objectives: vec![Objective {
                id: Some("LO1".to_owned()),
                objective: words(),
            }],
            sections: vec![SectionSpecification {
                title: words(),
                depth: Some("summary".to_owned()),
                required_keywords: vec![words()],
                prohibited_terms: vec![words()],
                key_points: vec![words()],
            }],
            ..Specification::default()
        }),
        sources: vec![SourcePassage {
            document: Some(words()),
            place: Some("p. 3".to_owned()),
            content: words(),
        }],
        scheme_of_work: vec![SchemeEntry {
            order: Some(2),
            label: Some(words()),
            outcomes: vec![words()],
            calculator_allowed: Some(false),
            ..SchemeEntry::default()
        }],
        outcomes: vec![Outcome {
            course: None,
            code: "O1".to_owned(),
            description: words(),
        }],
        earlier: Vec::new(),
        language: None,
    }
}

#[test]
fn prompts_read_well() {
    for (profile, text, hint) in DOCUMENTS {
        let (_, prompt) = prompt_with(
            profile,
            (text, hint),
            &companions("dividing money fairly"),
            &[flag("sec_1", "The sentence has 31 words.")],
            Some("`scores` lacks one criterion"),
        );
        let whole = format!("{}\n\n=== user ===\n\n{}\n", prompt.system, prompt.user);
        insta::assert_snapshot!(profile, whole);
    }
}

#[test]
fn every_criterion_is_asked_for_with_its_anchors() {
    for (profile, text, hint) in DOCUMENTS {
        let (_, prompt) = prompt(profile, text, hint);
        for criterion in &registry::profile(profile).unwrap().rubric().criteria {
            let name = &criterion.name;
            let heading = format!("## {name}\n{} Not: ", criterion.description);
            assert!(prompt.system.contains(&heading), "{name}");
            assert!(prompt.system.contains(&criterion.not_about), "{name}");
            assert!(prompt.system.contains(&criterion.evidence), "{name}");
            for anchor in &criterion.anchors {
                let hundredths = anchor.at.thousandths() / 10;
                let line = format!(
                    "\n{}.{:02} {}\n",
                    hundredths / 100,
                    hundredths % 100,
                    anchor.means
                );
                let system = format!("{}\n", prompt.system);
                assert!(system.contains(&line), "{line}");
            }
        }
    }
}

#[test]
fn evidence_is_asked_for_before_figures_in_the_words_and_in_the_schema() {
    for (profile, text, hint) in DOCUMENTS {
        let (_, prompt) = prompt(profile, text, hint);
        let rubric = registry::profile(profile).unwrap().rubric();
        let schema = verdict::schema(rubric, &Companions::default());
        let fields = [
            "issues",
            "criterion",
            "location",
            "quote",
            "description",
            "suggested_fix",
            "strengths",
            "scores",
            "overall",
            "confidence",
        ];
        for (whole, mark) in [(&*prompt.system, '`'), (schema.text(), '"')] {
            let place = |name: &&str| {
                let name = match mark {
                    '"' => format!("\"{name}\":"),
                    _ => format!("`{name}`"),
                };
                whole.find(&name).unwrap_or_else(|| panic!("{name}"))
            };
            let left_out = ["strengths", "overall"];
            let asked = fields
                .iter()
                .filter(|name| !rubric.terse || !left_out.contains(*name));
            let places: Vec<usize> = asked.map(place).collect();
            let asks_for = |name: &str| whole.contains(&format!("{mark}{name}{mark}"));
            assert_eq!(
                left_out.map(asks_for),
                [!rubric.terse; 2],
                "{profile}: {whole}"
            );
            assert!(places.is_sorted(), "{profile}: {whole}");
        }
        for criterion in &rubric.criteria {
            let asked = &schema.value()["properties"]["scores"]["required"];
            let asked = asked.as_array().unwrap();
            assert!(asked.iter().any(|name| *name == *criterion.name));
        }
        // An answer that holds a figure to copy gets it back.
        assert!(!prompt.system.contains('{'), "{}", prompt.system);
    }
}

/// That a prompt does not say what has to be reached, nor what was: none of the
/// words and phrases for it, and of those that are given.
pub(crate) fn names_no_mark(prompt: &Prompt, words: &[&str], phrases: &[&str], about: &str) {
    let whole = format!("{}\n{}", prompt.system, prompt.user).to_lowercase();
    let said: Vec<&str> = whole.split(|c: char| !c.is_alphanumeric()).collect();
    let always = [
        "threshold",
        "accept",
        "accepted",
        "acceptable",
        "acceptance",
        "passes",
        "passed",
        "passing",
        "fail",
        "failed",
        "publish",
        "published",
        "minimum",
        "sufficient",
        "weight",
        "weights",
        "iteration",
        "attempt",
        "budget",
    ];
    for word in always.iter().chain(words) {
        assert!(!said.contains(word), "{about}: {word}");
    }
    let always = ["good enough", "pass mark", "0.93", "last critic"];
    for phrase in always.iter().chain(phrases) {
        assert!(!whole.contains(phrase), "{about}: {phrase}");
    }
}

#[test]
fn nothing_in_a_prompt_says_what_has_to_be_reached() {
    for (profile, text, hint) in DOCUMENTS {
        let (_, prompt) = prompt_with(
            profile,
            (text, hint),
            &companions("dividing money fairly"),
            &[],
            None,
        );
        names_no_mark(&prompt, &["pass", "regenerate"], &["at least 0"], profile);
    }
}

#[test]
fn the_same_text_gives_the_same_prompt_and_the_system_half_knows_no_document() {
    for (profile, text, hint) in DOCUMENTS {
        let (_, first) = prompt(profile, text, hint);
        let (_, second) = prompt(profile, text, hint);
        let (other, changed) = prompt(
            profile,
            &text.replace("pay", "owe").replace("water", "tea"),
            hint,
        );
        assert_eq!(first, second, "{profile}");
        assert_eq!(first.system, changed.system, "{profile}");
        let id = other.source().version().to_string();
        assert!(!changed.system.contains(&id), "{profile}");
        assert_eq!(changed.user.matches(&id).count(), 1, "{profile}");
    }
}
