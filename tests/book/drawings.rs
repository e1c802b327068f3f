//! The drawings that move and the map that a reader's sentence fills, in a real browser. Skipped if there is none.

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

/// Fills the tour's map with a sentence, lists its token ids, opens another box, and asks one of its numbers.
const MAP: &str = r#"<script>
// The browser's clock waits for the page, not for workers.
delete window.Worker;
window.addEventListener("load", () => setTimeout(async () => {
  const said = [];
  const until = async (holds) => {
    while (!holds()) await new Promise((resume) => setTimeout(resume, 10));
  };
  try {
    const figure = document.querySelector("figure.tt-map");
    const one = (name) => figure.querySelector(name);
    one(".tt-type input").value = "Meine Schwester trinkt Tee.";
    one(".tt-type button").click();
    const box = one('a[data-opens="decoder.layers.1.src_attn.residual"]');
    await until(() => one('a[data-opens="generator.log_probs"] .fill'));
    said.push("written: " + one(".tt-says").textContent.split("”")[0]);
    said.push("cells: " + box.querySelectorAll(".fill").length);
    const open = (box) => box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    const source = one('a[data-opens="src"]');
    open(source);
    await until(() => one(".tt-room .tt-rows"));
    said.push("source: " + source.querySelector(".note").textContent + ": " + one(".tt-room tbody").innerText.replace(/\s+/g, " "));
    open(box);
    await until(() => one(".tt-room td[data-i]"));
    const [tensor] = figure.querySelectorAll(".tt-room select");
    said.push("tensors: " + [...tensor.options].map((option) => option.textContent).join(" "));
    tensor.value = tensor.options[4].value;
    tensor.dispatchEvent(new Event("change"));
    await until(() => one(".tt-room thead").textContent.includes("Schwester"));
    one(".tt-room td[data-i]").click();
    await until(() => one(".tt-room .tt-asked"));
    said.push("asked: " + one(".tt-room .tt-asked strong").textContent);
  } catch (error) {
    said.push("error: " + error + error.stack);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
}, 100));
</script>"#;

#[test]
fn a_sentence_fills_the_map_and_any_box_can_be_asked() {
    let Some(browser) = browser() else { return };
    let folder = laid_out();
    let driven = driven(browser, &folder.path().join("book/00-tour.html"), MAP);
    for line in [
        "written: “My sister drinks tea.",
        // <s>, My, sister, drink, -s, tea and the full stop.
        "cells: 7",
        "source: lesson 04 · 1, 6: Meine 497 Schwester 1040 trinkt 2944",
        "tensors: residual query key value weights combined attended norm",
        "asked: weights[0,0,0]",
    ] {
        assert!(driven.contains(line), "{line}: {driven}");
    }
}
