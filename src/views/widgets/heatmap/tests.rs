use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::*;
use crate::testing::{assert_contains, assert_ends_with, assert_starts_with};
use crate::widgets::lines::text;

mod room;

struct Drawn {
    buf: Buffer,
}

impl Drawn {
    fn text(&self) -> String {
        text(&self.buf)
    }

    fn row(&self, y: u16) -> String {
        let symbols = (0..self.buf.area.width).map(|x| self.buf[(x, y)].symbol());
        symbols.collect::<String>().trim_end().to_owned()
    }

    /// Lightness of the background at a position.
    fn light(&self, x: u16, y: u16) -> u32 {
        match self.buf[(x, y)].bg {
            Color::Rgb(r, g, b) => 2 * u32::from(r) + 7 * u32::from(g) + u32::from(b),
            other => panic!("({x}, {y}) has no colour of its own: {other:?}"),
        }
    }
}

/// Calls `then` with a heat map of these values and labels.
fn with_heat<T>(
    values: &Tensor,
    nature: Nature,
    labels: (&[&str], &[&str]),
    cursor: &[usize],
    then: impl FnOnce(&Heat) -> T,
) -> T {
    let rows = |i: usize| labels.0.get(i).copied();
    let columns = |i: usize| labels.1.get(i).copied();
    let axis = |name: &str| name.to_owned();
    then(&Heat {
        values: Values::of(values),
        nature,
        rows: Axis {
            name: axis("query"),
            word: Some(&rows),
        },
        columns: Axis {
            name: axis("key"),
            word: Some(&columns),
        },
        cursor,
        operands: Vec::new(),
        written: None,
        weights: false,
        asked: false,
    })
}

fn drawn(
    values: &Tensor,
    nature: Nature,
    labels: (&[&str], &[&str]),
    cursor: &[usize],
    size: (u16, u16),
    theme: &Theme,
) -> Drawn {
    let mut buf = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    let draw = |heat: &Heat| heat.draw(buf.area, &mut buf, theme);
    with_heat(values, nature, labels, cursor, draw);
    Drawn { buf }
}

/// The map in the colours of a dark terminal.
fn dark(
    values: &Tensor,
    nature: Nature,
    labels: (&[&str], &[&str]),
    cursor: &[usize],
    size: (u16, u16),
) -> Drawn {
    drawn(values, nature, labels, cursor, size, &Theme::true_dark())
}

/// The mask of 21 words, each of which sees itself and those before it.
fn subsequent() -> ([&'static str; 21], Tensor) {
    let words = "wort0 wort1 wort2 wort3 wort4 wort5 wort6 wort7 wort8 wort9 wort10 wort11 wort12 wort13 wort14 \
                 wort15 wort16 wort17 wort18 wort19 wort20";
    let mut words = words.split(' ');
    let words = [(); 21].map(|()| words.next().expect("there are 21"));
    let values = Tensor::from_fn(&[21, 21], |i| f32::from(u8::from(i[1] <= i[0])));
    (words, values)
}

/// A map without words.
fn bare<'a>(values: &'a Tensor, nature: Nature, cursor: &'a [usize]) -> Heat<'a> {
    Heat {
        values: Values::of(values),
        nature,
        rows: Axis::default(),
        columns: Axis::default(),
        cursor,
        operands: Vec::new(),
        written: None,
        weights: false,
        asked: false,
    }
}

const NO_WORDS: (&[&str], &[&str]) = (&[], &[]);

#[test]
fn the_strongest_cell_has_the_strongest_colour_and_no_glyph_over_it() {
    let values = Tensor::new(&[1, 8], (1..=8).map(|x| x as f32).collect());
    for (theme, rises) in [(Theme::true_dark(), true), (Theme::true_light(), false)] {
        // Two rows of height leave no room for folding, and three columns a cell no room for more.
        let map = drawn(&values, Nature::Signed, NO_WORDS, &[0, 7], (40, 3), &theme);
        let wide = 40 / 8;
        let lights: Vec<u32> = (0..8).map(|i| map.light(i * wide + 4, 2)).collect();
        let ordered = lights.windows(2).all(|two| (two[1] > two[0]) == rises);
        assert!(ordered, "{lights:?}\n{}", map.text());
        let blocks: Vec<char> = map
            .text()
            .chars()
            .filter(|c| "█▓▒░·".contains(*c))
            .collect();
        assert!(blocks.is_empty(), "{blocks:?}");
    }
}

#[test]
fn rows_that_do_not_add_up_to_1_show_what_they_add_up_to() {
    let at = |value| {
        let values = Tensor::full(&[2, 3], value);
        let words = (&["is", "milk"][..], &["Die", "Katze", "</s>"][..]);
        let map = drawn(
            &values,
            Nature::Probability,
            words,
            &[0, 0],
            (40, 6),
            &Theme::mono(),
        );
        map.text()
    };
    assert!(!at(1.0 / 3.0).contains("sum"), "{}", at(1.0 / 3.0));
    let broken = at(0.2);
    assert_contains(&broken, "sum");
    assert_contains(&broken, "0.60");
}

#[test]
fn numbers_between_138_and_256_do_not_look_flat() {
    let values = Tensor::from_fn(&[12, 12], |i| {
        138.0 + (i[0] * 12 + i[1]) as f32 * 118.0 / 143.0
    });
    let map = dark(&values, Nature::Signed, NO_WORDS, &[6, 6], (28, 14));
    let (first, last) = (map.light(4, 2), map.light(26, 13));
    assert!(last > 5 * first, "{first} and {last}");
}

#[test]
fn the_cursor_stands_around_its_number_and_leaves_it_its_colour() {
    let values = Tensor::new(&[2, 2], vec![0.1, 0.9, 0.5, 0.5]);
    let at = |cursor: &[usize]| dark(&values, Nature::Probability, NO_WORDS, cursor, (30, 4));
    let (here, there) = (at(&[0, 1]), at(&[0, 0]));
    let row: Vec<char> = here.row(2).chars().collect();
    let number = row.iter().rposition(|c| *c == '.').unwrap();
    let left = row[..number].iter().rposition(|c| *c == '▌').unwrap();
    let right = row.iter().rposition(|c| *c == '▐').unwrap();
    assert!(left + 2 <= number && number + 3 < right, "{}", here.text());
    assert_eq!(here.light(number as u16, 2), there.light(number as u16, 2));
    let values = Tensor::new(&[1, 2], vec![0.1, 0.9]);
    let mono = Theme::mono();
    let map = drawn(
        &values,
        Nature::Probability,
        NO_WORDS,
        &[0, 1],
        (14, 3),
        &mono,
    );
    assert!(
        map.text().contains(".90 ]") && map.text().contains('['),
        "{}",
        map.text()
    );
}

#[test]
fn without_room_for_numbers_the_cursor_marks_the_colour_itself() {
    let values = Tensor::from_fn(&[2, 20], |i| i[1] as f32 - 10.0);
    let map = dark(&values, Nature::Signed, NO_WORDS, &[0, 3], (44, 4));
    assert!(map.row(2).contains("▌▐"), "{}", map.text());
    let _ = map.light(8, 2);
}

#[test]
fn cells_grow_into_their_room() {
    let values = Tensor::from_fn(&[3, 3], |i| (i[0] * 3 + i[1]) as f32 / 10.0 + 0.05);
    let at = |size| dark(&values, Nature::Signed, NO_WORDS, &[0, 0], size);
    assert!(at((18, 5)).row(2).contains(".05"), "{}", at((18, 5)).text());
    // With room for five lines a cell, the number is in the third.
    let large = at((60, 20));
    assert!(large.row(4).contains(".05"), "{}", large.text());
    assert_eq!(large.light(3, 2), large.light(3, 6));
    assert_ne!(large.light(3, 6), large.light(3, 7));
}

#[test]
fn of_cells_two_lines_high_the_number_is_in_the_middle() {
    let values = Tensor::from_fn(&[3, 3], |i| (i[0] * 3 + i[1]) as f32 / 10.0 + 0.05);
    let map = dark(&values, Nature::Signed, NO_WORDS, &[0, 0], (30, 9));
    assert!(map.row(2).contains("▄▄▄"), "{}", map.text());
    for (line, number) in [(3, ".05"), (5, ".35"), (7, ".65")] {
        assert!(map.row(line).contains(number), "{}", map.text());
    }
    assert!(
        map.row(4).contains("▀▀▀") && map.row(8).contains("▀▀▀"),
        "{}",
        map.text()
    );
}

#[test]
fn column_words_are_in_one_line_and_the_cursors_is_whole() {
    const LONG: &[&str] = &[
        "schläft",
        "zusammen",
        "Garten",
        "Sommertag",
        "immer",
        "wieder",
    ];
    const ROWS: &[&str] = &["the", "dog", "runs"];
    let values = Tensor::from_fn(&[3, 6], |i| (i[0] + i[1]) as f32 / 8.0);
    let at = |width, column| {
        let words = (ROWS, LONG);
        let cursor = [0, column];
        let size = (width, 10);
        let map = drawn(
            &values,
            Nature::Probability,
            words,
            &cursor,
            size,
            &Theme::mono(),
        );
        map.row(0)
    };
    let words: Vec<String> = at(90, 0).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words[..6], *LONG);
    for (column, word) in LONG.iter().enumerate() {
        for width in [60, 44, 30] {
            let names = at(width, column);
            assert!(names.contains(word), "{word} in {width}: {names}");
        }
    }
    let narrow = at(52, 1);
    assert!(
        narrow.contains("Somm") && !narrow.contains("Sommertag"),
        "{narrow}"
    );
}

#[test]
fn the_caption_says_which_scale_it_is() {
    let caption = |nature, values: Vec<f32>| {
        // So many columns have no room for numbers.
        let values = Tensor::from_fn(&[2, 200], |i| values[i[1] % values.len()]);
        let heat = bare(&values, nature, &[0, 0]);
        let lines = heat.caption(100, &Theme::true_dark());
        let text = lines.into_iter().flatten().map(|(text, _)| text);
        text.collect::<String>()
    };
    let shares = caption(Nature::Probability, vec![0.001, 0.6225]);
    assert!(shares.starts_with("range 0.0010 … 0.6225"), "{shares}");
    assert_contains(&shares, "colour 0 ");
    assert_ends_with(&shares, "1  fixed scale");
    let signed = caption(Nature::Signed, vec![-2.5, 3.5]);
    assert_contains(&signed, "colour −3.500 ");
    assert_ends_with(&signed, "around 0");
    let lengths = caption(Nature::Signed, vec![138.25, 256.0]);
    assert_contains(&lengths, "colour 138.2 ");
    assert_ends_with(&lengths, "smallest to largest");
    assert_eq!(caption(Nature::Signed, vec![2.0, 2.0]), "range all 2");
}

#[test]
fn in_a_narrow_pane_the_colours_have_a_line_of_their_own() {
    let values = Tensor::from_fn(&[2, 200], |i| if i[1] % 2 == 0 { -2.5 } else { 3.5 });
    let heat = bare(&values, Nature::Signed, &[0, 0]);
    let lines = heat.caption(40, &Theme::true_dark());
    let captions: Vec<String> = lines
        .iter()
        .map(|line| line.iter().map(|(text, _)| text.as_str()).collect())
        .collect();
    assert_eq!(captions[0], "range −2.500 … 3.500");
    assert_starts_with(&captions[1], "colour −3.500 ");
    assert_ends_with(&captions[1], " 3.500");
}

#[test]
fn where_not_all_words_have_room_whole_ones_stand_and_the_cursors_among_them() {
    let (words, values) = subsequent();
    let map = dark(&values, Nature::Mask, (&words, &words), &[0, 15], (30, 8));
    let text = map.text();
    assert!(text.contains("wort15") && !text.contains('…'), "{text}");
}

#[test]
fn a_high_map_of_narrow_columns_has_two_rows_in_a_line() {
    let values = Tensor::from_fn(&[40, 40], |i| (i[0] + i[1]) as f32);
    let map = dark(&values, Nature::Signed, NO_WORDS, &[0, 0], (60, 24));
    assert!(map.row(10).contains("▀▀▀▀"), "{}", map.text());
    assert!(
        !map.row(0).contains("of 40"),
        "all rows are seen: {}",
        map.row(0)
    );
    let plain = drawn(
        &values,
        Nature::Signed,
        NO_WORDS,
        &[0, 0],
        (60, 24),
        &Theme::mono(),
    );
    assert!(!plain.text().contains('▀'), "{}", plain.text());
}

/// Draws a map and its caption, and returns both as text.
fn with_caption(values: &Tensor, nature: Nature, room: u16, theme: &Theme) -> (String, String) {
    let heat = bare(values, nature, &[0, 0]);
    let mut buf = Buffer::empty(Rect::new(0, 0, room, 30));
    heat.draw(buf.area, &mut buf, theme);
    let caption = heat.caption(room.into(), theme);
    let caption = caption.iter().flatten().map(|(words, _)| words.as_str());
    (text(&buf), caption.collect())
}

#[test]
fn without_colour_the_legend_shows_every_glyph_that_the_map_draws() {
    // Too many columns for numbers, so there are only glyphs.
    let shares = Tensor::from_fn(&[4, 16], |i| (i[0] * 16 + i[1]) as f32 / 63.0);
    let signed = Tensor::from_fn(&[4, 16], |i| (i[0] * 16 + i[1]) as f32 - 31.5);
    for theme in [Theme::mono(), Theme::mono().in_ascii()] {
        for (values, nature) in [(&shares, Nature::Probability), (&signed, Nature::Signed)] {
            let (map, legend) = with_caption(values, nature, 40, &theme);
            for glyph in &theme.glyphs().shades[1..] {
                assert!(map.contains(glyph), "{glyph} is not drawn:\n{map}");
                assert!(
                    legend.contains(glyph),
                    "{glyph} is not in the legend: {legend}"
                );
            }
        }
    }
}

#[test]
fn in_few_colours_the_legend_shows_every_step() {
    let shares = Tensor::from_fn(&[4, 16], |i| (i[0] * 16 + i[1]) as f32 / 63.0);
    for theme in [Theme::ansi(), Theme::true_dark().in_256()] {
        let ramp = theme.share.clone();
        let heat = bare(&shares, Nature::Probability, &[0, 0]);
        let caption = heat.caption(40, &theme);
        let shown: Vec<Color> = (caption.iter().flatten())
            .filter_map(|(_, style)| style.bg)
            .collect();
        for percent in 0..=100 {
            let ground = ramp.style(percent as f32 / 100.0).bg.unwrap();
            assert!(
                shown.contains(&ground),
                "{percent} %: {ground:?} of {shown:?}"
            );
        }
    }
}

#[test]
fn probabilities_in_narrow_cells_are_hundredths_with_a_gap() {
    let rows = [
        "The", "little", "dog", "is", "sleeping", "in", "the", "garden", ".", "</s>",
    ];
    let columns = [
        "Der", "kleine", "Hund", "schläft", "im", "Garten", ".", "</s>",
    ];
    let drawn = |strong: f32| {
        let values = Tensor::from_fn(&[10, 8], |i| if i[0] == i[1] { strong } else { 1.0 / 24.0 });
        dark(
            &values,
            Nature::Probability,
            (&rows, &columns),
            &[4, 4],
            (38, 18),
        )
    };
    let text = drawn(0.959).text();
    assert!(text.contains("→ key  in %"), "{text}");
    assert!(text.contains("sleeping   4  4  4  4 96  4  4  4"), "{text}");
    assert!(text.contains("    </s>   4  4  4  4  4  4  4  4"), "{text}");
    // A whole 100 takes the blank, but never looks like 1.
    assert_contains(&drawn(1.0).text(), "    dog   4  4100  4");
}

#[test]
fn a_tall_mask_draws_two_rows_per_line_and_crosses_where_both_are_blocked() {
    let (words, values) = subsequent();
    let map = dark(&values, Nature::Mask, (&words, &words), &[20, 0], (36, 13));
    let said = map.text();
    assert!(!said.contains(" of 21"), "all rows are in sight: {said}");
    assert!(said.contains("wort0 ▀▀×××"), "{said}");
    assert!(said.contains("wort4 ▀▀▀▀▀▀×××"), "{said}");
}
