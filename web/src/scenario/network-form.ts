import type { Schema } from "../catalogue";
import { button, element } from "../dom";
import { field } from "./field";
import type { Form } from "./form";
import { choice, fold, labelled } from "./inputs";
import { keyPath, linkPaths, withNetwork } from "./link";
import { getIn, isTable, type Path, setIn } from "./tree";

/** Keys of a link that are always shown; the others are folded away. */
const FIRST = ["rate", "delay", "limit", "qdisc", "loss"];
const SECOND = ["jitter", "reorder", "delay_schedule", "outages"];

const LABELS: Readonly<Record<string, string>> = {
  rate: "rate",
  rtt: "RTT",
  delay: "delay, one way",
  limit: "buffer",
  buffer: "buffer",
  qdisc: "queue discipline",
  delay_schedule: "delay steps",
};

function definition(form: Form, name: string): Schema {
  return form.catalogue.schema.$defs?.[name] ?? {};
}

function linkField(form: Form, link: Path, table: Schema, key: string): HTMLElement | null {
  const path = keyPath(form.scenario(), link, key);
  const written = String(path.at(-1));
  const schema = table.properties?.[key];
  const dumbbell = definition(form, "Dumbbell").properties?.[written];
  const described = path.length === 2 ? (dumbbell ?? schema) : schema;
  if (!described) return null;
  return field(form, described, path, LABELS[written] ?? written.replaceAll("_", " "));
}

function linkFields(form: Form, link: Path, table: Schema): (HTMLElement | null)[] {
  const own = (key: string) => linkField(form, link, table, key);
  const rest = Object.keys(table.properties ?? {}).filter(
    (key) =>
      !FIRST.includes(key) && !SECOND.includes(key) && !["from", "to", "name"].includes(key),
  );
  const isSet = (key: string) => getIn(form.scenario(), [...link, key]) !== undefined;
  const note = [...SECOND, ...rest].filter(isSet);
  return [
    ...["name", "from", "to"].filter((key) => key in (table.properties ?? {})).map(own),
    ...FIRST.map(own),
    fold(
      form,
      [...link, "more"],
      "Wire, policer, other direction",
      () => [...SECOND, ...rest].map(own),
      note.length > 0 ? `${note.join(", ")} set` : "",
    ),
  ];
}

function removable(form: Form, path: Path, title: string, children: (HTMLElement | null)[]) {
  const remove = button("Remove", () => form.replace(setIn(form.scenario(), path, undefined)), {
    class: "small",
    "aria-label": `Remove ${title}`,
  });
  return element(
    "fieldset",
    { class: "card" },
    element("legend", {}, title),
    ...children,
    remove,
  );
}

/** The network: its kind, its links with all their options, and access links. */
export function networkForm(form: Form): HTMLElement {
  const scenario = form.scenario();
  const network = isTable(scenario.network) ? scenario.network : {};
  const kind = typeof network.kind === "string" ? network.kind : "graph";
  const kinds = [
    { value: "dumbbell", label: "dumbbell: one bottleneck" },
    { value: "parking-lot", label: "parking lot: several in a row" },
    ...(kind === "graph" ? [{ value: "graph", label: "graph: any" }] : []),
  ];
  const pick = choice(["network", "kind"], kinds, kind, (chosen) => {
    if (chosen === "dumbbell" || chosen === "parking-lot") {
      form.replace(withNetwork(form.scenario(), chosen));
    }
  });
  const links = linkPaths(scenario);
  const table = definition(form, kind === "graph" ? "Link" : "Bottleneck");
  const [only] = links;
  const parts =
    kind === "dumbbell" && only
      ? linkFields(form, only, table)
      : links.map((link, index) => {
          const title = kind === "graph" ? `Link ${index + 1}` : `Bottleneck ${index + 1}`;
          return removable(form, link, title, linkFields(form, link, table));
        });
  const access = definition(form, "Dumbbell").properties?.access;
  return element(
    "fieldset",
    { class: "card" },
    element("legend", {}, "Network"),
    labelled("kind", pick),
    ...parts,
    kind === "parking-lot"
      ? button("Add a bottleneck", () => addBottleneck(form), { class: "small" })
      : null,
    access ? field(form, access, ["network", "access"], "Access links of all flows") : null,
  );
}

function addBottleneck(form: Form): void {
  const links = linkPaths(form.scenario());
  const last = links.at(-1);
  const copy = last && getIn(form.scenario(), last);
  const path: Path = ["network", "bottlenecks", links.length];
  form.replace(setIn(form.scenario(), path, copy ?? { rate: "10Mbit/s", delay: "10ms" }));
}
