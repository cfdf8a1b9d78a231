// The colours of the bars of the timeline.
import { coloursOf } from "../page/theme.js";

const MOST_BARS = 400;
const FAINT = "1f"; // of a colour in hexadecimal digits: its opacity

// { colours, outline }: landmarks full, dummies with an outline, the others plain.
export function barColours(store, root) {
  const { n } = store.track;
  if (n > MOST_BARS) return { colours: [] };
  const [regular, landmark] = ["regular", "landmark"].map(coloursOf(root));
  const looks = { landmark, dummy: landmark + FAINT, regular };
  const kinds = Array.from({ length: n }, (_, i) => store.kind(i));
  const outline = store.dummies.length ? { color: landmark, width: kinds.map((kind) => (kind === "dummy" ? 2 : 0)) } : null;
  return { colours: kinds.map((kind) => looks[kind]), outline };
}
