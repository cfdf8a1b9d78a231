// protomaps-leaflet wants Leaflet as a global name. The maps hand over theirs, and the bundle puts it in the name's place, so
// that there is no second Leaflet and nothing on the page that others could meet.
export let L = null;

export function take(leaflet) {
  L = leaflet;
}
