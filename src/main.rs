//! Arguments in, exit code out.

use std::process::ExitCode;

/// What a training step frees must serve the next one; the system's allocator gives large pieces back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    transformer_tutor::cli::main()
}
