import type { Algorithm, Parameter } from "../catalogue";
import { element } from "../dom";
import { type Cc, type CcPart, readCc, withParameter, writeCc } from "./cc";
import { type Form, nameOf } from "./form";
import { choice, fold, labelled, type Option, rebuild, shown } from "./inputs";
import { getIn, type Path } from "./tree";

const DEFAULT = "";

function optionOf({ name }: Algorithm): Option {
  return { value: name, label: name };
}

/** A congestion control: the algorithm, its slow start, and the parameters of both. */
export function ccField(form: Form, path: Path): HTMLElement {
  const { cc } = form.catalogue;
  const value = getIn(form.scenario(), path);
  const text = typeof value === "string" ? value : "";
  const now = readCc(text);
  const starts = cc.filter(({ role }) => role === "slow start" || role === "slow-start");
  const mains = cc.filter((entry) => !starts.includes(entry));
  const main = now && mains.find(({ name }) => name === now.main.name);
  if (!now || !main) return unknown(form, path, text, mains);
  const pickMain = choice(path, mains.map(optionOf), main.name, (name) => {
    const next = mains.find((entry) => entry.name === name);
    const slowStart = next?.role === "avoidance" ? now.slowStart : null;
    rebuild(form, path, writeCc({ slowStart, main: { name, parameters: {} } }));
  });
  const pickStart = main.role === "avoidance" ? startField(form, path, now, main, starts) : null;
  const start = starts.find(({ name }) => name === now.slowStart?.name);
  return element(
    "div",
    {},
    labelled("algorithm", pickMain, main.summary),
    pickStart,
    parameters(form, path, main, now.main, (part) => ({ ...now, main: part })),
    start && now.slowStart
      ? parameters(form, path, start, now.slowStart, (part) => ({ ...now, slowStart: part }))
      : null,
  );
}

/** A congestion control that the page cannot take apart, such as a class in Python. */
function unknown(form: Form, path: Path, text: string, mains: readonly Algorithm[]): HTMLElement {
  const other = { value: text, label: text || "none" };
  const select = choice(path, [other, ...mains.map(optionOf)], text, (name) =>
    rebuild(form, path, name === "" ? undefined : name),
  );
  return labelled("algorithm", select);
}

function startField(
  form: Form,
  path: Path,
  now: Cc,
  main: Algorithm,
  starts: readonly Algorithm[],
): HTMLElement {
  const usual = { value: DEFAULT, label: `default (${main.slow_start ?? "classic"})` };
  const select = choice(
    [...path, "start"],
    [usual, ...starts.map(optionOf)],
    now.slowStart?.name ?? DEFAULT,
    (name) => {
      const slowStart = name === DEFAULT ? null : { name, parameters: {} };
      rebuild(form, path, writeCc({ ...now, slowStart }));
    },
  );
  const summary = starts.find(({ name }) => name === now.slowStart?.name)?.summary;
  return labelled("slow start", select, summary);
}

function parameters(
  form: Form,
  path: Path,
  algorithm: Algorithm,
  part: CcPart,
  put: (part: CcPart) => Cc,
): HTMLElement | null {
  if (algorithm.parameters.length === 0) return null;
  const count = algorithm.parameters.length;
  const set = Object.keys(part.parameters);
  let latest = part;
  const write = (name: string, value: string) => {
    latest = withParameter(latest, name, value);
    form.type(path, writeCc(put(latest)));
  };
  return fold(
    form,
    [...path, algorithm.name],
    count === 1 ? `1 parameter of ${algorithm.name}` : `${count} parameters of ${algorithm.name}`,
    () => algorithm.parameters.map((option) => parameter(path, part, option, write)),
    set.length > 0 ? `${set.join(", ")} set` : "",
  );
}

function parameter(
  path: Path,
  part: CcPart,
  option: Parameter,
  write: (name: string, value: string) => void,
): HTMLElement {
  const own = [...path, part.name, option.name];
  const value = part.parameters[option.name] ?? "";
  const words =
    option.choices?.map(shown) ??
    (typeof option.default === "boolean" ? ["true", "false"] : null);
  if (words) {
    const options = [
      { value: DEFAULT, label: `default (${shown(option.default)})` },
      ...words.map((word) => ({ value: word, label: word })),
    ];
    const select = choice(own, options, value, (chosen) => write(option.name, chosen));
    return labelled(option.name.replaceAll("_", " "), select, option.meaning);
  }
  const input = element("input", {
    type: "text",
    name: nameOf(own),
    value,
    placeholder: `${shown(option.default)} ${option.unit}`.trim(),
    autocomplete: "off",
  });
  input.addEventListener("input", () => write(option.name, input.value.trim()));
  const range = option.range ? `; ${option.range[0]} to ${option.range[1]}` : "";
  return labelled(option.name.replaceAll("_", " "), input, `${option.meaning}${range}`);
}
