// Which of two text colours can be read on a fill: the one with the larger contrast, by the luminance of WCAG 2.

// [red, green, blue] of "#rrggbb"
export function rgb(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

export function readable(fill, candidates) {
  const contrast = (hex) => {
    const [low, high] = [luminance(fill), luminance(rgb(hex))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  return candidates.reduce((best, hex) => (contrast(hex) > contrast(best) ? hex : best));
}

export function luminance(colour) {
  const [r, g, b] = Array.from(colour).map((value) => (value <= 10.314 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
