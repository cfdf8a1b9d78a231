// The controls: each asks for a change of the scenario and shows the scenario that came back. None computes anything.
import { CorrelationView } from "./correlation.js";
import { h, setText } from "./dom.js";
import { Fields } from "./fields.js";
import { numberField, readNumber } from "./number_field.js";

const PRIVACY = ["more private", "more accurate"];

export class Controls extends Fields {
  // ask and awaits as in Fields; act: { upload(file), propose(metres, minutes), acceptProposed(whole), clearLandmarks() }
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
    const distance = numberField({ "aria-label": "Stay distance in metres", value: "200" });
    const duration = numberField({ "aria-label": "Stay time in minutes", value: "20" });
    this.found = h("p", { class: "lmdk-meaning", role: "status" });
    const accept = (text, whole) => h("button", { type: "button", hidden: true, onclick: () => act.acceptProposed(whole) }, text);
    this.acceptOne = accept("Mark one timestamp a stay", false);
    this.acceptWhole = accept("Mark the whole stays", true);
    return h(
      "details",
      { class: "lmdk-stays" },
      h("summary", {}, "Propose landmarks"),
      h("p", { class: "lmdk-meaning" }, "Places where the track stays for a while. Nothing is marked until you say so."),
      h("div", { class: "lmdk-pair" }, h("label", {}, "within ", distance, " m")),
      h("div", { class: "lmdk-pair" }, h("label", {}, "for at least ", duration, " min")),
      h(
        "button",
        { type: "button", onclick: () => act.propose(readNumber(distance.value), readNumber(duration.value)) },
        "Find stay points",
      ),
      this.found,
      this.acceptOne,
      this.acceptWhole,
      h("button", { type: "button", onclick: () => act.clearLandmarks() }, "Clear all landmarks"),
    );
  }

  // How many timestamps either button would mark.
  showProposed(one, whole, text) {
    setText(this.found, text);
    this.acceptOne.hidden = !one;
    this.acceptWhole.hidden = !whole;
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
    return this.slider("epsilon", "Epsilon", { low: 0.01, high: 10, log: true, ends: PRIVACY });
  }

  windowRow() {
    return this.number("window", "Window", {}, h("span", { class: "lmdk-beside" }, "timestamps in a row"));
  }

  radiusRow() {
    return this.slider("radius_m", "Protection radius", { low: 10, high: 5000, log: true, backwards: true, unit: "m", ends: PRIVACY });
  }

  mechanismRows() {
    return [
      this.choice("mechanism", "Mechanism", this.options.mechanisms),
      this.slider("place_m", "Size of places", { low: 100, high: 10000, log: true, unit: "m", ends: ["small", "large"] }),
    ];
  }

  adaptiveRows() {
    const bounds = { low: 0.05, high: 0.95, step: 0.05, ends: ["a little", "a lot"] };
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
      this.slider("smoothing", "Strength s", { low: 0.001, high: 10, log: true, backwards: true, ends: ["weak: s large", "strong: s small"] }),
      this.number("states", "Places", {}, h("span", { class: "lmdk-beside" }, "states of the chain")),
      this.slider("cell_m", "Cell size", { low: 100, high: 10000, log: true, unit: "m", ends: ["small", "large"] }),
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
    return this.slider("target", "Keep the loss below", { low: 0.01, high: 10, log: true, ends: PRIVACY });
  }

  seedRow() {
    const again = h("button", { type: "button" }, "Draw again");
    again.addEventListener("click", () => this.ask("seed", (this.scenario.seed + 1) % 2 ** 31, true));
    return this.number("seed", "Seed", {}, again);
  }

  averageRow() {
    return this.checkbox("average", "Average of 100 draws");
  }

  show(scenario) {
    super.show(scenario);
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
  }
}
