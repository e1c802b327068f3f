//! What the standard library cannot ask of the system: to end a whole process group, and to limit memory. Both are asked
//! of the shell's own tools, which every unix has, so that no unsafe code is needed; elsewhere they do less.

use std::process::{Child, Command, Stdio};

/// Makes `command` the leader of a group of its own, so that [`stop`] reaches its children too.
pub fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends `child` and everything that it started, at once. `child` must not have been waited for.
pub fn stop(child: &mut Child) {
    stop_group(child.id());
    // Where there are no groups, at least the child itself.
    let _ = child.kill();
    let _ = child.wait();
}

fn stop_group(leader: u32) {
    let group = format!("-{leader}");
    if cfg!(unix) {
        let mut kill = Command::new("kill");
        kill.args(["-KILL", "--", &group]);
        kill.stdin(Stdio::null()).stdout(Stdio::null());
        // A group that has ended in the meantime is no news.
        let _ = kill.stderr(Stdio::null()).status();
    }
}

/// Starts this program over with at most `bytes` of memory: what asks for more is ended with a message. Returns at once
/// in the program that was started over, and where that is not possible.
pub fn limit_memory(bytes: u64) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        const LIMITED: &str = "TRANSFORMER_TUTOR_LIMITED";
        let (None, Ok(program)) = (std::env::var_os(LIMITED), std::env::current_exe()) else {
            return;
        };
        let script = format!("ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", bytes >> 10);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(program);
        shell.args(std::env::args_os().skip(1)).env(LIMITED, "1");
        // Returns only where there is no shell.
        let _ = shell.exec();
    }
    #[cfg(not(unix))]
    let _ = bytes;
}

#[cfg(unix)]
mod interrupt {
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    /// The group that runs now; 0 for none.
    static GROUP: AtomicU32 = AtomicU32::new(0);

    pub fn guard(group: u32) {
        GROUP.store(group, Ordering::SeqCst);
    }

    pub fn install() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
            else {
                return;
            };
            std::thread::spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    let group = GROUP.load(Ordering::SeqCst);
                    if group > 0 {
                        super::stop_group(group);
                    }
                    // What shells give for an end by a signal.
                    std::process::exit(128 + signal);
                }
            });
        });
    }
}

/// Remembers the group that Ctrl-C must end; `None` when it has ended.
pub fn guard(child: Option<&Child>) {
    #[cfg(unix)]
    interrupt::guard(child.map_or(0, Child::id));
    #[cfg(not(unix))]
    let _ = child;
}

/// From now on Ctrl-C, a closed terminal and a request to end take the running exercise along: being in a group of its
/// own, it does not hear them. For commands; the walkthrough reads Ctrl-C as a key.
pub fn end_together() {
    #[cfg(unix)]
    interrupt::install();
}
