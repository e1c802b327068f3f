// The course in this page. A worker runs it (module.js); this script passes keys and clicks on and shows the screens.
'use strict';

const WIDE = 8.4, HIGH = 18, MARGIN = 8; // a cell of the drawing, and the margin around it, as in widgets/svg.rs
const LEAST = [60, 20]; // columns and rows; a smaller window gets smaller letters

const element = (id) => document.getElementById(id);
const screen = element('screen');
const store = {
  get: (name) => { try { return localStorage.getItem('transformer-tutor.' + name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem('transformer-tutor.' + name, value); } catch { /* not kept */ } },
};
const address = new URLSearchParams(location.search);
let place = address.has('lesson') ? [address.get('lesson'), Number(address.get('page') ?? 1)] : null;
let dark = (store.get('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
let running, waiting, asked, ticking, panic, scale = 1;

// Starts a worker, the first or in place of one that was stopped, where the reader is.
async function begin(notice) {
  running?.terminate();
  running = null;
  clearTimeout(ticking);
  waiting = [];
  asked = 0;
  let begun = false;
  const hear = (data) => {
    if (data.reply?.panic) panic = data.reply.panic;
    // What can't show a first screen would fail again and again.
    if (data.broken && !begun) return state(`This browser could not start the course: ${panic ?? data.broken}`);
    if (data.broken) return begin(`The course began again after an error: ${panic ?? data.broken}`);
    if (data.reply.panic) return;
    begun = true;
    if (data.id) waiting.find((one) => one.id === data.id).done = true;
    while (waiting[0]?.done) waiting.shift();
    document.body.classList.toggle('busy', waiting.length > 0);
    show(data.reply);
    if (data.id) screen.dataset.ms = Math.round(data.ms);
  };
  document.body.classList.toggle('dark', dark);
  try {
    running = await startCourse(hear);
  } catch (error) {
    return state(`The course could not be loaded: ${error.message}`);
  }
  running.onerror = () => state('This browser could not start the course. It needs WebAssembly with SIMD.');
  const [lesson, page] = place ?? [null, null];
  ask({ begin: { lesson, page, size: size(), dark, progress: store.get('progress') } });
  if (notice) console.warn(notice);
}

function ask(question) {
  if (!running) return;
  const id = ++asked;
  waiting.push({ id, since: performance.now() });
  setTimeout(() => document.body.classList.toggle('busy', waiting.length > 0), 300);
  running.postMessage({ id, ask: question });
}

function state(sentence) {
  screen.innerHTML = '<p id="state"></p>';
  element('state').textContent = sentence;
}

function show(reply) {
  if (reply.error) return state(reply.error);
  if (reply.progress) store.set('progress', reply.progress);
  if (reply.copy) navigator.clipboard?.writeText(reply.copy);
  if (reply.text != null) element('text').textContent = reply.text;
  if (reply.svg) screen.innerHTML = reply.svg;
  const picture = screen.querySelector('svg');
  if (picture) picture.style.transform = `scale(${scale})`;
  document.title = reply.title;
  place = reply.place ?? null;
  const where = place ? `?lesson=${place[0]}&page=${place[1]}` : location.pathname;
  try { history.replaceState(null, '', where); } catch { /* not in every browser, from a file */ }
  clearTimeout(ticking);
  if (reply.tick) ticking = setTimeout(() => ask('tick'), reply.tick);
  if (!element('text').hidden && reply.text == null && !reply.tick) ask('text');
}

// Columns and rows that fit, and the scale at which the least of them do.
function size() {
  const { clientWidth: width, clientHeight: height } = screen;
  const fit = (columns, rows) => [width / (columns * WIDE + 2 * MARGIN), height / (rows * HIGH + 2 * MARGIN)];
  scale = Math.min(1, ...fit(...LEAST));
  return [
    Math.floor((width / scale - 2 * MARGIN) / WIDE),
    Math.floor((height / scale - 2 * MARGIN) / HIGH),
  ];
}

// Stops a run that takes too long, together with its worker.
const stops = (key) => key === 'Escape' && waiting[0] && performance.now() - waiting[0].since > 1000;

function press(key, shift = false, control = false) {
  if (stops(key)) begin('The run was stopped.');
  else ask({ key: { key, shift, control } });
}

// Where there is no keyboard, a box takes whole lines.
element('typed').addEventListener('keydown', (event) => {
  event.stopPropagation();
  if (event.key !== 'Enter') return;
  ask({ paste: event.target.value });
  press('Enter');
  event.target.value = '';
});
addEventListener('keydown', (event) => {
  const own = event.target.closest?.('#keys, #text') && ['Enter', ' ', 'Tab'].includes(event.key);
  const browsers = event.metaKey || event.altKey || (event.ctrlKey && !['d', 'p'].includes(event.key));
  const known = event.key.length === 1 || /^(Enter|Escape|Tab|Backspace|Delete|Arrow.*|Home|End|Page.*)$/.test(event.key);
  if (own || browsers || !known || event.isComposing) return;
  event.preventDefault();
  press(event.key, event.shiftKey, event.ctrlKey);
});
addEventListener('paste', (event) => ask({ paste: event.clipboardData.getData('text') }));
const cell = ({ clientX, clientY }) => {
  const { left, top } = screen.getBoundingClientRect();
  const place = (at, from, each) => Math.max(0, Math.floor(((at - from) / scale - MARGIN) / each));
  return [place(clientX, left, WIDE), place(clientY, top, HIGH)];
};
let touched;
screen.addEventListener('pointerdown', (event) => { touched = event; });
screen.addEventListener('pointerup', (event) => {
  const far = touched && event.clientX - touched.clientX;
  if (event.pointerType === 'touch' && Math.abs(far) > 60) press(far < 0 ? 'n' : 'N');
  else ask({ click: cell(event) });
});
screen.addEventListener('wheel', (event) => {
  event.preventDefault();
  const [column, row] = cell(event);
  ask({ wheel: { lines: Math.sign(event.deltaY) * 3, column, row } });
}, { passive: false });
addEventListener('resize', () => ask({ resize: size() }));
for (const button of document.querySelectorAll('[data-key]')) {
  button.addEventListener('click', () => { press(button.dataset.key); screen.focus(); });
}
element('theme').addEventListener('click', () => {
  dark = !dark;
  store.set('theme', dark ? 'dark' : 'light');
  begin();
});
element('as-text').addEventListener('click', () => {
  const text = element('text');
  text.hidden = !text.hidden;
  element('as-text').setAttribute('aria-pressed', !text.hidden);
  if (!text.hidden) ask('text');
});
element('copy').addEventListener('click', () => {
  const rows = [...screen.querySelectorAll('svg text')].map((line) => line.textContent);
  navigator.clipboard?.writeText(element('text').textContent || rows.join('\n'));
});

begin();
screen.focus();
