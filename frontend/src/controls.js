// The controls: each asks for a change of the scenario and shows the scenario that came back. None computes anything.
import { CorrelationView } from "./correlation.js";
import { h, setText } from "./dom.js";
import { Fields } from "./fields.js";

export class Controls extends Fields {
  // ask and awaits as in Fields; act: { upload(file), propose(distance, duration), acceptProposed(), clearLandmarks() }
  constructor(element, options, ask, awaits, act) {
    super(ask, awaits);
    this.options = options;
    element.append(
      this.group("Track", this.trackRow(act), this.staysRow(act)),
      this.group("Privacy", this.schemeRow(), this.epsilonRow(), this.targetRow(), this.windowRow(), this.radiusRow(), ...this.mechanismRows(), ...this.adaptiveRows()),
      this.group("Adversary", this.correlationRow(), ...this.chainRows(act), this.adversaryRow(), this.landmarkLossRow()),
      this.group("Noise", this.seedRow(), this.averageRow()),
    );
  }

  trackRow(act) {
    const row = this.choice("track", "Track", [...this.options.samples, { name: "", title: "A track of your own", meaning: "" }]);
    const { control } = this.rows.track;
    const own = control.querySelector('option[value=""]');
    own.disabled = true;
    row.append(this.upload("Upload a track", "Upload", ".csv,.txt,.tsv,.gpx,.geojson,.json,.plt", act.upload));
    this.rows.track.row = row;
    this.own = own;
    return row;
  }

  staysRow(act) {
    const number = (value, label, low, high) =>
      h("input", { type: "number", class: "lmdk-number", "aria-label": label, value: String(value), min: low, max: high });
    const distance = number(200, "Stay distance in metres", "1", "100000");
    const duration = number(20, "Stay time in minutes", "1", "10080");
    this.found = h("p", { class: "lmdk-meaning", role: "status" });
    this.accept = h("button", { type: "button", hidden: true, onclick: () => act.acceptProposed() }, "Mark them as landmarks");
    return h(
      "details",
      { class: "lmdk-stays" },
      h("summary", {}, "Propose landmarks"),
      h("p", { class: "lmdk-meaning" }, "Places where the track stays for a while. Nothing is marked until you say so."),
      h("div", { class: "lmdk-pair" }, h("label", {}, "within ", distance, " m")),
      h("div", { class: "lmdk-pair" }, h("label", {}, "for at least ", duration, " min")),
      h(
        "button",
        { type: "button", onclick: () => act.propose(Number(distance.value), Number(duration.value) * 60) },
        "Find stay points",
      ),
      this.found,
      this.accept,
      h("button", { type: "button", onclick: () => act.clearLandmarks() }, "Clear all landmarks"),
    );
  }

  showProposed(count, text) {
    setText(this.found, text);
    this.accept.hidden = !count;
  }

  schemeRow() {
    const row = this.choice("scheme", "Scheme", this.options.schemes);
    row.append(
      h(
        "details",
        {},
        h("summary", {}, "All schemes in a line each"),
        h("ul", { class: "lmdk-meaning" }, ...this.options.schemes.map((s) => h("li", {}, `${s.title}: ${s.meaning}`))),
      ),
    );
    return row;
  }

  epsilonRow() {
    return this.slider("epsilon", "Epsilon", { low: 0.01, high: 10, log: true });
  }

  windowRow() {
    return this.number("window", "Window", { min: "1" }, h("span", { class: "lmdk-beside" }, "timestamps in a row"));
  }

  radiusRow() {
    return this.slider("radius_m", "Protection radius", { low: 10, high: 5000, log: true, unit: "m" });
  }

  mechanismRows() {
    return [
      this.choice("mechanism", "Mechanism", this.options.mechanisms),
      this.slider("place_m", "Size of places", { low: 100, high: 10000, log: true, unit: "m" }),
    ];
  }

  adaptiveRows() {
    const bounds = { low: 0.05, high: 0.95, step: 0.05 };
    return [
      this.slider("increase", "Adaptive: rate rises by", bounds),
      this.slider("decrease", "Adaptive: rate falls by", bounds),
    ];
  }

  correlationRow() {
    return this.choice("correlation", "Correlation", this.options.correlations);
  }

  chainRows(act) {
    this.chain = new CorrelationView(act.matrix);
    return [
      this.slider("smoothing", "Strength s", { low: 0.001, high: 10, log: true }),
      this.number("states", "Places", { min: "2", max: "200" }, h("span", { class: "lmdk-beside" }, "states of the chain")),
      this.slider("cell_m", "Cell size", { low: 100, high: 10000, log: true, unit: "m" }),
      ...this.chain.parts,
    ];
  }

  adversaryRow() {
    return this.choice("adversary", "Adversary", this.options.adversaries);
  }

  landmarkLossRow() {
    return this.checkbox("landmark_loss", "Show what the landmarks lose together");
  }

  targetRow() {
    return this.slider("target", "Keep the loss below", { low: 0.01, high: 10, log: true });
  }

  seedRow() {
    const again = h("button", { type: "button" }, "Draw again");
    again.addEventListener("click", () => this.ask("seed", (this.scenario.seed + 1) % 2 ** 31, true));
    return this.number("seed", "Seed", { min: "0" }, again);
  }

  averageRow() {
    return this.checkbox("average", "Average of 100 draws");
  }

  show(scenario, n) {
    super.show(scenario, n);
    this.scenario = scenario;
    this.own.disabled = scenario.track !== "";
    this.rows.window.row.hidden = !this.options.windowed.includes(scenario.scheme);
    this.rows.increase.row.hidden = this.rows.decrease.row.hidden = scenario.scheme !== "adaptive";
    const modelled = !["none", "estimated", "matrix"].includes(scenario.correlation);
    this.rows.cell_m.row.hidden = scenario.correlation !== "estimated";
    this.rows.smoothing.row.hidden = scenario.correlation !== "strength";
    this.rows.states.row.hidden = !modelled;
    this.rows.adversary.row.hidden = scenario.correlation === "none";
    this.rows.place_m.row.hidden = scenario.mechanism === "planar";
    this.rows.epsilon.row.hidden = scenario.scheme === "planned";
    this.rows.target.row.hidden = scenario.scheme !== "planned";
    this.chain.show(scenario);
    this.rows.window.control.max = String(n);
  }
}
