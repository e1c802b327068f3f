//! Signals with which the user or the system asks a run to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[cfg(unix)]
use crate::cli::ends::is_ignored;

/// Counter of termination signals. The first lets the run stop between two updates; the second ends the program at
/// once.
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Starts counting signals.
    pub fn listen() -> Self {
        let caught = Arc::new(AtomicUsize::new(0));
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            use signal_hook::flag;
            let again = Arc::new(AtomicBool::new(false));
            let all = [SIGINT, SIGTERM, SIGHUP].into_iter();
            for signal in all.filter(|signal| !is_ignored(*signal)) {
                // If a handler can't be registered, the run can still resume from its last checkpoint. Handlers run in
                // this order, so only the second signal finds the flag that the first one raised.
                let _ = flag::register_conditional_default(signal, again.clone());
                let _ = flag::register(signal, again.clone());
                let _ = flag::register_usize(signal, caught.clone(), signal as usize);
            }
        }
        Self(caught)
    }

    /// Most recent signal.
    pub fn caught(&self) -> Option<u8> {
        u8::try_from(self.0.load(Ordering::SeqCst))
            .ok()
            .filter(|signal| *signal > 0)
    }
}
