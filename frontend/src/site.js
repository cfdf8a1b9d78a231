// The lessons on the site of the documents, also where it is opened as a file: one script with the charts in it.
import { drawReading } from "./page/reading_page.js";

drawReading();
