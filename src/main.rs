//! The `main` function: arguments in, exit code out.

#![allow(unsafe_code)] // a function before `main`, and an option of the allocator

use std::process::ExitCode;

/// mimalloc reuses what a training step frees for the next; the system allocator returns large blocks to the system.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of `mi_option_purge_delay` in mimalloc.h: how many milliseconds freed memory is kept, −1 for ever.
#[cfg(feature = "mimalloc")]
const PURGE_DELAY: i32 = 15;

/// Function that the system calls before the Rust runtime starts. The runtime opens /dev/null in place of a closed
/// stdout, so `main` can no longer tell that it was closed.
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
static BEFORE_MAIN: extern "C" fn() = transformer_tutor::cli::streams::check_stdout;

fn main() -> ExitCode {
    // Must come first, while there is only one thread.
    transformer_tutor::tensor::blas::prepare();
    #[cfg(feature = "mimalloc")]
    // SAFETY: it sets one of the allocator's options, before there is a second thread.
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, kept_for())
    };
    transformer_tutor::cli::main()
}

/// Milliseconds for which freed memory is kept; −1 keeps it for ever.
///
/// A training step allocates the same pages again and again, and if they were returned, the system would clear them
/// each time, for up to a seventh of the step's time. The walkthrough stays open for hours, so it must not hold on to
/// what one large stage used; half a second covers ten training steps there. (mimalloc keeps large blocks ten times as
/// long.)
#[cfg(feature = "mimalloc")]
fn kept_for() -> std::ffi::c_long {
    let mut words = std::env::args_os().skip(1).filter(|word| word != "tools");
    match words.next().unwrap_or_default().to_str() {
        Some("train" | "bench") => -1,
        _ => 500,
    }
}
