//! Keys of the program in a text, said for a page that has none: what a control of the page does is named by its words,
//! and what only the program can do is left out.

use super::commands;

/// What a reader of the page has instead. Longer phrases first.
const INSTEAD: [(&str, &str); 69] = [
    // The page's figures stand in the place of the stage.
    (
        "the **stage**, the picture that comes with this text, shows it at work",
        "the **figures** of this book show it at work",
    ),
    (
        "A **knob** is a setting of the stage",
        "A **knob** is a setting of a figure",
    ),
    ("Every number on this screen", "Every number in this book"),
    ("on the stage", "in the figure"),
    ("on this stage", "in this figure"),
    ("before the stage", "before the figure"),
    ("The stage refuses", "The run refuses"),
    ("this stage does", "this run does"),
    ("The stage runs", "The lesson runs"),
    ("The stage", "The figure"),
    ("the stage", "the figure"),
    // The cursor is a cell with an outline.
    (
        "Put the cursor on any cell and press Enter",
        "Choose any cell",
    ),
    (
        "put the cursor on any cell and press Enter",
        "choose any cell",
    ),
    (
        "Put the cursor there and press Enter again and again",
        "Choose it, and then number after number",
    ),
    (
        "Put the cursor on a row and on the column of a token, and press Enter",
        "Choose a cell in the column of a token",
    ),
    (
        ", put the cursor on the box \"5 cross attn\" and press Enter",
        ", open the box \"5 cross attn\"",
    ),
    ("Move the cursor along one of them", "Follow one of them"),
    (
        "for the row with the cursor",
        "for the row of the outlined cell",
    ),
    (
        "for the sentence with the cursor",
        "for the sentence of the outlined cell",
    ),
    (
        "those of the row with the cursor",
        "those of the row of the outlined cell",
    ),
    ("the row under the cursor", "the row of the outlined cell"),
    ("The cursor stands", "The outlined cell stands"),
    ("the cursor is on", "the outlined cell is"),
    // Asking a cell.
    ("Press Enter. You see", "Choose it. You see"),
    (
        "Press Enter again to go down to the number that is marked",
        "Choose the first of them to go down",
    ),
    ("Press Enter on ", "Choose "),
    ("press Enter on ", "choose "),
    ("Enter on a cell goes", "Choosing a cell goes"),
    ("Enter on a cell shows", "Choosing a cell shows"),
    ("Enter on a cell says", "Choosing a cell says"),
    ("Enter on a cell leads", "Choosing a cell leads"),
    ("Enter on the cell shows", "Choosing the cell shows"),
    ("Enter on the id shows", "Choosing the id shows"),
    ("Enter on a cell of", "Choosing a cell of"),
    ("Enter on any number says", "choosing any number says"),
    ("Enter on a cell:", "Choose a cell:"),
    ("Enter on a cell", "Choose a cell"),
    ("Enter on the one of", "Choosing the one of"),
    ("Enter on the ", "Choose the "),
    ("Enter on it", "Choose it"),
    ("then Enter again on ", "then "),
    ("then Enter on ", "then "),
    ("Backspace goes back.", "*Back* goes back."),
    ("Step back: between", "Between"),
    ("Enter on any ", "Choose any "),
    ("Backspace goes back up", "*Back* goes back up"),
    // Mistakes.
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
    (", and d to see the difference", ", and choose *Difference*"),
    (
        "(Press a number again to switch it off.)",
        "(Choose it again to switch it off.)",
    ),
    (
        "The same key switches the mistake off",
        "The same button switches the mistake off",
    ),
    ("Each of the keys `1` to", "Each of the mistakes `1` to"),
    ("Before you press one", "Before you choose one"),
    ("| key | what is missing |", "| mistake | what is missing |"),
    ("; keys 1 to 7 show them", ""),
    ("the mistakes on keys 1 to", "the mistakes 1 to"),
    ("Go through keys", "Go through mistakes"),
    // Ways to a picture.
    (
        " and press `v` until you see the picture ",
        " and look at the picture ",
    ),
    (
        "Press `v` until you see the picture ",
        "Look at the picture ",
    ),
    (" with `v`", ""),
    (" (key v)", ""),
    (": type : and this name", ""),
    (", and press Enter", ""),
    (" and press Enter", ""),
    (" and press g on some cells", ""),
    (": press `x`", ""),
    ("Press `x`: your file is", "Your file is"),
];

/// Words that only the program has a use for.
const KEYS: [&str; 8] = [
    "press",
    "Press",
    "Enter",
    "Backspace",
    "Space",
    "Esc",
    "palette",
    "cursor",
];

/// Signs of keys that are no words. A key alone is also what a query meets, and `x` alone a tensor.
const SIGNS: [&str; 34] = [
    "key `",
    "keys `",
    "The keys <",
    "the keys <",
    "The keys r",
    "The keys,",
    "`]`",
    "`[`",
    "`{`",
    "`}`",
    "`<`",
    "`>`",
    "`?`",
    "with B ",
    "< and >",
    "{ and }",
    "[ and ]",
    ", B back",
    "`:",
    ":look",
    "ype `",
    "ype another",
    "ype your own",
    "type :",
    "n turns the page",
    "`z` asks",
    "Then `z`",
    "then `z`",
    "`u` takes",
    "`q` leads",
    "`f` does",
    "n plain mode",
    "with ] to",
    "with [ to",
];

/// Two who wrote a paper.
const NAMES: [&str; 2] = ["Press and Wolf", "Ofir Press"];

/// A line of prose for the page, without the sentences that are about the program; empty where nothing is left. `switches`
/// says whether the figure beside it has buttons for the mistakes that it names.
pub fn prose(text: &str, switches: bool) -> String {
    let text = instead(text, switches);
    let (mark, body) = text.split_at(marked(&text));
    let kept: Vec<String> = sentences(body).into_iter().filter_map(of_page).collect();
    match kept.is_empty() && !body.trim().is_empty() {
        true => String::new(),
        false => mark.to_owned() + &kept.concat(),
    }
}

/// A callout's line. Where its first sentence is the program's, what follows speaks of that, unless it names something that
/// the page has.
pub fn callout(text: &str, switches: bool) -> String {
    const PAGE: [&str; 7] = [
        "Switch ", "Choose ", "Turn ", "Set ", "Look at ", "Go to ", "Follow ",
    ];
    let said = prose(text, switches);
    let all = instead(text, switches);
    let first = sentences(&all).into_iter().next().unwrap_or("");
    let begins = of_page(first).is_some();
    let page = PAGE.iter().any(|word| said.contains(word));
    if begins || page { said } else { String::new() }
}

/// A sentence as it can stand in the page; `None` where it is about keys.
fn of_page(sentence: &str) -> Option<String> {
    if !names_key(sentence) {
        return Some(sentence.to_owned());
    }
    let blank = &sentence[..sentence.len() - sentence.trim_start().len()];
    let bare = without_asides(sentence.trim_start());
    let bare = started(&bare);
    (!names_key(&bare)).then(|| format!("{blank}{bare}"))
}

/// How long the mark of a list's item is, that stays in front.
fn marked(text: &str) -> usize {
    let body = text.trim_start();
    let indent = text.len() - body.len();
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match (
        body.starts_with("- "),
        digits > 0 && body[digits..].starts_with(". "),
    ) {
        (true, _) => 2,
        (_, true) => digits + 2,
        _ => 0,
    };
    if mark == 0 { 0 } else { indent + mark }
}

/// Without what stands in brackets, or behind the last semicolon, and names a key.
fn without_asides(sentence: &str) -> String {
    let mut text = sentence.to_owned();
    while let Some(from) = text.rfind(" (").filter(|from| {
        let inner = &text[*from..];
        inner.find(')').is_some_and(|to| names_key(&inner[..=to]))
    }) {
        let to = from + text[from..].find(')').unwrap_or(0);
        text.replace_range(from..=to, "");
    }
    while let Some(from) = text.rfind("; ").filter(|from| names_key(&text[*from..])) {
        let end = text[from..].trim_end().ends_with(['.', '?', '!']);
        text.truncate(from);
        text += if end { "." } else { "" };
    }
    text
}

/// `240 steps.` of `Press Enter: 240 steps.`: a book's experiment has run.
fn started(sentence: &str) -> String {
    for start in ["Press Enter: ", "Press r: ", "Press `r`: "] {
        if let Some(rest) = sentence.strip_prefix(start) {
            let mut letters = rest.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            return first.chain(letters).collect();
        }
    }
    sentence.to_owned()
}

/// A caption or a sentence about a run as it can stand below a figure.
pub fn caption(text: &str) -> String {
    prose(text, true).trim().to_owned()
}

/// What a knob or a field is, without how the program takes it.
pub fn about(text: &str) -> String {
    without_asides(text)
}

/// A heading or a row of a table: it stays whole.
pub fn row(line: &str) -> String {
    let words = INSTEAD.iter();
    words.fold(line.to_owned(), |line, (said, shown)| {
        line.replace(said, shown)
    })
}

/// Whether a text tells its reader to use a key.
pub fn names_key(text: &str) -> bool {
    let text = NAMES
        .iter()
        .fold(text.to_owned(), |text, name| text.replace(name, ""));
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| KEYS.contains(&word)) || SIGNS.iter().any(|sign| text.contains(sign))
}

/// Words that say with which keys a knob is turned, and what is left of them: the page has sliders.
const TURNING: [(&str, &str); 9] = [
    ("; { and } choose the knob", ""),
    (" with { or }, and lower it with [", " and lower it"),
    (": `}` goes to it, `]` and `[` turn it", ""),
    (": `}` goes to it, and `]` turns it", ""),
    (" with { and }, and turn it with [ and ]", ""),
    (" with }, turn it with [ and ],", " and turn it"),
    (" with `}` and turn it with `]` to", " and turn it to"),
    (" with ] to ", " to "),
    (" with `]` to ", " to "),
];

fn instead(text: &str, switches: bool) -> String {
    let mut text = commands::said(text);
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
pub fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        code ^= c == '`';
        let ends = matches!(c, '.' | '?' | '!') && !code;
        // A bracket that a sentence ends in belongs to it.
        let end = match chars.peek() {
            Some((_, ')')) if ends => at + 2,
            _ => at + 1,
        };
        if ends && text[end..].starts_with(' ') {
            all.push(&text[from..end]);
            from = end;
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
        let before = at.checked_sub(1).map_or("", |i| words[i].as_str());
        let after = words.get(at + 1).map_or("", String::as_str);
        let listed =
            last.is_some_and(|last: usize| at - last <= 2) && matches!(before, "and" | "or");
        let in_list = before.ends_with(',') && matches!(after, "to" | "and") && last.is_some();
        let is_number = |word: Option<&String>| {
            word.is_some_and(|word| {
                word.trim_end_matches([',', '.', ':'])
                    .parse::<usize>()
                    .is_ok()
            })
        };
        let range = matches!(
            before,
            "keys" | "switches" | "Switches" | "through" | "press" | "Press" | "mistakes"
        ) && after == "to"
            && is_number(words.get(at + 2));
        // `switch on one mistake at a time: 1 removes it, 2 …`.
        let item = one_by_one && before.ends_with([':', ',']);
        if matches!(before, "press" | "Press") || listed || in_list || range || item {
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
    fn a_key_becomes_a_control_of_the_page_or_is_left_out() {
        for (text, page) in [
            (
                "Press 1 to forget the division. It hurts.",
                "Switch on 1 to forget the division. It hurts.",
            ),
            (
                "Press `1` again to repair it.",
                "Switch 1 off again to repair it.",
            ),
            ("- Press r. Look.", "- Look."),
            ("2. Press r.", ""),
            ("60 keys.", "60 keys."),
            ("Look. Press r to time both.", "Look."),
            (
                "Every query meets every key.",
                "Every query meets every key.",
            ),
            (
                "The compression is pressing.",
                "The compression is pressing.",
            ),
            (
                "As [Press and Wolf](x) say, it is.",
                "As [Press and Wolf](x) say, it is.",
            ),
            (
                "Compare with decoder.layers.1.src_attn.weights: type : and this name.",
                "Compare with decoder.layers.1.src_attn.weights.",
            ),
            (
                "Choose the knob `d_k` with `}` and turn it with `]` to 3: fine.",
                "Choose the knob `d_k` and turn it to 3: fine.",
            ),
            ("Turn `at` with ] to train it.", "Turn `at` to train it."),
            (
                "Press 2 and look at sentence 1 (`<` and `>` choose the sentence).",
                "Switch on 2 and look at sentence 1.",
            ),
            (
                "Press Enter: 240 steps. It learns.",
                "240 steps. It learns.",
            ),
            (
                "Layer 0, head 0. The keys < and > choose another head.",
                "Layer 0, head 0.",
            ),
            (
                "It rises. (Press Enter for more.) It falls.",
                "It rises. It falls.",
            ),
            ("Is it so? Then `z` asks the questions.", "Is it so?"),
            (
                "Type `:steps=200` for a longer race.",
                "Set `steps` to `200` for a longer race.",
            ),
            (
                "The table on the stage grows.",
                "The table in the figure grows.",
            ),
        ] {
            assert_eq!(prose(text, true).trim_start(), page);
        }
        assert_eq!(
            callout("Press `e` to change it. It is computed again.", true),
            ""
        );
        assert_eq!(
            callout("Press `n` to go on. Switch on one of them.", true).trim(),
            "Switch on one of them."
        );
        assert_eq!(prose("Press 1. Look.", false).trim(), "Look.");
    }

    #[test]
    fn what_a_field_takes_is_said_without_the_programs_way_to_type_it() {
        assert_eq!(
            about("a German sentence (type :sentence=… and Enter)"),
            "a German sentence"
        );
        assert_eq!(
            about("the sentence that is split; type your own with :sentence=… and Enter"),
            "the sentence that is split"
        );
        assert_eq!(about("the seed (any)"), "the seed (any)");
        let caption = caption("Put the cursor on any cell and press Enter: 64 products.");
        assert_eq!(caption, "Choose any cell: 64 products.");
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
            named_mistakes("In sentence 1 there are 3 rows.", 9),
            [] as [usize; 0]
        );
    }
}
