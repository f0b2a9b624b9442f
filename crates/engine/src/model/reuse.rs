//! Asks no judge what it has answered before, nor what it is being asked right now: in front
//! of the models, with the [stored verdicts](crate::verdicts). Knows nothing of runs.
//!
//! | the same question | then |
//! |---|---|
//! | has a stored verdict | its reply, for nothing |
//! | is being asked, as of the same text in two files | its reply when it comes, for nothing; asked again if none comes or it is not whole |
//! | else, or if every judge is to be asked | asked |

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redraft_run::ask::{Ask, CallFailure, Finish, Reply};
use tokio::sync::watch;

use super::Model;
use crate::clock::BoxFuture;
use crate::verdicts::{Verdicts, question};

/// Whether stored verdicts are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Stored verdicts are used.
    Stored,
    /// Every judge is asked, and its verdict is stored.
    Fresh,
}

/// Models with a lookup of stored verdicts in front.
pub struct Reuse {
    models: Arc<dyn Model>,
    verdicts: Arc<Verdicts>,
    freshness: Freshness,
    open: Arc<Open>,
}

/// The questions that are being asked.
#[derive(Default)]
struct Open(Mutex<BTreeMap<String, watch::Receiver<Option<Reply>>>>);

/// Whose turn it is to ask.
enum Turn {
    Asks(Asking),
    Waits(watch::Receiver<Option<Reply>>),
}

/// The one who asks. Dropping it lets the next one ask.
struct Asking {
    open: Arc<Open>,
    question: String,
    reply: watch::Sender<Option<Reply>>,
}

impl Open {
    fn questions(&self) -> MutexGuard<'_, BTreeMap<String, watch::Receiver<Option<Reply>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(self: &Arc<Self>, question: &str) -> Turn {
        let mut questions = self.questions();
        if let Some(reply) = questions.get(question) {
            return Turn::Waits(reply.clone());
        }
        let (reply, waits) = watch::channel(None);
        questions.insert(question.to_owned(), waits);
        Turn::Asks(Asking {
            open: Arc::clone(self),
            question: question.to_owned(),
            reply,
        })
    }

    /// Asks, or waits for the reply to another who asks the same.
    async fn ask(self: Arc<Self>, models: Arc<dyn Model>, ask: Ask) -> Result<Reply, CallFailure> {
        let question = question(&ask);
        loop {
            match self.turn(&question) {
                Turn::Asks(asking) => {
                    let result = models.ask(&ask).await;
                    if let Ok(reply) = &result
                        && reply.finish == Finish::Stop
                    {
                        asking.reply.send_replace(Some(reply.clone()));
                    }
                    return result;
                }
                Turn::Waits(mut reply) => {
                    let came = reply.wait_for(Option::is_some).await;
                    if let Some(reply) = came.ok().and_then(|reply| reply.clone()) {
                        return Ok(reply.paid_already());
                    }
                }
            }
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.open.questions().remove(&self.question);
    }
}

impl Reuse {
    #[must_use]
    pub fn new(models: Arc<dyn Model>, verdicts: Arc<Verdicts>, freshness: Freshness) -> Self {
        Self {
            models,
            verdicts,
            freshness,
            open: Arc::default(),
        }
    }
}

impl Model for Reuse {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        if self.freshness == Freshness::Fresh || !ask.role.is_judge() {
            return self.models.ask(ask);
        }
        match self.verdicts.load(ask) {
            Some(reply) => Box::pin(async move { Ok(reply) }),
            None => {
                let (open, models) = (Arc::clone(&self.open), Arc::clone(&self.models));
                Box::pin(open.ask(models, ask.clone()))
            }
        }
    }

    fn keep(&self, ask: &Ask, reply: &Reply) {
        if ask.role.is_judge() && !reply.reused {
            self.verdicts.store(ask, reply);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use redraft_run::ask::{FailureKind, Role, Tokens, Usage};

    use super::*;
    use crate::model::fixtures;
    use crate::verdicts::UserKey;

    /// Answers after a while; the first call fails if it is to.
    struct Slow {
        asked: AtomicUsize,
        fails_first: bool,
        finish: Finish,
    }

    impl Model for Slow {
        fn ask(&self, _: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
            let number = self.asked.fetch_add(1, Ordering::SeqCst);
            let fails = self.fails_first && number == 0;
            let reply = Reply {
                usage: Usage {
                    tokens: Tokens::new(100, 10),
                    estimated: false,
                },
                finish: self.finish,
                ..Reply::of("{}")
            };
            Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                match fails {
                    true => Err(CallFailure {
                        kind: FailureKind::Permanent,
                        message: "no".to_owned(),
                        usage: None,
                        context: None,
                    }),
                    false => Ok(reply),
                }
            })
        }
    }

    /// How often the model was asked, and how many tokens the answers cost.
    fn asked(slow: Slow, freshness: Freshness, asks: &[Ask]) -> (usize, Vec<Option<u64>>) {
        let folder = tempfile::tempdir().unwrap();
        let slow = Arc::new(slow);
        let models: Arc<dyn Model> = Arc::<Slow>::clone(&slow);
        let key = UserKey::new(b"the key of these tests");
        let verdicts = Arc::new(Verdicts::beside_journals(folder.path(), key));
        let reuse = Reuse::new(models, verdicts, freshness);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let costs = runtime.block_on(async {
            let calls: Vec<_> = asks
                .iter()
                .map(|ask| tokio::spawn(reuse.ask(ask)))
                .collect();
            let mut costs = Vec::new();
            for call in calls {
                let reply = call.await.unwrap();
                costs.push(reply.ok().map(|reply| reply.usage.tokens.input));
            }
            costs
        });
        (slow.asked.load(Ordering::SeqCst), costs)
    }

    fn slow() -> Slow {
        Slow {
            asked: AtomicUsize::new(0),
            fails_first: false,
            finish: Finish::Stop,
        }
    }

    #[test]
    fn who_asks_what_is_being_asked_waits_and_pays_nothing() {
        let same = fixtures::ask("Be fair.", "a text");
        let mut elsewhere = same.clone();
        elsewhere.id.0 = "another".to_owned();
        let other = fixtures::ask("Be fair.", "another text");
        let three = vec![same, elsewhere, other];
        let told = asked(slow(), Freshness::Stored, &three);
        assert_eq!(told, (2, vec![Some(100), Some(0), Some(100)]));
        let told = asked(slow(), Freshness::Fresh, &three);
        assert_eq!(told, (3, vec![Some(100); 3]));
        let fails = Slow {
            fails_first: true,
            ..slow()
        };
        let told = asked(fails, Freshness::Stored, &three);
        assert_eq!(told, (3, vec![None, Some(100), Some(100)]));
        let cut = Slow {
            finish: Finish::Length,
            ..slow()
        };
        let told = asked(cut, Freshness::Stored, &three);
        assert_eq!(told, (3, vec![Some(100); 3]));
        let mut repairs = three;
        for ask in &mut repairs {
            ask.role = Role::Patcher;
        }
        let told = asked(slow(), Freshness::Stored, &repairs);
        assert_eq!(told.0, 3);
    }
}
