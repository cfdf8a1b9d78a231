// Where a page says that its Python runs, and that a file goes: true of every place where a notebook can run.
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

async function told(runs) {
  vi.resetModules();
  vi.stubGlobal("document", { body: { dataset: runs ? { runs } : {} }, querySelector: () => null });
  vi.stubGlobal("window", { isSecureContext: true });
  return await import("../src/page/server.js");
}

test.each([
  [undefined, "goes only to the computer where your notebook runs.", "to your notebook"], // JupyterHub and Colab among them
  ["command", "goes only to the computer where lmdk was started.", ""],
  ["browser", "never leaves this browser.", ""],
  ["server", "goes to the server, whose operator could read it, and is forgotten when you close or reload the page.", "to the server"],
])("where a file goes from a page of %s", async (runs, goes, beside) => {
  const { fileGoes, RUNS, RUNS_RECORDED, UPLOAD_GOES } = await told(runs);
  expect(fileGoes("Your file")).toBe(`Your file ${goes}`);
  expect(UPLOAD_GOES).toBe(beside);
  for (const words of [fileGoes(), RUNS]) expect(words).not.toMatch(/this computer|undefined/);
  expect(RUNS_RECORDED).toBe("Runs in your browser; nothing is sent elsewhere.");
});

test("a kernel's page names the same computer for Python and for a file", async () => {
  for (const runs of [undefined, "command"]) {
    const { fileGoes, RUNS } = await told(runs);
    const computer = fileGoes().match(/goes only to (.*)\.$/)[1];
    expect(RUNS).toBe(`Runs on ${computer}; nothing is sent elsewhere.`);
  }
});
