//! The fields of companion files that redraft reads: their accepted names, types,
//! use and an example each. This is the only declaration: `companions.rs` reads by
//! it, and the JSON Schemas and the tables of `docs/input.md` are generated from it.
//! Knows nothing of schemas and pages.

use redraft_text::json::{Kind, Node};

/// A field of a companion file.
#[derive(Debug)]
pub struct Field {
    /// The accepted names, in snake_case or camelCase alike. The first that is present
    /// and not `null` is read.
    pub names: &'static [&'static str],
    pub value: Value,
    /// What it is and which checks and prompts use it, for the documentation.
    pub used_for: &'static str,
    /// An example value, as JSON.
    pub example: &'static str,
}

/// What a field may hold. Anything else is ignored.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Text,
    Number,
    Integer,
    Flag,
    /// A text or a whole number.
    Id,
    /// A list whose length alone matters.
    Count,
    /// A list of texts, whole numbers, or objects with a [`code`].
    Codes,
    Object(&'static Object),
    TextOrObject(&'static Object),
    Objects(&'static Object),
    TextsOrObjects(&'static Object),
    /// A list of objects, or such a list written as JSON into a string.
    ObjectsOrJson(&'static Object),
}

/// An object of a companion file.
#[derive(Debug)]
pub struct Object {
    /// Its name in the schemas.
    pub name: &'static str,
    pub fields: &'static [&'static Field],
    /// An object whose fields it has as well.
    pub shared: Option<&'static Object>,
    pub required: Required,
}

/// How many of some names an object must have to be taken for what it is.
#[derive(Clone, Copy, Debug)]
pub struct Required {
    pub least: usize,
    pub names: &'static [&'static str],
}

/// A kind of companion file.
#[derive(Debug)]
pub struct Companion {
    /// The name of its schema.
    pub name: &'static str,
    pub title: &'static str,
    /// The option that takes it.
    pub option: &'static str,
    /// The shapes that its JSON may have.
    pub forms: &'static [Form],
}

/// A shape of a whole file.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Object(&'static Object),
    Objects(&'static Object),
    TextsOrObjects(&'static Object),
}

impl Field {
    pub(super) fn of<'a>(&self, node: Node<'a>) -> Option<Node<'a>> {
        let found = self.names.iter().filter_map(|name| member(node, name));
        found.into_iter().find(|value| value.kind() != Kind::Null)
    }

    /// As [`Field::of`], but a `null` counts as present.
    pub(super) fn present<'a>(&self, node: Node<'a>) -> Option<Node<'a>> {
        self.names.iter().find_map(|name| member(node, name))
    }

    /// Whether a key of a file means this field.
    pub(super) fn is_called(&self, key: &str) -> bool {
        self.names.iter().any(|name| is_same_name(name, key))
    }
}

/// The member of this name, as it is written here, else in another case.
fn member<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    let in_another_case = || {
        let mut members = node.members();
        members.find(|(key, _)| is_same_name(name, &key.text))
    };
    node.get(name)
        .or_else(|| in_another_case().map(|(_, value)| value))
}

/// Whether two names differ in their case alone: `key_points`, `keyPoints`,
/// `key-points`.
fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| {
        name.chars()
            .filter(|c| !matches!(c, '_' | '-' | ' '))
            .map(|c| c.to_ascii_lowercase())
            .collect::<Vec<char>>()
    };
    // Most keys differ in more than that.
    one == other || (one.len().abs_diff(other.len()) < 8 && letters(one) == letters(other))
}

impl Object {
    /// All fields, its own and the shared ones.
    pub fn all_fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let shared = self.shared.map_or(&[][..], |object| object.fields);
        self.fields.iter().chain(shared).copied()
    }

    /// Whether a node has the required fields.
    pub(super) fn is(&self, node: Node<'_>) -> bool {
        let present = self.required.names.iter();
        let present = present.filter(|name| member(node, name).is_some());
        present.count() >= self.required.least
    }
}

/// Declares an object: a module with a static for each field, and `OBJECT` with all
/// of them, so that no field can be read without being documented.
macro_rules! object {
    (
        $module:ident, $name:literal, $least:literal of [$($required:literal),*], shared $shared:expr;
        $($field:ident $names:expr, $value:expr, $used_for:literal, $example:literal;)*
    ) => {
        pub mod $module {
            use super::{Field, Object, Required, Value};

            $(pub static $field: Field = Field {
                names: &$names,
                value: $value,
                used_for: $used_for,
                example: $example,
            };)*

            pub static OBJECT: Object = Object {
                name: $name,
                fields: &[$(&$field),*],
                shared: $shared,
                required: Required { least: $least, names: &[$($required),*] },
            };
        }
    };
}

/// All companions.
pub static COMPANIONS: &[Companion] = &[
    Companion {
        name: "specification",
        title: "Specification of a lesson, or learning outcome of an item",
        option: "--spec",
        forms: &[Form::Object(&specification::OBJECT)],
    },
    Companion {
        name: "sources",
        title: "Passages that a lesson was written from",
        option: "--sources",
        forms: &[
            Form::TextsOrObjects(&passage::OBJECT),
            Form::Object(&source_file::OBJECT),
            Form::Object(&passage::OBJECT),
        ],
    },
    Companion {
        name: "scheme-of-work",
        title: "Scheme of work, or one entry of it",
        option: "--sow",
        forms: &[
            Form::Object(&scheme_entry::OBJECT),
            Form::Objects(&scheme_entry::OBJECT),
            Form::Object(&scheme::OBJECT),
        ],
    },
    Companion {
        name: "outcomes",
        title: "Outcomes of a course, with their assessment standards",
        option: "--outcomes",
        forms: &[
            Form::Objects(&outcome::OBJECT),
            Form::Object(&outcome_file::OBJECT),
        ],
    },
];

object! {
    specification, "Specification",
    1 of ["title", "sections", "learning_objectives", "estimated_duration_minutes", "metadata", "learning_outcome", "learningOutcome", "topic"],
    shared Some(&super::description::OBJECT);

    TITLE ["title"], Value::Text,
        "Title of the lesson; in prompts.", "\"How a lever lifts\"";
    LANGUAGE ["language"], Value::Text,
        "Language of the content: a tag (`en`, `pt-BR`) or a name (`German`). Used by `wrong-language`; `--language` overrides it.", "\"en\"";
    MINUTES ["estimated_duration_minutes"], Value::Number,
        "Minutes that a learner needs. `word-count` expects 120 to 600 words per minute; `write` plans lengths by it.", "15";
    OBJECTIVES ["learning_objectives"], Value::TextsOrObjects(&super::objective::OBJECT),
        "Learning objectives; in prompts. `low-keyword-coverage` looks for their topic words.", "[\"Name the parts of a lever\"]";
    OUTCOME ["learning_outcome", "learningOutcome", "slo"], Value::TextOrObject(&super::objective::OBJECT),
        "The learning outcome that an item tests; read as one more objective.", "\"Choose the first treatment of neuropathy\"";
    SECTIONS ["sections"], Value::TextsOrObjects(&super::section::OBJECT),
        "The planned sections, in order. Used by `specification-section-missing` and `section-not-in-specification`; a plan of `write` must have as many.", "[{\"title\": \"The parts of a lever\"}]";
    EXERCISES ["exercises"], Value::Count,
        "The planned exercises. Only their number is used, by `few-exercises` and in prompts.", "[{}, {}]";
    METADATA ["metadata"], Value::Object(&super::description::OBJECT),
        "The fields from `difficulty_level` to `bloom_level` are read here if they are not at the top.", "{\"tone\": \"friendly\"}";
}

object! {
    description, "Description", 0 of [], shared None;

    DIFFICULTY ["difficulty_level", "difficulty"], Value::Text,
        "Level of the learners, such as `beginner`, `intermediate` or `advanced`; in prompts.", "\"beginner\"";
    AUDIENCE ["target_audience", "audience"], Value::Text,
        "Who it is for; in prompts.", "\"learners of twelve to fourteen\"";
    TONE ["tone"], Value::Text,
        "How it should sound; in prompts.", "\"friendly\"";
    ARCHETYPE ["content_archetype", "archetype"], Value::Text,
        "Type of lesson, such as `code_tutorial`, `concept_explainer`, `case_study` or `legal_warning`; in prompts.", "\"concept_explainer\"";
    TOPIC ["topic"], Value::Text,
        "What an item is about; in prompts, and to find sources.", "\"diabetes\"";
    BLOOM_LEVEL ["bloom_level", "bloomLevel", "blooms_level", "bloomsLevel"], Value::Text,
        "Level of Bloom's taxonomy that an item should reach; in prompts.", "\"apply\"";
}

object! {
    objective, "Objective", 1 of ["objective", "text", "description"], shared None;

    ID ["id"], Value::Id, "Its id; in prompts.", "\"LO1\"";
    OBJECTIVE ["objective", "text", "description"], Value::Text,
        "The objective itself. Without it the object is ignored.", "\"Name the parts of a lever\"";
}

object! {
    section, "Section", 0 of [], shared Some(&super::constraints::OBJECT);

    TITLE ["title"], Value::Text,
        "Title of the section, compared with the lesson's headings by their topic words.", "\"The parts of a lever\"";
    CONSTRAINTS ["constraints"], Value::Object(&super::constraints::OBJECT),
        "The fields from `depth` to `prohibited_terms` are read here if they are not in the section itself.", "{\"depth\": \"summary\"}";
    KEY_POINTS ["key_points_to_cover", "key_points"], Value::Codes,
        "Points that the section must cover; in prompts for judging, editing, rewriting and writing.", "[\"A lever turns about a fulcrum\"]";
}

object! {
    constraints, "Constraints", 0 of [], shared None;

    DEPTH ["depth"], Value::Text,
        "`summary`, `detailed_analysis` or `comprehensive`; in prompts. With the last two, `thin-section` expects at least 100 words.", "\"detailed_analysis\"";
    REQUIRED_KEYWORDS ["required_keywords"], Value::Codes,
        "Terms that must occur. Used by `low-keyword-coverage`; repairs keep them.", "[\"fulcrum\"]";
    PROHIBITED_TERMS ["prohibited_terms"], Value::Codes,
        "Terms that must not occur. Used by `prohibited-term`.", "[\"torque\"]";
}

object! {
    code, "Code", 1 of ["code", "id", "text", "title"], shared None;

    CODE ["code", "id", "text", "title"], Value::Id,
        "The code or text that stands for the object.", "\"AS1.1\"";
}

object! {
    source_file, "SourceFile", 1 of ["chunks", "sources", "passages"], shared None;

    PASSAGES ["chunks", "sources", "passages"], Value::TextsOrObjects(&super::passage::OBJECT),
        "In an object with a list: the passages.", "[{\"content\": \"A lever turns about its fulcrum.\"}]";
}

object! {
    passage, "Passage", 1 of ["content", "text"], shared None;

    CONTENT ["content", "text"], Value::Text,
        "The passage. Judges check facts against it; writers get the passages most similar to their section. Without it the object is ignored.", "\"A lever turns about its fulcrum.\"";
    DOCUMENT ["document_name", "document_id", "document"], Value::Text,
        "The document that it comes from, shown with the passage.", "\"Physics, volume 1\"";
    PLACE ["page_or_section", "page", "section"], Value::Id,
        "Where in the document, shown with the passage.", "12";
}

object! {
    scheme, "SchemeOfWork", 1 of ["entries"], shared None;

    COURSE ["courseId"], Value::Text,
        "In a whole scheme: the course of all entries that do not name one.", "\"course_1\"";
    ENTRIES ["entries"], Value::Objects(&super::scheme_entry::OBJECT),
        "In a whole scheme: the entries. redraft finds the one that a set of cards implements by course, order, title and lesson type.", "[{\"order\": 1, \"label\": \"Fractions\"}]";
}

object! {
    scheme_entry, "SchemeEntry",
    2 of ["outcomeRefs", "lesson_type", "assessmentStandardRefs", "order", "label"],
    shared None;

    COURSE ["courseId"], Value::Text,
        "The course. An entry for another course than the cards' is ignored.", "\"course_1\"";
    ORDER ["order"], Value::Integer,
        "Position in the scheme, compared with `sow_order` of the cards; in prompts.", "3";
    LABEL ["label", "title"], Value::Text,
        "Title, compared with that of the cards; in prompts.", "\"Paying Less: Fractions of a Price\"";
    LESSON_TYPE ["lesson_type"], Value::Text,
        "`teach`, `independent_practice`, `formative_assessment`, `revision` (or `spiral_revisit`), `mock_exam` (or `mock_assessment`), compared with that of the cards; in prompts.", "\"teach\"";
    MINUTES ["estMinutes"], Value::Number,
        "Length of the lesson. Used by `timing-mismatch` and in prompts.", "50";
    OUTCOMES ["outcomeRefs"], Value::Codes,
        "Outcomes that the lesson serves. Used by `missing-outcome` and `unknown-outcome` and in prompts.", "[\"O1\"]";
    STANDARDS ["assessmentStandardRefs"], Value::Codes,
        "Assessment standards that the lesson serves. Used by `missing-assessment-standard`, `unknown-outcome` and `card-count` and in prompts.", "[{\"code\": \"AS1.1\"}]";
    ENGAGEMENT_TAGS ["engagement_tags"], Value::Codes,
        "Themes that the cards should use. Used by `engagement-tag-unused` and in prompts.", "[\"shopping\", \"transport\"]";
    POLICY ["policy"], Value::Object(&super::entry_policy::OBJECT),
        "Rules of the lesson.", "{\"calculator_allowed\": false}";
    PLAN ["lesson_plan"], Value::Object(&super::lesson_plan::OBJECT),
        "The plan of the lesson.", "{\"card_structure\": [{\"title\": \"Starter\"}]}";
    BIG_IDEA ["big_idea"], Value::Text,
        "What the lesson is about at heart; in the prompts of author and judge, like every other field of the entry.", "\"A fraction is a share of a whole\"";
    NOTES ["notes"], Value::Text,
        "Notes for the author; in prompts.", "\"Begin with a price from a shop\"";
    COHERENCE ["coherence"], Value::Object(&super::coherence::OBJECT),
        "Where the lesson stands in its course; in prompts.", "{\"block_name\": \"Core skills\"}";
    ACCESSIBILITY ["accessibility_profile"], Value::Object(&super::accessibility::OBJECT),
        "What learners need; in prompts.", "{\"dyslexia_friendly\": true}";
    BLOCKS ["pedagogical_blocks"], Value::Codes,
        "Stages of the lesson; in prompts.", "[\"starter\", \"guided_practice\"]";
}

object! {
    entry_policy, "EntryPolicy", 0 of [], shared None;

    CALCULATOR_ALLOWED ["calculator_allowed"], Value::Flag,
        "Whether a calculator may be used. Used by `calculator-policy` and in prompts.", "false";
    CALCULATOR_SECTION ["calculator_section"], Value::Text,
        "The same as a section: `calc` or `non_calc`. `mixed` and `exam_conditions` neither allow nor forbid it. Read if `calculator_allowed` is missing.", "\"non_calc\"";
    ASSESSMENT_NOTES ["assessment_notes"], Value::Text,
        "What to assess and how; in prompts.", "\"Working must be shown\"";
}

object! {
    coherence, "Coherence", 0 of [], shared None;

    UNIT ["unit"], Value::Text, "Unit of the course; in prompts.", "\"Numeracy\"";
    BLOCK ["block_name"], Value::Text, "Block of lessons; in prompts.", "\"Core skills\"";
    INDEX ["block_index"], Value::Id, "Place in the block; in prompts.", "\"1.1\"";
    PREREQUISITES ["prerequisites"], Value::Codes,
        "Lessons that come before it; in prompts.", "[\"Place value\"]";
}

object! {
    accessibility, "Accessibility", 0 of [], shared None;

    DYSLEXIA ["dyslexia_friendly"], Value::Flag,
        "Whether it must suit dyslexic readers; in prompts.", "true";
    PLAIN ["plain_language_level"], Value::Text,
        "Level of plain language; in prompts.", "\"CEFR_A2\"";
    EXTRA_TIME ["extra_time"], Value::Flag,
        "Whether learners get more time; in prompts.", "true";
}

object! {
    lesson_plan, "LessonPlan", 0 of [], shared None;

    CARDS ["card_structure"], Value::Objects(&super::planned_card::OBJECT),
        "The planned cards. `card-count` and `cards-for-time` use their number; author and judge see them.", "[{\"card_type\": \"starter\"}]";
    SUMMARY ["summary"], Value::Text,
        "The plan in a sentence or two; in prompts.", "\"From sharing a bill to a sale\"";
}

object! {
    planned_card, "PlannedCard", 0 of [], shared None;

    KIND ["card_type"], Value::Text,
        "Type of card, such as `starter` or `guided_practice`; in prompts.", "\"starter\"";
    PURPOSE ["purpose"], Value::Text,
        "What the card is for; in prompts, like every other field of a card.", "\"To recall halves and quarters\"";
    CFU_STRATEGY ["cfu_strategy"], Value::Text,
        "How understanding is checked; in prompts.", "\"A quick multiple-choice question\"";
    TITLE ["title"], Value::Text,
        "Title of the card; in prompts.", "\"What is half of £12?\"";
    MINUTES ["estimated_minutes", "estMinutes", "minutes"], Value::Number,
        "Length of the card. `timing-mismatch` adds them up.", "5";
    STANDARDS ["standards_addressed"], Value::Codes,
        "Assessment standards of the card. A finding about a missing standard names the cards planned for it.", "[\"AS1.1\"]";
}

object! {
    outcome_file, "OutcomeFile", 1 of ["outcomes", "documents", "items"], shared None;

    OUTCOMES ["outcomes", "documents", "items"], Value::Objects(&super::outcome::OBJECT),
        "In an object with a list: the outcomes.", "[{\"code\": \"O1\"}]";
}

object! {
    outcome, "Outcome",
    1 of ["outcomeId", "code", "id", "assessmentStandards", "assessment_standards"],
    shared None;

    CODE ["outcomeId", "code", "id"], Value::Id,
        "Code of the outcome. Used by `unknown-outcome` and in prompts.", "\"O1\"";
    DESCRIPTION ["outcomeTitle", "description", "desc", "title"], Value::Text,
        "Its description; in prompts.", "\"Use numerical skills to solve real-life problems\"";
    COURSE ["courseId"], Value::Text,
        "The course. Outcomes of another course than the cards' are ignored.", "\"course_1\"";
    STANDARDS ["assessmentStandards", "assessment_standards"], Value::ObjectsOrJson(&super::standard::OBJECT),
        "Its assessment standards, as a list or as a JSON list in a string.", "[{\"code\": \"AS1.1\"}]";
}

object! {
    standard, "Standard", 1 of ["code", "id"], shared None;

    CODE ["code", "id"], Value::Id,
        "Code of the standard. Used by `unknown-outcome` and in prompts.", "\"AS1.1\"";
    DESCRIPTION ["desc", "description"], Value::Text,
        "Its description; in prompts.", "\"Select units and notation\"";
}
