//! The place of each function in a translation or a training run.

use std::sync::LazyLock;

/// The place of an exercise's function in the model.
pub struct Role {
    /// Name of the exercise.
    pub name: &'static str,
    /// Depth in the call tree: the caller is the nearest entry above with a smaller depth.
    pub depth: usize,
    /// What the function does there.
    pub does: &'static str,
}

/// A section of the map: its heading, and its functions, callers before callees.
pub type Section = (&'static str, Vec<Role>);

/// The sections of `roles.txt`, where a function is indented below the one that calls it.
pub static ROLES: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let sections = include_str!("roles.txt").split("# ").skip(1);
    let section = |text: &'static str| {
        let (heading, functions) = text.split_once('\n').expect("a heading is a line");
        (heading, functions.lines().filter_map(role).collect())
    };
    sections.map(section).collect()
});

fn role(line: &'static str) -> Option<Role> {
    let (name, does) = line.split_once(" | ")?;
    Some(Role {
        name: name.trim(),
        depth: (name.len() - name.trim_start().len()) / 2,
        does,
    })
}

/// Functions that a translation calls if the learner has written all of them.
pub fn translating() -> impl Iterator<Item = &'static str> {
    ROLES[0].1.iter().map(|role| role.name)
}

/// Functions that a training run on the copy task calls if the learner has written all of them.
pub fn training() -> impl Iterator<Item = &'static str> {
    const ONLY_TRANSLATING: [&str; 4] = ["pass", "subsequent_mask", "beam_step", "greedy_decode"];
    let layers = translating().filter(|name| !ONLY_TRANSLATING.contains(name));
    layers.chain(ROLES[1].1.iter().map(|role| role.name))
}
