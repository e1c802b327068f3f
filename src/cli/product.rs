//! Output of a command, to a file or with `-` to stdout, and where its report goes.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use crate::data::output::{Output, Replace};
use crate::train::run_folder::recognise;
use crate::typeset::sanitize::clean;

/// Option that allows files to be replaced.
#[derive(Args)]
pub struct Force {
    /// Replaces files that exist already; folders and what else they hold always stay
    #[arg(long)]
    pub force: bool,
}

/// Destination of a command's product.
pub enum Product {
    /// Stdout; the report then goes to stderr.
    Stdout,
    /// A file.
    File(Output),
}

impl Product {
    /// Returns the destination for `path`, where `-` is stdout; see [`Output::new`]. Writes nothing yet.
    pub fn new(path: &Path, inputs: &[&Path], replace: Replace) -> anyhow::Result<Self> {
        if is_stdout(path) {
            return Ok(Self::Stdout);
        }
        recognise::outside_runs(path)?;
        Ok(Self::File(Output::new(path, inputs, replace)?))
    }

    /// Like [`Product::new`], for a format that cannot be recognised as written by this program: an existing file is
    /// replaced only with `--force`.
    pub fn forced(path: &Path, inputs: &[&Path], force: &Force) -> anyhow::Result<Self> {
        let replace = if force.force {
            Replace::Files
        } else {
            Replace::Nothing
        };
        Self::new(path, inputs, replace)
    }

    /// Writes text. A file is written completely or not at all.
    pub fn write(&self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        self.put(text.as_bytes(), out)
    }

    /// Writes binary data, which is refused on a terminal.
    pub fn write_bytes(&self, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
        ensure!(
            !(matches!(self, Self::Stdout) && io::stdout().is_terminal()),
            "the file is not text, and stdout is a terminal; name a file, or lead stdout to one"
        );
        self.put(bytes, out)
    }

    fn put(&self, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                out.write_all(bytes)?;
                out.flush()?;
            }
            Self::File(output) => output.write(bytes)?,
        }
        Ok(())
    }

    /// Prints the report on stdout, or on stderr if stdout has the product.
    pub fn report(&self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Self::Stdout => write!(io::stderr(), "{}", clean(text))?,
            Self::File(_) => write!(out, "{text}")?,
        }
        Ok(())
    }
}

/// True if `path` is `-`, or this process's stdout under another name: `/dev/stdout`, or the file it is redirected to.
pub fn is_stdout(path: &Path) -> bool {
    if path == Path::new("-") {
        return true;
    }
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        let own = io::stdout().as_fd().try_clone_to_owned();
        let own = own.and_then(|fd| std::fs::File::from(fd).metadata());
        matches!((own, std::fs::metadata(path)), (Ok(own), Ok(other))
            if (own.dev(), own.ino()) == (other.dev(), other.ino()))
    }
    #[cfg(not(unix))]
    false
}

/// Path of a folder to write files into; `-` is refused as a likely mistake. Refuses the folder of a run and every
/// folder inside it that the run owns.
pub fn folder(path: &Path) -> anyhow::Result<PathBuf> {
    ensure!(
        path != Path::new("-"),
        "- is stdout, and this command writes several files; name a folder (./- for one of that name)"
    );
    recognise::no_run(path)?;
    Ok(path.to_owned())
}

/// Runs `work`, showing its progress on stderr: on a terminal in one line, which is cleared at the end; elsewhere in
/// one line per message.
pub fn with_progress<T>(work: impl FnOnce(&(dyn Fn(&str) + Sync)) -> T) -> T {
    if !io::stderr().is_terminal() {
        return work(&|words| writeln!(io::stderr(), "{}", clean(words)).unwrap_or(()));
    }
    const LINE: &str = "\r\x1b[K";
    // A failure to write progress must not stop the work.
    let say = |words: &str| write!(io::stderr(), "{LINE}{}", clean(words)).unwrap_or(());
    let done = work(&say);
    write!(io::stderr(), "{LINE}").unwrap_or(());
    done
}
