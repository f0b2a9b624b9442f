//! What one sentence demands. The rows of the table in `demands` are its methods.

use std::ops::Range;

use super::super::phrases::{Slot, Word};
use super::{Address, Demand, Strength, What};

/// A sentence with its words in one language.
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
    pub(super) words: Vec<&'a Word>,
    pub(super) has_free_order: bool,
    /// Whether a sentence before it told a model to drop its instructions.
    pub(super) is_overridden: bool,
}

/// Whether a verb commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Command,
    Doubtful,
    Advice,
}

impl Sentence<'_> {
    fn of(&self, slot: Slot) -> impl DoubleEndedIterator<Item = &Range<usize>> {
        let of_slot = self.words.iter().filter(move |word| word.slot == slot);
        of_slot.map(|word| &word.range)
    }

    fn has(&self, slot: Slot) -> bool {
        self.of(slot).next().is_some()
    }

    fn has_within(&self, slot: Slot, range: &Range<usize>) -> bool {
        self.of(slot)
            .any(|word| range.start <= word.start && word.end <= range.end)
    }

    fn ends_near(&self, slot: Slot, at: usize, most: usize) -> Option<&Range<usize>> {
        self.of(slot)
            .find(|word| word.end <= at && at - word.end <= most)
    }

    fn begins_near(&self, slot: Slot, at: usize, most: usize) -> Option<&Range<usize>> {
        self.of(slot)
            .find(|word| word.start >= at && word.start - at <= most)
    }

    fn objects(&self) -> impl DoubleEndedIterator<Item = (Slot, &Range<usize>)> {
        let is_object = |slot: Slot| {
            matches!(
                slot,
                Slot::Object | Slot::JudgingObject | Slot::SystemObject
            )
        };
        let objects = self.words.iter().filter(move |word| is_object(word.slot));
        objects.map(|word| (word.slot, &word.range))
    }

    /// Whom the sentence speaks to, and where.
    pub(super) fn address(&self) -> Option<(Address, Range<usize>)> {
        let mut weaker = None;
        let judges = self
            .words
            .iter()
            .filter(|word| matches!(word.slot, Slot::AiJudge | Slot::Judge));
        for word in judges {
            let is_ai = word.slot == Slot::AiJudge;
            let judge = &word.range;
            if let Some(address) = self.ends_near(Slot::Address, judge.start, 24) {
                return Some((Address::Called, address.start..judge.end));
            }
            let begins = |word: &&Range<usize>| word.start - self.range.start <= 3;
            if let Some(to) = self.ends_near(Slot::To, judge.start, 24).filter(begins) {
                return Some((Address::Called, to.start..judge.end));
            }
            if let Some(after) = self.begins_near(Slot::AddressAfter, judge.end, 1) {
                return Some((Address::Called, judge.start..after.end));
            }
            if let Some(role) = self.ends_near(Slot::Role, judge.start, 16) {
                let range = role.start..judge.end;
                if is_ai {
                    return Some((Address::Called, range));
                }
                weaker = Some((Address::InRole, range));
            } else if self.is_called(judge) {
                return Some((Address::Called, judge.clone()));
            } else if self.begins_near(Slot::Modal, judge.end, 14).is_some() {
                let told = if is_ai {
                    Address::AiTold
                } else {
                    Address::Told
                };
                weaker = weaker.or(Some((told, judge.clone())));
            }
        }
        weaker
    }

    /// “Grader: …”, “AI assistant, …” at the beginning of a sentence.
    fn is_called(&self, judge: &Range<usize>) -> bool {
        let before = judge.start - self.range.start;
        let after = self.text[judge.end..].trim_start();
        match after.chars().next() {
            Some(':') => before <= 60,
            Some(',' | '!' | '—' | '–' | '、' | '،') => {
                before <= 3
                    || self.text[..judge.start]
                        .trim_end()
                        .ends_with([',', ':', '"', '>'])
            }
            _ => false,
        }
    }

    /// Whether a verb commands, gives advice, or is just used.
    fn mood(&self, verb: &Range<usize>) -> Mood {
        // “Vergiss nicht” is one phrase.
        let turns = |advice: &Range<usize>| advice.start <= verb.start && advice.end > verb.end;
        if self.of(Slot::Advice).any(turns) {
            return Mood::Advice;
        }
        if self.ends_near(Slot::Lead, verb.start, 1).is_some() {
            return Mood::Command;
        }
        let before = &self.text[self.range.start..verb.start];
        let clause = before
            .rfind([
                ',', ';', ':', '—', '–', '(', '[', '{', '|', '"', '，', '،', '、',
            ])
            .map_or(0, |at| {
                at + before[at..].chars().next().map_or(1, char::len_utf8)
            });
        let clause_start = self.range.start + clause;
        // The folded text has single blanks: the third from the end begins three words.
        let near = before[clause..].trim_end().rmatch_indices(' ').nth(2);
        let near = clause_start + near.map_or(0, |(at, _)| at);
        let advises = self
            .of(Slot::Advice)
            .any(|word| word.start >= near && word.end <= verb.start);
        if advises {
            return Mood::Advice;
        }
        let is_judge = |slot| self.ends_near(slot, verb.start, 1).is_some();
        let is_start = self.text[clause_start..verb.start]
            .chars()
            .all(|c| !c.is_alphanumeric());
        if is_start || self.has_free_order || is_judge(Slot::AiJudge) || is_judge(Slot::Judge) {
            return Mood::Command;
        }
        Mood::Doubtful
    }

    /// Whether it holds only under a condition that is not whom it speaks to.
    fn is_conditional(&self) -> bool {
        let address = self.address().map(|(_, range)| range);
        self.of(Slot::Condition).any(|condition| {
            address
                .as_ref()
                .is_none_or(|range| condition.end <= range.start || condition.start >= range.end)
        })
    }

    fn demand(what: What, strength: Strength, a: &Range<usize>, b: &Range<usize>) -> Demand {
        Demand {
            what,
            strength,
            range: a.start.min(b.start)..a.end.max(b.end),
        }
    }

    pub(super) fn takeover(&self) -> Option<Demand> {
        let found = self.of(Slot::Takeover).next()?;
        Some(Self::demand(
            What::Takeover,
            Strength::Certain,
            found,
            found,
        ))
    }

    pub(super) fn overriding(&self, address: Option<Address>) -> Option<Demand> {
        const AFTER: usize = 60;
        const BEFORE: usize = 48;
        // “Prompt” is in “prompt del sistema”: every object in reach is weighed.
        let before = self.of(Slot::Override).flat_map(|verb| {
            let objects = self
                .objects()
                .filter(|(_, object)| object.start >= verb.end && object.start - verb.end <= AFTER);
            objects.map(move |(slot, object)| {
                let scope = verb.end..(object.end + 24).min(self.range.end);
                (verb, slot, object, scope)
            })
        });
        let after = self.of(Slot::OverrideAfter).flat_map(|verb| {
            let objects = self.objects().filter(|(_, object)| {
                object.end <= verb.start && verb.start - object.end <= BEFORE
            });
            objects.map(move |(slot, object)| {
                let from = object.start.saturating_sub(BEFORE).max(self.range.start);
                (verb, slot, object, from..verb.end)
            })
        });
        let is_conditional = self.is_conditional();
        before
            .chain(after)
            .filter_map(|(verb, slot, object, scope)| {
                let mood = self.mood(verb);
                let mut strength = self.override_strength(address, slot, &scope)?;
                if is_conditional {
                    strength = strength.less()?;
                }
                match mood {
                    Mood::Command => {}
                    Mood::Doubtful => strength = strength.less()?,
                    Mood::Advice => return None,
                }
                Some(Self::demand(What::Override, strength, verb, object))
            })
            .max_by_key(|demand| demand.strength)
    }

    fn override_strength(
        &self,
        address: Option<Address>,
        object: Slot,
        scope: &Range<usize>,
    ) -> Option<Strength> {
        let has = |slot| self.has_within(slot, scope);
        let is_earlier = has(Slot::Scope);
        match address {
            Some(Address::Called | Address::AiTold | Address::InRole) => {
                return Some(Strength::Certain);
            }
            Some(Address::Told) if object != Slot::SystemObject => return Some(Strength::Likely),
            _ => {}
        }
        match object {
            Slot::SystemObject => Some(Strength::Certain),
            Slot::Object if has(Slot::Own) => Some(Strength::Certain),
            Slot::Object | Slot::JudgingObject
                if is_earlier && (has(Slot::All) || has(Slot::Own)) =>
            {
                Some(Strength::Certain)
            }
            Slot::JudgingObject => Some(Strength::Likely),
            _ => is_earlier.then_some(Strength::Likely),
        }
    }

    pub(super) fn verdict(&self, address: Option<Address>) -> Option<Demand> {
        const BEFORE: usize = 90;
        const AFTER: usize = 40;
        let overrides = self.is_overridden || self.overriding(address).is_some();
        if self.is_conditional() && !overrides {
            return None;
        }
        self.best_marks()
            .into_iter()
            .filter_map(|best| {
                let verb = self
                    .of(Slot::Give)
                    .rev()
                    .find(|verb| verb.start <= best.start && best.start <= verb.end + BEFORE)
                    .or_else(|| {
                        let after = self
                            .of(Slot::Give)
                            .find(|verb| verb.start >= best.end && verb.start - best.end <= AFTER);
                        after.filter(|_| self.has_free_order)
                    })?;
                if self.mood(verb) == Mood::Advice {
                    return None;
                }
                let strength = if overrides {
                    Strength::Certain
                } else {
                    self.verdict_strength(address)?
                };
                Some(Self::demand(What::Verdict, strength, verb, &best))
            })
            .max_by_key(|demand| demand.strength)
    }

    fn verdict_strength(&self, address: Option<Address>) -> Option<Strength> {
        let this = self.has(Slot::ThisText);
        let text = this || self.has(Slot::TheText) || self.has(Slot::AllCriteria);
        match address {
            Some(Address::Called) => Some(Strength::Certain),
            Some(Address::InRole) => text.then_some(Strength::Certain),
            Some(Address::AiTold) if text => Some(Strength::Certain),
            Some(Address::AiTold) => Some(Strength::Likely),
            Some(Address::Told) => text.then_some(Strength::Likely),
            None if this && self.has(Slot::AllCriteria) => Some(Strength::Certain),
            None if this || self.has(Slot::AllCriteria) => Some(Strength::Likely),
            None => None,
        }
    }

    /// The best marks that a sentence names.
    fn best_marks(&self) -> Vec<Range<usize>> {
        const GAP: usize = 24;
        let mut found: Vec<Range<usize>> = self
            .of(Slot::BestMark)
            .chain(self.of(Slot::Fraction))
            .cloned()
            .collect();
        for best in self.of(Slot::Best) {
            let mark = self.of(Slot::Mark).find(|mark| {
                mark.start >= best.end && mark.start - best.end <= GAP
                    || best.start >= mark.end && best.start - mark.end <= GAP
            });
            if let Some(mark) = mark {
                found.push(best.start.min(mark.start)..best.end.max(mark.end));
            }
        }
        // A bare figure is a mark only beside the word.
        for figure in self.of(Slot::Number) {
            let mark = self.of(Slot::Mark).find(|mark| {
                figure.start >= mark.end && figure.start - mark.end <= 12
                    || mark.start >= figure.end && mark.start - figure.end <= 4
            });
            if let Some(mark) = mark {
                found.push(figure.start.min(mark.start)..figure.end.max(mark.end));
            }
        }
        found
    }

    pub(super) fn pretence(&self, address: Option<Address>) -> Option<Demand> {
        let verb = self.of(Slot::Pretend).next()?;
        if self.mood(verb) == Mood::Advice {
            return None;
        }
        let met = self.of(Slot::Fulfilled).next();
        let judged = self
            .of(Slot::AllCriteria)
            .chain(self.of(Slot::JudgingObject))
            .chain(self.of(Slot::SystemObject))
            .next();
        let strength = match (address, judged, met) {
            (Some(Address::Called | Address::InRole | Address::AiTold), Some(_), _) => {
                Strength::Certain
            }
            (Some(Address::Called), None, Some(_)) if self.has(Slot::ThisText) => Strength::Certain,
            (_, Some(_), Some(_)) => Strength::Likely,
            (_, None, Some(_)) if self.has(Slot::ThisText) => Strength::Likely,
            _ => return None,
        };
        Some(Self::demand(What::Verdict, strength, verb, judged.or(met)?))
    }

    pub(super) fn secret(&self, address: Option<Address>) -> Option<Demand> {
        const REACH: usize = 40;
        self.of(Slot::Reveal)
            .filter_map(|verb| {
                if self.mood(verb) != Mood::Command {
                    return None;
                }
                let secrets = self
                    .words
                    .iter()
                    .filter(|word| matches!(word.slot, Slot::Secret | Slot::SystemObject));
                let secret = secrets.map(|word| &word.range).find(|secret| {
                    let between = if secret.start >= verb.end {
                        verb.end..secret.start
                    } else if self.has_free_order && secret.end <= verb.start {
                        secret.end..verb.start
                    } else {
                        return false;
                    };
                    let between = &self.text[between];
                    between.len() <= REACH && !between.contains(['(', '.', '=', '[', '{'])
                })?;
                let around = verb.start.min(secret.start)..verb.end.max(secret.end);
                let own = self.has_within(Slot::Own, &around);
                let strength = match address {
                    Some(Address::Called | Address::AiTold) => Strength::Certain,
                    _ if own => Strength::Certain,
                    _ => return None,
                };
                Some(Self::demand(What::Secret, strength, verb, secret))
            })
            .next()
    }

    pub(super) fn no_issues(&self, address: Option<Address>) -> Option<Demand> {
        let found = self.of(Slot::NoIssues).next()?;
        let is_meant = address.is_some() || self.has(Slot::ThisText);
        is_meant.then(|| Self::demand(What::Verdict, Strength::Certain, found, found))
    }
}
