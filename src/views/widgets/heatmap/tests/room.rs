//! Tests of how a map uses its room.

use super::*;

#[test]
fn every_row_has_a_line_and_a_word_where_the_room_allows_it() {
    let words = [
        "the", "old", "man", "walks", "his", "dog", "in", "the", "park", ".",
    ];
    let values = Tensor::from_fn(&[10, 8], |i| (i[0] * 8 + i[1]) as f32 / 80.0);
    let theme = Theme::true_dark();
    let room = |height| Rect::new(0, 0, 38, height);
    let labels: (&[&str], &[&str]) = (&words, &words);
    let whole = |height| {
        let fits = |heat: &Heat| heat.whole_height(room(height), &theme);
        with_heat(&values, Nature::Probability, labels, &[0, 0], fits)
    };
    let least = whole(18).unwrap();
    assert!((11..=12).contains(&least), "{least}");
    let map = drawn(
        &values,
        Nature::Probability,
        labels,
        &[0, 0],
        (38, least as u16),
        &theme,
    );
    for (row, word) in words.iter().enumerate() {
        let line = map.row((least - 10 + row) as u16);
        assert!(
            line.trim_start_matches(['▸', ' ']).starts_with(word),
            "{line}\n{}",
            map.text()
        );
    }
    let numbers = |heat: &Heat| heat.has_numbers(room(least as u16), &theme);
    let numbers = with_heat(&values, Nature::Probability, labels, &[0, 0], numbers);
    assert!(numbers, "{}", map.text());
    assert_eq!(whole(9), None);
}

#[test]
fn a_vector_of_words_that_has_no_room_stands_with_each_beside_its_word() {
    let words = ["Der", "kleine", "Hund", "schläft", "im", "Garten", "."];
    let ids = Tensor::new(&[7], vec![160.0, 1454.0, 493.0, 2882.0, 143.0, 2123.0, 6.0]);
    let theme = Theme::true_dark();
    let map = drawn(&ids, Nature::Ids, (&[], &words), &[0], (30, 12), &theme);
    for (word, id) in words
        .iter()
        .zip(["160", "1454", "493", "2882", "143", "2123", "6"])
    {
        let lines = map.text();
        let line = lines
            .lines()
            .find(|line| line.trim_start_matches(['▸', ' ']).starts_with(word));
        assert!(
            line.is_some_and(|line| line.contains(id)),
            "{word}\n{lines}"
        );
    }
}
