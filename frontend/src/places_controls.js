// The settings of the laboratory of optimal places.
import { h, setText } from "./dom.js";
import { Fields } from "./fields.js";

const OWN = "own";
const PRIVACY = ["more private", "more accurate"];

export class PlacesControls extends Fields {
  // act: { uploadTrack(file), uploadCheckins(file), clear() }
  constructor(element, options, ask, act) {
    super(ask);
    this.samples = options.samples.map((s) => s.name);
    const centre = h(
      "details",
      {},
      h("summary", {}, "Move the grid"),
      this.number("latitude", "Latitude of the centre", { whole: false }, h("span", { class: "lmdk-beside" }, "degrees")),
      this.number("longitude", "Longitude of the centre", { whole: false }, h("span", { class: "lmdk-beside" }, "degrees")),
    );
    this.rows.centre = { row: centre };
    const track = this.choice("track", "Track", [...options.samples, { name: OWN, title: "A track of your own", meaning: "" }]);
    this.own = this.rows.track.control.querySelector(`option[value=${OWN}]`);
    track.append(this.upload("Upload a track", "Upload a track", ".csv,.txt,.tsv,.gpx,.geojson,.json,.plt", act.uploadTrack));
    const prior = this.choice("prior", "Prior", options.priors);
    this.checkins = this.rows.prior.control.querySelector("option[value=checkins]");
    prior.append(this.upload("Upload check-ins", "Upload check-ins", ".csv,.txt,.tsv", act.uploadCheckins), about());
    this.clear = h("button", { type: "button", onclick: act.clear }, "Clear the painting");
    prior.append(this.clear);
    this.epsilon = h("p", { class: "lmdk-meaning" });
    element.append(
      this.group(
        "Places",
        this.choice("area", "Area", options.areas),
        h("div", { class: "lmdk-placessides" }, this.number("rows", "Rows"), this.number("columns", "Columns")),
        this.slider("cell_m", "Cell size", { low: 50, high: 10000, log: true, unit: "m", ends: ["small", "large"] }),
        centre,
      ),
      this.group("Who is where", prior, track, this.choice("other", "Second prior", options.others)),
      this.group(
        "Privacy",
        this.slider("level", "Privacy level", { low: 0.05, high: 10, log: true, ends: PRIVACY }),
        this.slider("radius_m", "Within a radius of", { low: 50, high: 10000, log: true, backwards: true, unit: "m", ends: PRIVACY }),
        this.epsilon,
        this.slider("dilation", "Dilation of the spanner", { low: 1, high: 2, backwards: true, ends: ["quicker", "more accurate"] }),
      ),
    );
  }

  show(choices) {
    const own = !this.samples.includes(choices.track);
    super.show({ ...choices, track: own ? OWN : choices.track });
    this.own.disabled = !own;
    this.checkins.disabled = !choices.checkins;
    const grid = choices.area === "grid";
    for (const name of ["rows", "columns", "centre"]) this.rows[name].row.hidden = !grid;
    const needs = !grid || ["time", "counts"].includes(choices.prior) || ["morning", "evening"].includes(choices.other);
    this.rows.track.row.hidden = !needs;
    this.clear.hidden = !choices.painted.length;
    const perMetre = (choices.level / choices.radius_m).toPrecision(3);
    setText(this.epsilon, `ε = ${choices.level} / ${choices.radius_m} m = ${Number(perMetre)} per metre`);
  }
}

function about() {
  const text = [
    "Check-ins: a line each, under a heading that names latitude and longitude; commas, semicolons or tabs between columns; other columns, such as a user or a time, are passed over.",
    "Or counts of a square of cells of 100 m around the centre of the grid: k times k numbers, column by column from the west, each from the south.",
    "The file stays on this computer; no link holds any of it.",
  ];
  return h("details", {}, h("summary", {}, "What can be uploaded"), h("ul", {}, ...text.map((line) => h("li", {}, line))));
}
