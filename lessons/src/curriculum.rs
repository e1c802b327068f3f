//! The lessons in teaching order: the only list.

use std::path::Path;
use std::sync::LazyLock;

use crate::lesson::core_path::{self, CorePath};
use crate::lesson::environment;
use crate::lesson::knob::did_you_mean;
use crate::lesson::progress::{Progress, today};
use crate::lesson::walk::{NextSteps, Walk};
use crate::lesson::{Exercise, FILES, Lesson, of_writer};

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

/// Checks a writer's lessons and core path, if [`environment::LESSONS`] names a folder: it must hold some, and none may
/// be wrong.
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
    let has_path = Path::new(&folder).join(core_path::FILE).exists();
    if written.peek().is_none() && !has_path {
        return Err(format!(
            "{} is '{}', which has no {} of any lesson; name a folder like lessons/, in which folders are called {}",
            environment::LESSONS,
            folder.display(),
            FILES.join(" or "),
            LESSONS[3].folder
        ));
    }
    written.try_for_each(Lesson::check)?;
    core_path().wrong.clone().map_or(Ok(()), Err)
}

/// The core path.
pub fn core_path() -> &'static CorePath {
    static PATH: LazyLock<CorePath> = LazyLock::new(|| {
        let built_in = include_str!("../core.toml");
        let read = |text| CorePath::read(text, &LESSONS.map(|lesson| &**lesson));
        of_writer(Path::new(core_path::FILE), built_in).map_or_else(
            |wrong| CorePath {
                wrong: Some(wrong),
                ..read(built_in)
            },
            read,
        )
    });
    &PATH
}

/// Number of exercises of the lessons on the core path that have not been solved.
pub fn core_exercises_open(progress: &Progress) -> usize {
    let path = core_path();
    let of_path = |lesson: &&Lesson| path.of_lesson(lesson).next().is_some();
    let lessons = LESSONS.iter().map(|lesson| &***lesson).filter(of_path);
    let all = lessons.filter_map(|lesson| lesson.exercise.as_ref());
    all.filter(|exercise| !exercise.done(progress).solved)
        .count()
}

/// Where a learner goes on at the end of a lesson, or of a part of the core path.
pub enum Next {
    Lesson(&'static Lesson),
    /// A place on the core path.
    Step(usize),
}

/// What follows the open page when its lesson, or its part of the core path, has ended. A learner who has left the core
/// path for a lesson goes back to where they were.
pub fn next(walk: &Walk, progress: &Progress) -> Option<Next> {
    let (path, lesson) = (core_path(), walk.lesson());
    if let Some(part) = walk.part(progress) {
        return (part.steps.end < path.steps.len()).then_some(Next::Step(part.steps.end));
    }
    if progress.is_core() && lesson.is_numbered() && !path.is_read(progress) {
        return Some(Next::Step(path.place(progress)));
    }
    let at = LESSONS.iter().position(|other| other.name == lesson.name)?;
    LESSONS.get(at + 1).map(|lesson| Next::Lesson(lesson))
}

/// What follows at the end of a lesson, or of a part of the core path.
pub fn onward(walk: &Walk, progress: &Progress) -> NextSteps {
    let path = core_path();
    let next = next(walk, progress);
    let ends_core = walk.part(progress).is_some() && next.is_none();
    NextSteps {
        next: next.map(|next| match next {
            Next::Lesson(lesson) => {
                format!(
                    "go on with {}, {} minutes",
                    lesson.heading(),
                    lesson.minutes
                )
            }
            Next::Step(step) => {
                let part = path.part_of(step);
                let minutes: u32 = path.pages(part).iter().map(|step| step.minutes).sum();
                match step - part.steps.start {
                    0 => format!("go on with “{}”, {minutes} minutes", part.title),
                    n => format!("go back to page {} of “{}”", n + 1, part.title),
                }
            }
        }),
        completes_core: ends_core && path.is_read(progress),
        reviewed: walk.reviewed(&before(walk, progress), progress, today()),
    }
}

/// The lessons that come before the open one or, on the core path, before the open part.
pub fn before(walk: &Walk, progress: &Progress) -> Vec<&'static Lesson> {
    let all = LESSONS.iter().map(|lesson| &***lesson);
    let Some(part) = walk.part(progress) else {
        return all.take(walk.lesson().number).collect();
    };
    let path = core_path();
    let earlier = |lesson: &&Lesson| {
        let mut steps = path.steps[..part.steps.start].iter();
        let asked = part.quiz.iter().any(|(of, _)| of.name == lesson.name);
        !asked && steps.any(|step| step.lesson.name == lesson.name)
    };
    all.filter(earlier).collect()
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

        // `environment::CONTENT`
        const _: Option<&str> = option_env!("TRANSFORMER_TUTOR_CONTENT");

        fn main() -> std::process::ExitCode {
            use $crate::curriculum::$lesson::{LESSON, $check::TASK};
            $crate::lesson::exercise::learner(&LESSON, &TASK, $function)
        }
    };
}
