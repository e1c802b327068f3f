//! The drawings that move, in a real browser. Skipped if there is none.

use super::chromium::{browser, driven};
use super::links::laid_out;

/// Moves the clocks of a chapter with the slider and the buttons, and reports what is said and where a hand points.
const CLOCKS: &str = r#"<script>
window.addEventListener("load", () => setTimeout(() => {
  const said = [];
  const box = document.querySelector(".tt-motion");
  const one = (name) => box.querySelector(name);
  const slider = one("input");
  const button = (words) => [...box.querySelectorAll("button")].find((button) => button.textContent === words);
  slider.value = 8;
  slider.dispatchEvent(new Event("input"));
  said.push("sentence: " + one(".tt-says").textContent);
  said.push("hand: " + one(".hand").style.transform);
  button("Back").click();
  said.push("back: " + slider.getAttribute("aria-valuetext"));
  button("Play").click();
  said.push("plays: " + Boolean(button("Pause")));
  button("Pause").click();
  said.push("clocks: " + box.querySelectorAll("li").length);
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
}, 100));
</script>"#;

#[test]
fn clocks_turn_with_the_slider_and_say_where_they_are() {
    let Some(browser) = browser() else { return };
    let folder = laid_out();
    let page = folder.path().join("book/02-positional-encoding.html");
    let driven = driven(browser, &page, CLOCKS);
    for line in [
        // 8 radians, and 8 / 10000^(64/128).
        "sentence: Position 8: the first hand has turned by 458°, the last by 4.6°. On the first clock it looks almost like position 2;",
        "hand: rotate(-8",
        "back: position 7",
        "plays: true",
        "clocks: 6",
    ] {
        assert!(driven.contains(line), "{line}: {driven}");
    }
}
