// The fold "Streets" of a map: whose streets are under it, and what that reveals to whom. The user's own file is read in the
// browser and not sent anywhere; OpenStreetMap's server is asked only when its button is pressed.
import L from "leaflet";
import { luminance, rgb } from "../page/contrast.js";
import { button, closedFromOutside, h, setText } from "../page/dom.js";

const TILES = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
const ATTRIBUTION = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';
const UNREACHED = "The street map cannot be reached: is there a connection?";
const FROM_SERVER = "Read from the server of this page: nobody else learns where you look.";
const FROM_BROWSER = "Read in this browser: nobody learns where you look.";
const FROM_ELSEWHERE = "Its server learns which area you look at.";

export class StreetChoice {
  // act: { map(), bounds(), shown(on), dark() }
  constructor(bar, act) {
    this.bar = bar;
    this.act = act;
    this.layer = null;
    this.file = null;
    this.chosen = null;
    this.elsewhere = null;
    this.own = this.option("", FROM_BROWSER, () => this.toggle("file"));
    this.own.element.hidden = true;
    this.online = this.option("OpenStreetMap", FROM_ELSEWHERE, () => this.toggle("online"));
    const input = h("input", { type: "file", accept: ".pmtiles", class: "lmdk-file" });
    input.addEventListener("change", () => {
      const [file] = input.files;
      input.value = ""; // the same file again is a choice too
      if (file) this.open({ file }, file.name);
    });
    this.upload = h(
      "div",
      { hidden: true },
      h("label", { class: "lmdk-upload" }, "Open a PMTiles file", input),
      h("p", {}, "It stays in this browser: nothing is sent."),
    );
    this.summary = h("summary", { title: "Streets under the map, from a file or from OpenStreetMap" }, "Streets");
    const items = h("div", { class: "lmdk-menuitems" }, this.own.element, this.upload, this.online.element);
    this.element = h("details", { class: "lmdk-menu lmdk-streets" }, this.summary, items);
    this.ended = closedFromOutside([this.element]);
  }

  option(name, told, act) {
    const press = button(name, act, { "aria-pressed": "false" });
    const note = h("p", {}, told);
    return { press, note, element: h("div", {}, press, note) };
  }

  // Files can be chosen from now on; one that the page came with is drawn at once. library: as a page loads its bundles.
  offer({ library, model }) {
    this.library = library;
    this.upload.hidden = false;
    const served = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="lmdk-basemap"]'));
    const name = model.get("_basemap") || served?.dataset.name;
    if (name) this.open(model.get("_basemap") ? { model } : { url: served.content }, name);
  }

  async open(given, name) {
    this.element.open = false;
    this.opening = given;
    const file = await this.read(given, name).catch(() => ({ refused: `${name} could not be read.` }));
    if (this.opening !== given) return file.remove?.(); // another came, or the map went
    if (file.refused) return this.note(file.refused);
    this.show(null);
    this.file?.remove();
    this.file = file;
    setText(this.own.press, name);
    setText(this.own.note, given.file ? FROM_BROWSER : FROM_SERVER);
    this.own.element.hidden = false;
    this.show("file");
  }

  async read(given, name) {
    const { openStreets } = await this.library("streets.js");
    return openStreets(given, name, { leaflet: L, fault: (sentence) => this.note(sentence) });
  }

  toggle(kind) {
    this.element.open = false;
    this.summary.focus();
    this.show(this.chosen === kind ? null : kind);
  }

  // kind: "file", "online", or null
  show(kind) {
    this.layer?.remove();
    this.chosen = kind;
    this.own.press.ariaPressed = String(kind === "file");
    this.online.press.ariaPressed = String(kind === "online");
    this.summary.classList.toggle("lmdk-on", Boolean(kind));
    this.layer = kind ? this.made(kind) : null;
    this.layer?.addTo(this.act.map());
    this.act.shown(Boolean(kind));
    this.look();
  }

  // Whether the file has streets of what is shown; once it is known what that is.
  look() {
    const seen = this.act.bounds();
    if (this.chosen !== "file" || !seen || L.latLngBounds(seen).intersects(this.file.limits) || this.elsewhere === this.file) return;
    this.elsewhere = this.file; // said once
    this.note(`${this.own.press.textContent} has no streets of this place.`);
  }

  made(kind) {
    if (kind === "file") {
      this.dark = this.act.dark();
      const layer = this.file.layer(this.dark);
      layer.options.attribution = this.file.credit;
      return layer;
    }
    let came = false;
    return L.tileLayer(TILES, { maxZoom: 19, attribution: ATTRIBUTION })
      .on("tileload", () => (came = true))
      .on("tileerror", () => this.chosen === "online" && !came && this.unreached());
  }

  // Without a connection nothing comes: the streets go off, with a reason. A single missing tile is not enough for that.
  unreached() {
    this.show(null);
    this.note(UNREACHED);
  }

  // The map has other colours: light streets become dark ones.
  recolour() {
    if (this.chosen === "file" && this.dark !== this.act.dark()) this.show("file");
  }

  note(sentence) {
    this.said?.remove();
    const said = h("p", { class: "lmdk-mapnote", role: "alert" }, sentence);
    this.said = said;
    this.bar.after(said);
    setTimeout(() => said.remove(), 4000 + 60 * sentence.length);
  }

  remove() {
    this.opening = null;
    this.ended();
    this.file?.remove();
  }
}

export const isDark = (colour) => colour.startsWith("#") && luminance(rgb(colour)) < 0.2;
