//! The learner's editor: `$VISUAL`, `$EDITOR`, or else vi (notepad on Windows).

use std::path::Path;
use std::process::Command;

/// Program and arguments of the editor: `code --wait` is two words.
fn command(visual: Option<String>, editor: Option<String>) -> Vec<String> {
    let fallback = if cfg!(windows) { "notepad" } else { "vi" };
    let set = [visual, editor].into_iter().flatten();
    let chosen = set
        .map(|words| words.split_whitespace().map(str::to_owned).collect())
        .find(|words: &Vec<String>| !words.is_empty());
    chosen.unwrap_or_else(|| vec![fallback.to_owned()])
}

/// Opens a file in the editor and waits until it exits. `Err` says what to do if it cannot be started.
pub fn edit(path: &Path) -> Result<(), String> {
    let words = command(std::env::var("VISUAL").ok(), std::env::var("EDITOR").ok());
    let status = Command::new(&words[0]).args(&words[1..]).arg(path).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("The editor {} ended with {status}.", words[0])),
        Err(e) => Err(format!(
            "The editor {} cannot be started ({e}): set EDITOR to yours, or open {} beside the tutor.",
            words[0],
            path.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_is_the_learners_with_its_arguments() {
        let set = |words: &str| Some(words.to_owned());
        assert_eq!(command(None, set("code --wait")), ["code", "--wait"]);
        assert_eq!(command(set("hx"), set("nano")), ["hx"]);
        assert_eq!(command(set(" "), set("nano")), ["nano"]);
        assert_eq!(command(None, None).len(), 1);
    }
}
