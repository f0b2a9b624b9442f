//! What redraft does to texts whose true quality is known: the real machine, with
//! simulated models. Started by `cargo xtask simulate`; the world and its
//! assumptions are told in `docs/simulation.md`.

mod actors;
mod arms;
mod craft;
mod dice;
mod figures;
mod lessons;
mod play;
mod report;
mod tell;
mod trial;
mod world;

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use redraft_core::decide::Mode;
use redraft_profiles::registry;

use actors::SKILL;
use arms::Genre;
use craft::Hardship;
use lessons::Lessons;
use report::Report;
use tell::Goals;
use trial::World;

fn main() -> ExitCode {
    let told = Request::parse(std::env::args().skip(1)).and_then(|request| {
        let report = simulate(&request)?;
        if request.json {
            println!("{:#}", report.json());
        } else {
            print!("{}", report.text());
        }
        Ok(())
    });
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    seed: u64,
    lessons: usize,
    cards: usize,
    items: usize,
    json: bool,
}

impl Request {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self> {
        // The numbers of issue 10.
        let mut request = Self {
            seed: 1,
            lessons: 1_000,
            cards: 300,
            items: 1_000,
            json: false,
        };
        while let Some(word) = words.next() {
            if word == "--json" {
                request.json = true;
                continue;
            }
            let number = words.next().and_then(|number| number.parse::<u64>().ok());
            let number = number.with_context(|| format!("{word} needs a number"))?;
            let documents = usize::try_from(number).context("so many documents")?;
            match word.as_str() {
                "--seed" => request.seed = number,
                "--lessons" => request.lessons = documents,
                "--cards" => request.cards = documents,
                "--items" => request.items = documents,
                _ => bail!("{word} is not known; there are --seed, --lessons, --cards, --items, --json"),
            }
        }
        Ok(request)
    }
}

const LESSONS: Hardship = Hardship {
    spread: &[
        (0.30, 0, 0),
        (0.30, 1, 2),
        (0.27, 3, 5),
        (0.10, 6, 9),
        (0.03, 10, 14),
    ],
    minor: 0.50,
    major: 0.38,
    damaged: 0.10,
};

fn simulate(request: &Request) -> Result<Report> {
    let mut sections = Vec::new();
    if request.lessons > 0 {
        let world = World {
            seed: request.seed,
            genre: Genre::Lessons,
            craft: &Lessons,
            hardship: LESSONS,
            skill: SKILL,
        };
        let profile = registry::profile("lesson").context("there are lessons")?;
        let goals = [
            Goals {
                accepted: Some(0.85),
                escalated: Some(0.10),
                ..Goals::default()
            },
            Goals {
                usable: Some(0.90),
                ..Goals::default()
            },
        ];
        for (mode, goals) in [Mode::SemiAuto, Mode::FullAuto].into_iter().zip(goals) {
            let title = format!("Lessons, {}", mode.name());
            eprintln!("{title}");
            let n = request.lessons;
            let ours = world.play_all(n, &|genre, subject| arms::as_it_is(genre, subject, mode))?;
            eprintln!("{title}: written again");
            let theirs = world.play_all(n, &|genre, subject| arms::written_again(genre, subject, mode))?;
            sections.push(tell::outcomes(&title, &ours, profile.decision(mode), goals));
            sections.extend(tell::stages(&title, &ours));
            sections.extend(tell::spending(&title, &ours));
            sections.push(tell::against(
                &format!("{title}: against writing the whole again"),
                &ours,
                &theirs,
                &|number, attempt| world.fresh(number, attempt).unwrap_or_default(),
            ));
        }
    }
    Ok(Report {
        seed: request.seed,
        sections,
    })
}
