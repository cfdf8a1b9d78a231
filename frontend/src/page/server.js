// The server or the site that this page came from, which opens other pages and lessons; none in a notebook or in a saved page.
export const server = () => (document.querySelector('meta[name="lmdk-static"]') ? document.body.dataset.server : null);

// Where a lesson is opened; null if nothing opens it. A site says what its lesson files are called, and which there are.
export function lessonAddress(name) {
  if (server() === null) return null;
  const { lesson, lessons } = document.body.dataset;
  if (!lesson) return `${server()}lesson/${name}`;
  return lessons.split(" ").includes(name) ? lesson.replace("NAME", name) : null;
}

// Where a page's Python runs, and so where a file goes that is uploaded: to the server of a room, nowhere from a page of a
// site, which runs in the browser, and to the kernel from a notebook or `lmdk explore`. A kernel may run on another computer
// than the browser (JupyterHub, Colab, a forwarded port), which a page cannot see: so it names the computer by what runs there.
const runs = document.body.dataset.runs ?? "notebook";
const NOTEBOOK = "the computer where your notebook runs";
const COMMAND = "the computer where lmdk was started";
const GOES = {
  server: `goes ${window.isSecureContext ? "" : "unencrypted "}to the server, whose operator could read it, and is forgotten when you close or reload the page.`,
  browser: "never leaves this browser.",
  notebook: `goes only to ${NOTEBOOK}.`,
  command: `goes only to ${COMMAND}.`,
};

export const fileGoes = (file = "The file") => `${file} ${GOES[runs]}`;

export const RUNS = {
  server: `Runs on a server. ${fileGoes("A file that you upload")}`,
  browser: `Runs in your browser. ${fileGoes("A file that you upload")}`,
  notebook: `Runs on ${NOTEBOOK}; nothing is sent elsewhere.`,
  command: `Runs on ${COMMAND}; nothing is sent elsewhere.`,
}[runs];

// In a file with recorded answers, which has no Python.
export const RUNS_RECORDED = "Runs in your browser; nothing is sent elsewhere.";

// Beside an upload, where it may leave the computer.
export const UPLOAD_GOES = { server: "to the server", notebook: "to your notebook" }[runs] ?? "";
