// Colours: frontend/palette.py writes this file.
export const TRACES = ["#2b8cc4", "#e08a00", "#009e73", "#b0508f", "#56b4e9", "#c8503c", "#7f8a96"];
export const PICTURE = {
  paper: "#ffffff",
  panel: "#f7f8fa",
  ink: "#16202c",
  quiet: "#4b5766",
  line: "#c9d0d8",
  grid: "#dfe3e8",
  track: "#7d99b5",
  regular: "#0068a8",
  landmark: "#e08a00",
  release: "#8a2f73",
  pinned: "#b3361b",
  link: "rgba(138, 47, 115, 0.45)",
  circle: "rgba(0, 114, 178, 0.12)",
  accent: "#005a92",
  path: "#00795a",
  warn: "#fff4d6",
  warnline: "#b77900",
  bad: "#fde8e4",
  badline: "#b3361b",
  near: "rgba(224, 138, 0, 0.2)",
  hatch: "rgba(176, 104, 0, 0.55)",
  stitch: "#8a2f73",
};
export const BLUES = ["#ffffff", "#f1f5f9", "#dbe7f2", "#b4d0e7", "#86b6da", "#5597cb", "#1f639e", "#0b3866"];
export const BROWNS = ["#ffffff", "#ffffff", "#fff6d5", "#fee6a0", "#fec95c", "#f59d38", "#d2601a", "#7f2d0b"];
export const TEXTS = ["#0a1622", "#ffffff"];
export const BLACK = "#000000";
export const WHITE = "#ffffff";
export const UNSET = "#888888";
