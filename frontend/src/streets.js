// Streets of a file of the user's own, drawn without a network: loaded by the maps only when there is such a file.
export { openStreets } from "./map/street_file.js";
