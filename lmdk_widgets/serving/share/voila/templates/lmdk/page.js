// The page around the widgets: says what is happening while it loads, what went wrong, and when Python is gone.
// It reports, and switches off what has no session behind it; it computes nothing and holds nothing of the user's.
"use strict";
const lmdk = (() => {
  const HEARTBEAT_MS = 5000, SLOW_MS = 20000, HOPELESS_MS = 90000;
  const ENDED = "The Python session has ended: it was not used for a long time, or it stopped.";
  const SILENT = 'The server does not answer. If you stopped it, start it again with "lmdk explore".';
  const CUT = "The connection to the Python session was lost.";
  const OFF = "The controls below are switched off.";
  const STOPPED =
    "The page could not be made: its Python program stopped. The terminal in which the explorer was started says why.";
  const UNDRAWN = "The page could not be drawn: a part of it did not load. Reload the page.";
  const STARTS = "Starting a private Python session …";
  const WAITS = (before) => `Many pages are opened just now: ${before} ${before > 1 ? "are" : "is"} before yours …`;
  const SLOW = "Still starting … this takes longer than usual.";
  let kernel = "", silent = 0, cut = 0, drawn = false, over = false, timers = [];
  let missing = null; // what of the user's work the address does not hold; null: it holds no settings
  let going = false;

  const element = (id) => document.getElementById(id);
  const waits = (on) => document.documentElement.classList.toggle("lmdk-waits", on);
  waits(true);

  function say(text) {
    const place = document.querySelector("#lmdk-loading p");
    if (place) place.textContent = text;
  }

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
    waits(false);
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
      window.dispatchEvent(new Event("resize")); // for widgets that measured themselves before
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
  }

  // What a reload brings back: only what the address of the page holds.
  function kept() {
    if (!missing) return "A reload begins this page anew.";
    if (!missing.length) return "The address of this page holds your settings: a reload brings them back.";
    const list = missing.join(", ").replace(/, ([^,]*)$/, " and $1");
    return `The address of this page holds your settings, but not ${list}: a reload brings back the settings alone.`;
  }

  // What is said when nothing happens for long. Waiting in the server's line is something that happens.
  function patience() {
    timers.forEach(clearTimeout);
    timers = [
      setTimeout(() => say(SLOW), SLOW_MS),
      setTimeout(() => element("lmdk-loading") && failed(UNDRAWN), HOPELESS_MS),
    ];
  }

  function ended(sentence) {
    const text = `${sentence} ${OFF} ${kept()}`;
    const place = document.querySelector("#lmdk-ended p");
    if (place.textContent !== text) place.textContent = text; // else a screen reader would say it at every heartbeat
    attached(false);
  }

  // Without a session behind them the controls are inert: nobody should turn what answers no more.
  function attached(on) {
    element("lmdk-ended").hidden = on;
    for (const part of document.querySelectorAll(".lmdk-output")) part.inert = !on;
  }

  // Asks whether the kernel is there. This is a plain request: it is no use of the kernel and keeps none alive.
  async function beat() {
    if (over || !kernel || document.hidden) return;
    try {
      const address = `${document.body.dataset.server}api/kernels/${kernel}`;
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      const model = answer.ok ? await answer.json() : {};
      silent = 0;
      over = [403, 404].includes(answer.status) || model.execution_state === "dead";
      cut = drawn && model.connections === 0 ? cut + 1 : 0; // widgets reconnect by themselves, but not for ever
      if (over) {
        ended(ENDED);
        window.dispatchEvent(new CustomEvent("lmdk-ended"));
      } else if (cut >= 4) ended(CUT);
      else attached(true);
    } catch {
      silent += 1;
      if (silent >= 2) ended(SILENT);
    }
  }

  // Asks before work is lost. Voila ends the session at this event, even if the user then stays: it hears of it only when
  // the page goes. This listener comes first, as this program runs before Voila's.
  addEventListener("beforeunload", (event) => {
    if (going) return;
    event.stopImmediatePropagation();
    if (over || !missing?.length) return;
    event.preventDefault();
    event.returnValue = ""; // older browsers ask only then
  });
  addEventListener("pagehide", () => {
    going = true;
    dispatchEvent(new Event("beforeunload"));
    going = false;
  });

  patience();
  setInterval(beat, HEARTBEAT_MS);
  addEventListener("online", beat);
  addEventListener("pageshow", (event) => event.persisted && beat());
  document.addEventListener("visibilitychange", beat);
  addEventListener("lmdk-address", (event) => (missing = event.detail));
  addEventListener("lmdk-error", (event) => report(String(event.detail)));
  addEventListener("click", (event) => {
    if (event.target.closest?.("#lmdk-ended button")) location.reload();
    if (event.target.closest?.("#lmdk-errors button")) {
      element("lmdk-errors").hidden = true;
      document.querySelector("#lmdk-errors ul").replaceChildren();
    }
  });
  // Names that Voila calls.
  Object.assign(window, { voila_heartbeat() {}, voila_process() {}, voila_finish() {}, update_loading_text() {} });

  return {
    failed,
    undrawn: () => failed(UNDRAWN),
    waiting(before) {
      patience();
      say(before ? WAITS(before) : STARTS);
    },
    session(id) {
      kernel = id;
      document.body.dataset.kernelId = id; // where Voila's program looks for it
      say("Preparing the page …");
    },
    prepared() {
      if (document.querySelector(".lmdk-output")) watch();
      else if (element("lmdk-errors").hidden) failed();
    },
  };
})();
