//! The time limit of a run (ruling 73). Time enters only with inputs, so a replay ends where the
//! run did.
//!
//! | limit | model | what counts |
//! |---|---|---|
//! | `[limits] seconds-per-run` | any | wall-clock time |
//! | the policy's `seconds` | hosted | wall-clock time |
//! | the policy's `seconds` | on this machine | for each answer, the time its tokens take at the policy's `assumed-speed`; the rest extends the deadline |
//!
//! While a model on this machine works, the run waits for it: its speed is known only when it
//! answers, and each call has its own limit. Parallel calls extend the deadline once, by the time
//! that passed. A failed call does not extend it.

use std::collections::BTreeSet;

use crate::ask::{Ask, AskId, Reply, Time};
use crate::setup::Setup;

#[derive(Clone, Debug)]
pub(super) struct Deadline {
    at: Time,
    /// The time limit of the run.
    seconds: u64,
    /// The speed in tokens per second that the limit assumes; `None` if only the clock counts.
    assumed_speed: Option<u64>,
    /// The names of models on this machine.
    local: BTreeSet<String>,
    /// Open asks to these models.
    open: BTreeSet<AskId>,
    /// Time up to this point has already been counted.
    counted_until: Time,
}

impl Deadline {
    pub(super) fn new(setup: &Setup, now: Time) -> Self {
        let seconds = setup.limits.seconds.unwrap_or(setup.policy.seconds);
        let scales = setup.limits.seconds.is_none() && setup.policy.assumed_speed > 0;
        Self {
            at: now.after(seconds.saturating_mul(1_000)),
            seconds,
            assumed_speed: scales.then_some(setup.policy.assumed_speed),
            local: setup.models.local.clone(),
            open: BTreeSet::new(),
            counted_until: now,
        }
    }

    /// The time limit of the run.
    pub(super) fn seconds(&self) -> u64 {
        self.seconds
    }

    /// The end of the run; `None` while a model on this machine works.
    pub(super) fn at(&self) -> Option<Time> {
        self.open.is_empty().then_some(self.at)
    }

    /// Whether asks can still be sent at this time.
    pub(super) fn is_after(&self, time: Time) -> bool {
        self.at > time
    }

    pub(super) fn extend(&mut self, milliseconds: u64) {
        self.at = self.at.after(milliseconds);
    }

    /// Records that an ask was sent.
    pub(super) fn sent(&mut self, ask: &Ask) {
        if self.assumed_speed.is_some() && self.local.contains(&ask.model.name()) {
            self.open.insert(ask.id.clone());
        }
    }

    /// Records that an ask ended, with or without a reply.
    pub(super) fn ended(&mut self, ask: &AskId, now: Time, reply: Option<&Reply>) {
        let (true, Some(speed), Some(reply)) = (self.open.remove(ask), self.assumed_speed, reply)
        else {
            return;
        };
        let assumed = reply.usage.tokens.total().saturating_mul(1_000) / speed;
        let passed = now.since(self.counted_until).min(reply.took);
        self.extend(passed.min(reply.took.saturating_sub(assumed)));
        self.counted_until = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Tokens, Usage};

    /// Ten seconds at 100 tokens a second, with these asks open since the start.
    fn deadline(open: &[&str]) -> Deadline {
        Deadline {
            at: Time(10_000),
            seconds: 10,
            assumed_speed: Some(100),
            local: BTreeSet::new(),
            open: open.iter().map(|id| AskId((*id).to_owned())).collect(),
            counted_until: Time(0),
        }
    }

    fn reply(took: u64, tokens: u64) -> Reply {
        Reply {
            took,
            usage: Usage {
                tokens: Tokens {
                    input: tokens,
                    output: 0,
                    ..Tokens::default()
                },
                estimated: false,
            },
            ..Reply::of(String::new())
        }
    }

    #[test]
    fn of_an_answer_counts_what_its_tokens_take_at_the_assumed_speed() {
        for (took, tokens, at) in [
            // 500 tokens take five seconds.
            (5_000, 500, 10_000),
            (60_000, 500, 65_000),
            // A model that is faster than assumed gains no time.
            (1_000, 500, 10_000),
            (60_000, 0, 70_000),
        ] {
            let mut deadline = deadline(&["a"]);
            assert_eq!(deadline.at(), None);
            let ask = AskId("a".to_owned());
            deadline.ended(&ask, Time(took), Some(&reply(took, tokens)));
            assert_eq!(deadline.at(), Some(Time(at)), "{took} {tokens}");
        }
    }

    #[test]
    fn answers_side_by_side_move_the_deadline_by_the_time_that_passed() {
        let mut deadline = deadline(&["a", "b"]);
        let [a, b] = ["a", "b"].map(|id| AskId(id.to_owned()));
        deadline.ended(&a, Time(60_000), Some(&reply(60_000, 0)));
        assert_eq!(deadline.at(), None, "b is open");
        deadline.ended(&b, Time(61_000), Some(&reply(61_000, 0)));
        assert_eq!(deadline.at(), Some(Time(71_000)));
        // A failure, or an ask to a hosted model, does not extend the deadline.
        deadline.open.insert(a.clone());
        deadline.ended(&a, Time(90_000), None);
        deadline.ended(&b, Time(99_000), Some(&reply(9_000, 0)));
        assert_eq!(deadline.at(), Some(Time(71_000)));
    }
}
