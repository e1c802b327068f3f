//! The lessons in teaching order: the only list.

use std::path::Path;
use std::sync::LazyLock;

use crate::lesson::environment;
use crate::lesson::knob::did_you_mean;
use crate::lesson::progress::{Progress, today};
use crate::lesson::walk::{NextSteps, Walk};
use crate::lesson::{Exercise, FILES, Lesson};

#[path = "../17-adam/stage.rs"]
pub mod adam;
#[path = "../03-attention/stage.rs"]
pub mod attention;
#[path = "../18-copy-task/stage.rs"]
pub mod copy_task;
#[path = "../11-decoder/stage.rs"]
pub mod decoder;
#[path = "../21-decoding/stage.rs"]
pub mod decoding;
#[path = "../01-embeddings/stage.rs"]
pub mod embeddings;
#[path = "../10-encoder/stage.rs"]
pub mod encoder;
#[path = "../07-feed-forward/stage.rs"]
pub mod feed_forward;
#[path = "../12-generator/stage.rs"]
pub mod generator;
#[path = "../14-gradients/stage.rs"]
pub mod gradients;
#[path = "../25-graduation/stage.rs"]
pub mod graduation;
#[path = "../16-label-smoothing/stage.rs"]
pub mod label_smoothing;
#[path = "../08-layer-norm/stage.rs"]
pub mod layer_norm;
#[path = "../22-looking-inside/stage.rs"]
pub mod looking_inside;
#[path = "../04-masks/stage.rs"]
pub mod masks;
#[path = "../23-measuring/stage.rs"]
pub mod measuring;
#[path = "../13-model/stage.rs"]
pub mod model;
#[path = "../05-multi-head/stage.rs"]
pub mod multi_head;
#[path = "../playground/stage.rs"]
pub mod playground;
#[path = "../02-positional-encoding/stage.rs"]
pub mod positional_encoding;
#[path = "../09-residuals/stage.rs"]
pub mod residuals;
#[path = "../19-subwords/stage.rs"]
pub mod subwords;
#[path = "../15-teacher-forcing/stage.rs"]
pub mod teacher_forcing;
#[path = "../06-three-uses/stage.rs"]
pub mod three_uses;
#[path = "../00-tour/stage.rs"]
pub mod tour;
#[path = "../20-training/stage.rs"]
pub mod training;
#[path = "../24-where-time-goes/stage.rs"]
pub mod where_time_goes;

/// Every lesson, first to last.
pub static LESSONS: [&LazyLock<Lesson>; 26] = [
    &tour::LESSON,
    &embeddings::LESSON,
    &positional_encoding::LESSON,
    &attention::LESSON,
    &masks::LESSON,
    &multi_head::LESSON,
    &three_uses::LESSON,
    &feed_forward::LESSON,
    &layer_norm::LESSON,
    &residuals::LESSON,
    &encoder::LESSON,
    &decoder::LESSON,
    &generator::LESSON,
    &model::LESSON,
    &gradients::LESSON,
    &teacher_forcing::LESSON,
    &label_smoothing::LESSON,
    &adam::LESSON,
    &copy_task::LESSON,
    &subwords::LESSON,
    &training::LESSON,
    &decoding::LESSON,
    &looking_inside::LESSON,
    &measuring::LESSON,
    &where_time_goes::LESSON,
    &graduation::LESSON,
];

/// The parts of the course, each with the numbers of its first and last lessons.
pub static PARTS: [(&str, usize, usize); 5] = [
    ("START", 0, 0),
    ("THE PIECES", 1, 13),
    ("LEARNING", 14, 18),
    ("USING", 19, 23),
    ("BEYOND", 24, 25),
];

/// The playground, for the learner's own sentences and models. It is not one of the numbered lessons.
pub static PLAYGROUND: &LazyLock<Lesson> = &playground::LESSON;

/// Checks a writer's lessons, if [`environment::LESSONS`] names a folder: it must hold some, and none may be wrong.
pub fn check_writers() -> Result<(), String> {
    let Some(folder) = environment::value(environment::LESSONS) else {
        return Ok(());
    };
    let all = LESSONS.iter().chain([&PLAYGROUND]).map(|lesson| &***lesson);
    let is_there = |lesson: &&Lesson| {
        let folder = Path::new(&folder).join(lesson.folder);
        FILES.iter().any(|file| folder.join(file).exists())
    };
    let mut written = all.filter(is_there).peekable();
    if written.peek().is_none() {
        return Err(format!(
            "{} is '{}', which has no {} of any lesson; name a folder like lessons/, in which folders are called {}",
            environment::LESSONS,
            folder.display(),
            FILES.join(" or "),
            LESSONS[3].folder
        ));
    }
    written.try_for_each(Lesson::check)
}

/// The lesson that follows another; only lessons on the core path count if `core`.
pub fn following(lesson: &Lesson, core: bool) -> Option<&'static Lesson> {
    let at = LESSONS.iter().position(|other| other.name == lesson.name)?;
    let mut rest = LESSONS[at + 1..].iter().map(|lesson| &***lesson);
    rest.find(|next| !core || next.is_core())
}

/// Estimated time in minutes for the core path.
pub fn core_minutes() -> u32 {
    let core = LESSONS.iter().filter(|lesson| lesson.is_core());
    core.map(|lesson| lesson.core_minutes()).sum()
}

/// True if every page of the core path has been read.
pub fn core_is_read(progress: &Progress) -> bool {
    let mut core = LESSONS.iter().filter(|lesson| lesson.is_core());
    core.all(|lesson| {
        let done = progress.lesson(lesson.name);
        let mut pages = lesson.core_page_ids().into_iter();
        pages.all(|page| done.pages.contains(&page))
    })
}

/// Number of predictions on the core path that have not been answered.
pub fn core_predictions_open(progress: &Progress) -> usize {
    let core = LESSONS.iter().filter(|lesson| lesson.is_core());
    let open = core.flat_map(|lesson| {
        let done = progress.lesson(lesson.name);
        let ids = lesson.core_prediction_ids().into_iter();
        ids.filter(move |id| !done.answers.contains_key(*id))
    });
    open.count()
}

/// Number of exercises of the core path that have not been solved.
pub fn core_exercises_open(progress: &Progress) -> usize {
    let core = LESSONS.iter().filter(|lesson| lesson.is_core());
    let all = core.filter_map(|lesson| lesson.exercise.as_ref());
    all.filter(|exercise| !exercise.done(progress).solved)
        .count()
}

/// What follows at the end of a lesson.
pub fn onward(walk: &Walk, progress: &Progress) -> NextSteps {
    let lesson = walk.lesson();
    let ends_core = lesson.is_core() && following(lesson, true).is_none();
    NextSteps {
        next: following(lesson, progress.is_core()),
        completes_core: ends_core && core_is_read(progress),
        reviewed: walk.reviewed(&before(lesson), progress, today()),
    }
}

/// The lessons that come before `lesson`.
pub fn before(lesson: &Lesson) -> Vec<&'static Lesson> {
    LESSONS[..lesson.number]
        .iter()
        .map(|lesson| &***lesson)
        .collect()
}

/// Every exercise with its lesson's number and name. In each lesson, warm-ups come first, then the core exercise, then
/// challenges.
pub fn exercises() -> impl Iterator<Item = (usize, &'static str, &'static Exercise)> {
    let all = LESSONS.into_iter().map(|lesson| &**lesson);
    all.flat_map(|l| l.exercises().map(|e| (l.number, l.name, e)))
}

/// The exercise that `word` names: itself, or the core exercise of the lesson that [`find`] returns. The error lists
/// what there is.
pub fn exercise(word: &str) -> Result<(&'static Lesson, &'static Exercise), String> {
    let all = LESSONS.into_iter().map(|lesson| &**lesson);
    let mut all = all.flat_map(|l| l.exercises().map(move |e| (l, e)));
    if let Some(entry) = all.find(|(_, exercise)| exercise.name == word) {
        return Ok(entry);
    }
    let lesson = find(word).map_err(|e| {
        let near = did_you_mean(word, exercises().map(|(_, _, exercise)| exercise.name));
        if near.is_empty() {
            e
        } else {
            format!("there is no exercise '{word}'{near} `exercise list` names them all")
        }
    })?;
    Ok((lesson, lesson.exercise()?))
}

/// The lesson that `word` names by its number, its name, its folder or one of its exercises. The error names the
/// nearest match.
pub fn find(word: &str) -> Result<&'static Lesson, String> {
    let number = word.parse::<usize>().ok();
    let named = |l: &&'static Lesson| {
        (l.is_numbered() && number == Some(l.number))
            || l.name == word
            || l.folder == word
            || l.exercises().any(|exercise| exercise.name == word)
    };
    let all = LESSONS.into_iter().chain([PLAYGROUND]).map(|l| &**l);
    all.clone().find(named).ok_or_else(|| {
        let names = all.map(|l| l.name);
        format!(
            "there is no lesson '{word}'{}; there are {}",
            did_you_mean(word, names.clone()),
            LESSONS
                .map(|l| format!("{:02} {}", l.number, l.name))
                .join(", ")
        )
    })
}

/// The whole of a learner's test target, `learner.rs`: the learner's file as the module `exercise`, and a main function
/// that runs the check of a lesson's module on the learner's function.
#[macro_export]
macro_rules! learner {
    ($lesson:ident::$check:ident, $function:expr, $path:literal) => {
        #[path = $path]
        mod exercise;

        fn main() -> std::process::ExitCode {
            use $crate::curriculum::$lesson::{LESSON, $check::TASK};
            $crate::lesson::exercise::learner(&LESSON, &TASK, $function)
        }
    };
}
