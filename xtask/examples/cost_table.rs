//! What a repair takes against writing the whole again (seed 003 §13), counted by
//! the tokeniser from the prompts of real runs. The replies are scripted; they are
//! as long as a model's would be. Started by `cargo xtask cost-table`.
//!
//! The lesson of the scenario has six sections: a false statement in the second,
//! two slips of grammar in the fourth. Judging is counted apart: it has to be paid
//! whatever is done about its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use redraft_engine::model::scripted::ScriptedModel;
use redraft_gate::examine::Settings;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::reading::Hint;
use redraft_gate::review;
use redraft_profiles::{companions, registry};
use redraft_run::ask::{Ask, Budget, Finish, Reply, Role, Time, Tokens, Usage};
use redraft_run::outcome::Outcome;
use redraft_run::policy::Mode;
use redraft_run::run::{Decision, Run, Step};
use redraft_run::setup::{Goal, Seat, Setup, SpendingLimits};
use serde_json::{Value, json};

#[path = "simulate/tokeniser.rs"]
mod tokeniser;

use tokeniser::remembered as count;

const LESSON: &str = include_str!("../fixtures/cost/lesson.md");
const SPECIFICATION: &str = include_str!("../fixtures/cost/specification.json");
const SECTION_B: &str = include_str!("../fixtures/cost/section_b.md");

/// Seed 003 §13.1: the text and its specification read, the text written.
const FULL_REGENERATION: u64 = 6_000;
/// … and the repair of the scenario.
const GOAL: u64 = 2_600;

/// What a judge says, and how it is repaired.
struct Case {
    name: &'static str,
    /// What seed 003 §13.2 expects.
    seed: u64,
    issues: &'static [Said],
    /// What patcher and expander answer, by the title of the section.
    repairs: &'static [(&'static str, Answer)],
}

struct Said {
    criterion: &'static str,
    severity: &'static str,
    section: &'static str,
    quote: &'static str,
    description: &'static str,
    fix: &'static str,
}

#[derive(Clone, Copy)]
enum Answer {
    /// Edits: what is found, and what stands there instead.
    Edits(&'static [(&'static str, &'static str)]),
    /// The text of a section.
    Text(&'static str),
    /// Its old text, with these changes.
    Rewritten(&'static [(&'static str, &'static str)]),
}

const FALSE_STATEMENT: Said = Said {
    criterion: "factual_accuracy",
    severity: "major",
    section: "High and low pressure",
    quote: "In the northern hemisphere the wind blows clockwise around a low and anticlockwise around a high.",
    description: "The directions are reversed: in the northern hemisphere the wind blows anticlockwise around a low and clockwise around a high, so that the rule to remember it is wrong, too.",
    fix: "State the directions the right way round, and correct the rule: with the wind at your back the low is on your left.",
};
const FIRST_SLIP: Said = Said {
    criterion: "clarity_readability",
    severity: "minor",
    section: "Isobars and wind",
    quote: "The spacing of the lines tell you how hard the wind blows.",
    description: "The verb does not agree with its subject.",
    fix: "Write “tells”.",
};
const SECOND_SLIP: Said = Said {
    criterion: "clarity_readability",
    severity: "minor",
    section: "Isobars and wind",
    quote: "The stick points to where the wind come from.",
    description: "The verb lacks its ending.",
    fix: "Write “comes”.",
};
const SLIPS_MENDED: Answer = Answer::Edits(&[
    (
        "The spacing of the lines tell you how hard the wind blows.",
        "The spacing of the lines tells you how hard the wind blows.",
    ),
    (
        "The stick points to where the wind come from.",
        "The stick points to where the wind comes from.",
    ),
]);

const SCENARIO: Case = Case {
    name: "one false statement, two slips",
    seed: GOAL,
    issues: &[FALSE_STATEMENT, FIRST_SLIP, SECOND_SLIP],
    repairs: &[
        ("High and low pressure", Answer::Text(SECTION_B)),
        ("Isobars and wind", SLIPS_MENDED),
    ],
};

const CASES: &[Case] = &[
    Case {
        name: "grammar, tone",
        seed: 800,
        issues: &[FIRST_SLIP, SECOND_SLIP],
        repairs: &[("Isobars and wind", SLIPS_MENDED)],
    },
    Case {
        name: "minor clarity",
        seed: 800,
        issues: &[Said {
            criterion: "clarity_readability",
            severity: "minor",
            section: "Fronts",
            quote: "The map then shows both shapes side by side on a purple line.",
            description: "A learner cannot tell which shapes are meant.",
            fix: "Name the triangles and half circles.",
        }],
        repairs: &[(
            "Fronts",
            Answer::Edits(&[(
                "The map then shows both shapes side by side on a purple line.",
                "The map then shows triangles and half circles side by side on a purple line.",
            )]),
        )],
    },
    Case {
        name: "missing examples",
        seed: 1_000,
        issues: &[Said {
            criterion: "engagement_examples",
            severity: "major",
            section: "How far a map can be trusted",
            quote: "Local knowledge helps.",
            description: "That local knowledge helps is claimed in general; no example shows how a learner would use it.",
            fix: "Add an example of two or three sentences in which somebody corrects a forecast by what they know of their town.",
        }],
        repairs: &[(
            "How far a map can be trusted",
            Answer::Edits(&[(
                "Local knowledge helps.",
                "Local knowledge helps. Mara lives in a narrow valley, and the map promised her a mild night of five degrees. She knew that cold air runs down into the valley whenever the sky is clear. So she covered her plants, and in the morning there was frost on the grass.",
            )]),
        )],
    },
    Case {
        name: "factual error",
        seed: 1_500,
        issues: &[FALSE_STATEMENT],
        repairs: &[("High and low pressure", Answer::Text(SECTION_B))],
    },
    Case {
        name: "structure issue",
        seed: 1_500,
        issues: &[Said {
            criterion: "pedagogical_structure",
            severity: "major",
            section: "Four steps to a forecast",
            quote: "Third, look at the isobars over your town and count how many cross the space of your thumb.",
            description: "Four steps stand in two paragraphs without a break, and the example comes only after all of them, so that a learner cannot follow it.",
            fix: "Give each step a paragraph of its own.",
        }],
        repairs: &[(
            "Four steps to a forecast",
            Answer::Rewritten(&[
                ("unsettled. Second,", "unsettled.\n\nSecond,"),
                ("umbrella. Fourth,", "umbrella.\n\nFourth,"),
            ]),
        )],
    },
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    println!(
        "The lesson: {} tokens, six sections. Writing it again: {FULL_REGENERATION} tokens (seed 003 §13.1).\n",
        count(LESSON)
    );
    println!("By kind of issue (repair and verification; judging apart):\n");
    println!("| issue | route | tokens | of a full regeneration | seed |");
    println!("|---|---|---|---|---|");
    for case in CASES {
        let counted = measured(case)?;
        println!(
            "| {} | {} | {} | {} | {} |",
            case.name,
            counted.route(),
            counted.repair(),
            percent(counted.repair()),
            case.seed
        );
    }
    println!(
        "| several major | the whole again | {FULL_REGENERATION} | 100.0% | {FULL_REGENERATION} |"
    );
    let scenario = measured(&SCENARIO)?;
    println!("\nThe scenario of §13.1 ({}):\n", SCENARIO.name);
    println!("| ask | prompt | reply | both | its schema |");
    println!("|---|---|---|---|---|");
    for (name, sizes) in &scenario.asks {
        if sizes.budget == Budget::Repair {
            println!(
                "| {name} | {} | {} | {} | {} |",
                sizes.prompt,
                sizes.reply,
                sizes.prompt + sizes.reply,
                sizes.schema
            );
        }
    }
    let total = scenario.repair();
    println!(
        "\nRepair and verification: {total} tokens, {} of a full regeneration; the goal is {GOAL} ({}).",
        percent(total),
        percent(GOAL)
    );
    let schemas: u64 = scenario.of(Budget::Repair).map(|ask| ask.schema).sum();
    println!(
        "With the schemas of the replies, where a provider counts them: {} ({}).",
        total + schemas,
        percent(total + schemas)
    );
    println!(
        "\nJudging, which either way has to be paid (self-review, judge, judged again, confirmed):\n"
    );
    let mut judging = 0;
    for (name, sizes) in &scenario.asks {
        if sizes.budget == Budget::Judging {
            judging += sizes.prompt + sizes.reply;
            println!("  {name}: {} + {}", sizes.prompt, sizes.reply);
        }
    }
    println!(
        "  together {judging} tokens; a text that is written again is judged again just as well"
    );
    Ok(total <= GOAL)
}

fn percent(tokens: u64) -> String {
    let thousandths = tokens * 1_000 / FULL_REGENERATION;
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

struct Sizes {
    budget: Budget,
    role: Role,
    prompt: u64,
    reply: u64,
    schema: u64,
}

struct Counted {
    /// Every ask, in the order in which they were sent.
    asks: Vec<(String, Sizes)>,
}

impl Counted {
    fn of(&self, budget: Budget) -> impl Iterator<Item = &Sizes> {
        let asks = self.asks.iter().map(|(_, sizes)| sizes);
        asks.filter(move |sizes| sizes.budget == budget)
    }

    fn repair(&self) -> u64 {
        self.of(Budget::Repair)
            .map(|sizes| sizes.prompt + sizes.reply)
            .sum()
    }

    fn route(&self) -> String {
        let roles: BTreeMap<&str, ()> = self
            .of(Budget::Repair)
            .filter(|sizes| sizes.role != Role::DeltaJudge)
            .map(|sizes| (sizes.role.name(), ()))
            .collect();
        roles.into_keys().collect::<Vec<_>>().join(", ")
    }
}

/// Runs a case to its end, and counts what is asked and answered.
fn measured(case: &Case) -> Result<Counted> {
    let mut run = Run::new(setup()?, Time(0));
    let mut counted = Counted { asks: Vec::new() };
    let outcome = loop {
        match run.next_step()? {
            Step::Ask(asks) => {
                for ask in asks {
                    let reply = answer(case, &ask)?;
                    let sizes = Sizes {
                        budget: ask.role.budget(),
                        role: ask.role,
                        prompt: count(&ask.prompt.system) + count(&ask.prompt.user),
                        reply: count(&reply),
                        schema: ask.schema.as_ref().map_or(0, |schema| count(schema.text())),
                    };
                    let usage = Usage {
                        tokens: Tokens::new(sizes.prompt, sizes.reply),
                        estimated: true,
                    };
                    counted.asks.push((ask.id.to_string(), sizes));
                    let reply = Reply {
                        text: reply,
                        finish: Finish::Stop,
                        usage,
                        took: 0,
                        reused: false,
                    };
                    run.handle_reply(Time(1), &ask.id, Ok(reply));
                }
            }
            Step::Cancel(_) => {}
            Step::Wait { .. } => run.handle_decision(Time(1), &Decision::Absent),
            Step::Done(outcome) => break outcome,
        }
    };
    all_kept(case, &outcome)?;
    Ok(counted)
}

/// A repair that was undone would make the figures worthless.
fn all_kept(case: &Case, outcome: &Outcome) -> Result<()> {
    let tasks = &outcome.tasks;
    if tasks.len() != case.repairs.len() || tasks.iter().any(|task| !task.kept) {
        bail!(
            "{}: {} of {} repairs were kept: {:?} {:?}",
            case.name,
            tasks.iter().filter(|task| task.kept).count(),
            case.repairs.len(),
            outcome.because,
            tasks.iter().map(|task| &task.because).collect::<Vec<_>>()
        );
    }
    Ok(())
}

fn setup() -> Result<Setup> {
    let profile = registry::profile("lesson").context("there are lessons")?;
    let specification = companions::specification(SPECIFICATION.as_bytes().to_vec());
    let companions = Arc::new(redraft_gate::companion::Companions {
        specification: Some(specification.map_err(|_| anyhow::anyhow!("no specification"))?),
        ..Default::default()
    });
    let reader = Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            ..Settings::default()
        },
        companions: Arc::clone(&companions),
        hint: Hint::Markdown,
    };
    let inspected = reader.inspect(LESSON.as_bytes().to_vec());
    let seat = |role: Role| Seat {
        role,
        weight: 1,
        models: vec![ScriptedModel::settings(role.name())],
        contexts: BTreeMap::new(),
    };
    Ok(Setup {
        id: "cost".to_owned(),
        goal: Goal::Refine,
        profile,
        self_review: review::review(&inspected.findings, &inspected.findings),
        inspector: Arc::new(reader),
        inspected: Arc::new(inspected),
        companions,
        rubric: profile.rubric().clone(),
        policy: profile.decision(Mode::FullAuto).clone(),
        mode: Mode::FullAuto,
        unnamed: BTreeSet::new(),
        seats: [
            Role::SelfReviewer,
            Role::JudgePrimary,
            Role::JudgeSecondary,
            Role::Patcher,
            Role::SectionExpander,
            Role::DeltaJudge,
        ]
        .map(seat)
        .to_vec(),
        feedback_language: None,
        limits: SpendingLimits::default(),
        require_judged: false,
        self_preference: None,
        models: redraft_run::setup::KnownModels::default(),
    })
}

fn answer(case: &Case, ask: &Ask) -> Result<String> {
    let id = ask.id.to_string();
    let is_first = id.starts_with("i0/");
    Ok(match ask.role {
        Role::SelfReviewer => json!({
            "text_id": ask.content.to_string(),
            "status": "PASS",
            "reasoning": "The text is whole and follows its specification.",
            "issues": [],
            "edits": [],
        })
        .to_string(),
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            verdict(ask, if is_first { case.issues } else { &[] })
        }
        Role::DeltaJudge => looked_at(ask)?,
        _ => repaired(case, &id)?,
    })
}

fn verdict(ask: &Ask, issues: &[Said]) -> String {
    let issues: Vec<Value> = issues
        .iter()
        .map(|said| {
            json!({
                "criterion": said.criterion,
                "severity": said.severity,
                "location": said.section,
                "quote": said.quote,
                "description": said.description,
                "suggested_fix": said.fix,
            })
        })
        .collect();
    let score = if issues.is_empty() { 0.93 } else { 0.78 };
    let profile = registry::profile("lesson");
    let criteria = profile
        .into_iter()
        .flat_map(|profile| &profile.rubric().criteria);
    let scores: BTreeMap<&str, f64> = criteria
        .map(|criterion| (criterion.name.as_str(), score))
        .collect();
    json!({
        "text_id": ask.content.to_string(),
        "issues": issues,
        "strengths": ["Each section ends with something to do on the learner's own map."],
        "scores": scores,
        "overall": score,
        "confidence": "high",
    })
    .to_string()
}

/// Yes to everything, with a short reason.
fn looked_at(ask: &Ask) -> Result<String> {
    let schema = ask
        .schema
        .as_ref()
        .context("a delta judge is asked for JSON")?;
    let reason = "The new text states this correctly and nothing else is affected.";
    let ids = schema
        .value()
        .pointer("/properties/answers/items/properties/id/enum");
    Ok(match ids.and_then(Value::as_array) {
        Some(ids) => {
            let answers: Vec<Value> = ids
                .iter()
                .map(|id| json!({"id": id, "reason": reason, "answer": "yes"}))
                .collect();
            json!({ "answers": answers }).to_string()
        }
        None => json!({
            "reason": "It follows on and takes up nothing that was changed.",
            "quote": "",
            "fits": "yes",
        })
        .to_string(),
    })
}

fn repaired(case: &Case, id: &str) -> Result<String> {
    let number: usize = id
        .split('/')
        .find_map(|word| word.strip_prefix("sec_"))
        .and_then(|number| number.parse().ok())
        .with_context(|| format!("{id} names no section"))?;
    let sections: Vec<&str> = LESSON.split("\n## ").skip(1).collect();
    let section = sections
        .get(number - 1)
        .with_context(|| format!("there is no section {number}"))?;
    let (title, text) = section.split_once('\n').unwrap_or((section, ""));
    let (_, answer) = case
        .repairs
        .iter()
        .find(|(named, _)| *named == title)
        .with_context(|| format!("nobody repairs `{title}`"))?;
    Ok(match answer {
        Answer::Text(text) => (*text).to_owned(),
        Answer::Rewritten(changes) => changes
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to)),
        Answer::Edits(edits) => edits
            .iter()
            .map(|(search, replace)| {
                format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
            })
            .collect(),
    })
}
