//! What every stage of a run gets: the setup, which never changes, and the mailbox, through which
//! it emits events and asks models.

use std::sync::{Arc, OnceLock};

use super::mailbox::Mailbox;
use crate::ask::{ModelSettings, Role, Time};
use crate::event::EventKind;
use crate::route::estimate::Overheads;
use crate::setup::{Seat, Setup};

pub(super) struct Context {
    pub(super) setup: Arc<Setup>,
    pub(super) mailbox: Mailbox,
    /// Tokens of our own text in prompts, measured once.
    pub(super) overheads: OnceLock<Overheads>,
}

impl Context {
    pub(super) fn new(setup: Arc<Setup>, mailbox: Mailbox) -> Self {
        Self {
            setup,
            mailbox,
            overheads: OnceLock::new(),
        }
    }

    pub(super) fn emit(&self, kind: EventKind) {
        self.mailbox.emit(kind);
    }

    pub(super) fn now(&self) -> Time {
        self.mailbox.lock().now
    }

    /// The models of a role, if any are configured.
    pub(super) fn seat(&self, role: Role) -> Option<&Seat> {
        self.setup.seats.iter().find(|seat| seat.role == role)
    }

    pub(super) fn is_scripted(&self) -> bool {
        self.setup
            .seats
            .iter()
            .flat_map(|seat| &seat.models)
            .any(ModelSettings::is_scripted)
    }
}
