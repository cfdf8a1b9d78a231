// What stands on the first screen of a page: { words, controls }, each as a list. Not counted are the bar at the top, the row of
// tabs, the map's own controls, and what a chart or a map has written on it, its numbers and names of axes among them.
(root) => {
  const LEFT_OUT = ".lmdk-header, .lmdk-tabs, .lmdk-mapbar, .leaflet-control-container, .lmdk-map, svg, .lmdk-panellegend, .lmdk-ticks, .lmdk-scalenames, .lmdk-offscreen, .lmdk-tip, .lmdk-toast, option, style";
  const seen = { checkOpacity: true, checkVisibilityCSS: true };
  const inView = (box) => box.width > 1 && box.height > 1 && box.top < innerHeight && box.bottom > 0 && box.left < innerWidth && box.right > 0;
  const words = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.parentElement;
    if (!node.data.trim() || at.closest(LEFT_OUT) || !at.checkVisibility(seen)) continue;
    for (const match of node.data.matchAll(/[\p{L}\p{N}][^\s]*/gu)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      if (inView(range.getBoundingClientRect())) words.push(match[0]);
    }
  }
  for (const select of root.querySelectorAll("select")) {
    if (!select.closest(LEFT_OUT) && select.checkVisibility(seen) && inView(select.getBoundingClientRect())) words.push(...(select.selectedOptions[0]?.text.split(/\s+/) ?? []));
  }
  const found = [...root.querySelectorAll("button, select, input, textarea, summary, a[href], [role=option]")];
  const controls = found.filter((one) => !one.closest(".lmdk-header, .lmdk-tabs, .lmdk-mapbar, .leaflet-control-container, .lmdk-map") && one.checkVisibility(seen));
  const name = (one) => one.ariaLabel || one.textContent.trim().slice(0, 30) || one.tagName;
  return { words, controls: controls.filter((one) => inView(one.getBoundingClientRect())).map(name) };
}
