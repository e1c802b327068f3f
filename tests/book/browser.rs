//! A chapter in a real browser, driven from within the page. Skipped if there is no browser.

use std::fs;

use super::chromium::{browser, driven};
use super::links::built;

/// A script that does what a reader does, with the keyboard where possible; the test below checks each line it reports.
const DRIVE: &str = r#"<script>
window.addEventListener("load", () => setTimeout(() => {
  const said = [];
  const key = (at, key) => at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  try {
    const form = document.querySelector("form.tt-ask");
    const veiled = () => document.querySelectorAll(".tt-later[hidden]").length;
    const before = veiled();
    const choose = (right) => form.querySelector(`input[data-right="${right}"]`).click();
    choose(0);
    said.push("wrong: " + form.querySelector(".tt-verdict").className);
    choose(1);
    said.push("right: " + form.querySelector(".tt-verdict").className);
    said.push("unveiled: " + (veiled() < before));
    document.querySelectorAll(".tt-skip").forEach((button) => button.click());
    said.push("all: " + (veiled() === 0));
    const named = (name) => [...document.querySelectorAll("figure.tt")].filter((figure) =>
      figure.querySelector(".tt-head").textContent.startsWith(name) && figure.querySelector(".tt-runs button"));
    const figure = named("weights")[0];
    figure.querySelector("td[tabindex='0']").focus();
    key(document.activeElement, "ArrowRight");
    said.push("moved: " + (document.activeElement === figure.querySelectorAll("td[data-i]")[1]));
    key(document.activeElement, "Enter");
    const panel = figure.querySelector(".tt-why");
    for (let level = 0; level < 3; level += 1) panel.querySelector("ol button").click();
    said.push("way: " + panel.querySelector("p").textContent);
    panel.querySelector("button").click();
    said.push("back: " + panel.querySelector("p").textContent);
    const cells = () => [...figure.querySelectorAll("td[data-i]")].map((cell) => cell.textContent).join(" ");
    const sound = cells();
    const [first] = figure.querySelectorAll(".tt-runs button");
    first.click();
    const broken = cells();
    said.push("broken: " + (broken !== sound && first.getAttribute("aria-pressed")));
    figure.querySelector(".tt-difference").click();
    said.push("difference: " + (cells() !== broken && cells() !== sound));
    first.click();
    said.push("sound: " + (cells() === sound));
    const turned = [...document.querySelectorAll("figure.tt")].find((figure) => figure.querySelector(".tt-knobs input[type=range]"));
    const slider = turned.querySelector(".tt-knobs input[type=range]");
    const [stood, shown] = [turned.querySelector(".tt-knob output").textContent, turned.querySelector(".tt-body").textContent];
    let reached = false;
    document.addEventListener("keydown", () => { reached = true; });
    key(slider, "ArrowRight");
    said.push("the book's keys: " + reached);
    slider.value = slider.value === slider.max ? 0 : slider.max;
    slider.dispatchEvent(new Event("input"));
    said.push("turned: " + (turned.querySelector(".tt-body").textContent !== shown && turned.querySelector(".tt-knob output").textContent !== stood));
    said.push("named: " + (slider.closest("label").textContent.length > 3 && slider.getAttribute("aria-valuetext").length > 3));
    const knob = (figure) => [...figure.querySelectorAll(".tt-knob")].find((label) => label.querySelector("code").textContent === "head");
    const many = [...document.querySelectorAll("figure.tt")].find(knob);
    const other = knob(many).querySelector("input");
    const one = many.querySelector(".tt-body").textContent;
    // It may have been turned already.
    other.value = other.value === other.max ? 0 : other.max;
    other.dispatchEvent(new Event("input"));
    said.push("head: " + (many.querySelector(".tt-body").textContent !== one && many.querySelector(".tt-difference").hidden &&
      many.querySelector(".tt-head").textContent.includes("head " + other.value)));
  } catch (error) {
    said.push("error: " + error + error.stack);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
}, 200));
</script>"#;

#[test]
fn a_chapter_can_be_asked_broken_and_answered() {
    let Some(browser) = browser() else {
        eprintln!("There is no Chromium on this machine, so no page was opened.");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in built() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let driven = driven(
        browser,
        &folder.path().join("book/03-attention.html"),
        DRIVE,
    );
    for line in [
        "wrong: tt-verdict wrong",
        "right: tt-verdict right",
        "unveiled: true",
        "all: true",
        "moved: true",
        "way: Back weights[1,0,0,1] ← masked[",
        "broken: true",
        "difference: true",
        "sound: true",
        "the book's keys: false",
        "turned: true",
        "named: true",
        "head: true",
    ] {
        assert!(driven.contains(line), "{line}: {driven}");
    }
    let way = |line: &str| {
        driven
            .lines()
            .find(|said| said.starts_with(line))
            .unwrap()
            .matches('←')
            .count()
    };
    assert_eq!((way("way: "), way("back: ")), (3, 2), "{driven}");
}
