//! Contrast of text and background after WCAG AA, in the light and the dark theme.

use std::collections::BTreeMap;

use transformer_tutor::book;

type Colours = BTreeMap<String, [f64; 3]>;

/// The colours defined in the style sheet's block that begins with `selector`.
fn colours(css: &str, selector: &str) -> Colours {
    let block = css
        .split(selector)
        .nth(1)
        .and_then(|rest| rest.split('}').next())
        .unwrap();
    let lines = block
        .lines()
        .filter_map(|line| line.trim().strip_prefix("--tt-")?.split_once(": #"));
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
    for selector in [":root {", ".coal, .navy, .ayu {", "html:not(.js) {"] {
        let colours = colours(&css, selector);
        let paper = colours["paper"];
        let text = [
            "ink", "dim", "link", "good", "bad", "try", "break", "differs", "l0", "l1", "l2", "l3",
            "l4", "l5",
        ];
        for name in text {
            let ratio = contrast(colours[name], paper);
            assert!(ratio >= 4.5, "{selector} {name} on paper: {ratio:.2}");
        }
        for fill in ["plus", "minus", "share"] {
            for step in 0..=20 {
                let cell = mixed(colours[fill], paper, f64::from(step) / 20.0);
                let ratio = contrast(colours["ink"], cell);
                assert!(
                    ratio >= 4.5,
                    "{selector} ink on {step}/20 of {fill}: {ratio:.2}"
                );
            }
        }
        for name in ["dim", "ink"] {
            let ratio = contrast(colours[name], colours["off"]);
            assert!(ratio >= 4.5, "{selector} {name} on off: {ratio:.2}");
        }
        assert!(contrast(colours["focus"], paper) >= 3.0);
    }
}
