//! Heat maps as tables: a window of a matrix, with the number in each cell and its magnitude as a CSS class.

use crate::autograd::{Nature, Step, Trace};
use crate::tensor::{Tensor, flat_index};
use crate::typeset::number::{fixed, short};
use crate::widgets::heatmap::meaning;
use crate::widgets::svg::escape;

mod axis;
mod fit;

use axis::Axis;

/// Rows and columns printed of a larger matrix; one of at most `ALL` is printed whole.
const WINDOW: (usize, usize) = (12, 12);
const ALL: (usize, usize) = (24, 16);

/// The same for a picture, where the pattern matters.
const PICTURE: (usize, usize) = (24, 24);

/// Window of a matrix, or of a tensor's last two axes at the cursor.
pub struct Grid {
    rows: Axis,
    columns: Axis,
    /// Position of the cursor in the slice.
    cursor: (usize, usize),
    nature: Nature,
    /// All numbers of the slice, each with a flag that is true if it is masked out.
    cells: Vec<(f32, bool)>,
    /// Description of each cell, row by row; may be empty.
    notes: Vec<Vec<String>>,
    /// Largest magnitude among the whole tensor's unmasked numbers, and their range.
    bound: f32,
    range: Option<(f32, f32)>,
    /// Number of decimals in the whole table; `None` to format each number on its own.
    decimals: Option<usize>,
    /// True if the table is set in a smaller size to fit the page.
    dense: bool,
    /// True for a picture, where the pattern matters more than the numbers.
    picture: bool,
    /// Number of axes of the tensor, whose cells can be asked; `None` if they can't.
    rank: Option<usize>,
    /// Leading indices, with the names and sizes of their axes.
    leading: Vec<(String, usize, usize)>,
}

impl Grid {
    /// Slice of a recorded tensor at the cursor, including the columns `named`.
    pub fn of_step(trace: &Trace, step: &Step, cursor: &[usize], named: &[usize]) -> Self {
        Self::of_values(trace, step, (&step.value, step.nature), cursor, named)
    }

    /// The same for other `values` of the same shape, such as a difference.
    pub fn of_values(
        trace: &Trace,
        step: &Step,
        (values, nature): (&Tensor, Nature),
        cursor: &[usize],
        named: &[usize],
    ) -> Self {
        let shape = step.value.shape();
        let (rows, columns) = match *shape {
            [] => (1, 1),
            [n] => (1, n),
            [.., rows, columns] => (rows, columns),
        };
        let rank = shape.len();
        let position = match *cursor {
            [] => (0, 0),
            [column] => (0, column),
            [.., row, column] => (row, column),
        };
        let lead = &cursor[..rank.saturating_sub(2)];
        let base = flat_index(shape, lead) * rows * columns;
        let batch = step.axes.iter().position(|axis| *axis == "b");
        let batch = batch.and_then(|at| cursor.get(at)).copied().unwrap_or(0);
        let axis_words = |size: usize, word: &dyn Fn(usize) -> Option<String>| -> Vec<String> {
            match word(0) {
                None => Vec::new(),
                Some(_) => (0..size).map(|at| word(at).unwrap_or_default()).collect(),
            }
        };
        let name = |from_last: usize| {
            let at = rank.checked_sub(from_last);
            at.map_or("", |at| step.axes[at])
        };
        let blocked = blocked(trace, step);
        let data = values.data();
        let cells =
            (base..(base + rows * columns).min(data.len())).map(|at| (data[at], blocked(at)));
        let leading = lead.iter().zip(shape).zip(&step.axes);
        let mut grid = Self {
            cells: cells.collect(),
            rows: Axis::new(
                name(2),
                rows,
                axis_words(rows, &|at| {
                    trace.row_word(name(2), batch, at).map(str::to_owned)
                }),
                position.0,
                (WINDOW.0, ALL.0),
            ),
            columns: Axis::new(
                name(1),
                columns,
                axis_words(columns, &|at| {
                    trace.word(name(1), batch, at).map(str::to_owned)
                }),
                position.1,
                (WINDOW.1, ALL.1),
            ),
            cursor: position,
            nature,
            notes: Vec::new(),
            bound: 0.0,
            range: None,
            decimals: None,
            dense: false,
            picture: false,
            rank: Some(rank),
            leading: leading
                .map(|((i, n), axis)| ((*axis).to_owned(), *i, *n))
                .collect(),
        };
        grid.measure(data.iter().enumerate().map(|(at, &x)| (x, blocked(at))));
        if !named.is_empty() {
            let most = grid.columns.window.1;
            grid.columns.open(position.1, most, named);
        }
        grid.fit(named);
        grid
    }

    /// Grid of a picture's matrix.
    pub fn of_matrix(
        values: &Tensor,
        nature: Nature,
        rows: &(String, Vec<String>),
        columns: &(String, Vec<String>),
        notes: &[Vec<String>],
        cursor: (usize, usize),
    ) -> Self {
        let (n, m) = match *values.shape() {
            [n, m] => (n, m),
            _ => (1, values.len()),
        };
        let cells = values.data().iter().map(|&x| (x, x <= -1e8));
        let mut grid = Self {
            cells: cells.collect(),
            rows: Axis::new(&rows.0, n, rows.1.clone(), cursor.0, (PICTURE.0, PICTURE.0)),
            columns: Axis::new(
                &columns.0,
                m,
                columns.1.clone(),
                cursor.1,
                (PICTURE.1, PICTURE.1),
            ),
            cursor,
            nature,
            notes: notes.to_vec(),
            bound: 0.0,
            range: None,
            decimals: None,
            dense: false,
            picture: true,
            // What has a note has more to say.
            rank: notes
                .iter()
                .flatten()
                .any(|note| !note.is_empty())
                .then_some(2),
            leading: Vec::new(),
        };
        let all = grid.cells.clone();
        grid.measure(all.into_iter());
        grid.fit(&[]);
        grid
    }

    /// The same table with cells that can be asked.
    pub fn asked(self) -> Self {
        let rank = Some(2);
        Self { rank, ..self }
    }

    /// The same table with cells that can't.
    pub fn unasked(self) -> Self {
        Self { rank: None, ..self }
    }

    /// True if its cells can be asked.
    pub fn can_be_asked(&self) -> bool {
        self.rank.is_some()
    }

    fn measure(&mut self, cells: impl Iterator<Item = (f32, bool)>) {
        let open = cells
            .filter(|(x, blocked)| !blocked && x.is_finite())
            .map(|(x, _)| x);
        self.range = open.fold(None, |range, x| {
            let (least, most) = range.unwrap_or((x, x));
            Some((x.min(least), x.max(most)))
        });
        self.bound = self
            .range
            .map_or(0.0, |(least, most)| least.abs().max(most.abs()));
        let whole = self.cells.iter().all(|(x, _)| x.fract() == 0.0);
        self.decimals = match self.nature {
            Nature::Probability => Some(3),
            _ if whole => Some(0),
            _ => decimals(self.bound),
        };
    }

    /// True if each row is followed by its sum.
    fn sums(&self) -> bool {
        self.nature == Nature::Probability && self.columns.size > 1
    }

    fn cell(&self, row: usize, column: usize) -> (f32, bool) {
        self.cells[row * self.columns.size + column]
    }

    /// Shape in words: `(30 batch, 8 head, 10 target, 11 source), shown: batch 0, head 2`.
    pub fn shape_words(&self, step: &Step) -> String {
        let sizes: Vec<String> = step
            .value
            .shape()
            .iter()
            .zip(&step.axes)
            .map(|(n, axis)| {
                format!("{n} {}", escape(meaning(axis)))
                    .trim_end()
                    .to_owned()
            })
            .collect();
        let shape = if sizes.is_empty() {
            "one number".to_owned()
        } else {
            format!("({})", sizes.join(", "))
        };
        let leading = self.leading.iter().filter(|(_, _, n)| *n > 1);
        let leading: Vec<String> = leading
            .map(|(axis, i, _)| {
                if axis.is_empty() {
                    format!("index {i}")
                } else {
                    format!("{} {i}", escape(meaning(axis)))
                }
            })
            .collect();
        if leading.is_empty() {
            format!("<span class=\"tt-shape\">{shape}</span>")
        } else {
            format!(
                "<span class=\"tt-shape\">{shape}, shown: {}</span>",
                leading.join(", ")
            )
        }
    }

    /// Sentences about the range and the parts of the slice that are not printed.
    pub fn says(&self) -> Vec<String> {
        let mut says = Vec::new();
        let blocked = self.cells.iter().filter(|(_, blocked)| *blocked).count();
        let one = self.cells.len() == 1;
        if let (Some((least, most)), false) = (self.range, one || self.nature == Nature::Ids) {
            let mut range = match self.nature {
                Nature::Probability => "Colour from 0 to 1".to_owned(),
                Nature::Mask => "1 may be seen, 0 is blocked".to_owned(),
                _ if least == most => format!("All are {}", text(least)),
                _ => format!("Range {} to {}", text(least), text(most)),
            };
            if blocked > 0 {
                range += &format!("; × marks {blocked} blocked cells of {}", self.cells.len());
            }
            says.push(format!("{range}."));
        }
        let mut cut = Vec::new();
        for (axis, what) in [(&self.rows, "rows"), (&self.columns, "columns")] {
            if !axis.is_whole() {
                cut.push(axis.description(what));
            }
        }
        if !cut.is_empty() {
            says.push(format!("Printed are {}.", cut.join(" and ")));
        }
        says
    }

    fn class(&self, x: f32, blocked: bool) -> String {
        if blocked {
            return "x".to_owned();
        }
        if !x.is_finite() {
            return "bad".to_owned();
        }
        let share = |of: f32| {
            if self.bound > 0.0 {
                ((of.abs().min(1.0)).powf(0.65) * 20.0).round() as usize
            } else {
                0
            }
        };
        match self.nature {
            Nature::Ids => "id".to_owned(),
            Nature::Mask if x == 0.0 => "x".to_owned(),
            Nature::Mask => "s v20".to_owned(),
            Nature::Probability => format!("s v{}", share(x)),
            Nature::Signed if x < 0.0 => format!("m v{}", share(x / self.bound)),
            Nature::Signed => format!("p v{}", share(x / self.bound)),
        }
    }

    /// Returns the table as HTML.
    pub fn html(&self) -> String {
        if self.cells.is_empty() {
            return "<p>This tensor has no cells.</p>".to_owned();
        }
        let sums = self.sums();
        let dense = if self.dense { " tt-dense" } else { "" };
        // A 1 or a 0 is centred below its token.
        let mask = match self.nature {
            Nature::Mask => " tt-mask",
            _ => "",
        };
        let lead: String = self
            .leading
            .iter()
            .map(|(_, i, _)| format!("{i},"))
            .collect();
        let asks = match self.rank {
            Some(_) => format!(" data-lead=\"{lead}\""),
            None => String::new(),
        };
        let mut out = format!(
            "<div class=\"tt-scroll\"><table class=\"tt-heat{dense}{mask}\"{asks}><thead><tr>"
        );
        let corner = [(&self.rows, "↓"), (&self.columns, "→")].map(|(axis, arrow)| {
            match axis.name.as_str() {
                "" => String::new(),
                name => format!(
                    "<span class=\"tt-axis\">{} {arrow}</span>",
                    escape(meaning(name))
                ),
            }
        });
        out += &match corner.join(" ").trim() {
            "" => "<td class=\"tt-corner\"></td>".to_owned(),
            corner => format!("<th class=\"tt-corner\" scope=\"col\">{corner}</th>"),
        };
        let counts = self.columns.size > 1 || !self.columns.name.is_empty();
        for column in self.columns.shown() {
            if counts {
                out += &format!("<th scope=\"col\">{}</th>", self.columns.label(column));
            } else {
                // A single number needs no index.
                out += "<td></td>";
            }
        }
        if sums {
            out += "<th class=\"sum\" scope=\"col\">sum</th>";
        }
        out += "</tr></thead><tbody>";
        for row in self.rows.shown() {
            out += &match self.row_label(row).as_str() {
                "" => "<tr><td class=\"tt-corner\"></td>".to_owned(),
                label => format!("<tr><th scope=\"row\">{label}</th>"),
            };
            for column in self.columns.shown() {
                out += &self.cell_html(row, column);
            }
            if sums {
                let sum: f32 = (0..self.columns.size).map(|c| self.cell(row, c).0).sum();
                out += &format!("<td class=\"sum\">{}</td>", fixed(sum, 2));
            }
            out += "</tr>";
        }
        out += "</tbody>";
        if sums && self.rows.size > 1 && self.rows.is_whole() {
            out += "<tfoot class=\"sum\"><tr><th scope=\"row\">sum</th>";
            for column in self.columns.shown() {
                let sum: f32 = (0..self.rows.size).map(|r| self.cell(r, column).0).sum();
                out += &format!("<td class=\"sum\">{}</td>", fixed(sum, 2));
            }
            out += "<td class=\"sum\"></td></tr></tfoot>";
        }
        out + "</table></div>"
    }

    fn row_label(&self, row: usize) -> String {
        match (self.rows.size, self.rows.words.is_empty()) {
            (1, true) => String::new(),
            _ => self.rows.label(row),
        }
    }

    fn cell_text(&self, (x, blocked): (f32, bool)) -> String {
        match self.decimals {
            _ if blocked => "×".to_owned(),
            // An exact zero needs no decimals.
            _ if x == 0.0 => "0".to_owned(),
            Some(decimals) => fixed(x, decimals),
            None => short(x, 7),
        }
    }

    fn cell_html(&self, row: usize, column: usize) -> String {
        let (x, blocked) = self.cell(row, column);
        let class = self.class(x, blocked);
        let shown = if blocked {
            "<span class=\"tt-sr\">blocked</span><span aria-hidden=\"true\">×</span>".to_owned()
        } else {
            self.cell_text((x, blocked))
        };
        let here = if (row, column) == self.cursor && self.rank.is_some() {
            " data-here"
        } else {
            ""
        };
        let at = match self.rank {
            None => String::new(),
            Some(0) => " data-at=\"\"".to_owned(),
            Some(1) => format!(" data-at=\"{column}\""),
            Some(_) => format!(" data-at=\"{row},{column}\""),
        };
        let note = self.notes.get(row).and_then(|notes| notes.get(column));
        let note = match note.filter(|note| !note.is_empty()) {
            Some(note) => format!(" title=\"{}\"", escape(note)),
            None => String::new(),
        };
        format!("<td class=\"{class}\"{at}{here}{note}>{shown}</td>")
    }
}

/// Number of decimals that gives a table's largest number three or four digits; `None` if it is so small or large
/// that each number needs an exponent.
fn decimals(bound: f32) -> Option<usize> {
    let power = bound.log10().floor() as i32;
    match power {
        -3..0 => usize::try_from(2 - power).ok(),
        0..5 => usize::try_from((3 - power).max(0)).ok(),
        _ => None,
    }
}

/// Formats a number to fit a cell.
pub fn text(x: f32) -> String {
    short(x, 8)
}

/// Predicate for the masked cells of a step, by row-major index.
fn blocked<'a>(trace: &'a Trace, step: &'a Step) -> impl Fn(usize) -> bool + 'a {
    let scores = match (step.op(), step.inputs().first()) {
        ("softmax" | "dropout", Some(&input)) => &trace.steps()[input],
        _ => step,
    };
    let fits = scores.value.shape() == step.value.shape();
    let data = fits.then(|| scores.value.data());
    move |at| data.is_some_and(|data| data[at] <= -1e8)
}
