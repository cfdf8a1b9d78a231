// What the adversary knows: the chain as a heat map with its long run beneath, and a field for a matrix of one's own.
import { blended, readable, rgb } from "./contrast.js";
import { h, setText } from "./dom.js";

const SIDE = 220; // pixels

export class CorrelationView {
  // ask(text, normalize): a matrix as text
  constructor(ask) {
    this.canvas = h("canvas", { class: "lmdk-heat", role: "img", width: SIDE, height: SIDE + 34 });
    this.caption = h("p", { class: "lmdk-meaning", role: "status" });
    this.text = h("textarea", { rows: "4", spellcheck: "false", class: "lmdk-matrix", "aria-label": "Transition matrix" });
    const file = h("input", { type: "file", class: "lmdk-file", "aria-label": "Upload a matrix", accept: ".csv,.txt,.tsv,.json" });
    file.addEventListener("change", async () => {
      if (file.files[0]) ask(await file.files[0].slice(0, 1 << 20).text(), false);
      file.value = "";
    });
    this.field = h(
      "div",
      { class: "lmdk-field", hidden: true },
      h("label", {}, "Matrix, a row a line", this.text),
      h("button", { type: "button", onclick: () => ask(this.text.value, false) }, "Use this matrix"),
      h("label", { class: "lmdk-upload" }, "Upload a matrix", file),
    );
    this.figure = h("details", {}, h("summary", {}, "The chain as a heat map"), this.canvas);
    this.parts = [this.field, this.caption, this.figure];
  }

  show(scenario) {
    this.field.hidden = scenario.correlation !== "matrix";
  }

  // message: { states, text, rows }; buffers: the matrix row by row and its long run, float32
  setChain(message, matrix, longRun) {
    setText(this.caption, message.text);
    this.figure.hidden = !message.states;
    if (document.activeElement !== this.text && message.rows) this.text.value = message.rows;
    this.chain = message.states ? { m: message.states, matrix, longRun } : null;
    this.canvas.setAttribute("aria-label", `Heat map of the transition matrix. ${message.text}`);
    this.draw();
  }

  draw() {
    if (!this.chain) return;
    const { m, matrix, longRun } = this.chain;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = SIDE * ratio;
    this.canvas.height = (SIDE + 34) * ratio;
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(`--lmdk-${name}`).trim();
    const cell = SIDE / m;
    context.fillStyle = colour("panel");
    context.fillRect(0, 0, SIDE, SIDE);
    context.fillStyle = colour("regular");
    for (let x = 0; x < m; x++) {
      for (let y = 0; y < m; y++) {
        // a square root keeps small probabilities visible
        context.globalAlpha = Math.sqrt(matrix[x * m + y]);
        context.fillRect(y * cell, x * cell, cell - (m > 40 ? 0 : 1), cell - (m > 40 ? 0 : 1));
      }
    }
    context.globalAlpha = 1;
    if (m <= 6) this.writeNumbers(context, cell, colour);
    const most = Math.max(...longRun);
    context.fillStyle = colour("landmark");
    for (let x = 0; x < m; x++) {
      const height = 28 * (longRun[x] / most);
      context.fillRect(x * cell, SIDE + 34 - height, Math.max(1, cell - 1), height);
    }
  }

  writeNumbers(context, cell, colour) {
    const { m, matrix } = this.chain;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    const [fill, ground] = [rgb(colour("regular")), rgb(colour("panel"))];
    for (let k = 0; k < m * m; k++) {
      const at = [matrix[k].toFixed(2), ((k % m) + 0.5) * cell, (Math.floor(k / m) + 0.5) * cell + 4];
      context.fillStyle = readable(blended(fill, ground, Math.sqrt(matrix[k])), [colour("ink"), colour("paper")]);
      context.fillText(...at);
    }
  }
}
