//! Has an item solved without its key, once it would otherwise be accepted; an item that is not
//! accepted anyway is not worth the call. `solve` interprets the answers, and a disputed key keeps
//! the item from being accepted (`decide`).

use super::asking::{AskOutcome, Conversation, Reading, converse};
use super::context::Context;
use super::judgements::Judgements;
use super::review;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::ask::{ModelSettings, Role, Tokens};
use crate::decide::{self, GoodEnough};
use crate::event::EventKind;
use crate::prompt::PromptError;
use crate::reasons::Unconfirmed;
use crate::request::Task;
use crate::setup::Seat;
use crate::solve::{self, BlindQuestion, SolverAnswer, Solving};
use crate::verdict::{Reason, Unscored};

/// Solves a version that would be accepted, if the policy asks for it and it was not solved yet.
/// `path` is the prefix of the ask ids.
pub(super) async fn solve(
    context: &Context,
    judgements: &mut Judgements,
    (text, path): (&Text, &str),
    (good_enough, unconfirmed): (GoodEnough, Option<&Unconfirmed>),
) -> Result<(), PromptError> {
    let setup = context.setup.as_ref();
    if !setup.policy.solve || judgements.solving(text).is_some() {
        return Ok(());
    }
    let Some(seat) = context.seat(Role::Solver).cloned() else {
        return Ok(());
    };
    let is_accepted = judgements.decide(text, good_enough, unconfirmed, decide::accepted);
    let Some(question) = setup
        .profile
        .blind_question(text.document())
        .filter(|_| is_accepted.is_ok())
    else {
        return Ok(());
    };
    context.emit(EventKind::NodeEnter { node: "solve" });
    let solver = Solver {
        context,
        seat,
        text,
        question: &question,
        path,
    };
    let (solving, tokens) = solver.solve().await?;
    context.emit(EventKind::Solved {
        solving: solving.clone(),
        tokens,
    });
    context.emit(EventKind::NodeComplete { node: "solve" });
    judgements.keep_solving(text, solving);
    Ok(())
}

/// An item and the solver of it.
struct Solver<'a> {
    context: &'a Context,
    seat: Seat,
    text: &'a Text,
    question: &'a BlindQuestion,
    path: &'a str,
}

impl Solver<'_> {
    async fn solve(&self) -> Result<(Solving, Tokens), PromptError> {
        let key = self.question.option(self.question.key);
        let mut answers = Vec::new();
        let (mut used, mut model, mut unanswered) = (Tokens::default(), None, None);
        let orders = self.question.orders(self.text.version());
        for (order, name) in orders.iter().zip(["first", "second"]) {
            let ended = self.ask(order, name).await?;
            used = used.plus(ended.used);
            model = ended.model.or(model);
            match ended.result {
                Ok(answer) => answers.push(answer),
                Err(unscored) => unanswered = Some(unscored),
            }
            let goes_on = match answers.as_slice() {
                [first] => unanswered.is_none() && Solving::needs_second(&key, first),
                _ => false,
            };
            if !goes_on {
                break;
            }
        }
        let result = Solving::result_of(&key, &answers, unanswered.as_ref());
        let solving = Solving {
            content: self.text.version(),
            model: model.as_ref().map(ModelSettings::name).unwrap_or_default(),
            key,
            answers,
            result,
            unanswered,
        };
        Ok((solving, used))
    }

    async fn ask(
        &self,
        order: &[usize],
        name: &str,
    ) -> Result<AskOutcome<SolverAnswer>, PromptError> {
        let setup = self.context.setup.as_ref();
        let question = self.question;
        let task = Task::Solve { question, order };
        let render = || wording::render(setup, self.text.document(), task);
        let mut wordings = Wordings::new(Some(solve::schema(order.len())));
        review::allot(self.context, &self.seat, &mut wordings, &render());
        let conversation = Conversation {
            path: format!("{}/solve/{name}", self.path),
            seat: self.seat.clone(),
            content: self.text.version(),
            wordings,
            // Half a question has a different answer.
            reading: Reading::Whole,
            render: render(),
            read: Box::new(move |reply, _| solve::read(question, order, reply)),
        };
        let mut ended = converse(setup, &self.context.mailbox, vec![conversation]).await?;
        Ok(ended.pop().unwrap_or_else(|| AskOutcome {
            result: Err(Unscored::new(
                Reason::CallFailed,
                "the solver was not asked",
            )),
            ask: None,
            model: None,
            used: Tokens::default(),
            not_used: Vec::new(),
            reused: false,
            unread: None,
        }))
    }
}
