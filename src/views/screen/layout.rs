//! Layout of the panes: the one module that knows sizes.

use ratatui::layout::Rect;

use crate::widgets::room::Room;

/// Class of screens that have the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScreenSize {
    /// Too small for anything but a message.
    TooSmall,
    /// One pane at a time.
    One,
    /// Text and tensor; the run is shown in the text's place.
    Two,
    /// Text, tensor, and the run as a strip that opens when it has the focus.
    Three,
    /// The same with the run always open.
    Wide,
}

/// Smallest screen that the walkthrough is drawn on.
pub const LEAST: (u16, u16) = (60, 20);

/// Maximum size of the drawn area. An 8K display in a font of 8×16 pixels has 960×270 characters, but a pseudo-terminal
/// may claim 65,535×65,535, and every character takes memory.
const MOST: (u16, u16) = (1000, 400);

/// Drawn part of a screen of this size; the rest stays empty.
pub fn drawn_size((width, height): (u16, u16)) -> (u16, u16) {
    (width.min(MOST.0), height.min(MOST.1))
}

/// Narrowest and widest text beside a picture: longer lines are hard to read.
const TEXT: (u16, u16) = (34, 64);

/// Width from which a text has two columns.
const TWO_COLUMNS: u16 = 84;

/// Blank columns between two columns of text.
const GAP: u16 = 4;

/// Cost of a line of text that has to be scrolled to. A column or row that a picture lacks costs 2.
const CUT: f32 = 6.0;

/// Height of the closed strip of steps, with its rule.
const STRIP: u16 = 4;

impl ScreenSize {
    /// Class of a screen with these columns and rows.
    pub fn of((width, height): (u16, u16)) -> Self {
        let fits = |w: u16, h: u16| width >= w && height >= h;
        if fits(160, 50) {
            Self::Wide
        } else if fits(120, 34) {
            Self::Three
        } else if fits(80, 24) {
            Self::Two
        } else if fits(LEAST.0, LEAST.1) {
            Self::One
        } else {
            Self::TooSmall
        }
    }
}

/// Division of the screen between a page's text and its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The text on the left, this many columns wide.
    Beside(u16),
    /// The text above, this many rows high.
    Above(u16),
    /// One at a time.
    Tabs,
}

impl Split {
    /// The division that costs a reader least: lines of text that have to be scrolled to, columns and rows that the picture
    /// lacks, and room that neither uses. `lines` is the height of the text at a width, which must be at least `needs`
    /// for its code not to be broken.
    pub fn of(
        (width, height): (u16, u16),
        lines: &dyn Fn(u16) -> usize,
        needs: u16,
        picture: &Room,
    ) -> Self {
        if ScreenSize::of((width, height)) <= ScreenSize::One {
            return Self::Tabs;
        }
        let rows = usize::from(height) - 4;
        let lacks = |size: usize, wanted: usize| wanted.saturating_sub(size) as f32;
        let mut best = (f32::INFINITY, Self::Tabs);
        let mut try_out = |cost: f32, split| {
            if cost < best.0 {
                best = (cost, split);
            }
        };
        let one = (TEXT.0.max(needs)..=TEXT.1.max(needs)).step_by(2);
        let two = (TEXT.0 + 8..=TEXT.1).step_by(4).map(|each| 2 * each + GAP);
        for text in one.chain(two) {
            let (columns, each) = text_columns(text);
            let left = usize::from(width.saturating_sub(text + 6));
            if left >= picture.least.0 && rows >= picture.least.1 && each >= needs {
                let text_lines = lines(each);
                // Two columns are for a text that one cannot hold.
                let second = match columns {
                    1 => 0.0,
                    _ if text_lines <= rows => 40.0,
                    _ => 4.0,
                };
                let cost = CUT * lacks(rows, text_lines.div_ceil(columns))
                    + second
                    + 2.0 * lacks(left, picture.usual.0)
                    + 0.5 * left.saturating_sub(picture.most.0) as f32
                    + (f32::from(each) - 46.0).abs() / 8.0;
                try_out(cost, Self::Beside(text));
            }
        }
        let (columns, each) = text_columns(width - 3);
        let across = usize::from(width) - 3;
        if across >= picture.least.0 && each >= needs {
            let text = lines(each).div_ceil(columns);
            for above in 2..rows.saturating_sub(picture.least.1) {
                let below = rows - 1 - above;
                let cost = CUT * lacks(above, text)
                    + 2.0 * lacks(below, picture.usual.1.min(rows))
                    + below.saturating_sub(picture.most.1) as f32
                    + 0.5 * across.saturating_sub(picture.most.0) as f32
                    + above.saturating_sub(text) as f32
                    + 6.0;
                try_out(cost, Self::Above(above as u16));
            }
        }
        best.1
    }

    /// The division while something else is shown in the text's place.
    pub fn usual(width: u16) -> Self {
        Self::Beside(match width {
            160.. => TEXT.1,
            112.. => 46,
            _ => 36,
        })
    }
}

/// Number of columns of a text in this width, and the width of each.
pub fn text_columns(width: u16) -> (usize, u16) {
    if width >= TWO_COLUMNS {
        (2, ((width - GAP) / 2).min(TEXT.1))
    } else {
        (1, width)
    }
}

/// The second column of a text whose columns are `each` wide.
pub fn second_column(each: u16, text: Rect) -> Rect {
    let x = (each + GAP).min(text.width);
    Rect {
        x: text.x + x,
        width: text.width - x,
        ..text
    }
}

/// Positions of a lesson's panes. The first row of each is a rule with its title; a pane on the right begins with an
/// upright rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneLayout {
    /// The text, or what is shown in its place.
    pub read: Rect,
    /// The tensor or picture; `None` if one pane is shown at a time.
    pub stage: Option<Rect>,
    /// The run, or where a cell came from; `None` if it is shown in another pane's place.
    pub run: Option<Rect>,
}

/// How much of the run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPane {
    /// Nothing: while a page is read.
    Hidden,
    /// A strip, if there is room for it.
    Strip,
    /// All of it: it has the focus, or a cell is asked about.
    Open,
}

/// Everything between the header and the rule above the footer.
pub fn whole(area: Rect) -> Rect {
    Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(3),
        ..area
    }
}

/// Inside of a pane, below its title and beside its rules.
pub fn inside(pane: Rect) -> Rect {
    Rect {
        x: pane.x + 2,
        y: pane.y + 1,
        width: pane.width.saturating_sub(3),
        height: pane.height.saturating_sub(1),
    }
}

/// Positions of a screen's panes between header and footer.
pub fn pane_layout(area: Rect, split: Split, run: RunPane) -> PaneLayout {
    let body = whole(area);
    let size = ScreenSize::of((area.width, area.height));
    let (read, stage) = match split {
        Split::Tabs => {
            return PaneLayout {
                read: body,
                stage: None,
                run: None,
            };
        }
        Split::Beside(text) => {
            let text = (text + 3).min(body.width);
            let left = Rect {
                width: text,
                ..body
            };
            let right = Rect {
                x: body.x + text,
                width: body.width - text,
                ..body
            };
            (left, right)
        }
        Split::Above(rows) => {
            let rows = (rows + 1).min(body.height);
            let upper = Rect {
                height: rows,
                ..body
            };
            let lower = Rect {
                y: body.y + rows,
                height: body.height - rows,
                ..body
            };
            (upper, lower)
        }
    };
    let below = match (size, run) {
        (ScreenSize::TooSmall | ScreenSize::One | ScreenSize::Two, _) | (_, RunPane::Hidden) => 0,
        (ScreenSize::Wide, _) | (_, RunPane::Open) => (stage.height / 3 + 1).max(12),
        (_, RunPane::Strip) => STRIP,
    };
    let below = below.min(stage.height / 2);
    let run = Rect {
        y: stage.bottom() - below,
        height: below,
        ..stage
    };
    PaneLayout {
        read,
        stage: Some(Rect {
            height: stage.height - below,
            ..stage
        }),
        run: (below > 0).then_some(run),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_a_screen_of_any_size_without_overlapping() {
        let lengths = [20, 23, 24, 33, 34, 50, 60, 79, 80, 119, 120, 159, 160];
        let lengths = lengths.into_iter().chain((200..u16::MAX).step_by(331));
        let lengths: Vec<u16> = lengths.chain([1395, 5000, u16::MAX]).collect();
        for (&width, &height) in lengths
            .iter()
            .flat_map(|w| lengths.iter().map(move |h| (w, h)))
        {
            for run in [RunPane::Hidden, RunPane::Strip, RunPane::Open] {
                for split in [Split::Beside(40), Split::Above(6), Split::Tabs] {
                    let PaneLayout { read, stage, run } =
                        pane_layout(Rect::new(0, 0, width, height), split, run);
                    let panes = [Some(read), stage, run].into_iter().flatten();
                    let cells: u32 = panes.map(|pane| pane.area()).sum();
                    let between = u32::from(width) * u32::from(height - 3);
                    assert_eq!(cells, between, "{width}×{height}");
                }
            }
        }
    }

    #[test]
    fn a_screen_beyond_any_display_is_drawn_in_part() {
        assert_eq!(drawn_size((200, 60)), (200, 60));
        assert_eq!(drawn_size((1536, 432)), MOST);
        assert_eq!(drawn_size((u16::MAX, 24)), (1000, 24));
    }

    /// A text of this many characters.
    fn text(characters: usize) -> impl Fn(u16) -> usize {
        move |width| characters.div_ceil(width.into())
    }

    #[test]
    fn a_small_picture_leaves_its_width_to_the_text_and_a_large_one_takes_it() {
        let split = |room: Room| Split::of((120, 40), &text(1400), 0, &room);
        let small = Room::of((20, 6), (30, 10), (40, 20));
        let large = Room::of((60, 14), (76, 30), (90, 36));
        let (Split::Beside(small), Split::Beside(large)) = (split(small), split(large)) else {
            panic!("both have room beside the text");
        };
        assert!(small > large + 10, "{small} and {large}");
        let wide = Room::of((110, 20), (116, 26), (118, 30));
        assert!(matches!(split(wide), Split::Above(_)));
    }

    #[test]
    fn a_text_is_not_cut_while_the_picture_has_more_room_than_it_uses() {
        let room = Room::of((20, 6), (30, 10), (40, 20));
        for characters in [200, 800, 1600, 2000] {
            let lines = text(characters);
            let split = Split::of((120, 40), &lines, 0, &room);
            let Split::Beside(width) = split else {
                panic!("{split:?}");
            };
            assert!(lines(width) <= 36, "{characters}: {width}");
        }
    }

    #[test]
    fn code_is_not_broken_and_a_picture_without_room_is_behind_a_tab() {
        let room = Room::of((40, 12), (60, 20), (80, 30));
        let wide = Split::of((120, 40), &text(400), 70, &room);
        assert!(
            matches!(wide, Split::Beside(70..) | Split::Above(_)),
            "{wide:?}"
        );
        assert_eq!(Split::of((80, 24), &text(400), 78, &room), Split::Tabs);
        let high = Room::of((40, 22), (60, 30), (80, 30));
        assert_eq!(Split::of((80, 24), &text(400), 0, &high), Split::Tabs);
        assert_eq!(Split::of((60, 20), &text(40), 0, &room), Split::Tabs);
    }

    #[test]
    fn the_run_is_a_strip_below_the_stage_until_it_is_asked_for() {
        let at = |run| pane_layout(Rect::new(0, 0, 120, 40), Split::Beside(46), run);
        assert_eq!(at(RunPane::Strip).run.unwrap().height, STRIP);
        assert!(at(RunPane::Open).run.unwrap().height > 2 * STRIP);
        assert_eq!(at(RunPane::Hidden).run, None);
        assert_eq!(at(RunPane::Hidden).stage.unwrap().height, 37);
        assert_eq!(ScreenSize::of((59, 20)), ScreenSize::TooSmall);
    }
}
