use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;

fn drawn(tex: &str) -> String {
    let set = layout(tex).unwrap();
    set.rows
        .iter()
        .map(|row| format!("{}\n", row.trim_end()))
        .collect()
}
