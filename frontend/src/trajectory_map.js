// The map alone: positions as binary traits, landmarks as a trait that Python observes and sets, and what an adversary believes.

import { addStyle, h, numbersIn, setText, unpack } from "./page/dom.js";
import style from "./page/style.css";
import { Beliefs } from "./track/beliefs.js";
import css from "./track/track.css";

export default {
  async render({ model, el, library }) {
    const maps = await library("map.js");
    const root = h("div", { class: "lmdk-explorer lmdk-alone lmdk-followed" });
    el.append(root);
    addStyle(el, style);
    addStyle(el, css, "track");
    const mark = (indices, on) => {
      const next = new Set(model.get("landmarks"));
      for (const index of indices) on ? next.add(index) : next.delete(index);
      const sorted = [...next].sort((a, b) => a - b);
      model.set("landmarks", sorted);
      model.save_changes();
    };
    const toggle = (index) => mark([index], !model.get("landmarks").includes(index));
    const hint = h("p", { class: "lmdk-readout", role: "status", hidden: true });
    const hover = (index, tapped) => {
      view.setHovered(index);
      hint.hidden = !tapped;
      setText(hint, tapped ? `Timestamp ${index + 1}. Tap it again to mark or unmark it.` : "");
    };
    const view = new maps.TrackMap(root, { toggle, mark, hover, pick() {} });
    view.releaseButton.hidden = true;
    view.offerStreets({ library, model });
    const latitudes = numbersIn(model.get("_latitude"), Float64Array);
    const names = model.get("_names");
    view.setTrack({ latitudes, longitudes: numbersIn(model.get("_longitude"), Float64Array), names, places: model.get("_places") });
    const nameOf = (index) => `${names[index] || `#${index + 1}`}${model.get("landmarks").includes(index) ? " ◆" : ""}`;
    const beliefs = new Beliefs({ map: () => view, cellsOf: maps.cellsOf, nameOf, count: () => latitudes.length, go() {} });
    root.append(hint, beliefs.element);
    const landmarks = () => {
      view.setLandmarks(new Set(model.get("landmarks")));
      view.draw();
    };
    const adversary = () => believe(beliefs, model.get("_adversary"));
    const follows = { "change:landmarks": landmarks, "change:_adversary": adversary };
    landmarks();
    adversary();
    for (const [event, follow] of Object.entries(follows)) model.on(event, follow);
    return () => {
      for (const [event, follow] of Object.entries(follows)) model.off(event, follow);
      beliefs.remove();
      view.remove();
    };
  },
};

// told: { at, cells, beliefs }, the messages of the page with their buffers; empty: nobody is shown.
function believe(beliefs, told) {
  if (!told.cells) return beliefs.hide();
  const arrays = (message) => unpack(message.arrays, message.buffers);
  beliefs.setCells(told.cells, arrays(told.cells));
  beliefs.setBeliefs(told.beliefs, arrays(told.beliefs));
  beliefs.show(told.at, -1);
}
