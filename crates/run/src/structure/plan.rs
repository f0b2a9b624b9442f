//! Turns proposed operations into edits of the file. All operations on one list, and all values of
//! one object, are written together so that commas come out right.

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_text::json::{Json, Kind, Node};

use super::json_path::{find, parent, split_index};
use super::sequence::{Changes, Sequence};
use super::values::{Style, indentation_at};
use super::{Entries, Operation, Slot, SlotForm, Texts, Value, ValueChange, entry};
use crate::complaint::{Complaint, ComplaintKind, quoted};
use crate::outcome::OperationKind;
use crate::route::RepairTask;
use redraft_gate::content::Document;
use redraft_gate::edit::{self, Edit};
use redraft_gate::reading::{self, Form, Hint};
use redraft_gate::span::ComponentId;

/// The operations on a slot, each with the index of its entry.
type SlotOperations<'a> = (&'a Slot, Vec<(Option<usize>, Served<'a>)>);

/// What operations are checked against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Structure<'a> {
    /// What the profile allows a repair of this component to change.
    pub(crate) slots: &'a [Slot],
    pub(crate) task: &'a RepairTask,
}

/// A proposed operation with the issues that it serves.
pub(crate) type Served<'a> = (&'a Operation, &'a [String]);

/// An edit of the file with the issues that it serves.
pub(crate) type ServedEdit = (Edit, Vec<String>);

/// Turns operations into edits.
///
/// # Errors
/// If an operation is not allowed. The complaint says what to do.
pub(crate) fn edits(
    (document, component): (&Document, &ComponentId),
    structure: Structure<'_>,
    operations: &[Served<'_>],
) -> Result<Vec<ServedEdit>, Complaint> {
    if operations.is_empty() {
        return Ok(Vec::new());
    }
    let source = document.source();
    let json = read(document).ok_or_else(|| rejected("the file is not JSON and has no lists"))?;
    let root = json.root().ok_or_else(|| rejected("the file is empty"))?;
    let within = document
        .components()
        .iter()
        .find(|part| part.id == *component)
        .map_or(0..0, |part| part.range.clone());
    let mut file = File {
        text: source.text(),
        root,
        style: Style::of(source.text()),
        within,
        edits: Vec::new(),
    };
    let mut by_slot: BTreeMap<&str, SlotOperations<'_>> = BTreeMap::new();
    for served in operations {
        let (slot, index) = slot_of(structure, served.0)?;
        let entry = by_slot.entry(&slot.path).or_insert((slot, Vec::new()));
        entry.1.push((index, *served));
    }
    let mut values = Vec::new();
    for (slot, operations) in by_slot.values() {
        file.plan(slot, operations, &mut values)?;
    }
    file.set(&values)?;
    let edits: Vec<ServedEdit> = file
        .edits
        .into_iter()
        .map(|(range, text, issues)| (document.edit_source(range, text), issues))
        .collect();
    let touched: Vec<&str> = by_slot.keys().copied().collect();
    add_up(document, structure.slots, &touched, &edits)?;
    Ok(edits)
}

/// The JSON of a document.
pub(crate) fn read(document: &Document) -> Option<Json> {
    match reading::read(document.source().clone(), Hint::Json).form {
        Form::Json(json) => Some(json),
        Form::Markdown(_) | Form::JsonLines(_) => None,
    }
}

fn rejected(message: impl Into<String>) -> Complaint {
    Complaint::new(ComplaintKind::NotAllowed, message)
}

/// The slot that an operation names, by its full path or the end of it.
fn slot_of<'a>(
    structure: Structure<'a>,
    operation: &Operation,
) -> Result<(&'a Slot, Option<usize>), Complaint> {
    let (path, index) = split_index(&operation.path);
    let exact = structure.slots.iter().find(|slot| slot.path == path);
    let mut alike = structure
        .slots
        .iter()
        .filter(|slot| slot.path.ends_with(&format!(".{path}")));
    let slot = exact.or_else(|| match (alike.next(), alike.next()) {
        (Some(slot), None) => Some(slot),
        _ => None,
    });
    let Some(slot) = slot else {
        let names: Vec<&str> = structure
            .slots
            .iter()
            .filter(|slot| slot.is_asked_for(structure.task))
            .map(|slot| slot.path.as_str())
            .collect();
        let message = match names.as_slice() {
            [] => format!(
                "{} cannot be changed by an operation; edit the texts that are shown",
                quoted(path)
            ),
            names => format!(
                "{} cannot be changed by an operation; these can: {}",
                quoted(path),
                names.join(", ")
            ),
        };
        return Err(Complaint::new(ComplaintKind::NotAllowed, message));
    };
    if !slot.is_asked_for(structure.task) {
        return Err(rejected(format!(
            "no issue is about `{}`; leave it as it is",
            slot.path
        )));
    }
    if !slot.operations().contains(&operation.kind) {
        return Err(rejected(format!(
            "`{}` can only be replaced; use REPLACE",
            slot.path
        )));
    }
    Ok((slot, index))
}

/// The file and the edits planned so far.
struct File<'a> {
    text: &'a str,
    root: Node<'a>,
    style: Style,
    /// The range of the component. Nothing is inserted outside it.
    within: Range<usize>,
    edits: Vec<(Range<usize>, String, Vec<String>)>,
}

/// A value to set, with the issues that it serves.
type Wanted = (ValueChange, Vec<String>);

impl File<'_> {
    fn plan(
        &mut self,
        slot: &Slot,
        operations: &[(Option<usize>, Served<'_>)],
        values: &mut Vec<Wanted>,
    ) -> Result<(), Complaint> {
        match &slot.form {
            SlotForm::Value(choices) => {
                for (_, (operation, issues)) in operations {
                    let body = operation.body.trim();
                    let choice = choices.iter().find(|choice| choice.value == body);
                    let Some(choice) = choice else {
                        let allowed: Vec<&str> =
                            choices.iter().map(|choice| choice.value.as_str()).collect();
                        return Err(rejected(format!(
                            "`{}` cannot become {}; the program can only prove {}",
                            slot.path,
                            quoted(body),
                            allowed.join(" or ")
                        )));
                    };
                    let wanted = choice.changes.iter().cloned();
                    values.extend(wanted.map(|change| (change, issues.to_vec())));
                }
                Ok(())
            }
            SlotForm::Number => {
                for (_, (operation, issues)) in operations {
                    let change = ValueChange {
                        path: slot.path.clone(),
                        to: Some(entry::number(&operation.body, &slot.path)?),
                    };
                    values.push((change, issues.to_vec()));
                }
                Ok(())
            }
            SlotForm::Texts(texts) => self.list(slot, operations, &Kinds::Texts(texts), values),
            SlotForm::Entries(entries) => {
                self.list(slot, operations, &Kinds::Entries(entries), values)
            }
        }
    }

    /// Plans the operations on one list.
    fn list(
        &mut self,
        slot: &Slot,
        operations: &[(Option<usize>, Served<'_>)],
        kinds: &Kinds<'_>,
        values: &mut Vec<Wanted>,
    ) -> Result<(), Complaint> {
        let found = find(self.root, &slot.path).filter(|node| node.kind() != Kind::Null);
        if found.is_some_and(|node| node.kind() != Kind::Array) {
            return Err(rejected(format!(
                "`{}` is not a list; edit its text",
                slot.path
            )));
        }
        let list = found;
        let items: Vec<Node<'_>> = list.into_iter().flat_map(Node::items).collect();
        let mut known = entry::Known::of(self.root, &items);
        let mut changes = Changes::default();
        let mut added = Vec::new();
        let mut all_issues: Vec<String> = Vec::new();
        for (index, (operation, issues)) in operations {
            all_issues.extend(issues.iter().cloned());
            if operation.kind == OperationKind::Add {
                added.extend(kinds.read_new(slot, &operation.body, &mut known)?);
                continue;
            }
            let item = index.and_then(|index| items.get(index).map(|item| (index, *item)));
            let Some((index, item)) = item else {
                return Err(rejected(format!(
                    "`{}` has no entry {}; name one of its {} entries, as in `{}[0]`",
                    slot.path,
                    index.map_or_else(|| "without a number".to_owned(), |index| index.to_string()),
                    items.len(),
                    slot.path
                )));
            };
            if kinds.must_stay(item) {
                return Err(rejected(format!(
                    "{} is required; keep it in `{}`",
                    quoted(item.as_str().unwrap_or_default()),
                    slot.path
                )));
            }
            if operation.kind == OperationKind::Remove {
                changes.removed.insert(index);
                continue;
            }
            for (range, text) in
                kinds.replaced(slot, (item, &operation.body), (&mut known, &self.style))?
            {
                self.edits.push((range, text, issues.to_vec()));
            }
        }
        all_issues.sort();
        all_issues.dedup();
        let left = items.len() - changes.removed.len() + added.len();
        if left < kinds.least() {
            return Err(rejected(format!(
                "`{}` would have {left} entries and needs at least {}",
                slot.path,
                kinds.least()
            )));
        }
        let Some(list) = list else {
            values.extend(new_list(slot, kinds, (self.root, added), &all_issues));
            return Ok(());
        };
        let sequence = Sequence {
            text: self.text,
            span: list.span(),
            items: items.iter().map(|item| item.span()).collect(),
        };
        // New entries are formatted on lines like their neighbours.
        let on_lines = sequence.is_on_lines(&self.style)
            && items
                .iter()
                .find(|item| item.kind() == Kind::Object)
                .is_none_or(|item| {
                    self.text
                        .get(item.span())
                        .unwrap_or_default()
                        .contains('\n')
                });
        let indent = sequence.indentation(&self.style);
        let indent = on_lines.then_some(indent.as_str());
        changes.added = added
            .iter()
            .map(|value| self.style.value(value, indent))
            .collect();
        for (range, text) in sequence.splices(&changes, &self.style) {
            self.edits.push((range, text, all_issues.clone()));
        }
        Ok(())
    }

    /// Sets or removes values, object by object.
    fn set(&mut self, wanted: &[Wanted]) -> Result<(), Complaint> {
        let mut by_object: BTreeMap<&str, Vec<(&str, &Wanted)>> = BTreeMap::new();
        for one in wanted {
            let (object, key) = parent(&one.0.path)
                .ok_or_else(|| rejected(format!("`{}` is not a value of an object", one.0.path)))?;
            by_object.entry(object).or_default().push((key, one));
        }
        for (path, wanted) in by_object {
            let object = find(self.root, path)
                .filter(|node| node.kind() == Kind::Object)
                .ok_or_else(|| rejected(format!("`{path}` is not an object")))?;
            let members: Vec<(Range<usize>, &str)> = object
                .members()
                .map(|(key, value)| (key.span.start..value.span().end, key.text.as_str()))
                .collect();
            let sequence = Sequence {
                text: self.text,
                span: object.span(),
                items: members.iter().map(|(range, _)| range.clone()).collect(),
            };
            // Members after the component do not belong to it: a lesson's cards come after its own
            // fields.
            let before = members
                .iter()
                .position(|(range, _)| range.end > self.within.end);
            let mut changes = Changes {
                before,
                ..Changes::default()
            };
            let mut issues: Vec<String> = Vec::new();
            let indent = sequence.indentation(&self.style);
            let indent = sequence.is_on_lines(&self.style).then_some(indent.as_str());
            for (key, (change, served)) in wanted {
                let member = members.iter().position(|(_, name)| *name == key);
                match (member, &change.to) {
                    (Some(_), Some(value)) => {
                        let Some(node) = object.get(key) else {
                            continue;
                        };
                        let indent = indentation_at(self.text, node.span().start);
                        let text = self
                            .style
                            .value(value, self.style.is_on_lines().then_some(indent));
                        self.edits.push((node.span(), text, served.clone()));
                    }
                    (Some(member), None) => {
                        changes.removed.insert(member);
                        issues.extend(served.iter().cloned());
                    }
                    (None, Some(value)) => {
                        let value = self.style.value(value, indent);
                        changes.added.push(self.style.member(key, &value));
                        issues.extend(served.iter().cloned());
                    }
                    (None, None) => {}
                }
            }
            issues.sort();
            issues.dedup();
            for (range, text) in sequence.splices(&changes, &self.style) {
                self.edits.push((range, text, issues.clone()));
            }
        }
        Ok(())
    }
}

/// A list that does not exist yet, including the object around it if that is missing, too.
fn new_list(
    slot: &Slot,
    kinds: &Kinds<'_>,
    (root, added): (Node<'_>, Vec<Value>),
    issues: &[String],
) -> Option<Wanted> {
    let (object, name) = parent(&slot.path)?;
    let is_there = find(root, object).is_some_and(|node| node.kind() == Kind::Object);
    let total = match kinds {
        Kinds::Entries(Entries { total, .. }) => total.as_ref(),
        Kinds::Texts(_) => None,
    };
    let sum = total.map(|total| {
        let points = added
            .iter()
            .filter_map(|value| entry::number_of(value, &total.of));
        (
            total.name.clone(),
            Value::Number(points.sum::<f64>().to_string()),
        )
    });
    let list = Value::List(added);
    let (path, to) = match is_there {
        true => (slot.path.clone(), list),
        false => {
            let members = sum.into_iter().chain([(name.to_owned(), list)]);
            (object.to_owned(), Value::Object(members.collect()))
        }
    };
    Some((ValueChange { path, to: Some(to) }, issues.to_vec()))
}

/// The contents of a list.
enum Kinds<'a> {
    Texts(&'a Texts),
    Entries(&'a Entries),
}

impl Kinds<'_> {
    fn least(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.least,
            Self::Entries(entries) => entries.least,
        }
    }

    fn must_stay(&self, item: Node<'_>) -> bool {
        match self {
            Self::Texts(texts) => item
                .as_str()
                .is_some_and(|text| texts.keep.iter().any(|keep| keep == text)),
            Self::Entries(_) => false,
        }
    }

    fn read_new(
        &self,
        slot: &Slot,
        body: &str,
        known: &mut entry::Known,
    ) -> Result<Vec<Value>, Complaint> {
        match self {
            Self::Texts(texts) => entry::new_texts(slot, texts, body, known),
            Self::Entries(entries) => entry::new_entries(slot, entries, body, known),
        }
    }

    /// The splices that replace an entry; in an object, only the named fields change.
    fn replaced(
        &self,
        slot: &Slot,
        (item, body): (Node<'_>, &str),
        (known, style): (&mut entry::Known, &Style),
    ) -> Result<Vec<(Range<usize>, String)>, Complaint> {
        match self {
            Self::Texts(texts) => {
                let text = entry::one_text(slot, texts, body, known)?;
                Ok(vec![(item.span(), style.text(&text))])
            }
            Self::Entries(entries) => {
                let fields = entry::fields(slot, entries, body)?;
                let mut splices = Vec::new();
                for (name, value) in fields {
                    let node = item.get(&name).ok_or_else(|| {
                        rejected(format!("an entry of `{}` has no `{name}` here", slot.path))
                    })?;
                    splices.push((node.span(), style.value(&value, None)));
                }
                Ok(splices)
            }
        }
    }
}

/// Checks that points add up to their total in the resulting file.
fn add_up(
    document: &Document,
    slots: &[Slot],
    touched: &[&str],
    edits: &[ServedEdit],
) -> Result<(), Complaint> {
    let plain: Vec<Edit> = edits.iter().map(|(edit, _)| edit.clone()).collect();
    let source = document.source();
    let bytes = edit::apply(source.bytes(), source.version(), &plain).map_err(|error| {
        Complaint::new(
            ComplaintKind::Overlap,
            format!("two operations change the same entry: {error}"),
        )
    })?;
    let after = String::from_utf8_lossy(&bytes);
    let json = redraft_text::json::scan(&after, 0..after.len());
    let Some(root) = json.root().filter(|_| json.complete()) else {
        return Err(rejected("the file would no longer be JSON"));
    };
    for slot in slots {
        let SlotForm::Entries(Entries {
            total: Some(total), ..
        }) = &slot.form
        else {
            continue;
        };
        let Some((object, _)) = parent(&slot.path) else {
            continue;
        };
        let total_path = format!("{object}.{}", total.name);
        if !touched.contains(&slot.path.as_str()) && !touched.contains(&total_path.as_str()) {
            continue;
        }
        let points = find(root, &slot.path)
            .into_iter()
            .flat_map(Node::items)
            .map(|item| item.get(&total.of).and_then(Node::as_f64));
        let sum: Option<f64> = points.sum();
        let said = find(root, &total_path).and_then(Node::as_f64);
        if let (Some(sum), Some(said)) = (sum, said)
            && (sum - said).abs() > 0.001
        {
            return Err(rejected(format!(
                "the `{}` of `{}` add up to {sum}, but `{total_path}` is {said}; REPLACE `{total_path}` with {sum}, or give other {}",
                total.of, slot.path, total.of
            )));
        }
    }
    Ok(())
}
