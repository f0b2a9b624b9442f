//! Reports of findings, events and outcomes, for people and for programs. Every
//! sentence and table is made here, so that the terminal, the service and the web
//! page show the same words.
//!
//! Deliberately absent: any decision. A report is a view of what the gate found and
//! what a run recorded; it opens no files and calls no model.

pub mod amount;
pub mod bank;
pub mod check_report;
pub mod check_run;
pub mod check_text;
pub mod columns;
mod cost;
pub mod count;
mod decimals;
pub mod decision;
pub mod diff;
pub mod explain;
pub mod fallbacks;
pub mod html;
pub mod item_path;
pub mod judge_report;
pub mod judged_junit;
pub mod judged_markdown;
pub mod judged_sarif;
pub mod judged_text;
pub mod junit;
pub mod markdown;
pub mod overview;
mod panel;
pub mod plain;
pub mod plan;
pub mod plan_table;
mod planning_sentences;
pub mod progress;
pub mod proposals;
pub mod rebalanced;
pub mod refine_report;
pub mod report_notices;
pub mod review_case;
pub mod same_fault;
pub mod sarif;
pub mod saved;
pub mod scheme_table;
pub mod seeds;
pub mod sentences;
pub mod shell;
pub mod solver_report;
mod style;
pub mod timestamps;
pub mod unfinished;
pub mod word_diff;
pub mod wrap;

/// The version of the JSON that every command prints.
pub const SCHEMA: u32 = 2;

/// What to do if no model is configured.
pub const PLUG_IN: &str = "To use a model, set OPENAI_API_KEY, OPENROUTER_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, start an Ollama server, or write a redraft.toml with `redraft init --preset NAME`; see docs/models.md.";
