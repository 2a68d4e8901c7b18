import { debounced, element } from "../dom";
import type { Laboratory } from "../laboratory";
import type { Resolved } from "../resolver/contract";

const PAUSE = 700;

/** The scenario as its TOML text, which can be edited. */
export function mountEditor(place: HTMLElement, laboratory: Laboratory): void {
  const area = element("textarea", {
    rows: 18,
    spellcheck: "false",
    "aria-label": "Scenario as TOML",
    "aria-describedby": "editor-problem",
  });
  const problem = element("p", { id: "editor-problem", class: "quiet", "aria-live": "polite" });
  const whole = element(
    "details",
    { class: "fold editor" },
    element("summary", {}, "As TOML"),
    area,
    problem,
  );
  place.append(whole);
  /** The scenario that the text says, as JSON. */
  let said = "";

  async function write(resolved: Resolved | null): Promise<void> {
    if (!resolved || !whole.open) return;
    const text = JSON.stringify(resolved.scenario);
    if (text === said) return;
    if ("toml" in resolved) area.value = String(resolved.toml);
    else {
      const toml = await laboratory.resolver.toToml(resolved.scenario, resolved.files);
      if (laboratory.resolved.get() !== resolved) return;
      area.value = toml;
    }
    said = text;
    problem.textContent = "";
  }

  const read = debounced(PAUSE, async () => {
    const files = laboratory.resolved.get()?.files ?? {};
    const text = area.value;
    try {
      const scenario = await laboratory.resolver.parse(text, files);
      if (area.value !== text) return;
      said = JSON.stringify(scenario);
      problem.textContent = "";
      await laboratory.show(scenario, files);
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  });
  area.addEventListener("input", read);
  const refresh = () => {
    write(laboratory.resolved.get()).catch((error: unknown) => {
      problem.textContent = error instanceof Error ? error.message : String(error);
    });
  };
  whole.addEventListener("toggle", refresh);
  laboratory.resolved.watch(refresh);
}
