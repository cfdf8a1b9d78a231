// Drawing on a canvas in pixels of the page, whatever the ratio of the screen.

// The context of a canvas that has this size now, with nothing on it.
export function sized(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, t] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== t) Object.assign(canvas, { width: w, height: t });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const context = canvas.getContext("2d");
  context.resetTransform();
  context.clearRect(0, 0, w, t);
  context.scale(ratio, ratio);
  return context;
}

// A path through corners, given as x, y, x, y, ...
export function path(context, ...corners) {
  context.beginPath();
  for (let k = 0; k < corners.length; k += 2) context.lineTo(corners[k], corners[k + 1]);
}

// The context of a canvas of its own, with more pixels than the page, for a picture.
export function blank(width, height, sharp = 2) {
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(sharp * width), height: Math.ceil(sharp * height) });
  canvas.style.width = `${width}px`;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(sharp, sharp);
  return context;
}

export function diamond(context, x, y, r) {
  path(context, x, y - r, x + r, y, x, y + r, x - r, y);
  context.closePath();
}

export function star(context, x, y, r) {
  const corner = (k) => {
    const [turn, far] = [(k * Math.PI) / 5 - Math.PI / 2, k % 2 ? 0.45 * r : r];
    return [x + far * Math.cos(turn), y + far * Math.sin(turn)];
  };
  path(context, ...Array.from({ length: 10 }, (_, k) => corner(k)).flat());
  context.closePath();
}

export function disc(context, x, y, r) {
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
}

// A path around a box: left, top, width, height.
export function box(context, ...sides) {
  context.beginPath();
  context.rect(...sides);
}

// Fills the path, or strokes it, or both; with a box (left, top, width, height) that instead of the path.
export function paint(context, { fill = null, stroke = null, width = 1, dash = [] }, ...box) {
  if (fill) {
    context.fillStyle = fill;
    box.length ? context.fillRect(...box) : context.fill();
  }
  if (!stroke) return;
  Object.assign(context, { strokeStyle: stroke, lineWidth: width });
  context.setLineDash(dash);
  box.length ? context.strokeRect(...box) : context.stroke();
  context.setLineDash([]);
}

// Writes a text; look: { font, textAlign, textBaseline, fillStyle, strokeStyle }, the last for a rim around the letters.
export function write(context, text, x, y, look, most = undefined) {
  Object.assign(context, look);
  if (look.strokeStyle) {
    Object.assign(context, { lineWidth: 3, lineJoin: "round" });
    context.strokeText(text, x, y);
  }
  context.fillText(text, x, y, most);
}
