//! Handing a text over to a person, and what they decide.

use super::Decision;
use super::flow::Flow;
use super::text::Text;
use crate::event::EventKind;
use crate::outcome::{Outcome, Status};
use crate::reasons::{Because, Refusal};

/// How often a person may want what cannot be done before the text is left to
/// them as it is.
pub(super) const MOST_REFUSALS: usize = 5;

/// What comes of asking a person.
pub(super) enum Person {
    /// The run is over.
    Decided(Box<Outcome>),
    /// They give another text.
    Edit(String),
    /// They want another try, with this in mind.
    Retry(String),
}

impl Flow {
    /// Asks a person what is to become of a text.
    pub(super) async fn ask_person(&mut self, text: &Text, because: &Because) -> Person {
        self.post.emit(EventKind::EscalationTriggered {
            reason: because.clone(),
        });
        let content = text.document().source().shared_text();
        let decision = self.post.person(because, content).await;
        match decision {
            Decision::Absent => {
                self.person("absent", None, None);
                self.escalated(text, because, None)
            }
            Decision::Reject { by } | Decision::Stop { by } => {
                self.person("reject", Some(&by), None);
                self.escalated(text, because, Some(by))
            }
            // Not even a person can accept what nobody has judged, or what is
            // certainly wrong.
            Decision::Accept { by } => {
                let refused = if self.assessment(text).is_none() {
                    Some(Refusal::NotScored)
                } else if text.open_errors() > 0 {
                    Some(Refusal::OpenError)
                } else {
                    None
                };
                self.person("accept", Some(&by), refused);
                match refused {
                    None => Person::Decided(Box::new(self.outcome(
                        text,
                        Status::Accepted,
                        None,
                        Some(by),
                    ))),
                    Some(_) => self.escalated(text, because, Some(by)),
                }
            }
            Decision::Edit { by, content } => {
                self.person("edit", Some(&by), None);
                Person::Edit(content)
            }
            Decision::Retry { by, instruction } => {
                self.person("retry", Some(&by), None);
                Person::Retry(instruction)
            }
        }
    }

    /// Says that a decision cannot be followed.
    pub(super) fn refuse_person(&self, reason: Refusal) {
        self.person("refused", None, Some(reason));
    }

    fn escalated(&mut self, text: &Text, because: &Because, by: Option<String>) -> Person {
        let outcome = self.outcome(text, Status::Escalated, Some(because.clone()), by);
        Person::Decided(Box::new(outcome))
    }

    fn person(&self, decision: &'static str, by: Option<&String>, refused: Option<Refusal>) {
        self.post.emit(EventKind::HumanDecision {
            decision,
            by: by.cloned(),
            refused,
        });
    }
}
