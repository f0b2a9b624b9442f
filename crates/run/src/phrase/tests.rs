//! What an arbiter may say, and how it is used.

use super::*;
use crate::arbitrate::{ContextWindow, TargetedIssue};
use crate::ask::Tokens;
use crate::route::ContextAnchors;
use crate::rubric::FixAction;
use crate::verdict::{Anchored, Issue};

fn issue(id: &str, severity: IssueSeverity, description: &str, fix: &str) -> TargetedIssue {
    let section = ComponentId::from("options");
    TargetedIssue {
        id: id.to_owned(),
        issue: Issue {
            criterion: "distractor_quality".to_owned(),
            severity,
            location: section.clone(),
            quote: None,
            anchor: Anchored::NotQuoted,
            description: description.to_owned(),
            suggested_fix: fix.to_owned(),
            source: None,
        },
        target_section_id: section,
        fix_action: FixAction::SurgicalEdit,
        context_window: ContextWindow::default(),
        fix_instructions: fix.to_owned(),
        raised_by: 1,
    }
}

fn task() -> RepairTask {
    let source_issues = vec![
        issue(
            "issue_1",
            IssueSeverity::Critical,
            "Option C overlaps with the second.",
            "Replace option C by a drug of another class.",
        ),
        issue(
            "issue_2",
            IssueSeverity::Minor,
            "One is long.",
            "Shorten it.",
        ),
    ];
    RepairTask {
        section_id: ComponentId::from("options"),
        section_title: String::new(),
        action_type: FixAction::SurgicalEdit,
        synthesized_instructions: "1. [critical] distractor_quality: Replace option C by a drug of another class.\n2. [minor] distractor_quality: Shorten it.\n3. [warning] long-option: too long\n(and 2 more places of the same kinds)\nWhile doing so:\n- Keep the order.".to_owned(),
        constraints: vec!["Keep the order.".to_owned()],
        context_anchors: ContextAnchors::default(),
        priority: IssueSeverity::Critical,
        source_issues,
        check_after: None,
        estimated_tokens: Tokens::default(),
        finding_words: Vec::new(),
    }
}

fn read_steps(steps: &str, keys: Keys) -> Result<Vec<Phrased>, Unscored> {
    let task = task();
    let answer = format!(r#"{{"parts": [{{"id": "options", "steps": [{steps}]}}]}}"#);
    let text = "Ramipril, Amlodipine, Simvastatin";
    let one = Phrasing {
        task: &task,
        text,
        keys,
        length: LengthLimits::default(),
    };
    read(&Reply::of(answer), &[one])
}

fn step(ids: &str, instruction: &str) -> String {
    format!(r#"{{"issues": [{ids}], "instruction": "{instruction}"}}"#)
}

#[test]
fn steps_take_the_place_of_their_issues_and_nothing_else_is_lost() {
    let steps = [PhrasedStep {
        issues: vec!["issue_1".to_owned()],
        instruction: "Replace the third option by a drug of another class.".to_owned(),
    }];
    assert_eq!(
        rephrased(&task(), &steps),
        "1. Replace the third option by a drug of another class.\n\
         2. [minor] distractor_quality: Shorten it.\n\
         3. [warning] long-option: too long\n\
         4. (and 2 more places of the same kinds)\n\
         While doing so:\n- Keep the order."
    );
}

#[test]
fn the_program_s_words_stay_where_an_issue_is_in_no_step_unless_it_is_critical() {
    let fine = step(
        r#""issue_1""#,
        "Replace option C by a drug of another class.",
    );
    assert!(read_steps(&fine, Keys::Protected).is_ok());
    let minor = step(r#""issue_2""#, "Shorten it.");
    let error = read_steps(&minor, Keys::Protected).unwrap_err();
    assert_eq!(error.reason, Reason::Rejected);
    assert!(error.message.contains("issue_1 is critical"), "{error:?}");
}

#[test]
fn no_step_speaks_of_the_key_where_it_is_protected() {
    for (instruction, is_fine) in [
        ("Replace option C by a drug of another class.", true),
        (
            "Replace the option by a drug, and change the answer key.",
            false,
        ),
        ("Make the drug of another class the correct answer.", false),
        ("Replace option C by a drug, and key it as D.", false),
        ("Replace option C by a drug; B is right.", false),
        ("Set isCorrect of another drug.", false),
    ] {
        let steps = step(r#""issue_1""#, instruction);
        let read_protected = read_steps(&steps, Keys::Protected);
        assert_eq!(read_protected.is_ok(), is_fine, "{instruction}");
        let reason = read_protected.err().map(|error| error.reason);
        assert!(reason.is_none_or(|reason| reason == Reason::Rejected));
        assert!(read_steps(&steps, Keys::None).is_ok(), "{instruction}");
    }
}

#[test]
fn an_answer_in_a_fence_or_behind_thoughts_is_read() {
    let task = task();
    let one = Phrasing {
        task: &task,
        text: "",
        keys: Keys::None,
        length: LengthLimits::default(),
    };
    let steps = step(
        r#""issue_1", "issue_2""#,
        "Replace option C, and shorten it.",
    );
    let json = format!(r#"{{"parts": [{{"id": "options", "steps": [{steps}]}}]}}"#);
    for answer in [
        format!("```json\n{json}\n```"),
        format!("<think>Which first?</think>\n{json}"),
        format!("Here are the steps:\n{json}"),
    ] {
        let phrased = read(&Reply::of(answer.clone()), &[one]);
        assert_eq!(phrased.map(|all| all.len()), Ok(1), "{answer}");
    }
}

#[test]
fn the_schema_is_strict_and_names_the_parts_and_issues() {
    let task = task();
    let schema = schema(&[&task]);
    assert!(schema.is_closed(), "{}", schema.text());
    for name in ["options", "issue_1", "issue_2"] {
        assert!(schema.text().contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn keys_are_spoken_of_in_seven_languages() {
    for (instruction, expected) in [
        ("Change the answer key to the third option.", true),
        ("Make it the correct answers of the item.", true),
        ("Mache Ramipril zur richtigen Antwort.", true),
        ("Ändere den Lösungsschlüssel.", true),
        ("Haz que sea la respuesta correcta.", true),
        ("Cambia la clave.", true),
        ("Faites-en la bonne réponse.", true),
        ("Torne-a a resposta certa e mude o gabarito.", true),
        ("Сделай его правильным ответом.", true),
        ("Измени ключ задания.", true),
        ("把它改成正确答案。", true),
        ("Ersetze die Option durch ein anderes Arzneimittel.", false),
        ("Remplacez l'option par un autre médicament.", false),
        ("Замени вариант другим лекарством.", false),
        ("用另一种药物代替这个选项。", false),
        ("Keyboards are not drugs; name one.", false),
    ] {
        assert_eq!(speaks_of_a_key(instruction, ""), expected, "{instruction}");
    }
}
