// The map alone: positions as binary traits, landmarks as a trait that Python observes and sets.
import { addStyle, h, numbersIn, setText } from "./page/dom.js";
import style from "./page/style.css";

export default {
  async render({ model, el, library }) {
    const { TrackMap } = await library("map.js");
    const root = h("div", { class: "lmdk-explorer lmdk-alone" });
    el.append(root);
    addStyle(el, style);
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
      setText(hint, tapped ? `Timestamp ${index + 1}. Tap it again to mark it, or to take the mark back.` : "");
    };
    const view = new TrackMap(root, { toggle, mark, hover });
    root.append(hint);
    view.releaseButton.hidden = true;
    view.setTrack({
      latitudes: numbersIn(model.get("_latitude"), Float64Array),
      longitudes: numbersIn(model.get("_longitude"), Float64Array),
      names: model.get("_names"),
      places: model.get("_places"),
    });
    const landmarks = () => {
      view.setLandmarks(new Set(model.get("landmarks")));
      view.draw();
    };
    landmarks();
    model.on("change:landmarks", landmarks);
    return () => {
      model.off("change:landmarks", landmarks);
      view.remove();
    };
  },
};
