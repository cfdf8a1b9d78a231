// Saving: the button is busy from the click on, what takes longer says so, and every answer ends it, including a refusal.
import { copyPython, download } from "./dom.js";
import { fileOf } from "./picture.js";
import { soFar } from "./waits.js";

export const SAVED = "save"; // the id of what is asked for here, where updates have numbers
const APART = 150; // ms between two files: browsers silently drop what comes after ten files in a second
const MIME = { svg: "image/svg+xml", png: "image/png" };

const LONGEST = 40; // letters of each part of a file's name, as `export_name` of Python writes it
const fileName = (parts) =>
  parts
    .map((part) =>
      part
        .toLowerCase()
        .replace(/[^a-z0-9.]+/g, "-")
        .slice(0, LONGEST)
        .replace(/^[-.]+|[-.]+$/g, ""),
    )
    .join("_");

export class Saver {
  constructor(send, toolbar, notices) {
    this.send = send;
    this.toolbar = toolbar;
    this.notices = notices;
  }

  save(what, title) {
    if (what === "what-if") return this.record("offer", null, false);
    this.toolbar.saving(true);
    this.notices.waits.follow("save", (seconds) => [`Making the file “${title}”${soFar(seconds)}`]);
    this.send({ type: "save", what, id: SAVED, ...(what.startsWith("report") ? { heading: this.toolbar.heading() } : {}) });
  }

  // The user's own data: the report for the user, or the one to share.
  which() {
    this.over();
    const save = (text, what) => ({ text, act: () => this.save(what, text) });
    const choices = [save("For you: with the true data", "report-own"), save("To share: from one release", "report-others")];
    const asked =
      "Who is the report for? A report for you is computed from the true data. A report to share is computed from one release " +
      "instead, the times and the marked timestamps; it contains nothing else of the true data.";
    this.notices.error(asked, { choices, asks: true });
  }

  // The page as one file with recorded answers: first which controls stay open, and how large it will be.
  record(step, open, truth, report = false) {
    this.send({ type: "record", step, open, truth, report, id: SAVED });
    if (step !== "make") return;
    this.toolbar.saving(true);
    this.share = 0;
    const stop = () => (this.over(), this.record("stop", null, false));
    this.notices.waits.follow("save", () => ["Recording every setting of the controls that stay open", this.share], [["Stop", stop]]);
  }

  async offered(offer, library) {
    this.offer = offer; // the size comes a moment after the controls
    if (offer.text || this.panel?.element.isConnected) return this.panel?.show(offer);
    const { WhatIfPanel } = await library("what_if_panel.js"); // a separate bundle: most visits do not need it
    this.notices.choose((close) => {
      this.panel = new WhatIfPanel((...asked) => this.record(...asked), close);
      return this.panel;
    });
    this.panel.show(this.offer);
  }

  recording({ share }) {
    this.share = share;
  }

  over() {
    this.toolbar.saving(false);
    this.notices.waits.end("save");
  }

  copied(message) {
    this.over();
    copyPython(message, this.notices);
  }

  // The charts of the page as pictures, one file each.
  async pictures({ format, note, pictures }) {
    try {
      for (const picture of pictures) {
        download(picture.file, MIME[format], await fileOf(picture, note, format));
        await new Promise((go) => setTimeout(go, APART));
      }
      this.notices.say(`Saved ${pictures.length === 1 ? pictures[0].file : `${pictures.length} charts, one file each`}.`);
    } finally {
      this.over();
    }
  }

  // One chart, as `fileOf` takes it, with the key to its marks if it has none; about: { note, named }, what it says below it and the settings that the name of its file mentions.
  async picture({ key = "", title, ...picture }, { note, named }, format) {
    const name = `${fileName([note.split(/;|<br>/)[0], ...named, title])}.${format}`;
    download(name, MIME[format], await fileOf({ title, ...picture }, key ? `${key}<br>${note}` : note, format));
    this.notices.say(`Saved ${name}.`);
  }

  file({ name, mime, said }, buffers) {
    this.over();
    download(name, mime, buffers[0]);
    this.notices.say(`Saved ${name}. ${said}`.trim());
  }
}
