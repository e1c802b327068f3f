//! Colour support of the terminal, and the theme that it allows.

use std::io::IsTerminal;

use termprofile::{DetectorSettings, TermProfile};

use crate::widgets::theme::Theme;

/// Colour support of the terminal behind `out`.
pub fn profile(out: &impl IsTerminal) -> TermProfile {
    let detected = TermProfile::detect(out, DetectorSettings::default());
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    // tmux accepts all colours and reduces them itself if the outer terminal has fewer.
    let full = matches!(set("COLORTERM").as_str(), "truecolor" | "24bit");
    match detected {
        TermProfile::Ansi256 if full && !set("TMUX").is_empty() => TermProfile::TrueColor,
        detected => detected,
    }
}

/// Theme of that name, as far as the terminal has colours for it; `auto` is dark or light, like the background that
/// the terminal reports.
pub(super) fn theme(name: &str, profile: TermProfile) -> anyhow::Result<Theme> {
    let background = std::env::var("COLORFGBG").ok();
    let wanted = match name {
        "auto" if background.as_deref().is_some_and(is_light) => "light",
        "auto" => "dark",
        name => name,
    };
    let theme =
        Theme::by_name(wanted).ok_or_else(|| anyhow::anyhow!("{}", Theme::unknown(name)))?;
    Ok(match profile {
        // Without colours, glyphs carry all information, whatever theme was requested.
        TermProfile::NoColor | TermProfile::NoTty => Theme::mono(),
        TermProfile::Ansi256 => theme.in_256(),
        TermProfile::Ansi16 if theme.ground.is_some() => Theme::ansi(),
        _ => theme,
    })
}

/// True if `COLORFGBG` (`0;15`: foreground and background among the 16 ANSI colours) reports a light background.
fn is_light(colours: &str) -> bool {
    let background = colours.rsplit(';').next().and_then(|n| n.parse().ok());
    background.is_some_and(|n: u8| n == 7 || n >= 9)
}

/// Reduces every colour to what the terminal can show.
pub(super) fn adapt(buf: &mut ratatui::buffer::Buffer, profile: TermProfile) {
    if profile != TermProfile::TrueColor {
        for cell in &mut buf.content {
            let style = profile.adapt_style(cell.style());
            cell.fg = style.fg.unwrap_or(ratatui::style::Color::Reset);
            cell.bg = style.bg.unwrap_or(ratatui::style::Color::Reset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theme_uses_the_colours_that_the_terminal_announces() {
        let auto = |profile| super::theme("auto", profile).unwrap();
        let dark = |profile| super::theme("dark", profile).unwrap();
        assert!(!dark(TermProfile::NoColor).is_coloured());
        assert!(dark(TermProfile::Ansi16).ground.is_none());
        assert!(theme("sepia", TermProfile::NoColor).is_err());
        assert!(!auto(TermProfile::NoColor).is_coloured());
        assert!(auto(TermProfile::Ansi16).ground.is_none());
        assert!(auto(TermProfile::Ansi256).ground.is_some());
        assert!(auto(TermProfile::TrueColor).ground.is_some());
        assert!(is_light("0;15") && is_light("0;default;7"));
        assert!(!is_light("15;0") && !is_light("") && !is_light("7;8"));
    }
}
