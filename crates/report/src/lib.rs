//! Findings, events and outcomes, told to people and to programs. Everything that
//! makes a sentence or a table is here: the terminal, the service and the web page
//! show the same words.
//!
//! Deliberately absent: any decision. A report is a view of what the gate found and
//! what a run recorded; it opens no files and asks nobody.

pub mod bank;
pub mod check_report;
pub mod check_run;
pub mod check_text;
mod cost;
pub mod count;
pub mod diff;
pub mod explain;
pub mod fallbacks;
pub mod judge_report;
pub mod junit;
pub mod markdown;
mod panel;
pub mod plan;
pub mod progress;
pub mod refine_report;
pub mod sarif;
pub mod seeds;
pub mod sentences;
mod style;
pub mod timestamps;

/// The version of the JSON that every command prints.
pub const SCHEMA: u32 = 2;

/// What to do where no model is configured.
pub const PLUG_IN: &str = "To plug one in, set a key and nothing else (OPENAI_API_KEY, OPENROUTER_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY), start an Ollama, or write a redraft.toml with `redraft init --preset NAME`; docs/models.md has the details.";
