//! Each operation on a run's folder in turn fails, or is the last before the program dies. The run must recover
//! completely.

use std::sync::LazyLock;

use super::super::super::adam::Adam;
use super::super::super::trainer::State;
use super::*;
use crate::params::Params;

/// Weights, moments and state.
type SavedState = (Params, Adam, State);

/// State of the run's trainer after each update, without a measurement.
static TRAINED: LazyLock<(Pipeline, Vec<SavedState>)> = LazyLock::new(|| {
    let (pipeline, mut trainer) = run();
    let mut all = Vec::new();
    loop {
        let (params, adam) = (trainer.params.clone(), trainer.adam.clone());
        all.push((params, adam, trainer.state.clone()));
        if trainer.is_done() {
            return (pipeline, all);
        }
        trainer.update().unwrap();
    }
});

/// Performs the next update from [`TRAINED`], because the tests need thousands. The weights and moments must be exactly
/// those from which it was computed.
fn update(trainer: &mut Trainer) {
    let state = trainer.state.clone();
    let (params, adam, before) = &TRAINED.1[state.step];
    assert!(params.iter().eq(trainer.params.iter()));
    assert!(adam.moments == trainer.adam.moments && adam.steps == trainer.adam.steps);
    assert_eq!((before.epoch, before.batch), (state.epoch, state.batch));
    let (params, adam, after) = TRAINED.1[state.step + 1].clone();
    let after = State {
        best: state.best,
        since_best: state.since_best,
        ..after
    };
    trainer.restore(params, adam, after);
}

/// Trains a run as the command does, until it is done or asked to pause. It is measured every other update; the best
/// are updates 2, 4 and 7.
pub fn life(path: &Path, disk: &Disk, pause: Option<usize>) -> Result<(), CheckpointError> {
    let pipeline = &TRAINED.0;
    let mut trainer = new_trainer(pipeline);
    let (folder, mut measured) = match newest(path) {
        Some(_) => {
            let folder = RunFolder::open_on(path, disk.clone())?;
            let point = resume(path)?;
            let measured = point.measured;
            folder.go_on(point, &mut trainer)?;
            (folder, measured)
        }
        None => (RunFolder::begin_on(path, disk.clone())?, false),
    };
    folder.remember("the corpus")?;
    while !(trainer.is_done() && measured) {
        let step = trainer.state.step;
        if !trainer.is_done() {
            if pause.is_some_and(|pause| step >= pause) {
                return folder.pause(&trainer, pipeline);
            }
            update(&mut trainer);
        }
        let step = trainer.state.step;
        measured = step.is_multiple_of(2) || trainer.is_done();
        if measured {
            // Divided so that the fractions are long: they must survive a file to the last bit.
            let nats = [3.1, 2.1, 2.7, 1.1][step / 2 - usize::from(step < 7)] / 0.7;
            if trainer.state.best.is_none_or(|(best, _)| nats < best) {
                (trainer.state.best, trainer.state.since_best) = (Some((nats, step)), 0)
            } else {
                trainer.state.since_best += 1
            }
            let line = format!("{{\"step\":{step},\"held_out\":{nats}}}");
            folder.record(&trainer, pipeline, &line)?;
        }
    }
    assert_eq!(
        folder.leftovers(),
        [] as [Leftover; 0],
        "all is the run's own"
    );
    Ok(())
}

/// Checks that every model that can be read from the run is complete, whatever has happened.
fn can_be_read(path: &Path, when: &str) {
    let whole: Vec<PathBuf> = list(path).into_iter().map(|(_, folder)| folder).collect();
    if !whole.is_empty() {
        average(&whole).unwrap_or_else(|e| panic!("{when}: {e}"));
        resume(path).unwrap_or_else(|e| panic!("{when}: {e}"));
    }
    if path.join("best/model.safetensors").exists() {
        load(&path.join("best")).unwrap_or_else(|e| panic!("{when}: {e}"));
    }
}

#[test]
fn a_run_that_fails_at_any_operation_recovers_the_same_files() {
    let room = tempfile::tempdir().unwrap();
    let whole = room.path().join("whole");
    life(&whole, &sound(), None).unwrap();
    let whole = all_of(&whole);
    assert_eq!(
        whole
            .keys()
            .filter(|path| path.components().count() == 1)
            .count(),
        6,
        "best, two steps, log, corpus, lock: {:?}",
        whole.keys()
    );
    let mut cases = 0;
    for pauses in [&[None][..], &[Some(1), Some(5), None]] {
        let disk = sound();
        let path = room.path().join(format!("paused {}", pauses.len()));
        for pause in pauses {
            life(&path, &disk, *pause).unwrap();
        }
        assert_eq!(all_of(&path), whole, "paused at {pauses:?}");
        let operations = disk.done();
        assert!(operations > 60, "{operations}");
        for (at, kind) in (0..operations).flat_map(|at| {
            // Pauses repeat most operations, so fewer ways are tried.
            let ways = [FaultKind::Die, FaultKind::Fail, FaultKind::Tear];
            let ways = ways.into_iter().take(4 - pauses.len());
            ways.map(move |kind| (at, kind))
        }) {
            let when = format!("{kind:?} at operation {at}, pauses {pauses:?}");
            let path = room.path().join("hurt");
            let disk = Trap::disk(at, kind);
            let mut lives = pauses.iter();
            let hurt = lives
                .by_ref()
                .find(|pause| life(&path, &disk, **pause).is_err());
            can_be_read(&path, &when);
            // The repair is killed too, at varying points.
            if newest(&path).is_some() {
                let _ = life(&path, &Trap::disk(at % 11, FaultKind::Die), Some(0));
                can_be_read(&path, &when);
            }
            for pause in hurt.into_iter().chain(lives).chain([&None]) {
                life(&path, &sound(), *pause).unwrap_or_else(|e| panic!("{when}: {e}"));
            }
            let now = all_of(&path);
            assert!(now.keys().eq(whole.keys()), "{when}: {:?}", now.keys());
            for (name, bytes) in &now {
                assert!(*bytes == whole[name], "{when}: {} differs", name.display());
            }
            fs::remove_dir_all(&path).unwrap();
            cases += 1;
        }
    }
    assert!(cases > 280, "{cases}");
}
