import { button, element } from "../dom";
import type { Json } from "../resolver/contract";
import { ccField } from "./cc-field";
import { field } from "./field";
import type { Form } from "./form";
import { fold } from "./inputs";
import { flowsOf, isTable, type Path, setIn } from "./tree";

const FIRST = ["name", "count", "start", "stop"];
const SHOWN = [...FIRST, "cc", "app"];

/** A name for a flow that no other has. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const name = `${wanted}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Names of the entries of flows, as the scenario gives or implies them. */
export function flowNames(flows: readonly { readonly [key: string]: Json }[]): string[] {
  return flows.map(({ name }, index) => (typeof name === "string" ? name : `flow${index + 1}`));
}

/** Applications that are sent over UDP and have no congestion control. */
const STREAMS = ["cbr", "voice", "video"];

function isStream(flow: { readonly [key: string]: Json }): boolean {
  const kind = isTable(flow.app) ? flow.app.kind : flow.app;
  return STREAMS.includes(String(kind));
}

function card(form: Form, index: number): HTMLElement {
  const flows = flowsOf(form.scenario());
  const flow = flows[index] ?? {};
  const path: Path = ["flows", index];
  const properties = form.catalogue.schema.$defs?.Flow?.properties ?? {};
  const own = (key: string): HTMLElement | null => {
    const schema = properties[key];
    return schema ? field(form, schema, [...path, key], key.replaceAll("_", " ")) : null;
  };
  const rest = Object.keys(properties).filter((key) => !SHOWN.includes(key));
  const set = rest.filter((key) => flow[key] !== undefined);
  const name = flowNames(flows)[index] ?? "";
  const copy = button(
    "Copy",
    () => {
      const copied = { ...flow, name: freeName(name, flowNames(flows)) };
      form.replace(setIn(form.scenario(), ["flows", flows.length], copied));
    },
    { class: "small", "aria-label": `Copy flow ${name}` },
  );
  const remove = button("Remove", () => form.replace(setIn(form.scenario(), path, undefined)), {
    class: "small",
    "aria-label": `Remove flow ${name}`,
    disabled: flows.length < 2,
  });
  return element(
    "fieldset",
    { class: "card" },
    element("legend", {}, `Flow ${name}`),
    isStream(flow) ? null : ccField(form, [...path, "cc"]),
    own("app"),
    ...FIRST.map(own),
    fold(
      form,
      [...path, "more"],
      "Access link, routers, transport",
      () => rest.map(own),
      set.length > 0 ? `${set.join(", ")} set` : "",
    ),
    element("div", { class: "card-tools" }, copy, remove),
  );
}

/** The flows, a card each. */
export function flowsForm(form: Form): HTMLElement {
  const flows = flowsOf(form.scenario());
  const add = button("Add a flow", () => {
    const name = freeName("cubic", flowNames(flows));
    form.replace(setIn(form.scenario(), ["flows", flows.length], { name, cc: "cubic" }));
  });
  return element(
    "div",
    { class: "flows-form" },
    ...flows.map((_, index) => card(form, index)),
    add,
  );
}
