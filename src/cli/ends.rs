//! Signal handling for commands that write files, so that no half-written files are left behind.

#![allow(unsafe_code)] // asks the system how a signal is handled

/// Makes writes beyond the file size limit (`ulimit -f`) fail, as on a full disk, instead of ending the program.
pub fn let_large_writes_fail() {
    #[cfg(unix)]
    {
        let ignored = Default::default();
        // If the signal cannot be caught, the system ends the program, and its files are repaired as after any kill.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored);
    }
}

/// Removes temporary files when a signal ends the program, for commands that do not catch signals.
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

/// True if the parent process asked for the signal to be ignored, as `nohup` and `&` in a script do.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` is a plain structure of numbers, which the call fills; with a null pointer it changes
    // nothing.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}
