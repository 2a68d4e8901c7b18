import "./knobs.css";
import { loadCatalogue } from "../catalogue";
import { button, debounced, element } from "../dom";
import type { Laboratory } from "../laboratory";
import type { Scenario } from "../resolver/contract";
import { flowNames } from "../scenario/flows-form";
import { linkPaths } from "../scenario/link";
import { flowsOf, type Path } from "../scenario/tree";
import { apply } from "./apply";
import { addFlowAt, changeCcAt, changesOf, type Quantity, setAt, valueAt } from "./edits";
import { type Knob, knob } from "./knob";
import { delayScale, limitScale, lossScale, rateScale } from "./scales";

function seconds(time: number): string {
  return `${time.toFixed(time < 10 ? 2 : 1)} s`;
}

/**
 * Knobs that take effect at the time shown. Each writes a scheduled change into the scenario, whose
 * run is made again from its start: until that time it is the same.
 */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const links = element("select", { "aria-label": "Link to change" });
  const moment = element("b", { class: "knobs-time" });
  const knobs = element("div", { class: "knobs" });
  const flows = element("div", { class: "knobs-flows" });
  const list = element("ol", { class: "changes", "aria-label": "Changes during the run" });
  const lead = element("p", { class: "quiet" }, "From ", moment, " on:");
  const linkRow = element("label", { class: "field" }, "link", links);
  place.append(lead, linkRow, knobs, flows, list);

  const scenario = (): Scenario => laboratory.resolved.get()?.scenario ?? {};
  const paths = (): Path[] => linkPaths(scenario());
  const link = (): Path | undefined => paths()[Number(links.value) || 0];
  const now = () => laboratory.now.get();

  /** Makes a change of the scenario at the time shown. */
  function change(make: (scenario: Scenario, time: number) => Scenario): void {
    try {
      // A step is written to the millisecond, and must not come before the time shown.
      const time = Math.ceil(now() * 1000 - 1e-6) / 1000;
      if (!laboratory.playing.get()) laboratory.now.set(time);
      void apply(laboratory, make(scenario(), time));
    } catch (error) {
      laboratory.problem.set(error instanceof Error ? error.message : String(error));
    }
  }

  function linkKnob(label: string, key: Quantity, hint: string, scale: typeof rateScale): Knob {
    const made = knob(label, hint, scale, (text) => {
      const path = link();
      if (path) change((current, time) => setAt(current, path, key, time, text));
    });
    knobs.append(made.whole);
    return made;
  }

  const all: Readonly<Record<Quantity, Knob>> = {
    rate: linkKnob("rate", "rate", "such as 10Mbit/s", rateScale),
    delay: linkKnob("delay", "delay", "one way, such as 30ms", delayScale),
    limit: linkKnob("buffer", "limit", "of a fifo: 1bdp, 50 packets, 30kB, 20ms", limitScale),
    loss: linkKnob("loss", "loss", "share of packets lost at random, such as 1%", lossScale),
  };

  const newCc = element("select", { "aria-label": "Algorithm" });
  const which = element("select", { "aria-label": "Flow whose algorithm changes" });
  const add = button("New flow", () =>
    change((current, time) => addFlowAt(current, newCc.value, time)),
  );
  const swap = button("Change flow", () =>
    change((current, time) => changeCcAt(current, Number(which.value), newCc.value, time)),
  );
  swap.setAttribute("aria-label", "Change flow to this algorithm");
  flows.append(
    element("label", { class: "field" }, "algorithm", newCc),
    element("div", { class: "knobs-row" }, add, swap, which),
  );
  loadCatalogue().then(
    ({ cc }) => {
      const mains = cc.filter(({ role }) => role !== "slow start");
      newCc.append(
        ...mains.map(({ name, summary }) =>
          element("option", { value: name, selected: name === "cubic", title: summary }, name),
        ),
      );
    },
    () => {
      flows.hidden = true;
    },
  );

  function showValues(): void {
    moment.textContent = seconds(now());
    const path = link();
    for (const key of Object.keys(all) as Quantity[]) {
      all[key].show(path ? valueAt(scenario(), path, key, now()) : null);
    }
  }

  function showChanges(): void {
    const changes = changesOf(scenario(), paths());
    const items = changes.map((change) => {
      const remove = button("×", () => void apply(laboratory, change.without()), {
        class: "small",
        "aria-label": `Remove: ${seconds(change.time)} ${change.sentence}`,
      });
      const jump = button(seconds(change.time), () => laboratory.now.set(change.time), {
        class: "link",
        title: "Show this time",
      });
      return element("li", {}, jump, element("span", {}, change.sentence), remove);
    });
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
  }

  function showChoices(): void {
    const chosen = links.value;
    const names = paths().map((_, index) =>
      element("option", { value: index }, `bottleneck ${index + 1}`),
    );
    links.replaceChildren(...names);
    if (chosen && Number(chosen) < names.length) links.value = chosen;
    linkRow.hidden = names.length < 2;
    const before = which.value;
    const entries = flowsOf(scenario());
    const flowOptions = flowNames(entries).flatMap((name, index) =>
      entries[index]?.cc === undefined ? [] : [element("option", { value: index }, name)],
    );
    which.replaceChildren(...flowOptions);
    if (Number(before) < flowOptions.length && before) which.value = before;
    swap.disabled = flowOptions.length === 0;
  }

  const waiting = element("span", {}, " (as soon as Python is loaded)");
  lead.append(waiting);
  place.classList.add("is-waiting");
  laboratory.resolver.ready.then(
    () => {
      place.classList.remove("is-waiting");
      waiting.remove();
    },
    () => {
      waiting.textContent = " (not here: see below)";
    },
  );

  links.addEventListener("change", showValues);
  laboratory.resolved.watch(() => {
    showChoices();
    showValues();
    showChanges();
  });
  // While it plays, the values follow ten times a second.
  let last = 0;
  const settled = debounced(120, showValues);
  laboratory.now.watch(() => {
    const time = performance.now();
    if (time - last > 100) {
      last = time;
      showValues();
    } else settled();
  });
}
