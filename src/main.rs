//! Arguments in, exit code out.

#![allow(unsafe_code)] // a function before `main`, and an option of the allocator

use std::process::ExitCode;

/// What a training step frees must serve the next one; the system's allocator gives large pieces back.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc.h: milliseconds until freed memory goes back to the system, −1 for never.
#[cfg(feature = "mimalloc")]
const PURGE_DELAY: i32 = 15;

/// Called by the system before `main`. The Rust runtime, which also starts before `main`, opens /dev/null in place of a
/// closed stdout.
// SAFETY: the section holds pointers to functions of this type, and the function only makes one system call and sets a
// flag.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
))]
#[used]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
static BEFORE_MAIN: extern "C" fn() = transformer_tutor::cli::streams::look;

fn main() -> ExitCode {
    // First of all, while there is one thread.
    transformer_tutor::tensor::blas::prepare();
    #[cfg(feature = "mimalloc")]
    // SAFETY: it writes one number of the allocator's, before there is a second thread.
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, kept_for())
    };
    transformer_tutor::cli::main()
}

/// For how long freed memory is kept. A training step takes the same pages again and again, and the system clears them
/// anew each time: up to a seventh of a step's time. The walkthrough is open for hours, and what a large stage once
/// took must not stay taken; while it trains, half a second sees ten steps. (Large pieces are kept ten times as long.)
#[cfg(feature = "mimalloc")]
fn kept_for() -> std::ffi::c_long {
    let command = std::env::args_os().nth(1).unwrap_or_default();
    match command.to_str() {
        Some("train" | "bench") => -1,
        _ => 500,
    }
}
