// The lessons in a folder that `lmdk site` writes: the charts are a module beside this one.
import { drawReading } from "./page/reading_page.js";
import Plotly from "./plotly.js";

drawReading(Plotly);
