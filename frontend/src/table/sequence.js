// The part on a sequence: charts, and what is published at each time in a tab.
import { ChartPart, measures } from "./charts.js";

export class SequencePart extends ChartPart {
  constructor(page, place) {
    super(page, place, { picture: ["alike"], beside: ["remedies"], tabs: {}, table: "remedied" });
    this.published = measures(place.panels.published);
  }

  tell(told) {
    super.tell(told);
    this.published.show(told.published);
  }
}
