//! A drawing as plain data, laid out once: the terminal rounds it to its cells, a page draws it to scale.

use crate::lesson::session::Intent;

mod dots;
mod strokes;
mod svg;
mod terminal;

pub use dots::{MARKS, grid};
pub use svg::{Frame, span, svg};
pub use terminal::draw;

/// Shapes by column and row of text, which need not be whole. Later ones are drawn over earlier ones.
#[derive(Default)]
pub struct Scene {
    pub columns: f64,
    pub rows: f64,
    /// Rows above the first one, which a page draws.
    pub above: f64,
    pub shapes: Vec<Shape>,
}

/// What a shape is drawn in; each rasteriser has its own colours for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    Text,
    Title,
    Dim,
    /// What the cursor is on.
    Here,
    /// The series with this number.
    Series(usize),
    /// Attention.
    Attend,
    /// What is left of how it was.
    Faint,
}

/// Where lines are plotted: left column, upper row, columns, rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Field {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// A mark at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    Cross,
    Ring,
    Origin,
}

/// A part of a scene.
pub enum Shape {
    /// A text that begins at a column and row.
    Text {
        at: [f64; 2],
        text: String,
        ink: Ink,
    },
    /// The number of a series on its own line, whatever is there.
    Number { at: [f64; 2], number: usize },
    /// Lines by the numbers of their series, with points as fractions of the field from its upper left corner.
    Lines {
        field: Field,
        lines: Vec<(usize, Vec<[f64; 2]>)>,
    },
    /// An axis to the left of a field, and one below it if it is closed.
    Axes { field: Field, is_closed: bool },
    /// A tick below a field, at a fraction of its width.
    Tick { field: Field, at: f64 },
    /// A level of a field at a fraction of its height, which a page draws.
    Level { field: Field, at: f64 },
    /// The reading line at a fraction of a field's width; through the axis below if `on_axis`.
    Reading {
        field: Field,
        at: f64,
        on_axis: bool,
    },
    /// A sign at a point.
    Mark { at: [f64; 2], sign: Sign, ink: Ink },
    /// Dots from one point towards another, wherever nothing else is.
    Ray { from: [f64; 2], to: [f64; 2] },
    /// An arrow along straight lines through cells, as strong as its weight. A page draws one curve from its first to its
    /// last point.
    Arrow {
        through: Vec<(usize, usize)>,
        weight: f32,
    },
    /// A line between what is at two cells of a column.
    Way { x: usize, rows: [usize; 2] },
    /// Numbers as coloured cells, of which `scale` is the strongest.
    Cells {
        at: [f64; 2],
        values: Vec<f32>,
        scale: f32,
    },
    /// A text in the middle of a column.
    Label {
        at: [f64; 2],
        text: String,
        ink: Ink,
    },
    /// A straight line.
    Line {
        from: [f64; 2],
        to: [f64; 2],
        ink: Ink,
    },
    /// A rectangle of columns and rows, as full of its ink as its share of 1.
    Area {
        at: [f64; 2],
        size: [f64; 2],
        ink: Ink,
        share: f64,
    },
    /// A disc of a radius in rows, or a circle.
    Disc {
        at: [f64; 2],
        radius: f64,
        ink: Ink,
        is_filled: bool,
    },
    /// A band from one stretch of rows to another, each as its column, first and last row.
    Ribbon {
        from: [f64; 3],
        to: [f64; 3],
        share: f64,
    },
    /// Shapes of one class in the style sheet.
    Group {
        class: &'static str,
        shapes: Vec<Shape>,
    },
    /// Shapes that a page moves by columns and rows as far as its slider says.
    Slide { by: [f64; 2], shapes: Vec<Shape> },
    /// Shapes that are moved with the pointer or with arrow keys.
    Moved { handle: Handle, shapes: Vec<Shape> },
    /// Shapes that are asked for together at this index.
    Asked { at: String, shapes: Vec<Shape> },
}

/// What can be moved, and what that asks of the session.
pub struct Handle {
    /// What it is, and where it is now, in words.
    pub name: String,
    pub says: String,
    /// Where it is, in columns and rows.
    pub at: [f64; 2],
    pub does: Does,
}

/// What moving a handle asks for.
pub enum Does {
    /// Sets cells of the run, `TENSOR[I,J,` and their last indices, to their values here plus what every column to the
    /// right and every row down adds. The handle stays within the corners.
    Set {
        of: String,
        cells: Vec<usize>,
        here: Vec<f32>,
        across: Vec<f32>,
        down: Vec<f32>,
        within: [[f64; 2]; 2],
    },
    /// Goes to the nearest of these points.
    Stop(Vec<([f64; 2], Intent)>),
    /// Sets this cell to this value, and those to which the pointer goes on.
    Paint { cell: String, value: f32 },
}

impl Scene {
    /// An empty drawing.
    pub fn sized(columns: f64, rows: f64) -> Self {
        Self {
            columns,
            rows,
            ..Self::default()
        }
    }

    /// Adds a text that begins at a column and row.
    pub fn text(&mut self, at: [f64; 2], text: impl Into<String>, ink: Ink) {
        let text = text.into();
        self.shapes.push(Shape::Text { at, text, ink });
    }

    /// Adds a text in the middle of a column.
    pub fn label(&mut self, at: [f64; 2], text: impl Into<String>, ink: Ink) {
        let text = text.into();
        self.shapes.push(Shape::Label { at, text, ink });
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], ink: Ink) {
        self.shapes.push(Shape::Line { from, to, ink });
    }

    /// Adds a rectangle that is as full of its ink as its share.
    pub fn area(&mut self, at: [f64; 2], size: [f64; 2], ink: Ink, share: f64) {
        self.shapes.push(Shape::Area {
            at,
            size,
            ink,
            share,
        });
    }

    /// Adds a disc, or a circle.
    pub fn disc(&mut self, at: [f64; 2], radius: f64, ink: Ink, is_filled: bool) {
        self.shapes.push(Shape::Disc {
            at,
            radius,
            ink,
            is_filled,
        });
    }

    /// What `draw` adds, apart from the rest.
    pub fn parts(draw: impl FnOnce(&mut Self)) -> Vec<Shape> {
        let mut parts = Self::default();
        draw(&mut parts);
        parts.shapes
    }

    /// Adds what is moved by a handle.
    pub fn moved(&mut self, handle: Handle, draw: impl FnOnce(&mut Self)) {
        let shapes = Self::parts(draw);
        self.shapes.push(Shape::Moved { handle, shapes });
    }

    /// Adds a knob.
    pub fn knob(&mut self, handle: Handle) {
        let at = handle.at;
        self.moved(handle, |knob| knob.disc(at, 0.6, Ink::Text, true));
    }
}
