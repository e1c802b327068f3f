// Drawings that move: one idea in steps, with the numbers of the recorded run (src/book/figure/motion.rs). Each step has
// a sentence, and the drawing's transitions are those of the style sheet, which leaves them out for readers who want no
// motion.
(() => {
  "use strict";
  const { element, drawn } = globalThis.tutor;

  // Milliseconds from one step to the next while the drawing plays.
  const PACE = 1100;

  const place = (part, x, y) => { part.style.transform = `translate(${x}px, ${y}px)`; };
  const text = (x, y, words, attributes = {}) => drawn("text", { x, y: y + 4.5, ...attributes }, words);

  const canvas = (width, height, ...parts) => drawn("svg", { class: "tt-drawn scaled", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" }, ...parts);

  // A drawing with its controls. `show` draws a step and returns a sentence about it; `name` names a step.
  class Motion {
    constructor(box, { title, drawing, count, first, name, show, choices = [] }) {
      Object.assign(this, { count, first, name, show, drawing });
      const button = (words, does) => element("button", { type: "button", on: { click: does } }, words);
      this.play = button("Play", () => (this.timer ? this.stop() : this.start()));
      this.slider = element("input", { type: "range", min: 0, max: count - 1, "aria-label": "step", on: { input: () => {
        this.stop();
        this.to(Number(this.slider.value));
      } } });
      this.said = element("output", {});
      this.sentence = element("p", { class: "tt-says", "aria-live": "polite" });
      const knob = element("label", { class: "tt-knob" }, this.slider, " ", this.said);
      const step = (by) => () => {
        this.stop();
        this.to(this.step + by);
      };
      box.append(element("p", {}, element("strong", {}, title)), element("div", { class: "tt-steps" }, button("Back", step(-1)), this.play, button("Next", step(1)), knob, ...choices),
        element("div", { class: "tt-scroll" }, drawing), this.sentence);
      // The book's own arrows turn the page.
      box.addEventListener("keydown", (event) => event.stopPropagation());
      this.to(first);
    }

    to(step) {
      this.step = Math.max(0, Math.min(this.count - 1, step));
      this.slider.value = this.step;
      this.said.textContent = this.name(this.step);
      this.slider.setAttribute("aria-valuetext", this.said.textContent);
      this.sentence.textContent = this.show(this.step);
      this.drawing.setAttribute("aria-label", this.sentence.textContent);
    }

    start() {
      // A drawing that opens at its result plays from the beginning.
      if (this.step === this.count - 1 || (this.first > 0 && this.step === this.first)) this.to(0);
      this.play.textContent = "Pause";
      this.timer = setInterval(() => {
        this.to(this.step + 1);
        if (this.step === this.count - 1) this.stop();
      }, PACE);
    }

    stop() {
      clearInterval(this.timer);
      this.timer = undefined;
      this.play.textContent = "Play";
    }
  }

  // ------------------------------------------------------------------ the shift (lesson "teacher-forcing")

  const shift = (box, { tokens, probabilities }) => {
    const all = [...tokens, "</s>"];
    const [high, top] = [24, 30];
    const letters = Math.max(...all.map((word) => word.length)) * 7.4 + 20;
    const [right, bar, reach] = [letters + 70, 2 * letters + 84, 90];
    const y = (at) => top + (at + 0.5) * high;
    const strip = (x, words) => all.map((word, at) => drawn("g", { class: "token" }, drawn("rect", { x: x - 8, y: y(at) - 11, width: letters - 8, height: 22, rx: 4 }), text(x, y(at), words(word, at))));
    const reads = strip(10, (word) => word);
    const predicts = strip(right, (word) => word);
    const labels = drawn("g", {}, ...predicts);
    const arrows = tokens.map((_, at) => drawn("path", { class: "aim", d: `M${letters + 4} ${y(at)}H${right - 16}m-6 -4l6 4l-6 4` }));
    const bars = tokens.map((_, at) => drawn("g", { class: "chance" }, drawn("rect", { class: "s", x: bar, y: y(at) - 7, width: Math.max(1, reach * probabilities[at]), height: 14 }),
      text(bar + reach * probabilities[at] + 5, y(at), probabilities[at].toFixed(2), { class: "note" })));
    const title = (x, words) => text(x, 10, words, { class: "title" });
    const drawing = canvas(bar + reach + 40, top + (all.length + 0.2) * high, title(2, "reads (tgt)"), title(right - 8, "predicts (tgt_y)"), ...reads, labels, ...arrows, ...bars);
    const fade = (part, isThere) => part.classList.toggle("gone", !isThere);
    const last = 3 + tokens.length;
    const show = (step) => {
      const position = step - 3;
      place(labels, 0, step > 0 ? -high : 0);
      fade(reads[tokens.length], step < 2);
      fade(predicts[0], step < 2);
      const isRead = (at) => position < 0 || step === last || at <= position;
      reads.forEach((token, at) => token.classList.toggle("on", position >= 0 && at < tokens.length && isRead(at)));
      predicts.forEach((token, at) => token.classList.toggle("on", position >= 0 && (step === last ? at > 0 : at === position + 1)));
      tokens.forEach((_, at) => {
        fade(arrows[at], step === last || at === position);
        fade(bars[at], step === last || (position >= 0 && at <= position));
      });
      if (step === 0) return `The translation as ${all.length} tokens, twice: once to read, once to predict.`;
      if (step === 1) return "Shift the right column by one. Now each token stands beside the one that comes before it.";
      if (step === 2) return `Cut off both ends: “</s>” is never read and “<s>” never predicted. ${tokens.length} positions are left.`;
      const loss = -probabilities.reduce((sum, p) => sum + Math.log(p), 0) / tokens.length;
      if (step === last) return `All ${tokens.length} questions are answered in one run. The loss is the mean of −log p: ${loss.toFixed(2)}.`;
      const [prefix, next] = [tokens.slice(0, position + 1).join(" "), all[position + 1]];
      return `Position ${position} reads “${prefix}”, the true beginning, and gives “${next}” a probability of ${probabilities[position].toFixed(2)}.`;
    };
    new Motion(box, { title: "The shift, and what each position predicts", drawing, count: last + 1, first: 0, show,
      name: (step) => ["the sentence", "shifted", "cut"][step] || (step === last ? "all positions" : `position ${step - 3}`) });
  };

  document.querySelectorAll(".tt-motion:not([data-started])").forEach((box) => {
    box.dataset.started = "1";
    const given = JSON.parse(box.querySelector("script").textContent);
    shift(box, given);
    globalThis.tutor.scrollable(box);
  });
})();
