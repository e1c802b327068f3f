//! Commands of plain mode.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::lesson::ACTIONS;

/// A command within a lesson; its number is its position in the list, counted from 1.
pub(super) struct Entry {
    /// Heading of the group that begins with it.
    group: Option<&'static str>,
    /// Its word and its argument, as they are typed.
    call: &'static str,
    about: &'static str,
}

/// The commands of `menu.txt`, one a line with its argument and what it does, below the headings of their groups.
pub(super) static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut group = None;
    let mut entries = Vec::new();
    for line in include_str!("menu.txt").lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            group = Some(heading);
        } else if let Some((call, about)) = line.split_once(" | ") {
            entries.push(Entry {
                group: group.take(),
                call,
                about,
            });
        }
    }
    entries
});

impl Entry {
    pub(super) fn word(&self) -> &'static str {
        self.call.split(' ').next().unwrap_or_default()
    }

    /// Its argument; empty if it takes none.
    pub(super) fn takes(&self) -> &'static str {
        self.call.split_once(' ').map_or("", |(_, takes)| takes)
    }
}

/// Command for a key of the screen that a text may name; anything else is returned unchanged.
pub(super) fn named_by_key(key: &str) -> &str {
    match key {
        "\"" => "explain",
        "K" | "glossary" => "terms",
        "D" => "term",
        key => (ACTIONS.iter())
            .find(|action| action.key == key)
            .map_or(key, |action| action.command),
    }
}

/// The list of commands in groups, as the learner sees it.
pub(super) fn menu() -> String {
    let mut text = String::from("You can type a word or its number:\n");
    for (i, entry) in ENTRIES.iter().enumerate() {
        if let Some(group) = entry.group {
            let _ = writeln!(text, "{group}:");
        }
        let _ = writeln!(text, "  {:>2} {:<32} {}", i + 1, entry.call, entry.about);
    }
    text
}

/// The commands that a newcomer needs, in a line or two.
pub(super) fn brief() -> String {
    format!(
        "\nnext reads on, step shows the next operation, why asks where a number came from, break 1 breaks something.\nh lists all {} words.",
        ENTRIES.len()
    )
}
