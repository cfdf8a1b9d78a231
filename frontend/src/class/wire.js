// What the two pages of a class share with the server: a stream of states, and requests with the page's token.

const base = document.body.dataset.base;
const xsrf = document.querySelector("meta[name=xsrf]")?.getAttribute("content") ?? "";
const AGAIN_MS = 3000;

export const LOST = "The connection is lost. This page tries again by itself.";
const UNSENT = "This did not arrive: the connection is lost. Try again.";

// A number stays on one line with its unit.
export const unbroken = (text) => text.replace(/(\d) (?=%|k?m\b|points\b)/g, "$1\u00a0");

// Calls `show` with each state of the stream, and `lost` with true while there is none. A browser gives up after an answer
// that is no stream, such as that of a server that is just starting: then this begins again.
export function follow(path, show, lost) {
  const source = new EventSource(`${base}${path}`);
  source.onmessage = (event) => {
    lost(false);
    show(JSON.parse(unbroken(event.data)));
  };
  source.onerror = () => {
    lost(true);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(path, show, lost), AGAIN_MS);
  };
  addEventListener("pagehide", () => source.close());
}

// Sends a request; returns the server's answer, with a `sentence` if it was refused or did not arrive (status 0).
export async function send(path, content) {
  const headers = { "Content-Type": "application/json", "X-XSRFToken": xsrf };
  try {
    const answer = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(content) });
    const said = await answer.json();
    return answer.ok ? said : { sentence: UNSENT, ...said, status: answer.status };
  } catch {
    return { sentence: UNSENT, status: 0 };
  }
}

export const address = (path) => `${base}${path}`;
