// The lessons in a folder that `lmdk site` writes: one script with the charts in it.
import { drawReading } from "./page/reading_page.js";

drawReading();
