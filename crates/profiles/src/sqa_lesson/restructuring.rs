//! What no revision of a card does (ruling 59): merging, splitting, deleting or adding
//! cards, and changing an answer that nothing proves wrong. Recognised in the words of a
//! judge and in findings; proposed to a person.

use redraft_gate::content::{ComponentKind, Document};
use redraft_gate::finding::{Finding, Remedy};
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
    match &finding.remedy {
        Some(Remedy::Merge(cards)) => return person(RestructuringAction::Merge, cards.clone()),
        Some(Remedy::Add) => return person(RestructuringAction::Add, Vec::new()),
        Some(Remedy::Move) => return FindingRoute::Nowhere,
        Some(Remedy::Resize { .. }) | None => {}
    }
    match finding.check.name {
        "redundant-card" => person(RestructuringAction::Delete, vec![finding.component.clone()]),
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
    model::component_of(document, card.number)
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
        let object = match action {
            RestructuringAction::Delete | RestructuringAction::Split => without_reason(&said),
            _ => said.as_str(),
        };
        let mut cards = numbered_cards(object, document);
        let is_this = said.to_lowercase().contains("this card");
        if cards.is_empty() && is_this {
            cards.push(issue.location.clone());
        }
        if action == RestructuringAction::Add {
            cards.clear();
        }
        return Some(proposal(action, cards));
    }
    // What arithmetic proves is repaired.
    let is_here = |card: &&model::Card| {
        model::component_of(document, card.number).is_some_and(|id| id == issue.location)
    };
    let is_proved = model::cards(document)
        .iter()
        .filter(is_here)
        .flat_map(model::Card::questions)
        .any(|cfu| proven_answer(cfu).is_some());
    (speaks_of_a_wrong_answer(&said) && !is_proved).then(|| {
        proposal(
            RestructuringAction::ChangeAnswer,
            vec![issue.location.clone()],
        )
    })
}

/// What is asked for, without why: `Delete card 2, because it repeats card 1`.
fn without_reason(said: &str) -> &str {
    const REASONS: [&str; 8] = [
        "because", "since", "as", "which", "that", "so", "it", "instead",
    ];
    let mut words = said
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .skip_while(|word| {
            !word.eq_ignore_ascii_case("card") && !word.eq_ignore_ascii_case("cards")
        });
    let reason = words.find(|word| REASONS.iter().any(|one| word.eq_ignore_ascii_case(one)));
    let end = reason.map_or(said.len(), |word| {
        word.as_ptr().addr() - said.as_ptr().addr()
    });
    said.get(..end).unwrap_or(said)
}

/// Whether a key or an expected answer is called wrong; words for learners are not meant.
fn speaks_of_a_wrong_answer(said: &str) -> bool {
    const SAYS: [&str; 18] = [
        "wrong key",
        "incorrect key",
        "key is wrong",
        "key is incorrect",
        "key should be",
        "change the key",
        "correct the key",
        "answerindex should",
        "answerindex is",
        "change answerindex",
        "answer key is",
        "answer key should",
        "expected answer is wrong",
        "expected answer is incorrect",
        "expected answer should be",
        "expected should be",
        "expected value is wrong",
        "expected value should be",
    ];
    let words = format!(" {} ", words(said).join(" "));
    SAYS.iter().any(|says| words.contains(&format!(" {says} ")))
}

/// The verb of a sentence whose object is a card.
fn action(said: &str) -> Option<RestructuringAction> {
    let words = words(said);
    words.iter().enumerate().find_map(|(at, word)| {
        let action = match word.as_str() {
            "merge" | "merging" | "combine" | "combining" => RestructuringAction::Merge,
            "split" | "splitting" => RestructuringAction::Split,
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
    let is_whole = match rest.find(|word| !is_number(word)) {
        None => true,
        Some(next) => ENDS.contains(&next),
    };
    // “Split card 3 into two sentences” is about sentences.
    const LESS: [&str; 8] = [
        "sentence",
        "sentences",
        "paragraph",
        "paragraphs",
        "line",
        "lines",
        "steps",
        "bullet",
    ];
    let is_text = after
        .iter()
        .take(12)
        .any(|word| LESS.contains(&word.as_str()));
    is_whole && !(action == RestructuringAction::Split && is_text)
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
            .and_then(|number| model::component_of(document, number));
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

#[cfg(test)]
mod tests {
    use redraft_run::restructure::RestructuringAction::{
        self, Add, ChangeAnswer, Delete, Merge, Split,
    };
    use redraft_run::verdict::{Anchored, Issue, IssueSeverity};

    use super::asked_for;
    use crate::sqa_lesson::testing::document;

    #[test]
    fn only_what_changes_cards_themselves_is_for_a_person() {
        let template = document(
            r#"{"title": "T", "cards": [{"id": "c1", "explainer": "x"}, {"id": "c2", "explainer": "y"}, {"id": "c3", "explainer": "z"}]}"#,
        );
        let asked = |fix: &str| -> Option<(RestructuringAction, Vec<String>)> {
            let issue = Issue {
                criterion: "pedagogical_design".to_owned(),
                severity: IssueSeverity::Major,
                location: "c2".into(),
                quote: None,
                anchor: Anchored::NotQuoted,
                suggested_fix: fix.to_owned(),
                description: "It is weak.".to_owned(),
                source: None,
            };
            let found = asked_for(&template, &issue)?;
            let names = found.components.iter().map(|id| id.0.clone()).collect();
            Some((found.action, names))
        };
        for (fix, expected) in [
            (
                "Merge Card 2 and Card 3 into one, for practice in pairs",
                Some((Merge, &["c2", "c3"][..])),
            ),
            ("Combine cards 1 and 2.", Some((Merge, &["c1", "c2"]))),
            ("Split card 3 into two cards", Some((Split, &["c3"]))),
            (
                "Delete card 2, because it repeats card 1",
                Some((Delete, &["c2"])),
            ),
            (
                "Remove card 3 and card 1 since they repeat card 2.",
                Some((Delete, &["c1", "c3"])),
            ),
            ("Remove the last card.", Some((Delete, &[]))),
            ("Add a card for AS1.3", Some((Add, &[]))),
            (
                "The key is wrong: set answerIndex to 2",
                Some((ChangeAnswer, &["c2"])),
            ),
            (
                "The expected answer should be 12",
                Some((ChangeAnswer, &["c2"])),
            ),
            ("Split it in two: 'Share £30. Each gets £6.'", None),
            ("Split card 3 into two short sentences", None),
            ("Remove card 3's second hint", None),
            ("Add card 2 explainer steps", None),
            ("Add a card title that says more", None),
            ("Add a criterion for the working to card 4", None),
            ("The key words should be explained", None),
            ("Give hints that lead to the expected answer", None),
            ("Divide card costs by 4", None),
        ] {
            let expected = expected.map(|(action, names)| {
                (action, names.iter().map(|&name| name.to_owned()).collect())
            });
            assert_eq!(asked(fix), expected, "{fix}");
        }
    }
}
