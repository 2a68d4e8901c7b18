import type { Schema } from "../catalogue";
import { button, element } from "../dom";
import type { Json } from "../resolver/contract";
import { type Form, nameOf } from "./form";
import { choice, fold, labelled, type Option, rebuild, shown, textInput } from "./inputs";
import { exampleTable, fits, followed, kindOf, type Ways, waysOf } from "./schema";
import { traceField } from "./trace-field";
import { getIn, isList, isTable, type Path } from "./tree";

const DEFAULT = "";

function root(form: Form): Schema {
  return form.catalogue.schema;
}

function placeholder(schema: Schema): string {
  const { default: given, examples } = schema;
  if (given !== undefined && given !== null) return shown(given);
  const [example] = examples ?? [];
  return example === undefined || typeof example === "object" ? "" : `e.g. ${shown(example)}`;
}

/** The name of a form of a value that has no `kind`. */
function formName(table: Schema): string {
  const kind = kindOf(table);
  if (kind !== null) return kind;
  const [first = "table"] = table.required ?? Object.keys(table.properties ?? {});
  return table.title === "RandomLoss" ? "random" : first;
}

/** A field for any value that the schema describes. */
export function field(form: Form, given: Schema, path: Path, label: string): HTMLElement {
  const schema = followed(given, root(form));
  const ways = waysOf(given, root(form));
  if (path.at(-1) === "trace") return traceField(form, path, schema.description);
  const forms = formsOf(ways);
  if (ways.tables.length > 0 || forms.length > 1) {
    return union(form, schema, ways, path, label);
  }
  return labelled(label, scalar(form, schema, ways, path), schema.description);
}

function scalar(form: Form, schema: Schema, ways: Ways, path: Path): HTMLElement {
  const value = getIn(form.scenario(), path);
  if (ways.isFlag && !ways.isText) {
    const options: Option[] = [
      { value: DEFAULT, label: flagDefault(schema) },
      { value: "true", label: "yes" },
      { value: "false", label: "no" },
    ];
    return choice(path, options, value === undefined ? DEFAULT : String(value), (chosen) =>
      form.type(path, chosen === DEFAULT ? undefined : chosen === "true"),
    );
  }
  if (ways.words.length > 0 && !ways.isText && !ways.isNumber) {
    const isGiven = schema.default !== undefined || ways.isOptional;
    const first = { value: DEFAULT, label: `default ${shownDefault(schema)}`.trim() };
    const words = ways.words.map((word) => ({ value: word, label: word }));
    const options = isGiven ? [first, ...words] : words;
    return choice(path, options, value === undefined ? DEFAULT : String(value), (chosen) =>
      form.type(path, chosen === DEFAULT ? undefined : chosen),
    );
  }
  const [list] = ways.lists;
  if (list) return listInput(form, list, path);
  return textInput(form, path, (text) => readScalar(text, ways), placeholder(schema));
}

function flagDefault({ default: given }: Schema): string {
  if (given === true) return "default (yes)";
  return given === false ? "default (no)" : "default";
}

function shownDefault({ default: given }: Schema): string {
  return typeof given === "string" ? `(${given})` : "";
}

function readScalar(text: string, ways: Ways): Json | undefined {
  if (text === "") return undefined;
  const isNumber = ways.isNumber && /^-?\d*\.?\d+(e-?\d+)?$/i.test(text);
  if (isNumber && Number.isSafeInteger(Math.trunc(Number(text)))) return Number(text);
  return text;
}

/** A list: of pairs with a row each, or of words and numbers with commas. */
function listInput(form: Form, list: Schema, path: Path): HTMLElement {
  const items = list.items ? waysOf(list.items, root(form)) : null;
  if (items && items.lists.length > 0) return pairs(form, path);
  if (items && items.tables.length === 0) {
    const input = textInput(
      form,
      path,
      (text) => {
        const parts = text.split(",").map((part) => part.trim());
        return text === "" ? undefined : parts.map((part) => readScalar(part, items) ?? "");
      },
      "separated by commas",
    );
    const value = getIn(form.scenario(), path);
    if (isList(value)) input.value = value.map(shown).join(", ");
    return input;
  }
  return jsonInput(form, path);
}

/** A value that has no field of its own, as JSON. */
function jsonInput(form: Form, path: Path): HTMLElement {
  const value = getIn(form.scenario(), path);
  const input = element("input", {
    type: "text",
    name: nameOf(path),
    placeholder: "as JSON",
    value: value === undefined ? "" : JSON.stringify(value),
  });
  input.addEventListener("change", () => {
    try {
      form.type(path, input.value.trim() === "" ? undefined : (JSON.parse(input.value) as Json));
      input.setCustomValidity("");
    } catch {
      input.setCustomValidity('This is not JSON, such as [1, 2] or {"a": 1}.');
    }
    input.reportValidity();
  });
  return input;
}

/** Steps: pairs of a time and a value, a row each. */
function pairs(form: Form, path: Path): HTMLElement {
  const value = getIn(form.scenario(), path);
  const rows = isList(value) ? value : [];
  const name = String(path.at(-1));
  const text = (row: number, place: number) =>
    labelText(
      textInput(form, [...path, row, place], (typed) => typed, ""),
      `${name} ${row + 1}`,
    );
  const lines = rows.map((_, row) =>
    element(
      "span",
      { class: "pair" },
      text(row, 0),
      text(row, 1),
      button("×", () => rebuild(form, path, without(rows, row)), {
        class: "small",
        "aria-label": `Remove ${name} ${row + 1}`,
      }),
    ),
  );
  const add = button("+", () => rebuild(form, path, [...rows, nextPair(rows)]), {
    class: "small",
    "aria-label": `Add to ${name}`,
  });
  return element("span", { class: "pairs" }, ...lines, add);
}

function labelText(input: HTMLInputElement, label: string): HTMLInputElement {
  input.setAttribute("aria-label", label);
  return input;
}

function without(rows: readonly Json[], row: number): Json | undefined {
  const left = rows.filter((_, index) => index !== row);
  return left.length > 0 ? left : undefined;
}

/** The last pair once more, ten seconds later. */
function nextPair(rows: readonly Json[]): Json {
  const last = rows.at(-1);
  if (!isList(last)) return ["0s", ""];
  const seconds = Number.parseFloat(shown(last[0] ?? "0s")) || 0;
  return [`${seconds + 10}s`, last[1] ?? ""];
}

interface FormOf {
  readonly name: string;
  readonly table: Schema | null;
  readonly list: Schema | null;
  /** A word that says the whole value; null: none does. */
  readonly word: string | null;
}

/** The forms that a value may have: text, words, lists, tables. */
function formsOf(ways: Ways): FormOf[] {
  const forms: FormOf[] = [];
  const tables = ways.tables.filter(({ properties }) => properties !== undefined);
  const kinds = new Set(tables.map(kindOf));
  if (ways.isText || ways.isNumber) {
    forms.push({ name: "value", table: null, list: null, word: null });
  }
  for (const word of ways.words) {
    if (!kinds.has(word)) forms.push({ name: word, table: null, list: null, word });
  }
  for (const list of ways.lists) forms.push({ name: "steps", table: null, list, word: null });
  for (const table of tables) {
    const name = formName(table);
    const word = ways.words.includes(name) ? name : null;
    forms.push({
      name: forms.some((form) => form.name === name) ? `${name} …` : name,
      table,
      list: null,
      word,
    });
  }
  return forms;
}

function formNow(forms: readonly FormOf[], value: Json): FormOf | undefined {
  if (isTable(value)) return forms.find(({ table }) => table && fits(table, value));
  if (isList(value)) return forms.find(({ list }) => list);
  const asWord = forms.find(({ word }) => word === value);
  return asWord ?? forms.find(({ table, list, word }) => !table && !list && word === null);
}

/** A value of several forms: a choice of the form, and its fields. */
function union(form: Form, schema: Schema, ways: Ways, path: Path, label: string): HTMLElement {
  const forms = formsOf(ways);
  const value = getIn(form.scenario(), path);
  const [only] = forms;
  if (forms.length === 1 && only?.table) {
    const table = only.table;
    const note = value === undefined ? "" : "set";
    return fold(form, path, label, () => tableFields(form, table, path), note);
  }
  if (forms.length === 0) {
    return labelled(label, jsonInput(form, path), schema.description);
  }
  const now = value === undefined ? undefined : formNow(forms, value);
  const isGiven = schema.default !== undefined || ways.isOptional;
  const start = { value: DEFAULT, label: `default ${defaultName(schema)}`.trim() };
  const options = [
    ...(isGiven || now === undefined ? [start] : []),
    ...forms.map(({ name }) => ({ value: name, label: name })),
  ];
  const select = choice(path, options, now?.name ?? DEFAULT, (chosen) => {
    const next = forms.find(({ name }) => name === chosen);
    rebuild(form, path, next && startOf(form, next, schema, value));
  });
  // A single value that is or may be written needs no choice before it.
  const isPlain = now !== undefined && !now.table && !now.list && now.word === null;
  const input = isPlain
    ? textInput(form, path, (text) => readScalar(text, ways), placeholder(schema))
    : null;
  if (input) {
    input.setAttribute("aria-label", label);
    select.setAttribute("aria-label", `${label}: form`);
    select.classList.add("form-of");
    select.removeAttribute("name");
    const both = element("span", { class: "both" }, input, select);
    return element(
      "div",
      { class: "field-whole" },
      element(
        "div",
        { class: "field", title: schema.description?.split("\n\n")[0] },
        element("span", { class: "field-name" }, label),
        both,
      ),
    );
  }
  return labelled(label, select, schema.description, inside(form, now, path));
}

function defaultName({ default: given }: Schema): string {
  if (isTable(given) && typeof given.kind === "string") return `(${given.kind})`;
  return given === null || given === undefined || isTable(given) ? "(none)" : `(${shown(given)})`;
}

/** The fields of the form that a value has now. */
function inside(form: Form, now: FormOf | undefined, path: Path): HTMLElement | null {
  if (now?.list) return element("div", { class: "nested" }, listInput(form, now.list, path));
  const table = now?.table;
  if (!table) return null;
  const properties = Object.keys(table.properties ?? {}).filter((key) => key !== "kind");
  if (properties.length === 0) return null;
  if (properties.length <= 3) {
    return element("div", { class: "nested" }, ...tableFields(form, table, path));
  }
  const needed = new Set(table.required ?? []);
  const firsts = tableFields(form, table, path, (key) => needed.has(key));
  const rest = properties.length - (needed.has("kind") ? needed.size - 1 : needed.size);
  return element(
    "div",
    { class: "nested" },
    ...firsts,
    fold(
      form,
      [...path, "more"],
      `${rest} parameters`,
      () => tableFields(form, table, path, (key) => !needed.has(key)),
      given(
        form,
        path,
        properties.filter((key) => !needed.has(key)),
      ),
    ),
  );
}

function given(form: Form, path: Path, keys: readonly string[]): string {
  const set = keys.filter((key) => getIn(form.scenario(), [...path, key]) !== undefined);
  return set.length > 0 ? `${set.join(", ")} set` : "";
}

/** The value with which a form begins. */
function startOf(form: Form, next: FormOf, schema: Schema, before: Json | undefined): Json {
  if (next.word !== null) return next.word;
  if (next.list) return startList(schema, before);
  if (next.table) {
    const made = exampleTable(next.table, root(form));
    const isStepped = isList(made.schedule) && typeof before === "string";
    return isStepped
      ? {
          ...made,
          schedule: [
            ["0s", before],
            ["10s", before],
          ],
        }
      : made;
  }
  const [example] = schema.examples ?? [];
  if (isTable(before) && isList(before.schedule) && isList(before.schedule[0])) {
    return before.schedule[0][1] ?? "";
  }
  return typeof example === "string" || typeof example === "number"
    ? example
    : firstText(form, schema);
}

function startList(schema: Schema, before: Json | undefined): Json {
  return isTable(before) && isList(before.steps) ? before.steps : [["10s", exampleTime(schema)]];
}

function exampleTime({ description = "" }: Schema): string {
  return /\["\d+s", "([^"]+)"\]/.exec(description)?.[1] ?? "12s";
}

/** An example of the text among the forms of a value. */
function firstText(form: Form, schema: Schema): Json {
  const parts = schema.anyOf ?? schema.oneOf ?? [];
  for (const part of parts) {
    const whole = followed(part, root(form));
    const [example] = whole.examples ?? [];
    if (typeof example === "string" || typeof example === "number") return example;
    const inner = whole.anyOf || whole.oneOf ? firstText(form, whole) : "";
    if (inner !== "") return inner;
  }
  return "";
}

/** Fields of a table's keys, but for `kind`. */
export function tableFields(
  form: Form,
  table: Schema,
  path: Path,
  isWanted: (key: string) => boolean = () => true,
): HTMLElement[] {
  return Object.entries(table.properties ?? {})
    .filter(([key]) => key !== "kind" && isWanted(key))
    .map(([key, property]) => field(form, property, [...path, key], key.replaceAll("_", " ")));
}
