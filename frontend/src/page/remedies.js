// What can be chosen for a file that was refused: it waits for the answer. again(options): read it again with them;
// choose(): say what its columns hold.

const MOST_BUTTONS = 6;

/** @returns {{ choices?: { text: string, act: () => void }[], pick?: object, stays?: boolean, asks?: boolean }} */
export function remediesOf({ kind, offers = [], table, form }, again, choose) {
  if (form) return { choices: table ? [{ text: "Choose the columns", act: choose }] : [], stays: true, asks: true };
  if (kind === "columns" && table) return { stays: true };
  const columns = table ? [{ text: "Choose the columns", act: choose }] : [];
  if (offers.length) return { ...offered(offers, again, kind, columns), stays: true };
  if (kind === "rows") return { choices: [{ text: "Drop these rows and load", act: () => again({ on_problem: "drop" }) }, ...columns], stays: true };
  if (kind !== "timezone") return {};
  const preset = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const values = ["UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])];
  const pick = { label: "Time zone", values, preset: "", act: (timezone) => again({ timezone }) };
  return { choices: [{ text: `Use ${preset}`, act: () => again({ timezone: preset }) }], pick, stays: true, asks: true };
}

// Python offers words, each with what the file is read again with: a few as buttons, many as a list beside the first.
function offered(offers, again, kind, more) {
  const buttons = offers.map(([text, options]) => ({ text, act: () => again(options) }));
  if (buttons.length <= MOST_BUTTONS) return { choices: [...buttons, ...more] };
  const [first, ...others] = offers;
  const pick = {
    label: kind === "people" ? "Person, device or track" : "Choice",
    values: others.map(([text]) => text),
    preset: "",
    listed: true,
    act: (said) => again((others.find(([text]) => text === said) ?? others.find(([text]) => text.startsWith(`${said} (`)) ?? first)[1]),
  };
  return { choices: [buttons[0], ...more], pick };
}
