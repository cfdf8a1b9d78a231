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

// The colours of the style sheet where an element is: coloursOf(element)("ink").
export function coloursOf(element) {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(`--lmdk-${name}`).trim();
}

// How much larger than usual the page's letters are where an element is.
export const sizeOf = (element) => Number(coloursOf(element)("size")) || 1;
