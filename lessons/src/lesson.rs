//! The parts of a lesson: a text, a stage that runs the real component, deliberate mistakes, a quiz, and exercises.
//!
//! Each lesson is one folder of `lessons/` and one entry of its curriculum. Its words are in `lesson.md` and
//! `lesson.toml`, its code in `stage.rs` and the modules declared there.

pub mod awaited;
pub mod batch;
mod by_hand;
pub mod chart;
pub mod claim;
pub mod copying;
pub mod core_path;
pub mod declared;
pub mod drawn;
pub mod environment;
pub mod exercise;
pub mod facts;
mod flaw;
pub mod glossary;
pub mod hunt;
pub mod knob;
pub mod leak;
mod mark;
pub mod measure;
pub mod memo;
pub mod mine;
pub mod model_map;
mod model_part;
pub mod models;
pub mod own_words;
pub mod page;
pub mod picture;
pub mod probe;
pub mod progress;
pub mod quiz;
pub mod race;
pub mod record;
pub mod session;
pub mod short_run;
pub mod so_far;
pub mod source;
pub mod started;
pub mod symbols;
mod tier;
pub mod tiny_tape;
mod trained;
pub mod training_loop;
pub mod walk;
mod words;
pub mod work;

pub use crate::decode::greedy::likeliest as largest;
pub use declared::Declared;
pub use exercise::{Exercise, Failure, Kind, Outcome};
pub use facts::{Fact, Facts};
pub use flaw::Flaw;
pub use knob::{Knob, Mistake, Range, Settings};
pub use mark::{ACTIONS, Action, FrontEnd, Mark, SWITCH, for_front_end, marks};
pub use model_part::ModelPart;
pub use own_words::OwnWords;
pub use picture::{Bar, Body, Picture, Run, Series};
pub use tier::Tier;
pub use trained::{
    MOST, Reading, SENTENCE, SetCell, damage, fact as trained_fact, rewritten,
    rows as reads_and_writes, run as trained_run, spelled, translations,
};
pub use words::{FILES, of_writer};

/// One lesson of the curriculum.
pub struct Lesson {
    /// Place in the course, from 0. Lessons beside the course also have 0, and no number in their folder's name.
    pub number: usize,
    /// Folder, and name in lists: `03-attention`.
    pub folder: &'static str,
    /// Name in commands: `attention`, for the folder `lessons/03-attention`.
    pub name: &'static str,
    /// Title on the screen.
    pub title: &'static str,
    /// Estimated time in minutes.
    pub minutes: u32,
    /// What its own stage runs, in a few words: `untrained, random weights`.
    pub runs: &'static str,
    /// What it runs instead while a knob has a certain value: `("example=worked", "chosen numbers")`.
    pub runs_with: &'static [(&'static str, &'static str)],
    /// The parts of the model that it is about.
    pub lights: &'static [ModelPart],
    /// Ids of pages, each with the parts of the model that it mentions first. If there are any, a part is unknown before
    /// its page.
    pub reveals: &'static [(&'static str, &'static [ModelPart])],
    /// Names of the lessons that it builds on.
    pub needs: &'static [&'static str],
    /// What the learner can do after it that they could not do before.
    pub gains: &'static str,
    /// What is wrong with a writer's version of the lesson, which is then not used.
    pub wrong: Option<String>,
    /// `lesson.md`.
    pub text: &'static str,
    /// `lesson.toml`, which holds the questions.
    pub quiz: &'static str,
    /// Makes the lesson's own stage; learners get [`Lesson::stage`], which may add the trained model.
    pub own_stage: fn() -> Box<dyn Stage>,
    /// Whether its stage also shows the running sentence in the trained model, through the knobs of [`trained`].
    pub trained: bool,
    /// The parts that the reader's own translator has by its end, if its stage shows it; see [`so_far`].
    pub so_far: Option<so_far::Rung>,
    /// The open question at its end.
    pub own_words: Option<OwnWords>,
    /// The pictures of its own stage that `lesson.toml` declares, in order.
    pub pictures: &'static [Declared],
    /// The settings that the learner can change, in order.
    pub knobs: &'static [Knob],
    /// The deliberate mistakes: switches 1–9 of the stage, in order.
    pub mistakes: &'static [Mistake],
    /// The core exercise; the playground has none.
    pub exercise: Option<Exercise>,
    /// Further exercises: warm-ups, then challenges.
    pub more: &'static [Exercise],
}

/// The contents of a lesson's folder.
#[derive(Clone)]
pub struct Parts {
    /// Folder name: `03-attention`.
    pub folder: &'static str,
    /// `lesson.md`.
    pub text: &'static str,
    /// `lesson.toml`.
    pub words: &'static str,
    /// Makes the stage.
    pub stage: fn() -> Box<dyn Stage>,
    /// `exercise.rs` as text, and the function that the exercise is about.
    pub function: Option<(&'static str, &'static dyn exercise::Function)>,
    /// The same for each folder of `more`.
    pub more: Vec<ExtraExercise>,
}

/// The code of a further exercise.
#[derive(Clone)]
pub struct ExtraExercise {
    /// Name of its folder, and of the exercise.
    pub name: &'static str,
    /// Its `exercise.rs` as text.
    pub text: &'static str,
    /// The function that it is about.
    pub function: &'static dyn exercise::Function,
}

/// Builds a lesson from its folder's name, its stage and, if it has one, the exercise of its `exercise.rs`. Further
/// exercises follow, named after their folders in `more`: `; "softmax" => softmax::TASK`.
#[macro_export]
macro_rules! lesson {
    ($folder:literal, $stage:expr $(, $exercise:expr)? $(; $($name:literal => $more:expr),+)?) => {
        std::sync::LazyLock::new(|| {
            $crate::lesson::Lesson::read(&$crate::lesson::Parts {
                folder: $folder,
                text: $crate::lesson!(@file $folder "lesson.md"),
                words: $crate::lesson!(@file $folder "lesson.toml"),
                stage: || Box::new($stage),
                function: [$(($crate::lesson!(@file $folder "exercise.rs"), &$exercise as _),)?].first().copied(),
                more: vec![$($($crate::lesson::ExtraExercise {
                    name: $name,
                    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/more/", $name, "/exercise.rs")),
                    function: &$more,
                },)+)?],
            })
        })
    };
    (@file $folder:literal $name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/", $name))
    };
}

/// Declares `TASK`, the exercise of this name: the type of its function, the reference and the check. The starter is in
/// the module `starter`, and the build script makes the mistakes that the check recognises of `mistakes.diff`.
#[macro_export]
macro_rules! task {
    ($name:ident: $function:ty = $reference:expr; $check:expr) => {
        /// The exercise, with its reference, its starter and the mistakes that the check recognises.
        pub static TASK: $crate::lesson::exercise::Task<$function> =
            $crate::lesson::exercise::Task {
                reference: $reference,
                starter: starter::$name,
                mistakes: include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs")),
                check: $check,
            };
    };
}

impl Lesson {
    /// Builds the lesson from `parts`.
    pub fn read(parts: &Parts) -> Self {
        words::read(parts)
    }

    /// Checks a writer's version of the lesson: its words, its pages and its questions. Without one, it is sound.
    pub fn check(&self) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        self.pages().map_err(|e| e.to_string())?;
        self.questions(FrontEnd::Screen).map(drop)
    }

    /// Number of pages in its text.
    pub fn page_count(&self) -> usize {
        page::count(self.text)
    }

    /// Number of the page `id`, from 0.
    pub fn page_number(&self, id: &str) -> Option<usize> {
        page::ids(self.text).iter().position(|page| page == id)
    }

    /// True if readers of page number `page` know what a leak is: from an earlier lesson, or because this one has named
    /// it by then.
    pub fn knows_leaks(&self, page: usize) -> bool {
        let term = glossary::place("leak");
        let taught = term.is_none_or(|term| self.number >= glossary::terms()[term].lesson);
        let names = |text: &str| (glossary::named_in(text).iter()).any(|(_, t)| Some(*t) == term);
        taught || page::split(self.text).into_iter().take(page + 1).any(names)
    }

    /// Title of the page `id`.
    pub fn page_title(&self, id: &str) -> Option<&'static str> {
        let number = self.page_number(id)?;
        page::titles(self.text).into_iter().nth(number)
    }

    /// Ids of the predictions on the page `id`, without parsing its Markdown.
    pub fn prediction_ids(&self, id: &str) -> Vec<&'static str> {
        let page = self
            .page_number(id)
            .map(|number| page::split(self.text)[number]);
        let blocks = page
            .into_iter()
            .flat_map(|page| page.split("```predict\n").skip(1));
        let ids = blocks.filter_map(|block| {
            let lines = block.lines().take_while(|line| *line != "```");
            let id = lines.filter_map(|line| line.strip_prefix("id = ")).next()?;
            Some(id.trim_matches('"'))
        });
        ids.collect()
    }

    /// Ids of the questions of its quiz; none if they are wrong, which [`Lesson::questions`] reports.
    pub fn question_ids(&self) -> Vec<String> {
        let questions = quiz::parse(self.quiz).unwrap_or_default();
        questions.into_iter().map(|question| question.id).collect()
    }

    /// Pages of its text as the screen shows them. `Err` says where the text is wrong.
    pub fn pages(&self) -> Result<Vec<page::Page>, page::PageError> {
        self.pages_for(FrontEnd::Screen)
    }

    /// Pages of its text as `front_end` shows them.
    pub fn pages_for(&self, front_end: FrontEnd) -> Result<Vec<page::Page>, page::PageError> {
        let path = format!("lessons/{}/lesson.md", self.folder);
        let text = for_front_end(self.text, front_end);
        page::parse(&path, &self.says(&text, front_end))
    }

    /// One of the lesson's texts, with every mark as `front_end` shows it.
    pub fn says(&self, text: &str, front_end: FrontEnd) -> String {
        mark::written(text, self, front_end)
    }

    /// What to watch while `mistake` is on, and the settings that show it best if they differ from `settings`: plain
    /// text as `front_end` shows it.
    pub fn advice(&self, mistake: &Mistake, settings: &Settings, front_end: FrontEnd) -> String {
        page::unmarked(&self.says(&mistake.advice(settings), front_end))
    }

    /// The knob `name`. `Err` names the nearest one.
    pub fn knob(&self, name: &str) -> Result<&'static Knob, String> {
        knob::find_knob(self.knobs, name)
    }

    /// Number of the switch for the mistake `name`, from 1.
    pub fn switch_number(&self, name: &str) -> Option<usize> {
        let index = self.mistakes.iter().position(|m| m.name == name);
        index.map(|index| index + 1)
    }

    /// Questions of its quiz as `front_end` shows them.
    pub fn questions(&self, front_end: FrontEnd) -> Result<Vec<page::Predict>, String> {
        quiz::parse(&self.says(self.quiz, front_end))
    }

    /// Its settings after changing some knobs; `("break", name)` switches on a mistake. `Err` says what cannot be set.
    pub fn settings(&self, turned: &[(&str, &str)]) -> Result<Settings, String> {
        let mut settings = Settings::defaults(self.knobs);
        for &(name, value) in turned {
            match name {
                "break" => settings.switch(self.mistakes, value, true)?,
                _ => settings.set(self.knobs, name, value)?,
            }
        }
        Ok(settings)
    }

    /// The given failure of `exercise`, with the hint for the mistake that the check recognised.
    pub fn explained(&self, exercise: &Exercise, mut failure: Box<Failure>) -> Box<Failure> {
        for name in std::mem::take(&mut failure.mistakes).iter().rev() {
            let hint = self.hint(exercise, name);
            let hint = hint.unwrap_or_else(|| panic!("{}: no words for {name}", self.name));
            let later = failure.likely.replace(hint.to_owned());
            failure.also = later.or(failure.also);
        }
        failure
    }

    /// Hint of `exercise` for the mistake `name`: a diagnosis, the words beside its change, or the hint of a switch.
    pub fn hint(&self, exercise: &Exercise, name: &str) -> Option<&'static str> {
        let own = exercise.diagnoses.iter().copied();
        let changes = exercise.changes.iter();
        let beside = changes.filter_map(|change| Some((change.name, change.says?)));
        let switches = self.mistakes.iter().map(|m| (m.name, m.hint));
        let switches = switches.filter(|_| exercise.kind == Kind::Core);
        let mut all = own.chain(beside).chain(switches);
        all.find(|(of, _)| *of == name).map(|(_, hint)| hint)
    }

    /// Whether it is part of the numbered course rather than beside it.
    pub fn is_numbered(&self) -> bool {
        self.folder.starts_with(|c: char| c.is_ascii_digit())
    }

    /// All its exercises in the order in which the learner meets them: warm-ups, the core exercise, challenges.
    pub fn exercises(&self) -> impl Iterator<Item = &Exercise> + Clone {
        let before = self.more.iter().take_while(|e| e.kind < Kind::Core);
        let after = self.more.iter().skip_while(|e| e.kind < Kind::Core);
        before.chain(&self.exercise).chain(after)
    }

    /// The core exercise. `Err` says which lessons have one.
    pub fn exercise(&self) -> Result<&Exercise, String> {
        self.exercise.as_ref().ok_or_else(|| {
            format!(
                "the {} has no exercise; every numbered lesson has one",
                self.name
            )
        })
    }

    /// `03 Scaled dot-product attention`: its title with its number, if it has one.
    pub fn heading(&self) -> String {
        if self.is_numbered() {
            format!("{:02} {}", self.number, self.title)
        } else {
            self.title.to_owned()
        }
    }
}

/// The live component of a lesson: settings in, a recorded run and pictures of it out.
///
/// A stage has no state that a learner could observe: the same settings give the same run, so the terminal, plain mode,
/// the book, `show` and the tests all agree. Caches are its own business.
pub trait Stage: Send + Sync {
    /// Runs the real component. `Err` is a sentence that teaches why these settings are impossible; a panic of the
    /// engine on a shape is shown the same way.
    fn run(&self, settings: &Settings) -> Result<Run, String>;

    /// Computes a number that the text states but no tensor of the run holds, by name.
    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let _ = (name, run, settings);
        None
    }

    /// Whether two mistakes are mutually exclusive, so that switching one on switches the other off. Mistakes in the
    /// exercise's function exclude each other anyway, because only one variant of it can run.
    fn exclude(&self, one: &str, other: &str) -> bool {
        let _ = (one, other);
        false
    }
}
