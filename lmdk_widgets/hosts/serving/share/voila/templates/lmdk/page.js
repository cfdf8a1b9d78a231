// The page around the widgets: says what is happening while it loads, what went wrong, and when Python is gone. It computes
// nothing and stores nothing of the user's.
"use strict";
const lmdk = (() => {
  const HEARTBEAT_MS = 5000, HOPELESS_MS = 90000;
  const ENDED = "The Python session has ended: it was not used for a long time, or it stopped.";
  const SILENT = 'The server does not answer. If you stopped it, start it again with "lmdk explore".';
  const CUT = "The connection to the Python session was lost.";
  const STRANGER = "The server has restarted and does not know this page. Open the address that it printed.";
  const OFF = "The controls below are switched off.";
  const STOPPED =
    "The page could not be made: its Python program stopped. The terminal in which the explorer was started says why.";
  const UNDRAWN = "The page could not be drawn: a part of it did not load. Reload the page.";
  let kernel = "", silent = 0, cut = 0, drawn = false, parts = 0, going = false;
  let missing = null; // the parts of the user's work that the address does not contain; null: it contains no settings

  const element = (id) => document.getElementById(id);
  const reading = () => Boolean(document.querySelector(".lmdk-text"));
  const slots = () => document.querySelectorAll(".lmdk-slot");

  function say(text) {
    const place = document.querySelector("#lmdk-loading p");
    if (place) place.textContent = text;
  }

  function report(sentence) {
    const list = document.querySelector("#lmdk-errors ul");
    if ([...list.children].some((item) => item.textContent === sentence)) return;
    list.append(Object.assign(document.createElement("li"), { textContent: sentence }));
    while (list.children.length > 3) list.firstChild.remove();
    element("lmdk-errors").hidden = false;
  }

  function failed(sentence = STOPPED) {
    element("lmdk-loading")?.remove();
    report(sentence);
  }

  // The text of a lesson is there to be read while its parts are computed.
  function written() {
    if (reading()) document.documentElement.classList.add("lmdk-reading");
  }

  // What a cell shows goes to its place; the next one is being computed.
  function computed() {
    const found = document.currentScript.previousElementSibling;
    slots()[parts++].append(found.content);
    found.remove();
    if (reading()) say(parts < slots().length ? `Computing part ${parts + 1} of ${slots().length}; you can read on.` : "Drawing the figures …");
  }

  // A view is there when something in an output of the notebook takes up room.
  function watch() {
    const look = () => {
      if (drawn || ![...document.querySelectorAll(".jp-OutputArea-output > *")].some((view) => view.offsetHeight > 0)) return;
      drawn = true;
      observer.disconnect();
      element("lmdk-loading")?.remove();
      window.dispatchEvent(new Event("resize")); // for widgets that measured themselves before
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
  }

  function kept() {
    if (!missing) return "A reload starts this page again.";
    if (!missing.length) return "The address of this page contains your settings: a reload brings them back.";
    const list = missing.join(", ").replace(/, ([^,]*)$/, " and $1");
    return `The address of this page contains your settings, but not ${list}: a reload brings back only the settings.`;
  }

  // Without a session the controls are inert: nobody should use controls that no longer answer.
  function attached(sentence = "") {
    const place = document.querySelector("#lmdk-ended p");
    const text = sentence && `${sentence} ${OFF} ${kept()}`;
    if (place.textContent !== text) place.textContent = text; // else a screen reader would say it at every heartbeat
    element("lmdk-ended").hidden = !sentence;
    for (const part of document.querySelectorAll(".lmdk-output")) part.inert = Boolean(sentence);
  }

  // Asks whether the kernel is there.
  async function beat() {
    if (!kernel || document.hidden) return;
    try {
      const asked = { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(8000) };
      const answer = await fetch(`${document.body.dataset.baseUrl}../api/kernels/${kernel}`, asked);
      const model = answer.ok ? await answer.json() : {};
      silent = 0;
      cut = drawn && model.connections === 0 ? cut + 1 : 0; // widgets reconnect by themselves, but not forever
      if (answer.status === 403 || answer.type === "opaqueredirect") attached(STRANGER); // to the login
      else if (answer.status === 404 || model.execution_state === "dead") (kernel = ""), attached(ENDED);
      else attached(cut >= 4 ? CUT : "");
    } catch {
      silent += 1;
      if (silent >= 2) attached(SILENT);
    }
  }

  // Asks before work is lost. Voila ends the session at this event, even if the user then stays: it hears of it only when
  // the page goes. This listener comes first, as this program runs before Voila's.
  addEventListener("beforeunload", (event) => {
    if (going) return;
    event.stopImmediatePropagation();
    if (!kernel || !missing?.length) return; // without a session there is nothing left to lose
    event.preventDefault();
    event.returnValue = ""; // older browsers ask only then
  });
  addEventListener("pagehide", () => {
    going = true;
    dispatchEvent(new Event("beforeunload"));
    going = false;
  });
  // Voila's farewell to the kernel is refused without this cookie, which nothing else sets.
  if (!/\b_xsrf=/.test(document.cookie)) document.cookie = `_xsrf=${crypto.randomUUID()}; SameSite=Strict; Path=/`;

  setInterval(beat, HEARTBEAT_MS);
  setTimeout(() => element("lmdk-loading") && failed(UNDRAWN), HOPELESS_MS);
  for (const type of ["online", "lmdk-lost"]) addEventListener(type, beat);
  document.addEventListener("visibilitychange", beat);
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // its session ended with the page
  addEventListener("lmdk-address", (event) => (missing = event.detail));
  addEventListener("lmdk-error", (event) => report(String(event.detail)));
  addEventListener("click", (event) => {
    if (event.target.closest?.("#lmdk-ended button")) location.reload();
    if (!event.target.closest?.("#lmdk-errors button")) return;
    element("lmdk-errors").hidden = true;
    document.querySelector("#lmdk-errors ul").replaceChildren();
  });
  // Names that Voila calls.
  Object.assign(window, { voila_heartbeat() {}, voila_process() {}, voila_finish() {}, update_loading_text() {} });

  return {
    failed,
    written,
    computed,
    undrawn: () => failed(UNDRAWN),
    session(id) {
      kernel = id;
      if (reading()) say(`Computing part 1 of ${slots().length}; you can read on.`);
    },
    prepared() {
      if (document.querySelector(".lmdk-output")) watch();
      else if (element("lmdk-errors").hidden) failed();
    },
  };
})();
