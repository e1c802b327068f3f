//! The one table of commands: it feeds dispatch, footer, help and palette.

use crate::lesson::knob::did_you_mean;
use crate::lesson::live::Steer;
use crate::lesson::session::Session;
use crate::widgets::curves::view::Turn;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves the cursor, the text or a list: columns to the right, rows down.
    Move(isize, isize),
    /// Moves a leading index of the tensor.
    Lead(isize),
    /// Steps through the recorded run.
    Step(isize),
    /// Asks the cell, or goes on to the chosen term.
    Why,
    /// Goes on to the other factor of the chosen product.
    Partner,
    /// Goes back up.
    Up,
    /// Turns the chosen knob.
    Turn(isize),
    /// Chooses another knob.
    Knob(isize),
    /// Switches mistake number n.
    Break(usize),
    /// Draws the difference to the sound run.
    Difference,
    /// Gives the cell under the cursor another value.
    Edit,
    /// Takes the last change of a cell back.
    Undo,
    /// Makes it again.
    Redo,
    /// Flips every tensor to its gradient; `true`: of the cell under the cursor.
    Lens(bool),
    /// Checks the slope by the cell under the cursor by finite differences.
    Differences,
    /// Looks at another picture.
    Picture(isize),
    /// Turns the view of the chart looked at.
    Chart(Turn),
    /// Starts the experiment of the picture; begins, pauses and goes on with work that is steered.
    Run,
    /// Steers the work of the picture.
    Steer(Steer),
    /// Another page of the lesson.
    Page(isize),
    /// The next pane.
    Pane,
    /// Answers the page's question.
    Predict,
    /// The questions at the end.
    Quiz,
    /// The exercise.
    Exercise,
    /// A hint for the exercise.
    Hint,
    /// The real source of the operation.
    Source,
    /// The playground.
    Play,
    /// The list of lessons.
    Map,
    /// Copies the command that shows this screen.
    Copy,
    /// Searches the lessons.
    Search,
    /// The mouse for the program or for the terminal.
    Mouse,
    /// What is possible here.
    Help,
    /// All commands by name.
    Palette,
    /// Stops the program, for the shell.
    Suspend,
    /// Back.
    Back,
    /// Ends the program.
    Quit,
}

/// One command.
pub struct Command {
    /// The keys that call it, as [`key_name`] spells them.
    pub keys: &'static [&'static str],
    /// Its name in the palette.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// A short word for the footer; empty where it has no place there. The table's order is the
    /// order in which entries are kept.
    pub footer: &'static str,
    /// The keys as the footer and the help print them.
    pub shown: &'static str,
    /// What it does.
    pub action: Action,
}

const fn command(
    keys: &'static [&'static str],
    shown: &'static str,
    footer: &'static str,
    name: &'static str,
    about: &'static str,
    action: Action,
) -> Command {
    Command {
        keys,
        name,
        about,
        footer,
        shown,
        action,
    }
}

/// Every command, the most useful first.
pub static COMMANDS: [Command; 68] = [
    command(
        &["n", "pagedown"],
        "n",
        "next page",
        "next page",
        "goes on in the text",
        Action::Page(1),
    ),
    command(
        &["space"],
        "␣",
        "step",
        "step",
        "shows the next recorded operation",
        Action::Step(1),
    ),
    command(
        &["enter"],
        "↵",
        "why",
        "why",
        "says where the cell under the cursor came from; again: goes on to the chosen operand",
        Action::Why,
    ),
    command(
        &["?"],
        "?",
        "help",
        "help",
        "lists what is possible here",
        Action::Help,
    ),
    command(
        &["p"],
        "p",
        "predict",
        "predict",
        "answers the page's question before the result is shown",
        Action::Predict,
    ),
    command(
        &["]"],
        "[ ]",
        "knob",
        "turn up",
        "turns the chosen knob up",
        Action::Turn(1),
    ),
    command(
        &["["],
        "[",
        "",
        "turn down",
        "turns the chosen knob down",
        Action::Turn(-1),
    ),
    command(
        &["tab"],
        "⇥",
        "pane",
        "pane",
        "goes to the next pane",
        Action::Pane,
    ),
    command(
        &["backspace"],
        "⌫",
        "up",
        "up",
        "goes back up to the cell asked about before",
        Action::Up,
    ),
    command(
        &["v"],
        "v",
        "picture",
        "picture",
        "looks at the next picture of the lesson",
        Action::Picture(1),
    ),
    command(
        &["V"],
        "V",
        "",
        "picture before",
        "looks at the picture before",
        Action::Picture(-1),
    ),
    command(
        &["r"],
        "r",
        "run",
        "run",
        "starts the experiment of the picture looked at; pauses a training run, and goes on",
        Action::Run,
    ),
    command(
        &["i"],
        "i I",
        "zoom",
        "zoom in",
        "looks closer at a chart, around its reading line, which the arrows move",
        Action::Chart(Turn::Zoom(1)),
    ),
    command(
        &["I"],
        "I",
        "",
        "zoom out",
        "looks at more of a chart",
        Action::Chart(Turn::Zoom(-1)),
    ),
    command(
        &["Y"],
        "Y",
        "log",
        "log scale",
        "turns a chart's vertical axis logarithmic, or linear again",
        Action::Chart(Turn::Log),
    ),
    command(
        &["G", "end"],
        "G",
        "newest",
        "newest",
        "puts a chart's reading line on the newest point, where a window follows the run",
        Action::Chart(Turn::Newest),
    ),
    command(
        &["0"],
        "0",
        "whole",
        "whole chart",
        "shows all of a chart again",
        Action::Chart(Turn::Whole),
    ),
    command(
        &["d"],
        "d",
        "difference",
        "difference",
        "draws the broken run minus the sound one",
        Action::Difference,
    ),
    command(
        &["b"],
        "b",
        "gradients",
        "gradients",
        "flips every tensor to its gradient: of the loss, or of this cell",
        Action::Lens(false),
    ),
    command(
        &["ctrl-b"],
        "^b",
        "",
        "gradients of this cell",
        "flips every tensor to the gradient of the cell under the cursor",
        Action::Lens(true),
    ),
    command(
        &["g"],
        "g",
        "check",
        "check a gradient",
        "nudges this cell by steps of several sizes, and holds the slope against the tape's",
        Action::Differences,
    ),
    command(
        &["e"],
        "e",
        "edit",
        "edit",
        "gives this cell another value; everything downstream runs again",
        Action::Edit,
    ),
    command(
        &["u"],
        "u",
        "undo",
        "undo",
        "takes the last change of a cell back",
        Action::Undo,
    ),
    command(
        &["U", "ctrl-r"],
        "U",
        "",
        "redo",
        "makes the change again that was taken back",
        Action::Redo,
    ),
    command(
        &["S"],
        "S",
        "one update",
        "one update",
        "makes one update of a training run, then pauses",
        Action::Steer(Steer::Step(1)),
    ),
    command(
        &["+", "="],
        "+ -",
        "rate",
        "higher rate",
        "raises a training run's learning rate by half",
        Action::Steer(Steer::Rate(1)),
    ),
    command(
        &["-"],
        "-",
        "",
        "lower rate",
        "lowers a training run's learning rate by a third",
        Action::Steer(Steer::Rate(-1)),
    ),
    command(
        &["t"],
        "t T",
        "back in time",
        "back in time",
        "looks at an earlier snapshot of a training run",
        Action::Steer(Steer::Rewind(-1)),
    ),
    command(
        &["T"],
        "T",
        "",
        "forward in time",
        "looks at a later snapshot",
        Action::Steer(Steer::Rewind(1)),
    ),
    command(
        &["f"],
        "f",
        "fork",
        "fork",
        "goes on from the snapshot looked at, with the knobs' rate and dropout, as another lane beside the one it leaves",
        Action::Steer(Steer::Fork),
    ),
    command(
        &["O"],
        "O",
        "lane",
        "other lane",
        "puts another lane of a training run in front: the keys steer it, and its drawings are shown",
        Action::Steer(Steer::Lane(1)),
    ),
    command(
        &["A"],
        "A",
        "all lanes",
        "all lanes",
        "lets all lanes of a training run go on side by side, or pauses them all",
        Action::Steer(Steer::Race(None)),
    ),
    command(
        &["w"],
        "w",
        "save",
        "save",
        "writes a checkpoint of a training run",
        Action::Steer(Steer::Save),
    ),
    command(
        &["R"],
        "R",
        "resume",
        "resume",
        "goes on from the last checkpoint of a training run",
        Action::Steer(Steer::Resume),
    ),
    command(
        &["a"],
        "a",
        "head",
        "other head",
        "shows another head of a training run",
        Action::Steer(Steer::Head),
    ),
    command(
        &["F"],
        "F",
        "",
        "other part",
        "puts another drawing of a training run in front",
        Action::Steer(Steer::Front),
    ),
    command(
        &["c"],
        "c",
        "",
        "give up",
        "gives a training run up, or of several lanes the one in front; its checkpoints stay",
        Action::Steer(Steer::Cancel),
    ),
    command(
        &["x"],
        "x",
        "exercise",
        "exercise",
        "shows the function to write, and checks it when you save",
        Action::Exercise,
    ),
    command(
        &["P"],
        "P",
        "play",
        "play",
        "opens the playground: your sentence, any model, and all that can be seen of it; :translate and a sentence, too",
        Action::Play,
    ),
    command(
        &["L"],
        "L",
        "lessons",
        "lessons",
        "shows the list of lessons",
        Action::Map,
    ),
    command(
        &[":"],
        ":",
        "go",
        "palette",
        "finds any command by name; heads=4 sets a knob, look NAME goes to a tensor or picture",
        Action::Palette,
    ),
    command(
        &["q"],
        "q",
        "back",
        "back",
        "closes what is open, or goes back to the lessons",
        Action::Back,
    ),
    command(
        &["N", "pageup"],
        "N",
        "",
        "page before",
        "goes back in the text",
        Action::Page(-1),
    ),
    command(
        &["B", "shift-space"],
        "B",
        "",
        "step back",
        "shows the operation before",
        Action::Step(-1),
    ),
    command(
        &["}"],
        "}",
        "",
        "next knob",
        "chooses the next knob",
        Action::Knob(1),
    ),
    command(
        &["{"],
        "{",
        "",
        "knob before",
        "chooses the knob before",
        Action::Knob(-1),
    ),
    command(
        &[">", "."],
        ">",
        "",
        "next slice",
        "raises the leading index (batch, head) that is shown",
        Action::Lead(1),
    ),
    command(
        &["<", ","],
        "<",
        "",
        "slice before",
        "lowers the leading index that is shown",
        Action::Lead(-1),
    ),
    command(
        &["o"],
        "o",
        "",
        "other factor",
        "goes on to the other factor of the chosen product",
        Action::Partner,
    ),
    command(
        &["s"],
        "s",
        "",
        "source",
        "shows the source that made this tensor",
        Action::Source,
    ),
    command(
        &["up", "k"],
        "↑",
        "",
        "move up",
        "moves up",
        Action::Move(0, -1),
    ),
    command(
        &["down", "j"],
        "↓",
        "",
        "move down",
        "moves down",
        Action::Move(0, 1),
    ),
    command(
        &["left", "h"],
        "←",
        "",
        "move left",
        "moves left; on a chart, the reading line",
        Action::Move(-1, 0),
    ),
    command(
        &["right", "l"],
        "→",
        "",
        "move right",
        "moves right; on a chart, the reading line",
        Action::Move(1, 0),
    ),
    command(
        &["1"],
        "1",
        "",
        "break 1",
        "switches the first mistake on or off",
        Action::Break(1),
    ),
    command(
        &["2"],
        "2",
        "",
        "break 2",
        "switches the second mistake",
        Action::Break(2),
    ),
    command(
        &["3"],
        "3",
        "",
        "break 3",
        "switches the third mistake",
        Action::Break(3),
    ),
    command(
        &["4"],
        "4",
        "",
        "break 4",
        "switches the fourth mistake",
        Action::Break(4),
    ),
    command(
        &["5"],
        "5",
        "",
        "break 5",
        "switches the fifth mistake",
        Action::Break(5),
    ),
    command(
        &["6"],
        "6",
        "",
        "break 6",
        "switches the sixth mistake",
        Action::Break(6),
    ),
    command(
        &["7"],
        "7",
        "",
        "break 7",
        "switches the seventh mistake",
        Action::Break(7),
    ),
    command(
        &["8"],
        "8",
        "",
        "break 8",
        "switches the eighth mistake",
        Action::Break(8),
    ),
    command(
        &["9"],
        "9",
        "",
        "break 9",
        "switches the ninth mistake",
        Action::Break(9),
    ),
    command(
        &["z"],
        "z",
        "",
        "quiz",
        "asks the lesson's questions",
        Action::Quiz,
    ),
    command(
        &["H"],
        "H",
        "",
        "hint",
        "gives a hint for the exercise, each time a plainer one",
        Action::Hint,
    ),
    command(
        &["/"],
        "/",
        "",
        "search",
        "finds a word in all lessons",
        Action::Search,
    ),
    command(
        &["y"],
        "y",
        "",
        "copy",
        "copies the command that shows this stage",
        Action::Copy,
    ),
    command(
        &["Q", "ctrl-c"],
        "Q",
        "quit",
        "quit",
        "ends the program; your place is kept",
        Action::Quit,
    ),
];

/// The mouse's own toggle, in the palette only: capture takes the terminal's text selection away.
pub static MOUSE: Command = command(
    &["M"],
    "M",
    "",
    "mouse",
    "gives the mouse to the terminal, for selecting text, or takes it back",
    Action::Mouse,
);

/// What a shell's user expects, in the palette only.
pub static SUSPEND: Command = command(
    &["ctrl-z"],
    "^z",
    "",
    "suspend",
    "stops the program and goes back to the shell; fg goes on",
    Action::Suspend,
);

/// Every command, those without a place in the footer too.
pub fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain([&MOUSE, &SUSPEND])
}

/// The action of a key.
pub fn of_key(key: &str) -> Option<Action> {
    all().find(|c| c.keys.contains(&key)).map(|c| c.action)
}

/// Does to a stage what an action of it asks; `false` if the action is not one of a stage's.
pub fn apply(session: &mut Session, action: Action) -> bool {
    // A refusal stays with the session, which shows it.
    match action {
        Action::Move(columns, 0) => session.move_cursor(0, columns),
        Action::Move(_, rows) => session.move_cursor(1, rows),
        Action::Lead(by) => session.move_lead(by),
        Action::Step(by) => session.advance(by),
        Action::Why => session.ask(),
        Action::Partner => session.ask_partner(),
        Action::Up => {
            session.back();
        }
        Action::Turn(by) => drop(session.turn(by)),
        Action::Knob(by) => session.choose_knob(by),
        Action::Break(n) => drop(session.toggle(n)),
        Action::Difference => session.toggle_difference(),
        Action::Lens(own) => session.flip(own),
        Action::Undo => drop(session.undo()),
        Action::Redo => drop(session.redo()),
        Action::Picture(by) => session.turn_picture(by),
        Action::Chart(turn) => return session.turn_view(turn),
        _ => return false,
    }
    true
}

/// Presses keys on a stage, as `show --press` and a lesson's stage block do: names separated by
/// spaces (`space space right enter`). `Err` names the nearest key.
pub fn press(session: &mut Session, keys: &str) -> Result<(), String> {
    for key in keys.split_whitespace() {
        let action = of_key(key).ok_or_else(|| {
            let names = all().flat_map(|c| c.keys.iter().copied());
            format!(
                "there is no key '{key}'{}; keys are separated by spaces",
                did_you_mean(key, names)
            )
        })?;
        if !apply(session, action) {
            return Err(format!("the key '{key}' does nothing to a stage"));
        }
        if let Some(sentence) = session.refusal() {
            return Err(sentence.to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_bound_twice_and_no_name_stands_twice() {
        let keys: Vec<&str> = all().flat_map(|c| c.keys.iter().copied()).collect();
        let names: Vec<&str> = all().map(|c| c.name).collect();
        for list in [keys, names] {
            for (i, word) in list.iter().enumerate() {
                assert!(!list[..i].contains(word), "{word} stands twice");
            }
        }
    }
}
