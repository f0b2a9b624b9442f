//! Durable runs: a store on SQLite or PostgreSQL, workers that drive runs from it, and
//! an HTTP API over it.
//!
//! Deliberately absent: reading configuration, choosing models and inspecting documents,
//! which the program does behind [`workshop::Workshop`]; any decision about a text.

mod hex;
pub mod http;
pub mod log;
mod object;
pub mod otlp;
pub mod signing;
pub mod sql;
pub mod store;
pub mod webhooks;
pub mod worker;
pub mod workshop;
