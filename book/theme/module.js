// The course in a worker (src/web), for its own page and for the figures of the book. Asks for nothing outside the book.
(() => {
  'use strict';

  // What the worker runs: it unpacks the module and answers one question after another, by `post`.
  function answering(post) {
    let course;
    const bytes = (place, length) => new Uint8Array(course.memory.buffer, place, length);
    const read = (place, length) => JSON.parse(new TextDecoder().decode(bytes(place, length)));
    const page = {
      now: () => performance.timeOrigin + performance.now(),
      random: (place, length) => crypto.getRandomValues(bytes(place, length)),
      tell: (place, length) => post({ reply: read(place, length) }),
    };
    const put = (given) => {
      const place = course.room(given.length);
      bytes(place, given.length).set(given);
      return place;
    };
    const answer = async (data) => {
      try {
        if (data.module) {
          const unpacked = new Blob([data.module]).stream().pipeThrough(new DecompressionStream('gzip'));
          const { instance } = await WebAssembly.instantiate(await new Response(unpacked).arrayBuffer(), { page });
          course = instance.exports;
          course.weights(put(data.weights), data.weights.length);
          if (data.tokenizer) {
            const text = new TextEncoder().encode(data.tokenizer);
            course.tokenizer(put(text), text.length);
          }
          return;
        }
        const begun = performance.now();
        const question = new TextEncoder().encode(JSON.stringify(data.ask));
        const length = course.ask(put(question), question.length);
        post({ id: data.id, reply: read(course.reply(), length), ms: performance.now() - begun });
      } catch (error) {
        post({ id: data.id, broken: String(error) });
      }
    };
    let last = Promise.resolve();
    return (data) => { last = last.then(() => answer(data)); };
  }

  function decoded(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    return bytes;
  }

  // A page that was opened as a file can load scripts only, so the module and the weights are scripts.
  const script = (name) => new Promise((loaded, failed) => {
    const made = document.createElement('script');
    made.onload = loaded;
    made.onerror = () => failed(new Error(`${name} is missing from the book's folder live`));
    made.src = new URL(`live/${name}`, document.baseURI);
    document.head.append(made);
  });
  let given;
  const load = () => {
    given ??= (async () => {
      if (!globalThis.courseModule) await Promise.all(['course-module.js', 'everyday.js'].map(script));
      const { weights, tokenizer } = globalThis.courseModel;
      const decodedAll = { module: decoded(globalThis.courseModule), weights: decoded(weights), tokenizer };
      globalThis.courseModule = globalThis.courseModel = null;
      return decodedAll;
    })();
    return given;
  };

  // A worker whose answers `hear` gets. Without workers, the page itself does the work.
  globalThis.startCourse = async (hear) => {
    const all = await load();
    let worker;
    if (window.Worker) {
      const source = `const answer = (${answering})(postMessage); onmessage = ({ data }) => answer(data);`;
      worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
      worker.onmessage = ({ data }) => hear(data);
    } else {
      worker = { postMessage: answering(hear), terminate: () => {} };
    }
    worker.postMessage(all);
    return worker;
  };
})();
