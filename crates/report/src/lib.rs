//! Findings, events and outcomes, told to people and to programs. Everything that
//! makes a sentence or a table is here: the terminal, the service and the web page
//! show the same words.
//!
//! Deliberately absent: any decision. A report is a view of what the gate found and
//! what a run recorded; it opens no files and asks nobody.

pub mod bank;
mod cost;
pub mod diff;
pub mod explain;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod moment;
mod panel;
pub mod plan;
pub mod refined;
pub mod run;
pub mod sarif;
pub mod seated;
pub mod seeds;
pub mod sentences;
pub mod verdict;

/// What to do where no model is configured.
pub const PLUG_IN: &str = "To plug one in, set a key and nothing else (OPENAI_API_KEY, OPENROUTER_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY), start an Ollama, or write a redraft.toml with `redraft init --preset NAME`; docs/models.md has the details.";
