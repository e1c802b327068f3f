//! What signals mean for a command that writes files: nothing half written stays behind.

/// From now on a write beyond the limit on the size of files (`ulimit -f`) fails, as on a full disk, instead of ending
/// the program.
pub fn let_large_writes_fail() {
    #[cfg(unix)]
    {
        let ignored = Default::default();
        // Where it cannot be caught, the system ends the program, and what it wrote is mended as after any kill.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored);
    }
}

/// From now on a signal that ends the program takes along what is temporary. For commands that do not catch signals
/// themselves.
pub fn clear_up() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::emulate_default_handler;
        let all = [SIGINT, SIGTERM, SIGHUP].into_iter();
        let Ok(mut signals) = Signals::new(all.filter(|signal| !is_ignored(*signal))) else {
            return;
        };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                crate::data::scratch::remove_all();
                let _ = emulate_default_handler(signal);
            }
        });
    }
}

/// True if whoever started the program wants it to ignore the signal, as `nohup` does and a script's `&`.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` is a structure of numbers, which the call fills; with null it changes nothing.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}
