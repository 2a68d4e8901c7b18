import { element } from "../dom";
import { colourOf, type SampledFlow } from "./flows";

export interface Legend {
  readonly flows: readonly SampledFlow[];
  readonly hidden: ReadonlySet<number>;
  /** Row of the flow whose phases are shaded. */
  readonly selected: number;
  readonly note: string;
  toggle(place: number): void;
  select(row: number): void;
}

/** Shows the flows: a switch for each, and a choice of the one that the panels show. */
export function legend(place: HTMLElement, given: Legend): void {
  const { activeElement: active } = document;
  const focused = place.contains(active) ? (active?.getAttribute("data-key") ?? null) : null;
  place.replaceChildren(
    ...given.flows.map((flow, at) => entry(flow, at, given)),
    ...(given.note ? [element("span", { class: "charts-note" }, given.note)] : []),
  );
  if (focused) place.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
}

function label({ name, cc }: SampledFlow): string {
  return name === cc || name.split(".")[0] === cc ? name : `${name} (${cc})`;
}

function entry(flow: SampledFlow, at: number, given: Legend): HTMLElement {
  const swatch = element("i");
  swatch.style.background = `var(${colourOf(at)})`;
  const isSelected = flow.row === given.selected;
  const name = element(
    "button",
    {
      type: "button",
      "data-key": `select-${at}`,
      "aria-pressed": String(isSelected),
      title: "Show this flow's phases and decisions",
      class: "charts-flow",
    },
    label(flow),
  );
  name.addEventListener("click", () => given.select(flow.row));
  const isShown = !given.hidden.has(at);
  const eye = element(
    "button",
    {
      type: "button",
      "data-key": `toggle-${at}`,
      "aria-pressed": String(isShown),
      "aria-label": `Draw ${flow.name}`,
      title: isShown ? "Hide" : "Draw",
      class: "charts-swatch",
    },
    swatch,
  );
  eye.addEventListener("click", () => given.toggle(at));
  return element("span", { class: "charts-key" }, eye, name);
}
