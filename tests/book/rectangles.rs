//! Where things are on the pages: verdicts stay in their boxes, and no label is cut. Skipped if there is no browser.

use super::chromium::{browser, driven_in};
use super::links::laid_out;

/// Widths of a desk's window and of a telephone's.
const WIDTHS: [u32; 2] = [1200, 390];

/// Answers every question, rightly last, asks a number where it came from, and reports each verdict that leaves its box and each
/// label that is cut.
const MEASURE: &str = r##"<script>
window.addEventListener("load", () => setTimeout(async () => {
  const said = new Set();
  const rect = (element) => element.getBoundingClientRect();
  const until = async (holds) => {
    while (!holds()) await turn();
  };
  // No window of the browser is as narrow as a telephone.
  if (innerWidth > WIDTH) document.documentElement.style.zoom = innerWidth / WIDTH;
  const cut = (within) => {
    within.querySelectorAll("svg text").forEach((text) => {
      const [own, room] = [rect(text), rect(text.ownerSVGElement)];
      const over = Math.max(room.left - own.left, own.right - room.right);
      if (own.width && over > 1) said.add(`cut: “${text.textContent}” in ${text.ownerSVGElement.getAttribute("class")} by ${over.toFixed(1)}`);
    });
    within.querySelectorAll("th, td, label, button, select, summary").forEach((box) => {
      const hides = getComputedStyle(box).overflowX !== "visible";
      if (hides && box.scrollWidth > box.clientWidth + 1) said.add(`cut: “${box.textContent}”, ${box.scrollWidth} in ${box.clientWidth}`);
    });
  };
  try {
    const forms = document.querySelectorAll("form.tt-ask:not(.tt-own)");
    for (const form of forms) {
      for (const right of [0, 1]) {
        form.querySelector(`input[data-right="${right}"]`).click();
        const [box, options, verdict] = [form, form.querySelector("fieldset"), form.querySelector(".tt-verdict")].map(rect);
        const isInside = verdict.left >= box.left && verdict.right <= box.right && verdict.bottom <= box.bottom;
        const isBelow = verdict.top >= options.bottom - 1 && verdict.height > 10;
        const next = form.nextElementSibling;
        const isFree = !next || !rect(next).height || rect(next).top >= verdict.bottom;
        if (!(isInside && isBelow && isFree)) said.add(`torn out: ${form.id} ${right} ${JSON.stringify(verdict)} of ${JSON.stringify(box)}`);
      }
    }
    document.querySelectorAll(".tt-skip").forEach((button) => button.click());
    const figure = [...figures.values()].find((figure) => figure.element.querySelector("td[data-at]"));
    if (figure) {
      figure.element.querySelector("td[data-at]").click();
      await until(() => !figure.part("why").hidden);
      figure.element.querySelector(".tt-explore").open = true;
    }
    document.querySelectorAll(".tt").forEach(cut);
    said.add("answered: " + (forms.length > 2));
  } catch (error) {
    said.add("error: " + error + error.stack);
  }
  document.body.append(Object.assign(document.createElement("pre"), { id: "driven", textContent: [...said].join("\n") }));
}, 200));
</script>"##;

#[test]
fn verdicts_stay_in_their_boxes_and_no_label_is_cut() {
    let Some(browser) = browser() else { return };
    let folder = laid_out();
    for page in ["00-tour.html", "03-attention.html", "12-generator.html"] {
        for width in WIDTHS {
            let page = folder.path().join("book").join(page);
            let script = MEASURE.replace("WIDTH", &width.to_string());
            let report = driven_in(browser, &page, &script, width);
            assert_eq!(report, "answered: true", "{} in {width}", page.display());
        }
    }
}
