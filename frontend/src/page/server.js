// The server that this page came from, which opens other pages and lessons; none in a notebook or on a site.
export const server = () => (document.querySelector('meta[name="lmdk-static"]') ? document.body.dataset.server : null);

// Where a lesson is opened; null where there is no server.
export const lessonAddress = (name) => (server() === null ? null : `${server()}lesson/${name}`);
