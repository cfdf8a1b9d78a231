// Larger letters, controls and charts for a room with a projector: one switch for all pages, remembered in the browser.
import { recalled, remember } from "./dom.js";

const NAME = "lmdk-present";

// Browsers may forbid to keep anything: then it holds as long as the page is open.
export function present(on) {
  remember(NAME, on ? "1" : "");
  window.dispatchEvent(new CustomEvent(NAME, { detail: on }));
}

// A page, and the dashboard around it, follow the switch: act(on) now and at every change. Gives what ends that.
export function onPresent(root, act) {
  const follow = (on) => {
    for (const element of [root, root.closest(".lmdk-dashboard")]) element?.classList.toggle(NAME, on);
    act(on);
  };
  const listener = (event) => follow(event.detail);
  window.addEventListener(NAME, listener);
  follow(recalled(NAME) === "1" || Boolean(document.querySelector(`.${NAME}`)));
  return () => window.removeEventListener(NAME, listener);
}
