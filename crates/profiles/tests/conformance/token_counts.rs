//! What our own words in prompts cost, counted by the tokeniser of OpenAI's newer models
//! (o200k). They are sent with every document, so that each counts a thousand times.

use std::collections::HashSet;
use std::fmt::Write as _;

use redraft_gate::companion::Companions;
use redraft_profiles::registry;
use redraft_run::ask::Schema;
use redraft_run::{phrase, self_review, solve, verdict, verify, write};

use crate::prompts::DOCUMENTS;
use crate::task_prompts::{self, Case};

fn tokens(text: &str) -> usize {
    let tokeniser = tiktoken_rs::o200k_base_singleton();
    tokeniser.count(text, &HashSet::new()).unwrap()
}

/// A prompt without what it shows: between tags of ours nothing is ours.
fn frame(user: &str) -> String {
    let mut frame = String::new();
    let mut inside: Option<String> = None;
    for line in user.lines() {
        let opened = line
            .strip_prefix("<redraft:")
            .and_then(|line| line.strip_suffix('>'))
            .filter(|name| !name.contains(' '));
        let closes = inside
            .as_ref()
            .is_some_and(|name| line == format!("</redraft:{name}>"));
        if closes {
            inside = None;
        }
        if inside.is_none() {
            frame.push_str(line);
            frame.push('\n');
            inside = opened.map(str::to_owned);
        }
    }
    frame
}

/// System, frame, rubric and schema of a judge's prompt.
#[test]
fn the_fixed_words_of_a_judge_s_prompt_take_at_most_1500_tokens() {
    for (profile, text, hint) in DOCUMENTS {
        let (_, judge) = crate::prompts::prompt(profile, text, hint);
        let frame = frame(&judge.user);
        assert!(
            frame.contains("Judge the text") && !frame.contains("Parts:"),
            "{frame}"
        );
        let schema = verdict::schema(
            registry::profile(profile).unwrap().rubric(),
            &Companions::default(),
        );
        let all = tokens(&judge.system) + tokens(&frame) + tokens(schema.text());
        println!("{profile}: {all}");
        assert!(all <= 1_500, "{profile}: {all}");
    }
}

#[test]
fn the_fixed_words_of_every_role_are_counted() {
    let mut table = String::new();
    each(|profile, case| {
        let rubric = case.profile.rubric();
        for (task, prompt) in task_prompts::all(case) {
            let schema = match task {
                "self_review" => Some(self_review::schema()),
                "judge" => Some(verdict::schema(rubric, case.companions)),
                "consistency" => Some(verify::consistency_schema()),
                "arbiter" => Some(phrase::schema(&[])),
                "plan" => Some(write::plan_schema()),
                "solve" => Some(solve::schema(4)),
                _ => None,
            };
            let schema = schema.map_or(0, |schema| tokens(Schema::text(&schema)));
            let (system, frame) = (tokens(&prompt.system), tokens(&frame(&prompt.user)));
            writeln!(
                table,
                "{profile} {task}: system {system}, frame {frame}, schema {schema}"
            )
            .unwrap();
        }
    });
    insta::assert_snapshot!(table);
}

#[test]
fn the_judge_of_a_repair_knows_the_question_and_the_only_right_answer_of_an_item() {
    each(|profile, case| {
        for (task, prompt) in task_prompts::all(case) {
            if task.starts_with("verify") || task.starts_with("compare") {
                let is_told = prompt.user.contains("<redraft:key>")
                    && prompt.user.contains("another option is right");
                assert_eq!(is_told, profile.ends_with("mcq"), "{profile} {task}");
            }
        }
    });
}

/// A small document of every profile, with nothing beside it.
fn each(mut look: impl FnMut(&str, &Case<'_>)) {
    let beside = Companions::default();
    for (name, text, hint) in DOCUMENTS {
        let profile = registry::profile(name).unwrap();
        let document = crate::prompts::document(profile, text, hint);
        look(
            name,
            &Case {
                profile,
                part: task_prompts::first_part(&document),
                document: &document,
                companions: &beside,
                words: "Words.",
                complaint: None,
            },
        );
    }
}
