// What the page knows: the track, the last outcome, the hovered timestamp. Views draw it; none talks to another.

export class Store {
  constructor() {
    this.landmarks = new Set();
    this.setTrack(null);
  }

  setTrack(track) {
    this.track = track;
    this.arrays = {};
    this.proposed = [];
    this.hovered = -1;
  }

  // The name of a timestamp: its label, else its number from 1.
  name(index) {
    return this.track.labels[index] || `#${index + 1}`;
  }
}
