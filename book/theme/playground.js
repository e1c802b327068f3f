// The box in which readers type a sentence: it starts the engine of live.js, and draws what that computes.
(() => {
  "use strict";
  const { tutorText, tutorLive } = globalThis;
  const { element, drawn, bar, loadLive, short, brief, LEAVES, Panel, asGrid, steered, scrollable, stored, store } = globalThis.tutor;

  // ------------------------------------------------------------------ the engine in a worker, or on the page

  // Answers messages { id, call, argument } with { id, value } for every result on the way, { id, done } at the end, or
  // { id, error }. A new translation ends its owner's one before. Pauses between results let other messages in.
  function serve({ Translator }, post) {
    let model;
    // Each owner has runs of its own over the same weights.
    const [translators, newest] = [new Map(), new Map()];
    const of = (owner) => {
      if (!translators.has(owner)) translators.set(owner, Object.assign(Object.create(Translator.prototype), model));
      return translators.get(owner);
    };
    const calls = {
      *load(given) { model = new Translator(given); },
      *translate({ owner, text, options }) { yield* of(owner).translate(text, options); },
      *edit({ owner, ...edits }) { yield* of(owner).edit(edits); },
      *weights({ owner, ...question }) { yield of(owner).weights(question); },
      *ask({ owner, ...question }) { yield of(owner).ask(question); },
      *rows({ owner, ...question }) { yield of(owner).rows(question); },
    };
    // A timeout would wait for at least 4 ms once they are nested.
    const channel = new MessageChannel();
    const paused = [];
    channel.port1.onmessage = () => paused.shift()();
    const pause = () => new Promise((resume) => {
      paused.push(resume);
      channel.port2.postMessage(null);
    });
    return async ({ id, call, argument }) => {
      const { owner } = argument;
      if (call === "translate") newest.set(owner, id);
      try {
        for (const value of calls[call](argument)) {
          if (call === "translate" && newest.get(owner) !== id) break;
          if (value !== undefined) post({ id, value });
          await pause();
        }
        post({ id, done: true });
      } catch (error) {
        post({ id, error: String(error) });
      }
    };
  }

  // Starts the engine in a worker made from its own text, or in slices on the page where workers are not allowed.
  // Returns the function that sends it a message; `receive` gets the answers.
  function start(receive) {
    const waiting = [];
    let send;
    const onPage = () => {
      send = serve(tutorLive(tutorText()), receive);
      waiting.splice(0).forEach(send);
    };
    try {
      const source = `"use strict"; const answer = (${serve})((${tutorLive})((${tutorText})()), postMessage); onmessage = ({ data }) => answer(data);`;
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      send = (message) => {
        waiting.push(message);
        worker.postMessage(message);
      };
      worker.onmessage = ({ data }) => {
        waiting.length = 0;
        receive(data);
      };
      // A policy that forbids workers is reported only after the start.
      worker.onerror = onPage;
    } catch {
      onPage();
    }
    return (message) => send(message);
  }

  // ------------------------------------------------------------------ the engine, started when it is first used

  const bytes = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64).buffer;
    const text = atob(base64);
    const all = new Uint8Array(text.length);
    for (let i = 0; i < all.length; i += 1) all[i] = text.charCodeAt(i);
    return all.buffer;
  };

  const engine = {
    calls: new Map(),
    count: 0,

    ready() {
      // A page of one file has its model already.
      this.loading ??= (globalThis.tutorModel ? Promise.resolve() : loadLive("everyday.js")).then(() => {
        const { weights, ...model } = globalThis.tutorModel;
        delete globalThis.tutorModel;
        this.send = start((answer) => this.receive(answer));
        return this.call("load", { ...model, weights: bytes(weights) });
      });
      return this.loading;
    },

    // Calls the engine; `each` gets every value on the way, the promise the last one.
    call(call, argument, each = () => {}) {
      this.count += 1;
      const id = this.count;
      return new Promise((done, failed) => {
        this.calls.set(id, { each, done, failed, value: undefined });
        this.send({ id, call, argument });
      });
    },

    receive({ id, value, done, error }) {
      const call = this.calls.get(id);
      if (value !== undefined) {
        call.value = value;
        call.each(value);
      }
      if (done || error) this.calls.delete(id);
      if (done) call.done(call.value);
      if (error) call.failed(new Error(error));
    },
  };

  // An answer of the engine as the panel shows it; `next` is the question that a term leads to.
  const answered = ({ op, isSet, explanation, ...answer }, next) => {
    const isHidden = answer.index.length === 3 && !answer.canBeSet;
    const says = isHidden ? "Masked: this token does not see that one, so its weight is 0."
      : LEAVES[(isSet && "edit") || (op === "parameter" ? op : "constant")];
    if (!explanation) return { ...answer, says: [element("p", {}, says)] };
    const terms = explanation.terms.map((term) => (term.name ? { ...term, next: next(term) } : term));
    const { name, value } = answer;
    const so = name === "generator.log_probs" ? `the probability is exp(${short(value)}) = ${brief(Math.exp(value))}` : undefined;
    return { ...answer, so, explanation: { ...explanation, terms } };
  };

  // Calls the engine about the greedy translation of `text`, which is made when the first call needs it. Returns the
  // result, and the translation.
  const runs = new Map();
  const ofRun = async (text, call, argument) => {
    const owner = `the translation of ${text}`;
    if (!runs.has(text)) runs.set(text, engine.ready().then(() => engine.call("translate", { owner, text, options: { beam: 1 } })));
    const state = await runs.get(text);
    return { state, result: await engine.call(call, { owner, ...argument }) };
  };

  // Answers a question about a run that a figure recorded, which is computed here again.
  const askRecorded = async ({ text, name, index }) => {
    const { result } = await ofRun(text, "ask", { name, index });
    const { canBeSet, ...answer } = answered(result, (term) => ({ text, name: term.name, index: term.index }));
    return answer;
  };

  // The tokens and rows of some tensors of a translation, and one of its attentions.
  const rowsOf = async (text, names) => {
    const { state, result } = await ofRun(text, "rows", { names });
    return { state, tensors: result };
  };
  const weightsOf = async (text, name) => (await ofRun(text, "weights", { name })).result;

  // ------------------------------------------------------------------ drawings

  // Width in pixels of the widest of some words in bold, as the chosen one is drawn.
  const ruler = document.createElement("canvas").getContext("2d");
  const widest = (words, size) => {
    ruler.font = `bold ${size}px ${getComputedStyle(document.body).fontFamily}`;
    return Math.ceil(Math.max(...words.map((word) => ruler.measureText(word).width)));
  };

  const largest = (row) => row.indexOf(Math.max(...row));

  // Weights that an edit changed by this much are marked.
  const CHANGED = 0.02;

  // The weights, a row for each written token, as lines from the tokens that were read, on the left. As in the recorded
  // figures (src/book/figure/lines.rs). Lines that grew or shrank `since` an edit are coloured.
  const lines = (weights, written, read, chosen, since) => {
    const [line, across, gap] = [26, 150, 8];
    const room = (words) => widest(words, 14) + 2 * gap;
    const count = Math.max(written.length, read.length);
    const y = (at, of) => (at + 0.5) * line + ((count - of) * line) / 2;
    const from = room(read);
    const to = from + across;
    const width = to + room(written);
    const label = (x, at, of, word, extra) => drawn("text", { x, y: y(at, of) + 4.5, ...extra }, word);
    const strongest = written.map((word, row) => `${word} from ${read[largest(weights[row])]}`).join(", ");
    const svg = drawn("svg", { class: "tt-lines", width, height: count * line, viewBox: `0 0 ${width} ${count * line}`, role: "img",
      "aria-label": `Lines from the tokens that were read to those that were written; the strongest of each: ${strongest}.` });
    svg.append(...read.map((word, at) => label(from - gap, at, read.length, word, { "text-anchor": "end" })));
    written.forEach((word, row) => {
      const end = y(row, written.length);
      const paths = weights[row].map((weight, column) => {
        const change = since ? weight - since[row][column] : 0;
        const kind = Math.abs(change) < CHANGED ? {} : { class: change > 0 ? "grew" : "shrank" };
        const begin = y(column, read.length);
        const [middle, shape] = [from + across / 2, { "stroke-width": Math.max(7 * weight, 0.8).toFixed(1), "stroke-opacity": (0.25 + 0.75 * weight).toFixed(2) }];
        return weight < 0.02 ? "" : drawn("path", { ...shape, ...kind, d: `M${from} ${begin}C${middle} ${begin} ${middle} ${end} ${to} ${end}` });
      });
      svg.append(drawn("g", { class: row === chosen ? "chosen" : "" }, ...paths.filter(Boolean), label(to + gap, row, written.length, word, {})));
    });
    return svg;
  };

  // The steps of a beam search as a tree that grows to the right: in each column the continuations of one step, most
  // probable first. Discarded ones are faint, and the way to the result is strong.
  const tree = (steps, best) => {
    const [line, across] = [20, 104];
    const brief = (word) => (word.length > 9 ? `${word.slice(0, 8)}…` : word);
    const place = (step, rank) => [8 + step * across, 14 + rank * line];
    const alive = (step) => steps[step].map((_, rank) => rank).filter((rank) => steps[step][rank].fate === "alive");
    const before = (step, rank) => (step ? alive(step - 1)[steps[step][rank].parent] : -1);
    const way = new Set();
    const last = steps.findIndex((branches) => branches.some(({ fate, score }) => fate === "finished" && score === best.score));
    for (let [step, rank] = [last, last < 0 ? -1 : steps[last].findIndex(({ score }) => score === best.score)]; step >= 0; step -= 1) {
      way.add(`${step},${rank}`);
      rank = before(step, rank);
    }
    const height = Math.max(...steps.map((branches) => branches.length)) * line + 8;
    const width = steps.length * across + 8;
    const svg = drawn("svg", { class: "tt-tree", width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `The beam search as a tree: ${steps.length} steps, in each the most probable continuations; the table above lists the results.` });
    const [edges, words] = [[], []];
    steps.forEach((branches, step) => branches.forEach(({ word, fate }, rank) => {
      const [x, y] = place(step, rank);
      const kind = way.has(`${step},${rank}`) ? "best" : fate;
      if (step) {
        const parent = before(step, rank);
        const [px, py] = place(step - 1, parent);
        const end = px + 6 + brief(steps[step - 1][parent].word).length * 7.5;
        edges.push(drawn("path", { class: kind, d: `M${end} ${py}C${px + 84} ${py} ${px + 76} ${y} ${x - 4} ${y}` }));
      }
      words.push(drawn("text", { class: kind, x, y: y + 4.5 }, brief(word)));
    }));
    svg.append(...edges, ...words);
    return svg;
  };

  // One row of attention on its way: the scores of a query with every key, the weights that softmax makes of them, and the
  // values that flow together, each as wide as its weight.
  const flow = (scores, weights, read, token) => {
    const [line, top, gap] = [26, 24, 8];
    const from = widest(read, 14) + 2 * gap;
    const [zero, reach, share, end] = [from + 60, 46, from + 150, from + 350];
    const sum = "Σ weight · value";
    const width = end + gap + Math.max(widest([token], 14), widest([sum], 12) / 2);
    const height = top + read.length * line;
    const bound = Math.max(...scores.map(Math.abs)) || 1;
    const middle = top + (read.length * line) / 2;
    const most = weights.indexOf(Math.max(...weights));
    const svg = drawn("svg", { class: "tt-flow", width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `The row of ${token}: its scores, its weights and the values it gathers. The largest weight is that of ${read[most]}, ${weights[most].toFixed(2)}.` });
    const text = (x, y, words, extra = {}) => drawn("text", { x, y: y + 4.5, ...extra }, words);
    svg.append(text(zero, 8, "q · k / √d_k", { class: "note", "text-anchor": "middle" }), text(share, 8, "softmax", { class: "note" }),
      text(end, 8, sum, { class: "note", "text-anchor": "middle" }), drawn("path", { class: "zero", d: `M${zero} ${top}V${height}` }));
    read.forEach((word, at) => {
      const y = top + (at + 0.5) * line;
      const long = (reach * Math.abs(scores[at])) / bound;
      const wide = 90 * weights[at];
      svg.append(text(from - gap, y, word, { "text-anchor": "end" }),
        drawn("rect", { class: scores[at] < 0 ? "minus" : "plus", x: scores[at] < 0 ? zero - long : zero, y: y - 7, width: long, height: 14 }),
        drawn("rect", { class: "weight", x: share, y: y - 7, width: Math.max(wide, 0.8), height: 14 }),
        text(share + wide + 5, y, weights[at].toFixed(2), { class: "note" }));
      const start = share + wide + 36;
      const bend = (start + end) / 2;
      if (weights[at] >= 0.02) {
        svg.append(drawn("path", { class: "stream", "stroke-width": Math.max(14 * weights[at], 0.8).toFixed(1), d: `M${start} ${y}C${bend} ${y} ${bend} ${middle} ${end - 6} ${middle}` }));
      }
    });
    svg.append(text(end, middle, token, { class: "sum" }));
    return svg;
  };

  // What the rows and columns of an attention are, as in the recorded figures. Rows of cross-attention have the names of the
  // tokens that they write.
  const axes = ({ name, isCross }) => {
    if (isCross) return ["written", "read"];
    return name.startsWith("encoder") ? ["source", "source"] : ["target", "target"];
  };

  // The same weights as a table whose cells can be asked; or how much they changed `since` an edit. Masked cells have a ×.
  const table = (weights, view, since) => {
    const { name, rows: written, columns: read, seen } = view;
    const changes = since ? weights.map((row, r) => row.map((weight, c) => weight - since[r][c])) : [];
    const bound = Math.max(...changes.flat().map(Math.abs)) || 1;
    const shade = (x) => `${x < 0 ? "m" : "p"} v${Math.round(20 * (Math.abs(x) / bound) ** 0.65)}`;
    const shown = (row, column) => {
      if (seen && column >= seen[row]) return { class: "x", text: "×" };
      return since ? { class: shade(changes[row][column]), text: brief(changes[row][column]) }
        : { class: `s v${Math.round(20 * weights[row][column])}`, text: weights[row][column].toFixed(2) };
    };
    const corner = axes(view).map((axis, at) => element("span", { class: "tt-axis" }, `${axis} ${"↓→"[at]}`));
    const head = element("tr", {}, element("th", { class: "tt-corner", scope: "col" }, ...corner),
      ...read.map((word) => element("th", { scope: "col" }, word)));
    const rows = written.map((word, row) => element("tr", {}, element("th", { scope: "row" }, word),
      ...read.map((_, column) => element("td", { class: shown(row, column).class, "data-i": row * read.length + column },
        shown(row, column).text))));
    const made = element("table", { class: `tt-heat${read.length > 12 ? " tt-dense" : ""}` }, element("thead", {}, head), element("tbody", {}, ...rows));
    asGrid(made, name);
    return element("div", { class: "tt-scroll" }, made);
  };

  // The tokens of a translation made again, with those marked that differ from the first between a common start and end.
  const compared = (now, then) => {
    const isSame = (a, b) => a !== undefined && b !== undefined && a.id === b.id;
    let [start, end] = [0, 0];
    while (isSame(now[start], then[start])) start += 1;
    const least = Math.min(now.length, then.length) - start;
    while (end < least && isSame(now[now.length - 1 - end], then[then.length - 1 - end])) end += 1;
    if (start === now.length && start === then.length) return ["Translated again with this number, the sentence stays the same."];
    const tokens = now.map(({ token }, at) => (at >= start && at < now.length - end ? element("mark", {}, token) : token));
    return ["Translated again with this number:", ...tokens.flatMap((token) => [" ", token])];
  };

  const bars = (caption, all) => element("table", { class: "tt-bars" }, element("caption", {}, caption), element("tbody", {},
    ...all.map(({ label, share, value }) => element("tr", {}, element("th", { scope: "row", class: "short" }, label),
      element("td", { class: "tt-length" }, bar(share, false)),
      element("td", { class: "tt-value" }, value)))));

  // ------------------------------------------------------------------ the box

  const PLACE = "transformer-tutor:live";
  // Milliseconds between two tokens, so that the eye can follow.
  const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 50;

  // Cells of the table that is drawn for every new token. All rows of a long translation, each time, would stop the page.
  const MOST_WHILE_WRITING = 400;

  let boxesMade = 0;

  class Box {
    constructor(box, given) {
      boxesMade += 1;
      this.owner = `box ${boxesMade}`;
      this.results = [];
      this.build(box, given);
      // The book's own keys turn pages.
      box.addEventListener("keydown", (event) => event.stopPropagation());
      // Whoever comes here is about to translate, so the model is loaded meanwhile. An error is shown when it matters.
      const prepare = () => engine.ready().catch(() => {});
      ["focusin", "pointerenter"].forEach((event) => box.addEventListener(event, prepare, { once: true }));
    }

    // `opened` is the attention and the head that are shown first.
    build(box, { mistakes, label, language, examples, sentence, opened = {} }) {
      this.opened = opened;
      const choice = (label, options, changed) => {
        const select = element("select", { on: { change: changed } }, ...options.map(([value, text]) => element("option", { value }, text)));
        return { select, label: element("label", { class: "tt-knob" }, label, " ", select) };
      };
      const again = () => this.translate();
      this.input = element("input", { type: "text", lang: language, maxlength: 400, autocomplete: "off", spellcheck: "false",
        value: sentence || stored(PLACE).sentence || examples[0] || "" });
      this.search = choice("Search", [["beam 4", "beam of 4"], ["beam 1", "greedy: the most probable token"],
        ...[0.5, 1, 1.5].map((temperature) => [`temperature ${temperature}`, `drawn at random, temperature ${temperature}`])], again);
      this.off = new Set();
      this.mistake = choice("Break it", [["", "nothing"], ...mistakes.map(({ name, title }) => [name, title])], again);
      this.kind = choice("Attention", [], () => this.look());
      this.head = choice("Head", [], () => this.draw());
      this.toggle = element("button", { type: "button", on: { click: () => this.turn() } });
      this.heads = element("span", { class: "tt-heads-off", role: "status" });
      this.status = element("p", { class: "tt-says", role: "status" });
      this.translation = element("div", { class: "tt-translation", role: "group", "aria-live": "polite", "aria-label": "Translation" });
      this.picture = element("div", { class: "tt-body" });
      this.row = element("div", { class: "tt-row" });
      const panel = element("div", { class: "tt-why", hidden: true });
      this.edits = element("div", { class: "tt-edits" });
      this.difference = element("button", { type: "button", class: "tt-difference", on: { click: () => {
        this.differs = !this.differs;
        this.draw();
      } } }, "Difference");
      this.looks = element("div", { class: "tt-looks", hidden: true }, element("div", { class: "tt-knobs" }, this.kind.label, this.head.label),
        element("p", { class: "tt-says" }, this.toggle, " ", this.heads),
        this.edits, this.difference, element("div", { class: "tt-pair" }, this.picture, panel), this.row);
      this.answer = new Panel(panel, { source: (question) => this.source(question), closed: () => this.closed(),
        set: ({ name, index }, value) => this.edit([...this.edited().edits, { name, index, value }]) });
      this.candidates = element("div", { class: "tt-candidates" });
      this.others = element("div", { class: "tt-others" });
      const form = element("form", { class: "tt-type", on: { submit: (event) => {
        event.preventDefault();
        this.translate();
      } } }, element("label", {}, `${label} `, this.input), element("button", { type: "submit" }, "Translate"));
      const example = (text) => element("button", { type: "button", lang: language, on: { click: () => {
        this.input.value = text;
        this.translate();
      } } }, text);
      box.append(form, examples.length ? element("p", { class: "tt-examples" }, "Or choose one: ", ...examples.map(example)) : "",
        element("div", { class: "tt-knobs" }, this.search.label, mistakes.length ? this.mistake.label : ""), this.status, this.translation,
        this.candidates, this.looks, this.others);
      this.picture.addEventListener("click", (event) => this.asked(event.target.closest("td[data-i]")));
      steered(this.picture, (cell) => this.asked(cell).then((isAsked) => isAsked && this.answer.title.focus()), () => this.answer.close());
    }

    call(call, argument, each) {
      return engine.call(call, { owner: this.owner, ...argument }, each);
    }

    async translate() {
      const text = this.input.value.trim();
      store(PLACE, "sentence", text);
      this.results = [];
      this.now = { sentence: 0, row: null };
      [this.translation, this.candidates, this.others, this.edits].forEach((part) => part.replaceChildren());
      this.looks.hidden = true;
      this.answer.close();
      this.status.textContent = engine.send ? "" : "The model is loading.";
      this.started = (this.started || 0) + 1;
      const mine = this.started;
      const queue = [];
      try {
        await engine.ready();
        if (mine !== this.started) return;
        this.status.textContent = "";
        const [way, value] = this.search.select.value.split(" ");
        const options = { [way]: Number(value), mistake: this.mistake.select.value || undefined, off: [...this.off] };
        const begun = performance.now();
        let first;
        const drain = () => {
          if (mine !== this.started || !queue.length) return;
          this.receive(queue.shift());
          setTimeout(drain, PACE);
        };
        const finished = await this.call("translate", { text, options }, (state) => {
          first ??= performance.now() - begun;
          queue.push(state);
          if (queue.length === 1) drain();
        });
        if (mine !== this.started) return;
        this.took = { first, all: performance.now() - begun };
        if (!finished) this.status.textContent = text ? `“${text}”` : "There is nothing to translate.";
      } catch (error) {
        this.status.textContent = `That did not work: ${error.message}`;
      }
    }

    receive(state) {
      this.results[state.sentence] = state;
      this.now.sentence = state.sentence;
      // While it writes, the newest token is shown; then the one that the model was least sure of.
      const sure = state.rows.map(({ probability }) => probability);
      this.now.row = state.done ? sure.indexOf(Math.min(...sure)) : state.rows.length - 1;
      this.now.isLeastSure = state.done;
      if (!this.kind.select.options.length) this.offer(state.sizes);
      this.words(state);
      this.draw();
      if (!state.done) return;
      this.finish(state);
      this.readAttention(state, state.sentence).then(() => this.draw());
    }

    // The tokens as buttons, one line for each sentence. Buttons that did not change stay, so that only new words are heard.
    words(state) {
      let line = this.translation.children[state.sentence];
      if (!line) {
        line = element("p", { lang: "en" });
        this.translation.append(line);
      }
      state.rows.forEach((row, at) => {
        const old = line.children[at];
        if (old && old.textContent === row.token) return;
        const made = element("button", { type: "button", on: { click: () => {
          this.now = { sentence: state.sentence, row: at };
          this.look();
        } } }, row.token);
        if (old) old.replaceWith(made);
        else line.append(made);
      });
      while (line.children.length > state.rows.length) line.lastElementChild.remove();
    }

    // Fills the lists of attentions and heads.
    offer({ heads, layers, encoderLayers }) {
      const fill = ({ select }, texts, chosen) => {
        select.append(...texts.map(([value, text]) => element("option", { value }, text)));
        select.value = chosen;
      };
      const range = (length, of) => Array.from({ length }, (_, n) => of(n));
      const name = (half, n, part) => `${half}.layers.${n}.${part}.weights`;
      fill(this.kind, [...range(layers, (n) => [name("decoder", n, "src_attn"), `cross-attention, decoder layer ${n}`]),
        ...range(encoderLayers, (n) => [name("encoder", n, "self_attn"), `self-attention, encoder layer ${n}`]),
        ...range(layers, (n) => [name("decoder", n, "self_attn"), `self-attention, decoder layer ${n}`])], this.opened.name || name("decoder", layers - 1, "src_attn"));
      fill(this.head, [...range(heads, (n) => [n, `head ${n}`]), ["mean", "mean of all heads"]], this.opened.head || "mean");
    }

    // Fetches the chosen attention of the finished run, then draws.
    async look() {
      const { sentence } = this.now;
      this.answer.close();
      await this.readAttention(this.results[sentence], sentence);
      this.draw();
    }

    // Fetches the chosen attention of a finished run, and after an edit the one before it. Cross-attention is there already.
    async readAttention(state, sentence) {
      const name = this.kind.select.value;
      if (!state.done || name.includes("src_attn")) return;
      const isEdited = this.isEdited(sentence);
      const weights = (isEdited) => this.call("weights", { sentence, name, isEdited });
      [state.view, state.before] = await Promise.all([weights(isEdited), isEdited && weights(false)]);
    }

    // What is shown: names of rows and columns, [heads][rows][columns], and the same before an edit. Cross-attention is
    // there while it writes.
    view(state) {
      const { rows, source, sizes, view, before } = state;
      const name = this.kind.select.value;
      if (view && view.name === name) return { ...view, since: before && before.values, isCross: false };
      const layer = /decoder\.layers\.(\d+)\.src_attn/.exec(name);
      const n = layer ? Number(layer[1]) : sizes.layers - 1;
      const values = (of) => Array.from({ length: sizes.heads }, (_, h) =>
        of.map(({ cross }) => source.map((_, column) => cross[n][h * source.length + column])));
      const now = this.edited(state).rows;
      const first = state.done ? 0 : Math.max(0, rows.length - Math.ceil(MOST_WHILE_WRITING / source.length));
      const shown = rows.slice(first);
      return { name: `decoder.layers.${n}.src_attn.weights`, rows: shown.map(({ token }) => token), columns: source, first,
        values: values(now || shown), since: now && values(rows), isCross: true };
    }

    // The chosen head, or the mean of all: [rows][columns].
    ofHead(values) {
      const head = this.head.select.value;
      if (head !== "mean") return values[Number(head)];
      return values[0].map((row, r) => row.map((_, c) => values.reduce((sum, of) => sum + of[r][c], 0) / values.length));
    }

    // The chosen head, as the engine names it; none for the mean of all.
    named() {
      return this.head.select.value === "mean" ? "" : `${this.kind.select.value.replace(/weights$/, "")}${this.head.select.value}`;
    }

    // Switches the chosen head off or on and translates again; with the mean of all chosen, every head goes on.
    turn() {
      const head = this.named();
      if (!head) this.off.clear();
      else if (!this.off.delete(head)) this.off.add(head);
      this.translate();
    }

    draw() {
      const state = this.results[this.now.sentence];
      const head = this.named();
      this.toggle.textContent = head ? `Switch this head ${this.off.has(head) ? "on" : "off"}` : "Switch all heads on";
      this.toggle.hidden = !head && !this.off.size;
      this.heads.textContent = this.off.size ? `Off: ${[...this.off].join(", ")}` : "";
      const view = this.view(state);
      const weights = this.ofHead(view.values);
      // A number that comes after the attention does not change it.
      const isChanged = view.since && String(view.since) !== String(view.values);
      const since = isChanged && this.ofHead(view.since);
      this.difference.hidden = !since;
      this.difference.setAttribute("aria-pressed", String(Boolean(since && this.differs)));
      this.looks.hidden = false;
      this.picture.replaceChildren(lines(weights, view.rows, view.columns, view.isCross ? this.now.row - view.first : -1, since),
        table(weights, view, this.differs && since));
      scrollable(this.picture);
      this.drawRow();
      [...this.translation.children].forEach((line, sentence) => [...line.children].forEach((word, row) =>
        word.setAttribute("aria-pressed", String(sentence === this.now.sentence && row === this.now.row))));
      this.why((this.edited(state).rows || state.rows)[this.now.row]);
    }

    // The row of the chosen token in the chosen head, drawn: cross-attention follows the chosen word, and a table of
    // self-attention the cell that was asked last.
    async drawRow() {
      const { sentence } = this.now;
      const state = this.results[sentence];
      const { name, rows, columns, values, isCross } = this.view(state);
      const head = this.head.select.value;
      this.row.replaceChildren();
      if (!state.done || head === "mean" || !columns.length) return;
      const row = Math.min(isCross ? this.now.row : this.askedRow || 0, rows.length - 1);
      const scores = await this.call("weights", { sentence, name: name.replace(/weights$/, "scaled"), isEdited: this.isEdited(sentence) });
      const isOld = this.results[sentence] !== state || this.view(state).name !== name || this.head.select.value !== head;
      if (isOld) return;
      this.row.replaceChildren(element("p", { class: "tt-says" }, `The row of “${rows[row]}” in head ${head}: scores become weights, and the weights mix the values.`),
        element("div", { class: "tt-scroll" }, flow(scores.values[Number(head)][row], values[Number(head)][row], columns, rows[row])));
      scrollable(this.row);
    }

    // Why this word: the candidates at its step. The logarithm of each probability can be asked.
    why({ id, token, probability, candidates }) {
      const { sentence, row } = this.now;
      const { rows, done } = this.results[sentence];
      const from = async (word) => {
        if (!done) return;
        await this.answer.ask({ name: "generator.log_probs", index: [row, word], sentence });
        this.answer.title.focus();
      };
      const value = (one) => element("button", { type: "button", on: { click: () => from(one.id) } }, one.probability.toFixed(3));
      const before = rows.slice(0, row).map(({ token }) => token).join(" ");
      const chosen = this.now.isLeastSure ? `Chosen: “${rows[row].token}”, the token that it was least sure of. ` : "";
      const { edits } = this.edited();
      const caption = edits.length ? `With your number${edits.length > 1 ? "s" : ""}, ${before ? `after “${before}”` : "at the beginning"}:`
        : `${chosen}${before ? `After “${before}”` : "At the beginning"}, the model considered:`;
      // A token that was drawn at random, or that a number of the reader's made improbable, is listed too.
      const isListed = candidates.some((one) => one.id === id);
      const all = isListed ? candidates : [...candidates, { id, token, probability }];
      this.candidates.replaceChildren(bars(caption, all.map((one) => ({
        label: one.id === id ? element("strong", {}, one.token) : one.token, share: one.probability, value: value(one) }))));
    }

    finish(state) {
      const { hypotheses, reads, rows, steps } = state;
      const remarks = [`“${this.results.map(({ text }) => text).join(" ")}”`, `It took ${rows.length} steps, one for each token and one for the end.`];
      if (state.sentences === 1 && reads !== this.input.value.trim()) remarks.push(`The model reads “${reads}”.`);
      const clauses = this.results.flatMap((result) => result.remarks);
      this.status.textContent = [...remarks, ...clauses.map((clause) => `${clause[0].toUpperCase()}${clause.slice(1)}.`)].join(" ");
      this.others.replaceChildren();
      if (hypotheses.length < 2) return;
      const row = ({ text, score, logProb }) => element("tr", {}, element("td", {}, text), element("td", { class: "num" }, short(score)),
        element("td", { class: "num" }, short(logProb)));
      const heading = ["hypothesis", "score", "log-probability"].map((text) => element("th", { scope: "col" }, text));
      this.others.replaceChildren(element("div", { class: "tt-scroll" }, element("table", { class: "tt-rows" },
        element("caption", {}, "The finished hypotheses, best first. The score is the log-probability divided by the length penalty."),
        element("thead", {}, element("tr", {}, ...heading)), element("tbody", {}, ...hypotheses.map(row)))),
        element("p", { class: "tt-says" }, "The search as a tree. Each column is a step with its most probable continuations; the faint ones were discarded."),
        element("div", { class: "tt-scroll" }, tree(steps, hypotheses[0])));
      scrollable(this.others);
    }

    closed() {
      const cell = this.picture.querySelector("td.chosen");
      if (!cell) return;
      cell.classList.remove("chosen");
      cell.focus();
    }

    async asked(cell) {
      const state = this.results[this.now.sentence];
      if (!cell || !state.done) return false;
      this.picture.querySelectorAll("td.chosen").forEach((other) => other.classList.remove("chosen"));
      cell.classList.add("chosen");
      const { name, columns } = this.view(state);
      const place = Number(cell.dataset.i);
      const [row, column] = [Math.floor(place / columns.length), place % columns.length];
      this.askedRow = row;
      this.drawRow();
      const { sentence } = this.now;
      const head = this.head.select.value;
      if (head === "mean") await this.answer.ask({ mean: true, name, index: [row, column], sentence });
      else await this.answer.ask({ name, index: [Number(head), row, column], sentence });
      return true;
    }

    // Answers a question about a cell of the run, or about the mean of a cell over the heads.
    async source({ mean, name, index, sentence }) {
      if (mean) return this.mean(name, index, sentence);
      const answer = await this.call("ask", { name, index, sentence, isEdited: this.isEdited(sentence) });
      return answered(answer, (term) => ({ name: term.name, index: term.index, sentence }));
    }

    mean(name, [row, column], sentence) {
      const { values } = this.view(this.results[sentence]);
      const terms = values.map((of, head) => ({ role: "w", name, index: [head, row, column], value: of[row][column],
        next: { name, index: [head, row, column], sentence } }));
      return { title: `mean over the heads of ${name}[:,${row},${column}]`, value: this.ofHead(values)[row][column],
        explanation: { formula: "mean(w)", terms } };
    }

    // ---------------------------------------------------------------- numbers that the reader sets

    // The edits of a sentence, and what the engine computed with them.
    edited(state = this.results[this.now.sentence]) {
      return state.edited || { edits: [] };
    }

    isEdited(sentence) {
      return this.edited(this.results[sentence]).edits.length > 0;
    }

    // Computes the shown sentence again with these numbers in place of the model's.
    async edit(edits) {
      const { sentence } = this.now;
      const state = this.results[sentence];
      this.wanted = edits;
      const found = edits.length ? await this.call("edit", { sentence, edits }) : {};
      if (this.results[sentence] !== state || this.wanted !== edits) return;
      state.edited = edits.length ? { edits, ...found } : undefined;
      this.differs = edits.length > 0;
      await this.readAttention(state, sentence);
      await this.answer.refresh();
      this.report(state);
      this.draw();
      this.edits.scrollIntoView({ block: "nearest" });
    }

    // What follows from the edits: how many numbers changed, the words, and the way back.
    report(state) {
      const { edits, ripple, rows, again } = this.edited(state);
      if (!edits.length) {
        this.edits.replaceChildren(element("p", { role: "status" }, "Every number is the model’s own again."));
        return;
      }
      const { name, index, value } = edits[edits.length - 1];
      const many = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
      const reach = ripple.cells ? `This changed ${many(ripple.cells, "cell")} of ${many(ripple.tensors, "tensor")} downstream, first in ${ripple.first}.`
        : "No other number of the run depends on it.";
      const changed = rows.map(({ candidates: [now] }, row) => [row, state.rows[row].candidates[0], now]).filter(([, then, now]) => then.id !== now.id);
      const words = changed.map(([row, then, now]) => element("li", {}, `${row ? `after “${state.rows[row - 1].token}”` : "at the beginning"}: `,
        element("strong", {}, now.token), ` ${now.probability.toFixed(3)} (before: `, element("strong", {}, then.token), ` ${then.probability.toFixed(3)})`));
      const undo = element("button", { type: "button", on: { click: async () => {
        await this.edit(edits.slice(0, -1));
        const next = this.edits.querySelector("button") || this.picture.querySelector("td[tabindex='0']");
        next.focus();
      } } }, edits.length > 1 ? `Undo (${edits.length})` : "Undo");
      this.edits.replaceChildren(element("p", { role: "status" }, `You set ${name}[${index.join(",")}] to ${short(value)}. ${reach} `, undo),
        ...(words.length ? [element("p", {}, "Over the same tokens, another word is now the most probable:"), element("ul", {}, ...words)] : []),
        again ? element("p", { class: "tt-again-written", lang: "en" }, ...compared(again.rows, state.rows)) : "");
    }
  }

  // The page for printing holds all chapters.
  const boxes = /print\.html$/.test(location.pathname) ? [] : document.querySelectorAll(".tt-live:not([data-started])");
  boxes.forEach((box) => {
    box.dataset.started = "1";
    box.live = new Box(box, JSON.parse(box.querySelector(".tt-given").textContent));
  });

  // For the figures of the trained model, which can show a sentence of the reader's too.
  Object.assign(globalThis.tutor, { Box, askRecorded, rowsOf, weightsOf });
})();
