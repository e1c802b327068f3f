// The map of the model, filled by a sentence of the reader's: each box shows one cell per token, and opens the tensors that
// it computed, whose numbers can be asked.
(() => {
  "use strict";
  const { element, drawn, brief, loadTranslator, Panel, asGrid, steered, scrollable, stored, store } = globalThis.tutor;

  // Milliseconds between two boxes that fill.
  const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 120;
  const PLACE = "transformer-tutor:live";

  // Columns of a tensor that are shown at a time.
  const WINDOW = 8;

  // The tensors of a box, in the order in which they are computed, by the part of the model that it stands for.
  const ATTENTION = ["query", "key", "value", "weights", "combined", "attended", "residual", "norm"];
  const INSIDE = { self_attn: ATTENTION, src_attn: ATTENTION, feed_forward: ["inner", "active", "ffn", "residual", "norm"],
    generator: ["logits", "log_probs"], src_embed: ["embedded", "pe", "with_position"], tgt_embed: ["embedded", "pe", "with_position"] };
  // The boxes of token ids, each with a tensor that has one row per token.
  const IDS = { src: "src_embed.embedded", tgt: "tgt_embed.embedded" };
  const inside = (opens) => {
    if (IDS[opens]) return [opens];
    const scope = opens.slice(0, opens.lastIndexOf("."));
    const parts = INSIDE[scope.slice(scope.lastIndexOf(".") + 1)] || [];
    const own = opens.slice(scope.length + 1);
    // The embeddings and the positions share a scope: each box begins with its own tensor.
    return [own, ...parts.filter((part) => part !== own)].map((part) => `${scope}.${part}`);
  };

  // How strong the colour of each token's length is: the longest has all of it, a tenth of that length a third. In a feed-forward
  // network one token is often ten times as long as the others.
  const strengths = (lengths) => {
    const most = Math.max(...lengths);
    return lengths.map((length) => Math.max(0.05, 1 + Math.log10(length / most) / 1.5));
  };

  const rms = (row) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / row.length);
  const last = (name) => name.slice(name.lastIndexOf(".") + 1);

  // Gives the shape in a box this number of tokens.
  const resize = (box, count) => {
    const note = box.querySelector(".note");
    note.textContent = note.textContent.replace(/ 1, \d+/, ` 1, ${count}`);
  };

  class ModelMap {
    constructor(figure) {
      this.svg = figure.querySelector("svg.tt-map");
      this.boxes = [...this.svg.querySelectorAll("a[data-opens]")];
      this.build(figure);
      this.svg.addEventListener("click", (event) => {
        const box = event.target.closest("a[data-opens]");
        if (!this.text || !this.boxes.includes(box)) return;
        event.preventDefault();
        this.open(box);
      });
      // The book's own keys turn pages.
      figure.addEventListener("keydown", (event) => event.stopPropagation());
    }

    build(figure) {
      const stacked = (label, changed) => {
        const select = element("select", { on: { change: changed } });
        return { select, label: element("label", { class: "tt-knob" }, label, " ", select) };
      };
      this.input = element("input", { type: "text", lang: "de", maxlength: 200, autocomplete: "off", spellcheck: "false",
        value: stored(PLACE).sentence || "Der kleine Hund schläft im Garten." });
      this.status = element("p", { class: "tt-says", role: "status" }, "Each box leads to its lesson. Fill the map with a sentence, and each box opens instead.");
      this.tensor = stacked("Tensor", () => this.zoom());
      this.head = stacked("Head", () => this.zoom());
      this.window = stacked("Columns", () => this.zoom());
      this.title = element("p", { tabindex: "-1" });
      this.table = element("div", { class: "tt-body" });
      const panel = element("div", { class: "tt-why", hidden: true });
      this.answer = new Panel(panel, { source: (question) => globalThis.tutor.askRecorded(question), closed: () => this.closed() });
      this.room = element("div", { class: "tt-room", hidden: true }, this.title,
        element("div", { class: "tt-knobs" }, this.tensor.label, this.head.label, this.window.label), this.table, panel);
      const form = element("form", { class: "tt-type", on: { submit: (event) => {
        event.preventDefault();
        this.run().catch((error) => { this.status.textContent = `That did not work: ${error.message}`; });
      } } }, element("label", {}, "A German sentence ", this.input), element("button", { type: "submit" }, "Fill the map"));
      const body = figure.querySelector(".tt-body");
      const pair = element("div", { class: "tt-pair" });
      body.before(form, this.status, pair);
      pair.append(body, this.room);
      this.table.addEventListener("click", (event) => this.asked(event.target.closest("td[data-i]")));
      steered(this.table, (cell) => this.asked(cell).then(() => this.answer.title.focus()), () => this.answer.close());
    }

    // Translates the sentence and fills the boxes one after the other, from the encoder's tokens to the generator.
    async run() {
      const text = this.input.value.trim();
      if (!text) return;
      store(PLACE, "sentence", text);
      this.status.textContent = "The model is loading.";
      this.room.hidden = true;
      this.answer.close();
      await loadTranslator();
      const names = this.boxes.map((box) => box.dataset.opens);
      const { state, tensors } = await globalThis.tutor.rowsOf(text, names);
      this.text = text;
      this.status.textContent = `“${state.text}” Each box now has one cell per token: the stronger its colour, the longer the token’s vector, or in the generator’s box the more probable the token that it writes. Choose a box to look inside.`;
      this.svg.querySelectorAll(".fill").forEach((old) => old.remove());
      const isDecoder = (box) => /^(tgt|decoder|generator)/.test(box.dataset.opens);
      // On the map they come from the bottom up.
      const order = [...this.boxes.filter((box) => !isDecoder(box)), ...this.boxes.filter(isDecoder)];
      for (const box of order) {
        const { opens } = box.dataset;
        const tensor = tensors.find(({ name }) => name === (IDS[opens] || opens));
        box.setAttribute("role", "button");
        if (!tensor || this.text !== text) continue;
        resize(box, tensor.rows.length);
        if (IDS[opens]) continue;
        const isLast = opens.startsWith("generator.");
        this.fill(box, isLast ? state.rows.map(({ probability }) => probability) : strengths(tensor.rows.map(rms)));
        if (PACE) await new Promise((resume) => setTimeout(resume, PACE));
      }
    }

    // A strip at the foot of a box: one cell per token, with a colour of this strength.
    fill(box, all) {
      const frame = box.querySelector(".box");
      const [x, y, width, height] = ["x", "y", "width", "height"].map((part) => Number(frame.getAttribute(part)));
      const wide = (width - 8) / all.length;
      box.append(...all.map((strength, at) => drawn("rect", { class: "fill", x: x + 4 + at * wide, y: y + height - 6, width: wide - 1, height: 4,
        "fill-opacity": strength.toFixed(2) })));
    }

    // Opens a box: its tensors, the first of them as a table.
    open(box) {
      this.boxes.forEach((other) => other.querySelector(".box").classList.toggle("here", other === box));
      const title = box.querySelector("text").textContent;
      const names = inside(box.dataset.opens);
      this.title.replaceChildren(element("strong", {}, `${names[0].replace(/\.\w+$/, "")}: ${title}. `), element("a", { href: box.getAttribute("href") }, box.querySelector(".note").textContent.split(" · ")[0]));
      this.tensor.select.replaceChildren(...names.map((name) => element("option", { value: name }, last(name))));
      this.room.hidden = false;
      this.zoom().then(() => {
        this.title.focus({ preventScroll: true });
        this.room.scrollIntoView({ block: "nearest" });
      });
    }

    // Draws the chosen tensor: a row per token, and a window of its columns; of attention weights, one head.
    async zoom() {
      const name = this.tensor.select.value;
      this.answer.close();
      const [isIds, isWeights] = [Boolean(IDS[name]), last(name) === "weights"];
      this.tensor.label.hidden = isIds;
      this.head.label.hidden = !isWeights;
      this.window.label.hidden = isIds || isWeights;
      if (isIds) return this.list(name);
      const table = isWeights ? await this.weights(name) : await this.rows(name);
      if (this.tensor.select.value !== name) return;
      this.shown = table;
      const bound = Math.max(...table.cells.flat().map(Math.abs));
      const shade = (x) => `${isWeights ? "s" : x < 0 ? "m" : "p"} v${Math.round(20 * (bound ? Math.abs(x) / bound : 0) ** 0.65)}`;
      const head = element("tr", {}, element("td", {}), ...table.columns.map((word) => element("th", { scope: "col" }, word)));
      const rows = table.cells.map((row, r) => element("tr", {}, element("th", { scope: "row" }, table.tokens[r]),
        ...row.map((x, c) => (table.seen && c >= table.seen[r] ? element("td", { class: "x", "data-i": r * row.length + c }, "×")
          : element("td", { class: shade(x), "data-i": r * row.length + c }, isWeights ? x.toFixed(2) : brief(x))))));
      const made = element("table", { class: `tt-heat${table.columns.length > WINDOW ? " tt-dense" : ""}` }, element("thead", {}, head), element("tbody", {}, ...rows));
      asGrid(made, name);
      this.table.replaceChildren(element("div", { class: "tt-scroll" }, made));
      scrollable(this.table);
    }

    // Lists the tokens of one side with their ids.
    async list(name) {
      const { tensors: [{ tokens, ids }] } = await globalThis.tutor.rowsOf(this.text, [IDS[name]]);
      if (this.tensor.select.value !== name) return;
      const rows = tokens.map((token, at) => element("tr", {}, element("th", { scope: "row" }, token), element("td", { class: "num" }, ids[at])));
      const head = element("tr", {}, element("th", { scope: "col" }, "token"), element("th", { scope: "col", class: "num" }, "id"));
      this.table.replaceChildren(element("table", { class: "tt-rows" }, element("caption", {}, "Each id is the token’s number in the vocabulary."),
        element("thead", {}, head), element("tbody", {}, ...rows)));
    }

    async rows(name) {
      const { state, tensors: [{ tokens, rows }] } = await globalThis.tutor.rowsOf(this.text, [name]);
      const [width, { select }] = [rows[0].length, this.window];
      const starts = Array.from({ length: Math.ceil(width / WINDOW) }, (_, n) => n * WINDOW);
      // Of the vocabulary's columns, those of the tokens that were written say most.
      const written = name.startsWith("generator.") ? new Map(state.rows.map(({ id, token }) => [id, token])) : new Map();
      if (select.dataset.width !== String(width)) {
        select.dataset.width = width;
        select.replaceChildren(...(written.size ? [element("option", { value: "written" }, "the tokens written")] : []),
          ...starts.map((start) => element("option", { value: start }, `${start} to ${Math.min(start + WINDOW, width) - 1}`)));
      }
      const first = Number(select.value);
      const places = select.value === "written" ? [...written.keys()] : Array.from({ length: Math.min(WINDOW, width - first) }, (_, c) => first + c);
      return { name, tokens, cells: rows.map((row) => places.map((place) => row[place])),
        columns: places.map((place) => written.get(place) || String(place)), index: (row, column) => [row, places[column]] };
    }

    async weights(name) {
      const { rows, columns, seen, values } = await globalThis.tutor.weightsOf(this.text, name);
      const { select } = this.head;
      if (select.options.length !== values.length) select.replaceChildren(...values.map((_, head) => element("option", { value: head }, String(head))));
      const head = Number(select.value);
      return { name, tokens: rows, columns, seen, cells: values[head], index: (row, column) => [head, row, column] };
    }

    async asked(cell) {
      if (!cell) return;
      this.table.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
      cell.classList.add("chosen");
      const { name, columns, index } = this.shown;
      const place = Number(cell.dataset.i);
      await this.answer.ask({ text: this.text, name, index: index(Math.floor(place / columns.length), place % columns.length) });
    }

    closed() {
      const cell = this.table.querySelector(".chosen");
      if (!cell) return;
      cell.classList.remove("chosen");
      cell.focus();
    }
  }

  const isPrint = /print\.html$/.test(location.pathname);
  const figures = isPrint ? [] : document.querySelectorAll("figure.tt-map:not([data-started])");
  figures.forEach((figure) => {
    figure.dataset.started = "1";
    new ModelMap(figure);
  });
})();
