//! One role after the other: which tables speak for it, which model they name,
//! and what goes with it. What is inherited and what is not stands above, in
//! [`super`].

use std::cell::OnceCell;
use std::collections::BTreeMap;

use redraft_run::ask::{ModelSettings, Role};
use redraft_run::setup::Seat;
use redraft_text::language::Language;

use super::super::catalogue;
use super::super::family::Family;
use super::super::names::Named;
use super::super::ollama;
use super::super::provider::Provider;
use super::super::surroundings::Surroundings;
use super::{Asked, Origin, Origins, Seated, millionths};
use crate::config::{Config, ConfigError, Located, ModelSection, RoleSection};

/// What is worked with.
pub(in crate::models) struct Resolving<'a> {
    pub(in crate::models) config: &'a Config,
    pub(in crate::models) around: &'a Surroundings<'a>,
    pub(in crate::models) language: Option<Language>,
    pub(in crate::models) providers: BTreeMap<String, Provider>,
    local: OnceCell<Local>,
}

/// What an Ollama had to say, where it was asked.
#[derive(Default)]
struct Local {
    /// Its models, the largest first.
    models: Vec<String>,
    /// What is worth knowing about it.
    note: Option<String>,
}

/// A table that speaks for a role.
struct Level<'a> {
    section: &'a RoleSection,
    of: Named,
}

/// A setting and the table it stands in.
struct Picked<T> {
    value: T,
    origin: Origin,
}

impl<'a> Resolving<'a> {
    pub(super) fn new(
        config: &'a Config,
        around: &'a Surroundings<'a>,
        language: Option<Language>,
    ) -> Self {
        Self {
            config,
            around,
            language,
            providers: BTreeMap::new(),
            local: OnceCell::new(),
        }
    }

    /// The provider with a name.
    pub(in crate::models) fn provider(&mut self, name: &str) -> &Provider {
        let (config, around) = (self.config, self.around);
        self.providers
            .entry(name.to_owned())
            .or_insert_with(|| Provider::of(name, config, around))
    }

    /// The model that a provider is asked for in a role, while nobody names one.
    pub(in crate::models) fn usual_model(&self, provider: &str, role: Role) -> Option<String> {
        let known = catalogue::known(provider)?;
        if provider != "ollama" {
            return Some(known.models.of(role).to_owned());
        }
        let models = &self.local.get_or_init(|| self.look_for_local()).models;
        let place = match role {
            Role::JudgeSecondary => 1,
            Role::JudgeTiebreaker => 2,
            _ => 0,
        };
        let there = models.get(place.min(models.len().saturating_sub(1)));
        Some(there.map_or_else(|| known.models.of(role).to_owned(), Clone::clone))
    }

    /// What is worth knowing about the Ollama that was asked for its models.
    pub(super) fn note_on_local(&self) -> Option<String> {
        self.local.get()?.note.clone()
    }

    fn look_for_local(&self) -> Local {
        if !self.around.may_probe() {
            return Local::default();
        }
        let of_file = self.config.file().providers.get("ollama");
        let of_file = of_file.and_then(|section| section.base_url.as_ref());
        let (host, correct) = match (of_file, self.around.variable("OLLAMA_HOST")) {
            (Some(url), _) => (url.as_str(), "correct its base-url"),
            (None, Some(host)) => (host, "correct OLLAMA_HOST"),
            (None, None) => ("", "set OLLAMA_HOST"),
        };
        let address = ollama::address(host);
        let (scheme, host) = address.split_once("://").unwrap_or_default();
        let models = (self.around.ollama)(host);
        // What is asked is plain text; whoever wants more may be there all the same.
        // A name or a password in an address is complained about, not shown.
        let can_tell = scheme == "http" && !host.contains('@');
        let note = match &models {
            None if can_tell => Some(format!(
                "nobody answers at {host}, so that the models of `ollama` are a guess: start an Ollama there, or {correct}"
            )),
            Some(models) if models.is_empty() && can_tell => Some(ollama::has_no_model(host)),
            _ => None,
        };
        Local {
            models: models.unwrap_or_default(),
            note,
        }
    }

    fn levels(&self, role: Role) -> Vec<Level<'a>> {
        let mut levels = Vec::new();
        for of in Named::speaking_for(role) {
            let written = self
                .config
                .file()
                .roles
                .iter()
                .find(|(name, _)| Named::parse(name) == Some(of));
            let Some((_, section)) = written else {
                continue;
            };
            let for_language = section
                .language
                .iter()
                .find(|(tag, _)| self.language.is_some() && Language::parse(tag) == self.language);
            if let Some((_, section)) = for_language {
                levels.push(Level { section, of });
            }
            levels.push(Level { section, of });
        }
        levels
    }

    /// The setting of the nearest table that has it.
    fn pick<T: Clone + 'a>(
        &self,
        levels: &[Level<'a>],
        value: impl Fn(&'a RoleSection) -> Option<&'a Located<T>>,
    ) -> Option<Picked<T>> {
        let found = levels.iter().find_map(|level| value(level.section))?;
        Some(self.picked(found))
    }

    fn picked<T: Clone>(&self, written: &Located<T>) -> Picked<T> {
        Picked {
            value: (**written).clone(),
            origin: self.origin(written),
        }
    }

    fn origin<T>(&self, written: &Located<T>) -> Origin {
        Origin::File(self.config.source().line(written))
    }

    /// The seat of a role, if a table gives it one.
    pub(super) fn seat(&mut self, role: Role) -> Result<Option<Seated>, ConfigError> {
        let levels = self.levels(role);
        let Some(at) = levels
            .iter()
            .position(|level| level.section.model.is_some() || level.section.provider.is_some())
        else {
            return Ok(None);
        };
        let (naming, behind) = (&levels[at], &levels[at..]);
        let Some((provider, model)) = self.model(role, naming, behind)? else {
            return Ok(None);
        };
        let entry = self.entry(&provider.value, &model.value);
        let (default_temperature, default_tokens) = catalogue::manner(role);
        let temperature = self.pick(&levels, |section| section.temperature.as_ref());
        let max_tokens = self.pick(&levels, |section| section.max_tokens.as_ref());
        let weight = self.pick(&levels, |section| section.weight.as_ref());
        let of_model = levels.get(..=at).unwrap_or_default();
        let manner = Manner {
            temperature_hundredths: temperature.as_ref().map_or(default_temperature, |picked| {
                (picked.value * 100.0).round() as u16
            }),
            max_tokens: max_tokens
                .as_ref()
                .map_or(default_tokens, |picked| picked.value),
        };
        let figures = Figures {
            price_in: self.pick(of_model, |section| section.price_in.as_ref()),
            price_out: self.pick(of_model, |section| section.price_out.as_ref()),
            context: self.pick(of_model, |section| section.context.as_ref()),
            family: self.pick(of_model, |section| section.family.as_ref()),
        };
        let (settings, asked) =
            self.settled(&provider.value, &model.value, &manner, figures, entry);
        let mut models = vec![settings];
        let mut known = vec![asked];
        let fall_backs = levels
            .iter()
            .find_map(|level| level.section.fall_backs.as_ref());
        for name in fall_backs.iter().flat_map(|names| names.iter()) {
            let Some((provider, model, entry)) = self.fall_back(name, &provider.value) else {
                let message = no_such_provider(name, &provider.value);
                return Err(self.config.source().error(name, message));
            };
            let (settings, asked) =
                self.settled(&provider, &model, &manner, Figures::default(), entry);
            if !models.iter().any(|other| other.name() == settings.name()) {
                models.push(settings);
                known.push(asked);
            }
        }
        Ok(Some(Seated {
            seat: Seat {
                role,
                // Thousandths, so that 0.75 is exactly what it says.
                weight: weight
                    .as_ref()
                    .map_or(1_000, |picked| (picked.value * 1_000.0).round() as u32),
                contexts: contexts(&models, &known),
                models,
            },
            asked: known,
            origins: Origins {
                provider: provider.origin,
                model: model.origin,
                temperature: temperature.map_or(Origin::Default, |picked| picked.origin),
                max_tokens: max_tokens.map_or(Origin::Default, |picked| picked.origin),
                weight: weight.map_or(Origin::Default, |picked| picked.origin),
            },
            is_named: naming.of != Named::Default,
        }))
    }

    /// The provider and the model that a table names, or the tables behind it.
    #[expect(
        clippy::type_complexity,
        reason = "a pair of two settings, or none; a name would not say more"
    )]
    fn model(
        &self,
        role: Role,
        naming: &Level<'a>,
        behind: &[Level<'a>],
    ) -> Result<Option<(Picked<String>, Picked<String>)>, ConfigError> {
        let source = self.config.source();
        let Some(named) = &naming.section.model else {
            let Some(provider) = &naming.section.provider else {
                return Ok(None);
            };
            return match self.usual_model(provider, role) {
                Some(model) => Ok(Some((
                    self.picked(provider),
                    Picked {
                        value: model,
                        origin: Origin::Default,
                    },
                ))),
                // A default provider does nothing until a model is named.
                None if naming.of == Named::Default => Ok(None),
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
        let model = Picked {
            value,
            origin: self.origin(named),
        };
        // A table of [models] that names a provider means that one, unless the
        // role says otherwise in the same breath.
        let beside = naming.section.provider.as_ref();
        let beside = beside.map(|provider| self.picked(provider));
        let of_entry = || Some(self.picked(entry?.provider.as_ref()?));
        let inherited = || self.pick(behind, |section| section.provider.as_ref());
        let only = || {
            let mut providers = self.config.file().providers.iter();
            match (providers.next(), providers.next()) {
                (Some((name, section)), None) => Some(Picked {
                    value: name.clone(),
                    origin: self.origin(section),
                }),
                _ => None,
            }
        };
        match beside.or_else(of_entry).or_else(inherited).or_else(only) {
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

    /// The table of [models] that describes a model.
    pub(in crate::models) fn entry(&self, provider: &str, model: &str) -> Option<&'a ModelSection> {
        let mut entries = self.config.file().models.iter();
        entries
            .find(|(name, entry)| {
                entry.model.as_deref().unwrap_or(name) == model
                    && entry.provider.as_deref().is_none_or(|of| of == provider)
            })
            .map(|(_, entry)| &**entry)
    }

    /// A fall-back: a table of [models], `provider/model`, or a model of the same
    /// provider. `None` where a provider is named that does not exist, which can be
    /// told where the models of the same provider have no slash in their names.
    fn fall_back(
        &self,
        name: &str,
        same: &str,
    ) -> Option<(String, String, Option<&'a ModelSection>)> {
        let file = self.config.file();
        if let Some((name, entry)) = file.models.get_key_value(name) {
            let provider = entry.provider.as_deref().map_or(same, String::as_str);
            let model = entry.model.as_deref().unwrap_or(name);
            return Some((provider.to_owned(), model.clone(), Some(entry)));
        }
        let (provider, model) = match name.split_once('/') {
            Some((provider, model))
                if file.providers.contains_key(provider)
                    || catalogue::known(provider).is_some() =>
            {
                (provider.to_owned(), model.to_owned())
            }
            Some((folder, _)) if self.has_plain_names(same) && !is_folder(folder) => return None,
            _ => (same.to_owned(), name.to_owned()),
        };
        let entry = self.entry(&provider, &model);
        Some((provider, model, entry))
    }

    /// Whether a provider's models have no slash in their names: those who run their
    /// own models do, at their own address. Who runs everybody's names their house,
    /// too (`meta-llama/…`).
    fn has_plain_names(&self, provider: &str) -> bool {
        let known = catalogue::known(provider).filter(|known| known.has_plain_names);
        let reached = self.providers.get(provider);
        known.zip(reached).is_some_and(|(known, reached)| {
            let url = &reached.connection.base_url;
            url.trim_end_matches('/') == known.base_url.trim_end_matches('/')
        })
    }

    /// A model with its figures: those beside it, else those of its table in
    /// [models], else what is certain anyway.
    pub(in crate::models) fn settled(
        &mut self,
        provider: &str,
        model: &str,
        manner: &Manner,
        figures: Figures,
        entry: Option<&ModelSection>,
    ) -> (ModelSettings, Asked) {
        let is_local = self.provider(provider).is_local;
        let price_in = figures
            .price_in
            .or_else(|| Some(self.picked(entry?.price_in.as_ref()?)));
        let price_out = figures
            .price_out
            .or_else(|| Some(self.picked(entry?.price_out.as_ref()?)));
        let price = match (&price_in, &price_out) {
            (Some(price), Some(_)) => Some(price.origin.clone()),
            // What runs on this machine sends no bill.
            _ if is_local => Some(Origin::Default),
            _ => None,
        };
        let dollars = |price: Option<Picked<f64>>| price.map_or(0, |price| millionths(price.value));
        let family = figures
            .family
            .map(|picked| picked.value)
            .or_else(|| entry?.family.as_deref().cloned())
            .map(|family| Family::named(&family))
            .or_else(|| Family::of_model(model));
        let context = figures
            .context
            .map(|picked| picked.value)
            .or_else(|| entry?.context.as_deref().copied());
        (
            ModelSettings {
                provider: provider.to_owned(),
                model: model.to_owned(),
                temperature_hundredths: manner.temperature_hundredths,
                max_tokens: manner.max_tokens,
                price_in: dollars(price_in),
                price_out: dollars(price_out),
            },
            Asked {
                family,
                price,
                context,
            },
        )
    }
}

/// Whether the part before a slash is a folder that Gemini keeps models in.
fn is_folder(name: &str) -> bool {
    matches!(name, "models" | "tunedModels")
}

fn no_such_provider(name: &str, same: &str) -> String {
    let provider = name.split('/').next().unwrap_or(name);
    format!(
        "fallback \"{name}\": unknown provider \"{provider}\", and names of \"{same}\" models contain no slash; add [providers.{provider}] with base-url, or write the name of the model alone"
    )
}

/// How many tokens fit into one call of the models of a seat, where that is known.
pub(in crate::models) fn contexts(
    models: &[ModelSettings],
    known: &[Asked],
) -> BTreeMap<String, u64> {
    models
        .iter()
        .zip(known)
        .filter_map(|(model, asked)| Some((model.name(), asked.context?)))
        .collect()
}

/// How a model is called.
pub(in crate::models) struct Manner {
    pub(in crate::models) temperature_hundredths: u16,
    pub(in crate::models) max_tokens: u32,
}

/// Figures that stand beside a model.
#[derive(Default)]
pub(in crate::models) struct Figures {
    price_in: Option<Picked<f64>>,
    price_out: Option<Picked<f64>>,
    context: Option<Picked<u64>>,
    family: Option<Picked<String>>,
}
