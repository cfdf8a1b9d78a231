// A file that is dropped anywhere on a page, on its map for example, is uploaded as if it were chosen with its button.
const holdsFiles = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

// act(file); refuse(sentence), if there are several.
export function takesDrops(root, act, refuse) {
  const mark = (on) => root.classList.toggle("lmdk-dropping", on);
  const on = (kind, then) =>
    root.addEventListener(kind, (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault(); // otherwise the browser leaves the page to show the file
      event.stopPropagation(); // a notebook would copy it into its folder
      then(event);
    });
  on("dragover", (event) => {
    event.dataTransfer.dropEffect = "copy";
    mark(true);
  });
  on("dragleave", (event) => mark(root.contains(event.relatedTarget)));
  on("drop", (event) => {
    mark(false);
    const files = [...event.dataTransfer.files];
    if (files.length === 1) act(files[0]);
    else if (files.length > 1) refuse(`Drop one file at a time; these are ${files.length}.`);
  });
}
