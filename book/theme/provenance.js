// Provenance: the language of explanations, and the panel that lists what a number was computed from. Used by the
// figures of the lessons and by the translator. Asks for nothing outside the page.
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
    ? (Math.abs(x) < 1 ? x.toFixed(3) : x.toPrecision(3)).replace(/-/g, "−") : short(x));

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

  // ------------------------------------------------------------------ names

  const named = (name, index) => (index.length ? `${name}[${index.join(",")}]` : name);

  // The last part of a path; of a parameter also the layer that it belongs to.
  const lastName = (name) => {
    const parts = name.split(".");
    return parts.slice(/^(weight|bias)$/.test(parts[parts.length - 1]) ? -2 : -1).join(".");
  };

  // The layer of a tensor or parameter, where there is little room: `enc 2 `. Empty outside the layers.
  const layerOf = (name) => {
    const [, half, layer] = /^(enc|dec)oder\.layers\.(\d+)\./.exec(name) || [];
    return half ? `${half} ${layer} ` : "";
  };

  // An index with only the axes along which the terms of a role differ: `[…,3]`.
  const briefIndex = (index, peers) => {
    if (peers.length < 2) return index;
    const shown = index.map((at, axis) => (peers.some((peer) => peer.index[axis] !== at) ? at : "…"));
    return shown.filter((at, axis) => at !== "…" || shown[axis - 1] !== "…");
  };

  // ------------------------------------------------------------------ terms

  const LEAVES = {
    parameter: "A parameter: training changes it. Nothing computed it.",
    ids: "A token id, given from outside. Nothing computed it.",
    mask: "A cell of a mask, given from outside: 1 may be seen, 0 is blocked.",
    constant: "A constant: fixed by a formula or by hand, never trained.",
    edit: "You set this number. Everything downstream was computed from it.",
    input: "An input of this run: given from outside, not computed.",
  };

  // The terms of an explanation in rows, with the partners of a product together. Roles with a single term come first, in
  // the formula's order: the score that a softmax compares with its row, or the bias of a sum. The rest follow, largest first.
  const inRows = ({ formula, terms }) => {
    const product = /^sum\((\w+) \* (\w+)\)/.exec(formula);
    const of = (role) => terms.filter((term) => term.role === role);
    const partners = product ? of(product[2]) : [];
    const rows = product ? of(product[1]).map((term, i) => ({ terms: [term, partners[i]], value: term.value * partners[i].value })) : [];
    const isPartner = ({ role }) => product && product.slice(1).includes(role);
    rows.push(...terms.filter((term) => !isPartner(term)).map((term) => ({ terms: [term], value: term.value })));
    const isSingle = ({ terms: [term, partner] }) => !partner && of(term.role).length === 1;
    const size = formula.includes("exp(") ? (row) => row.value : (row) => Math.abs(row.value);
    const many = rows.filter((row) => !isSingle(row)).sort((a, b) => size(b) - size(a));
    return [...rows.filter(isSingle), ...many];
  };

  // The length of each row's bar, from 0 to 1: of a softmax the probability, of anything else the share of the largest.
  const isSoftmax = (formula) => /^exp\(.*\/ sum\(exp\(/.test(formula);
  const lengths = (formula, rows) => {
    const values = rows.map((row) => row.value);
    if (isSoftmax(formula)) {
      const row = rows.filter(({ terms }) => terms[0].role === "row").map(({ value }) => value);
      const most = Math.max(...row);
      const sum = row.reduce((all, x) => all + Math.exp(x - most), 0);
      return values.map((x) => Math.exp(x - most) / sum);
    }
    // A blocked score, −1e9, is no measure for the others.
    const isUsual = (x) => Math.abs(x) < 1e8;
    const largest = values.filter(isUsual).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    return values.map((x) => (isUsual(x) && largest > 0 ? Math.abs(x) / largest : 0));
  };

  // The value that the formula has with these terms.
  const recompute = ({ formula, terms, left }) => {
    const get = (role) => {
      const values = terms.filter((term) => term.role === role).map((term) => term.value);
      if (!values.length) throw new Error(`no term has the role ${role}`);
      return values;
    };
    return evaluate(formula, get)[0] + (left ? left.sum : 0);
  };

  // Everything that follows needs a page. Without one there are only the numbers, which is how they are tested.
  globalThis.tutor = { number, short, brief, evaluate, recompute, LEAVES };
  if (typeof document === "undefined") return;

  const drawn = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // A bar of a length from 0 to 1, as in the recorded figures (src/book/figure/bars.rs).
  const bar = (length, isNegative) => drawn("svg", { class: `tt-bar${isNegative ? " neg" : ""}`, "aria-hidden": "true" },
    drawn("rect", { width: `${(100 * length).toFixed(2)}%`, height: "100%" }));

  // Loads a script of the book's folder `live`. A page that was opened as a file can load nothing else.
  const loadLive = (name) => new Promise((loaded, failed) => {
    document.head.append(element("script", { src: new URL(`live/${name}`, document.baseURI), on: { load: loaded,
      error: () => failed(new Error(`${name} is missing from the book's folder live`)) } }));
  });

  // ------------------------------------------------------------------ the panel

  // Rows listed at first, and rows added each time the reader asks for more.
  const LISTED = 8;
  const ADDED = 100;

  // Shows where a number came from. `source` answers a question with, or with a promise of:
  //   name, index, title   the number's tensor and place, or a title instead
  //   value, words, so     the number, the tokens of its row and column, and what follows from it
  //   before, canBeSet     what the number was before an edit, and whether the reader may set it
  //   explanation          { formula, terms: [{ role, value, name, index, token, next }], left: { count, sum } }, where
  //                        `next` is the question that a term leads to and `left` the terms that the page doesn't have
  //   says                 nodes instead of an explanation
  // `shown` is called with every answer that is shown, `closed` when the panel closes, and `set` with an answer and the
  // value that the reader gives its number.
  class Panel {
    constructor(box, { source, shown = () => {}, closed = () => {}, set }) {
      Object.assign(this, { box, source, shown, closed, set, way: [] });
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Where this number comes from");
      box.addEventListener("keydown", (event) => this.steer(event));
    }

    get isOpen() {
      return !this.box.hidden;
    }

    ask(question) {
      this.way = [];
      return this.go(question);
    }

    async go(question) {
      const way = [...this.way, { question }];
      this.way = way;
      const answer = await this.source(question);
      // The reader may have asked for another number while this one was computed.
      if (this.way !== way) return;
      way[way.length - 1].answer = answer;
      this.draw();
    }

    // Goes back up to a level of the way, and to the term that led down from it.
    backTo(level) {
      const [{ answer: { name, index } }] = this.way.slice(level + 1);
      this.way = this.way.slice(0, level + 1);
      this.draw();
      const terms = [...this.box.querySelectorAll(".tt-terms button")];
      (terms.find((button) => button.title === named(name, index)) || this.title).focus();
    }

    // Asks every number of the way again, because the run has changed.
    async refresh() {
      const { way } = this;
      const answered = await Promise.all(way.map(async ({ question }) => ({ question, answer: await this.source(question) })));
      if (this.way !== way || !way.length) return;
      const isSetting = document.activeElement.closest(".tt-set") && this.box.contains(document.activeElement);
      this.way = answered;
      this.draw();
      if (isSetting) this.box.querySelector(".tt-set input").focus();
    }

    close() {
      this.way = [];
      this.box.hidden = true;
      this.closed();
    }

    steer(event) {
      // The book's own arrow keys turn the page.
      event.stopPropagation();
      if (event.target.matches("input") && event.key !== "Escape") return;
      const terms = [...this.box.querySelectorAll(".tt-terms button")];
      const at = terms.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") this.close();
      else if (event.key === "ArrowLeft" && this.way.length > 1) this.backTo(this.way.length - 2);
      else if (event.key === "ArrowRight" && at >= 0) terms[at].click();
      else if (step && terms.length) terms[Math.max(0, Math.min(terms.length - 1, at + step))].focus();
      else return;
      event.preventDefault();
    }

    draw() {
      const { answer } = this.way[this.way.length - 1];
      const { explanation, name, value, before, words, so } = answer;
      const title = answer.title || named(lastName(name), answer.index);
      this.title = element("p", { class: "tt-asked", tabindex: "-1", role: "status" }, element("strong", {}, title),
        value === undefined ? "" : ` = ${short(value)}`, before === undefined ? "" : `, before ${short(before)}`, words ? ` (${words})` : "", so ? `, so ${so}` : "");
      const path = !answer.title && name !== lastName(name)
        ? [element("details", { class: "tt-path" }, element("summary", {}, "full name"), element("code", {}, named(name, answer.index)))] : [];
      const close = element("button", { type: "button", class: "tt-close", "aria-label": "Close", on: { click: () => this.close() } }, "×");
      this.box.replaceChildren(close, ...this.crumbs(), this.title, ...path,
        ...(answer.canBeSet && this.set ? [this.setting(answer)] : []), ...(explanation ? this.explained(answer) : answer.says));
      this.box.hidden = false;
      const crumbs = this.box.querySelector(".tt-way");
      if (crumbs) crumbs.scrollLeft = crumbs.scrollWidth;
      this.shown(answer);
    }

    // A form that gives the number another value.
    setting(answer) {
      const input = element("input", { type: "text", inputmode: "decimal", size: 10, autocomplete: "off", value: short(answer.value),
        on: { input: () => input.setCustomValidity("") } });
      const submit = (event) => {
        event.preventDefault();
        const value = Math.fround(input.value.trim() ? Number(input.value.replace("−", "-").replace(",", ".")) : NaN);
        if (Number.isFinite(value)) this.set(answer, value);
        else {
          input.setCustomValidity("Type a number, such as 0.5 or -2.");
          input.reportValidity();
        }
      };
      return element("form", { class: "tt-set", novalidate: true, on: { submit } }, element("label", {}, "Set it to ", input), element("button", { type: "submit" }, "Set"));
    }

    // The way down on one line, each level a button that leads back to it.
    crumbs() {
      if (this.way.length < 2) return [];
      const levels = this.way.slice(0, -1).map(({ answer }, level) =>
        element("button", { type: "button", on: { click: () => this.backTo(level) } }, answer.title || layerOf(answer.name) + named(lastName(answer.name), answer.index)));
      return [element("nav", { class: "tt-way", "aria-label": "The way to this number" },
        ...levels.flatMap((level, at) => [element("span", { "aria-hidden": "true" }, at ? " › " : ""), level]))];
    }

    explained({ op, title, explanation }) {
      const { formula, terms, left } = explanation;
      const rows = inRows(explanation);
      const bars = lengths(formula, rows);
      const roles = [...new Map(terms.filter((term) => term.name).map((term) => [term.role, lastName(term.name)]))];
      const list = element("ol", { class: "tt-terms" });
      const more = element("button", { type: "button", class: "tt-and-more" });
      const add = (count) => {
        const from = list.children.length;
        list.append(...rows.slice(from, from + count).map((row, at) => this.row(row, this.bar(bars[from + at], row.value < 0 && !isSoftmax(formula)), terms)));
        const rest = rows.length - list.children.length;
        more.textContent = `and ${rest.toLocaleString("en")} more`;
        more.hidden = !rest;
      };
      more.addEventListener("click", () => {
        const from = list.children.length;
        add(ADDED);
        const next = list.children[from].querySelector("button");
        if (next) next.focus();
      });
      add(LISTED);
      return [
        element("p", {}, op ? `${op}: ` : "", element("code", {}, formula)),
        roles.length && !title ? element("p", { class: "tt-roles" }, roles.map(([role, name]) => `${role} is ${name}`).join(", ")) : "",
        list, more,
        left ? element("p", {}, `${left.count.toLocaleString("en")} smaller products, which the page leaves out, add ${short(left.sum)}.`) : "",
        element("p", { class: "tt-again" }, `Computed again from these numbers: ${short(recompute(explanation))}`),
      ];
    }

    bar(length, isNegative) {
      return element("span", { class: "tt-meter", "aria-hidden": "true" }, bar(length, isNegative));
    }

    row({ terms: [term, partner], value }, bar, all) {
      const parts = partner ? [...this.term(term, all), " × ", ...this.term(partner, all)] : [`${term.role}: `, ...this.term(term, all)];
      return element("li", {}, bar, element("span", {}, ...parts), element("span", { class: "tt-value" }, partner ? short(value) : ""));
    }

    term({ role, name, index, value, token, next }, all) {
      if (!name) return [short(value)];
      const peers = all.filter((term) => term.role === role && term.name === name);
      const text = named(lastName(name), briefIndex(index, peers.length > 40 ? [peers[0], peers[1], peers[peers.length - 1]] : peers));
      return [element("button", { type: "button", title: named(name, index), on: { click: () =>
        this.go(next).then(() => this.title.focus()) } }, text), `${token ? ` ${token}` : ""} ${short(value)}`];
    }
  }

  // ------------------------------------------------------------------ tables

  // The cells between which the keyboard moves: those with a number of a tensor, or all of a picture that has notes.
  const cellsOf = (within) => {
    const isTensor = within.closest("table").querySelector("td[data-i]");
    return [...within.querySelectorAll(isTensor ? "td[data-i]" : "td")];
  };

  // A table whose cells can be asked: one of them is reached with the keyboard, and arrows lead to the others.
  const asGrid = (table, name, does = "see where it comes from") => {
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", `${name}: choose a cell to ${does}`);
    const cells = cellsOf(table);
    cells.forEach((cell) => cell.setAttribute("tabindex", "-1"));
    const first = table.querySelector("td[data-here]") || cells[0];
    if (first) first.setAttribute("tabindex", "0");
  };

  // Lets the keyboard move between the cells of such tables, ask one, and close the answer.
  const steered = (body, ask, close) => body.addEventListener("keydown", (event) => {
    const cell = event.target.closest && event.target.closest("td[tabindex]");
    if (!cell) return;
    const row = cell.parentElement;
    const across = (of, at) => of && cellsOf(of)[at];
    const at = cellsOf(row).indexOf(cell);
    const last = cellsOf(row).length - 1;
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

  Object.assign(globalThis.tutor, { element, drawn, bar, loadLive, Panel, asGrid, steered });
})();
