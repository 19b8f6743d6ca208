//! Where things are by default, from the environment given: the store and the configuration.

use crate::cli::context::Environment;
use crate::cli::failure::Failure;
use crate::domain::Role;
use crate::trace::Place;
use std::path::PathBuf;

/// What a person has configured.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct Configuration {
    /// Who decides.
    pub(in crate::cli) reviewer: Option<String>,
    /// In which role, asserted while the store is unsigned.
    pub(in crate::cli) role: Option<Role>,
    /// Their key: a private key, or a public one whose private half an agent holds.
    pub(in crate::cli) key: Option<PathBuf>,
    /// Where checkpoints of the ledger go by themselves, and how often.
    pub(in crate::cli) checkpoint: Option<CheckpointPlan>,
    /// Where decisions and servings are traced to.
    pub(in crate::cli) trace: Option<TracePlan>,
}

/// Where decisions and servings are traced to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct TracePlan {
    /// The file of spans.
    pub(in crate::cli) file: PathBuf,
    /// The file of events, if they are wanted.
    pub(in crate::cli) events: Option<PathBuf>,
    /// Whether the texts that were handed over are in it; they are not where nothing is said.
    pub(in crate::cli) texts: Option<bool>,
}

/// Where checkpoints go while a console or a detector runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct CheckpointPlan {
    /// A file that always holds the newest one.
    pub(in crate::cli) to: Option<PathBuf>,
    /// A git repository that gets a commit for each.
    pub(in crate::cli) git: Option<PathBuf>,
    /// How many minutes lie between two; 60 where nothing is said.
    pub(in crate::cli) every_minutes: Option<u64>,
}

/// The store's path where none was named.
pub(in crate::cli) fn store(environment: &Environment) -> Option<PathBuf> {
    if let Some(path) = set(environment, "COUNTERSIGN_STORE") {
        return Some(PathBuf::from(path));
    }
    folder(environment, "XDG_DATA_HOME", ".local/share", "LOCALAPPDATA")
        .map(|folder| folder.join("store.db"))
}

/// The file with a person's own keys, if the folder for it is known.
pub(in crate::cli) fn keys_file(environment: &Environment) -> Option<PathBuf> {
    config_folder(environment)
        .map(|folder| folder.join("keys.toml"))
        .filter(|file| file.exists())
}

/// Reads the configuration; none is an empty one.
pub(in crate::cli) fn configuration(environment: &Environment) -> Result<Configuration, Failure> {
    let Some(file) = config_folder(environment).map(|folder| folder.join("config.toml")) else {
        return Ok(Configuration::default());
    };
    let Ok(text) = std::fs::read_to_string(&file) else {
        return Ok(Configuration::default());
    };
    toml::from_str(&text).map_err(|error| {
        let what = format!("`{}` cannot be read: {}", file.display(), error.message());
        Failure::usage(
            &what,
            "it may hold `reviewer = \"name\"`, `role = \"reviewer\"`, `key = \"FILE\"`, a table [checkpoint] with `to`, `git` and `every_minutes`, and a table [trace] with `file`, `events` and `texts`",
        )
    })
}

/// Where acts are traced to: `COUNTERSIGN_TRACE`, then the configuration. A configuration that
/// cannot be read traces nothing, since no act may fail for its trace; `doctor` says what is wrong.
pub(in crate::cli) fn tracing(environment: &Environment) -> Option<Place> {
    let named = set(environment, "COUNTERSIGN_TRACE").map(|file| TracePlan {
        file: PathBuf::from(file),
        events: None,
        texts: None,
    });
    let plan = named.or_else(|| configuration(environment).ok()?.trace)?;
    let whole = |file: PathBuf| std::path::absolute(&file).unwrap_or(file);
    Some(Place {
        spans: whole(plan.file),
        events: plan.events.map(whole),
        texts: plan.texts.unwrap_or(false),
    })
}

/// The key a person signs with: from the environment, the configuration, or the place `init` makes one in.
pub(in crate::cli) fn signing_key(environment: &Environment) -> Result<Option<PathBuf>, Failure> {
    if let Some(path) = set(environment, "COUNTERSIGN_KEY") {
        return Ok(Some(PathBuf::from(path)));
    }
    let configured = configuration(environment)?.key;
    Ok(configured.or_else(|| own_key(environment).filter(|file| file.exists())))
}

/// Where a key made for this program is kept.
pub(in crate::cli) fn own_key(environment: &Environment) -> Option<PathBuf> {
    config_folder(environment).map(|folder| folder.join("id_countersign"))
}

/// Where a person's own configuration is kept, if the environment says.
pub(in crate::cli) fn config_folder(environment: &Environment) -> Option<PathBuf> {
    folder(environment, "XDG_CONFIG_HOME", ".config", "APPDATA")
}

fn folder(
    environment: &Environment,
    xdg: &str,
    under_home: &str,
    windows: &str,
) -> Option<PathBuf> {
    let base = set(environment, xdg).map(PathBuf::from);
    let home = || set(environment, "HOME").map(|home| PathBuf::from(home).join(under_home));
    let roaming = || set(environment, windows).map(PathBuf::from);
    base.or_else(home)
        .or_else(roaming)
        .map(|folder| folder.join("countersign"))
}

fn set<'a>(environment: &'a Environment, name: &str) -> Option<&'a String> {
    environment.get(name).filter(|value| !value.is_empty())
}
