//! Judging by the profiles' own rubrics: what a reply comes to, what is no
//! verdict, and what is decided.

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::reading::{self, Hint};
use redraft_gate::score::Score;
use redraft_gate::source::Source;
use redraft_profiles::registry;
use redraft_run::ask::{Finish, ModelSettings, Reply, Role};
use redraft_run::assess::{Assessment, Recommendation, Vote};
use redraft_run::decide::{self, GoodEnough, Grounds, Ruling};
use redraft_run::policy::Mode;
use redraft_run::profile::Profile;
use redraft_run::verdict::{self, Anchored, Judge, Question, Reason, Unscored, Verdict};

const LESSON: &str = "# Water\n\nAbout kettles.\n\n## Heat\n\nThe plate gets “hot”, and the *water* takes the heat up.\n\n## Steam\n\nBubbles rise.\n";

fn document(text: &str) -> Document {
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Markdown);
    registry::profile("lesson").unwrap().parse(raw, None)
}

fn judge() -> Judge {
    Judge::new(Role::JudgeSecondary, &ModelSettings::scripted("judge", 100))
}

fn read(profile: &dyn Profile, text: &str) -> Result<Verdict, Unscored> {
    read_finished(profile, text, Finish::Stop)
}

fn read_finished(profile: &dyn Profile, text: &str, finish: Finish) -> Result<Verdict, Unscored> {
    let document = document(LESSON);
    let reply = Reply {
        finish,
        ..Reply::of(text.replace("{text_id}", &document.source().version().to_string()))
    };
    let question = Question {
        document: &document,
        rubric: profile.rubric(),
        judge: &judge(),
        has_sources: false,
    };
    verdict::read(&question, &reply)
}

/// A verdict with these scores, in the order of the rubric.
fn reply(profile: &dyn Profile, scores: &[&str], rest: &str) -> String {
    let scores: Vec<String> = profile
        .rubric()
        .criteria
        .iter()
        .zip(scores)
        .map(|(criterion, score)| format!("\"{}\": {score}", criterion.name))
        .collect();
    format!(
        "{{\"text_id\": \"{{text_id}}\", \"issues\": [], \"strengths\": [], \"scores\": {{{}}}{rest}}}",
        scores.join(", ")
    )
}

/// A verdict with this mean that can be believed: the scores differ, and low ones are
/// explained.
fn credible(profile: &dyn Profile, mean: &str, rest: &str) -> String {
    let mean: f64 = mean.parse().unwrap();
    let apart = 0.02_f64.min(1.0 - mean);
    // The two in the middle weigh the same.
    let scores =
        [mean, mean, mean - apart, mean + apart, mean, mean].map(|score| format!("{score:.3}"));
    let text = reply(profile, &scores.each_ref().map(String::as_str), rest);
    let issues: Vec<String> = profile
        .rubric()
        .criteria
        .iter()
        .filter(|_| mean < 0.8)
        .map(|criterion| {
            format!(
                "{{\"criterion\": \"{}\", \"severity\": \"minor\", \"description\": \"It is weak.\"}}",
                criterion.name
            )
        })
        .collect();
    text.replacen(
        "\"issues\": []",
        &format!("\"issues\": [{}]", issues.join(", ")),
        1,
    )
}

const SURE: &str = ", \"confidence\": \"high\"";

fn assess(profile: &dyn Profile, verdict: &Verdict) -> Assessment {
    let vote = Vote { verdict, weight: 1 };
    Assessment::of(&[vote], profile.rubric(), &[]).unwrap()
}

fn named(profile: &dyn Profile, scores: &[(&str, &str)]) -> String {
    let ordered: Vec<&str> = profile
        .rubric()
        .criteria
        .iter()
        .map(|criterion| {
            scores
                .iter()
                .find(|(name, _)| *name == criterion.name)
                .unwrap_or_else(|| panic!("no score for {}", criterion.name))
                .1
        })
        .collect();
    reply(profile, &ordered, SURE)
}

/// The score sets that seeds 000 and 004 print, and what they come to under the
/// rulings (the first prints 0.92, but its own formula gives 0.91).
#[test]
fn the_example_scores_of_the_seeds_give_what_their_formulas_say() {
    let cards = |pedagogical, assessment, access, context, coherence, fidelity| {
        vec![
            ("pedagogical_design", pedagogical),
            ("assessment_design", assessment),
            ("accessibility", access),
            ("scottish_context", context),
            ("coherence", coherence),
            ("sow_template_fidelity", fidelity),
        ]
    };
    let item = |accuracy, alignment, distractors, coverage, bloom| {
        vec![
            ("clinical_accuracy", accuracy),
            ("pedagogical_alignment", alignment),
            ("distractor_quality", distractors),
            ("slo_coverage", coverage),
            ("blooms_match", bloom),
        ]
    };
    for (profile, scores, overall, accepted) in [
        (
            "sqa-lesson",
            cards("0.95", "0.90", "0.88", "0.93", "0.90", "0.92"),
            910,
            true,
        ),
        (
            "sqa-lesson",
            cards("0.90", "0.85", "0.82", "0.88", "0.88", "0.85"),
            860,
            false,
        ),
        (
            "clinical-mcq",
            item("0.9", "0.8", "0.75", "0.85", "0.8"),
            830,
            true,
        ),
        (
            "clinical-mcq",
            item("0.4", "0.6", "0.5", "0.7", "0.6"),
            540,
            false,
        ),
    ] {
        let profile = registry::profile(profile).unwrap();
        let verdict = read(profile, &named(profile, &scores)).unwrap();
        let assessment = assess(profile, &verdict);
        assert_eq!(assessment.overall().thousandths(), overall);
        let ruling = decide::decide(&Grounds {
            solving: None,
            policy: profile.decision(Mode::FullAuto),
            findings: &[],
            issues: verdict.issues(),
            scored: Ok(&assessment),
            good_enough: GoodEnough::Accepted,
            unconfirmed: None,
        });
        assert_eq!(ruling == Ruling::Accept, accepted, "{overall}: {ruling:?}");
    }
}

#[test]
fn cards_are_scored_in_hundredths_so_that_anybody_can_derive_the_status() {
    let profile = registry::profile("sqa-lesson").unwrap();
    let all = vec!["0.8749"; 6];
    let verdict = read(profile, &reply(profile, &all, SURE)).unwrap();
    assert_eq!(assess(profile, &verdict).overall().thousandths(), 870);
    let all = vec!["0.875"; 6];
    let verdict = read(profile, &reply(profile, &all, SURE)).unwrap();
    assert_eq!(assess(profile, &verdict).overall().thousandths(), 880);
}

#[test]
fn what_cannot_be_believed_is_unscored_with_a_reason() {
    let profile = registry::profile("lesson").unwrap();
    let good = reply(profile, &["0.9"; 6], SURE);
    let with = |from: &str, to: &str| good.replacen(from, to, 1);
    for (text, reason) in [
        (String::new(), Reason::Empty),
        ("  \n".to_owned(), Reason::Empty),
        ("The lesson is very good.".to_owned(), Reason::NotAVerdict),
        ("I'm sorry, I can't judge that.".to_owned(), Reason::Refused),
        ("{\"verdict\": \"good\"}".to_owned(), Reason::NotAVerdict),
        (with("0.9", "85"), Reason::ScoreOutOfRange),
        (with("0.9", "\"good\""), Reason::ScoreOutOfRange),
        (with("0.9", "-0.1"), Reason::ScoreOutOfRange),
        (with("0.9", "1.2"), Reason::ScoreOutOfRange),
        (with("0.9", "null"), Reason::ScoreOutOfRange),
        (with("factual_accuracy", "accuracy"), Reason::WrongShape),
        (with("\"high\"", "\"very\""), Reason::WrongShape),
        (with(SURE, ""), Reason::WrongShape),
        (with("{text_id}", "0123456789abcdef"), Reason::AnotherText),
        (
            with("\"text_id\": \"{text_id}\", ", ""),
            Reason::AnotherText,
        ),
        (good[..good.len() / 2].to_owned(), Reason::Truncated),
        (
            with(
                "\"issues\": []",
                "\"issues\": [{\"criterion\": \"charm\", \"severity\": \"minor\", \"description\": \"x\"}]",
            ),
            Reason::WrongShape,
        ),
        (
            with(
                "\"issues\": []",
                "\"issues\": [{\"criterion\": \"completeness\", \"severity\": \"awful\", \"description\": \"x\"}]",
            ),
            Reason::WrongShape,
        ),
    ] {
        let unscored = read(profile, &text).expect_err(&text);
        assert_eq!(unscored.reason, reason, "{text}\n{}", unscored.message);
        assert!(!unscored.message.is_empty());
    }
    let refused = read_finished(profile, &good, Finish::Refusal).unwrap_err();
    assert_eq!(refused.reason, Reason::Refused);
}

#[test]
fn a_verdict_is_found_whatever_stands_around_it() {
    let profile = registry::profile("lesson").unwrap();
    let good = reply(profile, &["0.9"; 6], SURE);
    let worse = reply(profile, &["0.5"; 6], SURE);
    let ours = |text: &str| {
        read(profile, text)
            .unwrap_or_else(|unscored| panic!("{}\n{text}", unscored.message))
            .score("completeness")
            .map(Score::thousandths)
    };
    for (text, expected) in [
        (format!("```json\n{good}\n```"), 900),
        (format!("Sure! {good} Let me know."), 900),
        (format!("<think>maybe {worse}</think>\n{good}"), 900),
        (good.replace("0.9", "\"0.9\""), 900),
        // What is slightly wrong outside scores, issues and confidence harms nobody.
        (
            good.replace("\"strengths\": []", "\"strengths\": [\"clear\",]"),
            900,
        ),
    ] {
        assert_eq!(ours(&text), Some(expected), "{text}");
    }
}

/// Ruling 49: nothing is recovered, chosen or filled in where a score could be
/// invented by it.
#[test]
fn a_verdict_is_read_strictly() {
    let profile = registry::profile("lesson").unwrap();
    let good = reply(profile, &["0.9"; 6], SURE);
    let worse = reply(profile, &["0.5"; 6], SURE);
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let issues = |issues: &str| with("\"issues\": []", &format!("\"issues\": {issues}"));
    let issue =
        "{\"criterion\": \"completeness\", \"severity\": \"critical\", \"description\": \"x\"";
    for text in [
        // Several verdicts, in any condition.
        format!("{worse}\n\nOn reflection:\n\n{good}"),
        format!("{good}\n\n{{\"scores\": {{}}}}"),
        format!("{good}\n\nThe lesson says:\n\n> {worse}"),
        format!("> {worse}\n\n{good}"),
        format!("```json\n{good}\n```\n```json\n{worse}\n```"),
        format!("[{good}, {worse}]"),
        // Numbers with a comma, in whatever form the recovery reads them.
        with("0.9", "0,93"),
        with("0.9", "0,9"),
        with("0.9", "1,0"),
        with("0.9", ".9"),
        with("0.9", "+0.9"),
        with("0.9", "0.9.1"),
        with("0.9", "00.9"),
        with("0.9", "0.9 // good"),
        with("0.9", "0.9,,"),
        // A key twice.
        with("\"issues\": []", "\"issues\": [], \"issues\": []"),
        with("\"scores\": {", "\"scores\": {\"completeness\": 0.1, "),
        with(SURE, ", \"confidence\": \"low\", \"confidence\": \"high\""),
        issues(&format!("[{issue}, \"severity\": \"minor\"}}]")),
        // Issues that are none.
        with("\"issues\": [], ", ""),
        issues("{}"),
        issues("null"),
        issues("\"none\""),
        issues("\"A critical error in the second section.\""),
        issues(&format!("{issue}}}")),
        issues("[\"A critical error\"]"),
        issues("[1]"),
        issues("[[]]"),
        issues(&format!("[{issue}}} {issue}}}]")),
        issues(&format!("[{issue}}}, ...]")),
        // Confidence.
        with("\"high\"", "high"),
        with("\"high\"", "'high'"),
        with("\"high\"", "[\"high\"]"),
        with("\"high\"", "1"),
    ] {
        let unscored = read(profile, &text).expect_err(&text);
        let expected = [
            Reason::WrongShape,
            Reason::ScoreOutOfRange,
            Reason::Truncated,
        ];
        assert!(expected.contains(&unscored.reason), "{text}\n{unscored:?}");
        assert!(unscored.reason.is_about_form());
    }
    for text in [
        format!("I'm sorry, but I can't judge this. A verdict would look like this: {good}"),
        format!("{good}\n\nThat was only an example: as an AI I cannot judge lessons."),
    ] {
        let unscored = read(profile, &text).expect_err(&text);
        assert_eq!(unscored.reason, Reason::Refused, "{text}");
    }
    let odd = read_finished(profile, &good, Finish::Unknown).unwrap_err();
    assert_eq!(odd.reason, Reason::Truncated);
}

#[test]
fn a_draft_is_no_verdict() {
    let profile = registry::profile("lesson").unwrap();
    let draft = reply(profile, &["0.9"; 6], SURE);
    let half = &draft[..draft.floor_char_boundary(draft.len() / 2)];
    for (text, finish) in [
        (
            format!("<think>First: {draft} Hmm, but the boiling point is"),
            Finish::Stop,
        ),
        (format!("<think>First: {draft} Hmm"), Finish::Length),
        (
            format!("<|channel|>analysis<|message|>{draft} No,"),
            Finish::Stop,
        ),
        (format!("{draft}\n\nOn reflection:\n\n{half}"), Finish::Stop),
        (format!("{draft}\n\nOn reflection, the"), Finish::Length),
    ] {
        let unscored = read_finished(profile, &text, finish).expect_err(&text);
        assert_eq!(unscored.reason, Reason::Truncated, "{text}");
    }
}

#[test]
fn quotes_are_looked_up_and_parts_are_found() {
    let profile = registry::profile("lesson").unwrap();
    let issue = |location: &str, quote: &str| {
        let issues = format!(
            "\"issues\": [{{\"criterion\": \"completeness\", \"severity\": \"major\", \"location\": \"{location}\", \"quote\": \"{quote}\", \"description\": \"x\", \"suggested_fix\": \"y\"}}]"
        );
        let text = reply(profile, &["0.9"; 6], SURE).replacen("\"issues\": []", &issues, 1);
        let verdict = read(profile, &text).unwrap();
        let issue = &verdict.issues()[0];
        (issue.anchor, issue.location.0.clone())
    };
    for (location, quote, expected, part) in [
        ("sec_1", "Bubbles rise.", Anchored::Exact, "sec_2"),
        ("sec_1", "", Anchored::NotQuoted, "sec_1"),
        ("Steam", "", Anchored::NotQuoted, "sec_2"),
        ("sec_2, paragraph 1", "", Anchored::NotQuoted, "sec_2"),
        ("nowhere", "", Anchored::NotQuoted, "sec_global"),
        (
            "sec_1",
            "the plate gets hot and the water",
            Anchored::Normalised,
            "sec_1",
        ),
        ("sec_1", "Ice floats.", Anchored::Unanchored, "sec_1"),
    ] {
        assert_eq!(
            issue(location, quote),
            (expected, part.to_owned()),
            "{location} {quote}"
        );
    }
}

/// The table above `decide`, row by row.
#[test]
fn decisions_follow_the_policy() {
    let profile = registry::profile("lesson").unwrap();
    let decided = |mode, score: &str, confidence: &str, critical: bool| {
        let rest = format!(", \"confidence\": \"{confidence}\"");
        let mut text = credible(profile, score, &rest);
        if critical {
            text = text.replacen("\"issues\": []", "\"issues\": [{\"criterion\": \"factual_accuracy\", \"severity\": \"critical\", \"description\": \"x\"}]", 1);
        }
        let verdict = read(profile, &text).unwrap();
        let assessment = assess(profile, &verdict);
        decide::decide(&Grounds {
            solving: None,
            policy: profile.decision(mode),
            findings: &[],
            issues: verdict.issues(),
            scored: Ok(&assessment),
            good_enough: GoodEnough::Accepted,
            unconfirmed: None,
        })
    };
    let name = |ruling: &Ruling| match ruling {
        Ruling::Accept => "accept",
        Ruling::AcceptWithWarning => "warn",
        Ruling::HandOver(_) => "hand over",
        Ruling::BestEffort(_) => "best effort",
    };
    use Mode::{FullAuto, SemiAuto};
    for (mode, score, confidence, critical, expected) in [
        (SemiAuto, "0.90", "high", false, "accept"),
        (SemiAuto, "0.899", "high", false, "accept"),
        (SemiAuto, "0.85", "high", false, "accept"),
        (SemiAuto, "0.849", "high", false, "hand over"),
        (SemiAuto, "0.95", "high", true, "hand over"),
        (SemiAuto, "0.95", "low", false, "hand over"),
        (FullAuto, "0.85", "high", false, "accept"),
        (FullAuto, "0.849", "high", false, "warn"),
        (FullAuto, "0.75", "medium", false, "warn"),
        (FullAuto, "0.749", "high", false, "best effort"),
        (FullAuto, "0.99", "high", true, "best effort"),
        (FullAuto, "0.99", "low", false, "best effort"),
    ] {
        let ruling = decided(mode, score, confidence, critical);
        assert_eq!(
            name(&ruling),
            expected,
            "{mode:?} {score} {confidence} {critical}"
        );
    }
    let unscored = Unscored::new(Reason::Empty, "the reply was empty");
    let ruling = decide::decide(&Grounds {
        solving: None,
        policy: profile.decision(SemiAuto),
        findings: &[],
        issues: &[],
        scored: Err(&unscored),
        good_enough: GoodEnough::Accepted,
        unconfirmed: None,
    });
    assert_eq!(name(&ruling), "hand over");
}

#[test]
fn recommendations_follow_the_bands() {
    let profile = registry::profile("lesson").unwrap();
    for (score, confidence, expected) in [
        ("0.9", "high", Recommendation::Accept),
        ("0.899", "high", Recommendation::AcceptWithMinorRevision),
        ("0.749", "high", Recommendation::IterativeRefinement),
        ("0.599", "high", Recommendation::Regenerate),
        ("0.95", "low", Recommendation::EscalateToHuman),
    ] {
        let rest = format!(", \"confidence\": \"{confidence}\"");
        let verdict = read(profile, &credible(profile, score, &rest)).unwrap();
        let found = assess(profile, &verdict).recommendation(verdict.issues());
        assert_eq!(found, expected, "{score} {confidence}");
    }
}

#[test]
fn an_open_finding_caps_what_a_judge_gave() {
    let profile = registry::profile("sqa-lesson").unwrap();
    let text = r#"{"title": "Money", "lesson_type": "teach", "cards": [{"id": "card_001", "title": "Money", "explainer": "A book costs $5.", "explainer_plain": "A book costs $5.", "cfu": {"type": "numeric", "stem": "How much?", "answer": 5}}]}"#;
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Json);
    let document = profile.parse(raw, None);
    let settings = redraft_gate::examine::Settings {
        parameters: profile.parameters().clone(),
        ..Default::default()
    };
    let findings = redraft_gate::examine::examine(
        profile.checks(),
        &document,
        &Companions::default(),
        &settings,
    )
    .findings;
    let verdict = read(profile, &reply(profile, &["0.95"; 6], SURE)).unwrap();
    let vote = Vote {
        verdict: &verdict,
        weight: 1,
    };
    let assessment = Assessment::of(&[vote], profile.rubric(), &findings).unwrap();
    let capped = assessment
        .criteria()
        .iter()
        .find(|criterion| criterion.name() == "scottish_context")
        .unwrap();
    assert!(capped.score() < capped.awarded() && !capped.suffices());
}

/// An issue of a severity, with a number to tell it by.
fn numbered(severity: &str, number: usize) -> String {
    format!(
        r#"{{"criterion": "completeness", "severity": "{severity}", "location": "sec_1", "quote": "", "source": "", "description": "Lack {number}.", "suggested_fix": "Add {number}."}}"#
    )
}

#[test]
fn of_more_than_eight_issues_the_least_severe_are_dropped_and_never_a_critical_one() {
    let profile = registry::profile("lesson").unwrap();
    let minor = |count: usize| vec!["minor"; count];
    for (severities, kept) in [
        (minor(8), (0..8).collect::<Vec<_>>()),
        (minor(9), (0..8).collect()),
        (
            [minor(8), vec!["critical"], vec!["major"]].concat(),
            vec![0, 1, 2, 3, 4, 5, 8, 9],
        ),
        (
            [vec!["major"; 8], minor(1), vec!["critical"]].concat(),
            vec![0, 1, 2, 3, 4, 5, 6, 9],
        ),
        (vec!["critical"; 11], (0..11).collect()),
        ([vec!["critical"; 9], minor(3)].concat(), (0..9).collect()),
    ] {
        let issues: Vec<String> = severities
            .iter()
            .enumerate()
            .map(|(number, severity)| numbered(severity, number))
            .collect();
        let scores = ["0.9", "0.9", "0.9", "0.9", "0.9", "0.7"];
        let reply = reply(profile, &scores, r#", "confidence": "high""#).replace(
            "\"issues\": []",
            &format!("\"issues\": [{}]", issues.join(", ")),
        );
        let verdict = read(profile, &reply).unwrap();
        let found: Vec<String> = verdict
            .issues()
            .iter()
            .map(|issue| issue.description.clone())
            .collect();
        let expected: Vec<String> = kept
            .iter()
            .map(|number| format!("Lack {number}."))
            .collect();
        assert_eq!(found, expected, "{severities:?}");
    }
}

#[test]
fn a_dropped_issue_still_explains_its_score() {
    let profile = registry::profile("lesson").unwrap();
    let mut issues: Vec<String> = (0..8).map(|number| numbered("major", number)).collect();
    issues.push(numbered("minor", 8).replace("completeness", "clarity_readability"));
    let scores = ["0.9", "0.9", "0.9", "0.7", "0.9", "0.6"];
    let reply = reply(profile, &scores, r#", "confidence": "high""#).replace(
        "\"issues\": []",
        &format!("\"issues\": [{}]", issues.join(", ")),
    );
    let verdict = read(profile, &reply).unwrap();
    assert_eq!(verdict.issues().len(), 8);
    assert_eq!(verdict.doubts(), []);
}
