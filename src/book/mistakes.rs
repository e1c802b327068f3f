//! Mistakes that a page tells its reader to switch on.

/// Numbers of the mistakes that a text tells its reader to switch on, in order.
pub fn named_mistakes(text: &str, count: usize) -> Vec<usize> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.replace(['`', '*', '"', '('], ""))
        .collect();
    let mut found = Vec::new();
    let mut last = None;
    let one_by_one = text.contains("one mistake at a time");
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        let Some(number) = bare
            .parse::<usize>()
            .ok()
            .filter(|n| bare.len() == 1 && (1..=count).contains(n))
        else {
            continue;
        };
        let is_number = |word: Option<&String>| {
            word.is_some_and(|word| {
                word.trim_end_matches([',', '.', ':'])
                    .parse::<usize>()
                    .is_ok()
            })
        };
        let before = at.checked_sub(1).map_or("", |i| words[i].as_str());
        let two_before = at.checked_sub(2).map_or("", |i| words[i].as_str());
        let switched = before == "on" && matches!(two_before, "Switch" | "switch");
        let after = words.get(at + 1).map_or("", String::as_str);
        let listed =
            last.is_some_and(|last: usize| at - last <= 2) && matches!(before, "and" | "or");
        let goes_on =
            matches!(after, "to" | "and" | "for") || last.is_some_and(|last: usize| last + 1 == at);
        let follows = before.ends_with(',') || matches!(before, "and" | "or");
        let in_list = follows && goes_on && last.is_some();
        let range = matches!(
            before,
            "keys" | "switches" | "Switches" | "through" | "press" | "Press" | "mistakes"
        ) || switched;
        let range = range && after == "to" && is_number(words.get(at + 2));
        // `switch on one mistake at a time: 1 removes it, 2 …`.
        let item = one_by_one && before.ends_with([':', ',']);
        let told = switched
            || matches!(before, "press" | "Press")
            || before == "Switches" && word.ends_with(',');
        if told || listed || in_list || range || item {
            last = Some(at);
            let end = words.get(at + 2).filter(|_| range);
            let end = end.and_then(|end| end.trim_end_matches([',', '.', ':']).parse().ok());
            for number in number..=end.unwrap_or(number).min(count) {
                if !found.contains(&number) {
                    found.push(number);
                }
            }
            last = last.map(|at| if range { at + 2 } else { at });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mistakes_that_a_text_names_are_found() {
        assert_eq!(
            named_mistakes("Press 1 to forget it, 2 to halve it, and 6 to add.", 9),
            [1, 2, 6]
        );
        assert_eq!(
            named_mistakes("Press 4 and 5: none. Press `6`.", 9),
            [4, 5, 6]
        );
        assert_eq!(
            named_mistakes("Go through `1` to `3` and `9`.", 9),
            [1, 2, 3, 9]
        );
        assert_eq!(
            named_mistakes(
                "Press 1 to 5 and 9, one at a time. Press 7 to drop 2 of it.",
                9
            ),
            [1, 2, 3, 4, 5, 9, 7]
        );
        assert_eq!(
            named_mistakes(
                "Switch on one mistake at a time: 1 removes it, 2 adds, 6 waits.",
                9
            ),
            [1, 2, 6]
        );
        assert_eq!(
            named_mistakes("Switch on 1 to 5 and 9. Switches 2, 4, 6 and 7 show it.", 9),
            [1, 2, 3, 4, 5, 9, 6, 7]
        );
        assert_eq!(
            named_mistakes("Press 4 for base 1000, 6 for another exponent.", 9),
            [4, 6]
        );
        assert_eq!(
            named_mistakes("caption = \"Press 4 for one, 6 for two.\"", 9),
            [4, 6]
        );
        assert_eq!(
            named_mistakes("Then press 6 to leave γ out and 7 to leave β out.", 9),
            [6, 7]
        );
        assert_eq!(
            named_mistakes("In sentence 1 there are 3 rows.", 9),
            [] as [usize; 0]
        );
    }
}
