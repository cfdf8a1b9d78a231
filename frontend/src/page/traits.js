// The choices of a page as traits of its widget, set by the browser. The kernel has the same already; programs such as
// marimo run again only what follows a value that a browser sets.
import { inField } from "./number_field.js";

const NAMES = ["choices", "epsilon", "scheme", "landmarks"];

// stamp: another text each time, which tells the kernel that these are not asked for. A page without a widget has no traits.
export function setTraits(model, choices, stamp) {
  if (!model.get("choices")) return;
  const { epsilon } = choices;
  const shown = { ...choices, choices, epsilon: typeof epsilon === "number" ? inField(epsilon) : epsilon };
  for (const name of NAMES) if (model.get(name) !== undefined) model.set(name, shown[name]);
  model.set("_shown", stamp);
  model.save_changes();
}
