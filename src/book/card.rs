//! The picture that sites show beside a link to the book: the attention of the first page, drawn as ribbons.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::curriculum::LESSONS;
use crate::lesson::Body;
use crate::lesson::session::Session;
use crate::tensor::Tensor;

/// Size in pixels, and the rows between which ribbons run.
const SIZE: [usize; 2] = [1200, 630];
const BAND: [usize; 2] = [150, 480];
const EDGE: f32 = 80.0;

/// Colours of the style sheet: paper, ink and attention.
const PAPER: [f32; 3] = [252.0, 252.0, 250.0];
const INK: [f32; 3] = [27.0, 29.0, 33.0];
const ATTEND: [f32; 3] = [35.0, 80.0, 196.0];

/// The picture as a PNG; `None` if the tour no longer shows its attention.
pub fn png() -> Option<Vec<u8>> {
    let tour = Session::new(LESSONS[0]);
    let mut pictures = tour.run().pictures.iter();
    pictures.find_map(|picture| match &picture.body {
        Body::Matrix {
            values,
            rows,
            columns,
            links_words: true,
            ..
        } => Some(encoded(&drawn(values, &rows.1, &columns.1))),
        _ => None,
    })
}

/// Pixels, row by row: the tokens that are read above, those that read them below, each as a bar as long as its text.
fn drawn(weights: &Tensor, rows: &[String], columns: &[String]) -> Vec<[f32; 3]> {
    let [width, height] = SIZE;
    let mut pixels = vec![PAPER; width * height];
    let mut blend = |[left, right]: [f32; 2], y: usize, ink: [f32; 3], opacity: f32| {
        for x in left.round() as usize..(right.round() as usize).min(width) {
            let pixel = &mut pixels[y * width + x];
            *pixel = std::array::from_fn(|i| pixel[i] + (ink[i] - pixel[i]) * opacity);
        }
    };
    let place = |n: usize, count: usize| {
        EDGE + (n as f32 + 0.5) * (width as f32 - 2.0 * EDGE) / count as f32
    };
    let row = |n: usize| &weights.data()[n * columns.len()..][..columns.len()];
    let sums: Vec<f32> = (0..columns.len())
        .map(|c| (0..rows.len()).map(|n| row(n)[c]).sum())
        .collect();
    // Ribbons as wide as their weights, beside one another above and below.
    let most = sums.iter().copied().fold(1.0, f32::max);
    let one = 0.8 * (width as f32 - 2.0 * EDGE) / columns.len().max(rows.len()) as f32 / most;
    let mut used: Vec<f32> = sums
        .iter()
        .enumerate()
        .map(|(c, sum)| place(c, columns.len()) - sum * one / 2.0)
        .collect();
    for n in 0..rows.len() {
        let mut below = place(n, rows.len()) - one / 2.0;
        for (column, share) in row(n).iter().enumerate() {
            let (above, wide) = (used[column], share * one);
            // What is thinner than a pixel would be specks.
            let rows = if wide < 1.0 { 0..0 } else { BAND[0]..BAND[1] };
            for y in rows {
                let part = (y - BAND[0]) as f32 / (BAND[1] - BAND[0]) as f32;
                let left = above + (below - above) * part * part * (3.0 - 2.0 * part);
                blend([left, left + wide], y, ATTEND, 0.3 + 0.6 * share);
            }
            used[column] += wide;
            below += wide;
        }
    }
    for (words, y) in [(columns, BAND[0] - 34), (rows, BAND[1] + 20)] {
        for (n, word) in words.iter().enumerate() {
            let word = word.rsplit(" → ").next().unwrap_or_default();
            let (middle, half) = (place(n, words.len()), 5.0 * word.chars().count() as f32);
            for y in y..y + 14 {
                blend([middle - half, middle + half], y, INK, 1.0);
            }
        }
    }
    pixels
}

/// Pixels as a PNG of 8 bits for each of red, green and blue.
fn encoded(pixels: &[[f32; 3]]) -> Vec<u8> {
    let [width, height] = SIZE;
    let mut rows = Vec::new();
    for row in pixels.chunks(width) {
        rows.push(0); // as they are, not as differences
        rows.extend(row.iter().flatten().map(|x| x.round() as u8));
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = packed.write_all(&rows).and_then(|()| packed.finish());
    let size = [width, height].map(|x| (x as u32).to_be_bytes()).concat();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let parts = [
        (b"IHDR", [&size[..], &[8, 2, 0, 0, 0]].concat()),
        (b"IDAT", packed.expect("memory can be written to")),
        (b"IEND", Vec::new()),
    ];
    for (name, data) in parts {
        png.extend((data.len() as u32).to_be_bytes());
        let mut sum = flate2::Crc::new();
        sum.update(name);
        sum.update(&data);
        png.extend(name);
        png.extend(data);
        png.extend(sum.sum().to_be_bytes());
    }
    png
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_a_png_with_paper_ink_and_blue() {
        let weights = Tensor::new(&[2, 2], vec![1.0, 0.0, 0.5, 0.5]);
        let words = ["a", "b"].map(str::to_owned);
        let pixels = drawn(&weights, &words, &words);
        for ink in [PAPER, INK] {
            assert!(pixels.contains(&ink));
        }
        assert!(pixels.iter().any(|[red, _, blue]| blue - red > 100.0));
        let png = encoded(&pixels);
        assert!(
            png.starts_with(b"\x89PNG") && png.len() < 60_000,
            "{}",
            png.len()
        );
    }
}
