//! The picture of a model as boxes, and how far a pass through it has come.

/// A picture of a model: rows of boxes from top to bottom, the encoder's on the left and the decoder's on the right, as
/// in the paper's figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Boxes by row; a place may be empty.
    pub rows: Vec<[Option<MapBox>; 2]>,
    /// Inputs at the bottom: the sentence read, and the tokens written; may be empty.
    pub sentences: [String; 2],
}

/// One box of a [`Map`].
#[derive(Clone, Debug, PartialEq)]
pub struct MapBox {
    /// What it is: `feed-forward`.
    pub title: String,
    /// Index of its layer within the stack, if it is in one.
    pub layer: Option<usize>,
    /// Name of the step that it opens.
    pub opens: String,
    /// Name of the lesson that teaches it.
    pub lesson: &'static str,
    /// Remark beside it, such as a shape or a time.
    pub note: String,
    /// How far the pass has come.
    pub state: BoxState,
}

impl MapBox {
    /// Title with the layer's index: `0 feed-forward`.
    pub fn name(&self) -> String {
        match self.layer {
            Some(layer) => format!("{layer} {}", self.title),
            None => self.title.clone(),
        }
    }
}

/// Whether the pass has reached a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxState {
    /// Not yet.
    Ahead,
    /// It is in progress there.
    Here,
    /// It is finished there.
    Passed,
}
