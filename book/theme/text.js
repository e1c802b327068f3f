// The text side of the course's translator in plain JavaScript: spelling, sentences and subwords, by the rules and under
// the names of the program's engine (src/engine/text). live.js is the model.
(() => {
  "use strict";

  // One function, so that its text can become part of a worker.
  function text() {
    // ---------------------------------------------------------------- spelling (text/spelling.rs)

    const matches = (pattern) => (c) => c !== undefined && pattern.test(c);
    const isBlank = matches(/^\p{White_Space}$/u);
    const isAlphanumeric = matches(/^[\p{Alphabetic}\p{N}]$/u);
    const isInvisible = matches(/^\p{Default_Ignorable_Code_Point}$/u);
    const isUpper = matches(/^\p{Uppercase}$/u);
    const isLower = matches(/^\p{Lowercase}$/u);
    const trim = (text) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
    const words = (text) => text.split(/\p{White_Space}+/u).filter(Boolean);
    const last = (all) => all[all.length - 1];

    // Typographic characters and their plain keyboard equivalents.
    const PLAIN = new Map(Object.entries({ '"': "“”„«»‟‹›〝〞❝❞″", "'": "’‘‚‛´`′‵ʼʻˈ", "-": "–—‑‐−‒―⁃", "...": "…", "/": "⁄∕" })
      .flatMap(([plain, signs]) => [...signs].map((sign) => [sign, plain])));

    // Letters and digits of alphabets whose spelling needs no invisible characters.
    const PLAIN_LETTER = "(?!\\p{Default_Ignorable_Code_Point})(?=[\\0-\\u05ff\\u10a0-\\u10ff\\u1e00-\\u1fff])[\\p{Alphabetic}\\p{N}\\u0300-\\u036f]";
    const INSIDE_WORDS = new RegExp(`(?<=${PLAIN_LETTER})\\p{Default_Ignorable_Code_Point}+(?=${PLAIN_LETTER})`, "gu");
    const isPlainLetter = matches(new RegExp(`^${PLAIN_LETTER}$`, "u"));

    // A line of several words in capitals only: they carry no information.
    const withoutShouting = (line) => {
      const letters = line.match(/\p{Alphabetic}/gu) || [];
      return words(line).length > 1 && letters.length > 3 && letters.every(isUpper) ? line.toLowerCase() : line;
    };

    // `>>so<<` and `<<so>>` are quotes typed on a plain keyboard: `»so«` and `«so»`.
    const angleQuotes = (line) => {
      const touches = (c) => c !== undefined && !isBlank(c) && c !== "<" && c !== ">";
      let [out, copied, open] = ["", 0, null];
      for (const { 0: mark, index: at } of line.matchAll(/<<|>>/g)) {
        const end = at + 2;
        if (open !== null && touches(line[at - 1]) && line.slice(open, open + 2) !== mark) {
          const [left, right] = mark === "<<" ? "»«" : "«»";
          out += line.slice(copied, open) + left + line.slice(open + 2, at) + right;
          [copied, open] = [end, null];
        } else open = touches(line[end]) ? at : null;
      }
      return out + line.slice(copied);
    };

    // Rewrites a line with characters of the training text; `weight` is the frequency of a character in it, 0 for never.
    const inKnownCharacters = (typed, weight) => {
      const least = (text) => Math.min(...[...text].filter((c) => !isBlank(c)).map(weight));
      const replacement = (c) => {
        const plain = PLAIN.get(c);
        if (plain !== undefined && least(plain) > weight(c)) return plain;
        if (weight(c) > 0) return c;
        const unaccented = c.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
        const choices = [...(c === "ẞ" ? ["SS"] : []), c.normalize("NFKC"), unaccented];
        return choices.find((text) => text !== c && least(text) > 0) ?? c;
      };
      // Persian and the scripts of India spell with joiners.
      const joins = (before, c) => before !== undefined && !isPlainLetter(before) && !isBlank(before) && before > "\x7f" &&
        /[\u200b-\u200d]/.test(c) && weight(c) > 0;
      let line = withoutShouting(typed.replace(INSIDE_WORDS, ""));
      if (!(weight(">") > 0 && weight("<") > 0)) line = angleQuotes(line);
      let text = "";
      for (const c of line.normalize("NFC")) {
        if (isBlank(c)) text += " ";
        else if (!isInvisible(c) || joins(last([...text.slice(-2)]), c)) text += replacement(c);
      }
      return text;
    };

    // ---------------------------------------------------------------- placeholders (text/placeholder.rs)

    const SYMBOLS = [..."❶❷❸❹❺❻❼❽"];
    const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December"];

    // How English writes a match of the forms that `rest` follows; undefined if the model should read it.
    const english = (match, found, rest) => {
      if (found.copy) return match;
      if (found.day) {
        const [day, month, { year }] = [Number(found.day), MONTHS[found.month - 1], found];
        // 3.4.12 is a day or a version, and 15.0.73 no day.
        if (!(day >= 1 && day <= 31) || !month || (year && year.length === 2)) return match;
        return `${day} ${month}${year ? ` ${year}` : ""}`;
      }
      if (found.hour) return `${found.hour}:${found.minute}`;
      if (found.colon) return found.colon;
      const { version, sign = "", decimals = "", unit, gap } = found;
      const isAddress = version && /^\d+(\.\d+){3}$/.test(version) && version.split(".").every((group) => group < 256);
      if (version && (isAddress || !/^\d{1,3}(\.\d{3})+$/.test(version))) return version;
      const [whole, prefix = ""] = [found.whole || version, found.prefix && trim(found.prefix)];
      const short = !decimals && !sign && whole.length < 3;
      if (!unit && !prefix && (short || (!decimals && /^\.\p{White_Space}*\p{Alphabetic}/u.test(rest)))) return undefined;
      const text = sign + whole.replace(/[.' \u{a0}\u{202f}]/gu, ",") + decimals.replace(",", ".");
      if (/^[€$£]$/.test(unit)) return unit + text;
      return /^[%‰°]$/.test(unit) ? text + unit : unit ? `${text}${gap ? " " : ""}${unit}` : prefix + text;
    };

    // Replaces by a symbol each part of a line that is not translated: the line, and the English of the symbols.
    const hide = (line, forms) => {
      const placeholders = new Map();
      let [text, from] = ["", 0];
      for (const found of line.matchAll(new RegExp(forms, "gu"))) {
        let end = found.index + found[0].length;
        const rest = line.slice(end);
        if (found.groups.day && !found.groups.year && !trim(rest)) end -= 1;
        const target = english(found[0], found.groups, rest);
        const symbol = SYMBOLS[placeholders.size];
        if (target === undefined || !symbol) continue;
        placeholders.set(symbol, target);
        text += line.slice(from, found.index) + symbol;
        from = end;
      }
      return { hidden: text + line.slice(from), placeholders };
    };

    const restore = (text, placeholders = new Map()) => [...text].map((c) => placeholders.get(c) ?? c).join("");

    // ---------------------------------------------------------------- sentences (text/tokenize/sentences.rs)

    const CLOSING = "\"')]“”’‘«»›‹<>";
    const OPENING = "(\"'[„‚¿¡-–—“”’‘«»›‹<>";
    const ROMAN = /^(X|XX|X?(I|II|III|IV|V|VI|VII|VIII|IX))$/;

    // True if the text begins with a mark that closes what came before.
    const closes = (after) => {
      const text = trim(after);
      const rest = text.replace(/^["')\]“”’‘»›>]+/, "");
      const [next] = rest;
      return rest !== text && !isAlphanumeric(next) && !(next !== undefined && OPENING.includes(next));
    };

    // True if the full stop of a German word does not end a sentence: abbreviations and ordinals.
    const isWithinSentence = (word, abbreviations) => {
      const ordinal = /^0*[1-9]\d?$/.test(word) ||
        ((word === word.toUpperCase() || word === word.toLowerCase()) && ROMAN.test(word.toUpperCase()));
      return ordinal || /^[a-z]$/i.test(word) || /str$/i.test(word) || abbreviations.has(word);
    };

    // True if a sentence can end with `bare` when a space and then `after` follow.
    const ends = (bare, isClosed, after, inSmall, abbreviations) => {
      if (!/[.!?…。！？؟।]$/.test(bare) || closes(after)) return false;
      const next = [...after].slice(0, 64).find((c) => !OPENING.includes(c) && !isBlank(c));
      const small = isLower(next) && !inSmall;
      if (small && isClosed) return false;
      if (/(\.\.|…)$/.test(bare)) return !small;
      const text = bare.slice(0, -1);
      if (!bare.endsWith(".") || /[!?]$/.test(text)) return true;
      const word = last(text.split(/\p{White_Space}/u)).replace(/^[^\p{Alphabetic}\p{N}]+/u, "");
      // In z.B. and U.S.A., the last full stop does not end a sentence either.
      const dotted = word.includes(".") && /\p{Alphabetic}/u.test(word);
      const [number = "", street = ""] = words(text).reverse();
      // vom 1.1. bis zum 31.1., am 3.10. (Samstag)
      const [, day, month] = word.match(/(?<![^/–-])(\d{1,2})\.(\d{1,2})$/) || [];
      if (day >= 1 && day <= 31 && month >= 1 && month <= 12 && (!isUpper(next) || /^\p{White_Space}*\(/u.test(after))) return false;
      const isHouseNumber = /^\d/.test(number) && /(str\.|straße|strasse)$/.test(street.toLowerCase());
      return word !== "" && !dotted && (isHouseNumber || !isWithinSentence(word, abbreviations));
    };

    // The sentences of a German text.
    const sentences = (text, abbreviations) => text.split(/\r?\n/).flatMap((line) => {
      const inSmall = !/\p{Uppercase}/u.test(line);
      const found = [];
      let [at, start, bare, inBlanks] = [0, 0, 0, false];
      for (const c of line) {
        const isFirstBlank = isBlank(c) && !inBlanks;
        inBlanks = isBlank(c);
        if (!inBlanks && !CLOSING.includes(c)) bare = at + c.length;
        if (isFirstBlank && start < bare &&
          ends(line.slice(start, bare), bare < at, line.slice(at + c.length), inSmall, abbreviations)) {
          found.push(line.slice(start, at));
          start = at + c.length;
        }
        at += c.length;
      }
      return [...found, line.slice(start)].map(trim).filter(Boolean);
    });

    // ---------------------------------------------------------------- subwords (text/sentencepiece.rs)

    const [PAD, BOS, EOS, UNK] = [0, 1, 2, 3];
    const BLANK = "▁";

    // The unigram model: pieces with the logarithms of their probabilities.
    class Pieces {
      constructor(scored) {
        this.words = ["<pad>", "<s>", "</s>", "<unk>", ...scored.map(([piece]) => piece)];
        this.score = new Map(scored.map(([piece, score]) => [piece, Math.fround(score)]));
        this.id = new Map(scored.map(([piece], i) => [piece, UNK + 1 + i]));
        this.longest = Math.max(...scored.map(([piece]) => piece.length));
        this.unknown = Math.fround(Math.min(...this.score.values()) - 10);
        this.weights = new Map();
        for (const [piece, score] of this.score) {
          for (const c of piece) this.weights.set(c, (this.weights.get(c) || 0) + Math.exp(score));
        }
      }

      // Frequency of a character in the training text; 0 if no piece is exactly this character.
      weight(c) {
        return this.score.has(c) ? this.weights.get(c) : 0;
      }

      // The pieces of the likeliest segmentation; adjacent unknown characters form one piece.
      encode(line) {
        const text = `${BLANK}${line.split(" ").filter(Boolean).join(BLANK)}`.replace(/▁+$/, "");
        // best[i]: the largest sum of scores of a segmentation of text[..i], and where its last piece begins.
        const best = Array.from({ length: text.length + 1 }, () => ({ score: 0, start: -1, known: false }));
        const offer = (end, score, start, known) => {
          if (best[end].start < 0 || score > best[end].score) best[end] = { score: Math.fround(score), start, known };
        };
        let at = 0;
        for (const first of text) {
          const before = best[at].score;
          for (let end = at + 1; end <= Math.min(text.length, at + this.longest); end += 1) {
            const score = this.score.get(text.slice(at, end));
            if (score !== undefined) offer(end, score + before, at, true);
          }
          if (!this.score.has(first)) offer(at + first.length, Math.fround(this.unknown + before), at, false);
          at += first.length;
        }
        const found = [];
        for (let end = text.length; end > 0; end = best[end].start) {
          const { start, known } = best[end];
          const piece = text.slice(start, end);
          if (!known && found.length && !found[0].known) found[0].piece = piece + found[0].piece;
          else found.unshift({ piece, known });
        }
        return found.map(({ piece }) => piece);
      }

      decode(ids) {
        return trim(ids.filter((id) => id > UNK).map((id) => this.words[id]).join("").replaceAll(BLANK, " "));
      }

      // A token as the course shows it: a hyphen in front continues a word.
      spelled(id) {
        const piece = this.words[id];
        if (piece === BLANK) return "(space)";
        if (piece.startsWith(BLANK)) return piece.slice(1);
        return id > UNK && isAlphanumeric([...piece][0]) ? `-${piece}` : piece;
      }
    }

    // ---------------------------------------------------------------- remarks (text/remarks.rs, text/differences.rs)

    // A sentence in double quotes gets double quotes.
    const finished = (written, text) => {
      const isQuoted = /^"[^"]+"$/.test([...trim(written)].map((c) => PLAIN.get(c) ?? c).join("")) && /^["'][^"]+["']$/.test(text);
      return isQuoted ? `"${text.slice(1, -1)}"` : text;
    };

    const WHOLE = {
      addresses: /(?<![\w@./\\-])(?:[\w.+-]*@[\w-]+(?:\.\w[\w-]*)*|(?:\w+:\/\/|www\.)[^\s"„“”»«<>(){},;]*[\w/])/gu,
      placeholders: /\{\{[\w .:#$-]+\}\}|\$?\{[\w .:#$-]*\}|(?<![\p{Alphabetic}\p{N}])%[\d$.+#*-]*[dioufFeExXgGcs@](?![\p{Alphabetic}\p{N}])/gu,
      tags: /<\/?[a-zA-Z][^<>]*>(?!>)/g,
    };

    // Numbers by value: 1.000 is 1000, and 72,5 is 72.5.
    const numbers = (text) => (text.match(/\d+(?:[.,:/]\d+)*/g) || []).map((written) => ({ written,
      value: /^\d{1,3}([.,]\d{3})+$/.test(written) ? written.replace(/[.,]/g, "") : written.replace(",", ".").replace(/(\.\d*[1-9])0+$/, "$1") }));

    // What only one of two texts has. The page knows no number words, dates and times as the program does: it is silent
    // about numbers that a translator may write in another form.
    const FREE = /^(\d{1,2}|\d+00|([01]?\d|2[0-4])[.:][0-5]\d|\d{1,2}\.\d{1,2})$/;
    const differences = (source, text) => {
      let both = [source, text];
      const apart = ([left, right]) => {
        const others = [...right];
        return left.filter((one) => !others.includes(one) || !others.splice(others.indexOf(one), 1));
      };
      const exact = Object.entries(WHOLE).map(([what, pattern]) => {
        const found = both.map((side) => side.match(pattern) || []);
        both = both.map((side) => side.replace(pattern, " "));
        return [what, apart(found), apart(found.reverse())];
      });
      const [ours, theirs] = both.map(numbers);
      const isIn = (all, value) => all.some((other) => other.value === value || other.written.split(/[./-]/).includes(value));
      // A date may have its month in words.
      const sure = ({ written, value }) => (/^\d{1,2}[./]\d{1,2}[./]\d{4}$/.test(written) ? written.slice(-4) : value);
      const missing = ours.filter((number) => !FREE.test(number.written) && !isIn(theirs, sure(number)));
      const added = missing.length ? theirs.filter(({ value }) => !isIn(ours, value)) : [];
      const only = (all, whose) => (all.length ? [`only the ${whose} has ${all.map((one) => `'${one}'`).join(", ")}`] : []);
      return [["numbers", ...[missing, added].map((all) => all.map(({ written }) => written))], ...exact].flatMap(([what, missing, added]) => {
        const sides = [...only(missing, "source"), ...only(added, "translation")];
        return sides.length ? [`${what} differ: ${sides.join(", and ")}`] : [];
      });
    };

    // The other language that a sentence seems to be in, "" for an unknown one; `frequent` has the words of both.
    const otherLanguage = ({ read, tokens }, pieces, frequent) => {
      const bare = Object.values(WHOLE).reduce((text, pattern) => text.replace(pattern, " "), read);
      const all = bare.toLowerCase().replaceAll("’", "'").split(/[^\p{Alphabetic}']+/u).filter(Boolean);
      const [own, other, either] = [frequent.own, frequent.other, frequent.either].map((list) => all.filter((word) => list.split(" ").includes(word)).length);
      if (!own && (other > 1 || (other && all.length <= 4))) return frequent.seems;
      const letters = (piece) => (piece.match(/\p{Alphabetic}/gu) || []).length;
      const mean = (weighed) => weighed.reduce((sum, [size, share]) => sum + size * share, 0) / weighed.reduce((sum, [, share]) => sum + share, 0);
      const sized = (list) => list.map(([piece, share]) => [letters(piece), share]).filter(([size]) => size);
      const isShort = mean(sized(tokens.map((token) => [token, 1]))) < 0.58 * mean(sized([...pieces.score].map(([piece, score]) => [piece, Math.exp(score)])));
      return own + other + either === 0 && all.length > 2 && isShort ? "" : undefined;
    };

    // The remarks on a sentence and its translation, as clauses. `mean` is the mean log-probability of its tokens.
    const remarks = (sentence, { text, mean, isFinished }, { pieces, frequent, most }) => {
      const { written, tokens } = sentence;
      const found = tokens.length >= most ? [`the sentence is longer than ${most} tokens; its end is left out`] : [];
      const other = frequent ? otherLanguage(sentence, pieces, frequent) : undefined;
      if (other) found.push(`this seems to be ${other}, and the model reads ${frequent.reads}`);
      if (other === "") found.push(`this does not seem to be ${frequent.reads}, the language that the model reads`);
      const unknown = tokens.filter((token) => !pieces.id.has(token)).map((token) => `'${token.replace(/^▁+/, "")}'`);
      if (unknown.length) found.push(`the model does not know ${[...new Set(unknown)].join(", ")}`);
      for (const word of tokens.map((token) => token.replace(/[^▁\p{Alphabetic}]+/gu, " ")).join("|").split(/(?=▁)|[^▁|\p{Alphabetic}]+/u)) {
        const count = word.split("|").filter((piece) => piece && piece !== BLANK).length;
        if (count >= 12) found.push(`the model reads '${word.replace(/[▁|]/g, "")}' in ${count} pieces, so it hardly knows the word`);
      }
      if (mean < -0.7) found.push(`the model is not sure of this: it gives its words ${(100 * Math.exp(mean)).toFixed(0)} % on average`);
      if (!isFinished) found.push("the length limit cut the translation off");
      return [...found, ...differences(written, text)];
    };

    return { last, sentences, hide, restore, finished, remarks, inKnownCharacters, PAD, BOS, EOS, UNK, Pieces };
  }

  if (typeof module !== "undefined") module.exports = text;
  else globalThis.tutorText = text;
})();
