//! Those who say how good a text is, or whether a repair did what it was to do.

use redraft_run::ask::{Ask, Role};

use super::Cast;
use super::form::{self, Complaint, DeltaQuestion, Opinion};
use super::prompt::{block, blocks, part_at, sentences};
use crate::dice::Dice;
use crate::world::{Found, Kind, Severity};

impl Cast<'_> {
    fn bias(&self, role: Role) -> f64 {
        match role {
            Role::JudgePrimary => -self.skill.bias / 2.0,
            Role::JudgeSecondary => self.skill.bias / 2.0,
            _ => 0.0,
        }
    }

    pub(super) fn judge(&self, ask: &Ask) -> String {
        let text = block(&ask.prompt.user, "text");
        let found = self.found(text);
        // The same judge says the same about the same text.
        let about = format!("{} {}", ask.role, ask.content);
        let mut dice = self.dice("scores", &about);
        let rubric = self.subject.profile.rubric();
        let truth = self.subject.scale.truth(rubric, &found);
        let mut sum = 0.0;
        let mut scores = Vec::new();
        for (criterion, score) in rubric.criteria.iter().zip(&truth.scores) {
            let seen = dice.normal(score + self.bias(ask.role), self.skill.noise);
            let seen = (seen.clamp(0.0, 1.0) * 100.0).round() / 100.0;
            sum += seen;
            scores.push((criterion.name.clone(), seen));
        }
        let overall = (sum / scores.len().max(1) as f64 * 100.0).round() / 100.0;
        let confidence = match dice.share() {
            throw if throw < self.skill.unsure[1] => "low",
            throw if throw < self.skill.unsure[0] + self.skill.unsure[1] => "medium",
            _ => "high",
        };
        let opinion = Opinion {
            issues: self.issues(ask, text, &found),
            scores,
            overall,
            confidence,
        };
        form::verdict(ask, &opinion)
    }

    /// What a judge finds wanting: what is there, as far as it is noticed, and now
    /// and then something that is not.
    fn issues(&self, ask: &Ask, text: &str, found: &[Found]) -> Vec<Complaint> {
        let mut dice = self.dice("issues", &format!("{} {}", ask.role, ask.content));
        let voice = match ask.role {
            Role::JudgePrimary => "For a learner: ",
            Role::JudgeSecondary => "",
            _ => "In my view: ",
        };
        let mut issues = Vec::new();
        for defect in found {
            let kind = defect.kind;
            let rank = Severity::ALL.iter().position(|one| *one == kind.severity);
            let rank = rank.unwrap_or_default();
            if dice.happens(self.skill.misses[rank]) {
                continue;
            }
            let rank = match dice.share() {
                throw if throw < self.skill.misrates / 2.0 => rank.saturating_sub(1),
                throw if throw < self.skill.misrates => (rank + 1).min(2),
                _ => rank,
            };
            let quote = Some(&defect.sentence).filter(|_| kind.is_quoted);
            issues.push(Complaint {
                criterion: kind.criterion,
                severity: Severity::ALL[rank].name(),
                location: part_at(text, defect.range.start),
                quote: quote.cloned().unwrap_or_default(),
                description: format!("{voice}{}", kind.said),
                fix: kind.fix,
            });
        }
        for (severity, probability) in Severity::ALL.iter().zip(self.skill.invents) {
            if dice.happens(probability)
                && let Some((part, sentence)) = self.a_good_sentence(&mut dice, text, found)
            {
                issues.push(Complaint {
                    criterion: self.subject.craft.shares()[0].0,
                    severity: severity.name(),
                    location: part,
                    quote: sentence,
                    description: format!("{voice}{INVENTED}"),
                    fix: "Put it more simply.",
                });
            }
        }
        issues
    }

    /// A sentence with nothing wrong, and its part.
    fn a_good_sentence(
        &self,
        dice: &mut Dice,
        text: &str,
        found: &[Found],
    ) -> Option<(String, String)> {
        let sentences = sentences(text);
        let good: Vec<&(usize, &str)> = sentences
            .iter()
            .filter(|(at, sentence)| {
                let end = at + sentence.len();
                !found
                    .iter()
                    .any(|one| one.range.start < end && *at < one.range.end)
            })
            .collect();
        let (at, sentence) = good.get(dice.below(good.len()))?;
        Some((part_at(text, *at), (*sentence).to_owned()))
    }

    pub(super) fn review(&self, ask: &Ask) -> String {
        let text = block(&ask.prompt.user, "text");
        let found = self.found(text);
        let mut dice = self.dice("review", &ask.content.to_string());
        let grave = found
            .iter()
            .find(|one| one.kind.severity == Severity::Critical);
        let flagged = grave.filter(|_| dice.happens(0.5));
        let flagged = flagged.map(|one| {
            let said = format!("{} “{}”", one.kind.said, one.sentence);
            (part_at(text, one.range.start), said)
        });
        form::review(ask, flagged)
    }

    pub(super) fn delta(&self, ask: &Ask) -> String {
        let user = &ask.prompt.user;
        let mut dice = self.dice("delta", &ask.id.0);
        let ids = match form::delta_question(ask) {
            DeltaQuestion::Compare => return self.compare(&mut dice, user),
            DeltaQuestion::Fits => return form::fits(dice.happens(0.95)),
            DeltaQuestion::Solved(ids) => ids,
        };
        let issues = block(user, "issues");
        let after: String = blocks(user, "after").join("\n");
        let left = self.found(&after);
        let mut answers: Vec<(String, bool)> = Vec::new();
        for id in ids {
            let mut lines = issues.lines();
            let line = lines.find(|line| line.starts_with(&id)).unwrap_or_default();
            let is_solved = !left.iter().any(|defect| speaks_of(line, defect.kind));
            let yes = match id.starts_with("issue") {
                true if is_solved => !dice.happens(self.skill.delta[1]),
                true => dice.happens(self.skill.delta[0]),
                false => dice.happens(0.97),
            };
            answers.push((id, yes));
        }
        let is_issue = |id: &str| id.starts_with("issue");
        if self.skill.keeps_partial && answers.iter().any(|(id, yes)| *yes && is_issue(id)) {
            for (id, yes) in &mut answers {
                *yes |= is_issue(id);
            }
        }
        form::answers(&answers)
    }

    /// Which of two versions is better: the one with fewer defects.
    fn compare(&self, dice: &mut Dice, user: &str) -> String {
        let count = |tag: &str| self.found(&blocks(user, tag).join("\n")).len();
        let better = match count("first").cmp(&count("second")) {
            _ if dice.happens(self.skill.delta[1]) => "same",
            std::cmp::Ordering::Less => "first",
            std::cmp::Ordering::Greater => "second",
            std::cmp::Ordering::Equal if dice.happens(self.skill.delta[0]) => "second",
            std::cmp::Ordering::Equal => "same",
        };
        form::comparison(better)
    }
}

/// What a judge says of a sentence that has nothing wrong.
const INVENTED: &str = "This could be put more simply.";

/// Whether a line of the issues speaks of a kind.
fn speaks_of(line: &str, kind: &'static Kind) -> bool {
    line.contains(kind.said) || line.contains(kind.fix)
}
