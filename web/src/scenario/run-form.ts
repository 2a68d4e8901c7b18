import { element } from "../dom";
import { field } from "./field";
import type { Form } from "./form";
import { fold } from "./inputs";

const REST = ["warmup", "seed", "profile", "name", "description", "record", "transport"];

/** What concerns the whole run: its duration, and folded away the seed and the rest. */
export function runForm(form: Form): HTMLElement {
  const { properties = {} } = form.catalogue.schema;
  const own = (key: string): HTMLElement | null => {
    const schema = properties[key];
    return schema ? field(form, schema, [key], key.replaceAll("_", " ")) : null;
  };
  const set = REST.filter((key) => form.scenario()[key] !== undefined);
  return element(
    "fieldset",
    { class: "card" },
    element("legend", {}, "Run"),
    own("duration"),
    fold(
      form,
      ["run", "more"],
      "Seed, warm-up, profile, record, transport",
      () => REST.map(own),
      set.length > 0 ? `${set.join(", ")} set` : "",
    ),
  );
}
