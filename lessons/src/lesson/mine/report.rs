//! What the learner's process reports during a run, as marked lines on stderr.

/// Beginning of these lines. It is visible, so that it outlives the cleaning of what a process printed.
const MARK: &str = "▸mine▸ ";

/// Writes a line for the tutor to show.
pub(super) fn send(line: &str) {
    eprintln!("{MARK}{line}");
}

/// The line that a line of stderr reports; `None` if one of the learner's functions printed it.
pub(super) fn reported(line: &str) -> Option<&str> {
    line.strip_prefix(MARK)
}
