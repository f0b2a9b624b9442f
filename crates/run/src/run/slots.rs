//! What a repair may change besides text, as the profile declares it.

use redraft_gate::span::ComponentId;

use super::context::Context;
use super::text::Text;
use crate::structure::Slot;

/// The lists and values of a component that a repair may change (ruling 59).
pub(super) fn slots_of(context: &Context, text: &Text, component: &ComponentId) -> Vec<Slot> {
    let setup = &context.setup;
    setup
        .profile
        .slots(text.document(), component, &setup.companions)
}
