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

  // What a figure needs after it has been drawn.
  const refreshed = (figure) => {
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
  reach(document);
  document.addEventListener("tutor:shown", () => reach(document));
  addEventListener("resize", () => reach(document));
  document.fonts?.ready.then(() => reach(document));
  // The label that opens the contents becomes a button, which the keyboard reaches.
  const [label, checkbox] = ["toggle", "toggle-anchor"].map((end) => document.getElementById(`mdbook-sidebar-${end}`));
  if (label && checkbox) {
    const open = element("button", { type: "button", on: { click: () => checkbox.click() } }, ...label.childNodes);
    for (const { name, value } of label.attributes) if (name !== "for") open.setAttribute(name, value);
    checkbox.addEventListener("change", () => open.setAttribute("aria-expanded", checkbox.checked));
    label.replaceWith(open);
  }
  // Of mdBook's search, readers would conclude that what it leaves out of its index is not in the book.
  const [found, results] = ["header", ""].map((end) => document.getElementById(`mdbook-searchresults${end && `-${end}`}`));
  if (found) new MutationObserver(() => {
    if (!found.textContent || results.childElementCount || found.querySelector("span")) return;
    found.append(element("span", {}, " No hits: common words and symbols are not indexed. A symbol may be found by its name, such as “beta”."));
  }).observe(found, { childList: true });
  // In the contents, sections that nothing else needs are one line until they are wanted. mdBook lists them once the page
  // is read.
  document.addEventListener("DOMContentLoaded", () => {
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
  document.querySelectorAll("form.tt-own").forEach(ownWords);
  document.querySelectorAll(".tt-progress").forEach(progress);
})();
