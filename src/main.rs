//! Arguments in, exit code out.

use std::process::ExitCode;

/// What a training step frees must serve the next one; the system's allocator gives large pieces back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc.h: milliseconds until freed memory goes back to the system, −1 for never.
const PURGE_DELAY: i32 = 15;

fn main() -> ExitCode {
    // SAFETY: it writes one number of the allocator's, before there is a second thread. Without it the system clears
    // the same pages anew for every training step: up to a seventh of a step's time.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, -1) };
    transformer_tutor::cli::main()
}
