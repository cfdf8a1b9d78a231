// A widget inside another one: drawn into its place once, as soon as there is something that refers to it.
export async function fill(box, reference, host) {
  if (!reference || box.filled) return;
  box.filled = true;
  const child = await host.getWidget(reference);
  box.replaceChildren();
  await child.render({ el: box });
  window.dispatchEvent(new Event("resize")); // for views that measured themselves before
}
