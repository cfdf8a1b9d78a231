// The button that saves a chart as a picture: seen while the chart is pointed at, tapped or reached by keyboard.
import { button } from "./dom.js";
import { icon } from "./icons.js";

const HOW = "as a picture: PNG, with Shift as SVG";

// save(format); named: what is saved, in words
export function saveButton(named, save) {
  const text = `Save ${named} ${HOW}`;
  const made = button("", (event) => save(event.shiftKey ? "svg" : "png"), { class: "lmdk-savechart", "aria-label": text, title: text });
  made.append(icon("save"));
  return made;
}
