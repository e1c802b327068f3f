//! What a command does, and the properties by which front ends treat it.

use super::groups::Group;
use crate::lesson::chart::ViewChange;
use crate::lesson::picture::Steer;
use crate::lesson::session::{Direction, GradientOf, Intent};

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves the cursor, the text or a list.
    Move(Direction, isize),
    /// Moves a leading index of the tensor.
    Lead(isize),
    /// Steps through the recorded run.
    Step(isize),
    /// Asks where the cell comes from, or follows the chosen term.
    Why,
    /// Follows the other factor of the chosen product.
    Partner,
    /// Goes back to the cell asked about before.
    Up,
    /// Turns the chosen knob.
    Turn(isize),
    /// Chooses another knob.
    Knob(isize),
    /// Switches mistake number n on or off.
    Break(usize),
    /// Draws the difference to the sound run.
    Difference,
    /// Shows the slices of a tensor side by side.
    Multiples,
    /// Gives the cell under the cursor a new value.
    Edit,
    /// Undoes the last change of a cell.
    Undo,
    /// Redoes the last change that was undone.
    Redo,
    /// Flips every tensor to its gradient.
    ShowGradients(GradientOf),
    /// Checks the gradient with respect to the cell under the cursor by finite differences.
    CheckGradient,
    /// Shows another picture.
    Picture(isize),
    /// Changes the view of the chart.
    Chart(ViewChange),
    /// Starts the picture's experiment; starts, pauses and resumes steered work.
    Run,
    /// Steers the picture's work.
    Steer(Steer),
    /// Turns to another page of the lesson.
    Page(isize),
    /// Opens the first page of the lesson.
    FirstPage,
    /// Opens the last page of the lesson.
    LastPage,
    /// Focuses the next pane.
    Pane,
    /// Lists the steps, pictures, knobs and mistakes of the run.
    List,
    /// Answers the page's question.
    Predict,
    /// Asks the lesson's quiz.
    Quiz,
    /// Goes to the core path, or opens all pages again.
    Core,
    /// Asks for an explanation in the learner's own words.
    OwnWords,
    /// Shows the exercise.
    Exercise,
    /// Shows the map of the learner's own model.
    Mine,
    /// Gives a hint for the exercise.
    Hint,
    /// Begins the exercise at its next tier.
    Tier,
    /// Points at the next symbol of the page's formulas.
    Symbol,
    /// Opens the card of the next term of the page.
    Term,
    /// Lists all terms.
    Terms,
    /// Shows the source code of the operation.
    Source,
    /// Asks for a sentence to translate.
    Sentence,
    /// Opens the playground.
    Play,
    /// Explains the hunt for a hidden fault.
    Hunt,
    /// Shows the list of lessons.
    Map,
    /// Copies the command that shows this screen.
    Copy,
    /// Searches the lessons.
    Search,
    /// Gives the mouse to the program or to the terminal.
    Mouse,
    /// Lists what is possible here.
    Help,
    /// Finds commands and more by name.
    Palette,
    /// Suspends the program and returns to the shell.
    Suspend,
    /// Animates how the result on the stage comes about.
    Movement,
    /// Gives the whole screen to the stage, or takes it back.
    Full,
    /// Opens the exercise's file in the learner's editor.
    Editor,
    /// Closes what is open.
    Close,
    /// Closes what is open, or leaves the lesson.
    Back,
    /// Ends the program.
    Quit,
}

/// Properties of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Traits {
    /// Heading under which the help lists it.
    pub group: Group,
    /// True if it does something in the list of lessons.
    pub in_lesson_list: bool,
    /// True if it need not wait for a run being computed, because its effect does not depend on the run. Cursor keys
    /// wait only where they move the cursor of the stage.
    pub while_computing: bool,
    /// True if it changes what the stage shows, which would go unseen while a question hides the stage.
    pub changes_stage: bool,
    /// What it asks of the stage; `None` if it is not for the stage.
    pub intent: Option<Intent>,
}

impl Traits {
    const fn of(group: Group) -> Self {
        Self {
            group,
            in_lesson_list: false,
            while_computing: false,
            changes_stage: false,
            intent: None,
        }
    }

    fn in_lesson_list(self) -> Self {
        Self {
            in_lesson_list: true,
            ..self
        }
    }

    fn while_computing(self) -> Self {
        Self {
            while_computing: true,
            ..self
        }
    }

    fn changes_stage(self) -> Self {
        Self {
            changes_stage: true,
            ..self
        }
    }

    fn asks(self, intent: Intent) -> Self {
        Self {
            intent: Some(intent),
            ..self
        }
    }
}

impl Action {
    /// Its properties.
    #[rustfmt::skip]
    pub fn traits(self) -> Traits {
        use Group::{Around, Change, Run, Stage, Text, Why};
        let of = Traits::of;
        match self {
            Self::Move(direction, by) => of(Stage).in_lesson_list().asks(Intent::Move(direction, by)),
            Self::Lead(by) => of(Stage).asks(Intent::Lead(by)),
            Self::Step(by) => of(Stage).changes_stage().asks(Intent::Step(by)),
            Self::Picture(by) => of(Stage).changes_stage().asks(Intent::Picture(by)),
            Self::Chart(change) => of(Stage).asks(Intent::Chart(change)),
            Self::Multiples => of(Stage).changes_stage().asks(Intent::Multiples),
            Self::Movement => of(Stage),
            Self::Full => of(Stage).while_computing(),

            Self::Why => of(Why).in_lesson_list().changes_stage().asks(Intent::Why),
            Self::Partner => of(Why).asks(Intent::Partner),
            Self::Up => of(Why).asks(Intent::Up),
            Self::ShowGradients(number) => of(Why).changes_stage().asks(Intent::ShowGradients(number)),
            Self::CheckGradient | Self::Source => of(Why),

            Self::Turn(by) => of(Change).while_computing().changes_stage().asks(Intent::Turn(by)),
            Self::Knob(by) => of(Change).while_computing().asks(Intent::Knob(by)),
            Self::Break(n) => of(Change).in_lesson_list().while_computing().changes_stage().asks(Intent::Break(n)),
            Self::Difference => of(Change).changes_stage().asks(Intent::Difference),
            Self::Undo => of(Change).asks(Intent::Undo),
            Self::Redo => of(Change).asks(Intent::Redo),
            Self::Edit => of(Change),

            Self::Run | Self::Steer(_) => of(Run),

            Self::Page(_) | Self::FirstPage | Self::LastPage => of(Text).while_computing(),
            Self::Core => of(Text).in_lesson_list().while_computing(),
            Self::Predict | Self::Quiz | Self::OwnWords => of(Text).while_computing(),
            Self::Exercise | Self::Editor | Self::Hint | Self::Tier => of(Text).while_computing(),
            Self::Term => of(Text).while_computing(),
            Self::Mine | Self::Terms | Self::Search => of(Text).in_lesson_list().while_computing(),
            Self::Symbol => of(Text),

            Self::Help | Self::Palette | Self::Mouse | Self::Quit => of(Around).in_lesson_list().while_computing(),
            Self::Play | Self::Hunt | Self::Sentence | Self::Suspend => of(Around).in_lesson_list(),
            Self::Pane => of(Around).in_lesson_list().while_computing(),
            Self::List | Self::Map | Self::Close | Self::Back => of(Around).while_computing(),
            Self::Copy => of(Around),
        }
    }
}
