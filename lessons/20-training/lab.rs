//! The learner's own run, which trains on its own thread whatever is on the screen, and takes orders between updates.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use transformer_tutor::lesson::exercise::quietly;
use transformer_tutor::lesson::models;
use transformer_tutor::lesson::picture::{Part, Status, Steer, Steered};
use transformer_tutor::tensor::threads::{AVAILABLE, ahead, lock, stopped};

use super::bench::{Bench, LANES};
use super::lane::LaneView;
use super::plan::Plan;
use turns::{LabState, LaneControl, Order};

mod turns;

/// What the thread does next.
enum NextTask {
    Order(Order),
    /// One update of each of these lanes.
    Updates(Vec<usize>),
}

/// The program's only run.
pub struct Lab {
    state: Mutex<LabState>,
    /// Signalled when there is something to do.
    bell: Condvar,
    /// Signalled when everything requested has been done.
    calm: Condvar,
    version: AtomicU64,
    part: AtomicUsize,
}

static LAB: Lab = Lab {
    state: Mutex::new(LabState::new()),
    bell: Condvar::new(),
    calm: Condvar::new(),
    version: AtomicU64::new(1),
    part: AtomicUsize::new(0),
};

/// Whether the learner's own run is training at the moment.
pub fn works() -> bool {
    let state = LAB.lock();
    state.status() == Status::Working || state.owes()
}

impl Lab {
    fn lock(&self) -> MutexGuard<'_, LabState> {
        lock(&self.state)
    }

    fn wake(&'static self, state: &mut LabState) {
        if !state.begun {
            state.begun = true;
            ahead(|| self.work());
        }
        self.changed();
        self.bell.notify_all();
    }

    fn changed(&self) {
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    /// Waits until there is something to do.
    fn next(&self, places: &[Option<usize>]) -> NextTask {
        let mut state = self.lock();
        loop {
            if let Some(order) = state.orders.pop_front() {
                (state.obeying, state.busy) = (true, true);
                return NextTask::Order(order);
            }
            state.obeying = false;
            let before = state.status();
            let owing = state.controls.iter().any(|control| control.owed > 0);
            let due = state.due(places);
            state.obeying = owing && !due.is_empty();
            if state.status() != before {
                self.changed();
            }
            if !state.owes() {
                self.calm.notify_all();
            }
            if !due.is_empty() {
                state.busy = true;
                return NextTask::Updates(due);
            }
            state.busy = false;
            if !state.owes() {
                self.calm.notify_all();
            }
            state = self.bell.wait(state).unwrap_or_else(|e| e.into_inner());
        }
    }

    fn work(&self) {
        let mut bench: Option<Bench> = None;
        let mut published = None;
        loop {
            let places = bench.as_ref().map_or(Vec::new(), Bench::places);
            let turn = self.next(&places);
            let tell = |says: &str| self.say(says);
            let done = quietly(|| catch_unwind(AssertUnwindSafe(|| obey(&mut bench, turn, &tell))));
            let (stopped, trouble) = match done {
                Ok(Ok(stopped)) => (stopped, None),
                Ok(Err(sentence)) => (Vec::new(), Some(sentence)),
                Err(panic) => {
                    let all = (0..places.len()).collect();
                    (all, Some(stopped("run", panic)))
                }
            };
            let mut state = self.lock();
            for lane in stopped {
                if let Some(control) = state.controls.get_mut(lane) {
                    *control = LaneControl::default();
                }
            }
            let lanes = bench.as_ref().map_or(0, |bench| bench.lanes.len());
            // Pending orders have already adjusted them.
            if state.orders.is_empty() {
                state.controls.resize(lanes, LaneControl::default());
            }
            let front = state.front.min(lanes.saturating_sub(1));
            match &mut bench {
                Some(bench) => {
                    if let Some(sentence) = trouble {
                        bench.lanes[front].message = sentence;
                    }
                    state.shows = bench.shows();
                }
                None => {
                    state.shows.clear();
                    state.says = trouble.unwrap_or_default();
                }
            }
            drop(state);
            self.changed();
            let edition = bench.as_ref().map(|bench| bench.edition(front));
            if edition != published {
                let offers = bench.as_mut().map(|bench| bench.offers(front));
                models::publish(offers.unwrap_or_default());
                published = edition;
            }
        }
    }

    fn say(&self, says: &str) {
        let mut state = self.lock();
        let front = state.front;
        match state.shows.get_mut(front) {
            Some(show) => show.says = says.to_owned(),
            None => state.says = says.to_owned(),
        }
        drop(state);
        self.changed();
    }
}

/// Does what is next. Returns the lanes that cannot continue.
fn obey(
    bench: &mut Option<Bench>,
    turn: NextTask,
    tell: &dyn Fn(&str),
) -> Result<Vec<usize>, String> {
    let order = match (turn, &mut *bench) {
        (NextTask::Order(order), _) => order,
        (NextTask::Updates(due), Some(bench)) => return Ok(bench.update(&due)),
        (NextTask::Updates(_), None) => return Ok(Vec::new()),
    };
    match (order, &mut *bench) {
        (Order::Begin(plan), _) => *bench = Some(Bench::begin(plan, tell)?),
        (Order::Resume(plan), before) => {
            let held = before.as_ref().and_then(Bench::held);
            *bench = Some(Bench::resume(plan, held, tell)?);
        }
        (Order::Cancel, _) => *bench = None,
        (_, None) => {}
        (Order::Rate(lane, by), Some(bench)) => bench.lanes[lane].turn_rate(by),
        (Order::Save(lane), Some(bench)) => bench.save(lane)?,
        (Order::SaveAll, Some(bench)) => {
            (0..bench.lanes.len()).try_for_each(|lane| bench.save(lane))?;
        }
        (Order::Rewind(lane, by), Some(bench)) => bench.rewind(lane, by),
        (Order::Fork(lane, plan), Some(bench)) => bench.fork(lane, &plan),
        (Order::Turned, Some(_)) => {}
        (Order::Head, Some(bench)) => bench.turn_head(),
        (Order::Drop(lane), Some(bench)) => bench.drop_lane(lane)?,
    }
    Ok(Vec::new())
}

/// The run as the stage's knobs would start or fork it.
pub struct Wired(pub Plan);

impl Steered for Wired {
    fn status(&self) -> Status {
        LAB.lock().status()
    }

    fn version(&self) -> u64 {
        LAB.version.load(Ordering::SeqCst)
    }

    fn shown(&self) -> (String, f32, Vec<Part>) {
        let state = LAB.lock();
        let Some(show) = state.shows.get(state.front).or(state.shows.last()) else {
            return (state.says.clone(), 0.0, Vec::new());
        };
        let LaneView {
            says,
            done,
            mut parts,
        } = show.clone();
        drop(state);
        if !parts.is_empty() {
            let front = LAB.part.load(Ordering::SeqCst) % parts.len();
            parts.rotate_left(front);
        }
        (says, done, parts)
    }

    fn steer(&self, what: Steer) -> Option<String> {
        if !AVAILABLE {
            return Some(
                "A page can't train a run of your own. The program can: cargo run -- --lesson training"
                    .to_owned(),
            );
        }
        let mut state = LAB.lock();
        let state = &mut *state;
        if state.controls.is_empty() {
            match what {
                Steer::Toggle | Steer::Step(_) | Steer::Race(_) => {
                    state.orders.push_back(Order::Begin(self.0.clone()));
                    (state.controls, state.front) = (vec![LaneControl::default()], 0);
                }
                Steer::Resume | Steer::Front | Steer::Pause => {}
                _ => return Some("There is no run yet.".to_owned()),
            }
        }
        let front = state.front.min(state.controls.len().saturating_sub(1));
        match what {
            Steer::Toggle => state.controls[front].goes = !state.controls[front].goes,
            Steer::Pause => state
                .controls
                .iter_mut()
                .for_each(|control| control.goes = false),
            Steer::Step(n) => {
                let control = &mut state.controls[front];
                (control.goes, control.owed) = (false, control.owed + n);
            }
            Steer::Race(None) => {
                let all = state.controls.iter().all(|control| control.goes);
                state
                    .controls
                    .iter_mut()
                    .for_each(|control| control.goes = !all);
            }
            Steer::Race(Some(n)) => {
                for control in &mut state.controls {
                    (control.goes, control.owed) = (false, control.owed + n);
                }
            }
            Steer::Lane(_) if state.controls.len() == 1 => {
                return Some("There is one lane; f forks another.".to_owned());
            }
            Steer::Lane(by) => {
                let many = state.controls.len() as isize;
                state.front = (front as isize + by).rem_euclid(many) as usize;
                state.orders.push_back(Order::Turned);
            }
            Steer::Front => drop(LAB.part.fetch_add(1, Ordering::SeqCst)),
            Steer::Resume if state.status() == Status::Working => {
                return Some("The run is training; pause it first.".to_owned());
            }
            Steer::Resume if self.0.saved().is_none() => {
                return Some("There is no checkpoint yet; start a run first.".to_owned());
            }
            Steer::Resume => {
                (state.controls, state.front) = (vec![LaneControl::default()], 0);
                state.orders.push_back(Order::Resume(self.0.clone()));
            }
            Steer::Rate(by) => state.orders.push_back(Order::Rate(front, by)),
            Steer::Save => state.orders.push_back(Order::Save(front)),
            Steer::SaveAll => state.orders.push_back(Order::SaveAll),
            Steer::Rewind(by) if by > 0 && state.controls[front].goes => {
                return Some("This is the newest moment; t looks back.".to_owned());
            }
            Steer::Rewind(by) => {
                // Looking back pauses the lane.
                state.controls[front].goes = false;
                state.orders.push_back(Order::Rewind(front, by));
            }
            Steer::Fork if state.controls.len() >= LANES => {
                return Some(format!("At most {LANES} lanes; c ends the one in front."));
            }
            Steer::Fork => {
                state.orders.push_back(Order::Fork(front, self.0.clone()));
                state.controls[front].goes = true;
                state.front = state.controls.len();
                state.controls.push(LaneControl {
                    goes: true,
                    owed: 0,
                });
            }
            Steer::Head => state.orders.push_back(Order::Head),
            Steer::Cancel if state.controls.len() > 1 => {
                state.controls.remove(front);
                state.front = front.min(state.controls.len() - 1);
                state.orders.push_back(Order::Drop(front));
            }
            Steer::Cancel => {
                state.controls.clear();
                state.orders.push_back(Order::Cancel);
            }
        }
        LAB.wake(state);
        None
    }

    fn settle(&self) -> String {
        let mut state = LAB.lock();
        while state.begun && state.owes() {
            state = LAB.calm.wait(state).unwrap_or_else(|e| e.into_inner());
        }
        let show = state.shows.get(state.front).or(state.shows.last());
        show.map_or(state.says.clone(), |show| show.says.clone())
    }
}
