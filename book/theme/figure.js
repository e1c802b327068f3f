// The figures of the book. Each is a session of the course: what a reader chooses is asked of the module (module.js), and
// the answer takes the place of what the figure showed. Before the first touch a page shows what the program drew.
(() => {
  'use strict';

  const PARTS = Object.fromEntries(['head', 'controls', 'writes', 'watch', 'changes', 'body', 'says', 'why']
    .map((part) => [part, `:scope > ${['body', 'why'].includes(part) ? '.tt-pair > ' : ''}.tt-${part}`]));
  const figures = new Map();
  let worker, current, queue = [];

  // Asks the module. A figure asks one question at a time: of those that wait, only the last one counts.
  function ask(figure) {
    queue = queue.filter((waiting) => waiting !== figure);
    queue.push(figure);
    next();
  }

  async function next() {
    if (current || !queue.length) return;
    current = queue.shift();
    current.busy(true);
    try {
      worker ??= await startCourse(hear);
      const { id, place, acts } = current;
      current.asked = acts.length;
      current.asks = Boolean(moved?.figure === current && moved.id !== undefined);
      worker.postMessage({ id, ask: { figure: { id, place, acts, moves: current.asks } } });
    } catch (error) {
      hear({ broken: error.message });
    }
  }

  function hear({ id, reply, broken }) {
    if (id === undefined && reply && !reply.panic) return; // how far a long run is
    const figure = current;
    if (!figure) return;
    current = null;
    const trouble = broken ?? reply?.panic ?? reply?.error;
    if (broken || reply?.panic) stop();
    figure.busy(false);
    if (trouble) {
      // What can't be done is not tried again.
      figure.acts.length = Math.max(0, figure.asked - 1);
      figure.say(trouble);
    } else if (figure.asked === figure.acts.length) {
      figure.show(reply.figure);
    }
    // What was moved on in the meantime is drawn next, and what was let go in full.
    const isBehind = figure.asked < figure.acts.length || figure.changed;
    figure.changed = false;
    if (isBehind || (figure.asks && moved?.figure !== figure)) ask(figure);
    next();
  }

  function stop() {
    worker?.terminate();
    worker = null;
  }

  // Ends a run that takes too long, together with its worker, which the next question starts again.
  function cancel() {
    if (!current) return;
    stop();
    hear({ broken: 'The run was stopped.' });
  }

  class Figure {
    constructor(element) {
      this.element = element;
      this.id = element.id;
      this.place = JSON.parse(element.querySelector('.tt-place').textContent);
      this.acts = [];
      this.first = Object.fromEntries(Object.keys(PARTS).map((part) => [part, this.part(part).innerHTML]));
      this.caption = element.querySelector('figcaption')?.innerHTML;
      this.ready();
    }

    part(name) { return this.element.querySelector(PARTS[name]); }

    act(...acts) {
      this.moving = null;
      this.acts.push(...acts);
      ask(this);
    }

    // Of a movement only the last place is kept.
    move(act, key) {
      if (this.moving === key) {
        this.acts.pop();
        this.changed = current === this;
      }
      this.act(act);
      this.moving = key;
    }

    busy(is) {
      this.element.setAttribute('aria-busy', String(is));
      clearTimeout(this.slow);
      if (is) {
        this.slow = setTimeout(() => {
          const stop = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Stop', onclick: cancel });
          this.part('watch').replaceChildren(globalThis.courseModule === undefined ? 'Loading the model, 12 MB, once … ' : 'Computing … ', stop);
        }, 700);
      }
    }

    say(text) { this.part('watch').textContent = text; }

    // Does this with what was set, and with nothing broken: what was broken before would change what it shows.
    anew(...acts) {
      this.acts = this.acts.filter((act) => act.Set);
      this.act(...acts);
    }

    // Brings an answer into sight, if it opened out of it.
    reveal(part) {
      const { top, bottom } = part.getBoundingClientRect();
      const bar = document.getElementById('mdbook-menu-bar')?.getBoundingClientRect().bottom ?? 0;
      if (top < bar || Math.min(bottom, top + 200) > innerHeight) part.scrollIntoView({ block: 'nearest' });
    }

    reset() {
      this.moving = null;
      this.acts = [];
      this.show(this.first);
      press(null);
    }

    show(shown) {
      // The control that was used keeps the focus, in its new form.
      const focus = document.activeElement;
      const within = Object.keys(PARTS).find((part) => this.part(part).contains(focus));
      const key = within && keyOf(focus, this.part(within));
      const open = ['.tt-explore', '.tt-numbers'].filter((name) => this.element.querySelector(name)?.open);
      // While something moves, only the drawing is new.
      const parts = shown.head ? Object.keys(PARTS) : ['body'];
      const slid = this.element.querySelector('[data-slide]')?.value;
      for (const part of parts) {
        const html = shown[part] ?? '';
        if (this.part(part).innerHTML !== html) this.part(part).innerHTML = html;
      }
      if (shown.head) this.part('why').hidden = !shown.why;
      open.forEach((name) => { const details = this.element.querySelector(name); if (details) details.open = true; });
      this.slide(slid);
      const caption = this.element.querySelector('figcaption');
      if (caption) caption.innerHTML = this.acts.length ? `At first: ${this.caption}` : this.caption;
      this.ready();
      const again = key && document.activeElement !== focus && this.element.querySelector(key);
      if (shown.why && shown.why !== this.answer) this.reveal(this.part('why'));
      this.answer = shown.why;
      if (again) again.focus({ preventScroll: true });
      else if (within && shown.why && !document.contains(focus)) this.part('why').querySelector('[tabindex]')?.focus({ preventScroll: true });
    }

    // Slides the parts of a drawing together or apart.
    slide(to) {
      const slider = this.element.querySelector('[data-slide]');
      if (!slider || to === undefined) return;
      slider.value = to;
      // First down, then to the left, so that no part crosses another.
      this.element.querySelectorAll('.slides').forEach((part) => {
        const [x, y] = JSON.parse(part.dataset.by);
        part.setAttribute('transform', `translate(${Math.max(0, 2 * to - 1) * x},${Math.min(1, 2 * to) * y})`);
      });
      this.element.querySelectorAll('.apart').forEach((part) => { part.style.opacity = to; });
    }

    // Cells that can be asked are reached with the keyboard: one with Tab, the others with arrows.
    ready() {
      const table = this.element.querySelector('table[data-lead]');
      if (table) {
        table.setAttribute('role', 'grid');
        const cells = table.querySelectorAll('td[data-at]');
        cells.forEach((cell) => cell.setAttribute('tabindex', '-1'));
        (table.querySelector('td[data-here]') ?? cells[0])?.setAttribute('tabindex', '0');
      }
      globalThis.tutor?.refreshed(this.element);
    }
  }

  // The first page's buttons: the one that is on mends what it broke.
  function press(on) {
    for (const link of document.querySelectorAll('.tt-acts a')) {
      link.dataset.does ??= link.textContent;
      link.setAttribute('role', 'button');
      link.classList.toggle('on', link === on);
      link.textContent = link === on ? 'Mend it' : link.dataset.does;
    }
  }

  // A selector that finds this control again after the figure has changed.
  function keyOf(control, part) {
    if (control.matches?.('.moved')) return `.moved[aria-label="${CSS.escape(control.getAttribute('aria-label').replace(/: .*/, ''))}"], .moved[aria-label^="${CSS.escape(control.getAttribute('aria-label').split(':')[0])}:"]`;
    for (const name of ['data-knob', 'data-axis', 'data-look', 'data-edit', 'data-acts', 'data-at', 'data-reset']) {
      if (control.hasAttribute?.(name)) return `.${part.className.split(' ')[0]} [${name}="${CSS.escape(control.getAttribute(name))}"]`;
    }
    return null;
  }

  // The index of a cell or a node of a diagram.
  const indexOf = (cell) => {
    const lead = cell.closest('table')?.dataset.lead ?? '';
    return `${lead}${cell.dataset.at}`.split(',').filter((at) => at !== '').map(Number);
  };
  const asked = (cell) => [{ At: indexOf(cell) }, 'Why'];

  // What a link of the text asks for.
  const REQUESTS = { why: 'Why', up: 'Up', undo: 'Undo', difference: 'Difference', backward: { ShowGradients: 'Cell' } };
  function requested(href) {
    const [, kind, of] = /#do:(\w+)=(.*)$/.exec(href);
    const value = decodeURIComponent(of);
    if (kind === 'break') return [{ BreakNamed: value }];
    if (kind === 'look') return [{ Look: value }];
    if (kind === 'do') return [REQUESTS[value]];
    const at = value.indexOf('=');
    const [name, to] = [value.slice(0, at), value.slice(at + 1)];
    return kind === 'edit' ? [{ Cell: name }, { Edit: to }] : [{ Set: [name, to] }];
  }

  // The figure of a link's page, or the last one before it.
  function nearest(link) {
    const all = [...figures.values()].map(({ element }) => element);
    const sections = [...document.querySelectorAll('main h1, main h2')];
    const isAfter = (one, other) => Boolean(other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    const heading = sections.filter((section) => isAfter(link, section)).pop();
    const until = sections.find((section) => heading && isAfter(section, heading));
    const own = all.find((figure) => heading && isAfter(figure, heading) && (!until || isAfter(until, figure)));
    const found = own ?? all.filter((figure) => isAfter(link, figure)).pop() ?? all[0];
    return found && figures.get(found);
  }

  const of = (target) => figures.get(target.closest?.('figure.tt'));

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href*="#do:"]');
    if (link) {
      event.preventDefault();
      const figure = of(link) ?? nearest(link);
      if (!figure) return;
      const acts = requested(link.getAttribute('href'));
      // One mistake at a time: what one switches on, the next one would be taken for.
      if (link.closest('.tt-acts')) {
        const isOn = link.classList.contains('on');
        figure.anew(...(isOn ? [] : acts));
        press(isOn ? null : link);
      } else {
        const [{ BreakNamed: name }] = acts;
        if (name) figure.acts = figure.acts.filter((act) => !act.BreakNamed || act.BreakNamed === name);
        figure.act(...acts);
      }
      figure.element.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
      return;
    }
    const figure = of(event.target);
    if (!figure) return;
    const go = event.target.closest('.tt-go')?.previousElementSibling;
    // A field that has just changed is asked already.
    if (go && go.value === go.defaultValue) figure.act(turned(go));
    const part = event.target.closest('[data-acts], [data-at], [data-reset], [data-close], [data-opens]');
    if (!part) return;
    if (part.dataset.opens) event.preventDefault();
    if (part.dataset.acts) figure.act(...JSON.parse(part.dataset.acts));
    else if (part.dataset.opens) figure.act({ Look: part.dataset.opens });
    else if ('reset' in part.dataset) figure.reset();
    else if ('close' in part.dataset) figure.act("Close");
    else figure.act(...asked(part));
  });

  // What is drawn can be moved: a handle says which numbers of the run that changes, or where it stops.
  const clamp = (x, least, most) => Math.min(Math.max(x, least), most);
  function movedTo(handle, [x, y]) {
    const { of, cells, here, across, down, at, within, stops } = handle;
    if (stops) {
      const far = ([[a, b]]) => Math.hypot(a - x, b - y);
      return stops.reduce((best, stop) => (far(stop) < far(best) ? stop : best))[1];
    }
    const [dx, dy] = [0, 1].map((axis) => clamp([x, y][axis], within[0][axis], within[1][axis]) - at[axis]);
    return { Put: cells.map((cell, n) => [`${of}${cell}]`, here[n] + dx * across[n] + dy * down[n]]) };
  }
  const handleOf = (part) => JSON.parse(part.dataset.move);
  const keyOfHandle = (part) => part.getAttribute('aria-label').split(':')[0];
  const inDrawing = (svg, event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x, y];
  };
  let moved = null;
  document.addEventListener('pointerdown', (event) => {
    const part = event.target.closest?.('.moved');
    const figure = part && of(part);
    if (!figure) return;
    event.preventDefault();
    part.focus({ preventScroll: true });
    const handle = handleOf(part);
    if (handle.paint) {
      moved = { figure, paint: handle.paint[1], seen: new Set() };
      paint(part);
    } else {
      // It moves by as much as the pointer, wherever it was taken.
      const start = inDrawing(part.ownerSVGElement, event);
      moved = { figure, handle, key: keyOfHandle(part), id: event.pointerId, off: [0, 1].map((axis) => handle.at[axis] - start[axis]) };
      figure.moving = null;
      if (handle.stops) figure.move(movedTo(handle, start), moved.key);
    }
  });
  const paint = (part) => {
    const [cell] = handleOf(part).paint;
    if (moved.seen.has(cell)) return;
    moved.seen.add(cell);
    moved.figure.act({ Put: [[cell, moved.paint]] });
  };
  document.addEventListener('pointermove', (event) => {
    if (!moved) return;
    if (moved.seen) {
      const part = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('.moved');
      if (part && of(part) === moved.figure) paint(part);
      return;
    }
    const at = inDrawing(moved.figure.element.querySelector('.tt-scene'), event);
    moved.figure.move(movedTo(moved.handle, at.map((x, axis) => x + moved.off[axis])), moved.key);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    document.addEventListener(end, () => {
      const figure = moved && !moved.seen && moved.figure;
      moved = null;
      if (!figure) return;
      figure.moving = null;
      if (current !== figure && figure.acts.length) ask(figure);
    });
  }
  // A finger on a handle moves it, and not the page.
  document.addEventListener('touchstart', (event) => {
    if (event.target.closest?.('.moved:not(:has(> .band, > rect))')) event.preventDefault();
  }, { passive: false });
  document.addEventListener('input', (event) => {
    if ('slide' in event.target.dataset) of(event.target)?.slide(event.target.value);
  });

  // Arrow keys move a handle by a step of the drawing, or a stop further.
  function step(part, key) {
    const handle = handleOf(part);
    const figure = of(part);
    if (handle.paint) {
      if (key !== 'Enter' && key !== ' ') return false;
      figure.act({ Put: [handle.paint] });
      return true;
    }
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [0, -4], PageDown: [0, 4] }[key];
    if (handle.stops?.length === 1 && (key === 'Enter' || key === ' ')) {
      figure.act(handle.stops[0][1]);
      return true;
    }
    if (handle.stops?.length === 1 && by) {
      const rows = [...part.parentElement.querySelectorAll('.moved')];
      rows[rows.indexOf(part) + Math.sign(by[0] + by[1])]?.focus();
      return true;
    }
    if (handle.within && (key === 'Home' || key === 'End')) {
      figure.move(movedTo(handle, handle.within[key === 'Home' ? 1 : 0]), keyOfHandle(part));
      return true;
    }
    if (!by) return false;
    if (handle.stops) {
      const here = handle.stops.findIndex(([at]) => at[0] === handle.at[0] && at[1] === handle.at[1]);
      figure.move((handle.stops[here + by[0] + by[1]] ?? handle.stops[here])[1], keyOfHandle(part));
    } else {
      figure.move(movedTo(handle, handle.at.map((x, axis) => x + 8 * by[axis])), keyOfHandle(part));
    }
    return true;
  }

  // Sliders act while they move, lists and fields when they have changed.
  const turned = (input) => {
    const { knob, axis, values } = input.dataset;
    const value = values ? JSON.parse(values)[input.value] : input.value;
    if (input.nextElementSibling?.matches('output')) input.nextElementSibling.textContent = value;
    if (knob) return { Set: [knob, value] };
    const index = JSON.parse(input.dataset.cursor);
    index[axis] = Number(value);
    return { At: index };
  };
  document.addEventListener('input', (event) => {
    const figure = of(event.target);
    if (!figure || event.target.type !== 'range' || !('values' in event.target.dataset)) return;
    const act = turned(event.target);
    figure.move(act, event.target.dataset.knob ?? event.target.dataset.axis);
  });
  document.addEventListener('change', (event) => {
    const figure = of(event.target);
    if (!figure) return;
    const { dataset, value, type } = event.target;
    if ('edit' in dataset) figure.act({ Edit: value }, 'Why');
    else if ('look' in dataset) figure.act({ Look: value });
    else if (dataset.knob === 'sentence' && !value.trim()) figure.say('Type a German sentence first.');
    else if (dataset.knob && type !== 'range') {
      const act = turned(event.target);
      // The figures of a page that is about one sentence follow it.
      const isOwn = ({ place }) => place.block.set?.sentence && place.offers.knobs?.sentence;
      const all = dataset.knob === 'sentence' && isOwn(figure) ? [...figures.values()].filter(isOwn) : [figure];
      // On the first page a new sentence begins with the intact run, as its buttons do.
      const isFirst = figure.element.contains(document.querySelector('.tt-acts'));
      if (isFirst) press(null);
      all.forEach((one) => (isFirst ? one.anew(act) : one.act(act)));
    }
  });

  document.addEventListener('keydown', (event) => {
    const figure = of(event.target);
    if (event.key === 'Escape' && current) return cancel();
    if (event.key === ' ' && event.target.matches('.tt-acts a')) {
      event.preventDefault();
      return event.target.click();
    }
    if (!figure) return;
    // The book's own keys turn pages, and it listens at the same place.
    event.stopPropagation();
    if (event.key === 'Escape' && figure.part('why').innerHTML) return figure.act("Close");
    const part = event.target.closest('.moved');
    if (part && step(part, event.key)) return event.preventDefault();
    const cell = event.target.closest('[data-at]');
    if (!cell) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      figure.act(...asked(cell));
      return;
    }
    const row = cell.parentElement;
    const cells = (of) => (of ? [...of.querySelectorAll('td[data-at]')] : []);
    const at = cells(row).indexOf(cell);
    const found = {
      ArrowLeft: cells(row)[at - 1],
      ArrowRight: cells(row)[at + 1],
      ArrowUp: cells(row.previousElementSibling)[at],
      ArrowDown: cells(row.nextElementSibling)[at],
      Home: cells(row)[0],
      End: cells(row).at(-1),
    }[event.key];
    if (!found) return;
    event.preventDefault();
    cell.setAttribute('tabindex', '-1');
    found.setAttribute('tabindex', '0');
    found.focus();
  }, true);

  const acts = document.querySelector('.tt-acts');
  acts?.previousElementSibling?.querySelector('.tt-writes')?.after(acts);
  press(null);
  document.querySelectorAll('figure.tt').forEach((element) => {
    if (element.querySelector('.tt-place')) figures.set(element, new Figure(element));
  });
  // A page that has nothing drawn asks for it.
  for (const figure of figures.values()) if (figure.element.hasAttribute('data-empty')) ask(figure);
  // The module is fetched when a figure is first approached.
  addEventListener('pointerover', function approach(event) {
    if (!of(event.target)) return;
    removeEventListener('pointerover', approach);
    startCourse(hear).then((begun) => { worker ? begun.terminate() : worker = begun; }, () => {});
  }, { passive: true });
  globalThis.figures = figures;
})();
