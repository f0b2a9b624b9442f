//! The parts that judges name, in the many ways in which they do, and the words
//! they quote.

use redraft_gate::content::Document;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::registry;
use redraft_run::ask::{ModelSettings, Reply, Role};
use redraft_run::profile::Profile;
use redraft_run::verdict::{self, Anchored, Issue, Judge, Question, Verdict};
use serde_json::{Value, json};

pub(crate) fn parse(profile: &dyn Profile, text: &str, hint: Hint) -> Document {
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), hint);
    profile.parse(raw, None)
}

/// A verdict with these issues and the same score by every criterion.
pub(crate) fn verdict(
    profile: &dyn Profile,
    document: &Document,
    model: &str,
    score: f64,
    issues: &[Value],
) -> Verdict {
    let rubric = profile.rubric();
    let scores: serde_json::Map<String, Value> = rubric
        .criteria
        .iter()
        .map(|criterion| (criterion.name.clone(), json!(score)))
        .collect();
    let text = json!({
        "text_id": document.source().version().to_string(),
        "issues": issues, "strengths": [], "scores": scores, "overall": score,
        "confidence": "high",
    });
    let settings = ModelSettings::scripted(model, 100);
    let reply = Reply::of(text.to_string());
    let question = Question {
        document,
        rubric,
        judge: &Judge::new(Role::JudgePrimary, &settings),
        has_sources: false,
    };
    verdict::read(&question, &reply).unwrap()
}

/// An issue by the profile's first criterion.
pub(crate) fn issue(profile: &dyn Profile, location: &str, quote: &str) -> Value {
    json!({
        "criterion": profile.rubric().criteria[0].name,
        "severity": "major", "location": location, "quote": quote,
        "description": "A fault.", "suggested_fix": "Mend it.",
    })
}

fn read(profile: &dyn Profile, document: &Document, location: &str, quote: &str) -> Issue {
    let issue = issue(profile, location, quote);
    verdict(profile, document, "judge", 0.8, &[issue]).issues()[0].clone()
}

fn check(profile: &str, text: &str, hint: Hint, cases: &[(&str, &str)]) {
    let profile = registry::profile(profile).unwrap();
    let document = parse(profile, text, hint);
    for (named, expected) in cases {
        let found = read(profile, &document, named, "").location;
        assert_eq!(found.0, *expected, "{named}");
    }
}

const LESSON: &str = "# Water\n\nWater is all around us. Let us look at it.\n\n\
## Heat and the kettle\n\nThe plate gets “hot”, and the *water* takes the heat up.\n\n\
### Example: a kettle\n\nIt takes three minutes.\n\n\
## Steam\n\nBubbles rise.\n\n### Exercise 1: measure\n\nMeasure it.\n\n### Exercise 2: draw\n\nDraw it.\n\n\
## Introduction to ice\n\nIce is cold.\n\n\
## Conclusion\n\nWater has three states.\n";

#[test]
fn parts_of_a_lesson_are_found_however_they_are_named() {
    check(
        "lesson",
        LESSON,
        Hint::Markdown,
        &[
            // By id.
            ("sec_2", "sec_2"),
            ("SEC_2", "sec_2"),
            ("`sec_2`, paragraph 3", "sec_2"),
            ("in sec_2.", "sec_2"),
            ("part id: sec_conclusion", "sec_conclusion"),
            ("exercise_2", "exercise_2"),
            ("sec_global", "sec_global"),
            // By title.
            ("Steam", "sec_2"),
            ("“STEAM”", "sec_2"),
            ("2. Steam", "sec_2"),
            ("Section 2: Steam", "sec_2"),
            // The title is the better witness: the introduction was counted, too.
            ("Section 3: Steam", "sec_2"),
            ("the section on steam", "sec_2"),
            ("heat and the kettle", "sec_1"),
            ("the kettle section", "sec_1"),
            ("Introduction to ice", "sec_3"),
            // By number.
            ("Section 2", "sec_2"),
            ("section 2, paragraph 3", "sec_2"),
            ("Section II", "sec_2"),
            ("Section two", "sec_2"),
            ("the second section", "sec_2"),
            ("2nd section", "sec_2"),
            ("sec 2", "sec_2"),
            ("Раздел 2", "sec_2"),
            ("раздел №2, абзац 1", "sec_2"),
            ("2-й раздел", "sec_2"),
            ("во втором разделе", "sec_2"),
            ("Abschnitt 2", "sec_2"),
            ("zweiter Abschnitt", "sec_2"),
            ("sección 2", "sec_2"),
            ("la segunda sección", "sec_2"),
            ("la deuxième section", "sec_2"),
            ("第2节", "sec_2"),
            ("第二节", "sec_2"),
            ("第二部分第一段", "sec_2"),
            ("第三章", "sec_3"),
            ("Section 2, exercise 1", "exercise_1"),
            ("exercise 2", "exercise_2"),
            ("упражнение 2", "exercise_2"),
            ("the worked example", "example_1"),
            ("example 1", "example_1"),
            // By what it is.
            ("the introduction", "sec_introduction"),
            ("introduction, first paragraph", "sec_introduction"),
            ("введение", "sec_introduction"),
            ("Во введении", "sec_introduction"),
            ("Einleitung", "sec_introduction"),
            ("引言", "sec_introduction"),
            ("conclusion", "sec_conclusion"),
            ("заключение", "sec_conclusion"),
            ("the concluding paragraph", "sec_conclusion"),
            ("fazit", "sec_conclusion"),
            ("总结", "sec_conclusion"),
            // What cannot be told is the whole.
            ("", "sec_global"),
            ("Section 9", "sec_global"),
            ("paragraph 3", "sec_global"),
            ("everywhere", "sec_global"),
            ("the whole lesson", "sec_global"),
            ("exercises", "sec_global"),
            ("partially", "sec_global"),
        ],
    );
}

#[test]
fn a_printed_number_goes_before_the_position() {
    check(
        "lesson",
        "# Вода\n\nЗдравствуйте, это урок о воде и её свойствах.\n\n## 2. Тепло\n\nВода греется.\n\n## 3. Пар\n\nВода кипит.\n\n## Раздел 5. Лёд\n\nЛёд холодный.\n\n## 10 фактов\n\nФакты.\n",
        Hint::Markdown,
        &[
            ("Раздел 2", "sec_1"),
            ("Section 3", "sec_2"),
            ("раздел 5", "sec_3"),
            // Nothing prints a four, and ten facts are no tenth section.
            ("раздел 4", "sec_4"),
            ("раздел 10", "sec_global"),
            ("Пар", "sec_2"),
            ("«Лёд»", "sec_3"),
            ("Раздел «Тепло»", "sec_1"),
        ],
    );
    check(
        "lesson",
        "# 水\n\n水在我们身边。\n\n## 第一节 热\n\n水变热。\n\n## 第三节 蒸汽机\n\n水沸腾。\n",
        Hint::Markdown,
        &[
            ("第一节", "sec_1"),
            ("第3节", "sec_2"),
            ("蒸汽机", "sec_2"),
            ("蒸汽机一节", "sec_2"),
        ],
    );
}

#[test]
fn cards_are_found_by_number_and_title() {
    check(
        "sqa-lesson",
        r#"{"title": "Fractions", "lesson_type": "teach", "cards": [
            {"id": "card_001", "title": "Halves", "explainer": "Half of a pie.", "cfu": {"type": "numeric", "stem": "What is half of 2?"}},
            {"id": "card_002", "title": "Quarters of a bill", "explainer": "A quarter.", "cfu": {"type": "numeric", "stem": "What is a quarter of 4?"}},
            {"title": "Thirds", "explainer": "A third.", "cfu": {"type": "numeric", "stem": "What is a third of 3?"}}
        ]}"#,
        Hint::Json,
        &[
            ("card_002", "card_002"),
            ("card 2", "card_002"),
            ("Card 002, question", "card_002"),
            ("the second card", "card_002"),
            ("карточка 3", "card_003"),
            ("Karte 1", "card_001"),
            ("卡片2", "card_002"),
            ("第2张卡片", "card_002"),
            ("Quarters of a bill", "card_002"),
            ("the Quarters card", "card_002"),
            ("meta", "meta"),
            ("the card", "sec_global"),
            ("card 9", "sec_global"),
        ],
    );
}

#[test]
fn parts_of_an_item_are_found_by_what_they_are() {
    let item = r#"{"id": "NAME", "vignette": "A man of 60 has chest pain since this morning.", "stem": "Which drug is given first?", "options": [{"key": "A", "text": "Aspirin"}, {"key": "B", "text": "Heparin"}], "correct_answer": "A", "rationale": "Aspirin helps."}"#;
    check(
        "clinical-mcq",
        item,
        Hint::Json,
        &[
            ("the stem", "stem"),
            ("Stem", "stem"),
            ("question", "stem"),
            ("option B", "options"),
            ("Option B, C", "options"),
            ("distractors", "options"),
            ("вариант Б", "options"),
            ("选项B", "options"),
            ("vignette", "vignette"),
            ("the clinical vignette", "vignette"),
            ("rationale", "explanation"),
            ("the explanation", "explanation"),
            ("пояснение", "explanation"),
            ("answer key", "answer_key"),
            ("the item", "stem"),
        ],
    );
    let bank = format!(
        "[{}, {}]",
        item.replace("\"id\": \"NAME\", ", ""),
        item.replace("NAME", "q-7")
    );
    check(
        "clinical-mcq",
        &bank,
        Hint::Json,
        &[
            ("item_1/stem", "item_1/stem"),
            ("item 1, stem", "item_1/stem"),
            ("question 1 option B", "item_1/options"),
            ("question 7", "q-7"),
            ("item 2, vignette", "q-7/vignette"),
            ("q-7", "q-7"),
            ("the stem", "sec_global"),
        ],
    );
}

#[test]
fn a_quote_tells_its_part_however_freely_it_is_copied() {
    let profile = registry::profile("lesson").unwrap();
    let document = parse(profile, LESSON, Hint::Markdown);
    for (location, quote, anchor, part) in [
        ("sec_2", "The plate gets “hot”", Anchored::Exact, "sec_1"),
        (
            "sec_2",
            "the plate gets \"hot\", and the water takes",
            Anchored::Normalised,
            "sec_1",
        ),
        ("", "BUBBLES   rise", Anchored::Normalised, "sec_2"),
        ("", "It takes three minutes", Anchored::Exact, "example_1"),
        (
            "sec_3",
            "These words are not there",
            Anchored::Unanchored,
            "sec_3",
        ),
        ("sec_3", "", Anchored::NotQuoted, "sec_3"),
        ("sec_3", "—", Anchored::NotQuoted, "sec_3"),
    ] {
        let issue = read(profile, &document, location, quote);
        assert_eq!(
            (issue.anchor, issue.location.0.as_str()),
            (anchor, part),
            "{quote}"
        );
    }
}
