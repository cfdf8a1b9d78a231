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
// site, which runs in the browser, and to a kernel on this computer from a notebook or `lmdk explore`.
const runs = document.body.dataset.runs ?? "here";
const GOES = {
  server: `goes ${window.isSecureContext ? "" : "unencrypted "}to the server, whose operator could read it, and is forgotten when you close or reload the page.`,
  browser: "never leaves this browser.",
  here: "stays on this computer.",
};

export const fileGoes = (file = "The file") => `${file} ${GOES[runs]}`;

export const RUNS = {
  server: `Runs on a server. ${fileGoes("A file that you upload")}`,
  browser: `Runs in your browser. ${fileGoes("A file that you upload")}`,
  here: "Runs on this computer; nothing is sent elsewhere.",
}[runs];

// Beside an upload, where it leaves the computer.
export const UPLOAD_GOES = runs === "server" ? "to the server" : "";
