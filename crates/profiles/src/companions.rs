//! Reading what comes with a document: specification, sources, scheme of work,
//! outcomes. Lenient like everything that is read; a file that is not at all
//! what it should be is an error that says so.

use redraft_gate::companion::{
    Objective, Outcome, PlannedCard, SchemeEntry, SectionSpecification, SourcePassage,
    Specification,
};
use redraft_gate::reading::{self, Form, Hint};
use redraft_gate::source::Source;
use redraft_text::encoding::Encoding;
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use crate::fields::{first_of, id_text};

/// A companion that is not what it should be: what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub &'static str);

/// Reads a lesson's specification.
///
/// # Errors
/// When the file is no JSON object, or has none of a specification's fields.
pub fn specification(bytes: Vec<u8>) -> Result<Specification, Unreadable> {
    const EXPECTED: Unreadable =
        Unreadable("a JSON object with the fields of a lesson specification");
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json
        .root()
        .filter(|root| root.kind() == Kind::Object)
        .ok_or(EXPECTED)?;
    let known = [
        "title",
        "sections",
        "learning_objectives",
        "estimated_duration_minutes",
        "metadata",
        "learning_outcome",
        "learningOutcome",
        "topic",
    ];
    if !known.iter().any(|field| root.get(field).is_some()) {
        return Err(EXPECTED);
    }
    // Generators keep what the lesson is like either at the top or in `metadata`.
    let metadata = root.get("metadata");
    let described = |names: &[&'static str]| {
        string(root, names).or_else(|| metadata.and_then(|metadata| string(metadata, names)))
    };
    Ok(Specification {
        title: string(root, &["title"]),
        language: string(root, &["language"]).and_then(|tag| Language::parse(&tag)),
        minutes: root
            .get("estimated_duration_minutes")
            .and_then(Node::as_f64),
        difficulty: described(&["difficulty_level", "difficulty"]),
        audience: described(&["target_audience", "audience"]),
        tone: described(&["tone"]),
        archetype: described(&["content_archetype", "archetype"]),
        topic: described(&["topic"]),
        bloom_level: described(&["bloom_level", "bloomLevel", "blooms_level", "bloomsLevel"]),
        objectives: items(root.get("learning_objectives"))
            .chain(first_of(root, OUTCOME))
            .filter_map(objective)
            .collect(),
        sections: items(root.get("sections")).map(section).collect(),
        exercises: root
            .get("exercises")
            .map(|exercises| items(Some(exercises)).count()),
    })
}

/// The one outcome that an item is ordered for.
const OUTCOME: &[&str] = &["learning_outcome", "learningOutcome", "slo"];

/// Reads sources: chunks as JSON, or a plain text as a single passage.
///
/// # Errors
/// When the file is no text at all.
pub fn sources(bytes: Vec<u8>) -> Result<Vec<SourcePassage>, Unreadable> {
    const EXPECTED: Unreadable = Unreadable("a text, or a JSON list of passages");
    let source = Source::new(bytes);
    if source.encoding() == Encoding::Binary {
        return Err(EXPECTED);
    }
    let text = source.text().to_owned();
    let form = reading::read(source, Hint::None).form;
    let chunks: Vec<SourcePassage> = match &form {
        Form::Markdown(_) => Vec::new(),
        Form::Json(json) => json.root().map(passages).unwrap_or_default(),
        Form::JsonLines(values) => values
            .iter()
            .flat_map(|value| value.root().map(passages).unwrap_or_default())
            .collect(),
    };
    if !chunks.is_empty() {
        return Ok(chunks);
    }
    Ok(vec![SourcePassage {
        document: None,
        place: None,
        content: text,
    }])
}

/// Reads one entry of a scheme of work, or all entries of a whole one.
///
/// # Errors
/// When the file is neither.
pub fn scheme_of_work(bytes: Vec<u8>) -> Result<Vec<SchemeEntry>, Unreadable> {
    const EXPECTED: Unreadable =
        Unreadable("an entry of a scheme of work, or a whole one with `entries`");
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json.root().ok_or(EXPECTED)?;
    let entries: Vec<Node<'_>> = match root.kind() {
        Kind::Array => root.items().collect(),
        _ => match root.get("entries") {
            Some(entries) => items(Some(entries)).collect(),
            None => vec![root],
        },
    };
    let is_entry = |entry: &Node<'_>| {
        [
            "outcomeRefs",
            "lesson_type",
            "assessmentStandardRefs",
            "order",
            "label",
        ]
        .iter()
        .filter(|field| entry.get(field).is_some())
        .count()
            >= 2
    };
    let course = string(root, &["courseId"]);
    let entries: Vec<SchemeEntry> = entries
        .into_iter()
        .filter(is_entry)
        .map(|entry| scheme_entry(entry, course.as_deref()))
        .collect();
    if entries.is_empty() {
        Err(EXPECTED)
    } else {
        Ok(entries)
    }
}

/// Reads the outcomes of a course, with their assessment standards.
///
/// # Errors
/// When no outcome is found.
pub fn outcomes(bytes: Vec<u8>) -> Result<Vec<Outcome>, Unreadable> {
    const EXPECTED: Unreadable = Unreadable("a JSON list of outcomes with their codes");
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json.root().ok_or(EXPECTED)?;
    let list = match root.kind() {
        Kind::Array => root,
        _ => first_of(root, &["outcomes", "documents", "items"]).ok_or(EXPECTED)?,
    };
    let mut outcomes = Vec::new();
    for node in items(Some(list)) {
        if let Some(code) = first_of(node, &["outcomeId", "code", "id"]).and_then(id_text) {
            let description =
                string(node, &["outcomeTitle", "description", "desc", "title"]).unwrap_or_default();
            outcomes.push(Outcome {
                course: string(node, &["courseId"]),
                code,
                description,
            });
        }
        standards(node, &mut outcomes);
    }
    if outcomes.is_empty() {
        Err(EXPECTED)
    } else {
        Ok(outcomes)
    }
}

/// Standards stand as a list, or as a list written into a string.
fn standards(outcome: Node<'_>, outcomes: &mut Vec<Outcome>) {
    let Some(field) = first_of(outcome, &["assessmentStandards", "assessment_standards"]) else {
        return;
    };
    let mut add = |list: Node<'_>| {
        for standard in items(Some(list)) {
            if let Some(code) = first_of(standard, &["code", "id"]).and_then(id_text) {
                outcomes.push(Outcome {
                    course: string(outcome, &["courseId"]),
                    code,
                    description: string(standard, &["desc", "description"]).unwrap_or_default(),
                });
            }
        }
    };
    match field.as_str() {
        Some(written) => {
            if let Some(list) = redraft_text::json::scan(written, 0..written.len()).root() {
                add(list);
            }
        }
        None => add(field),
    }
}

fn json(bytes: Vec<u8>) -> Option<Json> {
    let source = Source::new(bytes);
    if source.encoding() == Encoding::Binary {
        return None;
    }
    let text = source.shared_text();
    match reading::read(source, Hint::Json).form {
        Form::Json(json) => Some(json),
        // A long list is read value by value, which is for banks.
        Form::JsonLines(_) => {
            let at = text.find('[').filter(|at| text[..*at].trim().is_empty());
            at.map(|at| redraft_text::json::scan(&text, at..text.len()))
        }
        Form::Markdown(_) => None,
    }
}

fn items<'a>(node: Option<Node<'a>>) -> impl Iterator<Item = Node<'a>> {
    node.into_iter().flat_map(Node::items)
}

fn string(node: Node<'_>, names: &[&str]) -> Option<String> {
    first_of(node, names).and_then(|field| field.as_str().map(str::to_owned))
}

/// Texts in a list, or the codes of objects in it.
fn strings(node: Option<Node<'_>>) -> Vec<String> {
    items(node)
        .filter_map(|item| match item.kind() {
            Kind::Object => first_of(item, &["code", "id", "text", "title"]).and_then(id_text),
            _ => id_text(item),
        })
        .collect()
}

fn objective(node: Node<'_>) -> Option<Objective> {
    if let Some(text) = node.as_str() {
        return Some(Objective {
            id: None,
            objective: text.to_owned(),
        });
    }
    Some(Objective {
        id: node.get("id").and_then(id_text),
        objective: string(node, &["objective", "text", "description"])?,
    })
}

fn section(node: Node<'_>) -> SectionSpecification {
    let constraints = node.get("constraints");
    let constraint = |name| constraints.and_then(|constraints| constraints.get(name));
    SectionSpecification {
        title: node
            .as_str()
            .map(str::to_owned)
            .or_else(|| string(node, &["title"]))
            .unwrap_or_default(),
        depth: constraints.and_then(|constraints| string(constraints, &["depth"])),
        required_keywords: strings(constraint("required_keywords")),
        prohibited_terms: strings(constraint("prohibited_terms")),
        key_points: strings(node.get("key_points_to_cover")),
    }
}

fn passages(root: Node<'_>) -> Vec<SourcePassage> {
    let list: Vec<Node<'_>> = match root.kind() {
        Kind::Array => root.items().collect(),
        _ => match first_of(root, &["chunks", "sources", "passages"]) {
            Some(list) => list.items().collect(),
            None => vec![root],
        },
    };
    list.into_iter()
        .filter_map(|node| {
            if let Some(text) = node.as_str() {
                return Some(SourcePassage {
                    document: None,
                    place: None,
                    content: text.to_owned(),
                });
            }
            Some(SourcePassage {
                document: string(node, &["document_name", "document_id", "document"]),
                place: first_of(node, &["page_or_section"]).and_then(id_text),
                content: string(node, &["content", "text"])?,
            })
        })
        .collect()
}

/// An entry; where it names no course, it is for the one of its scheme.
fn scheme_entry(node: Node<'_>, course: Option<&str>) -> SchemeEntry {
    let policy = node.get("policy");
    let calculator = policy.and_then(|policy| {
        policy
            .get("calculator_allowed")
            .and_then(Node::as_bool)
            .or_else(|| {
                // A mixed section neither allows nor forbids.
                calculator_section(&string(policy, &["calculator_section"])?)
            })
    });
    SchemeEntry {
        course: string(node, &["courseId"]).or_else(|| course.map(str::to_owned)),
        order: node.get("order").and_then(Node::as_i64),
        label: string(node, &["label", "title"]),
        lesson_type: string(node, &["lesson_type"]),
        minutes: node.get("estMinutes").and_then(Node::as_f64),
        outcomes: strings(node.get("outcomeRefs")),
        standards: strings(node.get("assessmentStandardRefs")),
        engagement_tags: strings(node.get("engagement_tags")),
        calculator_allowed: calculator,
        cards: node
            .get("lesson_plan")
            .map(|plan| {
                items(plan.get("card_structure"))
                    .map(planned_card)
                    .collect()
            })
            .unwrap_or_default(),
    }
}

fn planned_card(node: Node<'_>) -> PlannedCard {
    PlannedCard {
        kind: string(node, &["card_type"]),
        title: string(node, &["title"]),
        minutes: first_of(node, &["estimated_minutes", "estMinutes", "minutes"])
            .and_then(Node::as_f64),
        standards: strings(node.get("standards_addressed")),
    }
}

/// What the calculator section of a policy says; a mixed one, or one under exam
/// conditions, neither allows nor forbids.
pub(crate) fn calculator_section(section: &str) -> Option<bool> {
    let section = section.trim().to_lowercase().replace(['_', '-', ' '], "");
    match section.as_str() {
        "noncalc" | "noncalculator" => Some(false),
        "calc" | "calculator" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_is_read_with_objectives_as_texts_or_objects() {
        let read = specification(
            br#"{"title": "Water", "language": "en-GB", "estimated_duration_minutes": 15,
                "learning_objectives": ["name the boiling point", {"id": "LO2", "objective": "explain steam"}],
                "sections": [{"title": "Heat", "constraints": {"required_keywords": ["steam"], "prohibited_terms": ["magic"]}}],
                "metadata": {"target_audience": "adults", "tone": "calm", "content_archetype": "tutorial"},
                "exercises": [{}, {}]}"#
                .to_vec(),
        )
        .unwrap();
        assert_eq!(read.objectives.len(), 2);
        assert_eq!(read.objectives[1].id.as_deref(), Some("LO2"));
        assert_eq!(read.sections[0].required_keywords, ["steam"]);
        assert_eq!(read.sections[0].prohibited_terms, ["magic"]);
        assert_eq!((read.minutes, read.exercises), (Some(15.0), Some(2)));
        assert!(read.language.is_some());
        assert_eq!(read.audience.as_deref(), Some("adults"));
        assert_eq!(read.tone.as_deref(), Some("calm"));
        assert_eq!(read.archetype.as_deref(), Some("tutorial"));
    }

    #[test]
    fn a_companion_of_another_kind_is_refused_in_words() {
        assert!(specification(b"[1, 2]".to_vec()).is_err());
        assert!(specification(b"just words".to_vec()).is_err());
        assert!(scheme_of_work(br#"{"a": 1}"#.to_vec()).is_err());
        assert!(outcomes(b"[]".to_vec()).is_err());
    }

    #[test]
    fn sources_are_passages_or_a_plain_text() {
        let chunks = sources(
            br#"[{"chunk_id": "1", "document_name": "d", "content": "c", "page_or_section": 3}]"#
                .to_vec(),
        );
        assert_eq!(
            chunks.unwrap(),
            [SourcePassage {
                document: Some("d".to_owned()),
                place: Some("3".to_owned()),
                content: "c".to_owned()
            }]
        );
        assert_eq!(
            sources(b"plain words".to_vec()).unwrap()[0].content,
            "plain words"
        );
    }

    #[test]
    fn a_scheme_of_work_is_one_entry_or_many() {
        let entry = br#"{"order": 1, "label": "L", "outcomeRefs": ["O1"], "assessmentStandardRefs": [{"code": "AS1.1"}], "policy": {"calculator_section": "non_calc"}}"#;
        let one = scheme_of_work(entry.to_vec()).unwrap();
        assert_eq!(one[0].standards, ["AS1.1"]);
        assert_eq!(one[0].calculator_allowed, Some(false));
        let whole = format!(
            r#"{{"entries": [{0}, {0}]}}"#,
            String::from_utf8_lossy(entry)
        );
        assert_eq!(scheme_of_work(whole.into_bytes()).unwrap().len(), 2);
    }

    #[test]
    fn an_entry_brings_its_course_and_the_cards_of_its_plan() {
        let read = scheme_of_work(
            br#"{"courseId": "course_1", "entries": [{"order": 1, "label": "L", "lesson_plan": {"card_structure": [
                {"card_number": 1, "card_type": "starter", "title": "T", "estimated_minutes": 5, "standards_addressed": [{"code": "AS1.2"}]},
                {"card_type": "modelling"}]}}]}"#
                .to_vec(),
        )
        .unwrap();
        assert_eq!(read[0].course.as_deref(), Some("course_1"));
        assert_eq!(
            read[0].cards[0],
            PlannedCard {
                kind: Some("starter".to_owned()),
                title: Some("T".to_owned()),
                minutes: Some(5.0),
                standards: vec!["AS1.2".to_owned()],
            }
        );
        assert_eq!((read[0].cards.len(), read[0].cards[1].minutes), (2, None));
    }

    #[test]
    fn a_calculator_section_is_read_in_every_spelling() {
        for (section, expected) in [
            ("non_calc", Some(false)),
            ("noncalc", Some(false)),
            ("non-calculator", Some(false)),
            ("calc", Some(true)),
            ("mixed", None),
            ("exam_conditions", None),
        ] {
            assert_eq!(calculator_section(section), expected, "{section}");
        }
    }

    #[test]
    fn standards_written_into_a_string_are_read_too() {
        let read = outcomes(
            br#"[{"outcomeId": "O1", "outcomeTitle": "t", "assessmentStandards": "[{\"code\": \"AS1.1\", \"desc\": \"d\"}]"}]"#.to_vec(),
        )
        .unwrap();
        let codes: Vec<&str> = read.iter().map(|outcome| outcome.code.as_str()).collect();
        assert_eq!(codes, ["O1", "AS1.1"]);
    }
}
