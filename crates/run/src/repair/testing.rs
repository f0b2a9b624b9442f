//! Replies for the tests.

use crate::ask::{Finish, Reply};

pub(crate) fn reply(text: &str) -> Reply {
    finished(text, Finish::Stop)
}

pub(crate) fn finished(text: &str, finish: Finish) -> Reply {
    Reply {
        finish,
        ..Reply::of(text)
    }
}
