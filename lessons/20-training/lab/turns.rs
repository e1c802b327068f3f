//! Scheduling: what each lane has to do, and which lanes train next.

use std::collections::VecDeque;

use transformer_tutor::lesson::picture::Status;

use super::super::lane::LaneView;
use super::super::plan::Plan;

/// What a lane has to do.
#[derive(Clone, Copy, Default)]
pub(super) struct LaneControl {
    /// Whether it trains until told otherwise.
    pub(super) goes: bool,
    /// Updates to make although it is paused.
    pub(super) owed: usize,
}

/// An order for the thread, taken between updates; lanes are given by index.
#[derive(Clone, Debug)]
pub(super) enum Order {
    Begin(Plan),
    Resume(Plan),
    Rate(usize, isize),
    Save(usize),
    SaveAll,
    Rewind(usize, isize),
    Fork(usize, Plan),
    Head,
    /// Another lane has come to the front.
    Turned,
    Drop(usize),
    Cancel,
}

/// State of the run: what has been requested, and what is shown.
pub(super) struct LabState {
    /// One per lane; empty while there is no run.
    pub(super) controls: Vec<LaneControl>,
    /// The lane that is shown and controlled.
    pub(super) front: usize,
    pub(super) orders: VecDeque<Order>,
    /// Whether the thread is working on an order, or on updates.
    pub(super) obeying: bool,
    pub(super) busy: bool,
    pub(super) begun: bool,
    /// One per lane.
    pub(super) shows: Vec<LaneView>,
    /// Message while there is no run.
    pub(super) says: String,
}

impl LabState {
    pub(super) const fn new() -> Self {
        Self {
            controls: Vec::new(),
            front: 0,
            orders: VecDeque::new(),
            obeying: false,
            busy: false,
            begun: false,
            shows: Vec::new(),
            says: String::new(),
        }
    }

    pub(super) fn status(&self) -> Status {
        match &self.controls[..] {
            [] => Status::Idle,
            controls if controls.iter().any(|control| control.goes) => Status::Working,
            _ => Status::Paused,
        }
    }

    /// Whether something requested has not been done yet.
    pub(super) fn owes(&self) -> bool {
        let goes = self.status() == Status::Working;
        let owed = self.controls.iter().any(|control| control.owed > 0);
        self.obeying || !self.orders.is_empty() || owed || self.busy && !goes
    }

    /// Lanes to train next, where `places` are the updates they have done (`None`: all). Lanes that owe updates come
    /// first; otherwise those furthest behind among the running ones. Thus a fork from an earlier moment catches up,
    /// and from then on all keep pace.
    pub(super) fn due(&mut self, places: &[Option<usize>]) -> Vec<usize> {
        for (control, place) in self.controls.iter_mut().zip(places) {
            if place.is_none() {
                *control = LaneControl::default();
            }
        }
        let controls = self.controls.iter_mut().enumerate().take(places.len());
        let mut owing: Vec<_> = controls.filter(|(_, control)| control.owed > 0).collect();
        if !owing.is_empty() {
            owing.iter_mut().for_each(|(_, control)| control.owed -= 1);
            return owing.into_iter().map(|(n, _)| n).collect();
        }
        let going = |n: &usize| self.controls.get(*n).is_some_and(|control| control.goes);
        let going: Vec<usize> = (0..places.len()).filter(going).collect();
        let last = going.iter().filter_map(|&n| places[n]).min();
        going.into_iter().filter(|&n| places[n] == last).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(controls: &[(bool, usize)]) -> LabState {
        LabState {
            controls: (controls
                .iter()
                .map(|&(goes, owed)| LaneControl { goes, owed }))
            .collect(),
            begun: true,
            ..LabState::new()
        }
    }

    #[test]
    fn the_lane_furthest_behind_goes_first_and_those_that_have_met_go_together() {
        let mut race = state(&[(true, 0), (true, 0), (false, 0)]);
        assert_eq!(race.due(&[Some(60), Some(20), Some(5)]), [1]);
        assert_eq!(race.due(&[Some(60), Some(60), Some(5)]), [0, 1]);
        assert_eq!(race.status(), Status::Working);
    }

    #[test]
    fn single_updates_come_before_the_race_and_are_made_while_a_lane_pauses() {
        let mut race = state(&[(true, 0), (false, 2)]);
        assert_eq!(race.due(&[Some(9), Some(40)]), [1]);
        assert_eq!(race.due(&[Some(9), Some(41)]), [1]);
        assert_eq!(race.due(&[Some(9), Some(42)]), [0]);
    }

    #[test]
    fn a_lane_that_has_done_all_its_updates_pauses() {
        let mut race = state(&[(true, 0), (true, 3)]);
        assert_eq!(race.due(&[Some(9), None]), [0]);
        assert_eq!(race.controls[1].owed, 0);
        assert!(race.due(&[None, None]).is_empty());
        assert_eq!(race.status(), Status::Paused);
        assert!(!race.owes());
    }
}
