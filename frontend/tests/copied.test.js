import { afterEach, expect, test, vi } from "vitest";
import { copyPython } from "../src/page/dom.js";

afterEach(() => vi.unstubAllGlobals());

const notices = () => ({ say: vi.fn(), note: vi.fn() });

test("what has to be changed in a copied text stays on the page", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: async () => {} } });
  const seen = notices();
  await copyPython({ text: "lmdk release", said: "Command copied", file: "a.txt", mend: "Replace the origin" }, seen);
  expect([seen.say.mock.calls, seen.note.mock.calls]).toEqual([[["Command copied"]], [["Replace the origin"]]]);
});

test("where nothing has to be changed, nothing stays", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: async () => {} } });
  const seen = notices();
  await copyPython({ text: "import lmdk_widgets", said: "Python copied", file: "a.py", mend: "" }, seen);
  expect([seen.say.mock.calls, seen.note.mock.calls]).toEqual([[["Python copied"]], []]);
});
