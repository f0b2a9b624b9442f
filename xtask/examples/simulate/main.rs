//! What redraft does to texts whose true quality is known: the real machine, with
//! simulated models. Started by `cargo xtask simulate`; the world and its
//! assumptions are told in `docs/simulation.md`.

mod actors;
mod craft;
mod dice;
mod lessons;
mod play;
mod world;

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use redraft_core::ask::Role;
use redraft_core::decide::Mode;

use actors::{Cast, SKILL};
use craft::{Craft, Hardship, Subject};
use dice::Dice;
use lessons::Lessons;
use play::{Desk, play};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

const H: Hardship = Hardship {
    spread: &[(0.30, 0, 0), (0.30, 1, 2), (0.27, 3, 5), (0.10, 6, 9), (0.03, 10, 14)],
    minor: 0.50,
    major: 0.38,
    damaged: 0.10,
};

fn run() -> Result<()> {
    let lessons = Lessons;
    let n: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10);
    let start = std::time::Instant::now();
    for i in 0..n {
        let order = i % lessons.orders();
        let subject = Subject::of(&lessons, 1, order).context("profile")?;
        let name = format!("lesson {i}");
        let mut dice = Dice::new(1, &[&name]);
        let planted = H.draw(&mut dice, &lessons);
        let text = lessons.write(&mut dice, order, &planted);
        if i == 0 { println!("{text}"); }
        let cast = Cast { seed: 1, name, order, subject: &subject, hardship: H, skill: SKILL };
        let policy = subject.profile.decision(Mode::SemiAuto).clone();
        let desk = Desk { mode: Mode::SemiAuto, policy, roles: vec![Role::SelfReviewer, Role::JudgePrimary, Role::JudgeSecondary, Role::JudgeTiebreaker, Role::Patcher, Role::SectionExpander, Role::DeltaJudge, Role::Planner, Role::Expander, Role::Smoother] };
        let r = play(&cast, &text, &desk)?;
        println!("{i} {:?} d{} {:.3}->{:.3} d{} score {:?} rounds {} judges {:?} tokens {} {:?} | {}", r.status, r.before.defects, r.before.overall, r.after.overall, r.after.defects, r.score, r.rounds, r.judges, r.total(), r.counts, r.because);
    }
    println!("{:?}", start.elapsed());
    Ok(())
}
