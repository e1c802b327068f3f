// Figures that can be asked and broken, and questions that answer. Asks for nothing outside the page.
(() => {
  "use strict";

  const { element, loadLive, short, brief, number, recompute, LEAVES, Panel, asGrid, steered } = globalThis.tutor;

  // The recorded numbers of one run.

  class Recorded {
    constructor(data) {
      this.data = data;
      this.values = data.tensors.map((tensor) => {
        const values = new Map();
        for (const [first, ...run] of tensor.values) run.forEach((x, i) => values.set(first + i, number(x)));
        return values;
      });
    }

    value(tensor, place) {
      return this.values[tensor].get(place);
    }

    why(tensor, place) {
      const all = this.data.tensors[tensor].why;
      return all && all[place];
    }

    index(tensor, place) {
      const index = [];
      for (const size of [...this.data.tensors[tensor].shape].reverse()) {
        index.unshift(place % size);
        place = Math.floor(place / size);
      }
      return index;
    }

    name(tensor, place) {
      const index = this.index(tensor, place);
      const { name } = this.data.tensors[tensor];
      return index.length ? `${name}[${index.join(",")}]` : name;
    }

    words(tensor, place) {
      const { axes } = this.data.tensors[tensor];
      const index = this.index(tensor, place);
      const batch = axes.indexOf("b");
      const said = axes.map((axis, i) => {
        const known = (this.data.words || {})[axis];
        if (!known || (batch >= 0 && index[batch] !== known.batch)) return "";
        const word = known.words[index[i]];
        return word ? `“${word}”` : "";
      });
      return said.filter(Boolean).join(", ");
    }

    terms(why) {
      const terms = [];
      for (const [role, tensor, first, stride, count] of why.t) {
        const name = this.data.roles[role];
        if (tensor < 0) first.forEach((x) => terms.push({ role: name, value: number(x) }));
        else {
          const places = Array.isArray(first) ? first : Array.from({ length: count }, (_, i) => first + i * stride);
          places.forEach((place) => terms.push({ role: name, name: this.data.tensors[tensor].name, index: this.index(tensor, place),
            value: this.value(tensor, place), next: { recorded: this, tensor, place } }));
        }
      }
      return terms;
    }

    computed(why) {
      return recompute(this.explanation(why));
    }

    explanation(why) {
      const left = why.more ? { count: why.more, sum: number(why.rest) } : undefined;
      return { formula: this.data.formulas[why.f], terms: this.terms(why), left };
    }

    // What the panel shows of a cell.
    answer(tensor, place) {
      const { name, op } = this.data.tensors[tensor];
      const answer = { name, op, index: this.index(tensor, place), value: this.value(tensor, place), words: this.words(tensor, place) };
      const why = this.why(tensor, place);
      if (why) return { ...answer, explanation: this.explanation(why) };
      const says = LEAVES[op] ? [LEAVES[op]] : [`Computed by ${op}. The page does not have its operands; the program shows them: `,
        element("code", {}, `${this.data.command} '${this.name(tensor, place)}'`)];
      return { ...answer, says: [element("p", {}, ...says)] };
    }
  }

  // Without a page there are only the numbers, which is how they are tested.
  globalThis.tutor.Recorded = Recorded;
  if (typeof document === "undefined") return;

  // The page's translator, loaded when it is first used.
  const loadTranslator = async () => {
    if (globalThis.tutor.Box) return;
    for (const name of ["text.js", "live.js", "playground.js"]) await loadLive(name);
  };

  // Answers a question about the trained model whose operands the page leaves out.
  const askTranslator = async (question) => {
    await loadTranslator();
    return globalThis.tutor.askRecorded(question);
  };

  // The data of a figure. If an earlier one shows the same numbers, it has them.
  const dataOf = (data) => {
    if (!data || !data.of) return data;
    return JSON.parse(document.getElementById(data.of).querySelector("script.tt-data").textContent).data;
  };

  // Answers a question about the mean of a cell over the heads.
  const meanOfHeads = async (text, name, [row, column], heads) => {
    const questions = Array.from({ length: heads }, (_, head) => ({ text, name, index: [head, row, column] }));
    const answers = await Promise.all(questions.map(askTranslator));
    const terms = answers.map(({ value }, head) => ({ role: "w", name, index: questions[head].index, value, next: questions[head] }));
    return { title: `mean over the heads of ${name}[:,${row},${column}]`, value: terms.reduce((sum, { value }) => sum + value, 0) / heads,
      words: answers[0].words, explanation: { formula: "mean(w)", terms } };
  };

  // The place of a cell in its table; the same place shows the same part of another run.
  const placeOf = (cell) => [cell.parentElement.rowIndex, cell.cellIndex];

  class Figure {
    constructor(figure, given) {
      this.figure = figure;
      this.body = figure.querySelector(".tt-body");
      this.says = figure.querySelector(".tt-says");
      this.head = figure.querySelector(".tt-head");
      this.caption = figure.querySelector("figcaption") || this.captioned();
      const panel = figure.querySelector(".tt-why");
      // The panel has its place beside the table, or below where there is no room.
      const pair = element("div", { class: "tt-pair" });
      this.body.before(pair);
      pair.append(this.body, panel);
      this.panel = new Panel(panel, { source: (question) => this.answer(question), shown: (answer) => this.mark(answer),
        closed: () => this.closed() });
      this.sound = { head: this.head.innerHTML, body: this.body.innerHTML, says: this.says.innerHTML, caption: this.caption.innerHTML,
        data: dataOf(given.data) };
      this.runs = given.runs || [];
      const knobs = given.knobs || [];
      // Runs with one setting changed, by its name and value, and those with two; the settings that are changed now.
      this.single = new Map(this.runs.map((run) => [`mistake ${run.number}`, run]));
      this.both = given.both || [];
      this.chosen = new Map();
      this.choices = [];
      if (this.runs.length) this.buttons();
      this.sliders = knobs.map((knob) => this.slider(knob));
      if (this.runs.length || knobs.length) this.comparison();
      this.draw();
      if (given.trained && this.recorded) this.offerOwn(pair, knobs.find(({ name }) => name === "head"));
      this.body.addEventListener("click", (event) => this.asked(event.target.closest("td[data-i], td[title]")));
      steered(this.body, (cell) => this.asked(cell).then((isAsked) => isAsked && this.panel.title.focus()), () => this.panel.close());
    }

    captioned() {
      const caption = element("figcaption", {});
      this.says.before(caption);
      return caption;
    }

    // The attention of the trained model can be shown for a sentence of the reader's: in the box of the playground, opened
    // at the same layer and head.
    offerOwn(pair, heads) {
      const { name } = this.recorded.data.tensors[0];
      if (!/^(encoder|decoder)\.layers\.\d+\.(self|src)_attn\.weights$/.test(name)) return;
      const recorded = [pair, this.head, this.says, this.caption, ...this.figure.querySelectorAll(".tt-motion, .tt-knobs, .tt-runs, .tt-difference, .tt-watch")];
      const wereHidden = new Map();
      const box = element("div", { class: "tt-live", "data-started": "1", hidden: true });
      const show = (isOwn) => {
        if (isOwn) recorded.forEach((part) => wereHidden.set(part, part.hidden));
        recorded.forEach((part) => { part.hidden = isOwn || wereHidden.get(part); });
        box.hidden = !isOwn;
        button.setAttribute("aria-pressed", String(isOwn));
      };
      const open = async () => {
        await loadTranslator();
        const home = heads && heads.runs.find((run) => run.body === undefined).value;
        const opened = { name, head: this.chosen.get("head") || home };
        if (!box.live) box.live = new globalThis.tutor.Box(box, { mistakes: [], label: "A German sentence", language: "de", examples: [], opened });
        show(true);
        box.querySelector("input").focus();
      };
      const button = element("button", { type: "button", "aria-pressed": "false", on: { click: () => {
        if (box.hidden) open().catch((error) => box.before(element("p", { class: "tt-refused" }, `That did not work: ${error.message}`)));
        else show(false);
      } } }, "A sentence of my own");
      pair.before(element("p", { class: "tt-own-sentence" }, button), box);
    }

    buttons() {
      const bar = this.figure.querySelector(".tt-runs");
      const button = (text, does) => element("button", { type: "button", "aria-pressed": "false", on: { click: does } }, text);
      const turn = (number) => this.choose("mistake", this.chosen.get("mistake") === number ? undefined : number);
      this.choices = this.runs.map(({ number, title }) => [button(`${number} ${title}`, () => turn(String(number))), String(number)]);
      bar.append(element("span", {}, "Break it: "), ...this.choices.map(([made]) => made));
      bar.setAttribute("role", "group");
      bar.setAttribute("aria-label", "Mistakes to switch on");
      bar.hidden = false;
    }

    // The difference to the first run, and the sentence about the one that is shown.
    comparison() {
      this.difference = element("button", { type: "button", class: "tt-difference", "aria-pressed": "false", on: { click: () => {
        this.differs = !this.differs;
        this.draw();
      } } }, "Difference");
      this.watch = element("p", { class: "tt-watch", role: "status" });
      this.head.before(this.difference, this.watch);
    }

    // A knob at the values that were run: a slider, or a list of words.
    slider(knob) {
      const bar = this.figure.querySelector(".tt-knobs");
      bar.hidden = false;
      // The figure's own value is that of the run without a body.
      const home = knob.runs.findIndex((run) => run.body === undefined);
      const { name, runs } = knob;
      runs.forEach((run, at) => {
        if (at !== home) this.single.set(`${name} ${run.value}`, run);
      });
      const said = element("output", {});
      const turned = (at) => this.choose(name, at === home ? undefined : runs[at].value);
      const stop = (event) => event.stopPropagation();
      let input;
      if (knob.numeric) {
        input = element("input", { type: "range", min: 0, max: runs.length - 1, value: home,
          on: { input: () => turned(Number(input.value)), keydown: stop } });
      } else {
        input = element("select", { on: { change: () => turned(input.selectedIndex), keydown: stop } },
          ...runs.map((run, at) => element("option", { selected: at === home }, run.value)));
      }
      const label = element("label", { class: "tt-knob" },
        element("code", {}, knob.name), " ", input, " ", knob.numeric ? said : "",
        element("span", { class: "tt-shape" }, knob.about));
      bar.append(label);
      return { input, put: () => {
        const found = runs.findIndex((run) => run.value === this.chosen.get(name));
        const at = found < 0 ? home : found;
        if (knob.numeric) {
          input.value = at;
          said.textContent = runs[at].value;
          input.setAttribute("aria-valuetext", `${knob.name} ${runs[at].value}`);
        } else input.selectedIndex = at;
      } };
    }

    // Changes one setting, or puts it back. The others stay as they are if the page has that run.
    choose(name, value) {
      const wanted = new Map(this.chosen);
      wanted.delete(name);
      if (value !== undefined) wanted.set(name, value);
      const isThere = this.run(wanted) !== undefined;
      this.chosen = isThere ? wanted : new Map([[name, value]]);
      this.differs = this.differs && this.chosen.size > 0;
      this.draw();
      if (!isThere) this.watch.append(" The other settings are back at their first values, because this page has no run with both changes.");
    }

    // The run with these settings.
    run(chosen) {
      const all = [...chosen];
      if (all.length < 2) return all.length ? this.single.get(all[0].join(" ")) : this.sound;
      return this.both.find((run) => Object.keys(run.with).length === all.length && all.every(([name, value]) => run.with[name] === value));
    }

    draw() {
      const run = this.run(this.chosen);
      this.head.innerHTML = run.head || this.sound.head;
      this.body.innerHTML = run.body;
      this.says.innerHTML = run.says;
      this.describe();
      this.recorded = run.data && run.data.tensors ? new Recorded(run.data) : null;
      this.asks = run.data && run.data.asks;
      this.sliders.forEach((slider) => slider.put());
      this.compare(run);
      this.grid();
      this.hint();
      if (run.data && run.data.chart) this.chart(run.data);
      scrollable(this.body);
      this.again();
    }

    // The caption was written for the first run. A mistake has a sentence of its own.
    describe() {
      const names = [...this.chosen.keys()];
      this.caption.innerHTML = names.includes("mistake") ? "" : this.sound.caption;
      if (names.length && this.caption.textContent) this.caption.prepend(`Before you changed ${names.join(" and ")}: `);
    }

    // Asks the cell that was chosen in the run before, if this run has it.
    again() {
      if (!this.place) return;
      const [row, column] = this.place;
      const table = this.body.querySelector("table");
      const rows = table ? table.rows : [];
      const cell = rows[row] && rows[row].cells[column];
      if (cell && cell.matches("td[data-i], td[title]")) this.asked(cell);
      else this.panel.close();
    }

    // Compares with the run without the mistake, or with the first values of the knobs. All heads are of the same run.
    compare(run) {
      this.before = null;
      if (!this.difference) return;
      const mistake = this.chosen.get("mistake");
      for (const [button, number] of this.choices) button.setAttribute("aria-pressed", String(number === mistake));
      const stays = ([name]) => (mistake ? name !== "mistake" : name === "head");
      const other = this.run(new Map([...this.chosen].filter(stays)));
      const before = other.data;
      const compared = run !== other && this.recorded && before && before.tensors &&
        String(before.tensors[0].shape) === String(run.data.tensors[0].shape);
      this.difference.hidden = !compared;
      this.difference.setAttribute("aria-pressed", String(Boolean(compared && this.differs)));
      const watched = [...this.chosen].map((setting) => this.single.get(setting.join(" ")).watch);
      this.watch.textContent = watched.filter(Boolean).join(" ");
      if (compared && this.differs) this.subtract(new Recorded(before));
    }

    subtract(before) {
      this.before = before;
      this.caption.textContent = "The difference: each number of this run minus the same number of the run before the change. Orange cells grew, blue cells shrank.";
      this.says.replaceChildren();
      const both = (cell) => before.value(0, Number(cell.dataset.i)) !== undefined;
      const cells = [...this.body.querySelectorAll("td[data-i]")].filter(both);
      const differences = cells.map((cell) => {
        const place = Number(cell.dataset.i);
        return this.recorded.value(0, place) - before.value(0, place);
      });
      const bound = Math.max(...differences.map((x) => (Math.abs(x) < 1e8 ? Math.abs(x) : 0)));
      cells.forEach((cell, i) => {
        const x = differences[i];
        const share = bound > 0 ? Math.round(Math.min(1, Math.abs(x) / bound) ** 0.65 * 20) : 0;
        cell.className = Number.isFinite(x) ? `${x < 0 ? "m" : "p"} v${share}` : "bad";
        cell.textContent = brief(x);
      });
      this.body.querySelectorAll(".sum").forEach((sum) => sum.remove());
    }

    // Whether the numbers of a coloured table can be asked is visible before anyone tries.
    hint() {
      if (!this.body.querySelector("table.tt-heat")) return;
      const hasLines = this.body.querySelector("svg.tt-lines");
      const hasNotes = this.body.querySelector("td[title]");
      const isPicture = hasNotes ? "Choose a cell with a mark in its corner to read its note." : "The numbers of this table are results that cannot be asked here.";
      const text = this.recorded || this.asks ? "Choose a number to see where it comes from." : isPicture;
      const playground = element("a", { href: "playground.html" }, "playground");
      this.says.prepend(element("p", { class: "tt-can-ask" }, text, ...(hasLines && !this.recorded && !this.asks ? [" Those of your own sentence can, in the ", playground, "."] : [])));
    }

    grid() {
      const table = this.body.querySelector("table.tt-heat");
      if (!table) return;
      if (this.recorded) asGrid(table, this.recorded.data.tensors[0].name);
      else if (this.asks) asGrid(table, this.asks.name);
      else if (table.querySelector("td[title]")) asGrid(table, this.head.textContent.trim(), "read its note");
    }

    async asked(cell) {
      if (!cell || !(this.recorded || this.asks || cell.title)) return false;
      this.place = placeOf(cell);
      this.body.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
      cell.classList.add("chosen");
      // A picture's cell has no operands, but it may have a note.
      if (cell.title) await this.panel.ask({ note: cell });
      else if (this.asks) await this.panel.ask(this.ofAttention(Number(cell.dataset.i)));
      else await this.panel.ask({ recorded: this.recorded, tensor: 0, place: Number(cell.dataset.i), differs: true });
      return true;
    }

    // The question about a cell of the trained model's attention: of one head, or of the mean of all.
    ofAttention(place) {
      const { sentence: text, name, head, heads, columns } = this.asks;
      const cell = [Math.floor(place / columns), place % columns];
      return head === null ? { text, name, index: cell, heads } : { text, name, index: [head, ...cell] };
    }

    async answer({ text, name: live, index: at, heads, note, recorded, tensor, place, differs }) {
      if (heads) return meanOfHeads(text, live, at, heads);
      if (text) return askTranslator({ text, name: live, index: at });
      if (note) return { title: note.textContent, says: [element("p", {}, note.title)] };
      const answer = recorded.answer(tensor, place);
      const before = differs && this.before && this.before.value(tensor, place);
      if (before === null || before === undefined || before === false) return this.completed(recorded, tensor, answer);
      const { name, index, value, words } = answer;
      const term = (role, run, value) => ({ role, name, index, value, next: { recorded: run, tensor, place } });
      const terms = [term("now", recorded, value), term("before", this.before, before)];
      return { title: `the difference at ${recorded.name(tensor, place)}`, value: value - before, words,
        explanation: { formula: "now - before", terms } };
    }

    // A recorded answer. If the page has no operands of a number of the trained model, its translator computes them.
    async completed({ data }, tensor, answer) {
      if (answer.explanation || LEAVES[answer.op] || !data.sentence) return answer;
      const { name, index, value, words } = answer;
      const isOfHeads = /\.(weights|scaled)$/.test(name);
      try {
        const found = await askTranslator({ text: data.sentence, name, index: index.slice(isOfHeads ? -3 : -2) });
        const isSame = Math.abs(found.value - value) <= 1e-3 * Math.max(1, Math.abs(value));
        return isSame ? { ...found, index, value, words } : answer;
      } catch {
        // Its run lacks this tensor.
        return answer;
      }
    }

    // Outlines the operands that are cells of the table.
    mark({ explanation }) {
      this.body.querySelectorAll(".operand").forEach((cell) => cell.classList.remove("operand"));
      for (const { next } of explanation ? explanation.terms : []) {
        const cell = next && next.tensor === 0 && this.body.querySelector(`td[data-i="${next.place}"]`);
        if (cell && next.recorded === this.recorded && !cell.classList.contains("chosen")) cell.classList.add("operand");
      }
    }

    closed() {
      this.place = null;
      this.mark({});
      const cell = this.body.querySelector(".chosen");
      if (!cell) return;
      cell.classList.remove("chosen");
      if (cell.hasAttribute("tabindex")) cell.focus();
    }

    chart(data) {
      const { chart, lines } = data;
      const xs = [...new Set(lines.flatMap((line) => line.points.map((point) => number(point[0]))))].sort((a, b) => a - b);
      const svg = this.body.querySelector("svg.tt-chart");
      if (xs.length < 3 || !svg) return;
      const reader = document.createElementNS("http://www.w3.org/2000/svg", "line");
      reader.setAttribute("class", "reader");
      svg.append(reader);
      const said = element("span", {});
      const read = (at) => {
        const x = xs[at];
        const place = chart.left + ((x - chart.least) / (chart.most - chart.least)) * chart.width;
        for (const [key, value] of Object.entries({ x1: place, x2: place, y1: chart.top, y2: chart.top + chart.height })) {
          reader.setAttribute(key, value);
        }
        said.textContent = `${chart.x}: ${short(x)}`;
        lines.forEach((line, i) => {
          const near = line.points.reduce((best, point) =>
            (best === null || Math.abs(number(point[0]) - x) < Math.abs(number(best[0]) - x) ? point : best), null);
          const value = this.body.querySelector(`[data-line="${i}"]`);
          if (value) value.textContent = near && line.points.length > 2 ? `: ${short(number(near[1]))}` : "";
        });
        slider.setAttribute("aria-valuetext", `${said.textContent}; ${lines.map((line, i) =>
          line.name + (this.body.querySelector(`[data-line="${i}"]`) || {}).textContent).join("; ")}`);
      };
      const slider = element("input", { type: "range", min: 0, max: xs.length - 1, value: xs.length - 1,
        on: { input: () => read(Number(slider.value)), keydown: (event) => event.stopPropagation() } });
      svg.addEventListener("pointermove", (event) => {
        const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
        const wanted = chart.least + ((x - chart.left) / chart.width) * (chart.most - chart.least);
        let best = 0;
        xs.forEach((value, i) => { if (Math.abs(value - wanted) < Math.abs(xs[best] - wanted)) best = i; });
        slider.value = best;
        read(best);
      });
      this.body.append(element("label", { class: "tt-slide" }, "Read the chart at ", said, slider));
      read(xs.length - 1);
    }
  }

  // A box fades where there is more of it.
  const fades = (box) => {
    const fade = () => box.classList.toggle("tt-more", box.scrollLeft + box.clientWidth < box.scrollWidth - 4);
    if (!box.dataset.fades) box.addEventListener("scroll", fade, { passive: true });
    box.dataset.fades = "1";
    fade();
  };

  // A box that scrolls can be scrolled with the keyboard too.
  function scrollable(within) {
    within.querySelectorAll(".tt-scroll").forEach((box) => {
      // What the text speaks of is in sight.
      const here = box.closest("figure.tt-here") && box.querySelector("td[data-here]");
      const over = here ? here.getBoundingClientRect().right - box.getBoundingClientRect().right + 30 : 0;
      if (over > 0) box.scrollLeft += over;
      fades(box);
      if (box.scrollWidth > box.clientWidth + 2 && !box.querySelector("[tabindex], a")) {
        box.setAttribute("tabindex", "0");
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "figure, scrolls sideways");
      }
    });
  }

  // Questions.

  const PLACE = "transformer-tutor:answers";

  const stored = (place) => {
    try {
      return JSON.parse(localStorage.getItem(place)) || {};
    } catch {
      return {};
    }
  };

  const store = (place, id, value) => {
    try {
      localStorage.setItem(place, JSON.stringify({ ...stored(place), [id]: value }));
    } catch {
      // Without a store, what the reader enters lasts as long as the page.
    }
  };

  const answers = () => stored(PLACE);

  // What follows a prediction on its page often gives the answer away, so it waits for a guess. A search in the page and
  // a link into it still find it.
  const withheld = (form) => {
    const later = [];
    const isPrint = /print\.html$/.test(location.pathname);
    const ends = (next) => /^H[12]$/.test(next.tagName) || next.matches("form, nav");
    for (let next = form.nextElementSibling; next && !ends(next) && !isPrint; next = next.nextElementSibling) later.push(next);
    const skip = element("button", { type: "button", class: "tt-skip" }, "Go on without a guess (shows the figure)");
    const lift = () => {
      later.forEach((part) => part.removeAttribute("hidden"));
      skip.remove();
      later.forEach((part) => scrollable(part));
      document.dispatchEvent(new Event("tutor:shown"));
    };
    if (!later.some((part) => part.matches("figure"))) return { lift() {} };
    later.forEach((part) => {
      part.classList.add("tt-later");
      part.setAttribute("hidden", "until-found");
      part.addEventListener("beforematch", lift);
    });
    skip.addEventListener("click", lift);
    form.append(skip);
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && later.some((part) => part.contains(target))) lift();
    return { lift };
  };

  const question = (form) => {
    const verdict = form.querySelector(".tt-verdict");
    const judge = (input) => {
      const right = input.dataset.right === "1";
      verdict.className = `tt-verdict tt-${right ? "good" : "bad"}`;
      verdict.textContent = `${right ? "Right." : "Not this one."} ${input.dataset.why}`;
      return right;
    };
    form.addEventListener("keydown", (event) => event.stopPropagation());
    form.addEventListener("submit", (event) => event.preventDefault());
    const veil = withheld(form);
    form.addEventListener("change", (event) => {
      store(PLACE, form.id, [event.target.value, judge(event.target)]);
      veil.lift();
    });
    const before = answers()[form.id];
    const input = before && form.querySelector(`input[value="${Number(before[0])}"]`);
    if (input) {
      input.checked = true;
      judge(input);
      veil.lift();
    }
  };

  const EXPLAINED = "transformer-tutor:own-words";

  // What the reader writes is kept with the points that they ticked.
  const ownWords = (form) => {
    const text = form.querySelector("textarea");
    const points = [...form.querySelectorAll("input")];
    const before = stored(EXPLAINED)[form.id];
    if (before) {
      text.value = before.text;
      points.forEach((point, n) => (point.checked = Boolean(before.points[n])));
    }
    form.addEventListener("keydown", (event) => event.stopPropagation());
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      const ticked = points.map((point) => point.checked);
      store(EXPLAINED, form.id, { text: text.value, points: ticked });
    });
  };

  const progress = (line) => {
    const all = Object.values(answers());
    if (!all.length) return;
    const right = all.filter((answer) => answer[1]).length;
    line.textContent = `So far you have answered ${all.length} questions of this book, ${right} of them right.`;
    line.hidden = false;
  };

  // For the scripts of pages that translate.
  Object.assign(globalThis.tutor, { scrollable, stored, store, loadTranslator });

  document.querySelectorAll("figure.tt").forEach((figure) => {
    const data = figure.querySelector("script.tt-data");
    if (data || figure.querySelector("table.tt-heat")) new Figure(figure, data ? JSON.parse(data.textContent) : {});
    else scrollable(figure);
  });
  // Listings, tables and formulas that are wider than the page are scrolled with the keyboard too. What is hidden has no
  // width yet.
  const reach = (within) => within.querySelectorAll("pre > code, math[display=block], .table-wrapper").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.setAttribute("tabindex", "0");
    fades(box);
  });
  reach(document);
  document.addEventListener("tutor:shown", () => reach(document));
  addEventListener("resize", () => reach(document));
  // Of mdBook's search, readers would conclude that what it leaves out of its index is not in the book.
  const [found, results] = ["header", ""].map((end) => document.getElementById(`mdbook-searchresults${end && `-${end}`}`));
  if (found) new MutationObserver(() => {
    if (!found.textContent || results.childElementCount || found.querySelector("span")) return;
    found.append(element("span", {}, " No hits: common words and symbols are not indexed. A symbol may be found by its name, such as “beta”."));
  }).observe(found, { childList: true });
  document.querySelectorAll("form.tt-ask:not(.tt-own)").forEach(question);
  document.querySelectorAll("form.tt-own").forEach(ownWords);
  document.querySelectorAll(".tt-progress").forEach(progress);
})();
