// The page around the widgets: says what is happening while it loads, what went wrong, and when Python is gone.
// It reports, switches off what has no session behind it, and starts another session for a page that keeps its settings; it
// computes nothing and stores nothing of the user's.
"use strict";
const lmdk = (() => {
  const HEARTBEAT_MS = 5000, SLOW_MS = 20000, HOPELESS_MS = 90000, HELD_MS = 10000, WISHED_MS = 350;
  const ENDED = "The Python session has ended: it was not used for a long time, or it stopped.";
  const SILENT = 'The server does not answer. If you stopped it, start it again with "lmdk explore".';
  const CUT = "The connection to the Python session was lost.";
  const OFF = "The controls below are switched off.";
  const KEEPS = "This page keeps everything you chose, including your files, until you close or reload it";
  const REOPENS = `The Python session has ended: another one is starting. ${KEEPS}.`;
  const REOPENED = "The Python session had ended. Another one was started, with everything you chose.";
  const SLEEPS = `The Python session has ended, as nobody used it for a long time. ${KEEPS}: use it, and it continues from there.`;
  const STRANGER =
    "The server has restarted and does not know this page. Open the address that it printed in another tab; this page then continues.";
  const NEWER = "The server now has another version of this page.";
  const AGAIN_MS = 60000;
  const STOPPED =
    "The page could not be made: its Python program stopped. The terminal in which the explorer was started says why.";
  const UNDRAWN = "The page could not be drawn: a part of it did not load. Reload the page.";
  const STARTS = "Starting a private Python session …";
  const DRAWS = "Preparing the page …";
  const SLOW = "Still starting … this takes longer than usual.";
  let kernel = "", first = "", silent = 0, cut = 0, drawn = false, over = false, timers = [], letGo = () => {};
  let missing = null; // the parts of the user's work that the address does not contain; null: it contains no settings
  let going = false, reopened = -Infinity, opening = false, soon = false, asleep = false, act = () => location.reload();
  let doing = STARTS, parts = 0, reading = false, began = 0; // parts: cells of code that were computed
  const arrived = new Map(); // bytes of each file of the page

  const element = (id) => document.getElementById(id);
  const waits = (on) => document.documentElement.classList.toggle("lmdk-waits", on);
  waits(true);

  function say(text) {
    doing = text;
    tell();
  }

  // How much of the page is here, and what else goes on meanwhile.
  function tell() {
    const place = document.querySelector("#lmdk-loading p");
    if (place) place.textContent = [downloaded(), doing].filter(Boolean).join(" ");
  }

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  function downloaded() {
    const all = Number(document.querySelector('meta[name="lmdk-bytes"]').content);
    const here = [...arrived.values()].reduce((sum, bytes) => sum + bytes, 0);
    // the program that draws a lesson waits for the end of its computation: there is nothing to wait for before
    return here > 0.98 * all || (reading && kernel) ? "" : `Loading the page: ${megabytes(here)} of ${megabytes(all)} MB.`;
  }

  new PerformanceObserver((list) => {
    for (const { name, encodedBodySize } of list.getEntries()) if (name.includes("/lmdk/")) arrived.set(name, encodedBodySize);
    tell();
  }).observe({ type: "resource", buffered: true });

  function report(sentence) {
    const list = document.querySelector("#lmdk-errors ul");
    if (!list || [...list.children].some((item) => item.textContent === sentence)) return;
    const item = document.createElement("li");
    item.textContent = sentence;
    list.append(item);
    while (list.children.length > 3) list.firstChild.remove();
    element("lmdk-errors").hidden = false;
  }

  function uncover() {
    element("lmdk-loading")?.remove();
    for (const place of document.querySelectorAll(".lmdk-slot > .lmdk-pending")) place.remove();
    waits(false);
    setTimeout(() => letGo(), HELD_MS);
  }

  // The text of a lesson is there to be read while its parts are computed: each says in its place how far it is.
  function written() {
    reading = Boolean(document.querySelector(".lmdk-text"));
    if (!reading) return;
    waits(false);
    document.documentElement.classList.add("lmdk-reading");
    for (const slot of slots()) slot.append(Object.assign(document.createElement("p"), { className: "lmdk-pending" }));
    began = performance.now();
    tellParts();
    setInterval(tellParts, 1000);
    holdPlace();
  }

  // What is being read stays where it is on the screen while figures appear above it. Voila takes the text out of the page
  // and puts it back, which scrolls too: only what follows a wish of the reader's is a place to keep.
  function holdPlace() {
    let held = null, top = 0, wished = -Infinity, dragging = false;
    const wish = (event) => {
      wished = performance.now();
      dragging = event.type === "mousedown" || (dragging && event.buttons > 0);
    };
    const keep = () => held?.checkVisibility() && scrollBy(0, held.getBoundingClientRect().top - top);
    const scrolled = () => {
      if (!dragging && performance.now() - wished > WISHED_MS) return keep();
      held = [...document.querySelectorAll(".lmdk-text > *")].find((each) => each.getBoundingClientRect().bottom > 0);
      top = held?.getBoundingClientRect().top;
    };
    const grows = new ResizeObserver(keep);
    grows.observe(element("rendered_cells"));
    const wishes = ["wheel", "touchmove", "keydown", "mousedown", "mouseup"];
    for (const type of wishes) addEventListener(type, wish, { passive: true, capture: true });
    addEventListener("scroll", scrolled, { passive: true });
    letGo = () => {
      grows.disconnect();
      for (const type of wishes) removeEventListener(type, wish, { capture: true });
      removeEventListener("scroll", scrolled);
      document.documentElement.classList.remove("lmdk-reading");
    };
  }

  const slots = () => document.querySelectorAll(".lmdk-slot");

  function tellParts() {
    const seconds = Math.round((performance.now() - began) / 1000);
    [...slots()].forEach((slot, k) => {
      const place = slot.querySelector(".lmdk-pending");
      if (!place) return;
      const shows = slot.querySelector(".lmdk-output");
      place.hidden = k < parts && !shows;
      const running = kernel ? `Computing${seconds ? `: ${seconds} s so far.` : " …"}` : "Waiting for the Python session.";
      place.textContent = k > parts ? "Computed after the parts above." : k === parts ? running : "Computed; to be drawn when all parts are.";
    });
  }

  // What a cell shows goes to its place; the next one is being computed.
  function computed() {
    const found = document.currentScript.previousElementSibling;
    slots()[parts++].append(found.content);
    found.remove();
    began = performance.now();
    patience();
    if (!reading) return;
    say(parts < slots().length ? `Computing part ${parts + 1} of ${slots().length}; you can read on.` : "Drawing the figures …");
    tellParts();
  }

  function failed(sentence = STOPPED) {
    uncover();
    report(sentence);
  }

  // A view is there when something in an output of the notebook takes up room.
  function watch() {
    const look = () => {
      const views = document.querySelectorAll(".lmdk-output .jp-OutputArea-output > *");
      if (drawn || ![...views].some((view) => view.offsetHeight > 0)) return;
      drawn = true;
      observer.disconnect();
      uncover();
      beat(); // from now on it can start again
      window.dispatchEvent(new Event("resize")); // for widgets that measured themselves before
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
  }

  // What a page keeps while it waits for a session; a reload brings back only what its address contains.
  function kept() {
    if (returns() && !over) return `${KEEPS}: it continues by itself.`;
    if (!missing) return "A reload starts this page again.";
    if (!missing.length) return "The address of this page contains your settings: a reload brings them back.";
    const list = missing.join(", ").replace(/, ([^,]*)$/, " and $1");
    return `The address of this page contains your settings, but not ${list}: a reload brings back only the settings.`;
  }

  // What to say when nothing happens for a long time. Waiting in the server's queue counts as something happening.
  function patience() {
    timers.forEach(clearTimeout);
    timers = [
      setTimeout(() => reading || say(SLOW), SLOW_MS),
      setTimeout(() => element("lmdk-loading") && failed(UNDRAWN), HOPELESS_MS),
    ];
  }

  const returns = () => missing !== null && drawn && Boolean(window.lmdkAdopt); // whether it can restart without a reload

  function ended(sentence, does = "Reload", doing = () => location.reload()) {
    const [place, button] = document.querySelectorAll("#lmdk-ended > *");
    if (place.textContent !== sentence) place.textContent = sentence; // else a screen reader would say it at every heartbeat
    button.hidden = !does;
    button.textContent = does;
    act = doing;
    attached(false);
  }

  const off = (sentence) => ended(`${sentence} ${OFF} ${kept()}`, returns() && !over ? "" : "Reload");

  // Continues with another session in this page, which keeps its settings. Needs no click, but does not repeat endlessly if
  // sessions end immediately.
  async function reopen() {
    if (opening) return;
    kernel = "";
    asleep = false;
    if (document.hidden) return setTimeout(reopen, HEARTBEAT_MS); // someone who comes back to it uses it
    if (performance.now() - reopened < AGAIN_MS) return ended(`${ENDED} ${KEEPS}.`, "Start another one", () => ((reopened = -Infinity), reopen()));
    reopened = performance.now();
    opening = true;
    note("");
    ended(REOPENS, "");
    try {
      const { id, shown } = await lmdkSession.start();
      for (const place of document.querySelectorAll(".lmdk-output")) place.style.minHeight = `${place.offsetHeight}px`;
      setTimeout(() => document.querySelectorAll(".lmdk-output").forEach((place) => (place.style.minHeight = "")), HELD_MS);
      await window.lmdkAdopt(id, shown);
      named(id);
      cut = silent = 0;
      attached(true);
      note(REOPENED, "Hide");
    } catch (error) {
      unopened(error);
    } finally {
      opening = false;
    }
  }

  // No other session started. If one may start later, try again quietly.
  function unopened({ status, message }) {
    over = status === 409;
    if (over) return off(NEWER);
    if (status === 500) return ended(`${message || STOPPED} ${KEEPS}.`, "Try again", () => ((reopened = -Infinity), reopen()));
    const why = status === 403 ? STRANGER : SILENT;
    ended(`${why} ${KEEPS}.`, "");
    reopened = -Infinity;
    setTimeout(reopen, HEARTBEAT_MS);
  }

  function named(id) {
    kernel = id;
    document.body.dataset.kernelId = id; // where Voila's program looks for it
  }

  // Something to know, with a button that takes it away.
  function note(text, does) {
    const [place, button] = document.querySelectorAll("#lmdk-note > *");
    if (place.textContent !== text) place.textContent = text; // else a screen reader would say it at every heartbeat
    button.textContent = does;
    element("lmdk-note").hidden = !text;
  }

  // Before a session ends because it is not used: anything done on the page then keeps it.
  function tellSoon({ ends_soon: isSoon, ends_in: seconds }) {
    const was = soon;
    soon = Boolean(isSoon) && drawn;
    if (was && !soon) note("");
    if (!soon) return;
    const minutes = Math.ceil(seconds / 60);
    const left = minutes > 1 ? `in ${minutes} minutes` : "in less than a minute";
    const then = returns() ? `${KEEPS}, and continues when you use it.` : kept();
    note(`Nobody has used this page for a long time: its Python session ends ${left}. ${then}`, "Stay");
  }

  function used() {
    if (asleep) (reopened = -Infinity), reopen();
    else if (soon) lmdkSession.use(kernel).then(beat, () => {});
  }

  // Without a session the controls are inert: nobody should use controls that no longer answer.
  function attached(on) {
    element("lmdk-ended").hidden = on;
    for (const part of document.querySelectorAll(".lmdk-output")) part.inert = !on;
  }

  // Asks whether the kernel is there. This is a plain request: it does not count as use, and says that the page is there.
  async function beat() {
    if (over || asleep || !kernel || document.hidden) return;
    const asked = kernel;
    try {
      const address = `${document.body.dataset.server}api/kernels/${kernel}${returns() ? "?returns" : ""}`;
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      const model = answer.ok ? await answer.json() : {};
      if (asked !== kernel) return; // another session meanwhile
      silent = 0;
      const gone = [403, 404].includes(answer.status) || model.execution_state === "dead";
      if (gone) return lost();
      tellSoon(model);
      cut = drawn && model.connections === 0 ? cut + 1 : 0; // widgets reconnect by themselves, but not forever
      if (cut && cut % 2 === 0) window.lmdkReconnect?.();
      if (cut >= 8 && returns()) return lmdkSession.end(kernel), reopen();
      if (cut >= 4) off(CUT);
      else attached(true);
    } catch {
      silent += asked === kernel ? 1 : 0;
      if (silent >= 2) off(SILENT);
    }
  }

  function lost() {
    asleep = soon && returns();
    tellSoon({});
    if (asleep) return ended(SLEEPS, "Go on", reopen);
    if (returns()) return reopen();
    over = true;
    off(ENDED);
  }

  // Asks before work is lost. Voila ends the session at this event, even if the user then stays: it hears of it only when
  // the page goes. This listener comes first, as this program runs before Voila's.
  addEventListener("beforeunload", (event) => {
    if (going) return;
    event.stopImmediatePropagation();
    if (over || !missing?.length) return; // `over`: there is nothing left to lose
    event.preventDefault();
    event.returnValue = ""; // older browsers ask only then
  });
  addEventListener("pagehide", () => {
    going = true;
    dispatchEvent(new Event("beforeunload"));
    going = false;
    if (!window.lmdkAdopt || kernel !== first) lmdkSession.end(kernel); // of which Voila's program does not know
  });

  patience();
  setInterval(beat, HEARTBEAT_MS);
  addEventListener("online", beat);
  addEventListener("pageshow", (event) => event.persisted && beat());
  document.addEventListener("visibilitychange", beat);
  addEventListener("lmdk-lost", beat); // a message could not be sent
  addEventListener("lmdk-address", (event) => {
    const begins = missing === null;
    missing = event.detail;
    if (begins) beat();
  });
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, used, true);
  addEventListener("lmdk-error", (event) => report(String(event.detail)));
  addEventListener("click", (event) => {
    if (event.target.closest?.("#lmdk-ended button")) act();
    if (event.target.closest?.("#lmdk-note button")) note("");
    if (event.target.closest?.("#lmdk-errors button")) {
      element("lmdk-errors").hidden = true;
      document.querySelector("#lmdk-errors ul").replaceChildren();
    }
  });
  // Names that Voila calls.
  Object.assign(window, { voila_heartbeat() {}, voila_process() {}, voila_finish() {}, update_loading_text() {} });

  return {
    failed,
    written,
    computed,
    undrawn: () => failed(UNDRAWN),
    session(id) {
      named((first = id));
      say(reading ? `Computing part 1 of ${slots().length}; you can read on.` : DRAWS);
      tellParts();
    },
    prepared() {
      if (document.querySelector(".lmdk-output")) watch();
      else if (element("lmdk-errors").hidden) failed();
    },
  };
})();
