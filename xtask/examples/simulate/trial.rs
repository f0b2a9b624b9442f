//! Many documents through one arm, on both cores. What comes of a document follows
//! from its number and the seed, so that the order in which they are taken does not
//! matter.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};
use redraft_run::policy::Mode;

use crate::actors::{Cast, Skill};
use crate::arms::Genre;
use crate::craft::{Craft, Hardship, Subject};
use crate::dice::Dice;
use crate::play::{Desk, Record, play};

/// What is simulated.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) seed: u64,
    pub(crate) genre: Genre,
    pub(crate) craft: &'a dyn Craft,
    pub(crate) hardship: Hardship,
    pub(crate) skill: Skill,
}

/// How a desk is made for the texts of an order.
pub(crate) type Arm<'a> = dyn Fn(Genre, &Subject<'_>) -> Desk + Sync + 'a;

impl World<'_> {
    fn name(&self, number: usize) -> String {
        format!("{} {number}", self.craft.profile_name())
    }

    fn subject(&self, order: usize) -> Result<Subject<'_>> {
        Subject::of(self.craft, self.seed, order).context("there is no such profile")
    }

    /// A document, and what it is about.
    pub(crate) fn document(&self, number: usize) -> (usize, String) {
        let mut dice = Dice::new(self.seed, &[&self.name(number), "text"]);
        let order = dice.below(self.craft.orders());
        let planted = self.hardship.draw(&mut dice, self.craft);
        (order, self.craft.write(&mut dice, order, &planted))
    }

    /// Plays one document.
    pub(crate) fn play(&self, number: usize, arm: &Arm<'_>) -> Result<Record> {
        let (order, text) = self.document(number);
        let subject = self.subject(order)?;
        let cast = Cast {
            seed: self.seed,
            name: self.name(number),
            order,
            subject: &subject,
            hardship: self.hardship,
            skill: self.skill,
        };
        play(&cast, &text, &arm(self.genre, &subject))
    }

    /// Plays so many documents.
    pub(crate) fn play_all(&self, documents: usize, arm: &Arm<'_>) -> Result<Vec<Record>> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Record>)>> = Mutex::default();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= documents {
                            break;
                        }
                        let record = self.play(number, arm);
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done.push((number, record));
                        if done.len().is_multiple_of(100) {
                            eprintln!(
                                "  {}: {} of {documents}",
                                self.craft.profile_name(),
                                done.len()
                            );
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, record)| record).collect()
    }

    /// How good a text is that is written anew, by its number of attempt; the
    /// truth alone, without any run.
    pub(crate) fn fresh(&self, number: usize, attempt: usize) -> Result<f64> {
        let (order, _) = self.document(number);
        let subject = self.subject(order)?;
        let name = format!("fresh {attempt}");
        let mut dice = Dice::new(self.seed, &[&self.name(number), &name]);
        let planted = self.hardship.draw(&mut dice, self.craft);
        let text = self.craft.write(&mut dice, order, &planted);
        Ok(subject.truth(&text).overall)
    }
}

/// The mode that a kind of content is played in where it knows none.
pub(crate) const ONLY: Mode = Mode::FullAuto;
