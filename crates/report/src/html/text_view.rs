//! The text of a document with findings and issues at their exact places: rendered, and as
//! it stands in the file.

use std::collections::BTreeSet;
use std::ops::Range;

use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::{Finding, Severity};
use redraft_profiles::items::model;
use redraft_run::verdict::Quotes;
use redraft_text::lines::LineIndex;
use serde::Serialize;

use super::data::{FindingData, IssueData};
use super::escape::with_code;
use super::groups::{self, Group, Homes};
use super::markdown;
use super::marks::{Mark, MarkKind, Marks};
use super::templates::{self, HtmlError};

/// A finding with its place in the file.
#[derive(Clone, Debug)]
pub struct PlacedFinding {
    pub data: FindingData,
    /// Its bytes in the file.
    pub span: Option<Range<usize>>,
}

impl From<&Finding> for PlacedFinding {
    fn from(finding: &Finding) -> Self {
        Self {
            span: Some(finding.span.range()),
            data: FindingData {
                code: finding.check.code.to_owned(),
                name: finding.check.name.to_owned(),
                severity: finding.severity.name().to_owned(),
                critical: finding.critical,
                component: finding.component.to_string(),
                message: finding.message.clone(),
                ..FindingData::default()
            },
        }
    }
}

impl From<FindingData> for PlacedFinding {
    fn from(data: FindingData) -> Self {
        Self {
            span: data.start.zip(data.end).map(|(start, end)| start..end),
            data,
        }
    }
}

/// What is said about a text.
#[derive(Clone, Copy, Debug)]
pub struct TextInput<'a> {
    /// What ids of the page begin with.
    pub prefix: &'a str,
    /// The text; without it the remarks stand alone.
    pub document: Option<&'a Document>,
    pub findings: &'a [PlacedFinding],
    pub issues: &'a [IssueData],
    /// Ids of components that were changed.
    pub changed: &'a BTreeSet<String>,
}

/// Files longer than this are not shown a second time as their source.
const MOST_SOURCE: usize = 300_000;

/// A mark over more than this would be a coloured page: its place is shown instead.
const MOST_MARKED: usize = 400;

#[derive(Serialize)]
struct TextView {
    prefix: String,
    language: String,
    groups: Vec<GroupView>,
    source_html: Option<String>,
    source_left_out: bool,
    has_text: bool,
}

#[derive(Serialize)]
struct GroupView {
    anchor: String,
    id: String,
    title: String,
    kind: &'static str,
    is_changed: bool,
    is_whole: bool,
    fields: Vec<FieldView>,
    notes: Vec<NoteView>,
}

#[derive(Serialize)]
struct FieldView {
    label: Option<String>,
    /// Whether it is the right answer.
    is_key: bool,
    html: String,
}

#[derive(Clone, Serialize)]
struct NoteView {
    number: usize,
    /// The colour: `error`, `warning` or `info`.
    level: &'static str,
    /// The severity in a word.
    severity: String,
    /// `finding` or `issue`.
    what: &'static str,
    label: String,
    code: String,
    message_html: String,
    fix_html: String,
    quote: String,
    line: Option<usize>,
    is_unanchored: bool,
    /// Where the text that it is about is shown: `d1-m3`, or in the source, `d1r-m3`.
    place: Option<String>,
}

/// A note and where it belongs.
struct Pending {
    group: usize,
    /// Its place in the source's text.
    range: Option<Range<usize>>,
    view: NoteView,
}

/// The fragment.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn text(input: &TextInput<'_>) -> Result<String, HtmlError> {
    let view = match input.document {
        Some(document) => with_text(input, document),
        None => without_text(input),
    };
    templates::fill("text.html", &view)
}

fn without_text(input: &TextInput<'_>) -> TextView {
    let mut notes: Vec<NoteView> = input
        .findings
        .iter()
        .map(|finding| finding_note(&finding.data))
        .chain(input.issues.iter().map(issue_note))
        .collect();
    for (index, note) in notes.iter_mut().enumerate() {
        note.number = index + 1;
    }
    TextView {
        prefix: input.prefix.to_owned(),
        language: String::new(),
        groups: vec![GroupView {
            anchor: format!("{}-g0", input.prefix),
            id: String::new(),
            title: String::new(),
            kind: "",
            is_changed: false,
            is_whole: true,
            fields: Vec::new(),
            notes,
        }],
        source_html: None,
        source_left_out: false,
        has_text: false,
    }
}

fn with_text(input: &TextInput<'_>, document: &Document) -> TextView {
    let groups = groups::of(document);
    let mut pending = findings(input, document, &groups);
    pending.extend(issues(input, document, &groups));
    pending.sort_by_key(|note| {
        let start = note.range.as_ref().map_or(0, |range| range.start);
        (note.group, start)
    });
    for (index, note) in pending.iter_mut().enumerate() {
        note.view.number = index + 1;
    }
    let marks = marks(document, &pending);
    let (fields, shown) = if groups::is_one_text(document) {
        one_text(input, document, &groups, &marks)
    } else {
        fields_of_groups(input, document, &groups, &marks)
    };
    let source = document.source().text();
    let is_short = source.len() <= MOST_SOURCE;
    let (source_html, in_source) = if is_short {
        source_view(input.prefix, source, &marks)
    } else {
        (None, BTreeSet::new())
    };
    for note in &mut pending {
        let number = note.view.number;
        note.view.place = if shown.contains(&number) {
            Some(format!("{}-m{number}", input.prefix))
        } else if in_source.contains(&number) {
            Some(format!("{}r-m{number}", input.prefix))
        } else {
            None
        };
    }
    TextView {
        prefix: input.prefix.to_owned(),
        language: document
            .language()
            .map(ToString::to_string)
            .unwrap_or_default(),
        groups: group_views(input, document, &groups, fields, pending),
        source_html,
        source_left_out: !is_short,
        has_text: true,
    }
}

fn group_views(
    input: &TextInput<'_>,
    document: &Document,
    groups: &[Group<'_>],
    mut fields: Vec<Vec<FieldView>>,
    pending: Vec<Pending>,
) -> Vec<GroupView> {
    // Its headings are part of a Markdown text, and shown with it.
    let is_one_text = groups::is_one_text(document);
    let mut notes: Vec<Vec<NoteView>> = groups.iter().map(|_| Vec::new()).collect();
    for note in pending {
        notes[note.group].push(note.view);
    }
    let views = groups
        .iter()
        .zip(notes)
        .enumerate()
        .map(|(index, (group, notes))| {
            let fields = std::mem::take(&mut fields[index]);
            let is_whole = index == 0;
            GroupView {
                anchor: format!("{}-g{index}", input.prefix),
                id: group.id.to_owned(),
                title: if is_one_text {
                    String::new()
                } else {
                    group.title.unwrap_or_default().to_owned()
                },
                kind: groups::kind(group.kind),
                is_changed: !is_whole && input.changed.contains(group.id),
                is_whole,
                fields: fields
                    .into_iter()
                    .filter(|field| !field.html.trim().is_empty())
                    .collect(),
                notes,
            }
        });
    views
        .filter(|view| !view.notes.is_empty() || !view.fields.is_empty())
        .map(without_repetition)
        .collect()
}

/// A single field needs no name beside that of its group.
fn without_repetition(mut view: GroupView) -> GroupView {
    if let [only] = view.fields.as_mut_slice()
        && only
            .label
            .as_ref()
            .is_some_and(|label| label.eq_ignore_ascii_case(&view.id))
    {
        only.label = None;
    }
    view
}

fn findings(input: &TextInput<'_>, document: &Document, groups: &[Group<'_>]) -> Vec<Pending> {
    let source = document.source();
    let lines = LineIndex::new(source.text());
    let length = source.bytes().len();
    let homes = Homes::of(document, groups);
    let all = input.findings.iter().map(|finding| {
        let mut view = finding_note(&finding.data);
        let whole = document.components().first();
        let is_global = whole.is_none_or(|whole| whole.id.0 == finding.data.component);
        let range = finding
            .span
            .clone()
            .filter(|span| span.start <= span.end && span.end <= length)
            .map(|span| source.text_range(source.file_span(span)));
        let range = range.filter(|range| !(is_global && is_stand_in(source.text(), range)));
        view.line = range.as_ref().map(|range| lines.line_column(range.start).0);
        let group = match &range {
            Some(range) => groups::at(groups, range.start),
            None => homes.of_id(&finding.data.component),
        };
        Pending { group, range, view }
    });
    all.collect()
}

/// Whether a range only stands for the whole text: nothing, everything, or its title.
fn is_stand_in(text: &str, range: &Range<usize>) -> bool {
    let start = text.len() - text.trim_start().len();
    let first = text.trim_start().lines().next().unwrap_or_default();
    let title = start..start + first.len();
    let is_title = first.starts_with('#')
        && range.start <= title.start + 2
        && (title.end..=title.end + 1).contains(&range.end);
    range.is_empty() || range.len() >= text.trim().len() || is_title
}

fn finding_note(data: &FindingData) -> NoteView {
    let severity = Severity::parse(&data.severity).unwrap_or(Severity::Info);
    NoteView {
        number: 0,
        level: severity.name(),
        severity: severity.name().to_owned(),
        what: "finding",
        label: groups::humanised(&data.name),
        code: data.code.clone(),
        message_html: with_code(&data.message),
        fix_html: match data.fix {
            Some(_) => with_code("`redraft check --diff --unsafe` shows one"),
            None => String::new(),
        },
        quote: String::new(),
        line: data.line,
        is_unanchored: false,
        place: None,
    }
}

fn issues(input: &TextInput<'_>, document: &Document, groups: &[Group<'_>]) -> Vec<Pending> {
    let quotes = Quotes::new(document);
    let homes = Homes::of(document, groups);
    let lines = LineIndex::new(document.source().text());
    let all = input.issues.iter().map(|issue| {
        let mut view = issue_note(issue);
        let quote = issue
            .quote
            .as_deref()
            .filter(|quote| !quote.trim().is_empty());
        let range = quote.and_then(|quote| {
            let found = quotes.look_up(quote).ok()?;
            let field = document.texts().get(found.text)?;
            Some(field.map.to_source(found.range))
        });
        let group = match &range {
            Some(range) => groups::at(groups, range.start),
            None => homes.of_id(&issue.location),
        };
        view.line = range.as_ref().map(|range| lines.line_column(range.start).0);
        view.is_unanchored = quote.is_some() && range.is_none();
        if range.is_some() {
            view.quote = String::new();
        }
        Pending { group, range, view }
    });
    all.collect()
}

/// The colour of an issue: as bad as a finding that would stop the text.
pub(super) fn issue_level(severity: &str) -> &'static str {
    match severity {
        "critical" => "error",
        "major" => "warning",
        _ => "info",
    }
}

fn issue_note(issue: &IssueData) -> NoteView {
    NoteView {
        number: 0,
        level: issue_level(&issue.severity),
        severity: issue.severity.clone(),
        what: "issue",
        label: groups::humanised(&issue.criterion),
        code: String::new(),
        message_html: with_code(&issue.description),
        fix_html: with_code(&issue.suggested_fix),
        quote: issue.quote.clone().unwrap_or_default(),
        line: None,
        is_unanchored: false,
        place: None,
    }
}

/// The marks of the notes, in the source's text.
fn marks(document: &Document, notes: &[Pending]) -> Vec<Mark> {
    let text = document.source().text();
    let marked = notes.iter().filter_map(|note| {
        let range = note.range.clone()?;
        let (number, level) = (note.view.number, note.view.level);
        let range = trimmed(text, range);
        let words = text.get(range.clone()).unwrap_or_default();
        let is_long = words.len() > MOST_MARKED || words.contains("\n\n");
        let kind = if is_long {
            MarkKind::Place { number, level }
        } else {
            MarkKind::Note { number, level }
        };
        Some(Mark { range, kind })
    });
    marked.collect()
}

/// A range without the spaces and line breaks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let words = text.get(range.clone()).unwrap_or_default();
    if words.trim().is_empty() {
        return range;
    }
    let start = range.start + (words.len() - words.trim_start().len());
    start..start + words.trim().len()
}

/// The marks of a field, in its decoded text. One that goes beyond the field is shown by its
/// place, in the first field that it touches.
fn marks_in<'m>(
    field: &TextField,
    marks: impl IntoIterator<Item = &'m Mark>,
    shown: &BTreeSet<usize>,
) -> Vec<Mark> {
    let span = field.map.source_span();
    let decoded = marks.into_iter().filter_map(|mark| {
        let is_near = mark.range.start <= span.end && mark.range.end >= span.start;
        let (MarkKind::Note { number, level } | MarkKind::Place { number, level }) = mark.kind
        else {
            return None;
        };
        if !is_near || shown.contains(&number) {
            return None;
        }
        let is_inside = span.start <= mark.range.start && mark.range.end <= span.end;
        let start = field.map.to_decoded(mark.range.start);
        let end = field.map.to_decoded(mark.range.end);
        // Quotation marks around a string are not part of its text.
        let is_nearly_inside = mark.range.start + 1 >= span.start && mark.range.end <= span.end + 1;
        if start == end && !(mark.range.is_empty() && is_inside) {
            return None;
        }
        let kind = if is_nearly_inside {
            mark.kind
        } else {
            MarkKind::Place { number, level }
        };
        Some(Mark {
            range: start..end,
            kind,
        })
    });
    decoded.collect()
}

/// For each text of a document the marks that touch it, in their order. A bank has thousands of
/// both, so that not each is compared with each.
fn marks_by_field<'m>(document: &Document, marks: &'m [Mark]) -> Vec<Vec<&'m Mark>> {
    let texts = document.texts().iter().enumerate();
    let mut fields: Vec<(Range<usize>, usize)> = texts
        .map(|(index, field)| (field.map.source_span(), index))
        .collect();
    fields.sort_by_key(|(span, _)| span.start);
    // How far all fields up to each one reach: one may lie within another.
    let reaches: Vec<usize> = fields
        .iter()
        .scan(0, |reach, (span, _)| {
            *reach = span.end.max(*reach);
            Some(*reach)
        })
        .collect();
    let mut by_field = vec![Vec::new(); fields.len()];
    for mark in marks {
        let first = reaches.partition_point(|reach| *reach < mark.range.start);
        let from_there = fields.get(first..).unwrap_or_default().iter();
        let touched = from_there.take_while(|(span, _)| span.start <= mark.range.end);
        for (_, index) in touched.filter(|(span, _)| span.end >= mark.range.start) {
            by_field[*index].push(mark);
        }
    }
    by_field
}

type Fields = (Vec<Vec<FieldView>>, BTreeSet<usize>);

/// A Markdown document: one text, cut where its groups begin.
fn one_text(
    input: &TextInput<'_>,
    document: &Document,
    groups: &[Group<'_>],
    marks: &[Mark],
) -> Fields {
    let Some(field) = document.texts().first() else {
        return (groups.iter().map(|_| Vec::new()).collect(), BTreeSet::new());
    };
    let cuts: Vec<usize> = groups
        .iter()
        .skip(1)
        .map(|group| field.map.to_decoded(group.range.start))
        .collect();
    let mut marks = Marks::new(
        input.prefix,
        input.prefix,
        marks_in(field, marks, &BTreeSet::new()),
    );
    let parts = markdown::render(&field.text, &cuts, &mut marks);
    let fields = parts
        .into_iter()
        .map(|html| {
            vec![FieldView {
                label: None,
                is_key: false,
                html,
            }]
        })
        .collect();
    (fields, marks.shown().into_iter().collect())
}

fn fields_of_groups(
    input: &TextInput<'_>,
    document: &Document,
    groups: &[Group<'_>],
    marks: &[Mark],
) -> Fields {
    let mut fields: Vec<Vec<FieldView>> = groups.iter().map(|_| Vec::new()).collect();
    let mut shown = BTreeSet::new();
    let options = options(document);
    let homes = Homes::of(document, groups);
    let by_field = marks_by_field(document, marks);
    for (field, touching) in document.texts().iter().zip(by_field) {
        let group = homes.of_field(field);
        let own = marks_in(field, touching, &shown);
        let is_title = field.role == TextRole::Title && groups[group].title == Some(&*field.text);
        if is_title && own.is_empty() {
            continue;
        }
        let mut own = Marks::new(input.prefix, input.prefix, own);
        let html = field_html(field, &mut own);
        shown.extend(own.shown());
        let start = field.map.source_span().start;
        let after = options.partition_point(|option| option.range.start <= start);
        let option = options[..after].last().filter(|option| option.holds(field));
        fields[group].push(FieldView {
            label: match option {
                Some(option) => Some(option.letter.clone()),
                None => groups::label(field, groups[group].kind),
            },
            is_key: option.is_some_and(|option| option.is_key),
            html,
        });
    }
    (fields, shown)
}

/// An answer option of an item.
struct OptionPlace {
    range: Range<usize>,
    letter: String,
    is_key: bool,
}

impl OptionPlace {
    fn holds(&self, field: &TextField) -> bool {
        let span = field.map.source_span();
        // The range of a JSON string has its quotation marks, that of its text has not.
        self.range.start <= span.start
            && span.end <= self.range.end
            && self.range.len() <= span.len() + 2
    }
}

/// The options of a document's items, with the right one where the item says it clearly.
fn options(document: &Document) -> Vec<OptionPlace> {
    let all = model::items(document).flat_map(|item| {
        let key = item.correct();
        (0..item.options().len()).map(move |index| OptionPlace {
            range: item.option_range(index),
            letter: model::letter(index),
            is_key: key == Some(index),
        })
    });
    let mut all: Vec<OptionPlace> = all.collect();
    all.sort_by_key(|option| option.range.start);
    all
}

fn field_html(field: &TextField, marks: &mut Marks<'_>) -> String {
    let mut html = String::new();
    match field.role {
        TextRole::Code => {
            html.push_str("<pre tabindex=\"0\"><code>");
            marks.write(&mut html, &field.text, 0);
            marks.end(&mut html, usize::MAX);
            html.push_str("</code></pre>\n");
        }
        TextRole::Title => {
            html.push_str("<p dir=\"auto\"><strong>");
            marks.write(&mut html, &field.text, 0);
            marks.end(&mut html, usize::MAX);
            html.push_str("</strong></p>\n");
        }
        TextRole::Body | TextRole::Short => {
            html = markdown::render(&field.text, &[], marks).concat();
        }
    }
    html
}

/// The file as it is, with the same marks.
fn source_view(prefix: &str, source: &str, marks: &[Mark]) -> (Option<String>, BTreeSet<usize>) {
    let anchors = format!("{prefix}r");
    let mut marks = Marks::new(&anchors, prefix, marks.to_vec());
    let mut html = String::with_capacity(source.len() + source.len() / 8);
    marks.write(&mut html, source, 0);
    marks.end(&mut html, usize::MAX);
    let shown = marks.shown().into_iter().collect();
    (Some(html), shown)
}
