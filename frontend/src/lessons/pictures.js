// The drawings on the tiles, 240 by 100, in the colours of the pages and in their signs: a diamond is a landmark, a dot a
// regular timestamp, a cross a release.
import { svg } from "../page/dom.js";

const line = (kind, points) => svg("polyline", { class: kind, points: points.map((point) => point.join()).join(" ") });
const dot = (kind, cx, cy, r = 4) => svg("circle", { class: kind, cx, cy, r });
const box = (kind, x, y, width, height) => svg("rect", { class: kind, x, y, width, height, rx: 2 });
const diamond = (x, y, r = 6) => svg("path", { class: "landmark", d: `M${x} ${y - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}z` });
const cross = (x, y, r = 4) => svg("path", { class: "release", d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` });
const times = (n, make) => Array.from({ length: n }, (_, k) => make(k)).flat();
const curve = (kind, height) =>
  line(
    kind,
    times(49, (k) => [[24 + 4 * k, height(k / 48)]]),
  );

const DAY = [
  [22, 70],
  [50, 42],
  [78, 56],
  [106, 30],
  [134, 48],
  [162, 72],
  [190, 58],
  [218, 34],
];

const PICTURES = {
  // a way, what is reported of it, and a place that matters
  start: () => [
    line("grid", DAY),
    ...DAY.map(([x, y], k) => (k === 3 ? diamond(x, y, 8) : dot("regular", x, y))),
    ...DAY.map(([x, y], k) => cross(x + (k % 3) * 9 - 8, y + (k % 2 ? 15 : -13))),
  ],
  // people by how near they are found: a few are nearer than the limit
  city: () => [
    line("grid", [
      [82, 8],
      [82, 92],
    ]),
    ...[1, 1, 2, 3, 5, 6, 5, 4, 3, 2, 1].flatMap((most, k) =>
      times(most, (row) => (k < 3 ? diamond(32 + 18 * k, 86 - 14 * row, 5) : dot("regular", 32 + 18 * k, 86 - 14 * row, 5))),
    ),
  ],
  // a balance: a person's track on one side, counts on the other
  law: () => [
    line("ink", [
      [120, 16],
      [120, 88],
    ]),
    line("ink", [
      [52, 30],
      [188, 30],
    ]),
    line("ink", [
      [94, 88],
      [146, 88],
    ]),
    line("quiet", [
      [20, 66],
      [52, 30],
      [84, 66],
    ]),
    line("quiet", [
      [156, 66],
      [188, 30],
      [220, 66],
    ]),
    line("ink", [
      [16, 66],
      [88, 66],
    ]),
    line("ink", [
      [152, 66],
      [224, 66],
    ]),
    diamond(34, 57, 6),
    dot("regular", 52, 50),
    dot("regular", 70, 58),
    ...[14, 24, 9, 18].map((high, k) => box("regular", 164 + 13 * k, 64 - high, 9, high)),
  ],
  // a zone round a home, and the ways that end where it begins
  zones: () => [
    dot("area", 120, 50, 34),
    diamond(120, 50, 7),
    ...[
      [24, 26, 89, 36],
      [216, 22, 151, 36],
      [112, 98, 117, 84],
    ].map(([x, y, a, b]) =>
      line("ink", [
        [x, y],
        [a, b],
      ]),
    ),
  ],
  // rows that look alike in threes
  tables: () =>
    times(6, (k) => {
      const y = 14 + 13 * k + (k > 2 ? 6 : 0);
      const same = [box("quiet", 50, y, 40, 8), box("quiet", 98, y, 52, 8)];
      return [dot(k > 2 ? "landmark" : "regular", 34, y + 4), ...same, box(k % 3 ? "regular" : "landmark", 158, y, 26 + 8 * (k % 3), 8)];
    }),
  // two densities of Laplace noise, one next to the other
  noise: () => [
    line("ink", [
      [20, 84],
      [220, 84],
    ]),
    curve("one", (x) => 84 - 66 * Math.exp(-9 * Math.abs(x - 0.42))),
    curve("two", (x) => 84 - 66 * Math.exp(-9 * Math.abs(x - 0.58))),
  ],
  // a day of eight moments, four of them landmarks
  moments: () => [line("grid", DAY), ...DAY.map(([x, y], k) => ([0, 2, 4, 7].includes(k) ? diamond(x, y, 7) : dot("regular", x, y, 5)))],
  // counts that come one after another, and a window over some
  streams: () => [
    ...times(14, (k) =>
      box(k > 4 && k < 9 ? "regular" : "quiet", 22 + 14 * k, 78 - 14 - 34 * Math.abs(Math.sin(1.3 * k)), 9, 14 + 34 * Math.abs(Math.sin(1.3 * k))),
    ),
    box("two", 87, 14, 61, 72),
  ],
  // landmarks with dummies among them, and silence where a release is repeated
  adaptive: () => [
    ...DAY.map(([x], k) => ([0, 2, 3, 4, 5, 7].includes(k) ? diamond(x, 64, 7) : dot("regular", x, 64, 5))),
    ...DAY.slice(1).map(([x], k) =>
      line(k % 3 ? "quiet" : "ink", [
        [x - 28, 40 - 16 * Math.floor(k / 3)],
        [x, 40 - 16 * Math.floor(k / 3)],
      ]),
    ),
  ],
  // what is known about one timestamp fades with the distance
  correlation: () =>
    times(9, (k) => {
      const high = 46 * 0.62 ** Math.abs(k - 4);
      const x = 32 + 22 * k;
      const link =
        k < 8
          ? [
              line("ink", [
                [x + 6, 82],
                [x + 16, 82],
              ]),
            ]
          : [];
      return [box("regular", x - 4, 70 - high, 8, high), k === 4 ? diamond(x, 82) : dot("regular", x, 82, 4.5), ...link];
    }),
  // a place among cells, its circle and its reports
  places: () => [
    ...times(11, (k) =>
      line("grid", [
        [20 + 20 * k, 10],
        [20 + 20 * k, 90],
      ]),
    ),
    ...times(5, (k) =>
      line("grid", [
        [20, 10 + 20 * k],
        [220, 10 + 20 * k],
      ]),
    ),
    dot("area", 120, 50, 36),
    ...[
      [98, 34],
      [143, 41],
      [128, 72],
      [104, 61],
      [170, 66],
    ].map(([x, y]) => cross(x, y)),
    diamond(120, 50, 7),
  ],
  // one state and the quilt around it
  states: () => [
    box("area", 74, 34, 92, 32),
    ...times(9, (k) => (k === 4 ? diamond(32 + 22 * k, 50, 8) : dot(Math.abs(k - 4) < 2 ? "regular" : "quiet", 32 + 22 * k, 50, 7))),
  ],
  // someone follows the reports
  adversary: () => [
    line(
      "two",
      DAY.map(([x, y], k) => [x, y + (k % 2 ? 9 : -8)]),
    ),
    ...DAY.map(([x, y], k) => cross(x, y + (k % 2 ? 9 : -8))),
    dot("area", 150, 52, 26),
    line("ink", [
      [169, 71],
      [192, 92],
    ]),
  ],
};

// The drawing of a lesson; an empty one if there is none yet. The words below it say what it shows.
export function picture(name) {
  const drawn = PICTURES[name]?.() ?? [];
  return svg("svg", { class: "lmdk-tilepicture", viewBox: "0 0 240 100", "aria-hidden": "true" }, ...drawn);
}
