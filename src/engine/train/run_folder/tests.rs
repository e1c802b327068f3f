use std::collections::BTreeMap;

use super::super::checkpoint::{average, list, load, newest, resume};
use super::super::config::TrainConfig;
use super::super::model_folder;
use super::*;
use crate::data::corpus::Corpus;
use crate::data::disk::{FaultKind, Trap};
use crate::text::pipeline::{Learning, Prepare};

mod injected;
#[cfg(unix)]
mod links;

use crate::testing::assert_contains;
use injected::life;

fn lines(n: usize) -> Vec<String> {
    let words = ["eins", "zwei", "drei", "vier", "fünf"];
    (0..n)
        .map(|n| format!("{} {} {}", words[n % 5], words[n * 3 % 5], words[n / 2 % 5]))
        .collect()
}

fn run() -> (Pipeline, Trainer) {
    let learning = Learning {
        prepare_source: Prepare::Blanks,
        prepare_target: Prepare::Blanks,
        lowercase: false,
        merges: 4,
        joint: false,
        min_count: 1,
        pieces: 0,
        limit: None,
    };
    let pipeline = Pipeline::learn(&lines(20), &lines(20), &learning);
    let trainer = new_trainer(&pipeline);
    (pipeline, trainer)
}

fn new_trainer(pipeline: &Pipeline) -> Trainer {
    let config = TrainConfig {
        layers: 1,
        d_model: 8,
        d_ff: 12,
        heads: 2,
        dropout: 0.1,
        batch_tokens: 60,
        steps: 7,
        keep: 2,
        ..TrainConfig::default()
    };
    let corpus = Corpus::new(&lines(20), &lines(20), pipeline, 20);
    let sizes = pipeline.vocabulary_sizes();
    Trainer::new(config, sizes, corpus, 1)
}

/// Creates a disk that counts operations and never fails.
fn sound() -> Disk {
    Trap::disk(usize::MAX, FaultKind::Fail)
}

fn begun(path: &Path) -> RunFolder {
    RunFolder::begin_on(path, sound()).unwrap()
}

/// A run that has begun in a folder of its own, with what it trains.
fn started() -> (tempfile::TempDir, RunFolder, Pipeline, Trainer) {
    let room = tempfile::tempdir().unwrap();
    let folder = begun(room.path());
    let (pipeline, trainer) = run();
    (room, folder, pipeline, trainer)
}

/// A new trainer that goes on from the newest checkpoint at `path`.
fn gone_on(folder: &RunFolder, path: &Path) -> Trainer {
    let (_, mut on) = run();
    folder.go_on(resume(path).unwrap(), &mut on).unwrap();
    on
}

/// Why the run at `path` is not resumed.
#[track_caller]
fn refused(path: &Path) -> String {
    let why = resume(path).err();
    why.expect("it is refused").to_string()
}

fn steps(path: &Path) -> Vec<usize> {
    list(path).into_iter().map(|(step, _)| step).collect()
}

/// Returns the paths of everything in `folder`, with the contents of files.
fn all_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap_or_default();
            if path.is_dir() {
                folders.push(path.clone());
            }
            files.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
        }
    }
    files
}

#[test]
fn a_run_goes_on_from_its_folder_bit_for_bit_and_older_checkpoints_go() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("run");
    let folder = begun(&path);
    let (pipeline, mut trainer) = run();
    for n in 1..=6 {
        trainer.update().unwrap();
        if n % 2 == 0 {
            folder.save(&trainer, &pipeline).unwrap();
        }
    }
    assert_eq!(steps(&path), [4, 6], "two are kept");
    assert!(!path.join("step-00000004/trainer.json").exists());
    trainer.update().unwrap();
    let mut on = gone_on(&folder, &path);
    on.update().unwrap();
    assert_eq!(on.state, trainer.state);
    assert!(on.params.iter().eq(trainer.params.iter()));
    assert_eq!(load(&path).unwrap().pipeline.to_json(), pipeline.to_json());
}

#[test]
fn the_same_update_is_saved_again_with_other_settings() {
    let (room, folder, pipeline, mut trainer) = started();
    trainer.update().unwrap();
    folder.save(&trainer, &pipeline).unwrap();
    trainer.config.rate = 0.5;
    folder.save(&trainer, &pipeline).unwrap();
    assert_eq!(resume(room.path()).unwrap().config.rate, 0.5);
}

#[test]
fn a_diverged_run_writes_nothing_and_keeps_its_last_good_checkpoint() {
    let (room, folder, pipeline, mut trainer) = started();
    trainer.update().unwrap();
    trainer.state.best = Some((2.0, 1));
    folder.record(&trainer, &pipeline, "{\"step\":1}").unwrap();
    let before = all_of(room.path());
    let good = trainer.params.clone();
    trainer.update().unwrap();
    let spoil: [fn(&mut Trainer); 4] = [
        |t| t.params.tensors_mut()[0].data_mut()[0] = f32::NAN,
        |t| t.adam.moments[2].0.data_mut()[0] = f32::INFINITY,
        |t| t.adam.moments[2].1.data_mut()[0] = f32::NAN,
        |t| t.state.best = Some((f64::NAN, 2)),
    ];
    for spoil in spoil {
        let mut other = gone_on(&folder, room.path());
        spoil(&mut other);
        other.state.step = 2;
        let tried = [
            folder.save(&other, &pipeline).map(drop),
            folder.record(&other, &pipeline, "{\"step\":2}").map(drop),
            folder.pause(&other, &pipeline),
        ];
        for tried in tried {
            assert_contains(&tried.unwrap_err(), "NaN or an infinite number");
        }
        assert!(all_of(room.path()) == before);
    }
    let (_, mut on) = run();
    on.config.rate = 1e-4;
    folder.go_on(resume(room.path()).unwrap(), &mut on).unwrap();
    assert!(on.params.iter().eq(good.iter()));
    on.update().unwrap();
}

#[test]
fn another_model_another_text_and_damaged_files_are_refused_by_name() {
    let room = tempfile::tempdir().unwrap();
    assert_contains(&refused(room.path()), "no checkpoint");
    assert!(matches!(
        load(room.path()),
        Err(CheckpointError::NoModel { .. })
    ));
    let folder = begun(room.path());
    let (pipeline, trainer) = run();
    let written = folder.save(&trainer, &pipeline).unwrap();
    let before = all_of(room.path());
    for (key, value) in [("d_ff", "20"), ("heads", "4"), ("seed", "9")] {
        let (_, mut other) = run();
        other.config.set(key, value).unwrap();
        let refused = folder.go_on(resume(room.path()).unwrap(), &mut other);
        let words = format!("holds a run with another {key} (");
        assert_contains(&refused.unwrap_err(), &words);
    }
    let mut changed = lines(20);
    changed[3] = "drei drei drei".to_owned();
    let corpus = Corpus::new(&changed, &lines(20), &pipeline, 20);
    let sizes = pipeline.vocabulary_sizes();
    let mut other = Trainer::new(trainer.config.clone(), sizes, corpus, 1);
    let state = other.state.clone();
    let tried = folder.go_on(resume(room.path()).unwrap(), &mut other);
    assert_contains(&tried.unwrap_err(), "another text");
    assert_eq!(other.state, state);
    assert!(all_of(room.path()) == before, "nothing has been changed");
    fs::write(written.join("trainer.json"), "{").unwrap();
    assert_contains(&refused(room.path()), "trainer.json is damaged");
}

#[test]
fn a_run_on_more_pairs_than_the_phrasebook_has_does_not_go_on() {
    let (room, folder, pipeline, mut trainer) = started();
    trainer.config.pairs = 100_001;
    folder.save(&trainer, &pipeline).unwrap();
    assert_contains(
        &refused(room.path()),
        "learns from 100001 pairs of the phrasebook, which has 100000 now",
    );
}

#[test]
fn a_checkpoint_from_before_there_were_fingerprints_goes_on() {
    let (room, folder, pipeline, trainer) = started();
    let folder_path = folder
        .save(&trainer, &pipeline)
        .unwrap()
        .join("trainer.json");
    without_sums(folder_path.parent().unwrap());
    let mut state: serde_json::Value =
        serde_json::from_slice(&fs::read(&folder_path).unwrap()).unwrap();
    state.as_object_mut().unwrap().remove("data");
    fs::write(&folder_path, state.to_string()).unwrap();
    assert_eq!(gone_on(&folder, room.path()).state, trainer.state);
}

/// Removes the checksums from a checkpoint, as older versions wrote it.
fn without_sums(checkpoint: &Path) {
    for file in [MODEL[0], TRAINER[0]] {
        let path = checkpoint.join(file);
        let mut tensors = safetensors::read(&path).unwrap();
        tensors.metadata.retain(|key, _| !key.ends_with("sha256"));
        fs::write(&path, safetensors::to_bytes(&tensors)).unwrap();
    }
}

#[test]
fn a_flipped_bit_in_any_file_of_a_checkpoint_is_named_and_never_resumed() {
    let (room, folder, pipeline, mut trainer) = started();
    for _ in 0..2 {
        trainer.update().unwrap();
        folder.save(&trainer, &pipeline).unwrap();
    }
    let newest = room.path().join("step-00000002");
    resume(room.path()).unwrap();
    for file in MODEL.iter().chain(&TRAINER) {
        let path = newest.join(file);
        let sound = fs::read(&path).unwrap();
        // From the last byte, which belongs to a number or is a bracket, back to the header.
        for at in [sound.len() - 1, sound.len() / 2, sound.len() / 3, 20] {
            let mut hurt = sound.clone();
            hurt[at] ^= 1;
            fs::write(&path, &hurt).unwrap();
            let message = refused(room.path());
            assert!(message.contains(&path.display().to_string()), "{message}");
            assert_contains(
                &message,
                "put step-00000002 back from a copy; the model of step-00000001 still translates",
            );
        }
        fs::write(&path, &sound).unwrap();
    }
    without_sums(&newest);
    resume(room.path()).unwrap();
}

#[test]
fn another_checkpoint_that_is_whole_is_named_where_the_newest_is_damaged() {
    let (room, folder, pipeline, mut trainer) = started();
    trainer.update().unwrap();
    let older = folder.save(&trainer, &pipeline).unwrap();
    let kept = all_of(&older);
    trainer.update().unwrap();
    let newest = folder.save(&trainer, &pipeline).unwrap();
    for (file, bytes) in kept {
        fs::write(older.join(file), bytes).unwrap();
    }
    // Moments of another update, with every file intact.
    fs::copy(older.join(TRAINER[0]), newest.join(TRAINER[0])).unwrap();
    let message = refused(room.path());
    assert_contains(&message, "was saved with another model.safetensors");
    assert_contains(&message, "--resume then goes on from step-00000001");
}

#[test]
fn a_tokenizer_with_as_many_words_in_another_order_is_refused() {
    let (room, folder, pipeline, trainer) = started();
    let path = folder.save(&trainer, &pipeline).unwrap().join(MODEL[1]);
    let text = fs::read_to_string(&path).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let words = value["target"]["words"].as_array_mut().unwrap();
    let last = words.len() - 1;
    words.swap(last, last - 1);
    fs::write(&path, value.to_string()).unwrap();
    let message = load(room.path()).err().expect("it is refused").to_string();
    assert_contains(
        &message,
        "tokenizer.json is damaged: it is not the one that model.safetensors was saved with",
    );
    without_sums(path.parent().unwrap());
    load(room.path()).unwrap();
}

#[test]
fn a_damaged_checkpoint_does_not_take_the_place_of_its_sound_copy() {
    let (room, folder, pipeline, mut trainer) = started();
    trainer.update().unwrap();
    trainer.state.best = Some((2.0, 1));
    let best = folder.save(&trainer, &pipeline).unwrap().join(MODEL[0]);
    trainer.update().unwrap();
    folder.save(&trainer, &pipeline).unwrap();
    let copy = room.path().join("best").join(MODEL[0]);
    let sound = fs::read(&copy).unwrap();
    let mut hurt = sound.clone();
    *hurt.last_mut().unwrap() ^= 1;
    fs::write(&best, &hurt).unwrap();
    gone_on(&folder, room.path());
    assert!(fs::read(&copy).unwrap() == sound);
}

#[test]
fn leftovers_of_older_versions_are_mended_and_foreign_files_stay() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path();
    life(path, &sound(), None).unwrap();
    let whole = all_of(path);
    let put = |name: &str, text: &str| {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    // What a program without locks leaves if it is killed while writing, removing, and replacing the best.
    fs::remove_file(path.join("run.lock")).unwrap();
    put(".writing-a8Xq/model.safetensors", "half");
    put(".writing-a8Xq/.tmpK3x9Ab", "half");
    put("step-00000002/tokenizer.json", "{}");
    fs::rename(path.join("best"), path.join("best.old")).unwrap();
    let log = String::from_utf8(whole[Path::new(LOG)].clone()).unwrap();
    put(
        LOG,
        &format!("{log}{{\"step\":8,\"held_out\":1.0}}\n{{\"st"),
    );
    // The user's own files, and a config.toml of this program.
    let own = [
        "step-00000001/notes.txt",
        "step-00000001/.tmpK3x9Ab",
        "step-00000001/.writing-notes",
        "notes.txt",
        "step-3/model.safetensors",
    ];
    own.iter().for_each(|name| put(name, "mine"));
    put("step-00000001/config.toml", "ours");
    let folder = RunFolder::open_on(path, sound()).unwrap();
    gone_on(&folder, path);
    let stays = path.join("step-00000001");
    assert_eq!(folder.leftovers(), [Leftover::Shared(stays)]);
    assert_eq!(folder.leftovers(), [] as [Leftover; 0], "said once");
    drop(folder);
    let mut now = all_of(path);
    for name in own {
        assert_eq!(now.remove(Path::new(name)).unwrap(), b"mine");
    }
    now.retain(|name, _| {
        !["step-00000001", "step-3"]
            .iter()
            .any(|own| name == Path::new(own))
    });
    assert!(now == whole, "{:?}", now.keys());
}

#[test]
fn a_run_that_is_trained_is_refused_with_the_process_that_trains_it() {
    let (room, folder, pipeline, trainer) = started();
    folder.save(&trainer, &pipeline).unwrap();
    let copy = folder.inner("lane-2");
    drop(folder);
    let message = RunFolder::open(room.path()).err().unwrap().to_string();
    let process = format!("is being trained by process {};", std::process::id());
    assert!(message.contains(&process), "{message}");
    drop(copy);
    assert!(RunFolder::open(room.path()).is_ok());
    assert!(matches!(
        RunFolder::begin(room.path()),
        Err(CheckpointError::Begun { .. })
    ));
}

#[test]
fn a_run_begins_only_where_nothing_can_be_lost() {
    let room = tempfile::tempdir().unwrap();
    let path_of = |name: &str| room.path().join(name);
    fs::write(path_of("file"), "mine").unwrap();
    for (name, file) in [
        ("other", "notes.txt"),
        ("looks like one", "log.jsonl"),
        ("best of another", "best/notes.txt"),
        ("a step of another", "step-00000010/notes.txt"),
        ("a foreign lock", "run.lock"),
        ("an empty lock", "notes.txt"),
    ] {
        let file = path_of(name).join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "mine").unwrap();
    }
    fs::write(path_of("an empty lock/run.lock"), "").unwrap();
    let before = all_of(room.path());
    for name in [
        "file",
        "other",
        "looks like one",
        "best of another",
        "a step of another",
        "an empty lock",
    ] {
        assert_contains(
            &RunFolder::begin(&path_of(name)).err().unwrap(),
            "cannot hold a run",
        );
        assert!(RunFolder::open(&path_of(name)).is_err());
    }
    assert!(RunFolder::begin(&path_of("a foreign lock")).is_err());
    for odd in ["other/..", "not there/..", ""] {
        assert!(RunFolder::begin(&path_of(odd)).is_err(), "{odd:?}");
    }
    assert!(all_of(room.path()) == before, "nothing has changed");
    fs::create_dir(path_of("empty")).unwrap();
    drop(RunFolder::begin(&path_of("empty")).unwrap());
    // Killed before the first checkpoint, or even before the mark was written.
    drop(RunFolder::begin(&path_of("empty")).unwrap());
    fs::write(path_of("empty/run.lock"), "").unwrap();
    drop(RunFolder::begin(&path_of("empty")).unwrap());
    drop(RunFolder::begin(&path_of("new/and/deep")).unwrap());
}

#[test]
fn a_model_replaces_only_a_model_that_stands_alone() {
    let room = tempfile::tempdir().unwrap();
    let path_of = |name: &str| room.path().join(name);
    let (pipeline, trainer) = run();
    let folder = begun(&path_of("run"));
    folder.save(&trainer, &pipeline).unwrap();
    drop(folder);
    let mean = average(&[path_of("run/step-00000000")]).unwrap();
    assert!(mean.params.iter().eq(trainer.params.iter()));
    let save = |name: &str| model_folder::save(&path_of(name), &mean, &trainer.config);
    fs::create_dir_all(path_of("other/x")).unwrap();
    fs::write(path_of("other/notes.txt"), "mine").unwrap();
    save("with a note").unwrap();
    fs::write(path_of("with a note/notes.txt"), "mine").unwrap();
    save("v1.2").unwrap();
    fs::create_dir_all(path_of("v1.old")).unwrap();
    fs::write(path_of("v1.old/notes.txt"), "mine").unwrap();
    fs::create_dir(path_of("empty")).unwrap();
    let before = all_of(room.path());
    let refused = [
        ".",
        "run",
        "run/.",
        "run/best",
        "run/step-00000000",
        "run/step-00000009",
        "run/../run",
        "other",
        "other/x/..",
        "other/y/..",
        "with a note",
        "run/run.lock",
    ];
    for name in refused {
        assert_contains(&save(name).unwrap_err(), "cannot hold a model");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path_of("run"), path_of("link")).unwrap();
        assert!(save("link").is_err());
        std::os::unix::fs::symlink(path_of("nothing"), path_of("dangling")).unwrap();
        assert!(save("dangling").is_err());
        fs::remove_file(path_of("link")).unwrap();
        fs::remove_file(path_of("dangling")).unwrap();
    }
    assert!(all_of(room.path()) == before, "nothing has changed");
    for name in ["v1.2", "empty", "new/and/deep", "run/mean", "run/mean"] {
        save(name).unwrap();
        assert_eq!(
            load(&path_of(name)).unwrap().pipeline.to_json(),
            pipeline.to_json()
        );
    }
    let mut after = all_of(room.path());
    after.retain(|name, _| before.contains_key(name));
    assert!(after == before, "and nothing beside them");
}

#[cfg(unix)]
#[test]
fn folders_and_files_get_the_usual_permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt;
    let room = tempfile::tempdir().unwrap();
    let path_of = |name: &str| room.path().join(name);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::create_dir(path_of("usual")).unwrap();
    fs::write(path_of("usual/file"), "").unwrap();
    let usual = (mode(path_of("usual")), mode(path_of("usual/file")));
    let (pipeline, mut trainer) = run();
    trainer.state.best = Some((1.0, 0));
    let folder = begun(&path_of("run"));
    folder.save(&trainer, &pipeline).unwrap();
    let mean = load(&path_of("run")).unwrap();
    model_folder::save(&path_of("mean"), &mean, &trainer.config).unwrap();
    for name in ["run", "run/best", "run/step-00000000", "mean"] {
        assert_eq!(mode(path_of(name)), usual.0, "{name}");
        for file in ["model.safetensors", "tokenizer.json", "config.toml"] {
            if name != "run" {
                assert_eq!(mode(path_of(name).join(file)), usual.1, "{name}/{file}");
            }
        }
    }
    fs::set_permissions(path_of("mean"), fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::symlink("mean", path_of("link")).unwrap();
    model_folder::save(&path_of("link"), &mean, &trainer.config).unwrap();
    assert!(fs::symlink_metadata(path_of("link")).unwrap().is_symlink());
    assert_eq!(mode(path_of("mean")), 0o700, "as it was");
}
