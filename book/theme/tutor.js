// Figures that can be asked and broken, and questions that answer. Asks for nothing outside the page.
(() => {
  "use strict";

  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "on") {
        for (const [event, does] of Object.entries(value)) made.addEventListener(event, does);
      } else if (value !== null && value !== undefined && value !== false) {
        made.setAttribute(key, value === true ? "" : value);
      }
    }
    made.append(...children);
    return made;
  };

  // Numbers.

  const number = (x) => (typeof x === "string" ? Number(x) : x);

  const short = (x) => {
    if (Number.isNaN(x)) return "NaN";
    if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
    const size = Math.abs(x);
    let text;
    if (x === 0) text = "0";
    else if (size >= 1e-3 && size < 1e7) {
      const decimals = Number.isInteger(x) ? 0 : Math.max(0, Math.min(7, 3 - Math.floor(Math.log10(size))));
      text = x.toFixed(decimals);
    } else text = x.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
    return text.replace(/-/g, "−");
  };

  // In a cell's room.
  const brief = (x) => (Number.isFinite(x) && Math.abs(x) < 1000 && x !== 0 && Math.abs(x) >= 0.001
    ? x.toPrecision(3).slice(0, x < 0 ? 6 : 5).replace(/-/g, "−") : short(x));

  // The language of explanations: every value is a list, and a list of one stretches to its partner.

  const evaluate = (text, get) => {
    let at = 0;
    const peek = () => {
      while (text[at] === " ") at += 1;
      return text[at];
    };
    const eat = (token) => {
      peek();
      const found = text.startsWith(token, at);
      if (found) at += token.length;
      return found;
    };
    const need = (token) => {
      if (!eat(token)) throw new Error(`${token} is missing`);
    };
    const pair = (a, b, f) => {
      const count = Math.max(a.length, b.length);
      if ((a.length !== 1 && a.length !== count) || (b.length !== 1 && b.length !== count)) {
        throw new Error("lists do not pair");
      }
      return Array.from({ length: count }, (_, i) => f(a[a.length === 1 ? 0 : i], b[b.length === 1 ? 0 : i]));
    };
    const total = (all) => all.reduce((sum, x) => sum + x, 0);
    const mean = (all) => total(all) / all.length;
    const erf = (x) => {
      // The series of erf, and beyond it 1: as exact as 64 bits need here.
      const size = Math.abs(x);
      if (size > 5) return Math.sign(x);
      let term = size;
      let sum = size;
      for (let n = 1; n < 120; n += 1) {
        term *= (-size * size) / n;
        sum += term / (2 * n + 1);
      }
      return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI);
    };
    const each = { exp: Math.exp, log: Math.log, sqrt: Math.sqrt, abs: Math.abs, sin: Math.sin, cos: Math.cos,
      tanh: Math.tanh, erf, floor: Math.floor };
    const whole = {
      count: (all) => all.length,
      sum: total,
      product: (all) => all.reduce((p, x) => p * x, 1),
      mean,
      max: (all) => Math.max(...all),
      min: (all) => Math.min(...all),
      rms: (all) => Math.sqrt(mean(all.map((x) => x * x))),
      std: (all) => Math.sqrt(mean(all.map((x) => (x - mean(all)) ** 2))),
    };
    const list = () => {
      const all = [];
      do all.push(comparison()); while (eat(","));
      need(")");
      return all;
    };
    const call = (name, lists) => {
      const all = lists.flat();
      if (each[name]) return all.map(each[name]);
      if (whole[name]) return [whole[name](all)];
      if (name === "select") {
        const kept = pair(lists[0], lists[1], (c, x) => (c !== 0 ? x : 0));
        const other = pair(lists[0], lists[2], (c, x) => (c !== 0 ? 0 : x));
        return pair(kept, other, (a, b) => a + b);
      }
      throw new Error(`there is no function ${name}`);
    };
    const atom = () => {
      const next = peek();
      if (eat("(")) return list().flat();
      if (eat("√")) return atom().map(Math.sqrt);
      const literal = /^(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/.exec(text.slice(at));
      if (literal) {
        at += literal[0].length;
        return [Number(literal[0])];
      }
      const name = /^[\p{L}_][\p{L}\p{N}_.#]*/u.exec(text.slice(at));
      if (!name) throw new Error(`${next} was not expected`);
      at += name[0].length;
      if (eat("(")) return call(name[0], list());
      if (eat("[")) {
        let depth = 1;
        while (depth > 0 && at < text.length) {
          depth += { "[": 1, "]": -1 }[text[at]] || 0;
          at += 1;
        }
      }
      return get(name[0]);
    };
    const unary = () => {
      if (eat("-") || eat("−")) return unary().map((x) => -x);
      const base = atom();
      return eat("^") ? pair(base, unary(), Math.pow) : base;
    };
    const product = () => {
      let value = unary();
      for (;;) {
        if (eat("*") || eat("·")) value = pair(value, unary(), (a, b) => a * b);
        else if (eat("/")) value = pair(value, unary(), (a, b) => a / b);
        else return value;
      }
    };
    const sum = () => {
      let value = product();
      for (;;) {
        if (eat("+")) value = pair(value, product(), (a, b) => a + b);
        else if (eat("-") || eat("−")) value = pair(value, product(), (a, b) => a - b);
        else return value;
      }
    };
    const operators = [["<=", (a, b) => a <= b], [">=", (a, b) => a >= b], ["==", (a, b) => a === b],
      ["!=", (a, b) => a !== b], ["<", (a, b) => a < b], [">", (a, b) => a > b]];
    function comparison() {
      const left = sum();
      for (const [token, holds] of operators) {
        if (eat(token)) return pair(left, sum(), (a, b) => Number(holds(a, b)));
      }
      return left;
    }
    const value = comparison();
    if (peek() !== undefined) throw new Error(`${peek()} was not expected`);
    return value;
  };

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
          places.forEach((place) => terms.push({ role: name, tensor, place, value: this.value(tensor, place) }));
        }
      }
      return terms;
    }

    // The terms in rows, partners of a product together, the largest first.
    rows(why) {
      const formula = this.data.formulas[why.f];
      const terms = this.terms(why);
      const products = /^sum\((\w+) \* (\w+)\)/.exec(formula);
      const of = (role) => terms.filter((term) => term.role === role);
      let rows;
      if (products) {
        const partners = of(products[2]);
        rows = of(products[1]).map((term, i) => ({ terms: [term, partners[i]], value: term.value * partners[i].value }));
        const single = terms.filter((term) => term.role !== products[1] && term.role !== products[2]);
        rows.push(...single.map((term) => ({ terms: [term], value: term.value })));
      } else rows = terms.map((term) => ({ terms: [term], value: term.value }));
      if (rows.length > 4) {
        const part = formula.includes("exp(") ? (x) => x : Math.abs;
        rows.sort((a, b) => part(b.value) - part(a.value));
      }
      return rows;
    }

    computed(why) {
      const terms = this.terms(why);
      const get = (name) => {
        const values = terms.filter((term) => term.role === name).map((term) => term.value);
        if (!values.length) throw new Error(`no term has the role ${name}`);
        return values;
      };
      return evaluate(this.data.formulas[why.f], get)[0] + (why.rest === undefined ? 0 : number(why.rest));
    }
  }

  // Without a page there are only the numbers: that is how they are tested.
  if (typeof document === "undefined") {
    module.exports = { Recorded, evaluate };
    return;
  }

  const LEAVES = {
    parameter: "A parameter: training changes it. Nothing computed it.",
    ids: "A token id, given from outside. Nothing computed it.",
    mask: "A cell of a mask, given from outside: 1 may be seen, 0 is blocked.",
    constant: "A constant: fixed by a formula or by hand, never trained.",
    input: "An input of this run: given from outside, not computed.",
  };

  // A table whose cells can be asked: one of them is reached with the keyboard, and arrows lead to the others.
  const asGrid = (table, name) => {
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", `${name}: choose a cell to see where it comes from`);
    const cells = [...table.querySelectorAll("td[data-i]")];
    cells.forEach((cell) => cell.setAttribute("tabindex", "-1"));
    const first = table.querySelector("td[data-here]") || cells[0];
    if (first) first.setAttribute("tabindex", "0");
  };

  // Lets the keyboard move between the cells of such tables, ask one, and close the answer.
  const steered = (body, ask, close) => body.addEventListener("keydown", (event) => {
    const cell = event.target.closest && event.target.closest("td[data-i]");
    if (!cell) return;
    const row = cell.parentElement;
    const across = (of, at) => of && of.querySelectorAll("td[data-i]")[at];
    const at = [...row.querySelectorAll("td[data-i]")].indexOf(cell);
    const last = row.querySelectorAll("td[data-i]").length - 1;
    const next = {
      ArrowLeft: () => across(row, at - 1),
      ArrowRight: () => across(row, at + 1),
      ArrowUp: () => across(row.previousElementSibling, at),
      ArrowDown: () => across(row.nextElementSibling, at),
      Home: () => across(row, 0),
      End: () => across(row, last),
      Enter: () => cell,
      " ": () => cell,
      Escape: () => null,
    }[event.key];
    if (!next) return;
    event.preventDefault();
    // The book's own arrows turn the page.
    event.stopPropagation();
    const found = next();
    if (event.key === "Escape") close();
    else if (found === cell) ask(cell);
    else if (found) {
      cell.setAttribute("tabindex", "-1");
      found.setAttribute("tabindex", "0");
      found.focus();
    }
  });

  // How many terms are listed.
  const LISTED = 8;

  class Figure {
    constructor(figure, given) {
      this.figure = figure;
      this.body = figure.querySelector(".tt-body");
      this.says = figure.querySelector(".tt-says");
      this.caption = figure.querySelector("figcaption");
      this.head = figure.querySelector(".tt-head");
      this.panel = figure.querySelector(".tt-why");
      this.sound = { head: this.head.innerHTML, body: this.body.innerHTML, says: this.says.innerHTML, data: given.data };
      this.runs = given.runs || [];
      this.shown = this.sound;
      this.way = [];
      const knobs = given.knobs || [];
      this.choices = [];
      if (this.runs.length) this.buttons();
      this.sliders = knobs.map((knob) => this.slider(knob));
      if (this.runs.length || knobs.length) this.comparison();
      this.show(this.sound);
      this.body.addEventListener("focusin", (event) => this.asked(event.target, false));
      this.body.addEventListener("click", (event) => this.asked(event.target, true));
      this.body.addEventListener("mouseover", (event) => this.hovered(event.target));
      steered(this.body, (cell) => {
        this.ask(Number(cell.dataset.i), true);
        const button = this.panel.querySelector("button");
        if (button) button.focus();
      }, () => this.close());
    }

    buttons() {
      const bar = this.figure.querySelector(".tt-runs");
      const button = (text, does) => element("button", { type: "button", "aria-pressed": "false", on: { click: does } }, text);
      this.choices = this.runs.map((run) => [button(`${run.number} ${run.title}`, () => this.choose(run)), run]);
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
      // Where the figure stands is the run without a body of its own.
      const home = knob.runs.findIndex((run) => run.body === undefined);
      const { runs } = knob;
      runs.forEach((run) => { run.same = knob.same; });
      const said = element("output", {});
      const turned = (at) => {
        this.differs = false;
        this.show(at === home ? this.sound : runs[at]);
      };
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
        const found = runs.indexOf(this.shown);
        const at = found < 0 ? home : found;
        if (knob.numeric) {
          input.value = at;
          said.textContent = runs[at].value;
          input.setAttribute("aria-valuetext", `${knob.name} ${runs[at].value}`);
        } else input.selectedIndex = at;
      } };
    }

    choose(run) {
      this.differs = false;
      this.show(this.shown === run ? this.sound : run);
    }

    show(run) {
      this.shown = run;
      this.way = [];
      this.pinned = false;
      this.panel.hidden = true;
      this.draw();
    }

    draw() {
      const run = this.shown;
      this.head.innerHTML = run.head || this.sound.head;
      this.body.innerHTML = run.body;
      this.says.innerHTML = run.says;
      this.recorded = run.data && run.data.tensors ? new Recorded(run.data) : null;
      this.sliders.forEach((slider) => slider.put());
      this.compare(run);
      if (this.recorded) this.grid();
      if (run.data && run.data.chart) this.chart(run.data);
      scrollable(this.body);
    }

    compare(run) {
      // The caption is of the run without the mistake.
      if (this.caption) this.caption.hidden = run !== this.sound && run.number !== undefined;
      if (!this.difference) return;
      for (const [button, choice] of this.choices) button.setAttribute("aria-pressed", String(choice === run));
      const before = this.sound.data;
      const compared = run !== this.sound && !run.same && this.recorded && before && before.tensors &&
        String(before.tensors[0].shape) === String(run.data.tensors[0].shape);
      this.difference.hidden = !compared;
      this.difference.setAttribute("aria-pressed", String(Boolean(compared && this.differs)));
      this.watch.textContent = run === this.sound ? "" : run.watch;
      if (compared && this.differs) this.subtract(new Recorded(before));
    }

    subtract(before) {
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
      this.body.querySelectorAll("td.sum").forEach((cell) => { cell.textContent = ""; });
    }

    grid() {
      const table = this.body.querySelector("table.tt-heat");
      if (table) asGrid(table, this.recorded.data.tensors[0].name);
    }

    close() {
      this.pinned = false;
      this.panel.hidden = true;
      this.mark([]);
      this.body.querySelectorAll(".chosen").forEach((cell) => cell.classList.remove("chosen"));
    }

    asked(target, pinned) {
      const cell = target.closest && target.closest("td[data-i]");
      if (cell && this.recorded) this.ask(Number(cell.dataset.i), pinned || this.pinned);
    }

    hovered(target) {
      const cell = target.closest && target.closest("td[data-i]");
      if (cell && this.recorded && !this.pinned) this.ask(Number(cell.dataset.i), false);
    }

    ask(place, pinned) {
      this.pinned = pinned;
      this.way = [[0, place]];
      this.body.querySelectorAll(".chosen").forEach((cell) => cell.classList.remove("chosen"));
      const cell = this.body.querySelector(`td[data-i="${place}"]`);
      if (cell) cell.classList.add("chosen");
      this.explain();
    }

    go(tensor, place) {
      this.pinned = true;
      this.way.push([tensor, place]);
      this.explain();
      const button = this.panel.querySelector("button");
      if (button) button.focus();
    }

    back() {
      this.way.pop();
      this.explain();
      const button = this.panel.querySelector("button");
      if (button) button.focus();
      else this.panel.focus();
    }

    mark(terms) {
      this.body.querySelectorAll(".operand").forEach((cell) => cell.classList.remove("operand"));
      for (const { tensor, place } of terms) {
        const cell = tensor === 0 && this.body.querySelector(`td[data-i="${place}"]`);
        if (cell) cell.classList.add("operand");
      }
    }

    term(term) {
      if (term.tensor === undefined) return [`${term.role} ${short(term.value)}`];
      const name = this.recorded.name(term.tensor, term.place);
      const button = element("button", { type: "button", on: { click: () => this.go(term.tensor, term.place) } }, name);
      return [button, ` ${short(term.value)}`];
    }

    explain() {
      const [tensor, place] = this.way[this.way.length - 1];
      const recorded = this.recorded;
      const told = recorded.data.tensors[tensor];
      const value = recorded.value(tensor, place);
      const why = recorded.why(tensor, place);
      const words = recorded.words(tensor, place);
      const parts = [];
      if (this.way.length > 1) {
        parts.push(element("p", {}, element("button", { type: "button", on: { click: () => this.back() } }, "Back"),
          ` ${this.way.map(([t, p]) => recorded.name(t, p)).join(" ← ")}`));
      }
      const name = recorded.name(tensor, place);
      parts.push(element("p", { role: "status" }, element("strong", {}, name), ` = ${short(value)}${words ? ` (${words})` : ""}`));
      if (why) {
        const rows = recorded.rows(why);
        const roles = [...new Map(recorded.terms(why).map((term) => [term.role, term])).values()];
        const named = roles.filter((term) => term.tensor !== undefined)
          .map((term) => `${term.role} from ${recorded.data.tensors[term.tensor].name}`);
        const result = recorded.computed(why);
        parts.push(element("p", {}, `${told.op}: `, element("code", {}, recorded.data.formulas[why.f]),
          named.length ? `, with ${named.join(", ")}` : ""));
        const list = element("ol", {});
        for (const row of rows.slice(0, LISTED)) {
          const item = element("li", {});
          if (row.terms.length === 2) {
            item.append(...this.term(row.terms[0]), " × ", ...this.term(row.terms[1]), ` = ${short(row.value)}`);
          } else item.append(row.terms[0].tensor === undefined ? "" : `${row.terms[0].role}: `, ...this.term(row.terms[0]));
          list.append(item);
        }
        parts.push(list);
        const beyond = rows.slice(LISTED);
        if (why.more) {
          const rest = number(why.rest) + beyond.reduce((sum, row) => sum + row.value, 0);
          parts.push(element("p", {}, `${why.more + beyond.length} more add ${short(rest)}.`));
        } else if (beyond.length) parts.push(element("p", {}, `and ${beyond.length} more.`));
        parts.push(element("p", {}, `Computed again from these numbers: ${short(result)}`));
        this.mark(recorded.terms(why));
      } else if (LEAVES[told.op]) {
        parts.push(element("p", {}, LEAVES[told.op]));
        this.mark([]);
      } else {
        parts.push(element("p", {}, `Made by ${told.op}. The page does not have its operands; this shows them: `,
          element("code", {}, `${recorded.data.command} '${name}'`)));
        this.mark([]);
      }
      this.panel.replaceChildren(...parts);
      this.panel.hidden = false;
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
    const skip = element("button", { type: "button", class: "tt-skip" }, "Go on without a guess");
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
      verdict.className = `tt-verdict ${right ? "right" : "wrong"}`;
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

  // A picture's cell has no operands, but it may have a note.
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("figure.tt td[title]");
    if (!cell) return;
    const figure = cell.closest("figure.tt");
    const panel = figure.querySelector(".tt-why");
    figure.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
    cell.classList.add("chosen");
    panel.replaceChildren(element("p", { role: "status" }, `${cell.textContent}: ${cell.title}`));
    panel.hidden = false;
  });

  // For the scripts of pages that translate.
  globalThis.tutor = { element, short, evaluate, asGrid, steered, scrollable, stored, store, LEAVES, LISTED };

  document.querySelectorAll("figure.tt").forEach((figure) => {
    const data = figure.querySelector("script.tt-data");
    if (data) new Figure(figure, JSON.parse(data.textContent));
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
  document.querySelectorAll("form.tt-ask:not(.tt-own)").forEach(question);
  document.querySelectorAll("form.tt-own").forEach(ownWords);
  document.querySelectorAll(".tt-progress").forEach(progress);
})();
