//! Room that a picture asks for.

/// Sizes of a picture in columns and rows. Below the least it loses something, up to the usual size it becomes clearer, and
/// beyond the most it gains nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Smallest size at which everything is seen.
    pub least: (usize, usize),
    /// Size at which it reads best.
    pub usual: (usize, usize),
    /// Largest size that it makes use of.
    pub most: (usize, usize),
}

impl Room {
    /// Sizes in rising order.
    pub fn of(least: (usize, usize), usual: (usize, usize), most: (usize, usize)) -> Self {
        let larger = |a: (usize, usize), b: (usize, usize)| (a.0.max(b.0), a.1.max(b.1));
        let usual = larger(least, usual);
        Self {
            least,
            usual,
            most: larger(usual, most),
        }
    }

    /// The same picture with some lines of text above and below it.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        let more = |(columns, rows): (usize, usize)| (columns, rows + lines);
        Self {
            least: more(self.least),
            usual: more(self.usual),
            most: more(self.most),
        }
    }
}
