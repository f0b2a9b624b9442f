//! Those who write a text anew, with defects of its own.

use redraft_run::ask::Ask;

use super::Cast;
use super::prompt::part_of;
use crate::lessons;

impl Cast<'_> {
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
