export const TOO_OLD = "This browser cannot unpack the page in this file. A newer one can: Chrome 89, Firefox 113, Safari 16.4, or later.";

// Data in a saved page, as gzip in base64: their bytes. They are taken out of the page.
export function unpacked(element) {
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  element.remove(); // megabytes of text that nobody reads again
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
