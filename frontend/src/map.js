// The library of maps, loaded by the pages that have one: Leaflet is in this bundle and in no other.
export { CellMap } from "./map/cell_map.js";
export { cellsOf } from "./map/heat.js";
export { shielded } from "./map/map_frame.js";
export { drawSmallCells, drawSmallMap } from "./map/small_map.js";
export { TrackMap } from "./map/track_map.js";
