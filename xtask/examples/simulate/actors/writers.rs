//! Those who write a text anew, with defects of its own.

use redraft_run::ask::Ask;
use serde_json::{Value, json};

use super::Cast;
use super::prompt::part_of;
use crate::lessons;

impl Cast<'_> {
    pub(super) fn plan(&self) -> String {
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
    pub(super) fn write_part(&self, ask: &Ask) -> String {
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

    pub(super) fn write_whole(&self, ask: &Ask) -> String {
        let round = ask.id.0.split('/').next().unwrap_or_default();
        let mut dice = self.dice("written", round);
        let planted = self.hardship.draw(&mut dice, self.subject.craft);
        self.subject.craft.write(&mut dice, self.order, &planted)
    }
}
