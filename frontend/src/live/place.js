// Where the Python of a page runs: in a worker of this browser, or on the server that the page came from, which can then be told
// to forget its visitor.
import { button, h, setText } from "../page/dom.js";
import { server } from "../page/server.js";
import { Socket } from "./socket.js";

const KEEPS = "This page keeps everything you chose, including your files, until you close or reload it";
// What is said of the server, by how it is.
export const SERVED = {
  loading: "",
  ready: "",
  lost: `The connection to the server was lost: the page connects again by itself. ${KEEPS}.`,
  silent: `The server does not answer: the page tries again every few seconds. ${KEEPS}.`,
  full: "The server has no room for another page just now: this page opens as soon as there is room.",
  many: "Your browser has as many pages of this server open as one may have. Close those that you no longer need; this page then continues.",
  stranger: "The server has restarted and does not know this page. Open the address that it printed in another tab; this page then continues.",
};
const FORGOTTEN = "Forgotten: the server has ended your pages, with the files and choices in them, and this browser has deleted what it stored about lessons.";
const FAILED = "The server did not answer, so nothing was forgotten. Try again.";

export const site = JSON.parse(document.querySelector("#lmdk-site").textContent);
const home = /** @type {any} */ (document.querySelector('meta[name="lmdk-static"]')).content;

export const library = (name) => import(new URL(home + name, document.baseURI).href);

export function workerOf() {
  if (site.served) return new Socket(server());
  return new Worker(new URL(`${home}live_worker.js`, document.baseURI), { type: "module" });
}

// The button that deletes a visitor's data, here and on the server.
export function forgetButton(engine) {
  const said = h("span", { role: "status" });
  const forget = button("Forget my data", async () => {
    const xsrf = /** @type {any} */ (document.querySelector('meta[name="xsrf"]')).content;
    const answer = await fetch(`${server()}forget`, { method: "POST", headers: { "X-XSRFToken": xsrf } }).catch(() => null);
    if (!answer?.ok) return setText(said, FAILED);
    engine.worker.terminate();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, "", server());
    document.querySelector("#page").replaceChildren(
      h(
        "p",
        { class: "lmdk-live", role: "status" },
        FORGOTTEN,
        " ",
        button("Start again", () => location.reload()),
      ),
    );
  });
  return h("p", { class: "lmdk-live lmdk-forget" }, forget, " ", said);
}
