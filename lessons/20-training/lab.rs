//! The learner's own run, which trains on its own thread whatever is on the screen, and takes orders between updates.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use transformer_tutor::lesson::exercise::quietly;
use transformer_tutor::lesson::models;
use transformer_tutor::lesson::picture::{Part, Status, Steer, Steered};
use transformer_tutor::tensor::threads::{lock, stopped};

use super::bench::{Bench, LANES};
use super::lane::Show;
use super::plan::Plan;
use turns::{LabState, Order, Will};

mod turns;

/// What the thread does next.
enum NextTask {
    Order(Order),
    /// One update of each of these lanes.
    Updates(Vec<usize>),
}

/// The program's only run.
pub struct Lab {
    inside: Mutex<LabState>,
    /// Signalled when there is something to do.
    bell: Condvar,
    /// Signalled when everything requested has been done.
    calm: Condvar,
    version: AtomicU64,
    part: AtomicUsize,
}

static LAB: Lab = Lab {
    inside: Mutex::new(LabState::new()),
    bell: Condvar::new(),
    calm: Condvar::new(),
    version: AtomicU64::new(1),
    part: AtomicUsize::new(0),
};

/// Whether the learner's own run is training at the moment.
pub fn works() -> bool {
    let inside = LAB.lock();
    inside.status() == Status::Working || inside.owes()
}

impl Lab {
    fn lock(&self) -> MutexGuard<'_, LabState> {
        lock(&self.inside)
    }

    fn wake(&'static self, inside: &mut LabState) {
        if !inside.begun {
            inside.begun = true;
            std::thread::spawn(|| self.work());
        }
        self.changed();
        self.bell.notify_all();
    }

    fn changed(&self) {
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    /// Waits until there is something to do.
    fn next(&self, places: &[Option<usize>]) -> NextTask {
        let mut inside = self.lock();
        loop {
            if let Some(order) = inside.orders.pop_front() {
                (inside.obeying, inside.busy) = (true, true);
                return NextTask::Order(order);
            }
            inside.obeying = false;
            let before = inside.status();
            let owing = inside.wills.iter().any(|will| will.owed > 0);
            let due = inside.due(places);
            inside.obeying = owing && !due.is_empty();
            if inside.status() != before {
                self.changed();
            }
            if !inside.owes() {
                self.calm.notify_all();
            }
            if !due.is_empty() {
                inside.busy = true;
                return NextTask::Updates(due);
            }
            inside.busy = false;
            if !inside.owes() {
                self.calm.notify_all();
            }
            inside = self.bell.wait(inside).unwrap_or_else(|e| e.into_inner());
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
            let mut inside = self.lock();
            for lane in stopped {
                if let Some(will) = inside.wills.get_mut(lane) {
                    *will = Will::default();
                }
            }
            let lanes = bench.as_ref().map_or(0, |bench| bench.lanes.len());
            // Pending orders have already adjusted them.
            if inside.orders.is_empty() {
                inside.wills.resize(lanes, Will::default());
            }
            let front = inside.front.min(lanes.saturating_sub(1));
            match &mut bench {
                Some(bench) => {
                    if let Some(sentence) = trouble {
                        bench.lanes[front].said = sentence;
                    }
                    inside.shows = bench.shows();
                }
                None => {
                    inside.shows.clear();
                    inside.says = trouble.unwrap_or_default();
                }
            }
            drop(inside);
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
        let mut inside = self.lock();
        let front = inside.front;
        match inside.shows.get_mut(front) {
            Some(show) => show.says = says.to_owned(),
            None => inside.says = says.to_owned(),
        }
        drop(inside);
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
        let inside = LAB.lock();
        let Some(show) = inside.shows.get(inside.front).or(inside.shows.last()) else {
            return (inside.says.clone(), 0.0, Vec::new());
        };
        let Show {
            says,
            done,
            mut parts,
        } = show.clone();
        drop(inside);
        if !parts.is_empty() {
            let front = LAB.part.load(Ordering::SeqCst) % parts.len();
            parts.rotate_left(front);
        }
        (says, done, parts)
    }

    fn steer(&self, what: Steer) -> Option<String> {
        let mut inside = LAB.lock();
        let inside = &mut *inside;
        if inside.wills.is_empty() {
            match what {
                Steer::Toggle | Steer::Step(_) | Steer::Race(_) => {
                    inside.orders.push_back(Order::Begin(self.0.clone()));
                    (inside.wills, inside.front) = (vec![Will::default()], 0);
                }
                Steer::Resume | Steer::Front | Steer::Pause => {}
                _ => return Some("There is no run yet.".to_owned()),
            }
        }
        let front = inside.front.min(inside.wills.len().saturating_sub(1));
        match what {
            Steer::Toggle => inside.wills[front].goes = !inside.wills[front].goes,
            Steer::Pause => inside.wills.iter_mut().for_each(|will| will.goes = false),
            Steer::Step(n) => {
                let will = &mut inside.wills[front];
                (will.goes, will.owed) = (false, will.owed + n);
            }
            Steer::Race(None) => {
                let all = inside.wills.iter().all(|will| will.goes);
                inside.wills.iter_mut().for_each(|will| will.goes = !all);
            }
            Steer::Race(Some(n)) => {
                for will in &mut inside.wills {
                    (will.goes, will.owed) = (false, will.owed + n);
                }
            }
            Steer::Lane(_) if inside.wills.len() == 1 => {
                return Some("There is one lane; f forks another.".to_owned());
            }
            Steer::Lane(by) => {
                let many = inside.wills.len() as isize;
                inside.front = (front as isize + by).rem_euclid(many) as usize;
                inside.orders.push_back(Order::Turned);
            }
            Steer::Front => drop(LAB.part.fetch_add(1, Ordering::SeqCst)),
            Steer::Resume if inside.status() == Status::Working => {
                return Some("The run is training; pause it first.".to_owned());
            }
            Steer::Resume if self.0.saved().is_none() => {
                return Some("There is no checkpoint yet; start a run first.".to_owned());
            }
            Steer::Resume => {
                (inside.wills, inside.front) = (vec![Will::default()], 0);
                inside.orders.push_back(Order::Resume(self.0.clone()));
            }
            Steer::Rate(by) => inside.orders.push_back(Order::Rate(front, by)),
            Steer::Save => inside.orders.push_back(Order::Save(front)),
            Steer::SaveAll => inside.orders.push_back(Order::SaveAll),
            Steer::Rewind(by) if by > 0 && inside.wills[front].goes => {
                return Some("This is the newest moment; t looks back.".to_owned());
            }
            Steer::Rewind(by) => {
                // Looking back pauses the lane.
                inside.wills[front].goes = false;
                inside.orders.push_back(Order::Rewind(front, by));
            }
            Steer::Fork if inside.wills.len() >= LANES => {
                return Some(format!("At most {LANES} lanes; c ends the one in front."));
            }
            Steer::Fork => {
                inside.orders.push_back(Order::Fork(front, self.0.clone()));
                inside.wills[front].goes = true;
                inside.front = inside.wills.len();
                inside.wills.push(Will {
                    goes: true,
                    owed: 0,
                });
            }
            Steer::Head => inside.orders.push_back(Order::Head),
            Steer::Cancel if inside.wills.len() > 1 => {
                inside.wills.remove(front);
                inside.front = front.min(inside.wills.len() - 1);
                inside.orders.push_back(Order::Drop(front));
            }
            Steer::Cancel => {
                inside.wills.clear();
                inside.orders.push_back(Order::Cancel);
            }
        }
        LAB.wake(inside);
        None
    }

    fn settle(&self) -> String {
        let mut inside = LAB.lock();
        while inside.begun && inside.owes() {
            inside = LAB.calm.wait(inside).unwrap_or_else(|e| e.into_inner());
        }
        let show = inside.shows.get(inside.front).or(inside.shows.last());
        show.map_or(inside.says.clone(), |show| show.says.clone())
    }
}
