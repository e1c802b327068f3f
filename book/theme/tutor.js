// Questions that answer, charts that are read, and what scrolls. Asks for nothing outside the page.
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

  const drawn = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

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

  // Lets a reader move a line over a chart and read its values.
  const readable = (body) => {
    const points = body.querySelector('script.tt-points');
    if (!points || body.querySelector('.tt-slide')) return;
    const data = JSON.parse(points.textContent);
    const { chart, lines } = data;
    const xs = [...new Set(lines.flatMap((line) => line.points.map((point) => number(point[0]))))].sort((a, b) => a - b);
    const svg = body.querySelector("svg.tt-chart");
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
        const value = body.querySelector(`[data-line="${i}"]`);
        if (value) value.textContent = near && line.points.length > 2 ? `: ${short(number(near[1]))}` : "";
      });
      slider.setAttribute("aria-valuetext", `${said.textContent}; ${lines.map((line, i) =>
        line.name + (body.querySelector(`[data-line="${i}"]`) || {}).textContent).join("; ")}`);
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
    points.after(element("label", { class: "tt-slide" }, "Read the chart at ", said, slider));
    read(xs.length - 1);
  };

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

  // A large table shows its colours first, and its numbers on demand: one under the pointer, all by a button.
  const LARGE = 200;
  const coloured = (table) => {
    const figure = table.closest("figure");
    if (table.closest(".tt-numbers") || table.querySelectorAll("td").length < LARGE) return;
    const button = element("button", { type: "button", class: "tt-all-numbers", on: { click: () => {
      figure.dataset.numbers = figure.dataset.numbers === "1" ? "" : "1";
      set();
    } } });
    const set = () => {
      const is = figure.dataset.numbers === "1";
      table.classList.toggle("tt-colours", !is);
      button.textContent = is ? "Show the colours only" : "Show all numbers";
    };
    set();
    (table.closest(".tt-scroll") ?? table).after(button);
  };

  // What a figure needs after it has been drawn.
  const refreshed = (figure) => {
    if (!figure.querySelector(".tt-all-numbers")) figure.querySelectorAll("table.tt-heat").forEach(coloured);
    scrollable(figure);
    figure.querySelectorAll('.tt-body').forEach(readable);
  };
  globalThis.tutor = { element, drawn, scrollable, refreshed };
  document.querySelectorAll("figure.tt").forEach(refreshed);
  // Listings, tables and formulas that are wider than the page are scrolled with the keyboard too. What is hidden has no
  // width yet.
  const reach = (within) => within.querySelectorAll("pre > code, math[display=block], .table-wrapper").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1 || !box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
    fades(box);
  });
  // The name of a row stays in one line.
  document.querySelectorAll("main :not(pre) > code").forEach((code) => code.classList.toggle("tt-whole", /→/.test(code.textContent) && code.textContent.length < 28));
  reach(document);
  document.addEventListener("tutor:shown", () => reach(document));
  addEventListener("resize", () => reach(document));
  document.fonts?.ready.then(() => reach(document));
  // Tables are named after the heading above them, and themes that look like another one are left out.
  let heading = "";
  for (const part of document.querySelectorAll("main :is(h1, h2, h3)[id], main table:not([class])")) {
    if (part.tagName !== "TABLE") heading = part.id;
    else if (heading) part.setAttribute("aria-labelledby", heading);
  }
  for (const theme of ["rust", "coal", "ayu"]) document.getElementById(`mdbook-theme-${theme}`)?.closest("li").remove();
  const dark = document.getElementById("mdbook-theme-navy");
  if (dark) dark.textContent = "Dark";
  // The label that opens the contents becomes a button, which the keyboard reaches. mdBook hides closed contents, and
  // shows them again only for a click on its label.
  const [label, checkbox] = ["toggle", "toggle-anchor"].map((end) => document.getElementById(`mdbook-sidebar-${end}`));
  if (label && checkbox) {
    const sidebar = document.getElementById("mdbook-sidebar");
    const toggle = () => {
      if (!checkbox.checked) sidebar.style.display = "";
      checkbox.click();
    };
    const open = element("button", { type: "button", on: { click: toggle } }, ...label.childNodes);
    for (const { name, value } of label.attributes) if (name !== "for") open.setAttribute(name, value);
    checkbox.addEventListener("change", () => open.setAttribute("aria-expanded", checkbox.checked));
    label.replaceWith(open);
    // On a phone they cover a part of the text: Escape and a tap beside them close them.
    const covers = () => checkbox.checked && matchMedia("(max-width: 47.5rem)").matches;
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !covers()) return;
      toggle();
      open.focus();
    });
    document.addEventListener("click", (event) => {
      if (!covers() || sidebar.contains(event.target) || open.contains(event.target) || event.target === checkbox) return;
      event.preventDefault();
      toggle();
    }, true);
  }
  // The search. mdBook's own counts every word alike; here a title, a mistake or a sentence with all the words comes
  // first, words that are everywhere count nothing, and a symbol of one letter is found where it stands alone.
  const COMMON = new Set("a an and are as at be but by do does for from how i if in is it its my of on or over so that the then there this to under was what when where which who why will with you your".split(" "));
  const ALSO = { sqrt: "√", root: "√", softmax: "softmax", beta: "β", gamma: "γ", epsilon: "ε", alpha: "α" };
  const plain = (text) => text.toLowerCase().replace(/[’']/g, "'");
  const stem = (word) => (word.length > 4 ? word.replace(/(ings?|ed|es|s)$/, "") : word);
  const queried = (query) => {
    const words = plain(query).split(/[^\p{L}\p{N}_√−∞-]+/u).filter(Boolean);
    const rare = words.filter((word) => !COMMON.has(word));
    return (rare.length ? rare : words).map((word) => {
      const forms = [stem(word), ALSO[word]].filter(Boolean).map((form) => form.replace(/[-]/g, "[- ]?"));
      const whole = [...word].length < 3;
      return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${forms.join("|")})${whole ? "(?![\\p{L}\\p{N}_])" : ""}`, "u");
    });
  };
  const ranked = (docs, query) => {
    const words = queried(query);
    const isManual = (doc) => /^(commands|decisions|formats|internals|measurements|promises|speed|translator|variants|program|bibliography)/.test(doc.file);
    const found = [];
    for (const doc of docs) {
      doc.low ??= { title: plain(doc.title), above: plain(doc.breadcrumbs), body: plain(doc.body), breaks: plain(doc.breaks ?? "") };
      const { title, above, body, breaks } = doc.low;
      let score = 0;
      let hits = 0;
      for (const word of words) {
        const here = [[title, 8], [breaks, 6], [above, 2], [body, 2]].filter(([text]) => word.test(text));
        if (here.length) hits += 1;
        score += here.reduce((sum, [, worth]) => sum + worth, 0);
      }
      if (!hits || hits < words.length / 2) continue;
      const all = (text) => words.every((word) => word.test(text));
      if (words.length > 1) score += [title, breaks].some(all) ? 20 : body.split(/[.?!] /).some(all) ? 8 : 0;
      score *= hits / words.length;
      if (isManual(doc)) score *= 0.5;
      found.push({ ref: doc.id, score, doc });
    }
    return found.sort((a, b) => b.score - a.score);
  };
  // The sentence that has most of the words, with what surrounds it.
  const snippet = (doc, query) => {
    const words = queried(query);
    const sentences = doc.body.split(/(?<=[.?!:]) /);
    const worth = (sentence) => words.filter((word) => word.test(plain(sentence))).length;
    const best = sentences.reduce((best, sentence, at) => (worth(sentence) > worth(sentences[best]) ? at : best), 0);
    return sentences.slice(best, best + 3).join(" ");
  };
  const load = globalThis.elasticlunr?.Index.load;
  if (load) elasticlunr.Index.load = function (...given) {
    const index = load.apply(this, given);
    const { docs } = index.documentStore;
    const { doc_urls: urls } = globalThis.search;
    for (const [id, doc] of Object.entries(docs)) doc.file = urls[id];
    index.search = (query) => ranked(Object.values(docs), query)
      .map(({ ref, score, doc }) => ({ ref, score, doc: { ...doc, body: snippet(doc, query) } }));
    return index;
  };
  // mdBook marks what it searched for by its stem; a word that is everywhere gets one that nothing has.
  if (load) {
    const { stemmer } = elasticlunr;
    let unlike = 0;
    elasticlunr.stemmer = (word) => (COMMON.has(word) ? `\u0000${unlike += 1} ` : stemmer(word));
  }
  // In the contents, sections that nothing else needs are one line until they are wanted. mdBook lists them once the page
  // is read.
  document.addEventListener("DOMContentLoaded", () => {
    // The bar says which chapter this is, and the links below where they lead, as the contents do.
    const contents = [...document.querySelectorAll("#mdbook-sidebar .chapter a")].filter((link) => !link.hash);
    const named = (link) => {
      const text = link.textContent.trim().replace(/\s+/g, " ");
      return link.querySelector("strong") && link.closest("li:has(~ .part-title)") ? text.replace(/^(\d)\./, "0$1.").replace(".", "") : text.replace(/^\d+\. /, "");
    };
    const here = contents.find((link) => link.classList.contains("active"));
    const bar = document.querySelector(".menu-title");
    if (bar && here && !/(index|introduction)\.html$/.test(location.pathname)) bar.textContent = named(here);
    for (const link of document.querySelectorAll(".mobile-nav-chapters")) {
      const to = contents.find((one) => one.href === link.href);
      if (to) link.setAttribute("aria-label", `${link.classList.contains("next") ? "Next" : "Previous"}: ${named(to)}`);
    }
    const items = [...document.querySelectorAll(".on-this-page > ol > li")].filter((item) => /^Optional: /.test(item.textContent));
    if (items.length < 2) return;
    const list = element("ol", { class: "section" });
    const folded = element("details", {}, element("summary", {}, `Optional: ${items.length} sections`), list);
    items[0].before(element("li", { class: "header-item expanded" }, folded));
    for (const item of items) {
      const first = document.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode();
      first.data = first.data.replace(/^Optional: (.)/, (_, letter) => letter.toUpperCase());
      list.append(item);
    }
    folded.open = Boolean(list.querySelector(`[href="${CSS.escape(location.hash)}"]`));
  });
  document.querySelectorAll("form.tt-ask:not(.tt-own)").forEach(question);
  // Sections that nothing else needs are one line until they are wanted; a link and a search in the page open them.
  const unfolded = [];
  const isOptional = (heading) => /^Optional: /.test(heading.textContent);
  for (const heading of [...document.querySelectorAll("main > h2")].filter(isOptional)) {
    const section = element("section", { hidden: "until-found", id: `${heading.id}-text` });
    for (let next = heading.nextElementSibling; next && !/^H[12]$/.test(next.tagName) && !next.matches("nav"); next = heading.nextElementSibling) section.append(next);
    const button = element("button", { type: "button", class: "tt-unfold", "aria-expanded": "false", "aria-controls": section.id }, "Show");
    const show = (is) => {
      section.toggleAttribute("hidden", false);
      if (!is) section.setAttribute("hidden", "until-found");
      button.setAttribute("aria-expanded", is);
      button.textContent = is ? "Hide" : "Show";
      if (!is) return;
      scrollable(section);
      document.dispatchEvent(new Event("tutor:shown"));
    };
    button.addEventListener("click", () => show(section.hasAttribute("hidden")));
    section.addEventListener("beforematch", () => show(true));
    addEventListener("beforeprint", () => show(true));
    heading.classList.add("tt-optional");
    heading.after(section);
    // mdBook takes the headings' texts for its contents first.
    document.addEventListener("DOMContentLoaded", () => heading.append(button));
    unfolded.push([heading, section, show]);
  }
  const toPlace = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target && unfolded.find(([heading, section]) => heading === target || section.contains(target));
    if (!folded) return;
    folded[2](true);
    target.scrollIntoView();
  };
  addEventListener("hashchange", toPlace);
  toPlace();
  // Headings are links for the pointer; the keyboard would stop at dozens of them.
  document.querySelectorAll("main a.header").forEach((link) => link.setAttribute("tabindex", "-1"));
  // mdBook moves to the current place in the contents, and the first Tab would start there.
  addEventListener("load", () => {
    const skip = document.querySelector(".tt-to-text");
    if (!skip || location.hash || document.activeElement !== document.body) return;
    skip.focus({ preventScroll: true });
    skip.blur();
    document.body.setAttribute("tabindex", "-1");
    document.body.focus({ preventScroll: true });
    document.body.removeAttribute("tabindex");
  });
  document.querySelectorAll("form.tt-own").forEach(ownWords);
  document.querySelectorAll(".tt-progress").forEach(progress);
})();
