//! What `train` and `average` write to, replace and refuse; and that a run that diverged can go on.

use std::fs;
use std::process::Stdio;

use super::program;
use super::tiny::{Room, done, misused, put, refused};

#[test]
fn average_refuses_what_is_not_a_model_by_itself_and_changes_nothing() {
    let room = Room::new();
    done(room.train("inner/run", &[]));
    put(&room.path("inner/here/notes.txt"), "mine");
    put(&room.path("inner/mean.old/notes.txt"), "mine");
    let before = room.all_of("inner");
    let average = |out: &str| {
        let mut command = program(&["average", "--model", "../run", "--out", out]);
        command.current_dir(room.path("inner/here"));
        command
    };
    let run = room.text("inner/run");
    let run_best = format!("{run}/best");
    let step = format!("{run}/step-00000025");
    for out in [
        ".",
        "..",
        "../run/..",
        "./",
        &run,
        &run_best,
        &step,
        "notes.txt",
    ] {
        refused(
            average(out),
            &["is no place for a model", "Nothing has been changed"],
        );
        assert!(room.all_of("inner") == before, "{out}");
    }
    fs::create_dir(room.path("inner/empty")).unwrap();
    for out in ["../mean.v1", "../mean.v1", "../empty"] {
        done(average(out));
    }
    let mut after = room.all_of("inner");
    after.retain(|name, _| before.contains_key(name));
    assert!(after == before, "and nothing beside it");
    done(program(&[
        "translate",
        "--model",
        &room.text("inner/mean.v1"),
        "rot",
    ]));
}

#[test]
fn train_begins_only_in_a_folder_of_its_own() {
    let room = Room::new();
    put(&room.path("mine/best/notes.txt"), "mine");
    put(&room.path("mine/log.jsonl"), "mine\n");
    put(&room.path("mine/step-00000002/notes.txt"), "mine");
    let before = room.all_of("mine");
    refused(
        room.train("mine", &[]),
        &["is no place for a run", "choose a folder"],
    );
    refused(room.resume("mine", &[]), &["no checkpoint to go on from"]);
    assert!(room.all_of("mine") == before);
    refused(room.train("text", &[]), &["it is not a folder"]);
    done(room.train("run", &[]));
    let before = room.all_of("run");
    refused(room.train("run", &[]), &["holds a run already", "--resume"]);
    refused(
        room.resume("run", &["--set", "d_model=16"]),
        &["holds a run with another d_model (8, here 16)"],
    );
    for key in ["epsilon", "decay", "clip", "rate"] {
        let set = format!("{key}=nan");
        let said = format!("{key} is NaN");
        misused(room.resume("run", &["--set", &set]), &[&said]);
    }
    assert!(room.all_of("run") == before);
}

#[test]
fn a_run_that_diverged_goes_on_from_its_last_good_checkpoint_with_a_lower_rate() {
    let room = Room::new();
    done(room.train("run", &["--steps", "10"]));
    let before = room.all_of("run");
    // Once where it is measured, once where it learns.
    for every in ["evaluate_every=1", "evaluate_every=40"] {
        let more = ["--steps", "40", "--set", "rate=1e30", "--set", every];
        let words = [
            "NaN or infinite",
            "Update 10 is kept whole",
            "--resume --out",
            "--set rate=",
        ];
        refused(room.resume("run", &more), &words);
        assert!(room.all_of("run") == before, "{every}");
    }
    done(room.resume("run", &["--steps", "20", "--set", "rate=0.003"]));
    let log = fs::read_to_string(room.path("run/log.jsonl")).unwrap();
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["step"], 20);
    assert!(last["held_out"].as_f64().unwrap() < 10.0, "{last}");

    // Before the first checkpoint there is nothing to lose: the same command begins again.
    let words = ["No checkpoint is kept yet", "Begin again"];
    refused(room.train("new", &["--set", "rate=1e30"]), &words);
    done(room.train("new", &[]));
}

#[test]
fn a_second_program_does_not_train_the_same_run() {
    let room = Room::new();
    let mut first = room.train("run", &["--steps", "1000000", "--minutes", "1"]);
    let mut first = first.stdout(Stdio::null()).spawn().unwrap();
    while !room.can_go_on("run") {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let process = format!("is being trained by process {};", first.id());
    for _ in 0..2 {
        refused(room.resume("run", &[]), &[&process]);
    }
    first.kill().unwrap();
    first.wait().unwrap();
    done(room.resume("run", &["--steps", "1"]));
}
