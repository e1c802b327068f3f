//! Personal records: figures that the learner can improve on, kept with their progress.

use super::progress::Progress;

/// A figure of which less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Looks for a case of the hunt, at this level.
    Hunt(u8),
    /// Loss of new sentences after a minute of training by the learner's functions, in nats per token.
    Minute,
    /// Seconds for twenty translations by the learner's functions that equal the references'.
    Decoding,
}

impl Record {
    /// Every record.
    pub const ALL: [Self; 5] = [
        Self::Hunt(1),
        Self::Hunt(2),
        Self::Hunt(3),
        Self::Minute,
        Self::Decoding,
    ];

    /// Key in the progress file.
    fn id(self) -> String {
        match self {
            Self::Hunt(level) => format!("hunt-level-{level}"),
            Self::Minute => "minute-of-training".to_owned(),
            Self::Decoding => "twenty-translations".to_owned(),
        }
    }

    /// What the figure measures.
    pub fn title(self) -> String {
        match self {
            Self::Hunt(level) => format!("Fewest looks in the hunt, level {level}"),
            Self::Minute => "Smallest loss after a minute of training".to_owned(),
            Self::Decoding => "Fastest twenty translations".to_owned(),
        }
    }

    /// How to set or beat it.
    pub fn how(self) -> &'static str {
        match self {
            Self::Hunt(_) => "`hunt`",
            Self::Minute | Self::Decoding => "`mine record`",
        }
    }

    /// The figure with its unit.
    fn shown(self, figure: f64) -> String {
        match self {
            Self::Hunt(_) if figure == 1.0 => "1 look".to_owned(),
            Self::Hunt(_) => format!("{figure:.0} looks"),
            Self::Minute => format!("{figure:.4} nats per token"),
            Self::Decoding => format!("{figure:.1} s"),
        }
    }

    /// The best figure so far, with its unit.
    pub fn best(self, progress: &Progress) -> Option<String> {
        progress.record(&self.id()).map(|best| self.shown(best))
    }

    /// Enters a new figure, and returns a sentence that compares it with the best one before.
    pub fn enter(self, figure: f64, progress: &mut Progress) -> String {
        let (new, before) = (self.shown(figure), self.best(progress));
        match (progress.enter_record(&self.id(), figure), before) {
            (true, None) => format!("Your first record: {new}."),
            (true, Some(before)) => format!("A new record: {new}, before it {before}."),
            (false, Some(before)) => format!("Your record is still {before}."),
            (false, None) => format!("{new} is not a figure that can be a record."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_figure_replaces_the_record_and_a_larger_one_does_not() {
        let mut progress = Progress::default();
        let mut enter = |figure| Record::Hunt(2).enter(figure, &mut progress);
        assert_eq!(enter(4.0), "Your first record: 4 looks.");
        assert_eq!(enter(5.0), "Your record is still 4 looks.");
        assert_eq!(enter(1.0), "A new record: 1 look, before it 4 looks.");
        assert_eq!(Record::Hunt(2).best(&progress).as_deref(), Some("1 look"));
        assert_eq!(Record::Hunt(1).best(&progress), None);
    }

    #[test]
    fn nan_is_never_a_record() {
        let mut progress = Progress::default();
        Record::Minute.enter(f64::NAN, &mut progress);
        assert_eq!(Record::Minute.best(&progress), None);
    }
}
