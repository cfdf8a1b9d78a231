// Pairs of texts that lie over one another in an element: [[text, other, pixels wide, pixels high], ...]. What is cut off
// or cannot be seen counts no more than what stands aslant, whose box is wider than it, or what has scrolled under something
// that stays where it is.
(root) => {
  const clips = new Map();
  const clip = (element) => {
    if (!element) return { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
    if (clips.has(element)) return clips.get(element);
    let box = clip(element.parentElement);
    const style = getComputedStyle(element);
    if (`${style.overflowX}${style.overflowY}`.replaceAll("visible", "") || element instanceof SVGSVGElement) box = within(box, element.getBoundingClientRect());
    clips.set(element, box);
    return box;
  };
  const within = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const aslant = (element) => /rotate\((?!0|180|-180)/.test(element.closest("svg") ? (element.closest("text")?.getAttribute("transform") ?? "") : "");
  const seen = { checkOpacity: true, checkVisibilityCSS: true };
  const stuck = [...root.querySelectorAll("*")].filter((element) => getComputedStyle(element).position === "sticky");
  const under = (box, node) =>
    stuck.some((element) => {
      const over = within(box, element.getBoundingClientRect());
      return !element.contains(node) && over.right > over.left && over.bottom > over.top;
    });
  const lines = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility(seen) || aslant(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = within(rect, clip(parent));
      if (box.right - box.left > 1 && box.bottom - box.top > 1 && !under(box, node)) lines.push({ ...box, node });
    }
  }
  lines.sort((a, b) => a.top - b.top);
  const found = [];
  lines.forEach((a, k) => {
    for (let j = k + 1; j < lines.length && lines[j].top < a.bottom; j++) {
      const b = lines[j];
      const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - b.top];
      const least = Math.min(a.bottom - a.top, b.bottom - b.top);
      if (a.node !== b.node && wide > 2 && high > 0.35 * least) found.push([a.node.data.trim().slice(0, 60), b.node.data.trim().slice(0, 60), Math.round(wide), Math.round(high)]);
    }
  });
  return found;
}
