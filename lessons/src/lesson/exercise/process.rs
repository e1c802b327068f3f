//! System calls that the standard library lacks: ending a whole process group, and limiting memory. On systems other
//! than Unix these do less.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// Makes `command` the leader of its own process group, so that [`stop`] also reaches its children.
pub fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills `child`, unless it has ended, and every process in its group, and returns its exit status. `child` must not
/// have been waited for: until then, no other process can reuse its group id.
pub fn stop(child: &mut Child) -> io::Result<ExitStatus> {
    stop_group(child.id());
    // On systems without process groups, end at least the child itself.
    let _ = child.kill();
    child.wait()
}

/// True if `child` has ended. On systems with process groups it is not waited for yet, so [`stop`] can still reach its
/// group.
pub fn has_ended(child: &mut Child) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let id = id.ok_or(io::ErrorKind::InvalidInput)?;
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(id), look)?.is_some())
    }
    #[cfg(not(unix))]
    child.try_wait().map(|status| status.is_some())
}

fn stop_group(leader: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(leader)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        // The group may have ended in the meantime.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}

/// Limits this process's address space to `bytes`; an allocation beyond that ends it with a message.
pub fn limit_memory(bytes: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::As);
        limit.current = Some(limit.current.map_or(bytes, |now| now.min(bytes)));
        // Some systems have no such limit.
        let _ = setrlimit(Resource::As, limit);
    }
    #[cfg(not(unix))]
    let _ = bytes;
}

/// Limits the address space of `child` and of each process it starts to `bytes`. Only Linux can limit another process.
pub fn limit_memory_of(child: &Child, bytes: u64) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Resource, getrlimit, prlimit};
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let mut limit = getrlimit(Resource::As);
        limit.current = Some(limit.current.map_or(bytes, |now| now.min(bytes)));
        // A child that has ended needs no limit.
        let _ = prlimit(id, Resource::As, limit);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (child, bytes);
}

#[cfg(unix)]
mod interrupt {
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    use crate::data::scratch;

    /// Id of the running process group; 0 if there is none.
    static GROUP: AtomicU32 = AtomicU32::new(0);

    pub fn guard(group: u32) {
        GROUP.store(group, Ordering::SeqCst);
    }

    pub fn end_running() {
        let group = GROUP.load(Ordering::SeqCst);
        if group > 0 {
            super::stop_group(group);
        }
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
                    end_running();
                    scratch::remove_all();
                    // Exit status that shells use for death by a signal.
                    std::process::exit(128 + signal);
                }
            });
        });
    }
}

/// Remembers the process group that Ctrl-C must end; `None` once it has ended.
pub fn guard(child: Option<&Child>) {
    #[cfg(unix)]
    interrupt::guard(child.map_or(0, Child::id));
    #[cfg(not(unix))]
    let _ = child;
}

/// Ends the running group, if there is one; for a program that is about to be ended by a signal.
#[cfg(unix)]
pub fn end_running() {
    interrupt::end_running();
}

/// Makes Ctrl-C, a closed terminal and a termination request end the running exercise too; in its own process group, it
/// would not receive them. For commands only: the walkthrough reads Ctrl-C as a key.
pub fn end_together() {
    #[cfg(unix)]
    interrupt::install();
}
