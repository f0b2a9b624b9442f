//! Those who mend a part, or write it again.

use redraft_run::ask::{Ask, Finish, Role};

use super::Cast;
use super::form::{self, Change, issues_named, together};
use super::prompt::{Passage, block, part_of, passages, sentences, words_wanted};
use crate::craft::{Site, of_severity, severity};
use crate::dice::Dice;
use crate::world::{Found, Kind, Place};

/// How often a repair of a defect succeeds (issue 10: .56 to .70): wording is
/// mended more often than facts.
fn succeeds(criterion: &str) -> f64 {
    match criterion {
        "factual_accuracy" | "clinical_accuracy" | "sow_template_fidelity" => 0.56,
        "learning_objective_alignment" | "slo_coverage" | "pedagogical_design" => 0.60,
        "pedagogical_structure" | "completeness" | "blooms_match" | "assessment_design" => 0.62,
        "engagement_examples" | "coherence" | "distractor_quality" | "pedagogical_alignment" => {
            0.66
        }
        _ => 0.70,
    }
}

impl Cast<'_> {
    pub(super) fn repair(&self, ask: &Ask) -> String {
        let user = &ask.prompt.user;
        let named = block(user, "issues");
        let own = part_of(&ask.id.0);
        let passages = passages(block(user, "text"), own);
        let mut dice = self.dice("repair", &ask.id.0);
        let breaks = dice.happens(self.skill.breaks);
        if ask.role == Role::SectionExpander {
            return self.anew(&mut dice, &passages, (named, words_wanted(user)), breaks);
        }
        let mut changes = self.changes(&mut dice, &passages, named);
        if form::wants_whole(ask) {
            return self.whole(&mut dice, &passages, &changes, breaks);
        }
        if breaks {
            let spoilt = self.spoil(&mut dice, &passages, &changes);
            changes.extend(spoilt);
        }
        if changes.is_empty() {
            return form::nothing_found(named);
        }
        form::edits(&passages, &changes)
    }

    /// What is done about what is named: a good sentence instead, or the same
    /// defect in other words.
    fn changes(&self, dice: &mut Dice, passages: &[Passage<'_>], named: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        for (index, passage) in passages.iter().enumerate() {
            for defect in self.found(passage.text) {
                if !is_named(&defect, named) {
                    continue;
                }
                let works = dice.happens(succeeds(defect.kind.criterion) + self.skill.better);
                let new = if works {
                    let craft = self.subject.craft;
                    craft.mended(dice, &self.site(passage), &defect)
                } else {
                    let other = defect.wording + 1;
                    defect.kind.sentence(other, &defect.term)
                };
                changes.push(Change {
                    passage: index,
                    new,
                    serves: serves(named, |line| is_named(&defect, line)),
                    old: defect.sentence,
                });
            }
            for (_, sentence) in sentences(passage.text) {
                let quoted = format!("“{sentence}”");
                let is_sound = self.found(sentence).is_empty();
                if is_sound && named.contains(&quoted) {
                    let craft = self.subject.craft;
                    let new = craft.rewritten(dice, &self.site(passage), (sentence, 0));
                    let first = sentences(&new).first().map(|(_, one)| (*one).to_owned());
                    let new = first.unwrap_or(new);
                    if new != sentence {
                        changes.push(Change {
                            passage: index,
                            old: sentence.to_owned(),
                            new,
                            serves: serves(named, |line| line.contains(&quoted)),
                        });
                    }
                }
            }
        }
        changes
    }

    /// Something else that is broken on the way.
    fn spoil(
        &self,
        dice: &mut Dice,
        passages: &[Passage<'_>],
        changes: &[Change],
    ) -> Option<Change> {
        let at = dice.below(passages.len());
        let passage = passages.get(at)?;
        let sound: Vec<(usize, &str)> = sentences(passage.text)
            .into_iter()
            .filter(|(_, sentence)| {
                self.found(sentence).is_empty()
                    && !changes.iter().any(|change| change.old.contains(sentence))
            })
            .collect();
        let (_, old) = sound.get(dice.below(sound.len()))?;
        let new = self.a_defect(dice, passage)?;
        Some(Change {
            passage: at,
            old: (*old).to_owned(),
            new,
            // It goes along with something that is named.
            serves: changes.last().map_or(Vec::new(), |one| one.serves.clone()),
        })
    }

    /// A defect that fits a field, mostly a small one.
    fn a_defect(&self, dice: &mut Dice, passage: &Passage<'_>) -> Option<String> {
        let craft = self.subject.craft;
        (0..12).find_map(|_| {
            let severity = severity(dice, 0.6, 0.35);
            let kind: &'static Kind = of_severity(dice, craft, severity);
            craft.spoilt(dice, &self.site(passage), kind)
        })
    }

    /// The part written anew. Whoever does it may not see the old one: what was
    /// named and is not mended comes back in other words.
    fn anew(
        &self,
        dice: &mut Dice,
        passages: &[Passage<'_>],
        (named, words): (&str, usize),
        breaks: bool,
    ) -> String {
        let craft = self.subject.craft;
        let mut texts: Vec<String> = passages
            .iter()
            .map(|passage| craft.rewritten(dice, &self.site(passage), (passage.text, words)))
            .collect();
        for kind in issues_named(named).filter_map(|(_, line)| self.kind_of(line)) {
            if dice.happens(succeeds(kind.criterion) + self.skill.better) {
                continue;
            }
            let back = passages.iter().zip(&mut texts).find_map(|(passage, text)| {
                let sentence = craft.spoilt(dice, &self.site(passage), kind)?;
                Some((text, sentence))
            });
            if let Some((text, sentence)) = back {
                *text = craft.with_sentence(text, &sentence);
            }
        }
        if breaks {
            self.break_one(dice, passages, &mut texts);
        }
        together(passages, &texts)
    }

    fn site<'t>(&self, passage: &Passage<'t>) -> Site<'t> {
        Site {
            order: self.order,
            field: passage.name,
            beside: passage.beside,
        }
    }

    /// The kind that a line of the issues speaks of.
    fn kind_of(&self, line: &str) -> Option<&'static Kind> {
        let quoted = self.found(line).into_iter().next().map(|one| one.kind);
        let kinds = self.subject.craft.kinds();
        quoted.or_else(|| kinds.iter().find(|kind| line.contains(kind.said)))
    }

    /// The old text of the part with its changes, as a whole.
    fn whole(
        &self,
        dice: &mut Dice,
        passages: &[Passage<'_>],
        changes: &[Change],
        breaks: bool,
    ) -> String {
        let mut texts: Vec<String> = passages
            .iter()
            .enumerate()
            .map(|(index, passage)| {
                let own = changes.iter().filter(|change| change.passage == index);
                own.fold(passage.text.to_owned(), |text, change| {
                    text.replace(&change.old, &change.new)
                })
            })
            .collect();
        if breaks {
            self.break_one(dice, passages, &mut texts);
        }
        together(passages, &texts)
    }

    fn break_one(&self, dice: &mut Dice, passages: &[Passage<'_>], texts: &mut [String]) {
        let at = dice.below(passages.len());
        if let (Some(passage), Some(text)) = (passages.get(at), texts.get_mut(at))
            && let Some(defect) = self.a_defect(dice, passage)
        {
            *text = self.subject.craft.with_sentence(text, &defect);
        }
    }

    /// No edit, none that can be read, one that breaks off, or one of what is not
    /// to be touched.
    pub(super) fn bad_repair(&self, dice: &mut Dice, ask: &Ask) -> (String, Finish) {
        let user = &ask.prompt.user;
        let outside = [block(user, "before"), block(user, "after")]
            .into_iter()
            .find_map(|beside| sentences(beside).into_iter().last());
        match (dice.below(4), outside) {
            (0, _) => (form::SHRUG.to_owned(), Finish::Stop),
            (1, _) => (form::TALK.to_owned(), Finish::Stop),
            (2, Some((_, sentence))) if ask.role == Role::Patcher => {
                (form::edit_outside(sentence), Finish::Stop)
            }
            _ => {
                let whole = self.repair(ask);
                let half = whole.len() / 2;
                let cut = (0..=half).rev().find(|at| whole.is_char_boundary(*at));
                let cut = whole.get(..cut.unwrap_or_default()).unwrap_or_default();
                (cut.to_owned(), Finish::Length)
            }
        }
    }
}

/// The issues that something is done about. Damage has no line of its own among them.
fn serves(named: &str, speaks_of_it: impl Fn(&str) -> bool) -> Vec<String> {
    issues_named(named)
        .filter(|(_, line)| speaks_of_it(line))
        .map(|(id, _)| id.to_owned())
        .collect()
}

/// Whether the issues speak of a defect: by its words, or by what is said of its
/// kind. Damage is named by the program, in its own words.
fn is_named(defect: &Found, issues: &str) -> bool {
    let kind = defect.kind;
    kind.place == Place::Damage
        || issues.contains(&defect.sentence)
        || (!kind.check.is_empty() && issues.contains(kind.check))
        || (!kind.is_quoted && issues.contains(kind.said))
}
