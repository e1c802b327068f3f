//! The marks of a drawing.

/// The marks of a drawing, in Unicode or ASCII.
#[derive(Debug)]
pub struct Glyphs {
    /// From nothing to full.
    pub shades: [&'static str; 6],
    /// A blocked cell.
    pub blocked: &'static str,
    /// A number below 0.
    pub minus: &'static str,
    /// Around the cell under the cursor.
    pub here: (&'static str, &'static str),
    /// Around a cell that went into the one asked about.
    pub operand: (&'static str, &'static str),
    /// Less, more: around the knob that turning turns.
    pub turn: (&'static str, &'static str),
    /// A lamp.
    pub lamp: &'static str,
    /// A step that an edit has changed.
    pub changed: &'static str,
    /// Something was left out.
    pub more: &'static str,
    /// Made from.
    pub from: &'static str,
    /// Leads on to.
    pub next: &'static str,
    /// Downwards.
    pub down: &'static str,
    /// Upwards.
    pub up: &'static str,
    /// Multiplied by.
    pub times: &'static str,
    /// A sum.
    pub sum: &'static str,
    /// A difference.
    pub delta: &'static str,
    /// A bar, by eighths of a column.
    pub eighths: &'static [&'static str],
    /// The axes of a chart: upright, level, corner.
    pub axes: [&'static str; 3],
    /// A mark on the level axis.
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
