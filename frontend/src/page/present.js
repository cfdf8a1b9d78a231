// Larger letters, controls and charts for a room with a projector, so large that the first screen fills the window: one switch
// for all pages, remembered in the browser.
import { recalled, remember } from "./dom.js";

const NAME = "lmdk-present";
const FULL = { width: 948, height: 592 }; // pixels of a first screen in letters of the usual size
const [LEAST, MOST] = [1.35, 1.8]; // times the usual size

const sizeOfWindow = () => Math.min(MOST, Math.max(LEAST, Math.min(window.innerWidth / FULL.width, window.innerHeight / FULL.height)));

// Browsers may forbid storage: then it lasts as long as the page is open.
export function present(on) {
  remember(NAME, on ? "1" : "");
  window.dispatchEvent(new CustomEvent(NAME, { detail: on }));
}

// A page, and the dashboard around it, follow the switch: act(on) now and at every change. Returns a function that ends this.
export function onPresent(root, act) {
  const follow = (on) => {
    for (const element of [root, root.closest(".lmdk-dashboard")]) {
      element?.classList.toggle(NAME, on);
      if (on) element?.style.setProperty("--lmdk-size", sizeOfWindow().toFixed(2));
      else element?.style.removeProperty("--lmdk-size");
    }
    act(on);
  };
  const resized = () => root.classList.contains(NAME) && follow(true);
  const listener = (event) => follow(event.detail);
  window.addEventListener(NAME, listener);
  window.addEventListener("resize", resized);
  follow(recalled(NAME) === "1" || Boolean(document.querySelector(`.${NAME}`)));
  return () => {
    window.removeEventListener(NAME, listener);
    window.removeEventListener("resize", resized);
  };
}
