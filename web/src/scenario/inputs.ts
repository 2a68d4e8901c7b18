import { element } from "../dom";
import type { Json } from "../resolver/contract";
import { type Form, nameOf } from "./form";
import { getIn, type Path, setIn } from "./tree";

/** The lines of a description before its first empty line, on one line. */
export function firstSentences(description = ""): string {
  return (description.split("\n\n")[0] ?? "").replaceAll("\n", " ");
}

/** A field with its name, and its meaning as a tip. */
export function labelled(
  label: string,
  control: HTMLElement,
  description = "",
  ...more: (HTMLElement | null)[]
): HTMLElement {
  const name = element("span", { class: "field-name" }, label);
  const row = element("label", { class: "field" }, name, control);
  const tip = firstSentences(description);
  if (tip) row.title = tip;
  return element("div", { class: "field-whole" }, row, ...more);
}

/** Steps a number that stands at the start of a text, as "10Mbit/s", by one of its last digit. */
function stepped(text: string, direction: number): string | null {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)(.*)$/s.exec(text) ?? [];
  if (number === undefined || unit === undefined) return null;
  const digits = number.split(".")[1]?.length ?? 0;
  const next = Number(number) + direction * 10 ** -digits;
  return next < 0 ? null : `${next.toFixed(digits)}${unit}`;
}

/** A field of text; the arrows up and down step the number in it. */
export function textInput(
  form: Form,
  path: Path,
  read: (text: string) => Json | undefined,
  placeholder: string,
): HTMLInputElement {
  const value = getIn(form.scenario(), path);
  const input = element("input", {
    type: "text",
    name: nameOf(path),
    placeholder,
    autocomplete: "off",
    spellcheck: "false",
    value: value === undefined ? "" : shown(value),
  });
  const set = () => form.type(path, read(input.value.trim()));
  input.addEventListener("input", set);
  input.addEventListener("keydown", (event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const next = direction && stepped(input.value || placeholder, direction);
    if (!next) return;
    event.preventDefault();
    input.value = next;
    set();
  });
  return input;
}

/** A value as text of a field. */
export function shown(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** A choice among a few values. */
export function choice(
  path: Path,
  options: readonly Option[],
  value: string,
  choose: (value: string) => void,
): HTMLSelectElement {
  const all = options.map((option) =>
    element("option", { value: option.value, selected: option.value === value }, option.label),
  );
  const select = element("select", { name: nameOf(path) }, ...all);
  select.addEventListener("change", () => choose(select.value));
  return select;
}

/** A part of the form that is filled when it is opened. */
export function fold(
  form: Form,
  path: Path,
  title: string,
  fill: () => (HTMLElement | null)[],
  note = "",
): HTMLDetailsElement {
  const isOpen = form.isOpen(path);
  const made = element(
    "details",
    { class: "fold", open: isOpen },
    element("summary", {}, title, note && element("span", { class: "quiet" }, ` ${note}`)),
  );
  let isFilled = false;
  const inside = element("div", { class: "fold-inside" });
  const open = () => {
    if (isFilled) return;
    isFilled = true;
    inside.append(...fill().filter((child) => child !== null));
    made.append(inside);
  };
  if (isOpen) open();
  made.addEventListener("toggle", () => {
    form.setOpen(path, made.open);
    if (made.open) open();
  });
  return made;
}

/** Sets a value and draws the form anew, because other fields follow from it. */
export function rebuild(form: Form, path: Path, value: Json | undefined): void {
  form.replace(setIn(form.scenario(), path, value));
}
