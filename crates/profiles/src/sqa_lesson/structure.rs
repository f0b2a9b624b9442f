//! What a repair of a template may change besides its texts (ruling 59): lists of the
//! lesson and of its cards, a question type that the key allows, and an answer that
//! arithmetic proves wrong. How it is done is for `redraft_run::structure`.
//!
//! | component | slot | may have |
//! |---|---|---|
//! | meta | `outcomeRefs`, `assessmentStandardRefs` | codes of the scheme of work and of the outcomes |
//! | meta | `engagement_tags` | themes of the scheme of work; any without one |
//! | card | `hints` of a question, `context_hooks` | texts |
//! | card | `misconceptions` | entries with ids of the file's own kind |
//! | card | `rubric.criteria`, `total_points` | points that add up |
//! | card | `type` of a multiple-choice question | numeric, where the right option is a number; structured, where there is a rubric |
//! | card | `expected`, `answerIndex` | the result that arithmetic proves, where another one is written |

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::reading::{self, Form, Hint};
use redraft_gate::span::ComponentId;
use redraft_run::structure::{
    Choice, Entries, EntryField, FieldKind, IdStyle, Slot, SlotForm, Texts, Total, Value,
    ValueChange,
};
use redraft_text::json::{Kind, Node};

use super::arithmetic;
use super::checks::proven_answer;
use super::model::{self, Card, Cfu, CfuKind, ChoiceForm, Listed, Rubric, Template, Text};
use super::scheme::{self, same_code};

const HINTS: &[&str] = &[" hint", " scaffold", " support"];
const RUBRIC: &[&str] = &[
    " rubric", " criteri", " mark ", " marks ", " marking", " point ", " points ",
];
const MISCONCEPTIONS: &[&str] = &[" misconception"];
const CONTEXTS: &[&str] = &[" context", " hook", " setting", " theme"];
const CODES: &[&str] = &[" outcome", " assessment standard", " standard"];
const TAGS: &[&str] = &[" engagement tag", " tag ", " tags ", " theme"];
const TYPES: &[&str] = &[
    " multiple choice",
    " mcq",
    " question type",
    " cfu type",
    " numeric",
    " structured question",
];
const ANSWERS: &[&str] = &[" expected", " answer", " key "];

/// The slots of one component.
pub(super) fn slots(
    document: &Document,
    component: &ComponentId,
    companions: &Companions,
) -> Vec<Slot> {
    let Some(template) = model::template(document) else {
        return Vec::new();
    };
    let part = document
        .components()
        .iter()
        .find(|part| part.id == *component);
    let Some(part) = part else { return Vec::new() };
    if component.0 == "meta" {
        return meta(template, companions, &part.range);
    }
    let card = template.cards.iter().find(|card| card.range == part.range);
    let Some(card) = card else { return Vec::new() };
    let Form::Json(json) = reading::read(document.source().clone(), Hint::Json).form else {
        return Vec::new();
    };
    let node = json
        .root()
        .and_then(|root| root.get("cards"))
        .and_then(|cards| cards.items().find(|item| item.span() == card.range));
    let Some(node) = node else { return Vec::new() };
    CardSlots {
        template,
        card,
        node,
        paths: paths(node),
    }
    .all()
}

fn meta(template: &Template, companions: &Companions, within: &Range<usize>) -> Vec<Slot> {
    let entry = scheme::entry(template, companions).map(|matched| matched.entry);
    let codes_of_entry: Vec<&String> = entry
        .into_iter()
        .flat_map(|entry| entry.outcomes.iter().chain(&entry.standards))
        .collect();
    let mut codes: Vec<String> = codes_of_entry.iter().map(|&code| code.clone()).collect();
    codes.extend(scheme::outcomes(template, companions).map(|outcome| outcome.code.clone()));
    codes.sort();
    codes.dedup();
    let kept = |list: &Listed<Text>, asked: &[&String]| -> Vec<String> {
        list.values()
            .filter(|own| asked.iter().any(|code| same_code(own, code)))
            .map(str::to_owned)
            .collect()
    };
    // A list after the cards is not in the component.
    let lies_within = |list: &Listed<Text>| {
        list.range
            .as_ref()
            .is_none_or(|range| range.end <= within.end)
    };
    let mut found = Vec::new();
    let mut list = |name: &str, list: &Listed<Text>, texts: Texts, about| {
        if lies_within(list) {
            found.push(Slot {
                path: name.to_owned(),
                form: SlotForm::Texts(texts),
                about,
            });
        }
    };
    if !codes.is_empty() {
        let texts = |own: &Listed<Text>, least| Texts {
            allowed: Some(codes.clone()),
            keep: kept(own, &codes_of_entry),
            least,
        };
        list(
            "outcomeRefs",
            &template.outcomes,
            texts(&template.outcomes, 1),
            CODES,
        );
        if template.standards.range.is_some() {
            let texts = texts(&template.standards, 0);
            list("assessmentStandardRefs", &template.standards, texts, CODES);
        }
    }
    let tags: Vec<&String> = entry
        .into_iter()
        .flat_map(|entry| &entry.engagement_tags)
        .collect();
    let texts = Texts {
        allowed: entry.map(|_| tags.iter().map(|&tag| tag.clone()).collect()),
        keep: kept(&template.engagement_tags, &tags),
        least: 0,
    };
    list("engagement_tags", &template.engagement_tags, texts, TAGS);
    found
}

/// The paths of all objects below a card, by where they are.
fn paths(card: Node<'_>) -> BTreeMap<(usize, usize), String> {
    let mut found = BTreeMap::new();
    let mut open = vec![card];
    while let Some(node) = open.pop() {
        if node.kind() == Kind::Object {
            found.insert((node.span().start, node.span().end), node.path());
        }
        open.extend(node.items());
        open.extend(node.members().map(|(_, value)| value));
    }
    found
}

/// The slots of one card.
struct CardSlots<'a> {
    template: &'a Template,
    card: &'a Card,
    node: Node<'a>,
    paths: BTreeMap<(usize, usize), String>,
}

impl CardSlots<'_> {
    fn all(&self) -> Vec<Slot> {
        let mut found = Vec::new();
        let card_path = self.node.path();
        for cfu in &self.card.cfus {
            self.question(cfu, &mut found);
        }
        self.rubrics(&mut found);
        found.push(self.misconceptions(&card_path));
        found.push(Slot {
            path: format!("{card_path}.context_hooks"),
            form: SlotForm::Texts(Texts::default()),
            about: CONTEXTS,
        });
        found
    }

    fn path(&self, range: &Range<usize>) -> Option<&str> {
        self.paths
            .get(&(range.start, range.end))
            .map(String::as_str)
    }

    fn question(&self, cfu: &Cfu, found: &mut Vec<Slot>) {
        let Some(path) = self.path(&cfu.range) else {
            return;
        };
        let slot = |name: &str, form, about| Slot {
            path: format!("{path}.{name}"),
            form,
            about,
        };
        found.push(slot("hints", SlotForm::Texts(Texts::default()), HINTS));
        let choices = types(cfu, path, self);
        if !choices.is_empty() {
            found.push(slot("type", SlotForm::Value(choices), TYPES));
        }
        if let Some((name, choice)) = self.proven(cfu, path) {
            found.push(slot(&name, SlotForm::Value(vec![choice]), ANSWERS));
        }
        for subquestion in &cfu.subquestions {
            self.question(subquestion, found);
        }
    }

    /// The answer that arithmetic proves, where another one is written.
    fn proven(&self, cfu: &Cfu, path: &str) -> Option<(String, Choice)> {
        let proven = proven_answer(cfu)?;
        let node = find(self.node, &cfu.range)?;
        if cfu.kind == CfuKind::Mcq {
            let mut right = cfu.options.items.iter().enumerate().filter(|(_, option)| {
                let text = option.text.as_ref().map(|text| text.value.as_str());
                text.and_then(arithmetic::number)
                    .is_some_and(|number| arithmetic::agrees(proven, number, proven_tolerance()))
            });
            let (Some((index, option)), None) = (right.next(), right.next()) else {
                return None;
            };
            let name = first_member(node, &["answerIndex", "answer_index", "correctIndex"])?;
            if option.form == ChoiceForm::Object {
                return None;
            }
            let value = index.to_string();
            return Some((
                name.clone(),
                set(format!("{path}.{name}"), Value::Number(value)),
            ));
        }
        let name = first_member(
            node,
            &["expected", "answer", "expected_answer", "correct_answer"],
        )?;
        let [answer] = cfu.expected.as_slice() else {
            return None;
        };
        let digits = arithmetic::written(proven);
        let value = match answer.number {
            Some(_) => Value::Number(digits),
            None if answer.text.trim_start().starts_with('£') => Value::Text(format!("£{digits}")),
            None => Value::Text(digits),
        };
        Some((name.clone(), set(format!("{path}.{name}"), value)))
    }

    fn rubrics(&self, found: &mut Vec<Slot>) {
        let rubrics = self.card.rubrics();
        for rubric in &rubrics {
            let Some(path) = self.path(&rubric.range) else {
                continue;
            };
            let Some(node) = find(self.node, &rubric.range) else {
                continue;
            };
            criteria(rubric, node, path, found);
        }
        if rubrics.is_empty()
            && let Some(cfu) = self.card.cfus.first()
        {
            // Where the other cards of the lesson have theirs.
            let on_card = self.template.cards.iter().any(|card| card.rubric.is_some());
            let parent = match on_card {
                true => self.path(&self.card.range),
                false => self.path(&cfu.range),
            };
            if let Some(parent) = parent {
                found.push(criteria_slot(
                    format!("{parent}.rubric.criteria"),
                    ("description", "points"),
                    Some("total_points"),
                ));
            }
        }
    }

    fn misconceptions(&self, card_path: &str) -> Slot {
        let path = format!("{card_path}.misconceptions");
        let first = self
            .node
            .get("misconceptions")
            .and_then(|list| list.items().next());
        let form = match first {
            Some(first) if first.kind() == Kind::String => SlotForm::Texts(Texts::default()),
            _ => {
                let names: [&str; 2] = match first.map(|first| first.get("error_pattern").is_some())
                {
                    Some(true) => ["error_pattern", "how_to_address"],
                    _ => ["misconception", "clarification"],
                };
                SlotForm::Entries(Entries {
                    fields: names
                        .map(|name| EntryField {
                            name: name.to_owned(),
                            kind: FieldKind::Text,
                        })
                        .to_vec(),
                    ids: id_style(self.template),
                    total: None,
                    least: 0,
                })
            }
        };
        Slot {
            path,
            form,
            about: MISCONCEPTIONS,
        }
    }
}

/// Nothing is left to rounding where an answer is to be proved.
fn proven_tolerance() -> arithmetic::Rational {
    arithmetic::Rational::ZERO
}

fn set(path: String, value: Value) -> Choice {
    let written = match &value {
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::Bool(_) | Value::List(_) | Value::Object(_) => String::new(),
    };
    Choice {
        value: written,
        means: "what the question works out to".to_owned(),
        changes: vec![ValueChange {
            path,
            to: Some(value),
        }],
    }
}

/// The object below a card with this range.
fn find<'a>(card: Node<'a>, range: &Range<usize>) -> Option<Node<'a>> {
    let mut open = vec![card];
    while let Some(node) = open.pop() {
        if node.span() == *range {
            return Some(node);
        }
        open.extend(node.items());
        open.extend(node.members().map(|(_, value)| value));
    }
    None
}

fn first_member(node: Node<'_>, names: &[&str]) -> Option<String> {
    let name = names.iter().find(|name| node.get(name).is_some())?;
    Some((*name).to_owned())
}

/// The types that a multiple-choice question may become without losing its key.
fn types(cfu: &Cfu, path: &str, slots: &CardSlots<'_>) -> Vec<Choice> {
    let (CfuKind::Mcq, [key]) = (cfu.kind, cfu.keys.as_slice()) else {
        return Vec::new();
    };
    let right = key
        .index
        .and_then(|index| usize::try_from(index).ok())
        .and_then(|index| cfu.options.items.get(index))
        .and_then(|option| option.text.as_ref());
    let (Some(right), Some(node)) = (right, find(slots.node, &cfu.range)) else {
        return Vec::new();
    };
    let change = |name: &str, to: Option<Value>| ValueChange {
        path: format!("{path}.{name}"),
        to,
    };
    let gone: Vec<ValueChange> = [
        "options",
        "answerIndex",
        "answer_index",
        "correctIndex",
        "multiSelect",
        "multi_select",
    ]
    .into_iter()
    .filter(|name| node.get(name).is_some())
    .map(|name| change(name, None))
    .collect();
    let mut choices = Vec::new();
    if let Some(number) = arithmetic::number(&right.value) {
        let mut changes = vec![
            change("type", Some(Value::Text("numeric".to_owned()))),
            change("expected", Some(Value::Number(arithmetic::written(number)))),
            change("tolerance", Some(Value::Number("0".to_owned()))),
        ];
        if right.value.contains('£') {
            changes.push(change("money2dp", Some(Value::Bool(true))));
        }
        changes.extend(gone.iter().cloned());
        choices.push(Choice {
            value: "numeric".to_owned(),
            means: format!(
                "the options go, and {} becomes the expected answer",
                right.value.trim()
            ),
            changes,
        });
    }
    if !slots.card.rubrics().is_empty() {
        let structured = slots
            .template
            .cards
            .iter()
            .flat_map(|card| &card.cfus)
            .find(|other| other.kind == CfuKind::Structured)
            .and_then(|other| other.kind_written.as_ref())
            .map_or("structured_response", |written| written.value.as_str());
        let mut changes = vec![
            change("type", Some(Value::Text(structured.to_owned()))),
            change("model_answer", Some(Value::Text(right.value.clone()))),
        ];
        changes.extend(gone);
        choices.push(Choice {
            value: structured.to_owned(),
            means: "the options go, the rubric marks the working, and the right option becomes the model answer".to_owned(),
            changes,
        });
    }
    choices
}

fn criteria(rubric: &Rubric, node: Node<'_>, path: &str, found: &mut Vec<Slot>) {
    let items: Vec<Node<'_>> = node
        .get("criteria")
        .into_iter()
        .flat_map(Node::items)
        .collect();
    // Criteria without points of their own have nothing that adds up.
    if items.iter().any(|item| item.kind() != Kind::Object) {
        return;
    }
    let named = |names: &[&'static str]| {
        names
            .iter()
            .copied()
            .find(|name| items.iter().any(|item| item.get(name).is_some()))
    };
    let words = named(&["description", "descriptor", "criterion", "text"]).unwrap_or("description");
    let points = named(&["points", "marks"]).unwrap_or("points");
    let total = ["total_points", "total_marks", "total"]
        .into_iter()
        .find(|name| node.get(name).is_some());
    found.push(criteria_slot(
        format!("{path}.criteria"),
        (words, points),
        total,
    ));
    if let (Some(total), Some(_)) = (total, &rubric.total) {
        found.push(Slot {
            path: format!("{path}.{total}"),
            form: SlotForm::Number,
            about: RUBRIC,
        });
    }
}

fn criteria_slot(path: String, (words, points): (&str, &str), total: Option<&str>) -> Slot {
    let field = |name: &str, kind| EntryField {
        name: name.to_owned(),
        kind,
    };
    Slot {
        path,
        form: SlotForm::Entries(Entries {
            fields: vec![
                field(words, FieldKind::Text),
                field(points, FieldKind::Number),
            ],
            ids: None,
            total: total.map(|name| Total {
                name: name.to_owned(),
                of: points.to_owned(),
            }),
            least: 1,
        }),
        about: RUBRIC,
    }
}

/// Ids as the last misconception of the lesson has one.
fn id_style(template: &Template) -> Option<IdStyle> {
    let all = || {
        template
            .cards
            .iter()
            .flat_map(|card| &card.misconceptions.items)
    };
    let last = all().filter_map(|item| item.id.as_ref()).next_back();
    let Some(last) = last else {
        // A file whose misconceptions have no ids stays without; a first one gets one.
        return all().next().is_none().then(|| IdStyle {
            field: "id".to_owned(),
            prefix: "MISC_".to_owned(),
            width: 3,
        });
    };
    let stem = last.value.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = last.value.len() - stem.len();
    let prefix = match digits {
        0 => format!("{stem}_"),
        _ => stem.to_owned(),
    };
    Some(IdStyle {
        field: "id".to_owned(),
        prefix,
        width: digits.max(1),
    })
}

#[cfg(test)]
mod tests;
