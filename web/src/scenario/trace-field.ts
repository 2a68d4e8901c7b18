import { element } from "../dom";
import { type Form, nameOf } from "./form";
import { labelled, textInput } from "./inputs";
import { getIn, type Path, setIn } from "./tree";

/** A trace: the name of one that the page has, or a file that one chooses. */
export function traceField(form: Form, path: Path, description = ""): HTMLElement {
  const id = `files-${nameOf(path)}`;
  const input = textInput(form, path, (text) => text || undefined, "name of a file");
  input.setAttribute("list", id);
  input.setAttribute("aria-label", "trace");
  const names = Object.keys(form.files()).map((name) => element("option", { value: name }));
  const file = element("input", {
    type: "file",
    class: "unseen",
    "aria-label": "Choose a trace",
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const files = { ...form.files(), [chosen.name]: await chosen.text() };
    form.replace(setIn(form.scenario(), path, chosen.name), files);
  });
  const value = getIn(form.scenario(), path);
  const isMissing =
    typeof value === "string" && value !== "" && !Object.hasOwn(form.files(), value);
  return labelled(
    "trace",
    input,
    description,
    element(
      "div",
      { class: "field-tools" },
      element("datalist", { id }, ...names),
      isMissing ? element("span", { class: "quiet" }, "not in the page: ") : null,
      element("label", { class: "button small" }, file, "Choose a file"),
    ),
  );
}
