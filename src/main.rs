//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    transformer_tutor::cli::main()
}
