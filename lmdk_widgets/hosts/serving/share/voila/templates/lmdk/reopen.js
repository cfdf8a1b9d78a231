// Starts another session for a page that stays open: asks the server for the page again, and uses only the kernel's name
// and the notebook's outputs from the answer.
"use strict";
const lmdkSession = (() => {
  class Refused extends Error {
    constructor(status, sentence = "") {
      super(sentence);
      this.status = status;
    }
  }

  const scripts = (page, call) => [...page.scripts].map(({ text }) => text).filter((text) => text.startsWith(`lmdk.${call}(`));
  const given = (text) => JSON.parse(text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")) || '""');
  const version = (page) => page.querySelector('meta[name="lmdk-static"]')?.content;

  const xsrf = () => document.cookie.match("\\b_xsrf=([^;]*)\\b")?.[1] ?? "";

  async function start() {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) throw new Refused(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [id] = scripts(page, "session").map(given);
    const outputs = [...page.querySelectorAll("template")].flatMap(({ content }) => [...content.querySelectorAll(".lmdk-output > script")]);
    if (version(page) !== version(document)) throw (end(id), new Refused(409));
    if (!id || !outputs.length) throw new Refused(500, scripts(page, "failed").map(given).find(Boolean));
    return { id, shown: outputs.map(({ text }) => JSON.parse(text)) };
  }

  function form() {
    const data = new FormData();
    data.append("_xsrf", xsrf());
    return data;
  }

  const end = (id) => id && navigator.sendBeacon(`${document.body.dataset.server}voila/api/shutdown/${id}`, form());
  const use = (id) => fetch(`${document.body.dataset.server}lmdk/use/${id}`, { method: "POST", body: form() });
  return { start, end, use };
})();
