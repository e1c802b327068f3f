//! The named configurations of `presets.toml`.

use std::sync::LazyLock;

use super::TrainConfig;

/// A named configuration.
pub struct Preset {
    /// Name, as in `--preset multi30k`.
    pub name: String,
    /// Description for users.
    pub about: String,
    /// Its settings.
    pub config: TrainConfig,
}

/// All presets; the first is the default.
pub static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let mut file: toml::Table = include_str!("presets.toml").parse().expect("it is TOML");
    let entries = file.remove("preset").expect("it has presets");
    let entries: Vec<toml::Table> = entries.try_into().expect("each is a table");
    let mut all: Vec<Preset> = Vec::new();
    for mut entry in entries {
        let mut text = |key: &str| entry.remove(key)?.as_str().map(str::to_owned);
        let (name, about, like) = (text("name"), text("about"), text("like"));
        let like = all.iter().find(|one| Some(&one.name) == like.as_ref());
        let mut settings = like
            .map_or_else(TrainConfig::default, |one| one.config.clone())
            .table();
        settings.extend(entry);
        all.push(Preset {
            name: name.expect("each has a name"),
            about: about.expect("each has a description"),
            config: settings
                .try_into()
                .expect("its keys are those of a configuration"),
        });
    }
    all
});

impl TrainConfig {
    /// Returns the preset named `name`.
    pub fn preset(name: &str) -> Option<Self> {
        let preset = PRESETS.iter().find(|preset| preset.name == name)?;
        Some(preset.config.clone())
    }
}
