//! Keys of the program in a text, said for a page that has none: what a control of the page does is named by its words,
//! and everything else is said to be in the program.

/// What a reader of the page does instead. Longer phrases first.
const INSTEAD: [(&str, &str); 20] = [
    (
        "Put the cursor on any cell and press Enter",
        "Choose any cell",
    ),
    (
        "put the cursor on any cell and press Enter",
        "choose any cell",
    ),
    ("Press Enter on ", "Choose "),
    ("press Enter on ", "choose "),
    ("Enter on a cell goes", "Choosing a cell goes"),
    ("Enter on a cell shows", "Choosing a cell shows"),
    ("Enter on a cell says", "Choosing a cell says"),
    ("Enter on the cell shows", "Choosing the cell shows"),
    ("Enter on a cell of", "Choosing a cell of"),
    ("Enter on a cell:", "Choose a cell:"),
    ("Enter on a cell", "Choose a cell"),
    ("Enter on the ", "Choose the "),
    ("Enter on it", "Choose it"),
    ("then Enter again on ", "then "),
    ("Enter on any ", "Choose any "),
    ("Backspace goes back up", "Back goes back up"),
    ("`d` draws what changed", "*Difference* shows what changed"),
    (
        "`d` draws the difference",
        "*Difference* shows the difference",
    ),
    (
        "Press `d` for the difference",
        "Choose *Difference* to see the difference",
    ),
    ("press `d`", "choose *Difference*"),
];

/// Words that only the program has a use for.
const KEYS: [&str; 7] = [
    "press",
    "Press",
    "Enter",
    "Backspace",
    "Space",
    "Type",
    "palette",
];

/// A line of prose for the page. `switches` says whether the figure beside it has buttons for the mistakes that it names.
pub fn prose(text: &str, switches: bool) -> String {
    let text = instead(text, switches);
    // The mark of a list's item stays in front.
    let body = text.trim_start_matches(|c: char| c == ' ' || c == '-' || c.is_ascii_digit());
    let body = body.strip_prefix(". ").unwrap_or(body);
    let marked = text.len() - body.len();
    let (mark, body) = match text
        .trim_start()
        .starts_with(['-', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    {
        true if text[..marked].ends_with(' ') => text.split_at(marked),
        _ => ("", text.as_str()),
    };
    let mut out = mark.to_owned();
    let mut before = false;
    for sentence in sentences(body) {
        let start = sentence.len() - sentence.trim_start().len();
        let (blank, rest) = sentence.split_at(start);
        let here = names_key(rest);
        out += blank;
        // Said once for all sentences about the program that follow one another.
        match here && !before {
            true => out += &in_program(rest),
            false => out += rest,
        }
        before = here;
    }
    out
}

/// The sentences that can stand in a figure, and those that are about the program.
pub fn without_keys(text: &str) -> (String, String) {
    let text = instead(text, true);
    let (about, page): (Vec<&str>, Vec<&str>) = sentences(&text)
        .into_iter()
        .partition(|sentence| names_key(sentence));
    let program = match about.is_empty() {
        true => String::new(),
        false => in_program(about.concat().trim()),
    };
    (page.concat().trim().to_owned(), program)
}

/// Whether a text tells its reader to use a key.
pub fn names_key(text: &str) -> bool {
    // A key alone is what a query meets.
    const SIGNS: [&str; 14] = [
        "key `", "keys `", "`]`", "`[`", "`{`", "`}`", "`<`", "`>`", "`?`", "with B ", "< and >",
        "{ and }", "[ and ]", ", B back",
    ];
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| KEYS.contains(&word)) || SIGNS.iter().any(|sign| text.contains(sign))
}

fn in_program(sentence: &str) -> String {
    if sentence.starts_with("In the program") {
        return sentence.to_owned();
    }
    match sentence.strip_prefix("Press ") {
        Some(rest) => format!("In the program, press {rest}"),
        None => format!("In the program: {sentence}"),
    }
}

/// Words that say with which keys a knob is turned, and what is left of them: the page has sliders.
const TURNING: [(&str, &str); 8] = [
    ("; { and } choose the knob", ""),
    (" with { or }, and lower it with [", " and lower it"),
    (": `}` goes to it, and `]` turns it", ""),
    (" with { and }, and turn it with [ and ]", ""),
    (" with }, turn it with [ and ],", " and turn it"),
    (" with `}` and turn it with `]` to", " and turn it to"),
    (" with ] to ", " to "),
    (" with `]` to ", " to "),
];

fn instead(text: &str, switches: bool) -> String {
    let mut text = text.to_owned();
    for (said, shown) in TURNING {
        text = text.replace(said, shown);
    }
    for (said, shown) in INSTEAD {
        text = text.replace(said, shown);
    }
    if switches {
        for digit in '1'..='9' {
            for mark in ["", "`"] {
                let key = format!("{mark}{digit}{mark}");
                for (word, other) in [("Press", "Switch on"), ("press", "switch on")] {
                    text = text.replace(
                        &format!("{word} {key} again"),
                        &format!("{} {digit} off again", &other[..6]),
                    );
                    let said = format!("{word} {key}");
                    text = whole(&text, &said, &format!("{other} {digit}"));
                }
            }
        }
    }
    text
}

/// Replaces `said` where no digit or letter follows it.
fn whole(text: &str, said: &str, shown: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(said) {
        let (before, after) = (&rest[..at], &rest[at + said.len()..]);
        let part = after.starts_with(|c: char| c.is_alphanumeric());
        out += before;
        out += if part { said } else { shown };
        rest = after;
    }
    out + rest
}

/// The text cut behind each full stop, question or exclamation mark that a blank follows; all of it together is the text.
fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        code ^= c == '`';
        let ends = matches!(c, '.' | '?' | '!') && !code;
        if ends && chars.peek().is_some_and(|(_, next)| *next == ' ') {
            all.push(&text[from..=at]);
            from = at + 1;
        }
    }
    if from < text.len() {
        all.push(&text[from..]);
    }
    all
}

/// The numbers of the mistakes that a text tells its reader to switch on, in order.
pub fn named_mistakes(text: &str, count: usize) -> Vec<usize> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.replace(['`', '*'], ""))
        .collect();
    let mut found = Vec::new();
    let mut last = None;
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        let Some(number) = bare
            .parse::<usize>()
            .ok()
            .filter(|n| bare.len() == 1 && (1..=count).contains(n))
        else {
            continue;
        };
        let before = at.checked_sub(1).map_or("", |i| words[i].as_str());
        let after = words.get(at + 1).map_or("", String::as_str);
        let listed =
            last.is_some_and(|last: usize| at - last <= 2) && matches!(before, "and" | "or");
        let in_list = before.ends_with(',') && matches!(after, "to" | "and") && last.is_some();
        let range = matches!(before, "keys" | "switches" | "Switches" | "through") && after == "to";
        if matches!(before, "press" | "Press") || listed || in_list || range {
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
    fn a_key_becomes_a_control_of_the_page_or_is_said_to_be_the_programs() {
        assert_eq!(
            prose("Press 1 to forget the division. It hurts.", true),
            "Switch on 1 to forget the division. It hurts."
        );
        assert_eq!(
            prose("Press `1` again to repair it.", true),
            "Switch 1 off again to repair it."
        );
        assert_eq!(
            prose("- Press r. Look.", false),
            "- In the program, press r. Look."
        );
        assert_eq!(prose("2. Press r.", false), "2. In the program, press r.");
        assert_eq!(prose("60 keys.", false), "60 keys.");
        assert_eq!(
            prose("Look. Press r to time both.", true),
            "Look. In the program, press r to time both."
        );
        assert_eq!(
            prose("Every query meets every key.", true),
            "Every query meets every key."
        );
        assert_eq!(
            prose(
                "Choose the knob `d_k` with `}` and turn it with `]` to 3: fine.",
                false
            ),
            "Choose the knob `d_k` and turn it to 3: fine."
        );
        assert_eq!(
            prose("Turn `at` with ] to train it.", false),
            "Turn `at` to train it."
        );
        assert_eq!(
            prose("The compression is pressing.", true),
            "The compression is pressing."
        );
    }

    #[test]
    fn a_caption_keeps_what_is_of_the_page() {
        let (page, program) = without_keys("A row each. Press r to see it again. Look.");
        assert_eq!(page, "A row each. Look.");
        assert_eq!(program, "In the program, press r to see it again.");
        let (page, program) =
            without_keys("Put the cursor on any cell and press Enter: 64 products.");
        assert_eq!(
            (page.as_str(), program.as_str()),
            ("Choose any cell: 64 products.", "")
        );
    }

    #[test]
    fn the_mistakes_that_a_text_names_are_found() {
        assert_eq!(
            named_mistakes("Press 1 to forget it, 2 to halve it, and 6 to add.", 9),
            [1, 2]
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
            named_mistakes("In sentence 1 there are 3 rows.", 9),
            [] as [usize; 0]
        );
    }
}
