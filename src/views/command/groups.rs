//! Commands grouped by topic, for the help.

use super::{Command, all};

/// Topic of a command, in the help's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Pages, questions and the exercise.
    Text,
    /// What the stage shows, and the cursor in it.
    Stage,
    /// Where a number comes from.
    Why,
    /// What can be changed in the run.
    Change,
    /// Experiments and training runs.
    Run,
    /// Panes, lessons, the program.
    Around,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 6] = [
        Self::Text,
        Self::Stage,
        Self::Why,
        Self::Change,
        Self::Run,
        Self::Around,
    ];

    /// Heading of the group.
    pub fn title(self) -> &'static str {
        match self {
            Self::Text => "The text",
            Self::Stage => "The picture",
            Self::Why => "Where a number comes from",
            Self::Change => "Change the run",
            Self::Run => "Experiments and training",
            Self::Around => "Getting around",
        }
    }

    /// Commands of the group, in the table's order.
    pub fn commands(self) -> impl Iterator<Item = &'static Command> {
        all().filter(move |command| command.action.traits().group == self)
    }
}

/// The ten keys that a newcomer needs, and what they do. Each fits in a line or two of a narrow pane.
pub const FIRST_KEYS: [(&str, &str); 10] = [
    ("n", "read on; N goes back a page"),
    ("enter", "ask where a number comes from"),
    ("backspace", "back up from the answer"),
    ("1 to 9", "break something; again: repair it"),
    ("tab", "explore the run; the arrows move"),
    ("space", "next step of the computation"),
    ("v", "next picture"),
    ("Z", "picture on the whole screen"),
    ("J", "the core path"),
    ("q", "back to the lessons; Q ends"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_every_newcomers_key_exists() {
        let listed: usize = Group::ALL
            .iter()
            .map(|group| group.commands().count())
            .sum();
        assert_eq!(listed, all().count());
        for (keys, _) in FIRST_KEYS {
            let key = keys.split(' ').next().unwrap_or(keys);
            assert!(super::super::of_key(key).is_some(), "{key}");
        }
    }
}
