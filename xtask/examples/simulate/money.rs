//! What the simulated calls would cost with three real families of models, at their list
//! prices and by the rules of their prompt caches (the program's own price table). The
//! simulated models know nothing of it.
//!
//! A document is taken to be one of many: the constant part of its prompts is in the
//! cache already. What else is read from the cache is what earlier prompts of the same
//! role in the same run begin with.
//!
//! | family | read from the cache |
//! |---|---|
//! | OpenAI | the beginning in common, in steps of 128 tokens |
//! | Anthropic | the marked parts: the system half; for judges also what stands beside the text, which is written first |
//! | Gemini | the beginning in common |
//!
//! None of it where it is shorter than the model's cache asks for.

use std::collections::BTreeMap;

use redraft_engine::model::connection::Api;
use redraft_engine::model::prices::{self, PriceTable};
use redraft_run::ask::{Ask, CacheTerms, ModelSettings, Role, Tokens};

use crate::figures::{Figure, mean, quotient};
use crate::play::Record;
use crate::purpose::Purpose;
use crate::report::{Goal, Grid, Line, Section, Unit};
use crate::tokeniser::remembered;

/// A family: its name and protocol, the model of most roles and the cheaper one, as the
/// presets assign them.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    api: Api,
    model: &'static str,
    cheap: &'static str,
}

pub(crate) const FAMILIES: [Family; 3] = [
    Family {
        name: "OpenAI",
        api: Api::OpenAi,
        model: "gpt-4.1",
        cheap: "gpt-4.1-mini",
    },
    Family {
        name: "Anthropic",
        api: Api::Anthropic,
        model: "claude-sonnet-4-5",
        cheap: "claude-haiku-4-5",
    },
    Family {
        name: "Gemini",
        api: Api::Gemini,
        model: "gemini-2.5-pro",
        cheap: "gemini-2.5-flash",
    },
];

impl Family {
    fn model(&self, role: Role) -> &'static str {
        match role {
            Role::SelfReviewer | Role::Patcher | Role::DeltaJudge | Role::JudgeSecondary => {
                self.cheap
            }
            _ => self.model,
        }
    }

    /// A model of the family with its list prices.
    fn settings(&self, table: &PriceTable, role: Role) -> Option<ModelSettings> {
        let name = self.model(role);
        let listed = table.price(name)?;
        let rule = table.cache_rule(self.api, name)?;
        let micros = |dollars: f64| (dollars * 1e6).round() as u64;
        let (_, max_tokens) = redraft::config::defaults::call_settings(role);
        Some(ModelSettings {
            // No answer is expected to be longer.
            max_tokens,
            price_in: micros(listed.input),
            price_out: micros(listed.output),
            cache: Some(CacheTerms {
                least_tokens: rule.least_tokens,
                price_read: micros(listed.cached_in),
                price_write: micros(listed.cache_write),
            }),
            ..ModelSettings::scripted(name, 0)
        })
    }
}

/// A model of a family, by its number.
pub(crate) fn settings(family: usize, role: Role) -> Option<ModelSettings> {
    FAMILIES.get(family)?.settings(prices::table(), role)
}

/// What a document costs, in millionths of a dollar, by family.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Money {
    /// Without any cache.
    full: [u64; 3],
    cached: [u64; 3],
    /// As if a filled example made the constant part of judges' prompts long enough for the
    /// cache.
    padded: [u64; 3],
    /// With caches, and with the forms of answers as providers count them; by purpose.
    pub(crate) billed: [[u64; 3]; Purpose::ALL.len()],
    pub(crate) calls: [u32; Purpose::ALL.len()],
    /// The same as `cached`, by what it was spent on.
    spent_on: [[u64; 3]; Purpose::ALL.len()],
    /// The tokens of prompts and of answers, by what they were spent on.
    tokens_on: [[u64; 2]; Purpose::ALL.len()],
}

/// Counts the money of a run.
#[derive(Debug, Default)]
pub(crate) struct Till {
    money: Money,
    /// What each role was asked so far.
    asked: BTreeMap<Role, Vec<Asked>>,
}

#[derive(Debug)]
struct Asked {
    system: String,
    user: String,
}

impl Till {
    pub(crate) fn money(&self) -> Money {
        self.money
    }

    pub(crate) fn hear(&mut self, ask: &Ask, tokens: Tokens) {
        let earlier = self.asked.entry(ask.role).or_default();
        let purpose = Purpose::of(ask) as usize;
        self.money.calls[purpose] += 1;
        self.money.tokens_on[purpose][0] += tokens.input;
        self.money.tokens_on[purpose][1] += tokens.output;
        let spent_on = &mut self.money.spent_on[purpose];
        for (index, family) in FAMILIES.iter().enumerate() {
            let Some(model) = family.settings(prices::table(), ask.role) else {
                continue;
            };
            let cached = with_cache(family.api, &model, (ask, tokens), (earlier, 0));
            let lacks = lacking(family.api, &model, ask);
            let longer = Tokens {
                input: tokens.input + lacks,
                ..tokens
            };
            let padded = with_cache(family.api, &model, (ask, longer), (earlier, lacks));
            self.money.padded[index] += padded.cost(&model);
            self.money.full[index] += tokens.cost(&model);
            self.money.cached[index] += cached.cost(&model);
            spent_on[index] += cached.cost(&model);
            let form = form(family.api, ask);
            let is_read = cached.cached_input > 0;
            let with_form = Tokens {
                input: cached.input + form,
                cached_input: cached.cached_input + if is_read { form } else { 0 },
                ..cached
            };
            self.money.billed[purpose][index] += with_form.cost(&model);
        }
        earlier.push(Asked {
            system: ask.prompt.system.clone(),
            user: ask.prompt.user.clone(),
        });
    }
}

/// The form of an answer; Gemini takes it beside the prompt.
fn form(api: Api, ask: &Ask) -> u64 {
    match (api, &ask.schema) {
        (Api::OpenAi | Api::Anthropic, Some(schema)) => remembered(schema.text()),
        _ => 0,
    }
}

/// What the constant part of a judge's prompt lacks to be cached.
fn lacking(api: Api, model: &ModelSettings, ask: &Ask) -> u64 {
    let least = model.cache.map_or(0, |cache| cache.least_tokens);
    match ask.role.is_judge() {
        true => least.saturating_sub(remembered(&ask.prompt.system) + form(api, ask)),
        false => 0,
    }
}

/// What of the tokens of a call is read from the cache, and written to it, where the
/// constant part has so many tokens more.
fn with_cache(
    api: Api,
    model: &ModelSettings,
    (ask, tokens): (&Ask, Tokens),
    (earlier, more): (&[Asked], u64),
) -> Tokens {
    const STEP: u64 = 128;
    let least = model.cache.map_or(u64::MAX, |cache| cache.least_tokens);
    let prompt = &ask.prompt;
    let system = remembered(&prompt.system) + more;
    let form = form(api, ask);
    let alike = || earlier.iter().filter(|asked| asked.system == prompt.system);
    let read_if_long = |part: u64| {
        if system + form + part >= least {
            system + part
        } else {
            0
        }
    };
    let (read, written) = if api == Api::Anthropic {
        let beside = &prompt.user[..prompt.before_text()];
        let part = remembered(beside);
        let is_marked = ask.role.is_judge() && part > 0 && system + form + part >= least;
        let is_known = alike().any(|asked| asked.user.starts_with(beside));
        match (is_marked, is_known) {
            (true, true) => (system + part, 0),
            (true, false) => {
                let read = read_if_long(0);
                (read, system + part - read)
            }
            (false, _) => (read_if_long(0), 0),
        }
    } else {
        let longest = alike().map(|asked| in_common(&prompt.user, &asked.user));
        let part = remembered(longest.max_by_key(|part| part.len()).unwrap_or_default());
        let read = read_if_long(part);
        let step = if api == Api::OpenAi { STEP } else { 1 };
        (read / step * step, 0)
    };
    Tokens {
        cached_input: read.min(tokens.input),
        cache_write: written,
        ..tokens
    }
}

fn in_common<'a>(text: &'a str, other: &str) -> &'a str {
    let same = |(a, b): &(u8, u8)| a == b;
    let bytes = text.bytes().zip(other.bytes()).take_while(same).count();
    &text[..text.floor_char_boundary(bytes)]
}

/// The money of documents, and of repair beside writing the whole again with the same
/// models and caches.
pub(crate) fn section(title: &str, ours: &[Record], theirs: &[Record], most: f64) -> Section {
    let mut lines = Vec::new();
    for (index, family) in FAMILIES.iter().enumerate() {
        let dollars = |micros: u64| micros as f64 / 1e6;
        let full = |record: &Record| dollars(record.money.full[index]);
        let cached = |record: &Record| dollars(record.money.cached[index]);
        let padded = |record: &Record| dollars(record.money.padded[index]);
        let each = |of: &dyn Fn(&Record) -> f64| -> Vec<f64> { ours.iter().map(of).collect() };
        let pairs = |of: &dyn Fn(&Record) -> f64| -> Vec<(f64, f64)> {
            let pairs = ours.iter().zip(theirs).filter(|(ours, _)| ours.rounds > 0);
            pairs.map(|(ours, theirs)| (of(ours), of(theirs))).collect()
        };
        let saved: Vec<(f64, f64)> = ours.iter().map(|one| (cached(one), full(one))).collect();
        lines.extend([
            Line::new(
                format!("{} ({}, {})", family.name, family.model, family.cheap),
                mean(&each(&cached)),
                Unit::Dollars,
            ),
            Line::new("  without caches", mean(&each(&full)), Unit::Dollars),
            Line::new(
                "  as if an example filled the judges' prompts",
                mean(&each(&padded)),
                Unit::Dollars,
            ),
            Line::new("  with caches, of without", quotient(&saved), Unit::Share),
            Line::new(
                "  money of repair, of writing again until accepted",
                quotient(&pairs(&cached)),
                Unit::Share,
            )
            .goal(Goal::Below(most)),
            Line::new("    without caches", quotient(&pairs(&full)), Unit::Share),
            Line::new(
                "    as if an example filled the judges' prompts",
                quotient(&pairs(&padded)),
                Unit::Share,
            ),
        ]);
    }
    Section {
        title: format!(
            "{title}: money of a document, at the list prices of {}",
            prices::table().as_of
        ),
        lines,
    }
}

/// Where the money of the documents that were repaired goes, with caches.
pub(crate) fn spent_on(title: &str, records: &[&Record]) -> Grid {
    const COLUMNS: &[(&str, Unit)] = &[
        ("OpenAI", Unit::Dollars),
        ("Anthropic", Unit::Dollars),
        ("Gemini", Unit::Dollars),
        ("calls", Unit::Number),
        ("tokens in", Unit::Tokens),
        ("out", Unit::Tokens),
    ];
    let each = |of: &dyn Fn(&Money) -> f64| -> Figure {
        let figures: Vec<f64> = records.iter().map(|record| of(&record.money)).collect();
        mean(&figures)
    };
    let families = || 0..FAMILIES.len();
    let dollars = |micros: u64| micros as f64 / 1e6;
    let row = |at: usize| -> Vec<Figure> {
        let spent = |family: usize| each(&|money| dollars(money.spent_on[at][family]));
        let tokens = |which: usize| each(&|money| money.tokens_on[at][which] as f64);
        let calls = each(&|money| f64::from(money.calls[at]));
        let others = [calls, tokens(0), tokens(1)];
        families().map(spent).chain(others).collect()
    };
    let mut rows: Vec<(&str, Vec<Figure>)> = Purpose::ALL
        .into_iter()
        .map(|purpose| (purpose.name(), row(purpose as usize)))
        .filter(|(_, figures)| figures.iter().any(|figure| figure.value > 0.0))
        .collect();
    let all =
        |which: usize| each(&|money| money.tokens_on.iter().map(|one| one[which] as f64).sum());
    let calls = each(&|money| money.calls.iter().map(|calls| f64::from(*calls)).sum());
    let spent = |family: usize| each(&|money| dollars(money.cached[family]));
    let others = [calls, all(0), all(1)];
    rows.push(("all", families().map(spent).chain(others).collect()));
    Grid {
        title: title.to_owned(),
        columns: COLUMNS,
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_of_every_family_has_a_price_and_a_cache() {
        for family in &FAMILIES {
            for role in Role::ALL {
                let model = family.settings(prices::table(), role);
                let longest = model.map(|model| model.max_tokens);
                assert!(longest > Some(0), "{}: {role}", family.name);
            }
        }
    }

    #[test]
    fn what_two_prompts_begin_with_is_cut_between_characters() {
        assert_eq!(in_common("aé", "aè"), "a");
        assert_eq!(in_common("abc", "abd"), "ab");
        assert_eq!(in_common("", "a"), "");
    }
}
