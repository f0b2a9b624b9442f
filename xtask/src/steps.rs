//! Running steps one after the other: each is announced, the first that fails
//! ends the run, and a summary says what ran, what did not, and what it took.

use std::env;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// How a step that did not fail ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    Ran,
    /// It ran, and something is worth knowing.
    RanBut(String),
    /// It did not run, and this is why.
    Skipped(String),
}

/// Passes an outcome on; a skip is a failure where `REDRAFT_REQUIRE_ALL` is set.
pub(crate) fn unless_skips_fail(outcome: Outcome) -> Result<Outcome> {
    match outcome {
        Outcome::Skipped(why) if requires_all() => {
            bail!("skipped, and REDRAFT_REQUIRE_ALL is set: {why}")
        }
        outcome => Ok(outcome),
    }
}

fn requires_all() -> bool {
    env::var_os("REDRAFT_REQUIRE_ALL").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Prints what is worth knowing about a single step.
pub(crate) fn tell(outcome: &Outcome) {
    match outcome {
        Outcome::Ran => {}
        Outcome::RanBut(note) => eprintln!("   {note}"),
        Outcome::Skipped(why) => eprintln!("   skipped: {why}"),
    }
}

/// What the summary says of a step.
#[derive(Debug)]
enum Ending {
    Passed(Outcome),
    Failed,
}

/// The steps that have been run.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    done: Vec<Done>,
}

#[derive(Debug)]
struct Done {
    name: &'static str,
    ending: Ending,
    wall: Duration,
    cpu: Option<Duration>,
}

impl Steps {
    /// Runs one step.
    pub(crate) fn run(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<Outcome>,
    ) -> Result<()> {
        eprintln!("== {name}");
        let started = Instant::now();
        let used = processor_time();
        let result = step()
            .and_then(unless_skips_fail)
            .with_context(|| format!("the step `{name}` failed"));
        let wall = started.elapsed();
        let cpu = used
            .zip(processor_time())
            .map(|(before, after)| after.saturating_sub(before));
        if let Ok(Outcome::Skipped(why)) = &result {
            eprintln!("   skipped: {why}");
        }
        let (ending, result) = match result {
            Ok(outcome) => (Ending::Passed(outcome), Ok(())),
            Err(error) => (Ending::Failed, Err(error)),
        };
        self.done.push(Done {
            name,
            ending,
            wall,
            cpu,
        });
        result
    }

    /// Prints what ran, what did not and why, and what each step took.
    pub(crate) fn summarise(&self) {
        eprintln!("\n== summary");
        for done in &self.done {
            let cpu = done.cpu.map_or(String::new(), |cpu| {
                format!(" {:>6.1} s cpu", cpu.as_secs_f64())
            });
            let took = format!("{:>6.1} s{cpu}", done.wall.as_secs_f64());
            let (word, note) = match &done.ending {
                Ending::Passed(Outcome::Ran) => ("ran", String::new()),
                Ending::Passed(Outcome::RanBut(note)) => ("ran", format!(" ({note})")),
                Ending::Passed(Outcome::Skipped(why)) => ("skipped", format!(" ({why})")),
                Ending::Failed => ("FAILED", "; nothing after it was run".to_owned()),
            };
            eprintln!("   {word:<8} {took}  {}{note}", done.name);
        }
    }
}

/// The processor time of all processes that we have started and waited for,
/// where the system tells (Linux). On a busy machine it says more than the clock.
fn processor_time() -> Option<Duration> {
    /// `USER_HZ`, which Linux shows as 100 to every program.
    const TICKS_A_SECOND: u64 = 100;
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold spaces; the state, field 3, follows it. The
    // children's user and system time are fields 16 and 17.
    let (_, fields) = line.rsplit_once(')')?;
    let mut children = fields.split_whitespace().skip(13);
    let user: u64 = children.next()?.parse().ok()?;
    let system: u64 = children.next()?.parse().ok()?;
    Some(Duration::from_millis(
        (user + system) * 1000 / TICKS_A_SECOND,
    ))
}
