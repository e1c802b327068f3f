// The course's translator in plain JavaScript: a sentence in, tokens out, and every number on the way is kept.
//
// It computes what the program's engine computes (src/engine), from the same weights and under the same names. Read it
// from top to bottom: weights, layers, model, search, questions, translation. text.js comes before it: it turns a line
// into tokens. playground.js starts both in a worker. Tests compare segmentation, logits and translations with the
// engine's.
//
// Shapes are in comments. A row is a Float32Array; [rows, d] is a list of tokens, each with a row of d numbers.
(() => {
  "use strict";

  // One function, so that its text can become a worker without a file of its own.
  function engine({ last, sentences, hide, restore, finished, remarks, inKnownCharacters, PAD, BOS, EOS, UNK, Pieces }) {
    // ---------------------------------------------------------------- weights (data/safetensors.rs, data/weights/rows8.rs)

    // A parameter: whole numbers from −127 to 127 with one scale per row, or plain f32.
    class Parameter {
      constructor(shape, cells, scale) {
        Object.assign(this, { shape, cells, scale });
      }

      // The number at an index: [row, column] of a matrix, [column] of a vector.
      at(index) {
        if (!this.scale) return this.cells[index[0]];
        return this.cells[index[0] * this.shape[1] + index[1]] * this.scale[index[0]];
      }

      // A row times `factor`: [columns].
      row(row, factor) {
        const [, columns] = this.shape;
        return Float32Array.from({ length: columns }, (_, i) => Math.fround(this.at([row, i])) * factor);
      }
    }

    // Reads a file of tensors: the length of a header, the header in JSON, the cells.
    const safetensors = (buffer) => {
      const length = Number(new DataView(buffer).getBigUint64(0, true));
      const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
      const read = ({ dtype, shape, data_offsets: [from, to] }) => {
        // A copy, because f32 cells must begin at a multiple of four bytes.
        const bytes = buffer.slice(8 + length + from, 8 + length + to);
        return { shape, cells: dtype === "I8" ? new Int8Array(bytes) : new Float32Array(bytes) };
      };
      const { __metadata__: metadata, ...tensors } = header;
      const params = new Map();
      for (const [name, tensor] of Object.entries(tensors)) {
        const { shape, cells } = read(tensor);
        const scale = shape.length === 2 && read(tensors[`${name}.scale`]).cells;
        if (!(name.endsWith(".scale") && tensors[name.slice(0, -6)])) params.set(name, new Parameter(shape, cells, scale));
      }
      return { config: JSON.parse(metadata["transformer-tutor.config"]), params };
    };

    // The same shapes with random cells (xorshift), as training begins: Xavier's uniform distribution for matrices.
    const untrained = (params) => {
      let state = 7;
      const random = () => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) / 2 ** 32;
      };
      return new Map([...params].map(([name, { shape, cells }]) => {
        if (shape.length === 1) return [name, new Parameter(shape, cells.map(() => (name.endsWith("norm.scale") ? 1 : 0)))];
        const widest = name === "embed.table" ? Math.sqrt(3 / shape[1]) : Math.sqrt(6 / (shape[0] + shape[1]));
        const whole = cells.map(() => Math.round((2 * random() - 1) * 127));
        return [name, new Parameter(shape, whole, new Float32Array(shape[0]).fill(widest / 127))];
      }));
    };

    // The parameters with a mistake of the tour in them: zeros where a part must add nothing, or no training at all.
    const broken = (params, mistake) => {
      if (mistake === "untrained") return untrained(params);
      if (mistake !== "no-feed-forward") return params;
      const zero = ({ shape, cells, scale }) => new Parameter(shape, cells.map(() => 0), scale);
      return new Map([...params].map(([name, param]) => [name, /feed_forward\.w_2\./.test(name) ? zero(param) : param]));
    };

    // The place of an index in a token's row: [row, column], or [head, row, column] of scores and weights, whose heads share
    // the row. Undefined if the token does not see the column.
    const placeOf = (row, index, heads) => {
      const [column, seen] = [last(index), row.length / heads];
      if (index.length === 2) return column;
      return column < seen ? index[0] * seen + column : undefined;
    };

    // The parameters with the numbers that the reader set: a copy of each parameter that has one.
    const edited = (params, edits) => {
      const all = new Map(params);
      for (const { name, index, value } of edits.filter((edit) => params.has(edit.name))) {
        const { shape, cells, scale } = all.get(name);
        // Every other number keeps its value to the bit.
        const copy = new Parameter(shape, Float64Array.from(cells), scale && scale.map((unit) => unit || 1));
        if (scale) copy.cells[index[0] * shape[1] + index[1]] = value / copy.scale[index[0]];
        else copy.cells[index[0]] = value;
        all.set(name, copy);
      }
      return all;
    };

    // ---------------------------------------------------------------- layers (nn/*.rs)

    // A token at a position. `cells` has its row of every tensor, by the tensor's name; `path` are the tokens that a
    // decoder's token may see: those before it and itself. So the cache of keys and values is the tokens of the path.
    class Token {
      constructor(id, before) {
        this.id = id;
        this.position = before ? before.position + 1 : 0;
        this.cells = new Map();
        this.path = [...(before ? before.path : []), this];
      }
    }

    // Σ x · w of a row `x` [n] and the n whole numbers of a matrix from `first` on. Four sums hide each other's latency.
    const dot = (x, whole, first) => {
      let [a, b, c, d] = [0, 0, 0, 0];
      const rest = x.length - (x.length % 4);
      for (let i = rest; i < x.length; i += 1) a += x[i] * whole[first + i];
      for (let i = 0; i < rest; i += 4) {
        a += x[i] * whole[first + i];
        b += x[i + 1] * whole[first + i + 1];
        c += x[i + 2] * whole[first + i + 2];
        d += x[i + 3] * whole[first + i + 3];
      }
      return a + b + c + d;
    };

    // Softmax in place. The maximum is subtracted, because exp overflows above 709.
    const softmax = (row) => {
      const max = row.reduce((a, b) => Math.max(a, b));
      let sum = 0;
      for (let i = 0; i < row.length; i += 1) sum += row[i] = Math.exp(row[i] - max);
      for (let i = 0; i < row.length; i += 1) row[i] /= sum;
    };

    const logSoftmax = (row) => {
      const max = row.reduce((a, b) => Math.max(a, b));
      const logSum = max + Math.log(row.reduce((sum, x) => sum + Math.exp(x - max), 0));
      return row.map((x) => x - logSum);
    };

    // The layers of a model, and where each tensor came from: the tape.
    class Layers {
      // Heads that are `off`, such as `decoder.layers.1.src_attn.3`, add nothing. `edits` are numbers that the reader set:
      // each has a name, an index and a value.
      constructor({ config, params }, options) {
        const { mistake, off = [], edits = [] } = options;
        Object.assign(this, { config, mistake, options, edits });
        // Without cross-attention, all its heads are off.
        const every = mistake === "no-cross" ? Array.from({ length: config.layers * config.heads }, (_, n) =>
          `decoder.layers.${Math.floor(n / config.heads)}.src_attn.${n % config.heads}`) : [];
        this.off = new Set([...off, ...every]);
        this.params = edited(broken(params, mistake), edits);
        this.tape = new Map();
      }

      param(name) {
        return this.params.get(name);
      }

      // Computes a row of the tensor `name` for each token, and sets the numbers of it that the reader edited.
      keep(name, tokens, origin, row) {
        if (!this.tape.has(name)) this.tape.set(name, origin);
        const edits = this.edits.filter((edit) => edit.name === name);
        tokens.forEach((token, i) => {
          const cells = row(token, i);
          for (const { index, value } of edits) {
            if (index[index.length - 2] === token.position) cells[placeOf(cells, index, this.config.heads)] = value;
          }
          token.cells.set(name, cells);
        });
      }

      // y = x Wᵀ + b: x [tokens, in], W [out, in], b [out] → [tokens, out]. Each row of W is read once for all tokens.
      linear(name, tokens, input, weight, bias) {
        const [{ shape: [outputs, inputs], cells, scale }, b] = [this.param(weight), this.param(bias).cells];
        const x = tokens.map((token) => token.cells.get(input));
        const y = tokens.map(() => new Float32Array(outputs));
        for (let out = 0; out < outputs; out += 1) {
          for (let t = 0; t < x.length; t += 1) y[t][out] = dot(x[t], cells, out * inputs) * scale[out] + b[out];
        }
        this.keep(name, tokens, { op: "linear", input, weight, bias }, (_, i) => y[i]);
      }

      map(name, tokens, input, map) {
        this.linear(name, tokens, input, `${map}.weight`, `${map}.bias`);
      }

      // softmax(q kᵀ / √d_k) v for each head. Queries are of `tokens`, keys and values of the tokens that `seen` returns
      // for each. The heads share a row: head h has the columns from h · d_k on.
      attend(scope, tokens, seen) {
        const { heads, d_model: d } = this.config;
        const dK = d / heads;
        const factor = this.mistake === "no-scale" ? 1 : 1 / Math.sqrt(dK);
        const [query, key, value] = ["query", "key", "value"].map((part) => `${scope}.${part}`);
        const rows = (token, name) => seen(token).map((other) => other.cells.get(name));
        // [heads, seen]
        this.keep(`${scope}.scaled`, tokens, { op: "scores", query, key, factor, seen }, (token) => {
          const [q, keys] = [token.cells.get(query), rows(token, key)];
          return Float32Array.from({ length: heads * keys.length }, (_, i) => {
            const [first, k] = [Math.floor(i / keys.length) * dK, keys[i % keys.length]];
            let sum = 0;
            for (let c = first; c < first + dK; c += 1) sum += q[c] * k[c];
            return sum * factor;
          });
        });
        // [heads, seen], each head's row with the sum 1
        this.keep(`${scope}.weights`, tokens, { op: "softmax", input: `${scope}.scaled` }, (token) => {
          const weights = token.cells.get(`${scope}.scaled`).slice();
          const n = weights.length / heads;
          for (let h = 0; h < heads; h += 1) {
            const row = weights.subarray(h * n, (h + 1) * n);
            if (this.off.has(`${scope}.${h}`)) row.fill(0);
            else softmax(row);
          }
          return weights;
        });
        // [d_model]
        this.keep(`${scope}.combined`, tokens, { op: "mix", weights: `${scope}.weights`, value, seen }, (token) => {
          const [weights, values] = [token.cells.get(`${scope}.weights`), rows(token, value)];
          const out = new Float64Array(d);
          values.forEach((v, s) => {
            for (let i = 0; i < d; i += 1) out[i] += weights[Math.floor(i / dK) * values.length + s] * v[i];
          });
          return Float32Array.from(out);
        });
      }

      // Multi-head attention: W_Q, the heads, W_O. The keys and values of the tokens that are seen must be there already.
      attention(scope, tokens, x, seen) {
        this.map(`${scope}.query`, tokens, x, `${scope}.query`);
        this.attend(scope, tokens, seen);
        this.map(`${scope}.attended`, tokens, `${scope}.combined`, `${scope}.output`);
      }

      keysAndValues(scope, tokens, x) {
        for (const part of ["key", "value"]) this.map(`${scope}.${part}`, tokens, x, `${scope}.${part}`);
      }

      // max(0, x W₁ᵀ + b₁) W₂ᵀ + b₂, with d_ff numbers between. Published models often have SiLU in place of ReLU.
      feedForward(scope, tokens, x) {
        const op = this.config.activation;
        const active = op === "silu" ? (y) => y / (1 + Math.exp(-y)) : (y) => Math.max(0, y);
        this.map(`${scope}.inner`, tokens, x, `${scope}.w_1`);
        this.keep(`${scope}.active`, tokens, { op, input: `${scope}.inner` }, (token) => token.cells.get(`${scope}.inner`).map(active));
        this.map(`${scope}.ffn`, tokens, `${scope}.active`, `${scope}.w_2`);
      }

      // The residual connection, then LayerNorm: norm(x + y). Returns the name of the result.
      addAndNorm(scope, norm, tokens, x, y) {
        const [scale, bias] = [`${norm}.norm.scale`, `${norm}.norm.bias`];
        const [g, b] = [this.param(scale).cells, this.param(bias).cells];
        const { epsilon } = this.config;
        const [residual, out] = [`${scope}.residual`, `${scope}.norm`];
        this.keep(residual, tokens, { op: "add", inputs: [x, y] }, ({ cells }) => {
          const z = cells.get(y);
          return cells.get(x).map((value, i) => value + z[i]);
        });
        this.keep(out, tokens, { op: "norm", input: residual, scale, bias, epsilon }, (token) => {
          const row = token.cells.get(residual);
          const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
          const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
          const spread = Math.sqrt(variance + epsilon);
          return row.map((value, i) => g[i] * ((value - mean) / spread) + b[i]);
        });
        return out;
      }

      // Rows of the table times √d_model, plus the position's sines (first half) and cosines (second half).
      embed(scope, tokens) {
        const d = this.config.d_model;
        const factor = this.mistake === "no-embedding-scale" ? 1 : Math.sqrt(d);
        const table = "embed.table";
        const [embedded, pe, sum] = [`${scope}.embedded`, `${scope}.pe`, `${scope}.with_position`];
        // The decoder begins with padding.
        this.keep(embedded, tokens, { op: "embedding", table, factor },
          ({ id }) => this.param(table).row(id === BOS ? PAD : id, factor));
        this.keep(pe, tokens, { op: "waves" }, ({ position }) => Float32Array.from({ length: d }, (_, column) => {
          const angle = position * 10000 ** ((-2 * (column % (d / 2))) / d);
          return column < d / 2 ? Math.sin(angle) : Math.cos(angle);
        }));
        const off = this.mistake === "no-positions";
        this.keep(sum, tokens, { op: "add", inputs: off ? [embedded] : [embedded, pe] }, ({ cells }) => {
          const wave = cells.get(pe);
          return cells.get(embedded).map((x, i) => (off ? x : x + wave[i]));
        });
        return sum;
      }
    }

    // ---------------------------------------------------------------- the model (transformer.rs, decode/cache.rs)

    class Run extends Layers {
      // Reads a source sentence of `ids`. `encode` must follow.
      constructor(model, ids, options) {
        super(model, options);
        this.source = [];
        for (const id of ids) this.source.push(new Token(id, last(this.source)));
        this.target = [];
      }

      // Every source token sees all of them. Pauses after each layer.
      *encode() {
        const all = this.source;
        let x = this.embed("src_embed", all);
        for (let n = 0; n < (this.config.encoder_layers ?? this.config.layers); n += 1) {
          const [layer, own, inner] = ["", ".self_attn", ".feed_forward"].map((part) => `encoder.layers.${n}${part}`);
          this.keysAndValues(own, all, x);
          this.attention(own, all, x, () => all);
          x = this.addAndNorm(own, `${layer}.sublayer.0`, all, x, `${own}.attended`);
          this.feedForward(inner, all, x);
          x = this.addAndNorm(inner, `${layer}.sublayer.1`, all, x, `${inner}.ffn`);
          yield;
        }
        // The decoder asks this memory in each of its layers.
        for (let n = 0; n < this.config.layers; n += 1) this.keysAndValues(`decoder.layers.${n}.src_attn`, all, x);
      }

      // Computes the newest tokens of some hypotheses: `generator.log_probs` is the last of their rows.
      decode(newest) {
        // Without the mask over the future, earlier tokens read the newest one, so they are computed anew.
        const open = this.mistake === "no-future-mask";
        if (open) this.target = newest[0].path;
        const [tokens, seen] = open ? [this.target, () => this.target] : [newest, (token) => token.path];
        let x = this.embed("tgt_embed", tokens);
        for (let n = 0; n < this.config.layers; n += 1) {
          const [layer, own, cross, inner] = ["", ".self_attn", ".src_attn", ".feed_forward"].map((part) => `decoder.layers.${n}${part}`);
          this.keysAndValues(own, tokens, x);
          this.attention(own, tokens, x, seen);
          x = this.addAndNorm(own, `${layer}.sublayer.0`, tokens, x, `${own}.attended`);
          this.attention(cross, tokens, x, () => this.source);
          x = this.addAndNorm(cross, `${layer}.sublayer.1`, tokens, x, `${cross}.attended`);
          this.feedForward(inner, tokens, x);
          x = this.addAndNorm(inner, `${layer}.sublayer.2`, tokens, x, `${inner}.ffn`);
        }
        const logits = "generator.logits";
        this.linear(logits, newest, x, "embed.table", "generator.proj.bias");
        this.keep("generator.log_probs", newest, { op: "log_softmax", input: logits }, ({ cells }) => logSoftmax(cells.get(logits)));
      }

      // Writes the tokens of another run's translation, one after the other.
      *follow(ids) {
        for (const id of ids) {
          this.target = new Token(id, last(this.target)).path;
          this.decode([last(this.target)]);
          yield;
        }
      }

      // The tokens of a tensor: those of the source, or those of the chosen translation.
      tokens(name) {
        return this.source.length && this.source[0].cells.has(name) ? this.source : this.target;
      }
    }

    // ---------------------------------------------------------------- search (decode/beam.rs)

    // The length penalty of Wu et al. (2016).
    const penalty = (length, alpha) => ((5 + length) / 6) ** alpha;

    // The `most` most probable continuations of the living hypotheses, most probable first; of equal ones, the first.
    const likeliest = (alive, most) => {
      const found = [];
      alive.forEach(({ token, logProb: before }, parent) => {
        const row = token.cells.get("generator.log_probs");
        for (let word = 0; word < row.length; word += 1) {
          const logProb = before + row[word];
          // The decoder begins with padding and never writes it.
          if (word === PAD || (found.length === most && logProb <= found[most - 1].logProb)) continue;
          const place = found.findIndex((other) => other.logProb < logProb);
          found.splice(place < 0 ? found.length : place, 0, { parent, word, logProb });
          found.length = Math.min(found.length, most);
        }
      });
      return found;
    };

    // Beam search by the rules of TensorFlow's official Transformer; with a beam of 1 it is greedy. Yields the living
    // hypotheses after each step, and returns the finished ones, best first, with the branches of every step.
    function* search(run, { beam = 4, alpha = 0.6 } = {}) {
      const limit = Math.min(2 * run.source.length + 10, run.config.max_len);
      let alive = [{ ids: [], logProb: 0, token: new Token(BOS) }];
      let [ended, cut] = [[], []];
      const steps = [];
      for (let length = 1; alive.length; length += 1) {
        run.decode(alive.map(({ token }) => token));
        const branches = likeliest(alive, 2 * beam);
        const next = [];
        branches.forEach((branch, rank) => {
          branch.score = branch.logProb / penalty(length, alpha);
          branch.fate = "pruned";
          const { ids, token } = alive[branch.parent];
          if (branch.word !== EOS && next.length < beam) {
            branch.fate = "alive";
            next.push({ ids: [...ids, branch.word], logProb: branch.logProb, score: branch.score, before: token });
          } else if (branch.word === EOS && (beam > 1 || rank < beam)) {
            const better = ended.filter((other) => other.score >= branch.score);
            if (better.length < beam) branch.fate = "finished";
            const end = { ids, token, logProb: branch.logProb, score: branch.score };
            ended = [...better, end, ...ended.slice(better.length)].slice(0, beam);
          }
        });
        steps.push(branches);
        // A living hypothesis can only lose: its log-probability falls, and the penalty is largest at the limit.
        const reach = next.length ? next[0].logProb / Math.max(penalty(length + 1, alpha), penalty(limit, alpha)) : -Infinity;
        const isOver = beam === 1 ? ended.length > 0 : ended.length > 0 && last(ended).score > reach;
        if (length >= limit || isOver) {
          cut = next.map((hypothesis) => ({ ...hypothesis, token: hypothesis.before }));
          alive = [];
        } else alive = next.map((hypothesis) => ({ ...hypothesis, token: new Token(last(hypothesis.ids), hypothesis.before) }));
        yield next.map((hypothesis) => ({ ...hypothesis, token: hypothesis.before }));
      }
      return { hypotheses: ended.length ? ended : cut, steps, isFinished: ended.length > 0 };
    }

    // Takes all steps of a search. Yields nothing between them.
    function* quietly(searching) {
      let step = searching.next();
      for (; !step.done; step = searching.next()) yield;
      return step.value;
    }

    // Draws a word from softmax(log p / temperature): low temperatures prefer the most probable word, high ones even the
    // chances out. The decoder never writes the padding that it begins with.
    const draw = (logProbs, temperature) => {
      const max = logProbs.reduce((a, b) => Math.max(a, b));
      const chances = Float64Array.from(logProbs, (x, word) => (word === PAD ? 0 : Math.exp((x - max) / temperature)));
      let left = Math.random() * chances.reduce((sum, x) => sum + x, 0);
      const word = chances.findIndex((x) => (left -= x) < 0);
      return word < 0 ? EOS : word;
    };

    // Draws one token after the other until the end. Yields and returns what `search` does, without branches.
    function* sample(run, temperature) {
      const limit = Math.min(2 * run.source.length + 10, run.config.max_len);
      let [token, ids, logProb, isFinished] = [new Token(BOS), [], 0, false];
      for (let length = 1; length <= limit; length += 1) {
        run.decode([token]);
        const row = token.cells.get("generator.log_probs");
        const word = draw(row, temperature);
        logProb += row[word];
        isFinished = word === EOS;
        if (isFinished) break;
        ids = [...ids, word];
        yield [{ ids, token, logProb, score: logProb }];
        if (length < limit) token = new Token(word, token);
      }
      return { hypotheses: [{ ids, token, logProb, score: logProb }], steps: [], isFinished };
    }

    // ---------------------------------------------------------------- questions (autograd/explain.rs)

    // A cell of a parameter, or of a tensor of the run: [row, column], or [head, row, column] of scores and weights.
    const cell = (run, name, index) => {
      const param = run.param(name);
      if (param) return param.at(index);
      const row = run.tokens(name)[index[index.length - 2]].cells.get(name);
      return row[placeOf(row, index, run.config.heads)] ?? 0;
    };

    // False for a column that a token does not see.
    const isThere = (run, name, index) => Boolean(run.param(name)) ||
      placeOf(run.tokens(name)[index[index.length - 2]].cells.get(name), index, run.config.heads) !== undefined;

    const isAt = (name, index) => (edit) => edit.name === name && String(edit.index) === String(index);

    // What the edits of a run changed downstream: the cells, the tensors that have them, and the first of those.
    const ripple = (run, before) => {
      const found = { cells: 0, tensors: 0, first: null };
      for (const name of run.tape.keys()) {
        const then = before.tokens(name);
        const differ = run.tokens(name).map(({ cells }, at) => {
          const old = then[at].cells.get(name);
          return cells.get(name).reduce((count, x, i) => count + Number(!Object.is(x, old[i])), 0);
        });
        const cells = differ.reduce((sum, count) => sum + count, 0);
        if (!cells || run.edits.some((edit) => edit.name === name)) continue;
        found.cells += cells;
        found.tensors += 1;
        found.first ??= name;
      }
      return found;
    };

    // Where a number comes from: a formula in the language of the book's figures, and its terms. Each is a cell of an
    // earlier tensor, with its index, or a constant. `null` for a parameter, a position's wave or a number that was set.
    const explain = (run, name, index) => {
      const origin = run.tape.get(name);
      if (!origin || origin.op === "waves" || run.edits.some(isAt(name, index))) return null;
      const [row, column] = index.slice(-2);
      const token = run.tokens(name)[row];
      const { input, inputs, factor } = origin;
      const { heads, d_model: d } = run.config;
      const dK = d / heads;
      const term = (role, name, index) => ({ role, name, index, value: cell(run, name, index) });
      const constant = (role, value) => ({ role, value });
      const range = (length, of) => Array.from({ length }, (_, i) => of(i));
      const whole = (length, of) => range(length, (i) => term("row", input, of(i)));
      switch (origin.op) {
        case "embedding": {
          const id = token.id === BOS ? PAD : token.id;
          return { formula: "x * factor", terms: [term("x", origin.table, [id, column]), constant("factor", factor)] };
        }
        case "linear": {
          const { shape: [, n] } = run.param(origin.weight);
          const terms = range(n, (i) => [term("x", input, [row, i]), term("w", origin.weight, [column, i])]).flat();
          return { formula: "sum(x * w) + b", terms: [...terms, term("b", origin.bias, [column])] };
        }
        case "scores": {
          const first = index[0] * dK;
          const terms = range(dK, (i) => [term("q", origin.query, [row, first + i]), term("k", origin.key, [column, first + i])]);
          return { formula: "sum(q * k) * factor", terms: [...terms.flat(), constant("factor", factor)] };
        }
        case "softmax": {
          const seen = token.cells.get(input).length / heads;
          if (column >= seen) return null;
          const isOff = run.off.has(`${name.slice(0, -".weights".length)}.${index[0]}`);
          if (isOff) return { formula: "x * off", terms: [term("x", input, index), constant("off", 0)] };
          return { formula: "exp(x - max(row)) / sum(exp(row - max(row)))",
            terms: [term("x", input, index), ...whole(seen, (i) => [index[0], row, i])] };
        }
        case "mix": {
          const head = Math.floor(column / dK);
          const seen = token.cells.get(origin.weights).length / heads;
          const terms = range(seen, (i) => [term("w", origin.weights, [head, row, i]), term("v", origin.value, [i, column])]);
          return { formula: "sum(w * v)", terms: terms.flat() };
        }
        case "relu":
          return { formula: "max(0, x)", terms: [term("x", input, index)] };
        case "silu":
          return { formula: "x / (1 + exp(-x))", terms: [term("x", input, index)] };
        case "add":
          return { formula: inputs.length > 1 ? "x + y" : "x", terms: inputs.map((name, i) => term("xy"[i], name, index)) };
        case "norm":
          return { formula: "scale * (x - mean(row)) / sqrt(sum((row - mean(row))^2) / count(row) + eps) + bias",
            terms: [term("x", input, index), term("scale", origin.scale, [column]), term("bias", origin.bias, [column]),
              constant("eps", origin.epsilon), ...whole(d, (i) => [row, i])] };
        default:
          return { formula: "x - log(sum(exp(row)))",
            terms: [term("x", input, index), ...whole(run.config.tgt_vocab, (i) => [row, i])] };
      }
    };

    // ---------------------------------------------------------------- translation (decode/translate.rs)

    class Translator {
      // Takes the bytes of a weights file, the pieces with their scores, the forms of what is not translated, if the model
      // has symbols for it, and, if the source language is German, its abbreviations and frequent words: without its rules,
      // a text is not split into sentences.
      constructor({ weights, pieces, abbreviations, placeholders, frequent }) {
        Object.assign(this, safetensors(weights));
        this.pieces = new Pieces(pieces);
        this.abbreviations = abbreviations && new Set(abbreviations);
        this.forms = placeholders;
        this.frequent = frequent;
      }

      // The sentences of a text as the model reads them.
      read(text) {
        const parts = this.abbreviations ? sentences(text, this.abbreviations) : [text];
        return (parts.length ? parts : [text]).map((written) => {
          const { hidden, placeholders } = this.forms ? hide(written, this.forms) : { hidden: written, placeholders: new Map() };
          const read = inKnownCharacters(hidden, (c) => (this.forms && "<>".includes(c) ? 0 : this.pieces.weight(c)));
          // A line of marks is copied.
          const tokens = /[\p{Alphabetic}\p{N}]/u.test(written) ? this.pieces.encode(read) : [];
          const ids = tokens.map((token) => this.pieces.id.get(token) ?? UNK);
          const most = this.config.max_len - 1;
          return { written, read, placeholders, tokens, ids: tokens.length ? [...ids.slice(0, most), EOS] : [] };
        });
      }

      remarks(sentence, answer) {
        return remarks(sentence, answer, { pieces: this.pieces, frequent: this.frequent, most: this.config.max_len });
      }

      // Starts a run over the ids of one sentence.
      run(ids, options) {
        return new Run(this, ids, options);
      }

      // Translates the sentences of a text one after the other. Yields what `described` returns after every token, and
      // keeps the finished runs.
      *translate(text, { beam, temperature, mistake, off } = {}) {
        [this.runs, this.edited] = [[], []];
        const all = this.read(text).filter(({ ids }) => ids.length);
        for (const [n, sentence] of all.entries()) {
          const { written, read, placeholders, ids } = sentence;
          const run = this.run(ids, { placeholders, mistake, off, temperature, beam: mistake === "no-future-mask" ? 1 : beam });
          yield* run.encode();
          const searching = temperature ? sample(run, temperature) : search(run, run.options);
          const about = { sentence: n, sentences: all.length, reads: read };
          let step = searching.next();
          for (; !step.done; step = searching.next()) {
            if (step.value.length) yield { ...about, ...this.described(run, step.value[0]), done: false };
          }
          const { hypotheses, steps, isFinished } = step.value;
          const [best] = hypotheses;
          const text = finished(written, restore(this.pieces.decode(best.ids), placeholders));
          // Tokens drawn at random are improbable by intention.
          const mean = temperature ? 0 : best.logProb / Math.max(best.ids.length, 1);
          about.remarks = this.remarks(sentence, { text, mean, isFinished });
          this.runs.push(Object.assign(run, { best, target: best.token.path }));
          yield { ...about, ...this.described(run, best), text, hypotheses: hypotheses.map((one) => this.summary(run, one)),
            steps: steps.map((branches) => branches.map((branch) => ({ ...branch, word: this.pieces.spelled(branch.word) }))), done: true };
        }
      }

      // Runs a sentence again with numbers set by the reader, over the same tokens, so that its cells can be compared with
      // those before; then translates it again, unless its tokens were drawn at random. Returns what changed.
      *edit({ sentence, edits }) {
        const [before, edited] = [this.runs[sentence], this.edited];
        const source = before.source.map(({ id }) => id);
        const options = { ...before.options, edits };
        const run = this.run(source, options);
        yield* run.encode();
        yield* run.follow(before.target.map(({ id }) => id));
        // A new translation may have begun.
        edited[sentence] = run;
        const { rows } = this.described(run, { ...before.best, token: last(run.target) });
        const found = { rows, ripple: ripple(run, before) };
        if (!options.temperature) {
          const again = this.run(source, options);
          yield* again.encode();
          const { hypotheses } = yield* quietly(search(again, options));
          found.again = this.described(again, hypotheses[0]);
        }
        yield found;
      }

      // The run that a question is about: with the reader's edits, or before them.
      asked({ sentence = 0, isEdited }) {
        return (isEdited && this.edited[sentence]) || this.runs[sentence];
      }

      summary(run, { ids, score, logProb }) {
        return { ids, text: restore(this.pieces.decode(ids), run.options.placeholders), score, logProb };
      }

      // A hypothesis for the page: each written token with its probability, the candidates at its step, and the
      // cross-attention weights of each layer, [heads, source].
      described(run, hypothesis) {
        const spelled = (id) => this.pieces.spelled(id);
        const written = [...hypothesis.ids, EOS];
        const rows = hypothesis.token.path.map((token, at) => {
          const logProbs = token.cells.get("generator.log_probs");
          token.likeliest ??= likeliest([{ token, logProb: 0 }], 8);
          const candidates = token.likeliest.map(({ word, logProb }) => ({ token: spelled(word), id: word, probability: Math.exp(logProb) }));
          const cross = Array.from({ length: run.config.layers }, (_, n) => token.cells.get(`decoder.layers.${n}.src_attn.weights`));
          return { token: spelled(written[at]), id: written[at], reads: spelled(token.id), probability: Math.exp(logProbs[written[at]]), candidates, cross };
        });
        const { heads, layers, encoder_layers: encoderLayers = layers } = run.config;
        return { ...this.summary(run, hypothesis), source: run.source.map(({ id }) => spelled(id)), rows, sizes: { heads, layers, encoderLayers } };
      }

      // The attention weights `name` of a finished run: their rows and columns in words, the number of columns that each row
      // sees, and [heads][rows][columns].
      weights({ name, ...about }) {
        const run = this.asked(about);
        const rows = run.tokens(name);
        const { seen } = run.tape.get(name.replace(/weights$/, "scaled"));
        const columns = seen(last(rows));
        const { heads } = run.config;
        const spelled = ({ id }) => this.pieces.spelled(id);
        const values = Array.from({ length: heads }, (_, h) =>
          rows.map((_, row) => columns.map((_, column) => cell(run, name, [h, row, column]))));
        return { name, rows: rows.map(spelled), columns: columns.map(spelled), seen: rows.map((row) => seen(row).length), values };
      }

      // The rows of some tensors of a finished run, with the tokens that they belong to and their ids.
      rows({ names, ...about }) {
        const run = this.asked(about);
        return names.filter((name) => run.tape.has(name)).map((name) => {
          const tokens = run.tokens(name);
          const ids = tokens.map(({ id }) => id);
          return { name, ids, tokens: ids.map((id) => this.pieces.spelled(id)), rows: tokens.map(({ cells }) => cells.get(name)) };
        });
      }

      // The token that a number belongs to: by its column in a tensor over the vocabulary, by its row in the embedding
      // matrix. None in other tensors.
      tokenOf(name, index) {
        const id = { "generator.logits": index[1], "generator.log_probs": index[1], "generator.proj.bias": index[0], "embed.table": index[0] }[name];
        return id === undefined ? undefined : `“${this.pieces.spelled(id)}”`;
      }

      // A question about a finished run: the number, and where it comes from.
      ask({ name, index, ...about }) {
        const run = this.asked(about);
        const { op } = run.tape.get(name) || { op: "parameter" };
        // The decoder's row after a token writes the next one.
        const spelled = (token) => `${run.source.includes(token) ? "" : "after "}“${this.pieces.spelled(token.id)}”`;
        const words = op === "parameter" ? [] : [run.tokens(name)[last(index.slice(0, -1))]];
        if (index.length === 3) words.push(run.tape.get(`${name.replace(/\.\w+$/, "")}.scaled`).seen(words[0])[last(index)]);
        const value = cell(run, name, index);
        const before = cell(this.runs[about.sentence || 0], name, index);
        const explanation = explain(run, name, index);
        // The cells of a row of the embedding matrix share the token of the heading.
        const own = explanation ? explanation.terms.filter((term) => /^generator\./.test(term.name)) : [];
        for (const term of own) term.token = this.tokenOf(term.name, term.index);
        const all = [this.tokenOf(name, index), ...words.map(spelled)].filter(Boolean);
        return { name, index, op, words: all.join(", "), value, before: Object.is(value, before) ? undefined : before,
          isSet: run.edits.some(isAt(name, index)), canBeSet: isThere(run, name, index), explanation };
      }
    }

    return { Translator, search };
  }

  if (typeof module !== "undefined") module.exports = engine(require("./text.js")());
  else globalThis.tutorLive = engine;
})();
