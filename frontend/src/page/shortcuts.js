// Keyboard shortcuts, and the list of them that the page shows.

// On every page; a page with more of them shows its own first.
export const SHORTCUTS = [
  ["+ −, Ctrl wheel", "zoom the map"],
  ["Ctrl Z, Ctrl Shift Z", "undo, redo"],
  ["D", "draw again"],
  ["L", "copy link; in a notebook, copy the widget as Python"],
  ["F", "fit the map"],
];

export function shortcuts(root, actions) {
  const listener = (event) => {
    if (!root.isConnected || event.defaultPrevented) return;
    // In JupyterLab the letters belong to the notebook unless the widget has the focus.
    if (!root.contains(document.activeElement) && document.activeElement !== document.body) return;
    const typing = event.target.closest?.("input:not([type=range]):not([type=checkbox]), textarea");
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    let act = null;
    if (command && key === "z" && !typing) act = event.shiftKey ? actions.redo : actions.undo;
    else if (command && key === "y" && !typing) act = actions.redo;
    else if (!command && !event.altKey && !typing && !event.target.closest?.("select")) {
      act = { d: actions.again, l: actions.link, f: actions.fit }[key];
    }
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
