//! `engagement-tag-unused`: no card uses a theme of the engagement tags.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{SCHEME_BELOW, SCHEME_MINOR};
use crate::sqa_lesson::model::{self, Template};
use crate::sqa_lesson::scheme;
use crate::sqa_lesson::themes::{Contexts, Taken};
use crate::sqa_lesson::wording::quoted;

pub(super) static CHECK: Check = Check {
    code: "SQA024",
    name: "engagement-tag-unused",
    severity: Severity::Warning,
    summary: "no card uses a theme of the engagement tags",
    what: "Looks in titles, explainers, questions and context hooks for the themes of the engagement tags: those of the lesson’s entry in the scheme of work if there is one, otherwise the lesson’s own. Recognises a theme by the words of the tag and, for common themes, by related words (a price for finance, a ticket for transport). Unused themes are info; if none is used, it is a warning, unless only the words of the tags are known. Tags that name a way of working (`quiz`) or fit anything (`daily_life`) are ignored.",
    why: "The tags are the contexts that learners of this course care about; generic contexts are a common reason to send a lesson back. Caps `sow_template_fidelity` below its threshold of .88 if no theme is used, otherwise at .95.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"engagement_tags\": [\"transport\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Find a quarter of 20.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"engagement_tags\": [\"transport\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"A bus ticket costs £20 a week. Find a quarter of it.\"}]}",
        fixed: None,
    }],
    caps: &[SCHEME_BELOW, SCHEME_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let own: Vec<&str> = template.engagement_tags.values().collect();
    let asked: Vec<&str> = scheme::entry(template, examination.companions)
        .map(|matched| &matched.entry.engagement_tags)
        .filter(|tags| !tags.is_empty())
        .map_or(own, |tags| tags.iter().map(String::as_str).collect());
    if template.cards.is_empty() || asked.is_empty() {
        return;
    }
    let contexts = contexts(template);
    let mut is_any_taken_up = false;
    let mut is_theme_known = false;
    let mut unused = Vec::new();
    for tag in asked.iter().take(MOST_TAGS) {
        match contexts.take_up(tag) {
            Some(Taken::Up) => is_any_taken_up = true,
            Some(taken) => {
                is_theme_known |= taken == Taken::Not;
                unused.push(*tag);
            }
            None => {}
        }
    }
    if unused.is_empty() {
        return;
    }
    let (themes_word, them) = if unused.len() == 1 { ("theme", "that context") } else { ("themes", "those contexts") };
    let message = format!(
        "no card uses the {themes_word} {}; set a question or an example in {them}",
        quoted(&unused)
    );
    let range = template.engagement_tags.range.clone();
    let finding = sink.in_source(range.unwrap_or_else(|| template.anchor()), message);
    if is_theme_known && !is_any_taken_up {
        finding.caps(&[SCHEME_BELOW]);
    } else {
        finding.severity(Severity::Info);
        finding.caps(&[SCHEME_MINOR]);
    }
}

/// Tags beyond this are ignored; a lesson has a handful.
const MOST_TAGS: usize = 20;

fn contexts(template: &Template) -> Contexts {
    let mut contexts = Contexts::default();
    let mut add = |text: &model::Text| contexts.add(&text.value);
    template.title.iter().for_each(&mut add);
    for card in &template.cards {
        let texts = card.title.iter().chain(&card.explainer).chain(&card.explainer_plain);
        texts.for_each(&mut add);
        card.context_hooks.items.iter().for_each(&mut add);
        for question in card.questions() {
            question.stem.iter().chain(&question.context).for_each(&mut add);
            let options = question.options.items.iter();
            options.filter_map(|option| option.text.as_ref()).for_each(&mut add);
        }
    }
    contexts
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, findings_beside, scheme};

    fn lesson(tags: &str, explainer: &str) -> String {
        format!(
            r#"{{"title": "Fractions", "lesson_type": "teach", "engagement_tags": [{tags}], "cards": [{{"explainer": "{explainer}"}}]}}"#
        )
    }

    #[test]
    fn themes_are_used_or_missed() {
        for (tags, explainer, expected) in [
            (r#""finance""#, "A coat costs £40.", None),
            (r#""finance", "transport""#, "A coat costs £40.", Some(Severity::Info)),
            (r#""transport""#, "A coat costs £40.", Some(Severity::Warning)),
            (r#""quiz", "daily_life""#, "Find a quarter.", None),
            (r#""quiz", "transport""#, "Find a quarter.", Some(Severity::Warning)),
            (r#""highland_dancing""#, "Find a quarter.", Some(Severity::Info)),
            ("", "Find a quarter.", None),
        ] {
            let found = findings(&CHECK, &lesson(tags, explainer));
            assert_eq!(found.first().map(|said| said.severity), expected, "{tags} {explainer}");
        }
    }

    #[test]
    fn the_tags_of_the_scheme_count_before_the_own() {
        let entry = scheme(r#"{"order": 1, "label": "Fractions", "engagement_tags": ["transport"]}"#);
        let found = findings_beside(&CHECK, &lesson(r#""finance""#, "A coat costs £40."), &entry);
        assert_eq!(
            found[0].message,
            "no card uses the theme “transport”; set a question or an example in that context"
        );
    }
}
