// Calls back when light becomes dark or dark light: the system's choice, or JupyterLab's, which it says on the body.
export function onTheme(act) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const themes = new MutationObserver(act);
  dark.addEventListener("change", act);
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  return () => {
    dark.removeEventListener("change", act);
    themes.disconnect();
  };
}

const ROOTS = ".lmdk-explorer, .lmdk-dashboard, .lmdk-lesson, .lmdk-live"; // where the style sheet sets colours and sizes
const known = new WeakMap(); // root: { look, values }, as a browser works out the style of all that has changed to tell one of them

// The colours of the style sheet where an element is: coloursOf(element)("ink").
export function coloursOf(element) {
  const root = element.closest(ROOTS);
  const style = getComputedStyle(root ?? element);
  const values = root ? valuesOf(root) : new Map();
  return (name) => {
    const value = values.get(name) ?? style.getPropertyValue(`--lmdk-${name}`).trim();
    if (value) values.set(name, value); // nothing is told of a page that is not in the document
    return value;
  };
}

// What is known of a root in its present look: light or dark, and the switch for large letters.
function valuesOf(root) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const look = [dark, document.body.dataset.jpThemeLight, root.className, root.style.cssText].join(" ");
  if (known.get(root)?.look !== look) known.set(root, { look, values: new Map() });
  return known.get(root).values;
}

// How much larger than usual the page's letters are where an element is.
export const sizeOf = (element) => Number(coloursOf(element)("size")) || 1;
