//! Attention weights between two sentences as lines from the tokens read, on the left, to those written, on the
//! right; a line's thickness shows the weight. The drawing appears above the table with the numbers.

use std::fmt::Write as _;

use crate::lesson::largest;
use crate::tensor::Tensor;
use crate::widgets::svg::escape;

/// Maximum number of tokens; with more, the lines can't be told apart.
const MOST: usize = 16;

/// Weight below which no line is drawn.
const FAINT: f32 = 0.02;

/// Sizes in pixels: the height of a token's row, the widths of an ordinary and of a wide letter in a wide font, the gap
/// between a token and its lines, and the distance from one side to the other.
const LINE: f32 = 26.0;
const LETTER: f32 = 9.0;
const WIDE: f32 = 14.0;
const GAP: f32 = 8.0;
const ACROSS: f32 = 150.0;

/// Width in pixels of a line of weight 1.
const STRONGEST: f32 = 7.0;

/// Explanation of the drawing.
pub const SAYS: &str = "A line is as strong as the weight between a token that was read, on the left, and one that was written.";

/// Draws `weights`, `[written, read]`, as lines; `None` if a token has no text or there are too many tokens.
pub fn html(weights: &Tensor, written: &[String], read: &[String]) -> Option<String> {
    // A row labelled `is → sleeping` is the token that it writes.
    let writes = |row: &String| row.rsplit(" → ").next().unwrap_or_default().to_owned();
    let written: &[String] = &written.iter().map(writes).collect::<Vec<_>>();
    let drawn = *weights.shape() == [written.len(), read.len()]
        && (1..=MOST).contains(&written.len())
        && (1..=MOST).contains(&read.len())
        && written.iter().chain(read).all(|word| !word.is_empty());
    if !drawn {
        return None;
    }
    let rows = written.len().max(read.len());
    let height = rows as f32 * LINE;
    // Centre the shorter sentence vertically.
    let y = |at: usize, count: usize| (at as f32 + 0.5) * LINE + (rows - count) as f32 * LINE / 2.0;
    let from = label_width(read);
    let (to, width) = (from + ACROSS, from + ACROSS + label_width(written));
    let mut out = format!(
        "<svg class=\"tt-lines\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">",
        escape(&alternative(weights, written, read))
    );
    for (at, word) in read.iter().enumerate() {
        let _ = write!(
            out,
            "<text class=\"read\" text-anchor=\"end\" x=\"{:.0}\" y=\"{:.1}\">{}</text>",
            from - GAP,
            y(at, read.len()) + 4.5,
            escape(word)
        );
    }
    let middle = from + ACROSS / 2.0;
    for (row, (word, weights)) in written.iter().zip(rows_of(weights)).enumerate() {
        let end = y(row, written.len());
        out += "<g>";
        let drawn = weights.iter().enumerate();
        for (column, weight) in drawn.filter(|(_, weight)| **weight >= FAINT) {
            let begin = y(column, read.len());
            let _ = write!(
                out,
                "<path stroke-width=\"{:.1}\" stroke-opacity=\"{:.2}\" d=\"M{from:.0} {begin:.1}C{middle:.1} {begin:.1} {middle:.1} {end:.1} {to:.0} {end:.1}\"/>",
                (STRONGEST * weight).max(0.8),
                0.25 + 0.75 * weight,
            );
        }
        let _ = write!(
            out,
            "<text x=\"{:.0}\" y=\"{:.1}\">{}</text></g>",
            to + GAP,
            end + 4.5,
            escape(word)
        );
    }
    Some(out + "</svg>")
}

fn rows_of(weights: &Tensor) -> impl Iterator<Item = &[f32]> {
    weights.data().chunks(weights.last())
}

/// Width in pixels of the longest token and its gap.
fn label_width(words: &[String]) -> f32 {
    let letter = |c: char| if "mwMW@—".contains(c) { WIDE } else { LETTER };
    let width = |word: &String| word.chars().map(letter).sum::<f32>();
    words.iter().map(width).fold(0.0, f32::max) + GAP
}

/// Text alternative: the strongest line of each token.
fn alternative(weights: &Tensor, written: &[String], read: &[String]) -> String {
    let strongest = written.iter().zip(rows_of(weights)).map(|(word, weights)| {
        let column = largest(weights);
        format!("{word} from {} {:.2}", read[column], weights[column])
    });
    format!(
        "Lines from the tokens that were read to those that were written; the strongest of each: {}.",
        strongest.collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn every_weight_that_is_not_faint_has_a_line_as_wide_as_it_is_large() {
        let weights = Tensor::new(&[2, 3], vec![0.8, 0.19, 0.01, 0.0, 0.5, 0.5]);
        let (written, read) = (words(&["The", "dog"]), words(&["Der", "Hund", "<b>"]));
        let drawn = html(&weights, &written, &read).unwrap();
        assert_eq!(drawn.matches("<path").count(), 4);
        assert!(drawn.contains("stroke-width=\"5.6\" stroke-opacity=\"0.85\""));
        assert!(drawn.contains("The from Der 0.80, dog from Hund 0.50."));
        assert!(drawn.contains(">&lt;b&gt;</text>") && !drawn.contains("<b>"));
    }

    #[test]
    fn matrices_without_labels_or_with_too_many_get_no_line_drawing() {
        let weights = Tensor::zeros(&[1, 2]);
        assert!(html(&weights, &words(&["a"]), &words(&["b", ""])).is_none());
        assert!(html(&weights, &words(&["a"]), &words(&["b"])).is_none());
        let long: Vec<String> = (0..17).map(|n| n.to_string()).collect();
        assert!(html(&Tensor::zeros(&[1, 17]), &words(&["a"]), &long).is_none());
    }
}
