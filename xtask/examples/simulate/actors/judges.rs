//! Those who say how good a text is, or whether a repair did what it was to do.

use redraft_run::ask::{Ask, Role};
use serde_json::{Map, Value, json};

use super::Cast;
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
        let mut scores = Map::new();
        for (criterion, score) in rubric.criteria.iter().zip(&truth.scores) {
            let seen = dice.normal(score + self.bias(ask.role), self.skill.noise);
            let seen = (seen.clamp(0.0, 1.0) * 100.0).round() / 100.0;
            sum += seen;
            scores.insert(criterion.name.clone(), json!(seen));
        }
        let overall = (sum / scores.len().max(1) as f64 * 100.0).round() / 100.0;
        let confidence = match dice.share() {
            throw if throw < self.skill.unsure[1] => "low",
            throw if throw < self.skill.unsure[0] + self.skill.unsure[1] => "medium",
            _ => "high",
        };
        json!({
            "text_id": ask.content.to_string(),
            "issues": self.issues(ask, text, &found),
            "strengths": [
                "The parts follow the order that was asked for.",
                "Sentences are short, and the terms are used alike throughout.",
            ],
            "scores": scores,
            "overall": overall,
            "confidence": confidence,
        })
        .to_string()
    }

    /// What a judge finds wanting: what is there, as far as it is noticed, and now
    /// and then something that is not.
    fn issues(&self, ask: &Ask, text: &str, found: &[Found]) -> Vec<Value> {
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
            issues.push(json!({
                "criterion": kind.criterion,
                "severity": Severity::ALL[rank].name(),
                "location": part_at(text, defect.range.start),
                "quote": if kind.is_quoted { defect.sentence.as_str() } else { "" },
                "source": "",
                "description": format!("{voice}{}", kind.said),
                "suggested_fix": kind.fix,
            }));
        }
        for (severity, probability) in Severity::ALL.iter().zip(self.skill.invents) {
            if dice.happens(probability)
                && let Some((part, sentence)) = self.a_good_sentence(&mut dice, text, found)
            {
                issues.push(json!({
                    "criterion": self.subject.craft.shares()[0].0,
                    "severity": severity.name(),
                    "location": part,
                    "quote": sentence,
                    "source": "",
                    "description": format!("{voice}{INVENTED}"),
                    "suggested_fix": "Put it more simply.",
                }));
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
        let issues: Vec<Value> = flagged
            .iter()
            .map(|one| {
                json!({
                    "type": "ALIGNMENT",
                    "severity": "COMPLEX",
                    "location": part_at(text, one.range.start),
                    "description": format!("{} “{}”", one.kind.said, one.sentence),
                })
            })
            .collect();
        json!({
            "text_id": ask.content.to_string(),
            "issues": issues,
            "edits": [],
            "reasoning": "The text is whole and in its language.",
            "status": if flagged.is_some() { "FLAG_TO_JUDGE" } else { "PASS" },
        })
        .to_string()
    }

    pub(super) fn delta(&self, ask: &Ask) -> String {
        let user = &ask.prompt.user;
        let mut dice = self.dice("delta", &ask.id.0);
        let schema = ask.schema.as_ref().map(|schema| schema.value());
        if schema.is_some_and(|schema| schema.pointer("/properties/better").is_some()) {
            return self.compare(&mut dice, user);
        }
        let ids = schema
            .and_then(|schema| schema.pointer("/properties/answers/items/properties/id/enum"))
            .and_then(Value::as_array);
        let Some(ids) = ids else {
            let fits = if dice.happens(0.95) { "yes" } else { "no" };
            return json!({
                "reason": "It takes up what the part before it says.",
                "quote": "",
                "fits": fits,
            })
            .to_string();
        };
        let issues = block(user, "issues");
        let after: String = blocks(user, "after").join("\n");
        let left = self.found(&after);
        let mut answers: Vec<(&str, bool)> = Vec::new();
        for id in ids.iter().filter_map(Value::as_str) {
            let mut lines = issues.lines();
            let line = lines.find(|line| line.starts_with(id)).unwrap_or_default();
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
        let answers: Vec<Value> = answers
            .into_iter()
            .map(|(id, yes)| {
                let reason = match yes {
                    true => "The new text says it as it should be said.",
                    false => "The new text still has what was to be mended.",
                };
                json!({"id": id, "reason": reason, "answer": if yes { "yes" } else { "no" }})
            })
            .collect();
        json!({ "answers": answers }).to_string()
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
        json!({"reason": "It says what was to be said.", "better": better}).to_string()
    }
}

/// What a judge says of a sentence that has nothing wrong.
const INVENTED: &str = "This could be put more simply.";

/// Whether a line of the issues speaks of a kind.
fn speaks_of(line: &str, kind: &'static Kind) -> bool {
    line.contains(kind.said) || line.contains(kind.fix)
}
