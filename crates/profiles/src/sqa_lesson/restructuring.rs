//! What no revision of a card does (ruling 59): merging, splitting, deleting or adding
//! cards, and changing an answer that nothing proves wrong. Recognised in the words of a
//! judge and in findings; proposed to a person.

use redraft_gate::content::{ComponentKind, Document};
use redraft_gate::finding::Finding;
use redraft_gate::span::ComponentId;
use redraft_run::restructure::{FindingRoute, RaisedBy, Restructuring, RestructuringAction};
use redraft_run::verdict::Issue;

use super::checks::proven_answer;
use super::model::{self, Template};
use super::roles::Role;

/// Where a finding is repaired.
///
/// | finding | where |
/// |---|---|
/// | the wrong number of cards, a repeated card, a missing stage | proposed to a person |
/// | a key that names no option | proposed to a person |
/// | minutes, the order of cards, the calculator rule | nowhere: no words change them |
/// | a theme that no card uses | in a card with a question |
/// | anything else | where it is |
pub(super) fn route(document: &Document, finding: &Finding) -> FindingRoute {
    let Some(template) = model::template(document) else {
        return FindingRoute::Own;
    };
    let person = |action, components| {
        FindingRoute::Person(Restructuring {
            action,
            components,
            reason: finding.message.clone(),
            raised_by: RaisedBy::Check,
        })
    };
    let is_meta = document
        .components()
        .iter()
        .any(|part| part.id == finding.component && part.kind == ComponentKind::Meta);
    match finding.check.name {
        "card-count" | "cards-for-time" => {
            let wants_fewer = finding.message.contains("merge");
            let action = match wants_fewer {
                true => RestructuringAction::Merge,
                false => RestructuringAction::Add,
            };
            let cards = numbered_cards(&finding.message, document);
            person(action, if wants_fewer { cards } else { Vec::new() })
        }
        "redundant-card" => person(RestructuringAction::Delete, vec![finding.component.clone()]),
        "broken-i-we-you" if finding.message.contains("; move card") => FindingRoute::Nowhere,
        "broken-i-we-you" => person(RestructuringAction::Add, Vec::new()),
        "missing-assessment-standard" if finding.message.contains("formative assessment") => {
            person(RestructuringAction::Add, Vec::new())
        }
        "invalid-answer-index" => person(
            RestructuringAction::ChangeAnswer,
            vec![finding.component.clone()],
        ),
        "timing-mismatch" | "card-time-unrealistic" | "no-scheme-entry" => FindingRoute::Nowhere,
        "calculator-policy" if is_meta => FindingRoute::Nowhere,
        "engagement-tag-unused" => match card_for_a_setting(template, document) {
            Some(card) => FindingRoute::To(card),
            None => FindingRoute::Nowhere,
        },
        _ => FindingRoute::Own,
    }
}

/// A card that can be set in another context: practice rather than a starter.
fn card_for_a_setting(template: &Template, document: &Document) -> Option<ComponentId> {
    let card = [Role::Guided, Role::Independent]
        .into_iter()
        .find_map(|role| template.first_with(role))
        .or_else(|| {
            template
                .cards
                .iter()
                .rev()
                .find(|card| !card.cfus.is_empty())
        })
        .or_else(|| template.cards.last())?;
    component_of(document, card.number)
}

fn component_of(document: &Document, number: usize) -> Option<ComponentId> {
    let index = number.checked_sub(1)?;
    let card = document.of_kind(ComponentKind::Card).nth(index)?;
    Some(card.id.clone())
}

/// What an issue asks for that only a person does.
pub(super) fn asked_for(document: &Document, issue: &Issue) -> Option<Restructuring> {
    let said = format!("{} {}", issue.suggested_fix, issue.description);
    let proposal = |action, components| Restructuring {
        action,
        components,
        reason: match issue.suggested_fix.trim().is_empty() {
            true => issue.description.clone(),
            false => issue.suggested_fix.clone(),
        },
        raised_by: RaisedBy::Judge,
    };
    if let Some(action) = action(&said) {
        let mut cards = numbered_cards(&said, document);
        if cards.is_empty() && issue.location.0.starts_with("card") {
            cards.push(issue.location.clone());
        }
        if action == RestructuringAction::Add {
            cards.clear();
        }
        return Some(proposal(action, cards));
    }
    let words = words(&said);
    let speaks_of_key = ["answerindex", "key", "expected"]
        .iter()
        .any(|word| words.iter().any(|other| other == word));
    let is_wrong = ["wrong", "incorrect", "correct", "change", "set", "should"]
        .iter()
        .any(|word| words.iter().any(|other| other == word));
    // What arithmetic proves is repaired.
    let is_proved = model::cards(document)
        .iter()
        .flat_map(model::Card::questions)
        .any(|cfu| proven_answer(cfu).is_some());
    let is_about_hints = words.iter().any(|word| {
        word.starts_with("hint") || word.starts_with("rubric") || word.starts_with("criteri")
    });
    (speaks_of_key
        && is_wrong
        && !is_proved
        && !is_about_hints
        && issue.criterion == "assessment_design")
        .then(|| {
            proposal(
                RestructuringAction::ChangeAnswer,
                vec![issue.location.clone()],
            )
        })
}

/// The verb of a sentence whose object is a card.
fn action(said: &str) -> Option<RestructuringAction> {
    let words = words(said);
    words.iter().enumerate().find_map(|(at, word)| {
        let action = match word.as_str() {
            "merge" | "merging" | "combine" | "combining" => RestructuringAction::Merge,
            "split" | "splitting" | "divide" => RestructuringAction::Split,
            "delete" | "deleting" | "remove" | "removing" | "drop" => RestructuringAction::Delete,
            "add" | "adding" | "insert" => RestructuringAction::Add,
            _ => return None,
        };
        is_about_cards(words.get(at + 1..).unwrap_or_default(), action).then_some(action)
    })
}

/// Whether the words after a verb begin with a card, and not with something of it.
fn is_about_cards(after: &[String], action: RestructuringAction) -> bool {
    const ARTICLES: [&str; 14] = [
        "the", "a", "an", "one", "two", "three", "another", "more", "both", "these", "this", "new",
        "extra", "missing",
    ];
    const ROLES: [&str; 6] = [
        "starter",
        "modelling",
        "guided",
        "independent",
        "practice",
        "last",
    ];
    let mut rest = after
        .iter()
        .map(String::as_str)
        .skip_while(|word| ARTICLES.contains(word) || ROLES.contains(word));
    if !rest
        .next()
        .is_some_and(|word| word == "card" || word == "cards")
    {
        return false;
    }
    // “Remove card 3's second hint” is about a hint.
    const ENDS: [&str; 21] = [
        "and",
        "or",
        "with",
        "into",
        "because",
        "since",
        "so",
        "to",
        "as",
        "which",
        "that",
        "entirely",
        "altogether",
        "for",
        "from",
        "after",
        "before",
        "between",
        "it",
        "on",
        "covering",
    ];
    let is_number =
        |word: &str| word.chars().any(|c| c.is_ascii_digit()) || word == "card" || word == "cards";
    match rest.find(|word| !is_number(word)) {
        None => true,
        Some(next) => ENDS.contains(&next) || action == RestructuringAction::Add,
    }
}

/// Lower-case words; a possessive is a word of its own.
fn words(said: &str) -> Vec<String> {
    said.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The cards that a sentence names: `cards 3 and 4`, `Card 3`, `card_003`.
fn numbered_cards(said: &str, document: &Document) -> Vec<ComponentId> {
    let words = words(said);
    let mut found: Vec<ComponentId> = Vec::new();
    let mut in_list = false;
    for word in &words {
        let is_card = word == "card" || word == "cards";
        let by_id = document
            .of_kind(ComponentKind::Card)
            .find(|card| card.id.0.eq_ignore_ascii_case(word))
            .map(|card| card.id.clone());
        let by_number = word
            .parse()
            .ok()
            .filter(|_| in_list)
            .and_then(|number| component_of(document, number));
        if let Some(id) = by_id.or(by_number) {
            if !found.contains(&id) {
                found.push(id);
            }
        } else {
            in_list = is_card || (in_list && (word == "and" || word == "or" || word == "with"));
        }
    }
    found.sort_by_key(|id| {
        document
            .of_kind(ComponentKind::Card)
            .position(|card| card.id == *id)
    });
    found
}
