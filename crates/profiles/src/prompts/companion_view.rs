//! What came with a document, as a judge sees it: lines of foreign text, each cut
//! to a bound. Sources go whole until they do not fit; then those passages of them
//! that are nearest to the components of the document (`redraft_run::fit`).
//!
//! What is left out is counted, so that the judge knows of it. Whether the
//! document follows its companions is the judge's question.

use redraft_gate::companion::{
    Companions, Outcome, SchemeEntry, SectionSpecification, SourcePassage, Specification,
};
use redraft_gate::content::Document;
use redraft_gate::reading::{self, Form, Hint};
use redraft_run::fit::{self, InputCut, SourceRequest};
use redraft_run::token_estimate::estimated_tokens;
use redraft_run::write::PlannedSection;
use redraft_text::bm25::Index;
use redraft_text::language::Language;
use redraft_text::words::words;
use serde::Serialize;

use super::language_name;
use super::untrusted::{Untrusted, one_line};

/// Characters of a single entry (an objective, a key point, an outcome).
const ENTRY: usize = 300;
/// Entries of one list.
const ENTRIES: usize = 40;
/// Characters of a planned card.
const CARD: usize = 700;

/// Lines that are shown, and how many are not.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) lines: Vec<Untrusted>,
    pub(crate) left_out: usize,
}

/// What the lesson was to be.
pub(crate) fn specification(specification: &Specification) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    lines.say("title", specification.title.as_deref());
    let language = specification.language.as_ref().map(language_name);
    lines.say("language", language.as_deref());
    let minutes = specification.minutes.map(|minutes| minutes.to_string());
    lines.say("minutes", minutes.as_deref());
    lines.say("difficulty", specification.difficulty.as_deref());
    lines.say("audience", specification.audience.as_deref());
    lines.say("tone", specification.tone.as_deref());
    lines.say("archetype", specification.archetype.as_deref());
    lines.say("topic", specification.topic.as_deref());
    lines.say("Bloom level", specification.bloom_level.as_deref());
    let exercises = specification.exercises.map(|number| number.to_string());
    lines.say("exercises", exercises.as_deref());
    objective_lines(&mut lines, specification, ENTRIES);
    for section in specification.sections.iter().take(ENTRIES) {
        lines.say("section", Some(&section.title));
        section_lines(&mut lines, section);
    }
    lines.0
}

fn objective_lines(lines: &mut Lines, specification: &Specification, most: usize) {
    for objective in specification.objectives.iter().take(most) {
        let name = objective.id.as_deref().map_or_else(
            || "objective".to_owned(),
            |id| format!("objective {}", one_line(id, ENTRY)),
        );
        lines.say(&name, Some(&objective.objective));
    }
}

/// What somebody must know of a text to edit part of it: on one line each, and
/// nothing that is not known.
pub(crate) fn about(
    document: &Document,
    specification: Option<&Specification>,
    part: Option<&str>,
    terms: &[&str],
) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    let planned = specification.and_then(|plan| plan.title.as_deref());
    lines.say("title", document.title().or(planned));
    lines.say("part", part);
    let language = document.language().map(language_name);
    lines.say("language", language.as_deref());
    if let Some(plan) = specification {
        lines.say("difficulty", plan.difficulty.as_deref());
        lines.say("audience", plan.audience.as_deref());
        lines.say("tone", plan.tone.as_deref());
    }
    let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    lines.list("terms to keep", &terms);
    lines.0
}

/// A lesson has some three to five objectives; one section serves one or two.
const OBJECTIVES: usize = 5;

/// What a component that is written again has to be.
pub(crate) fn section_plan(
    specification: &Specification,
    section: Option<&SectionSpecification>,
) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    lines.say("archetype", specification.archetype.as_deref());
    // Key points are what the objectives come to in this section.
    if section.is_none_or(|section| section.key_points.is_empty()) {
        objective_lines(&mut lines, specification, OBJECTIVES);
    }
    if let Some(section) = section {
        section_lines(&mut lines, section);
    }
    lines.0
}

/// What a component that is edited has to cover, where the specification says.
pub(crate) fn section_demands(section: &SectionSpecification) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    section_lines(&mut lines, section);
    lines.0
}

fn section_lines(lines: &mut Lines, section: &SectionSpecification) {
    lines.say("- depth", section.depth.as_deref());
    for point in section.key_points.iter().take(ENTRIES) {
        lines.say("- to cover", Some(point));
    }
    lines.list("- words to use", &section.required_keywords);
    lines.list("- words to avoid", &section.prohibited_terms);
}

/// What the writer of a component must know of the whole.
pub(crate) fn about_writing(title: &str, specification: Option<&Specification>) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    lines.say("title", Some(title));
    if let Some(plan) = specification {
        lines.say("difficulty", plan.difficulty.as_deref());
        lines.say("audience", plan.audience.as_deref());
        lines.say("tone", plan.tone.as_deref());
    }
    lines.0
}

/// What a component that is written has to be: by the specification, and by the plan.
pub(crate) fn planned_section(
    specification: Option<&Specification>,
    section: Option<&SectionSpecification>,
    planned: &PlannedSection,
) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    if let Some(plan) = specification {
        lines.say("archetype", plan.archetype.as_deref());
        objective_lines(&mut lines, plan, OBJECTIVES);
        if let Some(section) = section {
            section_lines(&mut lines, section);
        }
    }
    lines.say("purpose", Some(&planned.purpose));
    for point in planned.key_points.iter().take(ENTRIES) {
        lines.say("- to cover", Some(point));
    }
    lines.0
}

/// The passages that are nearest to what a component is about, with their ids.
pub(crate) fn sources_with_ids(
    companions: &Companions,
    text: &str,
    language: Option<&Language>,
) -> Vec<Untrusted> {
    nearest(companions, text, language)
        .into_iter()
        .map(|(number, passage)| {
            let (cut, is_whole) = beginning(&passage.content, NEAR);
            let end = if is_whole { "" } else { " […]" };
            Untrusted::new(&format!("[source_{number}] {cut}{end}"))
        })
        .collect()
}

/// Of the passages those that are nearest to a text, for the model that writes it again.
pub(crate) fn sources_about(
    companions: &Companions,
    text: &str,
    language: Option<&Language>,
) -> Vec<Passage> {
    nearest(companions, text, language)
        .into_iter()
        .map(|(number, passage)| Passage {
            id: format!("source_{number}"),
            text: Untrusted::beginning(&passage.content, NEAR),
        })
        .collect()
}

/// A passage for a writer, who is not shown its id: it would end up in
/// the text.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Passage {
    #[serde(skip)]
    pub(crate) id: String,
    pub(crate) text: Untrusted,
}

/// Characters of a passage that was chosen.
const NEAR: usize = 700;

/// The passages that are nearest to a text, with their numbers; those that share
/// none of its telling words are not.
fn nearest<'a>(
    companions: &'a Companions,
    text: &str,
    language: Option<&Language>,
) -> Vec<(usize, &'a SourcePassage)> {
    const MOST: usize = 2;
    /// Passages that are looked at; retrieval puts the best first.
    const LOOKED_AT: usize = 100;
    /// Characters of a passage that are looked at.
    const SEEN: usize = 4_000;
    let passages: Vec<&SourcePassage> = companions.sources.iter().take(LOOKED_AT).collect();
    let index = Index::new(
        passages
            .iter()
            .map(|passage| beginning(&passage.content, SEEN).0),
        language.copied(),
    );
    let telling: Vec<&str> = words(text)
        .map(|(_, word)| word)
        .filter(|word| is_telling(word))
        .collect();
    index
        .nearest(&telling.join(" "))
        .into_iter()
        .take(MOST)
        .filter_map(|place| Some((place + 1, *passages.get(place)?)))
        .collect()
}

/// Short words are in every text, but for scripts that write a word in one or two
/// characters.
fn is_telling(word: &str) -> bool {
    const FIRST_OF_THE_EAST: char = '\u{2e80}';
    word.chars().count() > 3 || word.chars().any(|letter| letter >= FIRST_OF_THE_EAST)
}

/// What is shown of the sources.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Passages with their ids.
    pub(crate) lines: Vec<Untrusted>,
    /// What is not shown.
    pub(crate) cut: Option<InputCut>,
}

impl Sources {
    /// How many passages are not shown.
    pub(crate) fn left_out(&self) -> usize {
        self.cut.as_ref().map_or(0, |cut| cut.parts.len())
    }
}

/// The passages that a document was written from, in their order: whole while they
/// take no more than so many tokens, else those that are nearest to these components.
pub(crate) fn sources(
    companions: &Companions,
    components: &[&str],
    language: Option<&Language>,
    limit: u64,
) -> Sources {
    let passages = &companions.sources;
    let texts: Vec<&str> = passages
        .iter()
        .map(|passage| passage.content.as_str())
        .collect();
    let origins: Vec<String> = passages.iter().map(origin).collect();
    // Each is shown with its id and where it is from; a bit more for long ids.
    let frame = origins.iter().map(|from| estimated_tokens(from) + 8).max();
    let frame = frame.unwrap_or_default();
    let fitted = fit::sources(
        &texts,
        &SourceRequest {
            components,
            language: language.copied(),
            limit,
            count: &|text| match text.trim() {
                "" => 0,
                text => estimated_tokens(text) + frame,
            },
        },
    );
    let line = |chunk: &fit::Chunk| {
        let text = texts.get(chunk.source).copied().unwrap_or_default();
        let text = text.get(chunk.range.clone()).unwrap_or_default();
        let from = origins.get(chunk.source).map_or("", String::as_str);
        Untrusted::new(&format!("[{}]{from} {}", chunk.id, text.trim()))
    };
    Sources {
        lines: fitted.kept.iter().map(line).collect(),
        cut: fitted.cut,
    }
}

/// Where a passage is from: ` (book, page 3)`, or nothing.
fn origin(passage: &SourcePassage) -> String {
    let from: Vec<String> = [&passage.document, &passage.place]
        .into_iter()
        .flatten()
        .map(|name| one_line(name, 100))
        .filter(|name| !name.is_empty())
        .collect();
    if from.is_empty() {
        String::new()
    } else {
        format!(" ({})", from.join(", "))
    }
}

/// The beginning of a text, cut after a word, and whether that is all of it.
fn beginning(text: &str, most: usize) -> (&str, bool) {
    let text = text.trim();
    let Some((end, _)) = text.char_indices().nth(most) else {
        return (text, true);
    };
    let cut = text.get(..end).unwrap_or_default();
    let word_end = cut.rfind(char::is_whitespace).unwrap_or(end);
    (cut.get(..word_end).unwrap_or(cut), false)
}

/// The entry of the scheme of work that the document fulfils: the only one, else
/// the one of its order, else the one of its title. Another lesson's entry would
/// mislead, so in doubt there is none.
pub(crate) fn scheme_entry<'a>(
    document: &Document,
    entries: &'a [SchemeEntry],
) -> Option<&'a SchemeEntry> {
    if let [only] = entries {
        return Some(only);
    }
    if entries.is_empty() {
        return None;
    }
    let order = order_of(document);
    let of_order = entries
        .iter()
        .find(|entry| order.is_some() && entry.order == order);
    of_order.or_else(|| {
        let title = document.title()?.trim().to_lowercase();
        entries.iter().find(|entry| {
            entry
                .label
                .as_deref()
                .is_some_and(|label| label.trim().to_lowercase() == title)
        })
    })
}

fn order_of(document: &Document) -> Option<i64> {
    let Form::Json(json) = reading::read(document.source().clone(), Hint::Json).form else {
        return None;
    };
    json.root()?.get("sow_order")?.as_i64()
}

/// What the entry asks for.
pub(crate) fn scheme(entry: &SchemeEntry) -> Vec<Untrusted> {
    let mut lines = Lines::default();
    lines.say("courseId", entry.course.as_deref());
    lines.say("label", entry.label.as_deref());
    let order = entry.order.map(|order| order.to_string());
    lines.say("order", order.as_deref());
    lines.say("lesson_type", entry.lesson_type.as_deref());
    let minutes = entry.minutes.map(|minutes| minutes.to_string());
    lines.say("estMinutes", minutes.as_deref());
    lines.list("outcomeRefs", &entry.outcomes);
    lines.list("assessmentStandardRefs", &entry.standards);
    for (code, words) in entry.standard_descriptions.iter().take(ENTRIES) {
        lines.say(code, Some(words));
    }
    lines.list("engagement_tags", &entry.engagement_tags);
    let calculator = entry.calculator_allowed.map(|allowed| allowed.to_string());
    lines.say("calculator_allowed", calculator.as_deref());
    for (name, value) in entry.details.iter().take(ENTRIES) {
        // Said above.
        if !name.ends_with("calculator_allowed") {
            lines.say(name, Some(value));
        }
    }
    lines.0
}

/// The cards that the entry's lesson plan asks for, after what it asks for itself.
pub(crate) fn scheme_with_cards(entry: &SchemeEntry) -> Vec<Untrusted> {
    let mut lines = Lines(scheme(entry));
    for card in entry.cards.iter().take(ENTRIES) {
        let minutes = card.minutes.map(|minutes| format!("{minutes} minutes"));
        let standards = card.standards.join(", ");
        let said: Vec<&str> = [
            card.kind.as_deref(),
            card.title.as_deref(),
            minutes.as_deref(),
            Some(standards.as_str()),
        ]
        .into_iter()
        .flatten()
        .filter(|words| !words.trim().is_empty())
        .collect();
        let details: Vec<String> = card
            .details
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        let said = said.into_iter().map(str::to_owned).chain(details);
        let line = said.collect::<Vec<_>>().join("; ");
        lines.say_within("card", &line, CARD);
    }
    lines.0
}

/// The outcomes that the document or its entry names; all where they name none.
pub(crate) fn outcomes(
    document: &Document,
    entry: Option<&SchemeEntry>,
    outcomes: &[Outcome],
) -> Shown {
    let text = document.source().text();
    let is_named = |outcome: &&Outcome| {
        let code = outcome.code.trim();
        let by_entry = entry.is_some_and(|entry| {
            let mut codes = entry.outcomes.iter().chain(&entry.standards);
            codes.any(|named| named.trim() == code)
        });
        by_entry || (code.len() > 1 && text.contains(&format!("\"{code}\"")))
    };
    // Looking each code up in the text costs its length; a course has some dozens.
    const LOOKED_UP: usize = 400;
    let mut named: Vec<&Outcome> = outcomes.iter().take(LOOKED_UP).filter(is_named).collect();
    let total = if named.is_empty() {
        named = outcomes.iter().take(ENTRIES).collect();
        outcomes.len()
    } else {
        named.len()
    };
    named.truncate(ENTRIES);
    Shown {
        left_out: total - named.len(),
        lines: named
            .into_iter()
            .map(|outcome| {
                let code = one_line(&outcome.code, 60);
                match one_line(&outcome.description, ENTRY) {
                    words if words.is_empty() => Untrusted::new(&code),
                    words => Untrusted::new(&format!("{code}: {words}")),
                }
            })
            .collect(),
    }
}

/// Lines `name: value`.
#[derive(Default)]
struct Lines(Vec<Untrusted>);

impl Lines {
    fn say(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.say_within(name, value, ENTRY);
        }
    }

    fn say_within(&mut self, name: &str, value: &str, most: usize) {
        if !value.trim().is_empty() {
            let value = one_line(value, most);
            let name = one_line(name, 60);
            self.0.push(Untrusted::new(&format!("{name}: {value}")));
        }
    }

    fn list(&mut self, name: &str, values: &[String]) {
        let values: Vec<String> = values
            .iter()
            .take(ENTRIES)
            .map(|value| one_line(value, 100))
            .collect();
        self.say(name, Some(&values.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_writes_a_part_gets_the_passages_nearest_to_it_in_any_script() {
        for (language, sources, text, expected) in [
            (
                "en",
                &[
                    "The kettle is old.",
                    "Boiling takes heat.",
                    "Water boiled here.",
                ][..],
                "Water boils.",
                &[3, 2][..],
            ),
            // Nothing but words that every text has.
            ("en", &["It is the one.", ""], "The sea is it.", &[]),
            (
                "ru",
                &["Старый чайник.", "Воду кипятили."],
                "Кипячение воды",
                &[2],
            ),
            ("zh", &["旧的水壶。", "光合作用需要阳光。"], "阳光", &[2]),
        ] {
            let companions = Companions {
                sources: sources
                    .iter()
                    .map(|content| SourcePassage {
                        content: (*content).to_owned(),
                        document: None,
                        place: None,
                    })
                    .collect(),
                ..Companions::default()
            };
            let language = Language::parse(language).unwrap();
            let near: Vec<usize> = nearest(&companions, text, Some(&language))
                .into_iter()
                .map(|(number, _)| number)
                .collect();
            assert_eq!(near, expected, "{text}");
        }
    }
}
