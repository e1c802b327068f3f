//! The shell command that shows a session's stage.

use super::Session;
use crate::typeset::shell;

impl Session {
    /// Command that reproduces the settings: `transformer-tutor show attention --set example=worked --break no-scale`.
    pub fn command(&self) -> String {
        let mut command = format!("transformer-tutor show {}", self.lesson().name);
        for knob in self.lesson().knobs {
            let value = self.settings().text(knob.name);
            if value != knob.default {
                command += &setting(knob.name, value);
            }
        }
        for mistake in self.settings().mistakes() {
            command += &format!(" --break {mistake}");
        }
        command
    }
}

/// Option that sets a knob, quoted for the shell: ` --set 'text=Ich habe keine Zeit.'`.
pub fn setting(knob: &str, value: &str) -> String {
    format!(" --set {}", shell::quoted(&format!("{knob}={value}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;

    #[test]
    fn a_setting_with_blanks_is_one_word_of_the_command() {
        let mut session = Session::new(curriculum::find("tour").unwrap());
        session.set("sentence", "Wo ist er?").unwrap();
        assert!(session.command().ends_with(" --set 'sentence=Wo ist er?'"));
    }
}
