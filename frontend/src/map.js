// The library of maps, loaded by the pages that have one: Leaflet is in this bundle and in no other.
import leafletStyle from "leaflet/dist/leaflet.css";
import { addStyle } from "./page/dom.js";

export { CellMap } from "./map/cell_map.js";
export { shielded } from "./map/map_frame.js";
export { TrackMap } from "./map/track_map.js";

export function addMapStyle(element) {
  addStyle(element, leafletStyle, "leaflet");
}
