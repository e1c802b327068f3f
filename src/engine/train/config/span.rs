//! The settings of a run's earlier updates, where a resumed run has changed them.

use serde::{Deserialize, Serialize};

use super::TrainConfig;

/// Settings that held up to an update and then changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Last update that was made with them.
    pub until: usize,
    /// The keys that changed, with the values that they had.
    #[serde(flatten)]
    pub settings: toml::Table,
}

impl TrainConfig {
    /// Returns these settings for the updates after `step` of a run that had the settings `then` until now, and records
    /// those that change. If a run changes twice at one update, the first values hold.
    pub(in crate::train) fn after(mut self, step: usize, then: &Self) -> Self {
        self.before.clone_from(&then.before);
        let now = self.table();
        let mut changed = then.table();
        changed.retain(|key, value| !self.settles(key) && now.get(key) != Some(value));
        if step > 0 && !changed.is_empty() {
            self.before.push(Span {
                until: step,
                settings: changed,
            });
        }
        self
    }

    /// Returns a sentence about the settings that change after update `step`, if there are any.
    pub fn change_after(&self, step: usize) -> Option<String> {
        let span = self.before.last().filter(|span| span.until == step)?;
        let now = self.table();
        let each = span.settings.iter().map(|(key, then)| {
            let now = now.get(key).map_or(String::new(), ToString::to_string);
            format!("{key} = {now} (until now {then})")
        });
        let each: Vec<String> = each.collect();
        let from = step + 1;
        Some(format!("from update {from} on: {}", each.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: &str, value: &str, config: &TrainConfig) -> TrainConfig {
        let mut config = config.clone();
        config.set(key, value).unwrap();
        config
    }

    #[test]
    fn the_settings_of_earlier_updates_stay_in_the_record() {
        let first = TrainConfig::default();
        let second = with("rate", "0.5", &first).after(120, &first);
        let third = with("clip", "0", &with("rate", "0.1", &second)).after(300, &second);
        let record = |config: &TrainConfig| -> Vec<(usize, String)> {
            let spans = config.before.iter();
            spans.map(|s| (s.until, s.settings.to_string())).collect()
        };
        let expected = [
            (120, "rate = 0.002\n".to_owned()),
            (300, "clip = 1.0\nrate = 0.5\n".to_owned()),
        ];
        assert_eq!(record(&third), expected);
        assert_eq!(TrainConfig::read(&third.to_toml()), Ok(third.clone()));
        let sentence = third.change_after(300).unwrap();
        assert!(sentence.contains("update 301") && sentence.contains("rate = 0.1"));
        assert_eq!(third.change_after(299), None);
        // Nothing changes, or nothing was trained yet.
        assert_eq!(third.clone().after(400, &third), third);
        let again = TrainConfig::default();
        assert_eq!(with("rate", "1", &again).after(0, &again).before, []);
        assert!(!TrainConfig::keys().contains(&"before".to_owned()));
    }
}
