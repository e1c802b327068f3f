use std::fs;
use std::path::Path;

use super::{Progress, file};

fn opened(path: &Path) -> Progress {
    let (progress, remark) = Progress::load_from(path);
    assert_eq!(remark, None);
    progress
}

#[test]
fn saved_progress_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/progress.toml");
    let mut progress = opened(&path);
    let done = progress.lesson_mut("attention");
    done.pages.insert("by-hand".to_owned());
    done.stopped_at = Some("by-hand".to_owned());
    done.answers.insert("scores-shape".to_owned(), true);
    progress.stand_at("masks", "start");
    progress.save().unwrap();
    let mut again = opened(&path);
    assert_eq!(again.lesson("attention"), progress.lesson("attention"));
    assert_eq!(again.last(), Some("attention"));
    assert_eq!(again.core_page(), Some(("masks", "start")));
    again.leave_core();
    again.save().unwrap();
    let again = opened(&path);
    assert!(!again.is_core());
    assert_eq!(
        again.core_page(),
        Some(("masks", "start")),
        "the place stays"
    );
}

#[test]
fn two_tutors_that_save_in_turns_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    let (mut one, mut other) = (opened(&path), opened(&path));
    let done = one.lesson_mut("attention");
    done.pages.insert("start".to_owned());
    done.answers.insert("scores-shape".to_owned(), false);
    done.attempts = 2;
    one.save().unwrap();
    let done = other.lesson_mut("attention");
    done.pages.insert("by-hand".to_owned());
    done.answers.insert("scores-shape".to_owned(), true);
    done.answers.insert("scale-width".to_owned(), true);
    done.attempts = 1;
    done.hints = 3;
    done.solved = true;
    done.stopped_at = Some("by-hand".to_owned());
    other.save().unwrap();
    // The other tutor's page is newer and stays, because this one has not moved in the lesson since.
    one.lesson_mut("masks").hints = 1;
    one.save().unwrap();
    let all = opened(&path);
    let done = all.lesson("attention");
    assert_eq!(done.pages.len(), 2);
    assert_eq!(done.attempts, 3);
    assert_eq!((done.hints, done.solved), (3, true));
    assert_eq!(done.stopped_at.as_deref(), Some("by-hand"));
    assert!(!done.answers["scores-shape"], "the first try counts");
    assert!(done.answers["scale-width"]);
    assert_eq!(all.lesson("masks").hints, 1);
    assert_eq!(all.last(), Some("masks"));
    assert_eq!(one.lesson("attention"), done, "it has learned of the other");
    // Nothing is counted twice, however often it is saved.
    one.save().unwrap();
    other.save().unwrap();
    assert_eq!(opened(&path).lesson("attention").attempts, 3);
}

#[test]
fn many_savers_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    std::thread::scope(|scope| {
        for saver in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut progress = opened(path);
                for n in 0..10 {
                    let done = progress.lesson_mut("attention");
                    done.attempts += 1;
                    done.pages.insert(format!("page-{saver}-{n}"));
                    progress.save().unwrap();
                }
            });
        }
    });
    let done = opened(&path).lesson("attention");
    assert_eq!((done.attempts, done.pages.len()), (40, 40));
}

#[test]
fn a_file_that_is_gone_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    let mut progress = opened(&path);
    progress.lesson_mut("attention").attempts = 2;
    progress.save().unwrap();
    fs::remove_file(&path).unwrap();
    progress.lesson_mut("attention").attempts = 3;
    progress.save().unwrap();
    assert_eq!(opened(&path).lesson("attention").attempts, 3);
}

#[test]
fn a_broken_file_is_set_aside_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    let broken: [&[u8]; 4] = [
        b"version = 2\nlast = 3",
        b"{ not toml",
        b"\0\x01",
        b"version = 2\n\xff",
    ];
    for (n, foreign) in broken.iter().enumerate() {
        fs::write(&path, foreign).unwrap();
        let (mut progress, remark) = Progress::load_from(&path);
        let aside = folder.path().join(format!("progress.toml.{}", n + 1));
        assert!(remark.unwrap().contains(&aside.display().to_string()));
        assert_eq!(fs::read(&aside).unwrap(), *foreign);
        progress.save().unwrap();
    }
}

#[test]
fn what_a_later_version_added_is_kept_and_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    // The record is one of an earlier version.
    let later = "version = 2\nstreak = 7\n[lessons.masks]\nattempts = 1\nmood = 'good'\n\
        [lessons.masks.recalled.why]\nday = 3\nright = true\nseconds = 9\n[medals]\ngold = [1, 2]\n\
        [records]\nminute-of-training = 0.25\n";
    fs::write(&path, later).unwrap();
    let mut progress = opened(&path);
    progress.lesson_mut("masks").attempts += 1;
    progress.lesson_mut("attention").solved = true;
    progress.save().unwrap();
    let table = |text: &str| text.parse::<toml::Table>().unwrap();
    let now = table(&fs::read_to_string(&path).unwrap());
    let mut expected = table(later);
    expected["lessons"]["masks"]["attempts"] = 2.into();
    for key in ["streak", "medals", "records"] {
        assert_eq!(now[key], expected[key]);
    }
    for key in ["attempts", "mood", "recalled"] {
        assert_eq!(
            now["lessons"]["masks"][key],
            expected["lessons"]["masks"][key]
        );
    }
    assert_eq!(now["lessons"]["attention"]["solved"], true.into());
}

#[test]
fn a_file_of_a_later_version_is_shown_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    // The second one cannot be read even in part.
    for text in ["version = 3\ncore = true\n", "version = 9\ncore = 'path'\n"] {
        let mut open_already = Progress::load_from(&path).0;
        open_already.lesson_mut("masks").attempts = 1;
        fs::write(&path, text).unwrap();
        let (mut progress, remark) = Progress::load_from(&path);
        assert!(remark.unwrap().contains("later version"));
        assert_eq!(progress.is_core(), text.contains("true"));
        progress.lesson_mut("masks").attempts = 1;
        progress.save().unwrap();
        assert!(open_already.save().unwrap_err().contains("later version"));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            2,
            "it and its lock"
        );
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_file_that_breaks_while_a_tutor_is_open_is_set_aside_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    let mut progress = opened(&path);
    progress.lesson_mut("attention").attempts = 2;
    progress.save().unwrap();
    fs::write(&path, "broken").unwrap();
    let message = progress.save().unwrap_err();
    assert!(message.contains("progress.toml.1"), "{message}");
    let aside = folder.path().join("progress.toml.1");
    assert_eq!(fs::read_to_string(aside).unwrap(), "broken");
    assert_eq!(opened(&path).lesson("attention").attempts, 2);
}

/// A version-1 file of a learner who had read pages, answered questions and tried the exercise.
const VERSION_1: &str = r#"
version = 1
last = "attention"

[lessons.attention]
pages = [0, 1, 7, 99]
stopped_at = 7
attempts = 4
hints = 2
solved = true

[lessons.attention.answers]
"Which shape will the scores have?" = true
"Why is the mask applied before the softmax?" = false
"A question that was taken out?" = true
"#;

#[test]
fn a_file_by_wording_and_page_numbers_becomes_one_by_ids() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    fs::write(&path, VERSION_1).unwrap();
    let mut progress = opened(&path);
    let done = progress.lesson("attention");
    let pages: Vec<&str> = done.pages.iter().map(String::as_str).collect();
    assert_eq!(pages, ["by-hand", "every-query-meets-every-key", "start"]);
    assert_eq!(done.stopped_at.as_deref(), Some("by-hand"));
    assert_eq!((done.attempts, done.hints, done.solved), (4, 2, true));
    assert!(done.answers["scores-shape"] && !done.answers["mask-before-softmax"]);
    assert_eq!(done.answers.len(), 3, "nothing is dropped: {done:?}");
    assert_eq!(progress.last(), Some("attention"));
    progress.save().unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("version = 2"));
    assert_eq!(opened(&path).lesson("attention"), done);
}

#[test]
fn an_old_file_takes_in_what_a_tutor_did() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.toml");
    let mut progress = opened(&path);
    progress.lesson_mut("attention").attempts = 1;
    fs::write(&path, VERSION_1).unwrap();
    progress.save().unwrap();
    let done = opened(&path).lesson("attention");
    assert_eq!((done.attempts, done.pages.len()), (5, 3));
}

#[test]
fn every_lesson_that_there_was_has_its_old_pages_and_questions() {
    let ids = file::ids();
    assert_eq!(ids.len(), 26);
    assert_eq!(ids.values().map(|l| l.answers.len()).sum::<usize>(), 197);
    assert!(ids.values().all(|lesson| lesson.pages[0] == "start"));
}
