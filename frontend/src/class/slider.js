// The figure of a lesson below the outcome of its question: the teacher moves its slider, also by keys, and sees it stay where
// it is while phones come and go.
import { h } from "../page/dom.js";
import sliding from "../sliding_figure.js";
import { TYPED } from "./run.js";

const STEPS = { ArrowUp: 1, ArrowDown: -1 };
const KEYS = "Keys: arrows up and down move the slider.";

let kept = { round: null, element: null, leave: () => {} };

export function slider(figure, round) {
  if (kept.round === round) return kept.element;
  leaveSlider();
  const place = h("div", { class: "class-slider" });
  const model = { get: () => figure };
  kept = { round, element: place, leave: () => {} };
  // in the document first, as charts ask how wide they may be
  queueMicrotask(() => {
    if (kept.element !== place) return;
    const leave = sliding.render({ model, el: place });
    place.firstElementChild.classList.add("lmdk-present");
    const ranges = [...place.querySelectorAll("input")];
    for (const range of ranges) range.addEventListener("pointerup", () => range.blur()); // keys are the plan's again
    if (ranges.length) {
      place.append(h("p", { class: "class-small" }, KEYS));
      addEventListener("keydown", key);
    }
    kept.leave = () => {
      removeEventListener("keydown", key);
      leave();
    };
  });
  return place;
}

export function leaveSlider() {
  kept.leave();
  kept = { round: null, element: null, leave: () => {} };
}

function key(event) {
  const step = STEPS[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(TYPED)) return;
  const range = kept.element.querySelector("input");
  event.preventDefault();
  range.value = String(Number(range.value) + step);
  range.dispatchEvent(new Event("input"));
  kept.element.scrollIntoView({ block: "nearest" });
}
