//! Reads the files that come with a document: specification, sources, scheme of
//! work, outcomes. Reading is lenient; a file that is not at all what it should be
//! is an error that says so. The fields are declared in `companions/fields.rs`.

mod details;
pub mod fields;
mod injections;
mod unknown_keys;

use redraft_gate::companion::{
    Objective, Outcome, PlannedCard, SchemeEntry, SectionSpecification, SourcePassage,
    Specification,
};
use redraft_gate::reading::{self, Form, Hint};
use redraft_gate::source::Source;
use redraft_text::encoding::Encoding;
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use crate::fields::id_text;

pub use details::entry_alone;
pub use injections::inspect;
pub use unknown_keys::{NotRead, UnknownKey, WrongValue, not_read};

use fields::Field;

/// A companion that is not what it should be: what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub &'static str);

/// Reads a lesson's specification.
///
/// # Errors
/// If the file is not a JSON object, or has none of a specification's fields.
pub fn specification(bytes: Vec<u8>) -> Result<Specification, Unreadable> {
    use fields::description as described;
    use fields::specification as field;
    const EXPECTED: Unreadable =
        Unreadable("a JSON object with the fields of a lesson specification");
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json
        .root()
        .filter(|root| root.kind() == Kind::Object && field::OBJECT.is(*root))
        .ok_or(EXPECTED)?;
    // Generators describe the lesson either at the top or in `metadata`.
    let metadata = field::METADATA.of(root);
    let describe = |field: &Field| {
        text(root, field).or_else(|| metadata.and_then(|metadata| text(metadata, field)))
    };
    Ok(Specification {
        title: text(root, &field::TITLE),
        language: text(root, &field::LANGUAGE).and_then(|tag| Language::parse(&tag)),
        minutes: field::MINUTES.of(root).and_then(Node::as_f64),
        difficulty: describe(&described::DIFFICULTY),
        audience: describe(&described::AUDIENCE),
        tone: describe(&described::TONE),
        archetype: describe(&described::ARCHETYPE),
        topic: describe(&described::TOPIC),
        bloom_level: describe(&described::BLOOM_LEVEL),
        objectives: items(root, &field::OBJECTIVES)
            .chain(field::OUTCOME.of(root))
            .filter_map(objective)
            .collect(),
        sections: items(root, &field::SECTIONS).map(section).collect(),
        exercises: field::EXERCISES
            .present(root)
            .map(|exercises| exercises.items().count()),
    })
}

/// Reads sources: passages as JSON, or a plain text as a single passage.
///
/// # Errors
/// If the file is not a text.
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
/// If the file is neither.
pub fn scheme_of_work(bytes: Vec<u8>) -> Result<Vec<SchemeEntry>, Unreadable> {
    use fields::scheme as field;
    const EXPECTED: Unreadable =
        Unreadable("an entry of a scheme of work, or a whole one with `entries`");
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json.root().ok_or(EXPECTED)?;
    let entries: Vec<Node<'_>> = match root.kind() {
        Kind::Array => root.items().collect(),
        _ => match field::ENTRIES.present(root) {
            Some(entries) => entries.items().collect(),
            None => vec![root],
        },
    };
    let course = text(root, &field::COURSE);
    let entries: Vec<SchemeEntry> = entries
        .into_iter()
        .filter(|entry| fields::scheme_entry::OBJECT.is(*entry))
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
/// If the file has no outcomes.
pub fn outcomes(bytes: Vec<u8>) -> Result<Vec<Outcome>, Unreadable> {
    use fields::outcome as field;
    const EXPECTED: Unreadable = Unreadable("a JSON list of outcomes with their codes");
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json.root().ok_or(EXPECTED)?;
    let list = match root.kind() {
        Kind::Array => root,
        _ => fields::outcome_file::OUTCOMES.of(root).ok_or(EXPECTED)?,
    };
    let mut outcomes = Vec::new();
    for node in list.items() {
        if let Some(code) = field::CODE.of(node).and_then(id_text) {
            outcomes.push(Outcome {
                course: text(node, &field::COURSE),
                code,
                description: text(node, &field::DESCRIPTION).unwrap_or_default(),
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

/// Standards are a list, or a list written as JSON into a string.
fn standards(outcome: Node<'_>, outcomes: &mut Vec<Outcome>) {
    use fields::standard as field;
    let Some(list) = fields::outcome::STANDARDS.of(outcome) else {
        return;
    };
    let mut add = |list: Node<'_>| {
        for standard in list.items() {
            if let Some(code) = field::CODE.of(standard).and_then(id_text) {
                outcomes.push(Outcome {
                    course: text(outcome, &fields::outcome::COURSE),
                    code,
                    description: text(standard, &field::DESCRIPTION).unwrap_or_default(),
                });
            }
        }
    };
    match list.as_str() {
        Some(written) => {
            if let Some(list) = redraft_text::json::scan(written, 0..written.len()).root() {
                add(list);
            }
        }
        None => add(list),
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

fn items<'a>(node: Node<'a>, field: &Field) -> impl Iterator<Item = Node<'a>> + use<'a> {
    field.of(node).into_iter().flat_map(Node::items)
}

fn text(node: Node<'_>, field: &Field) -> Option<String> {
    field
        .of(node)
        .and_then(|value| value.as_str().map(str::to_owned))
}

/// The texts of a list, or the codes of objects in it.
fn codes(node: Node<'_>, field: &Field) -> Vec<String> {
    items(node, field)
        .filter_map(|item| match item.kind() {
            Kind::Object => fields::code::CODE.of(item).and_then(id_text),
            _ => id_text(item),
        })
        .collect()
}

fn objective(node: Node<'_>) -> Option<Objective> {
    use fields::objective as field;
    if let Some(text) = node.as_str() {
        return Some(Objective {
            id: None,
            objective: text.to_owned(),
        });
    }
    Some(Objective {
        id: field::ID.of(node).and_then(id_text),
        objective: text(node, &field::OBJECTIVE)?,
    })
}

fn section(node: Node<'_>) -> SectionSpecification {
    use fields::constraints as constraint;
    use fields::section as field;
    // Generators write them either in the section or in `constraints`.
    let constraints = field::CONSTRAINTS.of(node);
    let terms = |field: &Field| {
        let own = codes(node, field);
        match constraints {
            Some(constraints) if own.is_empty() => codes(constraints, field),
            _ => own,
        }
    };
    SectionSpecification {
        title: node
            .as_str()
            .map(str::to_owned)
            .or_else(|| text(node, &field::TITLE))
            .unwrap_or_default(),
        depth: text(node, &constraint::DEPTH)
            .or_else(|| constraints.and_then(|node| text(node, &constraint::DEPTH))),
        required_keywords: terms(&constraint::REQUIRED_KEYWORDS),
        prohibited_terms: terms(&constraint::PROHIBITED_TERMS),
        key_points: codes(node, &field::KEY_POINTS),
    }
}

fn passages(root: Node<'_>) -> Vec<SourcePassage> {
    use fields::passage as field;
    let list: Vec<Node<'_>> = match root.kind() {
        Kind::Array => root.items().collect(),
        _ => match fields::source_file::PASSAGES.of(root) {
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
                document: text(node, &field::DOCUMENT),
                place: field::PLACE.of(node).and_then(id_text),
                content: text(node, &field::CONTENT)?,
            })
        })
        .collect()
}

/// An entry; if it names no course, it belongs to the course of its scheme.
fn scheme_entry(node: Node<'_>, course: Option<&str>) -> SchemeEntry {
    use fields::scheme_entry as field;
    SchemeEntry {
        course: text(node, &field::COURSE).or_else(|| course.map(str::to_owned)),
        order: field::ORDER.of(node).and_then(Node::as_i64),
        label: text(node, &field::LABEL),
        lesson_type: text(node, &field::LESSON_TYPE),
        minutes: field::MINUTES.of(node).and_then(Node::as_f64),
        outcomes: codes(node, &field::OUTCOMES),
        standards: codes(node, &field::STANDARDS),
        engagement_tags: codes(node, &field::ENGAGEMENT_TAGS),
        calculator_allowed: field::POLICY.of(node).and_then(calculator),
        standard_descriptions: details::descriptions(node, &field::STANDARDS),
        details: details::of_entry(node),
        cards: field::PLAN.of(node).map_or_else(Vec::new, |plan| {
            items(plan, &fields::lesson_plan::CARDS)
                .map(planned_card)
                .collect()
        }),
    }
}

fn calculator(policy: Node<'_>) -> Option<bool> {
    use fields::entry_policy as field;
    field::CALCULATOR_ALLOWED
        .of(policy)
        .and_then(Node::as_bool)
        .or_else(|| calculator_section(&text(policy, &field::CALCULATOR_SECTION)?))
}

fn planned_card(node: Node<'_>) -> PlannedCard {
    use fields::planned_card as field;
    PlannedCard {
        kind: text(node, &field::KIND),
        title: text(node, &field::TITLE),
        minutes: field::MINUTES.of(node).and_then(Node::as_f64),
        standards: codes(node, &field::STANDARDS),
        details: details::of_card(node),
    }
}

/// Reads the calculator section of a policy. A mixed one, or one under exam
/// conditions, neither allows nor forbids a calculator.
pub(crate) fn calculator_section(section: &str) -> Option<bool> {
    let section = section.trim().to_lowercase().replace(['_', '-', ' '], "");
    match section.as_str() {
        "noncalc" | "noncalculator" => Some(false),
        "calc" | "calculator" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
