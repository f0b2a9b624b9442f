//! Assigns models to one role: which tables apply to it, which model they name, and
//! which settings come with it. [`super`] says what is inherited.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use redraft_engine::model::connection::Api;
use redraft_engine::model::prices;
use redraft_run::ask::{CacheTerms, ModelSettings, Role};
use redraft_run::policy::EditForm;
use redraft_run::setup::Seat;
use redraft_text::language::Language;

use super::super::assignment::{AssignedModels, ModelInfo, Origin, Origins};
use super::super::environment::Environment;
use super::super::family::Family;
use super::super::ollama;
use super::super::provider::Provider;
use super::millionths;
use crate::config::defaults;
use crate::config::roles::RoleTable;
use crate::config::{Config, ConfigError, Located, ModelSection, RoleSection};

/// The configuration, and the providers that were needed so far.
pub(super) struct Resolver<'a> {
    pub(super) config: &'a Config,
    environment: &'a Environment<'a>,
    language: Option<Language>,
    pub(super) providers: BTreeMap<String, Provider>,
    ollama: OnceCell<Ollama>,
}

/// The answer of the Ollama server.
#[derive(Default)]
struct Ollama {
    /// The largest first.
    models: Vec<String>,
    note: Option<String>,
}

/// A table that applies to a role.
struct Level<'a> {
    section: &'a RoleSection,
    table: RoleTable,
}

struct Setting<T> {
    value: T,
    origin: Origin,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
        config: &'a Config,
        environment: &'a Environment<'a>,
        language: Option<Language>,
    ) -> Self {
        Self {
            config,
            environment,
            language,
            providers: BTreeMap::new(),
            ollama: OnceCell::new(),
        }
    }

    fn provider(&mut self, name: &str) -> &Provider {
        let (config, environment) = (self.config, self.environment);
        self.providers
            .entry(name.to_owned())
            .or_insert_with(|| Provider::of(name, config, environment))
    }

    /// The model of a provider for a role, if the file names none.
    pub(super) fn default_model(&self, provider: &str, role: Role) -> Option<String> {
        let known = defaults::known(provider)?;
        if provider != "ollama" {
            return Some(known.models.of(role).to_owned());
        }
        let models = &self.ollama.get_or_init(|| self.ask_ollama()).models;
        let rank = match role {
            Role::JudgeSecondary => 1,
            Role::JudgeTiebreaker => 2,
            _ => 0,
        };
        let model = models.get(rank.min(models.len().saturating_sub(1)));
        Some(model.map_or_else(|| known.models.of(role).to_owned(), Clone::clone))
    }

    /// A note about the Ollama server, if it was asked.
    pub(super) fn ollama_note(&self) -> Option<String> {
        self.ollama.get()?.note.clone()
    }

    fn ask_ollama(&self) -> Ollama {
        if !self.environment.may_probe() {
            return Ollama::default();
        }
        let of_file = self.config.file().providers.get("ollama");
        let of_file = of_file.and_then(|section| section.base_url.as_ref());
        let (host, hint) = match (of_file, self.environment.variable("OLLAMA_HOST")) {
            (Some(url), _) => (url.as_str(), "correct base-url"),
            (None, Some(host)) => (host, "correct OLLAMA_HOST"),
            (None, None) => ("", "set OLLAMA_HOST"),
        };
        let address = ollama::address(host);
        let (scheme, host) = address.split_once("://").unwrap_or_default();
        let models = (self.environment.ollama)(host);
        // Only plain HTTP is asked; a server with TLS may be there all the same. A user
        // name or password in an address is an error elsewhere and not shown.
        let can_tell = scheme == "http" && !host.contains('@');
        let note = match &models {
            None if can_tell => Some(format!(
                "no Ollama server at {host}; using default model names. Start Ollama there, or {hint}"
            )),
            Some(models) if models.is_empty() && can_tell => Some(ollama::has_no_model(host)),
            _ => None,
        };
        Ollama {
            models: models.unwrap_or_default(),
            note,
        }
    }

    fn levels(&self, role: Role) -> Vec<Level<'a>> {
        let mut levels = Vec::new();
        for table in RoleTable::applying_to(role) {
            let written = self
                .config
                .file()
                .roles
                .iter()
                .find(|(name, _)| RoleTable::parse(name) == Some(table));
            let Some((_, section)) = written else {
                continue;
            };
            let for_language = section
                .language
                .iter()
                .find(|(tag, _)| self.language.is_some() && Language::parse(tag) == self.language);
            if let Some((_, section)) = for_language {
                levels.push(Level { section, table });
            }
            levels.push(Level { section, table });
        }
        levels
    }

    /// The setting of the most specific table that has it.
    fn pick<T: Clone + 'a>(
        &self,
        levels: &[Level<'a>],
        value: impl Fn(&'a RoleSection) -> Option<&'a Located<T>>,
    ) -> Option<Setting<T>> {
        let found = levels.iter().find_map(|level| value(level.section))?;
        Some(self.setting(found))
    }

    fn setting<T: Clone>(&self, written: &Located<T>) -> Setting<T> {
        Setting {
            value: (**written).clone(),
            origin: self.origin(written),
        }
    }

    fn origin<T>(&self, written: &Located<T>) -> Origin {
        Origin::File(self.config.source().line(written))
    }

    /// The models of a role, if a table assigns any.
    pub(super) fn assign(&mut self, role: Role) -> Result<Option<AssignedModels>, ConfigError> {
        let levels = self.levels(role);
        let Some(at) = levels
            .iter()
            .position(|level| level.section.model.is_some() || level.section.provider.is_some())
        else {
            return Ok(None);
        };
        let (naming, rest) = (&levels[at], &levels[at..]);
        let Some((provider, model)) = self.named_model(role, naming, rest)? else {
            return Ok(None);
        };
        let default = CallSettings::default_for(role);
        let temperature = self.pick(&levels, |section| section.temperature.as_ref());
        let max_tokens = self.pick(&levels, |section| section.max_tokens.as_ref());
        let weight = self.pick(&levels, |section| section.weight.as_ref());
        let of_model = levels.get(..=at).unwrap_or_default();
        let call_settings = CallSettings {
            temperature_hundredths: temperature
                .as_ref()
                .map_or(default.temperature_hundredths, |written| {
                    (written.value * 100.0).round() as u16
                }),
            max_tokens: max_tokens
                .as_ref()
                .map_or(default.max_tokens, |written| written.value),
        };
        let inline = InlineInfo {
            price_in: self.pick(of_model, |section| section.price_in.as_ref()),
            price_out: self.pick(of_model, |section| section.price_out.as_ref()),
            price_cached_in: self.pick(of_model, |section| section.price_cached_in.as_ref()),
            price_cache_write: self.pick(of_model, |section| section.price_cache_write.as_ref()),
            context: self.pick(of_model, |section| section.context.as_ref()),
            family: self.pick(of_model, |section| section.family.as_ref()),
            edit_form: self.pick(of_model, |section| section.edit_form.as_ref()),
        };
        let first = self.candidate(&provider.value, &model.value);
        let (settings, of_first) = self.model(&first, &call_settings, inline);
        let mut models = vec![settings];
        let mut info = vec![of_first];
        let fall_backs = levels
            .iter()
            .find_map(|level| level.section.fall_backs.as_ref());
        for name in fall_backs.iter().flat_map(|names| names.iter()) {
            let Some(candidate) = self.fallback(name, &provider.value) else {
                let message = no_such_provider(name, &provider.value);
                return Err(self.config.source().error(name, message));
            };
            let (settings, of_model) =
                self.model(&candidate, &call_settings, InlineInfo::default());
            if !models.iter().any(|other| other.name() == settings.name()) {
                models.push(settings);
                info.push(of_model);
            }
        }
        Ok(Some(AssignedModels {
            seat: Seat {
                role,
                // Thousandths, so that 0.75 is exactly what it says.
                weight: weight
                    .as_ref()
                    .map_or(1_000, |written| (written.value * 1_000.0).round() as u32),
                contexts: contexts(&models, &info),
                models,
            },
            info,
            origins: Origins {
                provider: provider.origin,
                model: model.origin,
                temperature: temperature.map_or(Origin::Default, |written| written.origin),
                max_tokens: max_tokens.map_or(Origin::Default, |written| written.origin),
                weight: weight.map_or(Origin::Default, |written| written.origin),
            },
            is_named: naming.table != RoleTable::Default,
            has_own_table: naming.table == RoleTable::Role(role),
        }))
    }

    /// The provider and the model that a table names, the provider also from less
    /// specific tables.
    #[expect(
        clippy::type_complexity,
        reason = "a pair of two settings, or none; a name would not say more"
    )]
    fn named_model(
        &self,
        role: Role,
        naming: &Level<'a>,
        rest: &[Level<'a>],
    ) -> Result<Option<(Setting<String>, Setting<String>)>, ConfigError> {
        let source = self.config.source();
        let Some(named) = &naming.section.model else {
            let Some(provider) = &naming.section.provider else {
                return Ok(None);
            };
            return match self.default_model(provider, role) {
                Some(model) => Ok(Some((
                    self.setting(provider),
                    Setting {
                        value: model,
                        origin: Origin::Default,
                    },
                ))),
                // A default provider does nothing until a model is named.
                None if naming.table == RoleTable::Default => Ok(None),
                None => {
                    let message = format!(
                        "no model for \"{}\": add model = \"…\" to this table",
                        **provider
                    );
                    Err(source.error(provider, message))
                }
            };
        };
        let entry = self.config.file().models.get(named.as_str());
        let value = entry
            .and_then(|entry| entry.model.as_deref())
            .unwrap_or(named)
            .clone();
        let model = Setting {
            value,
            origin: self.origin(named),
        };
        // The provider in a table of [models] applies unless the same role table names
        // another one.
        let own = naming.section.provider.as_ref();
        let own = own.map(|provider| self.setting(provider));
        let of_entry = || Some(self.setting(entry?.provider.as_ref()?));
        let inherited = || self.pick(rest, |section| section.provider.as_ref());
        let only = || {
            let mut providers = self.config.file().providers.iter();
            match (providers.next(), providers.next()) {
                (Some((name, section)), None) => Some(Setting {
                    value: name.clone(),
                    origin: self.origin(section),
                }),
                _ => None,
            }
        };
        match own.or_else(of_entry).or_else(inherited).or_else(only) {
            Some(provider) => Ok(Some((provider, model))),
            None => {
                let message = format!(
                    "no provider for \"{}\": add provider = \"…\" to this table",
                    **named
                );
                Err(source.error(named, message))
            }
        }
    }

    /// A model together with the table of [models] that describes it.
    pub(super) fn candidate(&self, provider: &str, model: &str) -> Candidate<'a> {
        let mut tables = self.config.file().models.iter();
        let table = tables.find(|(name, table)| {
            table.model.as_deref().unwrap_or(name) == model
                && table.provider.as_deref().is_none_or(|of| of == provider)
        });
        Candidate {
            provider: provider.to_owned(),
            model: model.to_owned(),
            table: table.map(|(_, table)| &**table),
        }
    }

    /// A fallback: a table of [models], `provider/model`, or a model of the same
    /// provider. `None` if it names an unknown provider, which is certain only if the
    /// names of the same provider's models contain no slash.
    fn fallback(&self, name: &str, same: &str) -> Option<Candidate<'a>> {
        let file = self.config.file();
        if let Some((name, table)) = file.models.get_key_value(name) {
            let provider = table.provider.as_deref().map_or(same, String::as_str);
            return Some(Candidate {
                provider: provider.to_owned(),
                model: table.model.as_deref().unwrap_or(name).clone(),
                table: Some(table),
            });
        }
        match name.split_once('/') {
            Some((provider, model))
                if file.providers.contains_key(provider) || defaults::known(provider).is_some() =>
            {
                Some(self.candidate(provider, model))
            }
            Some((folder, _)) if self.has_plain_names(same) && !is_folder(folder) => None,
            _ => Some(self.candidate(same, name)),
        }
    }

    /// Whether names of a provider's models contain no slash. Providers that serve
    /// models of others put the maker in front (`meta-llama/…`), and so may any server
    /// at another address.
    fn has_plain_names(&self, provider: &str) -> bool {
        let known = defaults::known(provider).filter(|known| known.has_plain_names);
        let configured = self.providers.get(provider);
        known.zip(configured).is_some_and(|(known, configured)| {
            let url = &configured.connection.base_url;
            url.trim_end_matches('/') == known.base_url.trim_end_matches('/')
        })
    }

    /// The settings of a model, and what is known about it: from its role, else from
    /// its table in [models].
    pub(super) fn model(
        &mut self,
        candidate: &Candidate<'_>,
        call: &CallSettings,
        inline: InlineInfo,
    ) -> (ModelSettings, ModelInfo) {
        let provider = self.provider(&candidate.provider);
        let (is_local, api) = (provider.is_local, provider.connection.api);
        let table = candidate.table;
        let price_cached_in = inline
            .price_cached_in
            .or_else(|| Some(self.setting(table?.price_cached_in.as_ref()?)));
        let price_cache_write = inline
            .price_cache_write
            .or_else(|| Some(self.setting(table?.price_cache_write.as_ref()?)));
        let price_in = inline
            .price_in
            .or_else(|| Some(self.setting(table?.price_in.as_ref()?)));
        let price_out = inline
            .price_out
            .or_else(|| Some(self.setting(table?.price_out.as_ref()?)));
        let price = match (&price_in, &price_out) {
            (Some(price), Some(_)) => Some(price.origin.clone()),
            // Local models are free.
            _ if is_local => Some(Origin::Default),
            _ => None,
        };
        let dollars =
            |price: Option<Setting<f64>>| price.map_or(0, |price| millionths(price.value));
        let price_in = dollars(price_in);
        let cache = cache_terms(
            (api, &candidate.model),
            price_in,
            [price_cached_in, price_cache_write].map(|price| Some(millionths(price?.value))),
        );
        let family = inline
            .family
            .map(|written| written.value)
            .or_else(|| table?.family.as_deref().cloned())
            .map(|family| Family::named(&family))
            .or_else(|| Family::of_model(&candidate.model));
        let context = inline
            .context
            .map(|written| written.value)
            .or_else(|| table?.context.as_deref().copied());
        let edit_form = inline
            .edit_form
            .map(|written| written.value)
            .or_else(|| table?.edit_form.as_deref().copied())
            // Models on this machine are small.
            .unwrap_or(if is_local {
                EditForm::Whole
            } else {
                EditForm::Edits
            });
        (
            ModelSettings {
                provider: candidate.provider.clone(),
                model: candidate.model.clone(),
                temperature_hundredths: call.temperature_hundredths,
                max_tokens: call.max_tokens,
                price_in,
                price_out: dollars(price_out),
                // A model on this machine caches for itself; a gateway has prices.
                cache: cache.filter(|_| !is_local || price_in > 0),
            },
            ModelInfo {
                family,
                price,
                context,
                edit_form,
            },
        )
    }
}

/// What the prompt cache of a model takes: as configured, else by the rule for its name;
/// `None` if neither says anything.
fn cache_terms(
    (api, model): (Api, &str),
    price_in: u64,
    configured: [Option<u64>; 2],
) -> Option<CacheTerms> {
    /// What most providers ask for, where no rule is known.
    const LEAST_TOKENS: u64 = 1_024;
    let rule = prices::table().cache_rule(api, model);
    let by_rule = rule.map(|rule| rule.terms(price_in));
    if by_rule.is_none() && configured == [None, None] {
        return None;
    }
    let known = by_rule.unwrap_or(CacheTerms {
        least_tokens: LEAST_TOKENS,
        price_read: price_in,
        price_write: price_in,
    });
    let [read, write] = configured;
    Some(CacheTerms {
        price_read: read.unwrap_or(known.price_read),
        price_write: write.unwrap_or(known.price_write),
        ..known
    })
}

/// Whether the text before a slash is a folder of Gemini models.
fn is_folder(name: &str) -> bool {
    matches!(name, "models" | "tunedModels")
}

fn no_such_provider(name: &str, same: &str) -> String {
    let provider = name.split('/').next().unwrap_or(name);
    format!(
        "fallback \"{name}\": unknown provider \"{provider}\", and names of \"{same}\" models contain no slash; add [providers.{provider}] with base-url, or write the name of the model alone"
    )
}

/// The context windows of models, if they are known.
pub(super) fn contexts(models: &[ModelSettings], info: &[ModelInfo]) -> BTreeMap<String, u64> {
    models
        .iter()
        .zip(info)
        .filter_map(|(model, info)| Some((model.name(), info.context?)))
        .collect()
}

/// A model that may be assigned, and its table in [models].
pub(super) struct Candidate<'a> {
    provider: String,
    model: String,
    table: Option<&'a ModelSection>,
}

pub(super) struct CallSettings {
    temperature_hundredths: u16,
    max_tokens: u32,
}

impl CallSettings {
    /// Has a model called with these settings.
    pub(super) fn apply_to(&self, model: &mut ModelSettings) {
        model.temperature_hundredths = self.temperature_hundredths;
        model.max_tokens = self.max_tokens;
    }

    pub(super) fn default_for(role: Role) -> Self {
        let (temperature_hundredths, max_tokens) = defaults::call_settings(role);
        Self {
            temperature_hundredths,
            max_tokens,
        }
    }
}

/// What a role table says about its model.
#[derive(Default)]
pub(super) struct InlineInfo {
    price_in: Option<Setting<f64>>,
    price_out: Option<Setting<f64>>,
    price_cached_in: Option<Setting<f64>>,
    price_cache_write: Option<Setting<f64>>,
    context: Option<Setting<u64>>,
    family: Option<Setting<String>>,
    edit_form: Option<Setting<EditForm>>,
}
