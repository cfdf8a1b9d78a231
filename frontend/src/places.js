// The laboratory of optimal places: what a mechanism reports, what an adversary learns from it, and what it costs.
import { Chart } from "./chart.js";
import { h, setText } from "./dom.js";
import { LabPage } from "./lab.js";
import { shielded } from "./map_frame.js";
import css from "./places.css";
import { PlacesControls } from "./places_controls.js";
import { PlacesMap } from "./places_map.js";
import { CLASSES, percent } from "./places_scale.js";

const CHARTS = {
  loss: "Quality loss against privacy",
  adversary: "The adversary, with this prior and with another",
  tradeoff: "Quality loss against adversary error",
  price: "Constraints and times",
};
const BRUSHES = [
  [0, "never"],
  [1, "1"],
  [4, "4 times"],
  [16, "16 times"],
];

export default {
  render({ model, el, library }) {
    const page = new PlacesPage({ model, el, library }, { name: "places", title: "Optimal places", css });
    return () => page.remove();
  },
};

class PlacesPage extends LabPage {
  build(first, main) {
    this.brush = 4;
    this.drawn = {};
    this.buildStatus();
    this.pictures = h("div", { class: "lmdk-segments", role: "group", "aria-label": "Mechanism" });
    this.clicks = h("div", { class: "lmdk-segments", role: "group", "aria-label": "What a click means" });
    this.brushes = h("div", { class: "lmdk-segments", role: "group", "aria-label": "Brush", hidden: true });
    const place = h("section", { class: "lmdk-places-map", "aria-label": "Map" }, this.pictures, this.clicks, this.brushes);
    const act = {
      pick: (cell) => this.ask("place", cell, false),
      paint: (cells) => this.pump.request({ op: "paint", cells, weight: this.brush }),
      hover: (cell) => this.showReadout(cell),
    };
    this.map = shielded(() => new PlacesMap(place, act), (text) => this.notices.fault(text));
    this.readout = h("p", { class: "lmdk-readout", "aria-live": "polite" });
    this.tells = h("p", { class: "lmdk-summary", "data-lmdk": "picture" });
    place.append(legend(), this.readout, this.tells);
    this.rows = h("tbody");
    this.guarantee = h("p", { class: "lmdk-guarantee" });
    const table = h("table", { class: "lmdk-table lmdk-certificate" }, h("caption", { class: "lmdk-offscreen" }, "The certificate"), this.rows);
    const certificate = h("section", { "aria-label": "Certificate", class: "lmdk-places-certificate" }, h("h2", {}, "The certificate"));
    certificate.append(h("div", { class: "lmdk-tableframe" }, table), h("h2", {}, "What is guaranteed, and against whom"), this.guarantee);
    first.append(this.status, place, certificate);
    this.buildCharts(main);
    this.handlers.progress = (message) => this.setProgress(message);
    this.handlers.charts = (message) => (this.setProgress(message), this.drawCharts(message.figures));
  }

  buildStatus() {
    const button = (text, type) => h("button", { type: "button", hidden: true, onclick: () => this.send({ type }) }, text);
    this.statusText = h("span", { "data-lmdk": "status" });
    this.cancel = button("Cancel", "cancel");
    this.resume = button("Solve again", "resume");
    this.status = h("div", { class: "lmdk-places-status", role: "group", "aria-label": "Solving" }, this.statusText, this.cancel, this.resume);
  }

  buildCharts(main) {
    main.classList.add("lmdk-places-charts");
    this.wait = h("button", { type: "button", hidden: true, onclick: () => this.send({ type: "charts" }) }, "Compute the charts for so many cells");
    const parts = Object.entries(CHARTS).map(([name, title]) => {
      const part = h("section", { "aria-label": title }, h("h2", {}, title));
      return [name, part];
    });
    main.append(h("div", { class: "lmdk-places-wait" }, this.wait), ...parts.map(([, part]) => part));
    this.plotly = this.library("plotly.js").then((module) => {
      this.charts = Object.fromEntries(parts.map(([name, part]) => [name, new Chart(part, module.default, { label: CHARTS[name] })]));
    });
  }

  setOptions(options) {
    this.options = options;
    this.controls.replaceChildren();
    const upload = (kind) => (file) => {
      this.send({ type: "expect", kind });
      this.uploader.start(file);
    };
    this.fields = new PlacesControls(this.controls, options, (name, value, commit) => this.ask(name, value, commit), {
      uploadTrack: upload("track"),
      uploadCheckins: upload("checkins"),
      clear: () => this.pump.request({ op: "clear" }),
    });
    this.controls.append(h("p", { class: "lmdk-foot" }, `lmdk_widgets ${options.version}. Runs on this computer; nothing is sent elsewhere.`));
    this.pictures.replaceChildren(...options.mechanisms.map((m) => this.segment("mechanism", m, true)));
    this.clicks.replaceChildren(h("span", { class: "lmdk-segmentname" }, "A click is"), ...options.clicks.map((c) => this.segment("click", c, false)));
    const brush = ([weight, text]) => {
      const button = h("button", { type: "button", "data-name": String(weight) }, text);
      button.addEventListener("click", () => this.setBrush(weight));
      return button;
    };
    this.brushes.replaceChildren(h("span", { class: "lmdk-segmentname" }, "Weight"), ...BRUSHES.map(brush));
    this.setBrush(this.brush);
  }

  segment(name, { name: value, title, meaning }, commit) {
    const button = h("button", { type: "button", "data-name": value, title: meaning }, title);
    button.addEventListener("click", () => this.ask(name, value, commit));
    return button;
  }

  setBrush(weight) {
    this.brush = weight;
    press(this.brushes, String(weight));
  }

  show(message) {
    const { choices } = message;
    this.fields?.show(choices);
    press(this.pictures, choices.mechanism);
    press(this.clicks, choices.click);
    this.brushes.hidden = choices.click !== "paint";
    this.map.setMode(choices.click === "paint");
    if (message.refused) return;
    for (const button of this.pictures.children) button.classList.toggle("lmdk-notyet", !message.known.includes(button.dataset.name));
    this.rows.replaceChildren(...message.certificate.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))));
    setText(this.guarantee, message.guarantee);
    this.root.classList.toggle("lmdk-stale", message.stale);
    this.setProgress(message);
  }

  setProgress({ status, busy, charts_wait: waits }) {
    setText(this.statusText, status || "Solved.");
    this.cancel.hidden = !busy;
    this.resume.hidden = busy || !status;
    this.wait.hidden = !waits;
    this.root.dataset.lmdkBusy = busy ? "1" : "";
  }

  async draw(message, arrays) {
    this.picture = { ...message, ...arrays };
    this.map.setCells({ ...arrays, base: message.base, names: message.names });
    this.map.setPicture(arrays.values, message.shown);
    setText(this.tells, message.summary);
    this.showReadout(this.hovered ?? -1);
    const charts = this.drawCharts(message.figures);
    if (!this.paintings) await charts; // later ones are painted when there is time
  }

  async drawCharts(figures) {
    await this.plotly;
    const changed = Object.entries(figures).filter(([name, figure]) => {
      const key = JSON.stringify(figure);
      return this.drawn[name] !== key && (this.drawn[name] = key);
    });
    await Promise.all(changed.map(([name, { figure, summary }]) => this.charts[name].draw(figure, {}, summary)));
  }

  showReadout(cell) {
    const { picture } = this;
    this.hovered = cell;
    if (!picture || cell < 0 || cell >= picture.names.length) {
      setText(this.readout, "Point at a cell for its numbers; click it to choose it.");
      return;
    }
    const { names, values, prior, shown } = picture;
    const chosen = names[shown.selected];
    const said = {
      prior: "",
      reports: `, reported from ${chosen} with ${percent(values[cell])}`,
      never: `; the report ${chosen} is never made`,
      belief: `, believed after the report ${chosen} with ${percent(values[cell])}`,
    }[shown.meaning];
    setText(this.readout, `${names[cell]}: prior ${percent(prior[cell])}${said}.`);
  }

  recolour() {
    this.map.colours();
    for (const chart of Object.values(this.charts ?? {})) chart.recolour();
  }

  fit() {
    this.map.fit();
  }

  remove() {
    super.remove();
    this.map.remove();
    for (const chart of Object.values(this.charts ?? {})) chart.remove();
  }
}

function press(group, name) {
  for (const button of group.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.name === name));
}

function legend() {
  const swatch = ({ text }, k) => h("li", {}, h("span", { class: "lmdk-swatch", style: `background: var(--lmdk-p${k})` }), text);
  const mark = (name, sign, text) => h("li", {}, h("span", { class: `lmdk-key-${name}`, "aria-hidden": "true" }, sign), ` ${text}`);
  return h(
    "ul",
    { class: "lmdk-scale", "aria-label": "Legend" },
    ...CLASSES.map(swatch),
    mark("regular", "●", "true place"),
    mark("release", "■", "report"),
    mark("landmark", "◆", "best guess"),
  );
}
