//! Which models are asked for what: worked out from `redraft.toml`, from the
//! environment, or from an Ollama that answers.
//!
//! `validate` looks at the file alone, `resolve` puts file and surroundings
//! together, `bias` keeps writer and judge apart, `connect` makes something that
//! can be asked, `trial` asks it once. Nothing here decides about a text, and no
//! key leaves a [`Secret`](redraft_engine::model::connection::Secret).

pub mod bias;
pub mod catalogue;
pub mod connect;
mod detect;
pub mod family;
pub mod listing;
pub mod names;
pub mod ollama;
pub mod presets;
mod provider;
mod resolve;
mod surroundings;
pub mod trial;
mod validate;

pub use bias::SelfPreference;
pub use provider::{KeySource, Provider};
pub use resolve::{Asked, Limits, Origin, Origins, Problem, Resolved, Seated, resolve};
pub use surroundings::Surroundings;
pub(crate) use validate::check;
