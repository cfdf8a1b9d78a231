// The map alone: positions as binary traits, landmarks as a trait that Python observes and sets.
import { addStyle, h, numbersIn } from "./page/dom.js";
import style from "./page/style.css";

export default {
  async render({ model, el, library }) {
    const { TrackMap, addMapStyle } = await library("map.js");
    const root = h("div", { class: "lmdk-explorer lmdk-alone" });
    el.append(root);
    addMapStyle(el);
    addStyle(el, style);
    const say = (landmarks) => {
      model.set(
        "landmarks",
        [...landmarks].sort((a, b) => a - b),
      );
      model.save_changes();
    };
    const view = new TrackMap(root, {
      toggle: (index) => {
        const next = new Set(model.get("landmarks"));
        if (!next.delete(index)) next.add(index);
        say(next);
      },
      mark: (indices, on) => {
        const next = new Set(model.get("landmarks"));
        for (const index of indices) on ? next.add(index) : next.delete(index);
        say(next);
      },
      hover: (index) => view.setHovered(index),
    });
    view.releaseButton.hidden = true;
    const track = () =>
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
    track();
    landmarks();
    model.on("change:landmarks", landmarks);
    return () => {
      model.off("change:landmarks", landmarks);
      view.remove();
    };
  },
};
