//! The picture of a model: its boxes, and how far a pass through it has come.

/// A picture of a model: rows of boxes from top to bottom, an encoder's on the left and a decoder's on
/// the right, as in the paper's figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The boxes; a place may be empty.
    pub rows: Vec<[Option<Place>; 2]>,
    /// What goes in below: the sentence that is read, and the tokens that were written; may be empty.
    pub sentences: [String; 2],
}

/// One box of a [`Map`].
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What it is: `feed-forward`.
    pub title: String,
    /// The layer of its stack, if it is in one.
    pub layer: Option<usize>,
    /// The step that it opens.
    pub opens: String,
    /// The lesson that teaches it.
    pub lesson: usize,
    /// Its shape, its time: what is to be said beside it.
    pub note: String,
    /// How far a pass through the model has come.
    pub state: Reached,
}

impl Place {
    /// What it is, with the number of its layer: `0 feed-forward`.
    pub fn name(&self) -> String {
        match self.layer {
            Some(layer) => format!("{layer} {}", self.title),
            None => self.title.clone(),
        }
    }
}

/// Whether a pass has come to a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Not yet.
    Ahead,
    /// It is at work there.
    Here,
    /// It has passed.
    Passed,
}
