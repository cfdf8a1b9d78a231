// The server or the site that this page came from, which opens other pages and lessons; none in a notebook or in a saved page.
export const server = () => (document.querySelector('meta[name="lmdk-static"]') ? document.body.dataset.server : null);

// Where a lesson is opened; null if nothing opens it. A site says what its lesson files are called, and which there are.
export function lessonAddress(name) {
  if (server() === null) return null;
  const { lesson, lessons } = document.body.dataset;
  if (!lesson) return `${server()}lesson/${name}`;
  return lessons.split(" ").includes(name) ? lesson.replace("NAME", name) : null;
}
