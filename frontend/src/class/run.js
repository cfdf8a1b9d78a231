// The run of show on the board: where the class is in a plan, and the keys that step through it.
import { button, h, setText } from "../page/dom.js";
import { choices, field } from "./forms.js";
import { address } from "./wire.js";

const NEXT = new Set(["ArrowRight", "PageDown", " "]);
const BACK = new Set(["ArrowLeft", "PageUp"]);
export const TYPED = "input, select, textarea, [contenteditable]";
const KEYS = "Keys: right arrow or space to continue, left arrow to go back.";

// The form that begins a plan.
export function planForm(plans, tell) {
  const form = h(
    "form",
    { class: "class-form" },
    h("h2", {}, "Run of show"),
    field(
      "Plan",
      choices(
        "plan",
        plans.map((title) => [title, title]),
      ),
      KEYS,
    ),
    h("button", { class: "class-main" }, "Start"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell({ do: "follow", plan: form.elements.plan.value });
  });
  return form;
}

export class RunBar {
  constructor(tell) {
    this.tell = tell;
    this.run = null;
    this.said = h("p", { class: "class-small" });
    this.text = h("p", { class: "class-say" });
    this.link = h("a", { target: "pages", class: "class-open" }, "Open the page (Enter)");
    this.page = h("p", { hidden: true }, this.link);
    this.back = button("Back", () => this.move("back"));
    this.next = button("", () => this.move("next"), { class: "class-main" });
    const leave = button("Leave the plan", () => tell({ do: "leave" }));
    const keys = h("div", { class: "class-deeds" }, this.back, this.next, leave);
    this.element = h("section", { class: "class-run", "aria-label": "Run of show", hidden: true }, this.said, keys, this.text, this.page);
    addEventListener("keydown", (event) => this.key(event));
  }

  show(run) {
    this.run = run;
    this.element.hidden = !run;
    if (!run) return;
    setText(this.said, `${run.title}. ${run.said}`);
    setText(this.text, run.text);
    this.text.hidden = !run.text;
    const opened = run.link ? `${address("")}?${run.link}` : "";
    this.page.hidden = !opened;
    if (opened !== (this.link.getAttribute("href") ?? "")) {
      this.link.setAttribute("href", opened);
      if (opened) this.link.focus(); // Enter opens it
    }
    setText(this.next, run.next);
    this.next.hidden = !run.next;
    this.back.disabled = run.first;
  }

  // A press for a state that is over does nothing: the server compares what was seen.
  move(deed) {
    this.tell({ do: deed, seen: this.run.seen });
  }

  key(event) {
    if (!this.run || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(TYPED)) return;
    const pressed = event.key === " " && event.target.closest("button, summary"); // space presses what has the focus
    const deed = pressed ? null : NEXT.has(event.key) ? "next" : BACK.has(event.key) ? "back" : null;
    if (!deed) return;
    event.preventDefault();
    if (!event.repeat) this.move(deed);
  }
}
