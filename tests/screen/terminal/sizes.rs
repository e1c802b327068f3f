//! Sizes that a terminal may claim but no display has.

use crate::pty::{self, Tutor};

/// Maximum columns and rows that are drawn.
const MOST: (u16, u16) = (1000, 400);

/// Maximum memory of the program, in MB, at any size. At 120×40 it uses about 60.
const MEMORY: usize = 400;

#[test]
fn a_huge_terminal_is_drawn_in_part_and_takes_little_memory() {
    let mut tutor = Tutor::start(120, 40, &["--lesson", "attention"]);
    tutor.sees(&["03 Scaled dot-product attention"]);
    for (cols, rows) in [
        (1395, 24),
        (5000, 5000),
        (u16::MAX, u16::MAX),
        (20, u16::MAX),
    ] {
        let (seen_cols, seen_rows) = (cols.min(MOST.0), rows.min(MOST.1));
        let mut parser = tutor.screen.lock().unwrap();
        parser
            .screen_mut()
            .set_size(pty::whole(seen_rows), pty::whole(seen_cols));
        drop(parser);
        tutor.claim(cols, rows);
        if cols < 60 {
            tutor.sees(&["The walkthrough"]);
            continue;
        }
        // The footer is in the last row drawn, and no row is longer than the drawn width.
        tutor.waits(
            |text| text.lines().nth(usize::from(seen_rows) - 1).is_some(),
            || format!("no footer at {cols}×{rows}"),
        );
        tutor.press("?");
        tutor.sees(&["Begin with these"]);
        tutor.press("\x1b");
        tutor.gone("Begin with these");
        let used = pty::memory(&tutor);
        assert!((1..MEMORY).contains(&used), "{used} MB at {cols}×{rows}");
    }
    tutor.resize(120, 40);
    tutor.sees(&["03 Scaled dot-product attention"]);
    tutor.press("Q");
    tutor.ended();
}
