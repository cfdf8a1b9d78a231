// Where the names of marks go in a chart, so that none covers a mark, a dot, a line or another name.

const LETTER = 11; // about the width of a letter, in the units of the chart
const LINE = 22; // the height of a name
const NEAR = 16; // from the middle of a mark to its name
const FAR = [1, 2, 3.5, 5, 7, 9]; // how many times as far a name may go
const TURNS = 16;

const touches = (box, [x, y, room]) => x > box.left - room && x < box.right + room && y > box.top - room && y < box.bottom + room;

function overlaps(box, other) {
  return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
}

// marks: names with their places [name, x, y]; taken: points [x, y, room] that stay free; frame: {left, right, top, bottom}.
// Returns for each mark the middle of its name, and whether it is so far off that a line must lead there.
export function labelPlaces(marks, taken, frame) {
  const boxes = [];
  return marks.map(([name, x, y]) => {
    const [wide, high] = [name.length * LETTER, LINE];
    let best = null;
    for (const far of FAR) {
      for (let turn = 0; turn < TURNS; turn++) {
        const angle = (2 * Math.PI * turn) / TURNS;
        const [right, down] = [Math.cos(angle), Math.sin(angle)];
        const at = [x + right * (NEAR * far + wide / 2), y + down * (NEAR * far + high / 2)];
        const box = { left: at[0] - wide / 2, right: at[0] + wide / 2, top: at[1] - high / 2, bottom: at[1] + high / 2 };
        const inside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
        if (!inside) continue;
        const covered = taken.filter((point) => touches(box, point)).length + 10 * boxes.filter((other) => overlaps(box, other)).length;
        if (!best || covered < best.covered) best = { at, box, covered, led: far > 1 };
      }
      if (best?.covered === 0) break;
    }
    const found = best ?? { at: [x, y], box: { left: x, right: x, top: y, bottom: y }, led: false };
    boxes.push(found.box);
    return { at: found.at, led: found.led };
  });
}
