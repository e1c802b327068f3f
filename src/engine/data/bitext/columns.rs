//! Tab-separated columns, two of which are sentences that translate each other.

/// Columns of a file, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// Column of the source.
    pub source: usize,
    /// Column of the target.
    pub target: usize,
}

/// Number of columns that are examined.
const MOST: usize = 8;
/// Number of lines that are examined to tell what the columns are.
const LINES: usize = 100_000;

/// True for a whole or decimal number, such as the number of a sentence or the score of a pair.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.parse::<f64>().is_ok()
}

/// For each column that at least nine lines in ten have, whether at least nine entries in ten are numbers.
fn numbers<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<bool> {
    let (mut entries, mut numbers, mut count) = ([0; MOST], [0; MOST], 0);
    for line in lines.filter(|line| !line.trim().is_empty()).take(LINES) {
        count += 1;
        for (column, entry) in line.split('\t').take(MOST).enumerate() {
            entries[column] += 1;
            numbers[column] += usize::from(is_number(entry.trim()));
        }
    }
    let most = |part: usize| part > 0 && part * 10 >= count * 9;
    let columns = std::iter::zip(entries, numbers).take_while(|(entries, _)| most(*entries));
    columns.map(|(_, numbers)| most(numbers)).collect()
}

/// First column, counted from 1, in which at least nine entries in ten are numbers.
pub fn only_numbers<'a>(lines: impl Iterator<Item = &'a str>) -> Option<usize> {
    let column = numbers(lines).iter().position(|&number| number)?;
    Some(column + 1)
}

/// True if lines are number, sentence, number, translation, as tatoeba.org exports pairs.
pub(super) fn is_tatoeba<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    numbers(lines).starts_with(&[true, false, true, false])
}

impl Columns {
    /// Columns of the sentences. Columns of numbers are skipped. The source comes first beside numbers, as in exports of
    /// tatoeba.org, and otherwise second, as in the files of manythings.org/anki.
    pub fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let numbers = numbers(lines);
        let mut texts = (0..numbers.len()).filter(|&column| !numbers[column]);
        match (texts.next(), texts.next()) {
            (Some(source), Some(target)) if numbers.contains(&true) => Self { source, target },
            _ => Self {
                source: 1,
                target: 0,
            },
        }
    }

    /// Source and target of a line; `None` if it has too few columns.
    pub fn pair<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        let column = |n: usize| line.split('\t').nth(n);
        column(self.source).zip(column(self.target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (usize, usize) {
        let columns = Columns::of(text.lines());
        (columns.source + 1, columns.target + 1)
    }

    #[test]
    fn numbers_beside_sentences_are_skipped() {
        let tatoeba = "1\tHallo!\t5\tHi.\n2\tJa.\t6\tYes.\n";
        assert_eq!(of(tatoeba), (2, 4));
        assert!(is_tatoeba(tatoeba.lines()));
        assert_eq!(of("7\tHallo!\tHi.\n\n8\tJa.\tYes.\n"), (2, 3));
        assert_eq!(of("1.0431\tHallo!\tHi.\n-0.8\tJa.\tYes.\n"), (2, 3));
        assert_eq!(only_numbers("7\tHallo!\n8\tJa.\n".lines()), Some(1));
    }

    #[test]
    fn without_numbers_the_second_column_is_the_source() {
        for text in [
            "Hi.\tHallo!\n",
            "Hi.\tHallo!\tCC-BY 2.0\n",
            "12\tzwölf\n13\tdreizehn\n",
            "",
        ] {
            assert_eq!(of(text), (2, 1), "{text}");
            assert!(!is_tatoeba(text.lines()));
        }
        assert_eq!(Columns::of("".lines()).pair("no tab"), None);
    }

    #[test]
    fn some_sentences_are_numbers() {
        let text = "12\tzwölf\nHi.\tHallo!\n";
        assert_eq!(only_numbers(text.lines()), None);
    }
}
