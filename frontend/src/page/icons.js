// Drawn icons; the button of each says in words what it does.
import { svg } from "./dom.js";

const PATHS = {
  undo: "M7 4 3 8l4 4M3 8h9a5 5 0 0 1 0 10H8",
  redo: "M13 4l4 4-4 4M17 8H8a5 5 0 0 0 0 10h4",
  share: "M8 12l5-5M9 6l2-2a3.5 3.5 0 0 1 5 5l-2 2M11 14l-2 2a3.5 3.5 0 0 1-5-5l2-2",
  save: "M10 3v9M6 9l4 4 4-4M4 16h12",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2 1-1.2 2M10 15v.1",
};

export function icon(name) {
  const look = { viewBox: "0 0 20 20", class: "lmdk-icon", "aria-hidden": "true" };
  return svg("svg", look, svg("path", { d: PATHS[name] }));
}
