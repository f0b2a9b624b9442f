//! The models of the simulated world. Each reads its prompt, as a real one would,
//! knows the truth about the text in it, and answers in the form that is asked for:
//! with noise, with mistakes, and now and then badly.
//!
//! | role | answers |
//! |---|---|
//! | judge | the true score of each criterion, its own bias and noise on top; issues with quotes, some missed, some invented |
//! | patcher, section expander | mend what is named with a probability by criterion, sometimes break something else |
//! | delta judge | the truth about each issue, with mistakes |
//! | writers | a new text with defects of its own |
//!
//! Nobody here sees the run: what an actor answers follows from its prompt, its
//! name and the seed.

use redraft_core::ask::{Ask, CallFailure, FailureKind, Finish, Reply, Role, Tokens, Usage};
use redraft_engine::tokens::remembered;
use serde_json::{Map, Value, json};

use crate::craft::{Hardship, Site, Subject, of_severity, severity};
use crate::dice::Dice;
use crate::lessons;
use crate::world::{Found, Kind, Place, Severity, Truth, defects};

/// How well the actors act. All figures are assumptions but those of issue 10.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skill {
    /// Noise of a judge's score by one criterion (issue 10).
    pub(crate) noise: f64,
    /// How far the two judges of a panel lie apart (issue 10).
    pub(crate) bias: f64,
    /// How often a judge does not name a minor, a major, a critical defect.
    pub(crate) misses: [f64; 3],
    /// How often a judge takes a defect for a step graver or lighter.
    pub(crate) misrates: f64,
    /// How often a reading invents a minor and a major issue.
    pub(crate) invents: [f64; 2],
    /// How often a judge is of medium and of low confidence.
    pub(crate) unsure: [f64; 2],
    /// What is added to every success of a repair.
    pub(crate) better: f64,
    /// How often a repair breaks something else (issue 10).
    pub(crate) breaks: f64,
    /// How often a repairer answers badly.
    pub(crate) bad_repairs: f64,
    /// How often anybody else answers out of form, and how often a call fails.
    pub(crate) bad_form: f64,
    pub(crate) fails: f64,
    /// How often the delta judge lets a defect pass, and refuses a good repair.
    pub(crate) delta: [f64; 2],
    /// As if a repair were kept that mends one of its issues: the delta judge then
    /// says yes to the others, too.
    pub(crate) keeps_partial: bool,
}

pub(crate) const SKILL: Skill = Skill {
    noise: 0.03,
    bias: 0.04,
    misses: [0.30, 0.10, 0.03],
    misrates: 0.10,
    invents: [0.12, 0.03],
    unsure: [0.18, 0.02],
    better: 0.0,
    breaks: 0.08,
    bad_repairs: 0.04,
    bad_form: 0.01,
    fails: 0.005,
    delta: [0.08, 0.05],
    keeps_partial: false,
};

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

/// The models of one document.
pub(crate) struct Cast<'a> {
    pub(crate) seed: u64,
    /// The name of the document.
    pub(crate) name: String,
    pub(crate) order: usize,
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) hardship: Hardship,
    pub(crate) skill: Skill,
}

impl Cast<'_> {
    /// What a model answers.
    pub(crate) fn answer(&self, ask: &Ask) -> Result<Reply, CallFailure> {
        let mut luck = self.dice("luck", &ask.id.0);
        if luck.happens(self.skill.fails) {
            return Err(CallFailure {
                kind: FailureKind::Transient { retry_after: None },
                message: "the server is busy".to_owned(),
                usage: None,
            });
        }
        let is_repair = matches!(ask.role, Role::Patcher | Role::SectionExpander);
        let (text, finish) = if is_repair && luck.happens(self.skill.bad_repairs) {
            self.bad_repair(&mut luck, ask)
        } else if !is_repair && luck.happens(self.skill.bad_form) {
            (
                "I have looked at it, and it is fine by me.".to_owned(),
                Finish::Stop,
            )
        } else {
            (self.good_answer(ask), Finish::Stop)
        };
        let prompt = &ask.prompt;
        let output = remembered(&text).min(u64::from(ask.model.max_tokens));
        Ok(Reply {
            usage: Usage {
                tokens: Tokens {
                    input: remembered(&prompt.system) + remembered(&prompt.user),
                    output,
                },
                estimated: true,
            },
            finish,
            // A second to begin, then sixty tokens a second.
            took: 1_000 + output * 1_000 / 60,
            text,
        })
    }

    /// The truth about the text that a judge is shown.
    pub(crate) fn truth_of_prompt(&self, ask: &Ask) -> Truth {
        self.subject.truth(block(&ask.prompt.user, "text"))
    }

    fn good_answer(&self, ask: &Ask) -> String {
        match ask.role {
            Role::SelfReviewer => self.review(ask),
            Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => self.judge(ask),
            Role::Patcher | Role::SectionExpander => self.repair(ask),
            Role::DeltaJudge => self.delta(ask),
            Role::Planner => self.plan(),
            Role::Expander => self.write_part(ask),
            Role::Author => self.write_whole(ask),
            Role::Smoother | Role::Arbiter => "NO CHANGE NEEDED: all of it reads well.".to_owned(),
        }
    }

    fn dice(&self, what: &str, about: &str) -> Dice {
        Dice::new(self.seed, &[&self.name, what, about])
    }

    fn found(&self, text: &str) -> Vec<Found> {
        defects(self.subject.craft.kinds(), text)
    }

    // Judging

    fn bias(&self, role: Role) -> f64 {
        match role {
            Role::JudgePrimary => -self.skill.bias / 2.0,
            Role::JudgeSecondary => self.skill.bias / 2.0,
            _ => 0.0,
        }
    }

    fn judge(&self, ask: &Ask) -> String {
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

    fn review(&self, ask: &Ask) -> String {
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

    // Repair

    fn repair(&self, ask: &Ask) -> String {
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
        if ask.id.0.contains("/rewrite/") {
            return self.whole(&mut dice, &passages, &changes, breaks);
        }
        if breaks {
            let spoilt = self.spoil(&mut dice, &passages, &changes);
            changes.extend(spoilt);
        }
        if changes.is_empty() {
            return "NO CHANGE NEEDED: I see nothing of what is named.".to_owned();
        }
        let many = passages.len() > 1;
        changes
            .iter()
            .map(|change| {
                let field = match many {
                    true => format!("field: {}\n", passages[change.passage].name),
                    false => String::new(),
                };
                format!(
                    "{field}<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n",
                    change.old, change.new
                )
            })
            .collect()
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
                    old: defect.sentence,
                    new,
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
        let issues = named.lines().filter(|line| line.starts_with("issue_"));
        for kind in issues.filter_map(|line| self.kind_of(line)) {
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
    fn bad_repair(&self, dice: &mut Dice, ask: &Ask) -> (String, Finish) {
        let user = &ask.prompt.user;
        let outside = [block(user, "before"), block(user, "after")]
            .into_iter()
            .find_map(|beside| sentences(beside).into_iter().last());
        match (dice.below(4), outside) {
            (0, _) => (
                "NO CHANGE NEEDED: it is good as it is.".to_owned(),
                Finish::Stop,
            ),
            (1, _) => (
                "I have mended the sentences that were named.".to_owned(),
                Finish::Stop,
            ),
            (2, Some((_, sentence))) if ask.role == Role::Patcher => (
                format!(
                    "<<<<<<< SEARCH\n{sentence}\n=======\nThis stood outside.\n>>>>>>> REPLACE\n"
                ),
                Finish::Stop,
            ),
            _ => {
                let whole = self.repair(ask);
                let half = whole.len() / 2;
                let cut = (0..=half).rev().find(|at| whole.is_char_boundary(*at));
                let cut = whole.get(..cut.unwrap_or_default()).unwrap_or_default();
                (cut.to_owned(), Finish::Length)
            }
        }
    }

    fn delta(&self, ask: &Ask) -> String {
        let user = &ask.prompt.user;
        let mut dice = self.dice("delta", &ask.id.0);
        let schema = ask.schema.as_deref();
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

    // Writing

    fn plan(&self) -> String {
        let subject = lessons::subject(self.order);
        let part = |term: &str, words: usize| {
            json!({
                "purpose": format!("The learner can say what the {term} does."),
                "key_points": [
                    format!("What the {term} is."),
                    format!("What the {term} does, shown by a case that the learner knows."),
                    "A small task with its answer.".to_owned(),
                ],
                "words": words,
            })
        };
        let mut parts = lessons::parts(subject).into_iter();
        let introduction = parts.next().map(|one| part(one.term, 60));
        let mut sections: Vec<Value> = parts
            .map(|one| {
                let mut section = part(one.term, 200);
                section["title"] = json!(one.title);
                section
            })
            .collect();
        let mut conclusion = sections.pop().unwrap_or_default();
        conclusion["words"] = json!(60);
        json!({
            "title": subject.title,
            "introduction": introduction,
            "sections": sections,
            "conclusion": conclusion,
        })
        .to_string()
    }

    /// One part of a new lesson. All parts of one writing are drawn together, so
    /// that the lesson has as many defects as lessons have.
    fn write_part(&self, ask: &Ask) -> String {
        let id = &ask.id.0;
        let round = id.split('/').next().unwrap_or_default();
        let mut dice = self.dice("written", round);
        let planted = self.hardship.draw(&mut dice, self.subject.craft);
        let texts = lessons::written_parts(&mut dice, self.order, &planted);
        let parts = lessons::parts(lessons::subject(self.order));
        let own = part_of(id);
        let at = parts.iter().position(|part| part.id == own);
        at.and_then(|at| texts.get(at)).cloned().unwrap_or_default()
    }

    fn write_whole(&self, ask: &Ask) -> String {
        let round = ask.id.0.split('/').next().unwrap_or_default();
        let mut dice = self.dice("written", round);
        let planted = self.hardship.draw(&mut dice, self.subject.craft);
        self.subject.craft.write(&mut dice, self.order, &planted)
    }
}

/// What a judge says of a sentence that has nothing wrong.
const INVENTED: &str = "This could be put more simply.";

/// A change of a passage.
struct Change {
    passage: usize,
    old: String,
    new: String,
}

/// A passage of the part that is repaired.
struct Passage<'t> {
    name: &'t str,
    text: &'t str,
    /// The whole part.
    beside: &'t str,
}

/// What stands between a tag and its end, without the tags; of several the first.
fn block<'t>(prompt: &'t str, tag: &str) -> &'t str {
    blocks(prompt, tag).into_iter().next().unwrap_or_default()
}

fn blocks<'t>(prompt: &'t str, tag: &str) -> Vec<&'t str> {
    let (open, close) = (format!("<redraft:{tag}>\n"), format!("</redraft:{tag}>"));
    prompt
        .split(open.as_str())
        .skip(1)
        .filter_map(|rest| rest.split(close.as_str()).next())
        .collect()
}

/// The id of the part that a place belongs to.
fn part_at(text: &str, at: usize) -> String {
    const TAG: &str = "<redraft:part id=\"";
    let before = text.get(..at).unwrap_or_default();
    before
        .rfind(TAG)
        .and_then(|start| before.get(start + TAG.len()..))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_default()
        .to_owned()
}

/// The part in the name of an ask: `i1/patch/sec_2/try1`; ids may have strokes of
/// their own.
fn part_of(id: &str) -> &str {
    let from_part = id.splitn(3, '/').nth(2).unwrap_or_default();
    from_part
        .rsplit_once('/')
        .map_or(from_part, |(part, _)| part)
}

/// The passages of a part, by their names; the only one of a part is called like
/// the part.
fn passages<'t>(text: &'t str, own: &'t str) -> Vec<Passage<'t>> {
    const LINE: &str = "field: ";
    if !text.starts_with(LINE) {
        return vec![Passage {
            name: own,
            text,
            beside: text,
        }];
    }
    let mut starts: Vec<usize> = vec![0];
    starts.extend(text.match_indices("\nfield: ").map(|(at, _)| at + 1));
    starts.push(text.len());
    starts
        .windows(2)
        .filter_map(|pair| text.get(pair[0]..pair[1]))
        .filter_map(|piece| piece.strip_prefix(LINE)?.split_once('\n'))
        .map(|(name, words)| Passage {
            name,
            text: words.trim_end_matches('\n'),
            beside: text,
        })
        .collect()
}

/// The sentences of a text that stand on one line, with their places.
fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c == '\n' || c == '"' {
            start = end;
        } else if c == '\\' {
            // An escape of JSON: the sign behind it is no letter.
            start = end + 1;
        } else if c == '.'
            && !text
                .get(end..)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_alphanumeric()))
        {
            let piece = text.get(start..end).unwrap_or_default();
            let lead = piece.len() - piece.trim_start().len();
            let sentence = piece.trim();
            let is_prose = !sentence.starts_with(['#', '<', '-', '[']) && sentence.len() > 12;
            if is_prose {
                found.push((start + lead, sentence));
            }
            start = end;
        }
    }
    found
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

/// Whether a line of the issues speaks of a kind.
fn speaks_of(line: &str, kind: &'static Kind) -> bool {
    line.contains(kind.said) || line.contains(kind.fix)
}

/// How many words are wanted, in the middle of what is allowed; 0 where nothing is
/// said.
fn words_wanted(prompt: &str) -> usize {
    let line = prompt
        .lines()
        .find_map(|line| line.strip_prefix("Length: "));
    let numbers: Vec<usize> = line
        .unwrap_or_default()
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers.iter().sum::<usize>() / numbers.len().max(1)
}

/// Passages as one answer.
fn together(passages: &[Passage<'_>], texts: &[String]) -> String {
    if let [text] = texts {
        return without_heading(text).to_owned();
    }
    passages
        .iter()
        .zip(texts)
        .map(|(passage, text)| format!("field: {}\n{text}\n\n", passage.name))
        .collect()
}

/// A text without the heading that stays in its place anyway.
fn without_heading(text: &str) -> &str {
    let text = text.trim();
    match text.starts_with('#') {
        true => text.split_once('\n').map_or("", |(_, rest)| rest.trim()),
        false => text,
    }
}
