import type { History } from "../address/history";
import { button, element } from "../dom";
import type { Laboratory } from "../laboratory";
import type { Presets } from "../presets";
import type { Preset, PresetEntry, Resolved } from "../resolver/contract";
import { copy } from "./copy";
import { openFile } from "./drop";

function presetOf(resolved: Resolved | null): Preset | null {
  return resolved && "toml" in resolved ? (resolved as Preset) : null;
}

function group(label: string, entries: readonly PresetEntry[]): HTMLElement {
  const options = entries.map(({ name, title }) => element("option", { value: name }, title));
  return element("optgroup", { label }, ...options);
}

/** Name, choice of a preset, and what can be taken away: TOML, Python, the address, a file. */
export function mount(
  place: HTMLElement,
  laboratory: Laboratory,
  presets: Presets,
  history: History,
): void {
  const own = element("option", { value: "" }, "your own scenario");
  const choice = element("select", { id: "preset", "aria-label": "Lesson or preset" }, own);
  choice.addEventListener("change", async () => {
    if (choice.value)
      await guarded(async () => laboratory.open(await presets.load(choice.value), 0));
  });
  presets.entries.then(
    (entries) => {
      const [lessons, others] = [true, false].map((isLesson) =>
        entries.filter((entry) => entry.isLesson === isLesson),
      );
      if (lessons?.length) choice.append(group("Lessons", lessons));
      if (others?.length) choice.append(group("More scenarios", others));
      setChoice(laboratory.resolved.get());
    },
    (error: unknown) => laboratory.problem.set(String(error)),
  );

  function setChoice(resolved: Resolved | null): void {
    const name = presetOf(resolved)?.name ?? "";
    choice.value = name;
    own.hidden = name !== "";
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      laboratory.problem.set(error instanceof Error ? error.message : String(error));
    }
  }

  function text(what: string, make: (resolved: Resolved) => Promise<string>): HTMLElement {
    return button(
      what,
      () =>
        guarded(async () => {
          const resolved = laboratory.resolved.get();
          if (resolved) await copy(laboratory, await make(resolved), what);
        }),
      { title: `Copy the scenario as ${what}` },
    );
  }

  const file = element("input", {
    type: "file",
    class: "unseen",
    "aria-label": "Open a scenario, a Mahimahi trace or a capture",
    accept: ".toml,.trace,.up,.down,.pcap,.pcapng,.cap,text/plain",
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (chosen) await openFile(chosen, laboratory);
    file.value = "";
  });
  const fileLabel = element(
    "label",
    { class: "button", title: "A scenario (TOML), a Mahimahi trace, or a capture (pcap)" },
    file,
    "Open a file",
  );
  const undo = button("Undo", () => history.undo(), { title: "Ctrl+Z" });
  const redo = button("Redo", () => history.redo(), { title: "Ctrl+Shift+Z" });
  history.canUndo.watch((can) => {
    undo.disabled = !can;
  });
  history.canRedo.watch((can) => {
    redo.disabled = !can;
  });

  place.append(
    element("h1", {}, "ackclock"),
    choice,
    element(
      "div",
      { class: "head-tools", role: "group", "aria-label": "Scenario" },
      undo,
      redo,
      element("span", { class: "head-copy" }, "Copy as"),
      text("TOML", async (resolved) => {
        return (
          presetOf(resolved)?.toml ??
          laboratory.resolver.toToml(resolved.scenario, resolved.files)
        );
      }),
      text("Python", ({ scenario, files }) => laboratory.resolver.toPython(scenario, files)),
      button(
        "Share",
        () => guarded(async () => copy(laboratory, await history.share(), "Address")),
        { title: "Copy the address: it holds the whole scenario" },
      ),
      fileLabel,
    ),
  );
  laboratory.resolved.watch(setChoice);
}
