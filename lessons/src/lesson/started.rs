//! How this program was started.

/// Prefix for commands shown to the user: `cargo run --` under cargo, else the program as it was typed, with its path
/// if it had one.
pub fn program() -> String {
    match std::env::var_os("CARGO") {
        Some(_) => "cargo run --".to_owned(),
        None => named(std::env::args().next()),
    }
}

fn named(typed: Option<String>) -> String {
    let typed = typed.filter(|name| !name.is_empty() && !name.contains(char::is_whitespace));
    typed.unwrap_or_else(|| "transformer-tutor".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_begins_as_the_program_was_started() {
        let under_cargo = std::env::var_os("CARGO").is_some();
        assert_eq!(program() == "cargo run --", under_cargo);
        assert_eq!(named(Some("./tutor".to_owned())), "./tutor");
        assert_eq!(named(None), "transformer-tutor");
    }
}
