//! Contrast of text and background after WCAG AA, in the light and the dark theme.

use std::collections::BTreeMap;

use transformer_tutor::book;

type Colours = BTreeMap<String, [f64; 3]>;

/// The colours named in the style sheet's first block, in lines such as `--tt-ink: light-dark(#1b1d21, #e7e5df);`.
fn colours(css: &str, dark: bool) -> Colours {
    let block = css
        .split(":root {")
        .nth(1)
        .and_then(|rest| rest.split('}').next())
        .unwrap();
    let lines = block.lines().filter_map(|line| {
        let line = line.trim().strip_prefix("--tt-")?;
        let (name, both) = line.split_once(": light-dark(")?;
        Some((name, both.split('#').nth(1 + usize::from(dark))?))
    });
    let byte =
        |hex: &str, at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
    lines
        .map(|(name, hex)| (name.to_owned(), [byte(hex, 0), byte(hex, 2), byte(hex, 4)]))
        .collect()
}

fn luminance(colour: [f64; 3]) -> f64 {
    let linear = colour.map(|c| {
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn mixed(a: [f64; 3], b: [f64; 3], share: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] * share + b[i] * (1.0 - share))
}

#[test]
fn text_and_lines_stand_out_in_light_and_dark() {
    let css = String::from_utf8(book::static_files()["theme/tutor.css"].clone()).unwrap();
    for dark in [false, true] {
        let colours = colours(&css, dark);
        let stands_out = |name: &str, ground: &str, least: f64| {
            let ratio = contrast(colours[name], colours[ground]);
            assert!(
                ratio >= least,
                "{name} on {ground}, dark {dark}: {ratio:.2}"
            );
        };
        let text = [
            "ink", "dim", "attend", "broken", "more", "less", "l0", "l1", "l2", "l3", "l4", "l5",
        ];
        for name in text {
            stands_out(name, "paper", 4.5);
            stands_out(name, "sheet", 4.5);
        }
        for (name, ground) in [
            ("ink", "off"),
            ("dim", "off"),
            ("ink", "wash"),
            ("broken", "broken-wash"),
            ("paper", "broken"),
            ("paper", "ink"),
        ] {
            stands_out(name, ground, 4.5);
        }
        for fill in ["plus", "minus", "share"] {
            for step in 0..=20 {
                let cell = mixed(colours[fill], colours["paper"], f64::from(step) / 20.0);
                let ratio = contrast(colours["ink"], cell);
                assert!(
                    ratio >= 4.5,
                    "ink on {step}/20 of {fill}, dark {dark}: {ratio:.2}"
                );
            }
        }
        for name in ["edge", "focus"] {
            stands_out(name, "paper", 3.0);
            stands_out(name, "sheet", 3.0);
        }
    }
}
