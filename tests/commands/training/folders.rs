//! Folders that commands write to, replace or refuse, and runs that continue after they diverged.

use std::fs;
use std::process::Stdio;

use super::tiny::{Room, done, misused, put, refused};
use crate::support::program;

#[test]
fn average_refuses_what_is_not_a_model_by_itself_and_changes_nothing() {
    let room = Room::new();
    done(room.train("inner/run", &[]));
    put(&room.path("inner/here/notes.txt"), "mine");
    put(&room.path("inner/mean.old/notes.txt"), "mine");
    let before = room.all_of("inner");
    let average = |out: &str| {
        let mut command = program(&["tools", "average", "--model", "../run", "--out", out]);
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
            &["cannot hold a model", "Nothing has been changed"],
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

/// A room with a run and two models that are not part of it.
fn with_models() -> Room {
    let room = Room::new();
    for (run, seed, mean) in [("run", "1", "mean"), ("another", "2", "other")] {
        done(room.train(run, &["--seed", seed]));
        let (run, out) = (room.text(run), room.text(mean));
        done(program(&[
            "tools", "average", "--model", &run, "--out", &out,
        ]));
    }
    room
}

#[test]
fn a_models_folder_is_never_packed_over_itself_or_over_what_is_no_model() {
    let room = with_models();
    let (mean, other) = (room.text("mean"), room.text("other"));
    let pack = |out: &str, more: &[&str]| {
        let mut command = program(&["tools", "weights", "pack", &mean, "--out", &room.text(out)]);
        command.args(more);
        command
    };
    put(&room.path("noted/notes.txt"), "mine");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("mean", room.path("link")).unwrap();
        fs::create_dir(room.path("linked")).unwrap();
        for file in ["model.safetensors", "tokenizer.json", "config.toml"] {
            symlink(room.path("mean").join(file), room.path("linked").join(file)).unwrap();
        }
        for out in ["link", "linked"] {
            refused(pack(out, &["--force"]), &["is read by this command"]);
        }
    }
    let before = room.all_of("");
    for more in [&[][..], &["--force"]] {
        refused(pack("mean", more), &["is read by this command"]);
        refused(pack("noted", more), &["cannot hold a model", "notes.txt"]);
    }
    refused(pack("other", &[]), &["nothing was written", "--force"]);
    assert!(room.all_of("") == before);
    done(pack("other", &["--force"]));
    done(pack("other", &[]));
    done(program(&["translate", "--model", &other, "rot"]));
}

#[test]
fn no_command_writes_into_a_run() {
    let room = with_models();
    let mut first = room.resume("run", &["--steps", "1000000", "--minutes", "1"]);
    let mut first = first.stdout(Stdio::null()).spawn().unwrap();
    let best = room.path("run/best");
    let mean = room.text("mean");
    let fresh = ["tools", "weights", "export", "--preset", "glass", "--out"];
    done(program(&[&fresh[..], &[&room.text("pt")]].concat()));
    let (pt, text) = (room.text("pt"), room.text("text"));
    for folder in [
        "run",
        "run/best",
        "run/step-00000025",
        "run/step-00000099",
        "run/lane-2/best",
    ] {
        let out = room.text(folder);
        for words in [
            &["tools", "weights", "pack", &mean][..],
            &["tools", "corpus", "phrasebook", "--pairs", "3"],
            &["tools", "pages", "masks", "--size", "40x10"],
            &["book"],
        ] {
            let mut command = program(words);
            command.args(["--out", &out, "--force"]);
            refused(command, &["which only train writes"]);
        }
    }
    for file in [
        "best/model.safetensors",
        "run.lock",
        "log.jsonl",
        "step-00000099/x",
        "best/new",
    ] {
        let out = room.text(&format!("run/{file}"));
        for words in [
            &[&fresh[..], &[&out]].concat()[..],
            &[
                "tools", "weights", "import", &pt, "--heads", "4", "--out", &out,
            ],
            &["tools", "bpe", "learn", &text, "--out", &out],
            &["show", "masks", "--svg", &out],
        ] {
            let mut command = program(words);
            command.arg("--force");
            refused(
                command,
                &["belongs to the run in", "which only train writes"],
            );
        }
    }
    assert!(!best.join("new").exists());
    first.kill().unwrap();
    first.wait().unwrap();
    done(room.resume("run", &["--steps", "1"]));
    // Paths in a run's folder that the run does not own may be written.
    let out = room.text("run/mine");
    done(program(&["tools", "weights", "pack", &mean, "--out", &out]));
}

#[cfg(unix)]
#[test]
fn a_linked_checkpoint_is_no_place_for_the_mean_that_is_made_of_it() {
    let room = with_models();
    fs::rename(room.path("run/step-00000025"), room.path("moved")).unwrap();
    std::os::unix::fs::symlink(room.path("moved"), room.path("run/step-00000025")).unwrap();
    for file in ["trainer.json", "trainer.safetensors"] {
        fs::remove_file(room.path("moved").join(file)).unwrap();
    }
    let before = room.all_of("moved");
    let (run, out) = (room.text("run"), room.text("moved"));
    refused(
        program(&["tools", "average", "--model", &run, "--out", &out]),
        &["is read by this command"],
    );
    assert!(room.all_of("moved") == before);
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
        &["cannot hold a run", "choose a folder"],
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
        let message = format!("{key} is NaN");
        misused(room.resume("run", &["--set", &set]), &[&message]);
    }
    assert!(room.all_of("run") == before);
}

#[test]
fn a_run_that_diverged_goes_on_from_its_last_good_checkpoint_with_a_lower_rate() {
    let room = Room::new();
    done(room.train("run", &["--steps", "10"]));
    let before = room.all_of("run");
    // NaN appears in the evaluation in the first case, and in training in the second.
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

    // Before the first checkpoint there is nothing to lose, so the same command starts over.
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
