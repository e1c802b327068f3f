//! A chapter in a real browser, driven from within the page. Skipped if there is no browser.

use super::chromium::{browser, driven};
use super::links::laid_out;

/// A script that does what a reader does, with the keyboard where possible; the test below checks each line it reports.
const DRIVE: &str = r#"<script>
// The browser's clock waits for the page, not for workers.
delete window.Worker;
window.addEventListener("load", () => setTimeout(async () => {
  const said = [];
  const key = (at, key) => at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const settled = () => new Promise((resume) => setTimeout(resume, 0));
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
    let reached = false;
    document.addEventListener("keydown", () => { reached = true; });
    const named = (name) => [...document.querySelectorAll("figure.tt")].filter((figure) =>
      figure.querySelector(".tt-head").textContent.startsWith(name) && figure.querySelector(".tt-runs button"));
    const figure = named("weights")[0];
    const panel = figure.querySelector(".tt-why");
    const one = (name) => panel.querySelector(name);
    const first_cell = figure.querySelector("td[tabindex='0']");
    first_cell.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    first_cell.focus();
    said.push("hovered: " + panel.hidden);
    key(document.activeElement, "ArrowRight");
    const cell = document.activeElement;
    said.push("moved: " + (cell === figure.querySelectorAll("td[data-i]")[1]));
    key(cell, "Enter");
    await settled();
    said.push("asked: " + (document.activeElement === one(".tt-asked")));
    said.push("first: " + one(".tt-terms li").textContent);
    const [listed, more] = [one(".tt-terms").children.length, one(".tt-and-more")];
    more.click();
    said.push("more: " + listed + " and " + (one(".tt-terms").children.length - listed) + ", " + more.hidden);
    for (let level = 0; level < 3; level += 1) {
      key(document.activeElement, "ArrowDown");
      one(".tt-terms button").focus();
      key(document.activeElement, "ArrowRight");
      await settled();
    }
    said.push("way: " + one(".tt-way").textContent + " › " + one(".tt-asked strong").textContent);
    key(document.activeElement, "ArrowLeft");
    said.push("back: " + one(".tt-way").textContent + " › " + one(".tt-asked strong").textContent);
    said.push("to its term: " + document.activeElement.matches(".tt-terms button"));
    const cells = () => [...figure.querySelectorAll("td[data-i]")].map((cell) => cell.textContent).join(" ");
    const sound = cells();
    const [first] = figure.querySelectorAll(".tt-runs button");
    const caption = () => figure.querySelector("figcaption").textContent;
    const of_run = caption();
    first.click();
    await settled();
    const broken = cells();
    said.push("broken: " + (broken !== sound && first.getAttribute("aria-pressed")));
    said.push("kept: " + (figure.querySelectorAll("td[data-i]")[1].matches(".chosen") && one(".tt-asked strong").textContent));
    figure.querySelector(".tt-difference").click();
    await settled();
    said.push("difference: " + (cells() !== broken && cells() !== sound && caption().startsWith("The difference: ") && caption() !== of_run));
    said.push("of the cell: " + one("code").textContent);
    first.click();
    await settled();
    said.push("sound: " + (cells() === sound && caption() === of_run));
    key(one(".tt-asked"), "Escape");
    said.push("closed: " + (panel.hidden && document.activeElement === figure.querySelectorAll("td[data-i]")[1]));
    const turned = [...document.querySelectorAll("figure.tt")].find((figure) => figure.querySelector(".tt-knobs input[type=range]"));
    const slider = turned.querySelector(".tt-knobs input[type=range]");
    const [stood, shown] = [turned.querySelector(".tt-knob output").textContent, turned.querySelector(".tt-body").textContent];
    key(slider, "ArrowRight");
    said.push("the book's keys: " + reached);
    slider.value = slider.value === slider.max ? 0 : slider.max;
    slider.dispatchEvent(new Event("input"));
    said.push("turned: " + (turned.querySelector(".tt-body").textContent !== shown && turned.querySelector(".tt-knob output").textContent !== stood));
    said.push("named: " + (slider.closest("label").textContent.length > 3 && slider.getAttribute("aria-valuetext").length > 3));
    const knob = (figure) => [...figure.querySelectorAll(".tt-knob")].find((label) => label.querySelector("code").textContent === "head");
    const many = [...document.querySelectorAll("figure.tt")].find(knob);
    const other = knob(many).querySelector("input");
    const head_before = many.querySelector(".tt-body").textContent;
    // It may have been turned already.
    other.value = other.value === other.max ? 0 : other.max;
    other.dispatchEvent(new Event("input"));
    said.push("head: " + (many.querySelector(".tt-body").textContent !== head_before && many.querySelector(".tt-difference").hidden &&
      many.querySelector(".tt-head").textContent.includes("head " + other.value)));
    const trained = document.querySelector(".tt-own-sentence").closest("figure");
    const recorded = trained.querySelector(".tt-pair");
    const until = async (holds) => {
      while (!holds()) await new Promise((resume) => setTimeout(resume, 10));
    };
    trained.querySelector(".tt-own-sentence button").click();
    await until(() => trained.querySelector(".tt-live input"));
    const box = trained.querySelector(".tt-live");
    box.querySelector("input").value = "Ich habe keine Zeit.";
    box.querySelector("form button").click();
    await until(() => box.querySelector(".tt-says").textContent.includes("steps"));
    said.push("own: " + [...box.querySelectorAll(".tt-translation button")].map((word) => word.textContent).join(" "));
    said.push("opened: " + [...box.querySelectorAll(".tt-looks select")].map((select) => select.value).join(" ") + ", " + recorded.hidden);
    trained.querySelector(".tt-own-sentence button").click();
    said.push("put back: " + (box.hidden && !recorded.hidden));
  } catch (error) {
    said.push("error: " + error + error.stack);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
}, 200));
</script>"#;

/// Searches for words, and reports how many results each has and what is said above them.
const SEARCH: &str = r#"<script>
window.addEventListener("load", async () => {
  const said = [];
  const [bar, results, header] = ["searchbar", "searchresults", "searchresults-header"].map((name) => document.getElementById(`mdbook-${name}`));
  document.getElementById("mdbook-search-toggle").click();
  for (const word of WORDS) {
    const before = header.textContent;
    bar.value = word;
    while (header.textContent === before) {
      bar.dispatchEvent(new KeyboardEvent("keyup", { key: word, bubbles: true }));
      await new Promise((resume) => setTimeout(resume, 20));
    }
    said.push(`${word}: ${results.childElementCount > 0}, ${header.textContent.includes("common words and symbols are not indexed")}`);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
});
</script>"#;

#[test]
fn the_search_finds_the_words_under_which_people_ask_and_says_what_it_leaves_out() {
    let Some(browser) = browser() else { return };
    let folder = laid_out();
    let found = "inference,padding mask,post-LN,shifted right,weight sharing,nhead,GPT,unk,attention sink,fine-tuning,beta";
    let found: Vec<&str> = found.split(',').collect();
    let missed = ["β", "−∞", "why"];
    let words = [&found[..], &missed].concat();
    let script = SEARCH.replace("WORDS", &format!("{words:?}"));
    let report = driven(browser, &folder.path().join("book/index.html"), &script);
    let found = found.iter().map(|word| format!("{word}: true, false"));
    let missed = missed.iter().map(|word| format!("{word}: false, true"));
    let expected: Vec<String> = found.chain(missed).collect();
    assert_eq!(report, expected.join("\n"));
}

#[test]
fn a_chapter_can_be_asked_broken_and_answered() {
    let Some(browser) = browser() else { return };
    let folder = laid_out();
    let driven = driven(
        browser,
        &folder.path().join("book/03-attention.html"),
        DRIVE,
    );
    for line in [
        "wrong: tt-verdict tt-bad",
        "right: tt-verdict tt-good",
        "unveiled: true",
        "all: true",
        "hovered: true",
        "moved: true",
        "asked: true",
        "first: x: masked[1,0,0,1]",
        "more: 8 and 4, true",
        "way: weights[1,0,0,1] › masked[1,0,0,1] › scaled[1,0,0,1] › scores[1,0,0,1]",
        "back: weights[1,0,0,1] › masked[1,0,0,1] › scaled[1,0,0,1]",
        "to its term: true",
        "broken: true",
        "kept: weights[1,0,0,1]",
        "difference: true",
        "of the cell: now - before",
        "sound: true",
        "closed: true",
        "the book's keys: false",
        "turned: true",
        "named: true",
        "head: true",
        "own: I don ' -t have time . &lt;/s&gt;",
        "opened: decoder.layers.1.src_attn.weights 0, true",
        "put back: true",
    ] {
        assert!(driven.contains(line), "{line}: {driven}");
    }
}
