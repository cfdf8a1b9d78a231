// What the page knows: the track, the last outcome, the hovered timestamp. Views listen and draw; none talks to another.

export class Store {
  constructor() {
    this.listeners = new Map();
    this.track = null;
    this.scenario = null;
    this.arrays = {};
    this.landmarks = new Set();
    this.proposed = [];
    this.hovered = -1;
  }

  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, []);
    this.listeners.get(name).push(listener);
  }

  emit(name, detail) {
    for (const listener of this.listeners.get(name) ?? []) listener(detail);
  }

  setTrack(track) {
    this.track = track;
    this.arrays = {};
    this.proposed = [];
    this.hovered = -1;
    this.emit("track");
  }

  setScenario(scenario) {
    this.scenario = scenario;
    this.landmarks = new Set(scenario.landmarks);
    this.emit("scenario");
  }

  hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.emit("hover");
  }

  // The name of a timestamp: its label, else its number from 1.
  name(index) {
    return this.track.labels[index] || `#${index + 1}`;
  }
}
