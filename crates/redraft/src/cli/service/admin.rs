//! `redraft admin`: tenants, API keys, and the data of a service. It works on the
//! database itself, so whoever can read that needs no key.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use redraft_engine::clock::{Clock as _, SystemClock};
use redraft_report::count::counted;
use redraft_report::timestamps;
use redraft_run::ask::Time;
use redraft_service::signing::Signer;
use redraft_service::sql::Location;
use redraft_service::store::{Pruned, Scope, Store};

use super::{StoreOptions, runtime, transfer};
use crate::cli::exit::Exit;
use crate::cli::options::Format;
use crate::cli::output;
use crate::cli::runs::{ExportOptions, ImportOptions};

/// Options of `admin`.
#[derive(Clone, Debug, Args)]
pub struct AdminOptions {
    #[command(flatten)]
    pub store: StoreOptions,
    #[command(subcommand)]
    pub command: AdminCommand,
}

#[derive(Clone, Debug, Subcommand)]
pub enum AdminCommand {
    /// Manage tenants
    #[command(subcommand)]
    Tenant(TenantCommand),
    /// Manage API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Print the public key that signs outcomes
    SigningKey,
    /// Copy the SQLite database to a file while the service runs
    Backup {
        /// File to write; it must not exist yet
        file: PathBuf,
    },
    /// Remove old runs, with all their text
    Prune {
        /// Keep runs that ended within this many days
        #[arg(long, value_name = "DAYS")]
        days: u32,
    },
    /// Remove data for good
    #[command(subcommand)]
    Erase(EraseCommand),
}

#[derive(Clone, Debug, Subcommand)]
pub enum TenantCommand {
    /// Add a tenant
    Add {
        /// Name of the tenant
        name: String,
        /// Number of its runs to process at once
        #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(i64).range(1..=10_000))]
        concurrency: i64,
    },
    /// Change how many runs of a tenant are processed at once
    Set {
        /// Name of the tenant
        name: String,
        /// Number of its runs to process at once
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=10_000))]
        concurrency: i64,
    },
    /// List tenants
    List,
}

#[derive(Clone, Debug, Subcommand)]
pub enum KeyCommand {
    /// Create an API key and print it; it cannot be shown again
    Add {
        /// Who uses the key; recorded with decisions and runs
        #[arg(long)]
        name: String,
        /// Tenant of the key
        #[arg(long, default_value = "default")]
        tenant: String,
        /// Comma-separated: submit, read, review, admin, operate
        #[arg(long, value_delimiter = ',', default_value = "submit,read,review")]
        scopes: Vec<String>,
    },
    /// List API keys, without their secrets
    List,
    /// Revoke an API key
    Revoke {
        /// The id that `redraft admin key list` shows
        id: String,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub enum EraseCommand {
    /// Remove a document and every run of it
    Document {
        /// The SHA-256 of its bytes, or at least 12 digits of it
        hash: String,
        /// Tenant of the document
        #[arg(long, default_value = "default")]
        tenant: String,
    },
    /// Remove a tenant with its keys, documents and runs
    Tenant {
        /// Name of the tenant
        name: String,
        /// Confirm; the data cannot be restored
        #[arg(long)]
        yes: bool,
    },
}

pub(in crate::cli) fn run(options: &AdminOptions) -> anyhow::Result<Exit> {
    let text = runtime()?.block_on(async {
        let (location, data) = options.store.found()?;
        if let AdminCommand::SigningKey = options.command {
            let signer = Signer::of_file(&data.join("signing.key"))?;
            return Ok(signer.public() + "\n");
        }
        let store = opened(&location).await?;
        done(&store, &location, &options.command).await
    })?;
    output::print(Format::Human, &text)?;
    Ok(Exit::Clean)
}

/// `redraft runs export`.
pub(in crate::cli) fn export(options: &ExportOptions) -> anyhow::Result<Exit> {
    let text = runtime()?.block_on(async {
        let store = opened(&options.store.found()?.0).await?;
        transfer::export(&store, &options.run, &options.file).await
    })?;
    output::print(Format::Human, &text)?;
    Ok(Exit::Clean)
}

/// `redraft runs import`.
pub(in crate::cli) fn import(options: &ImportOptions) -> anyhow::Result<Exit> {
    let text = runtime()?.block_on(async {
        let store = opened(&options.store.found()?.0).await?;
        expect_tenant(&store, &options.tenant).await?;
        transfer::import(&store, &options.file, &options.tenant, now()).await
    })?;
    output::print(Format::Human, &text)?;
    Ok(Exit::Clean)
}

/// The store, with a tenant in it.
async fn opened(location: &Location) -> anyhow::Result<Store> {
    let store = Store::open(location).await?;
    if store.tenants().await?.is_empty() {
        store.add_tenant("default", 64, now()).await?;
    }
    Ok(store)
}

async fn expect_tenant(store: &Store, name: &str) -> anyhow::Result<()> {
    let tenants = store.tenants().await?;
    if !tenants.iter().any(|tenant| tenant.id == name) {
        bail!("unknown tenant `{name}`; `redraft admin tenant list` shows them");
    }
    Ok(())
}

fn now() -> Time {
    SystemClock.now()
}

/// SQLite overwrites what it deletes; PostgreSQL does not.
fn warn_of_files(location: &Location) {
    if let Location::Postgres(_) = location {
        output::complain(
            "no query finds it now, but its bytes stay in the files of PostgreSQL until they are rewritten; docs/security.md has the command",
        );
    }
}

async fn done(
    store: &Store,
    location: &Location,
    command: &AdminCommand,
) -> anyhow::Result<String> {
    match command {
        AdminCommand::Tenant(command) => tenant(store, command).await,
        AdminCommand::Key(command) => key(store, command).await,
        AdminCommand::SigningKey => Ok(String::new()),
        AdminCommand::Backup { file } => {
            store.back_up(file).await?;
            Ok(format!("saved to {}\n", output::shown(file)))
        }
        AdminCommand::Prune { days } => {
            let before = now().0.saturating_sub(u64::from(*days) * 86_400_000);
            Ok(told(store.prune(Time(before)).await?))
        }
        AdminCommand::Erase(EraseCommand::Document { hash, tenant }) => {
            if hash.len() < 12 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                bail!(
                    "`{hash}` is not the beginning of a SHA-256; give at least 12 hexadecimal digits"
                );
            }
            let erased = store.erase_document(tenant, &hash.to_lowercase()).await?;
            if erased == Pruned::default() {
                bail!("tenant `{tenant}` has no document {hash}");
            }
            warn_of_files(location);
            Ok(told(erased))
        }
        AdminCommand::Erase(EraseCommand::Tenant { name, yes }) => {
            expect_tenant(store, name).await?;
            if !yes {
                bail!("this removes all data of tenant `{name}`; confirm with --yes");
            }
            let erased = store.erase_tenant(name).await?;
            warn_of_files(location);
            Ok(told(erased))
        }
    }
}

fn told(pruned: Pruned) -> String {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    format!(
        "removed {} and {}\n",
        counted(count(pruned.runs), "run"),
        counted(count(pruned.documents), "document")
    )
}

async fn tenant(store: &Store, command: &TenantCommand) -> anyhow::Result<String> {
    match command {
        TenantCommand::Add { name, concurrency } => {
            store.add_tenant(name, *concurrency, now()).await?;
            Ok(format!("added tenant {name}\n"))
        }
        TenantCommand::Set { name, concurrency } => {
            expect_tenant(store, name).await?;
            store.set_concurrency(name, *concurrency).await?;
            let runs = counted_runs(*concurrency);
            Ok(format!("tenant {name}: {runs} at once\n"))
        }
        TenantCommand::List => {
            let tenants = store.tenants().await?;
            let line = |tenant: &redraft_service::store::Tenant| {
                format!(
                    "{}  {} at once\n",
                    tenant.id,
                    counted_runs(tenant.concurrency)
                )
            };
            Ok(tenants.iter().map(line).collect())
        }
    }
}

fn counted_runs(number: i64) -> String {
    counted(usize::try_from(number).unwrap_or_default(), "run")
}

async fn key(store: &Store, command: &KeyCommand) -> anyhow::Result<String> {
    match command {
        KeyCommand::Add {
            name,
            tenant,
            scopes,
        } => {
            let known: Vec<&str> = Scope::ALL.iter().map(|scope| scope.name()).collect();
            let scopes = scopes.iter().map(|scope| {
                Scope::parse(scope.trim()).ok_or_else(|| {
                    anyhow::anyhow!("unknown scope `{scope}`; expected {}", known.join(", "))
                })
            });
            let scopes = scopes.collect::<anyhow::Result<Vec<_>>>()?;
            let key = store.add_key(tenant, name, &scopes, now()).await?;
            Ok(format!("{}\n", key.text))
        }
        KeyCommand::List => {
            let keys = store.keys().await?;
            let line = |key: &redraft_service::store::KeyInfo| {
                let time = |at: i64| timestamps::stamp(Time(u64::try_from(at).unwrap_or_default()));
                let revoked = key
                    .revoked
                    .map_or_else(String::new, |at| format!("  revoked {}", time(at)));
                format!(
                    "{}  {}  {}  {}  made {}{revoked}\n",
                    key.id,
                    key.tenant,
                    key.name,
                    key.scopes.replace(' ', ","),
                    time(key.created)
                )
            };
            if keys.is_empty() {
                return Ok(
                    "no API keys; create one with `redraft admin key add --name NAME`\n".to_owned(),
                );
            }
            Ok(keys.iter().map(line).collect())
        }
        KeyCommand::Revoke { id } => {
            if !store.revoke_key(id, now()).await? {
                bail!("no key `{id}`; `redraft admin key list` shows them");
            }
            Ok(format!("revoked {id}\n"))
        }
    }
}
