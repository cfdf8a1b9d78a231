// One panel of a timeline as a figure of its own, for a file: what is shown of it, with its title, its unit and the times below.
import { endsOfSpan } from "../page/span.js";
import { axisName } from "./dense.js";
import { resolve, ticks } from "./timeline.js";

const HIGH = 340; // pixels
const WIDE = 800; // pixels for the times
const MOST = 1000; // points of a line: of more, the least and the greatest of each stretch

// panel: [axis, file, title, unit], as Python describes it
export function panelPicture({ figure, arrays, track, span }, [axis, , title, unit]) {
  const [first, last] = endsOfSpan(span, track.n);
  const name = axisName({ yaxis: axis });
  const data = figure.data.filter((trace) => axisName(trace) === name).map((trace) => alone(resolve(trace, arrays, [first, last])));
  const { domain, fixedrange, ...yaxis } = figure.layout[name];
  const labels = ticks(track, [first, last], WIDE);
  const xaxis = {
    title: { text: `time (${track.zone})` },
    tickvals: labels.map(({ at }) => at),
    ticktext: labels.map(({ lines }) => lines.join("<br>")),
    range: [first - 0.6, last + 0.6],
    showgrid: false,
    zeroline: false,
  };
  return { title, figure: { data, layout: { height: HIGH, bargap: figure.layout.bargap, xaxis, yaxis: { ...yaxis, title: { text: unit } } } } };
}

function alone({ yaxis, legend, ...trace }) {
  return trace.type === "bar" || trace.x.length <= MOST ? trace : { ...trace, ...thinned(trace.x, trace.y) };
}

// The least and the greatest value of each of many stretches, in order of time.
export function thinned(x, y, most = MOST) {
  const stretches = most / 2;
  const kept = [];
  for (let k = 0; k < stretches; k++) {
    const [from, to] = [k, k + 1].map((edge) => Math.round((edge * x.length) / stretches));
    let [low, high] = [from, from];
    for (let i = from; i < to; i++) {
      if (y[low] === null || (y[i] !== null && y[i] < y[low])) low = i;
      if (y[high] === null || (y[i] !== null && y[i] > y[high])) high = i;
    }
    kept.push(Math.min(low, high), Math.max(low, high));
  }
  return { x: kept.map((i) => x[i]), y: kept.map((i) => y[i]) };
}
