//! A chapter in a real browser, driven from within the page. Skipped if there is no browser.

use super::chromium::{browser, driven};
use super::links::laid_out;

/// A script that does what a reader does, with the keyboard where possible; the test below checks each line it reports.
const DRIVE: &str = r#"<script>
window.addEventListener("load", () => setTimeout(async () => {
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
    let reached = false;
    document.addEventListener("keydown", () => { reached = true; });
    const figure = [...figures.values()].find(({ place, element }) =>
      place.block.show === "weights" && element.querySelector("[data-axis]"));
    const one = (name) => figure.element.querySelector(name);
    const settled = async () => {
      do await turn(); while (document.querySelector("[aria-busy=true]"));
    };
    one(".tt-numbers").open = true;
    one("td[tabindex='0']").focus();
    const [from, to] = one("td[tabindex='0']").parentElement.querySelectorAll("td[data-at]");
    key(from, "ArrowRight");
    said.push("moved: " + (document.activeElement === to));
    key(to, "Enter");
    await settled();
    said.push("asked: " + one(".tt-value").textContent);
    one(".tt-terms button").click();
    await settled();
    said.push("way: " + one(".tt-way").textContent + one(".tt-value code").textContent);
    key(one(".tt-value"), "Escape");
    await settled();
    said.push("closed: " + one(".tt-why").hidden);
    said.push("the book's keys: " + reached);
    const broken = one(".tt-explore [aria-pressed]") ?? one("[aria-pressed]");
    broken.click();
    await settled();
    said.push("broken: " + one("[aria-pressed=true]").textContent);
    one(".tt-changes button").click();
    await settled();
    said.push("difference: " + one(".tt-says").textContent.includes("The difference"));
    const [changed, first] = [one(".tt-body").textContent, Object.assign(document.createElement("div"), { innerHTML: figure.first.body })];
    one("[data-reset]").click();
    said.push("reset: " + (one(".tt-body").textContent === first.textContent && changed !== first.textContent));
    const slider = one("input[data-axis]");
    slider.value = 1;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await settled();
    said.push("head: " + one(".tt-head").textContent.includes("head 1"));
    const link = document.querySelector("a[href*='#do:break']");
    link.click();
    await settled();
    said.push("link: " + document.querySelectorAll("[aria-pressed=true]").length);
    const own = [...figures.values()].find(({ place }) => place.block.set?.scene === "sentence");
    own.act({ Set: ["text", "Ich habe keine Zeit."] });
    await settled();
    said.push("own: " + [...own.element.querySelectorAll("thead th")].map((word) => word.textContent).join(" "));
  } catch (error) {
    said.push("error: " + error + error.stack);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
}, 200));
</script>"#;

/// Searches for words, and reports the first result of each.
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
    said.push(`${word}: ${results.querySelector("a")?.textContent ?? "nothing"}`);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: said.join("\n") }));
});
</script>"#;

#[test]
fn the_search_finds_the_words_and_symbols_under_which_people_ask_with_the_lesson_first() {
    let Some(browser) = browser() else { return };
    let folder = laid_out();
    let found = "inference,padding mask,post-LN,shifted right,weight sharing,nhead,GPT,unk,attention sink,fine-tuning,beta,β,d_k,−∞,softmax over the wrong axis";
    let words: Vec<&str> = found.split(',').collect();
    let script = SEARCH.replace("WORDS", &format!("{words:?}"));
    let report = driven(browser, &folder.path().join("book/index.html"), &script);
    assert!(!report.contains(": nothing"), "{report}");
    let first = "softmax over the wrong axis: Scaled dot-product attention » Break it, or write it";
    assert!(report.contains(first), "{report}");
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
        "moved: true",
        "asked: weights[",
        "way: weights[",
        "closed: true",
        "the book's keys: false",
        "broken: forget to divide",
        "difference: true",
        "reset: true",
        "head: true",
        "link: 1",
        "own: target ↓ source → Ich habe keine Zeit",
    ] {
        assert!(driven.contains(line), "{line}: {driven}");
    }
}
