// Drawings that move: one idea in steps, with the numbers of the recorded run (src/book/figure/motion.rs). Each step has
// a sentence, and the drawing's transitions are those of the style sheet, which leaves them out for readers who want no
// motion.
(() => {
  "use strict";
  const { element, drawn } = globalThis.tutor;

  // Milliseconds from one step to the next while the drawing plays.
  const PACE = 1100;

  const range = (count, of) => Array.from({ length: count }, (_, at) => of(at));
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  // A weight without its leading zero, as in the tables.
  const weight = (x) => (x === 1 ? "1" : x.toFixed(2).replace(/^0/, ""));
  // A number with a minus sign, and none before a zero.
  const fixed = (x, decimals) => {
    const text = x.toFixed(decimals);
    return text.replace("-", Number(text) === 0 ? "" : "−");
  };
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

  // ------------------------------------------------------------------ the mask over the scores (lesson "masks")

  // Softmax over the columns that the mask leaves open. If it leaves none, all scores are equal, and so are the weights.
  const softmax = (scores, open) => {
    if (open < 1) return scores.map(() => 1 / scores.length);
    const seen = scores.slice(0, open);
    const most = Math.max(...seen);
    const sum = seen.reduce((all, x) => all + Math.exp(x - most), 0);
    return scores.map((x, column) => (column < open ? Math.exp(x - most) / sum : 0));
  };

  const mask = (box, { tokens, scores, weights, head }) => {
    const count = tokens.length;
    const [wide, high] = [38, 24];
    const left = Math.max(...tokens.map((word) => word.length)) * 7.2 + 6;
    const top = 58;
    const rects = scores.map((row, r) => row.map((_, c) => drawn("rect", { x: c * wide, y: r * high, width: wide - 1, height: high - 1 })));
    const numbers = scores.map((row, r) => row.map((_, c) => text((c + 0.5) * wide, (r + 0.5) * high, "", { "text-anchor": "middle" })));
    // The blocked cells of a causal mask, with enough to the right that the sheet can slide one column too far.
    const stairs = range(count - 1, (n) => `H${(count - 1 - n) * wide}V${(count - 2 - n) * high}`).join("");
    const sheet = drawn("path", { class: "sheet", d: `M${wide} 0H${2 * count * wide}V${count * high}H${count * wide}V${(count - 1) * high}${stairs}Z` });
    // A drawing of its own, so that the sheet is cut off at the table's edge.
    const table = drawn("svg", { x: left, y: top, width: count * wide, height: count * high }, ...rects.flat(), ...numbers.flat(), sheet);
    const heads = tokens.map((word, c) => drawn("text", { transform: `translate(${left + (c + 0.4) * wide} ${top - 6}) rotate(-40)` }, word));
    const names = tokens.map((word, r) => text(left - 6, top + (r + 0.5) * high, word, { "text-anchor": "end" }));
    const drawing = canvas(left + count * wide + 34, top + count * high, ...heads, ...names, table);
    const largest = Math.max(...scores.flat().map(Math.abs));
    let isScores = false;
    const show = (step) => {
      const beyond = count - 1 - step;
      place(sheet, beyond * wide, 0);
      const now = scores.map((row, r) => (beyond === 0 ? weights[r] : softmax(row, Math.min(count, r + 1 + beyond))));
      scores.forEach((row, r) => row.forEach((score, c) => {
        const [kind, share] = isScores ? [score < 0 ? "m" : "p", Math.abs(score) / largest] : ["s", now[r][c]];
        rects[r][c].setAttribute("class", kind);
        rects[r][c].setAttribute("fill-opacity", share.toFixed(2));
        numbers[r][c].textContent = isScores ? fixed(score, 1) : now[r][c] === 0 ? "" : weight(now[r][c]);
      }));
      const later = now.map((row, r) => row.slice(r + 1).reduce((sum, x) => sum + x, 0)).reduce((sum, x) => sum + x, 0) / count;
      if (beyond < 0) return `One column too far, the diagonal is covered too. Row “${tokens[0]}” has nothing left to read: the mask replaces all its scores by −1e9${isScores ? " (below the sheet are the scores before it)" : ""}, so softmax gives each of the ${count} tokens ${(1 / count).toFixed(2)}, the later ones included.`;
      if (beyond === 0) return "The causal mask: each row reads its own token and those before it. No weight is on later tokens. These are the weights of the run.";
      const reach = beyond === count - 1 ? "No mask: every row reads all tokens." : `The mask is ${beyond} column${beyond > 1 ? "s" : ""} too far to the right.`;
      return `${reach} ${percent(later)} of all weight is on tokens that come later in the sentence.`;
    };
    const [asWeights, asScores] = ["Weights", "Scores"].map((words, at) => element("button", { type: "button", on: { click: () => {
      isScores = at === 1;
      mark();
      motion.to(motion.step);
    } } }, words));
    const mark = () => [asWeights, asScores].forEach((button, at) => button.setAttribute("aria-pressed", String(isScores === (at === 1))));
    mark();
    const motion = new Motion(box, { title: `The mask slides over the scores of head ${head}`, drawing, count: count + 1, first: count - 1, show, choices: [asWeights, asScores],
      name: (step) => (step === count - 1 ? "causal mask" : step === 0 ? "no mask" : step < count ? `${count - 1 - step} to go` : "too far") });
  };

  // ------------------------------------------------------------------ clocks (lesson "positional-encoding")

  const clocks = (box, { width, pairs, rows }) => {
    const [size, radius] = [112, 44];
    const middle = size / 2;
    // The angle by which each hand has turned, whole turns included: the sum of its steps.
    const angles = pairs.map((_, pair) => {
      let [sum, before] = [0, 0];
      return rows.map((row) => {
        const angle = Math.atan2(row[pair][0], row[pair][1]);
        const step = angle - before;
        sum += step < -1e-6 ? step + 2 * Math.PI : step;
        before = angle;
        return sum;
      });
    });
    const hands = pairs.map(() => drawn("g", { class: "hand" }, drawn("line", { x2: radius, y2: 0 }), drawn("circle", { cx: radius, cy: 0, r: 4 })));
    const trails = pairs.map((_, pair) => rows.map((row) => drawn("circle", { class: "trail", cx: radius * row[pair][1], cy: -radius * row[pair][0], r: 2.5 })));
    const numbers = pairs.map(() => element("span", { class: "tt-clock-numbers" }));
    const turn = (pair) => (2 * Math.PI) / angles[pair][1];
    const faces = pairs.map((pair, at) => element("li", {},
      drawn("svg", { class: "tt-drawn", width: size, height: size, viewBox: `${-middle} ${-middle} ${size} ${size}`, "aria-hidden": "true" },
        drawn("circle", { class: "face", r: radius }), drawn("path", { class: "way", d: `M${-radius} 0H${radius}M0 ${-radius}V${radius}` }), ...trails[at], hands[at]),
      element("span", {}, `columns ${2 * pair} and ${2 * pair + 1}`), element("span", { class: "tt-shape" }, `one turn in ${turn(at) < 100 ? turn(at).toFixed(1) : turn(at).toFixed(0)} positions`), numbers[at]));
    const drawing = element("ul", { class: "tt-clocks" }, ...faces);
    // The chart below is read at the same position.
    const readChart = (position) => {
      const slider = box.closest("figure").querySelector(".tt-slide input");
      if (!slider || position > slider.max) return;
      slider.value = position;
      slider.dispatchEvent(new Event("input"));
    };
    const degrees = (angle) => `${((angle * 180) / Math.PI).toFixed(angle < 0.1 ? 1 : 0)}°`;
    const show = (position) => {
      readChart(position);
      pairs.forEach((_, pair) => {
        const [sin, cos] = rows[position][pair];
        hands[pair].style.transform = `rotate(${-angles[pair][position]}rad)`;
        trails[pair].forEach((dot, at) => { dot.style.opacity = at < position ? Math.max(0.12, 0.7 - 0.05 * (position - at)) : 0; });
        numbers[pair].textContent = `sin ${fixed(sin, 2)} · cos ${fixed(cos, 2)}`;
      });
      const last = pairs.length - 1;
      const turned = `Position ${position}: the first hand has turned by ${degrees(angles[0][position])}, the last by ${degrees(angles[last][position])}.`;
      const apart = (other) => Math.hypot(rows[position][0][0] - rows[other][0][0], rows[position][0][1] - rows[other][0][1]);
      const alike = range(position, (other) => other).filter((other) => apart(other) < 0.3);
      if (!alike.length) return turned;
      return `${turned} On the first clock it looks almost like position${alike.length > 1 ? "s" : ""} ${alike.join(" and ")}; the slower clocks tell them apart.`;
    };
    new Motion(box, { title: `Six of the ${width / 2} pairs of columns as the hands of clocks`, drawing, count: rows.length, first: 0, show, name: (position) => `position ${position}` });
  };

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

  const drawings = { mask, clocks, shift };
  document.querySelectorAll(".tt-motion:not([data-started])").forEach((box) => {
    box.dataset.started = "1";
    const given = JSON.parse(box.querySelector("script").textContent);
    drawings[given.kind](box, given);
    globalThis.tutor.scrollable(box);
  });
})();
