// What a page uses of its widget's model, where something else answers in the place of a kernel.
export class StandIn {
  receivers = new Set();

  get(_name) {}
  set() {}
  save_changes() {}

  on(event, receive) {
    if (event === "msg:custom") this.receivers.add(receive);
  }

  off(event, receive) {
    if (event === "msg:custom") this.receivers.delete(receive);
  }

  hand(message, buffers = []) {
    for (const receive of [...this.receivers]) receive(message, buffers);
  }

  refuse(text, { id, view }) {
    this.hand({ type: "refused", text, kind: "", row_name: "", rows: [], more: 0, offers: [], id, view });
  }
}
