// Dummies and landmarks: what they cost and what still shows, and the colours of the bars, those of dummies hollow.
import { h, setText } from "../page/dom.js";
import { coloursOf } from "../page/theme.js";

const MOST_BARS = 400;
const FAINT = "1f"; // of a colour in hexadecimal digits: its opacity

export class Hidden {
  constructor(root, store) {
    this.root = root;
    this.store = store;
    this.element = h("p", { class: "lmdk-meaning lmdk-hiding", role: "status" });
  }

  // told: { timestamps: the dummies, text }; none where nothing is hidden
  show(told = { timestamps: [], text: "" }) {
    this.store.dummies = told.timestamps;
    setText(this.element, told.text);
    this.root.classList.toggle("lmdk-hashidden", told.timestamps.length > 0);
  }
}

// The colours of the bars, { colours, outline }: landmarks full, dummies with an outline, the others plain.
export function barColours(store, root) {
  const { n } = store.track;
  if (n > MOST_BARS) return { colours: [] };
  const [regular, landmark] = ["regular", "landmark"].map(coloursOf(root));
  const looks = { landmark, dummy: landmark + FAINT, regular };
  const kinds = Array.from({ length: n }, (_, i) => store.kind(i));
  const outline = store.dummies.length ? { color: landmark, width: kinds.map((kind) => (kind === "dummy" ? 2 : 0)) } : null;
  return { colours: kinds.map((kind) => looks[kind]), outline };
}
