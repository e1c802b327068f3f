//! Layout of the panes: the one module that knows sizes.

use ratatui::layout::Rect;

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

/// Maximum width of a text pane: 76 columns of text, and the frame. Longer lines are hard to read.
const TEXT: u16 = 80;

/// Height of the closed strip of steps, with its frame.
const STRIP: u16 = 5;

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

/// Positions of a lesson's panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneLayout {
    /// The text, or what is shown in its place.
    pub read: Option<Rect>,
    /// The tensor or picture.
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

/// Positions of a screen's panes between header and footer.
pub fn pane_layout(area: Rect, run: RunPane) -> PaneLayout {
    let body = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    };
    let size = ScreenSize::of((area.width, area.height));
    let read = match size {
        ScreenSize::TooSmall | ScreenSize::One => {
            return PaneLayout {
                read: Some(body),
                stage: None,
                run: None,
            };
        }
        ScreenSize::Two => percent(area.width, 47),
        ScreenSize::Three | ScreenSize::Wide => percent(area.width, 42).min(TEXT),
    };
    let run = match (size, run) {
        (ScreenSize::Two, _) | (_, RunPane::Hidden) => 0,
        (ScreenSize::Wide, _) | (_, RunPane::Open) => body.height / 3 + 1,
        (_, RunPane::Strip) => STRIP,
    };
    let right = Rect {
        x: body.x + read,
        width: body.width - read,
        ..body
    };
    let below = Rect {
        y: right.bottom() - run,
        height: run,
        ..right
    };
    PaneLayout {
        read: Some(Rect {
            width: read,
            ..body
        }),
        stage: Some(Rect {
            height: right.height - run,
            ..right
        }),
        run: (run > 0).then_some(below),
    }
}

/// Percentage of a length, rounded down.
fn percent(length: u16, share: u32) -> u16 {
    let part = u32::from(length) * share / 100;
    u16::try_from(part).unwrap_or(length)
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
                let PaneLayout { read, stage, run } =
                    pane_layout(Rect::new(0, 0, width, height), run);
                let panes = [read, stage, run].into_iter().flatten();
                let cells: u32 = panes.map(|pane| pane.area()).sum();
                let between = u32::from(width) * u32::from(height - 2);
                assert_eq!(cells, between, "{width}×{height}");
            }
        }
    }

    #[test]
    fn a_screen_beyond_any_display_is_drawn_in_part() {
        assert_eq!(drawn_size((200, 60)), (200, 60));
        assert_eq!(drawn_size((1536, 432)), MOST);
        assert_eq!(drawn_size((u16::MAX, 24)), (1000, 24));
    }

    fn at(width: u16, height: u16, open: bool) -> PaneLayout {
        let run = if open { RunPane::Open } else { RunPane::Strip };
        pane_layout(Rect::new(0, 0, width, height), run)
    }

    #[test]
    fn at_120_columns_the_stage_is_the_widest_pane() {
        let places = at(120, 40, false);
        let stage = places.stage.unwrap();
        assert!((66..=72).contains(&stage.width), "55 to 60 %: {stage}");
        assert_eq!(places.read.unwrap().width + stage.width, 120);
        assert_eq!(places.run.unwrap().height, STRIP);
        let open = at(120, 40, true);
        assert!(open.run.unwrap().height > 2 * STRIP);
        assert_eq!(open.stage.unwrap().width, stage.width);
    }

    #[test]
    fn a_text_is_no_wider_than_76_columns_and_the_stage_has_the_rest() {
        let places = at(200, 60, false);
        assert_eq!(places.read.unwrap().width - 4, 76);
        assert_eq!(places.stage.unwrap().width, 120);
        assert_eq!(places.run, at(200, 60, true).run, "it is always open");
    }

    #[test]
    fn without_the_run_the_stage_has_its_place() {
        for size in [(120, 40), (200, 60)] {
            let hidden = pane_layout(Rect::new(0, 0, size.0, size.1), RunPane::Hidden);
            assert_eq!(hidden.run, None);
            assert_eq!(hidden.stage.unwrap().height, size.1 - 2);
        }
    }

    #[test]
    fn a_small_screen_has_two_panes_or_one() {
        let two = at(80, 24, true);
        assert_eq!(two.run, None);
        assert_eq!(two.read.unwrap().width + two.stage.unwrap().width, 80);
        assert_eq!(at(60, 20, true).stage, None);
        assert_eq!(ScreenSize::of((59, 20)), ScreenSize::TooSmall);
    }
}
