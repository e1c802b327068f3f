//! The glyphs used in drawings.

/// The glyphs used in drawings, in Unicode or ASCII.
#[derive(Debug)]
pub struct Glyphs {
    /// Shades from empty to full.
    pub shades: [&'static str; 6],
    /// A blocked cell.
    pub blocked: &'static str,
    /// Sign of a negative value.
    pub minus: &'static str,
    /// Marks around the cell under the cursor.
    pub here: (&'static str, &'static str),
    /// Marks around a cell that contributed to the one being explained.
    pub operand: (&'static str, &'static str),
    /// Marks around the knob that is being turned: less, more.
    pub turn: (&'static str, &'static str),
    /// The leak indicator's lamp.
    pub lamp: &'static str,
    /// A step that an edit has changed.
    pub changed: &'static str,
    /// Text was left out here.
    pub more: &'static str,
    /// Precedes the inputs of a step.
    pub from: &'static str,
    /// Leads on to the next item.
    pub next: &'static str,
    /// Down.
    pub down: &'static str,
    /// Up.
    pub up: &'static str,
    /// Multiplication sign.
    pub times: &'static str,
    /// Sum sign.
    pub sum: &'static str,
    /// Difference sign.
    pub delta: &'static str,
    /// Parts of a bar, in eighths of a column.
    pub eighths: &'static [&'static str],
    /// Axes of a chart: vertical, horizontal, corner.
    pub axes: [&'static str; 3],
    /// Mark on the horizontal axis.
    pub tick: &'static str,
    /// A point of a chart.
    pub point: &'static str,
}

pub(super) const UNICODE: Glyphs = Glyphs {
    shades: [" ", "·", "░", "▒", "▓", "█"],
    blocked: "×",
    minus: "−",
    here: ("[", "]"),
    operand: ("‹", "›"),
    turn: ("◂", "▸"),
    lamp: "●",
    changed: "•",
    more: "…",
    from: "←",
    next: "→",
    down: "↓",
    up: "↑",
    times: "×",
    sum: "Σ",
    delta: "Δ",
    eighths: &["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    axes: ["│", "─", "└"],
    tick: "┴",
    point: "●",
};

pub(super) const ASCII: Glyphs = Glyphs {
    shades: [" ", ".", ":", "=", "#", "@"],
    blocked: "x",
    minus: "-",
    here: ("[", "]"),
    operand: ("(", ")"),
    turn: ("<", ">"),
    lamp: "*",
    changed: "*",
    more: "..",
    from: "<-",
    next: "->",
    down: "v",
    up: "^",
    times: "*",
    sum: "S",
    delta: "diff",
    eighths: &["#"],
    axes: ["|", "-", "+"],
    tick: "+",
    point: "o",
};
