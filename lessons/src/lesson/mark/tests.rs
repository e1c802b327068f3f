use super::*;
use crate::curriculum;
use crate::testing::{assert_contains, assert_ends_with};

fn attention(markdown: &str) -> [String; 3] {
    let lesson = curriculum::find("attention").unwrap();
    [FrontEnd::Screen, FrontEnd::Plain, FrontEnd::Book]
        .map(|front_end| lesson.says(&for_front_end(markdown, front_end), front_end))
}

#[test]
fn each_front_end_says_how_it_is_done_there() {
    for (markdown, screen, plain, book) in [
        (
            "[Leave the division out](break:no-scale).",
            "Leave the division out (press [`1`](break:no-scale)).",
            "Leave the division out ([`break 1`](break:no-scale)).",
            "[Leave the division out](#do:break=no-scale).",
        ),
        (
            "Try [seven heads](set:heads=7).",
            "Try seven heads (type `:heads=7`).",
            "Try seven heads (`set heads 7`).",
            "Try [seven heads](#do:set=heads=7).",
        ),
        (
            "[The picture](look:leak) shows it.",
            "The picture (type `:look leak`) shows it.",
            "The picture (`look leak`) shows it.",
            "[The picture](#do:look=leak) shows it.",
        ),
        (
            "[Ask the cell](do:why).",
            "Ask the cell (press `Enter`).",
            "Ask the cell (`why`).",
            "[Ask the cell](#do:do=why).",
        ),
        (
            "Heads ([lesson](lesson:multi-head)) [1](https://x.org)",
            "Heads (lesson 05) [1](https://x.org)",
            "Heads (lesson 05) [1](https://x.org)",
            "Heads ([lesson 05](05-multi-head.html)) [1](https://x.org)",
        ),
        (
            "[Turn up the spread](turn:query_std), or [type](turn:text).",
            "Turn up the spread, or type (type `:text=…`).",
            "Turn up the spread (`set query_std`), or type (`set text`).",
            "Turn up the spread, or type.",
        ),
        (
            "[Write it](do:exercise), see [the shapes](page:every-query-meets-every-key) and [what changed](do:difference).",
            "Write it (press `x`), see the shapes (page “All rows at once”) and what changed (press `d`).",
            "Write it (`exercise`), see the shapes (page “All rows at once”) and what changed (`difference`).",
            "[Write it](#exercise), see [the shapes](#every-query-meets-every-key) and [what changed](#do:do=difference).",
        ),
        (
            "[Mr. Dog](<set:text=Der Hund (alt) schläft.>)!",
            "Mr. Dog (type `:text=Der Hund (alt) schläft.`)!",
            "Mr. Dog (`set text Der Hund (alt) schläft.`)!",
            "[Mr. Dog](#do:set=text=Der%20Hund%20%28alt%29%20schl%C3%A4ft.)!",
        ),
        (
            "[Set `heads` to 7](set:heads=7)",
            "Set `heads` to 7 (type `:heads=7`)",
            "Set `heads` to 7 (`set heads 7`)",
            "[Set `heads` to 7](#do:set=heads=7)",
        ),
        (
            "[Take 2 heads](set:heads=2)",
            "Take 2 heads (type `:heads=2`)",
            "Take 2 heads (`set heads 2`)",
            "[Take 2 heads](#do:set=heads=2)",
        ),
        (
            "[Put it back](mend:no-scale)",
            "Put it back (press [`1`](break:no-scale))",
            "Put it back ([`break 1`](break:no-scale))",
            "[Put it back](#do:break=no-scale)",
        ),
        (
            "[One weight](cell:weights[0,0,4,3])",
            "One weight (type `:look weights[0,0,4,3]`)",
            "One weight (`look weights[0,0,4,3]`)",
            "[One weight](#do:look=weights%5B0,0,4,3%5D)",
        ),
        (
            "Choose [a cell](do:ask).",
            "Choose a cell (press `Tab`, the arrows, then `Enter`).",
            "Choose a cell (`why`).",
            "Choose a cell.",
        ),
        (
            "See it [with numbers](page:optional-dot-product).",
            "See it with numbers (optional page “Vectors, norm and dot product”).",
            "See it with numbers (optional page “Vectors, norm and dot product”).",
            "See it [with numbers](#optional-dot-product).",
        ),
        (
            "Row 0 of [the first table](page:start)",
            "Row 0 of the first table (first page of the lesson)",
            "Row 0 of the first table (first page of the lesson)",
            "Row 0 of [the first table](03-attention.html)",
        ),
        (
            "In sum ([some in between](look:roots)), ([alone](do:why), [both](do:step))",
            "In sum (some in between: type `:look roots`), (alone (press `Enter`), both (press `Space`))",
            "In sum (some in between: `look roots`), (alone (`why`), both (`step`))",
            "In sum ([some in between](#do:look=roots)), ([alone](#do:do=why), both)",
        ),
    ] {
        assert_eq!(attention(markdown), [screen, plain, book]);
    }
}

#[test]
fn advice_on_a_mistake_marks_the_settings_that_show_it_best() {
    let lesson = curriculum::find("attention").unwrap();
    let mut mistakes = lesson.mistakes.iter();
    let mistake = mistakes.find(|mistake| mistake.name == "early-dropout");
    let advice = |turned, front_end| {
        let settings = lesson.settings(turned).unwrap();
        lesson.advice(mistake.unwrap(), &settings, front_end)
    };
    for (front_end, end) in [
        (
            FrontEnd::Screen,
            "Try it after changing dropout (type :dropout=0.5).",
        ),
        (
            FrontEnd::Plain,
            "Try it after changing dropout (set dropout 0.5).",
        ),
        (FrontEnd::Book, "Try it after changing dropout."),
    ] {
        assert_ends_with(&advice(&[], front_end), end);
    }
    let enough = advice(&[("dropout", "0.5")], FrontEnd::Screen);
    assert!(!enough.contains("Try it"), "{enough}");
}

#[test]
fn a_callout_of_some_front_ends_is_seen_there_only_and_lines_keep_their_numbers() {
    let markdown = "Look.\n\n> [!BOOK]\n> Use the slider.\n> It moves.\n\n> [!SCREEN]\n> Press `]`.\n\n> [!NOTE]\n> Both.\n\n> [!PROGRAM]\n> Train it.\n";
    let [screen, plain, book] = attention(markdown);
    assert_eq!(
        screen,
        "Look.\n\n\n\n\n\n\nPress `]`.\n\n> [!NOTE]\n> Both.\n\n\nTrain it.\n"
    );
    assert_eq!(
        plain,
        "Look.\n\n\n\n\n\n\n\n\n> [!NOTE]\n> Both.\n\n\nTrain it.\n"
    );
    assert_eq!(
        book,
        "Look.\n\n\nUse the slider.\nIt moves.\n\n\n\n\n> [!NOTE]\n> Both.\n\n\n\n"
    );
}

#[test]
fn brackets_may_stand_in_the_text_of_a_mark() {
    let [screen, ..] = attention("see [row `[0, 4]`](cell:weights[0,0,4,3]) there");
    assert_eq!(
        screen,
        "see row `[0, 4]` (type `:look weights[0,0,4,3]`) there"
    );
}

#[test]
fn a_mark_that_names_nothing_is_refused_with_its_line() {
    let lesson = curriculum::find("attention").unwrap();
    let markdown = "one\n[a](break:nothing) [b](set:heads=many)\n[c](do:dance) [d](lesson:05) [e](set:heads) [f](turn:tail) [g](page:9)";
    let wrong: Vec<(usize, String)> = marks(markdown)
        .filter_map(|(line, mark)| Some((line, mark.and_then(|mark| mark.resolve(lesson)).err()?)))
        .collect();
    let lines: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 2, 3, 3, 3, 3, 3], "{wrong:?}");
    assert_contains(&wrong[3].1, "there is no lesson '05'");
}
