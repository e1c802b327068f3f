//! The learner's records in the hunt: the fewest looks with which they have found a fault of each level.

use super::progress::Progress;

/// The levels that have a record.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

fn id(level: u8) -> String {
    format!("hunt-level-{level}")
}

fn looks(figure: f64) -> String {
    let plural = if figure == 1.0 { "" } else { "s" };
    format!("{figure:.0} look{plural}")
}

/// The best figure of a level so far, with its unit.
pub fn best(level: u8, progress: &Progress) -> Option<String> {
    progress.record(&id(level)).map(looks)
}

/// Enters the looks that a case of a level took, and returns a sentence that compares them with the best figure before.
pub fn enter(level: u8, used: usize, progress: &mut Progress) -> String {
    let (new, before) = (looks(used as f64), best(level, progress));
    match (progress.enter_record(&id(level), used as f64), before) {
        (false, Some(before)) => format!("Your record is still {before}."),
        (_, Some(before)) => format!("A new record: {new}, before it {before}."),
        (_, None) => format!("Your first record: {new}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_figure_replaces_the_record_and_a_larger_one_does_not() {
        let mut progress = Progress::default();
        let mut enter = |used| enter(2, used, &mut progress);
        assert_eq!(enter(4), "Your first record: 4 looks.");
        assert_eq!(enter(5), "Your record is still 4 looks.");
        assert_eq!(enter(1), "A new record: 1 look, before it 4 looks.");
        assert_eq!(best(2, &progress).as_deref(), Some("1 look"));
        assert_eq!(best(1, &progress), None);
    }
}
