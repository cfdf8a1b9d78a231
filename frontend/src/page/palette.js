// Colours: frontend/palette.py writes this file.
export const TRACES = ["#2b8cc4", "#e08a00", "#009e73", "#b0508f", "#56b4e9", "#c8503c", "#7f8a96"];
export const PICTURE = { ink: "#16202c", paper: "#ffffff", panel: "#f7f8fa", quiet: "#4b5766", line: "#c9d0d8", grid: "#dfe3e8" };
export const TEXTS = ["#0a1622", "#ffffff"];
export const BLACK = "#000000";
export const WHITE = "#ffffff";
export const UNSET = "#888888";
