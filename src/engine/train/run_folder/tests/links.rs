//! Symbolic links inside a run are never written through, and hard links to its files keep their contents.

use std::os::unix::fs::symlink;

use super::*;
use crate::testing::assert_contains;

/// Trains a run of seven updates in `name`, which leaves checkpoints 6 and 7.
fn lived(room: &Path, name: &str) -> PathBuf {
    let path = room.join(name);
    life(&path, &sound(), None).unwrap();
    path
}

/// Moves `name` out of the run, leaves a link in its place, and returns the new path.
fn moved_out(path: &Path, name: &str) -> PathBuf {
    let target = path.with_file_name(format!("moved {name}"));
    fs::rename(path.join(name), &target).unwrap();
    symlink(&target, path.join(name)).unwrap();
    target
}

/// Trains the run to its end, or until it fails.
fn go_on(path: &Path, steps: usize) -> Result<Vec<Leftover>, CheckpointError> {
    let folder = RunFolder::open_on(path, sound())?;
    let point = resume(path)?;
    let pipeline = point.pipeline.clone();
    let mut trainer = new_trainer(&pipeline);
    trainer.config.steps = steps;
    folder.go_on(point, &mut trainer)?;
    folder.remember("another corpus")?;
    let mut left = folder.leftovers();
    while !trainer.is_done() {
        trainer.update().unwrap();
        let step = trainer.state.step;
        trainer.state.best = Some((0.1 / step as f64, step));
        folder.record(&trainer, &pipeline, &format!("{{\"step\":{step}}}"))?;
        left.extend(folder.leftovers());
    }
    Ok(left)
}

#[test]
fn a_linked_checkpoint_is_read_from_and_left_alone() {
    let room = tempfile::tempdir().unwrap();
    let path = lived(room.path(), "run");
    let target = moved_out(&path, "step-00000007");
    let before = all_of(&target);
    let left = go_on(&path, 11).unwrap();
    assert_eq!(left, [Leftover::Linked(path.join("step-00000007"))], "once");
    assert!(all_of(&target) == before, "weights, moments and state");
    assert!(checkpoint::newest(&path).is_some_and(|(step, _)| step == 11));
    assert_contains(&left[0], "but stays: it is a symbolic link");
}

#[test]
fn a_checkpoint_that_would_be_written_through_a_link_is_refused() {
    let room = tempfile::tempdir().unwrap();
    let path = lived(room.path(), "run");
    let elsewhere = room.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("tokenizer.json"), "mine").unwrap();
    symlink(&elsewhere, path.join("step-00000008")).unwrap();
    let before = all_of(&elsewhere);
    let refused = go_on(&path, 9).err().unwrap();
    assert!(
        matches!(refused, CheckpointError::Linked { .. }),
        "{refused}"
    );
    assert!(all_of(&elsewhere) == before);
}

#[test]
fn a_run_refuses_to_write_through_links() {
    for name in ["best", LOG, CORPUS] {
        let room = tempfile::tempdir().unwrap();
        let path = lived(room.path(), "run");
        let target = moved_out(&path, name);
        let (before, bytes) = (all_of(&path), fs::read(&target).ok());
        let refused = go_on(&path, 9).err().unwrap().to_string();
        let says = format!("run/{name} is a symbolic link");
        assert!(refused.contains(&says), "{refused}");
        assert!(all_of(&path) == before, "{name}");
        assert_eq!(fs::read(&target).ok(), bytes, "{name}");
    }
}

#[test]
fn a_linked_lock_and_a_foreign_one_are_not_written_to() {
    let room = tempfile::tempdir().unwrap();
    let path = lived(room.path(), "run");
    let (diary, lock) = (room.path().join("diary"), path.join("run.lock"));
    fs::write(&diary, "Dear diary").unwrap();
    let links: [fn(&Path, &Path) -> std::io::Result<()>; 2] = [
        |from, to| symlink(from, to),
        |from, to| fs::hard_link(from, to),
    ];
    for (link, says) in links
        .into_iter()
        .zip(["is a symbolic link", "is not the lock of a run"])
    {
        fs::remove_file(&lock).unwrap();
        link(&diary, &lock).unwrap();
        assert_contains(&go_on(&path, 9).err().unwrap(), says);
        assert_eq!(fs::read(&diary).unwrap(), b"Dear diary");
    }
    fs::remove_file(&lock).unwrap();
    symlink(room.path().join("nothing"), &lock).unwrap();
    assert!(go_on(&path, 9).is_err());
    assert!(!room.path().join("nothing").exists());
}

#[test]
fn an_inner_run_that_is_a_link_is_refused() {
    let room = tempfile::tempdir().unwrap();
    let path = lived(room.path(), "run");
    let elsewhere = room.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, path.join("lane-2")).unwrap();
    let lane = RunFolder::open_on(&path, sound()).unwrap().inner("lane-2");
    let (pipeline, trainer) = run();
    let refused = lane.save(&trainer, &pipeline).err().unwrap();
    assert!(
        matches!(refused, CheckpointError::Linked { .. }),
        "{refused}"
    );
    assert!(all_of(&elsewhere).is_empty());
}

#[test]
fn leftovers_that_are_links_go_without_what_they_lead_to() {
    let room = tempfile::tempdir().unwrap();
    let path = lived(room.path(), "run");
    let elsewhere = lived(room.path(), "elsewhere").join("step-00000007");
    let before = all_of(&elsewhere);
    for name in [
        ".writing-step-00000008",
        ".leaving-step-00000007",
        ".writing-log.jsonl",
    ] {
        symlink(&elsewhere, path.join(name)).unwrap();
    }
    go_on(&path, 9).unwrap();
    assert!(all_of(&elsewhere) == before);
}

#[test]
fn a_backup_by_hard_links_keeps_what_it_holds() {
    let room = tempfile::tempdir().unwrap();
    let path = lived(room.path(), "run");
    let backup = room.path().join("backup");
    for name in all_of(&path).into_keys() {
        let (from, to) = (path.join(&name), backup.join(&name));
        if from.is_file() {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::hard_link(from, to).unwrap();
        }
    }
    let before = all_of(&backup);
    let held = RunFolder::open(&path).unwrap();
    assert!(all_of(&backup) == before, "the lock's text, too");
    assert!(
        RunFolder::open(&path).is_err(),
        "it is held by its new file"
    );
    drop(RunFolder::open(&backup).unwrap());
    drop(held);
    go_on(&path, 12).unwrap();
    assert!(all_of(&backup) == before);
}
