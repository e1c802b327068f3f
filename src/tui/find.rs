//! What fits the words that were typed: commands, and pages of all lessons.

use super::command::{self, Command};
use crate::curriculum::LESSONS;

/// The commands whose names or descriptions hold all letters typed, in their order.
pub fn fitting(typed: &str) -> Vec<&'static Command> {
    let holds = |text: &str| {
        let mut letters = text.chars();
        typed
            .to_lowercase()
            .chars()
            .all(|c| letters.any(|l| l == c))
    };
    let mut found: Vec<&Command> = command::all()
        .filter(|c| holds(&format!("{} {}", c.name, c.about).to_lowercase()))
        .collect();
    found.sort_by_key(|c| !c.name.starts_with(typed));
    found
}

/// Pages whose words hold what was typed: (lesson, page, its title).
pub fn pages_with(typed: &str) -> Vec<(usize, usize, String)> {
    if typed.trim().is_empty() {
        return Vec::new();
    }
    let typed = typed.trim().to_lowercase();
    let mut found = Vec::new();
    for (number, lesson) in LESSONS.iter().enumerate() {
        for (n, p) in lesson.pages().unwrap_or_default().iter().enumerate() {
            let words = crate::widgets::prose::plain(&p.blocks, 200).to_lowercase();
            if p.title.to_lowercase().contains(&typed) || words.contains(&typed) {
                found.push((number, n, p.title.clone()));
            }
        }
    }
    found
}
