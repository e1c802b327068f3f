//! The learner's own run: it trains on a thread of its own, whatever is on the screen, and takes orders between two
//! updates.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use transformer_tutor::lesson::exercise::quietly;
use transformer_tutor::lesson::live::{Part, Status, Steer, Steered};
use transformer_tutor::lesson::progress;
use transformer_tutor::train::checkpoint;

use super::bench::{Bench, Plan};

/// What the thread is asked to do between two updates.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Begin(Plan),
    Resume(Plan),
    Rate(isize),
    Save,
    Rewind(isize),
    Fork(Plan),
    Head,
    Cancel,
}

/// What the screen shows: filled by the thread, copied by whoever draws.
#[derive(Clone, Default)]
pub struct Show {
    pub says: String,
    pub done: f32,
    pub parts: Vec<Part>,
}

struct Inside {
    status: Status,
    orders: VecDeque<Order>,
    /// Updates that are to be made although it pauses.
    owed: usize,
    /// Whether the thread is at work on something.
    busy: bool,
    begun: bool,
    show: Show,
}

/// The one run of the program.
pub struct Lab {
    inside: Mutex<Inside>,
    /// Rung when there is something to do.
    bell: Condvar,
    /// Rung when there is nothing left to do.
    calm: Condvar,
    version: AtomicU64,
    front: AtomicUsize,
}

static LAB: Lab = Lab {
    inside: Mutex::new(Inside {
        status: Status::Idle,
        orders: VecDeque::new(),
        owed: 0,
        busy: false,
        begun: false,
        show: Show {
            says: String::new(),
            done: 0.0,
            parts: Vec::new(),
        },
    }),
    bell: Condvar::new(),
    calm: Condvar::new(),
    version: AtomicU64::new(1),
    front: AtomicUsize::new(0),
};

/// Where the checkpoints of a plan are kept; `None` without a home folder.
pub fn folder(small: bool) -> Option<PathBuf> {
    let name = if small { "small" } else { "phrasebook" };
    Some(progress::folder()?.join("training").join(name))
}

/// The newest checkpoint's update, if there is one.
pub fn saved(small: bool) -> Option<usize> {
    Some(checkpoint::list(&folder(small)?).pop()?.0)
}

impl Lab {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn order(&'static self, inside: &mut Inside, order: Order) {
        inside.orders.push_back(order);
        self.wake(inside);
    }

    fn wake(&'static self, inside: &mut Inside) {
        if !inside.begun {
            inside.begun = true;
            std::thread::spawn(|| self.work());
        }
        self.version.fetch_add(1, Ordering::SeqCst);
        self.bell.notify_all();
    }

    /// Waits for the next order; an update is `None`.
    fn next(&self, can_train: bool) -> Option<Order> {
        let mut inside = self.lock();
        loop {
            if let Some(order) = inside.orders.pop_front() {
                inside.busy = true;
                return Some(order);
            }
            if can_train && (inside.status == Status::Working || inside.owed > 0) {
                inside.owed = inside.owed.saturating_sub(1);
                inside.busy = true;
                return None;
            }
            if inside.status == Status::Working {
                inside.status = Status::Paused;
                self.version.fetch_add(1, Ordering::SeqCst);
            }
            (inside.busy, inside.owed) = (false, 0);
            self.calm.notify_all();
            inside = self.bell.wait(inside).unwrap_or_else(|e| e.into_inner());
        }
    }

    fn work(&self) {
        let mut bench: Option<Bench> = None;
        loop {
            let order = self.next(bench.as_ref().is_some_and(|bench| !bench.is_done()));
            let tell = |says: &str| self.say(says);
            let done =
                quietly(|| catch_unwind(AssertUnwindSafe(|| obey(&mut bench, order, &tell))));
            let trouble = match done {
                Ok(Ok(())) => None,
                Ok(Err(sentence)) => Some(sentence),
                Err(_) => Some("The run stopped: there may not be enough memory.".to_owned()),
            };
            let mut inside = self.lock();
            if trouble.is_some() {
                inside.status = Status::Paused;
                inside.owed = 0;
            }
            match &mut bench {
                Some(bench) => {
                    if let Some(sentence) = trouble {
                        bench.said = sentence;
                    }
                    inside.show = bench.show();
                }
                None => {
                    inside.status = Status::Idle;
                    inside.show = Show {
                        says: trouble.unwrap_or_default(),
                        ..Show::default()
                    };
                }
            }
            drop(inside);
            self.version.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn say(&self, says: &str) {
        self.lock().show.says = says.to_owned();
        self.version.fetch_add(1, Ordering::SeqCst);
    }
}

/// Does what was ordered; `None` is an update.
fn obey(
    bench: &mut Option<Bench>,
    order: Option<Order>,
    tell: &dyn Fn(&str),
) -> Result<(), String> {
    match (order, &mut *bench) {
        (Some(Order::Begin(plan)), _) => *bench = Some(Bench::begin(plan, tell)?),
        (Some(Order::Resume(plan)), _) => *bench = Some(Bench::resume(plan, tell)?),
        (Some(Order::Cancel), _) => *bench = None,
        (_, None) => {}
        (None, Some(bench)) => bench.update()?,
        (Some(Order::Rate(by)), Some(bench)) => bench.turn_rate(by),
        (Some(Order::Save), Some(bench)) => bench.save()?,
        (Some(Order::Rewind(by)), Some(bench)) => bench.rewind(by),
        (Some(Order::Fork(plan)), Some(bench)) => bench.fork(plan),
        (Some(Order::Head), Some(bench)) => bench.turn_head(),
    }
    Ok(())
}

/// The run, as the knobs of the stage would begin or fork it.
pub struct Wired(pub Plan);

impl Steered for Wired {
    fn status(&self) -> Status {
        LAB.lock().status
    }

    fn version(&self) -> u64 {
        LAB.version.load(Ordering::SeqCst)
    }

    fn shown(&self) -> (String, f32, Vec<Part>) {
        let Show {
            says,
            done,
            mut parts,
        } = LAB.lock().show.clone();
        if !parts.is_empty() {
            let front = LAB.front.load(Ordering::SeqCst) % parts.len();
            parts.rotate_left(front);
        }
        (says, done, parts)
    }

    fn steer(&self, what: Steer) -> Option<String> {
        let mut inside = LAB.lock();
        let idle = inside.status == Status::Idle;
        let order = match what {
            Steer::Toggle | Steer::Step(_) => {
                if idle {
                    inside.orders.push_back(Order::Begin(self.0));
                }
                inside.status = match (what, inside.status) {
                    (Steer::Toggle, Status::Idle | Status::Paused) => Status::Working,
                    _ => Status::Paused,
                };
                if let Steer::Step(n) = what {
                    inside.owed += n;
                }
                LAB.wake(&mut inside);
                return None;
            }
            Steer::Front => {
                LAB.front.fetch_add(1, Ordering::SeqCst);
                LAB.version.fetch_add(1, Ordering::SeqCst);
                return None;
            }
            Steer::Resume if inside.status == Status::Working => {
                return Some("It trains already; pause it first.".to_owned());
            }
            Steer::Resume if saved(self.0.small).is_none() => {
                return Some("No checkpoint is kept yet; r begins a run.".to_owned());
            }
            Steer::Resume => {
                inside.status = Status::Paused;
                Order::Resume(self.0)
            }
            _ if idle => return Some("No run has begun yet: r begins one.".to_owned()),
            Steer::Rate(by) => Order::Rate(by),
            Steer::Save => Order::Save,
            Steer::Rewind(by) => {
                // Who looks back wants the run to wait.
                inside.status = Status::Paused;
                Order::Rewind(by)
            }
            Steer::Fork => Order::Fork(self.0),
            Steer::Head => Order::Head,
            Steer::Cancel => Order::Cancel,
        };
        LAB.order(&mut inside, order);
        None
    }

    fn settle(&self) -> String {
        let mut inside = LAB.lock();
        let working = |inside: &Inside| inside.busy || !inside.orders.is_empty() || inside.owed > 0;
        while inside.begun && working(&inside) && inside.status != Status::Working {
            inside = LAB.calm.wait(inside).unwrap_or_else(|e| e.into_inner());
        }
        inside.show.says.clone()
    }
}
