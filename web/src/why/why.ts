import "./why.css";
import { drawnFlows, sampledFlows } from "../charts/flows";
import { button, element } from "../dom";
import type { Laboratory } from "../laboratory";
import { type Plan, readPlan } from "../plan";
import { findEvent } from "../playback/finding";
import { routeOf } from "../playback/routes";
import { type Decisions, decisionAt, decisionsOf, isNotable, latest } from "./decision";
import { numbers } from "./numbers";
import { explain, type Sentence } from "./sentences";
import { withSources } from "./sources";

/** Least time between two updates while the run plays, ms. */
const PAUSE = 250;

/** What the sender of a flow made of the latest event, and why. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const chooser = element("select", { "aria-label": "Flow whose decisions are shown" });
  const swatch = element("i", { "aria-hidden": "true" });
  const time = element("p", { class: "why-time" });
  const text = element("div", { class: "why-text" });
  const rows = element("tbody");
  const table = element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...["", "before", "after"].map((title) =>
          element(title ? "th" : "td", title ? { scope: "col" } : {}, title),
        ),
      ),
    ),
    rows,
  );
  const figures = element(
    "details",
    { class: "why-numbers" },
    element("summary", {}, "Numbers"),
    element("div", { class: "scroll" }, table),
  );
  const search = (label: string, title: string, find: Find, direction: 1 | -1) =>
    button(label, () => void go(find, direction), { title });
  const steps = [
    search("‹ ACK", "The ACK before", isAck, -1),
    search("ACK ›", "The next ACK", isAck, 1),
    search("‹ not routine", "The loss, timeout or change of phase before", isNotable, -1),
    search("not routine ›", "The next loss, timeout or change of phase", isNotable, 1),
  ];
  place.classList.add("why");
  place.append(
    element(
      "div",
      { class: "why-head" },
      element("label", { class: "why-flow" }, swatch, chooser),
      ...steps,
    ),
    time,
    text,
    figures,
  );

  let plan: Plan | null = null;
  let isAsked = false;
  let lastDrawn = 0;

  /** Index of the flow in the tables; null: it is no TCP connection. */
  function route(): number | null {
    const run = laboratory.run.get();
    return run && routeOf(run, laboratory.flow.get());
  }

  function decisions(): Decisions | null {
    const detail = laboratory.detail.get();
    const now = laboratory.now.get();
    const flow = route();
    if (!detail || flow === null || now < detail.from || now > detail.to) return null;
    return decisionsOf(detail, flow);
  }

  async function go(find: Find, direction: 1 | -1): Promise<void> {
    const flow = route();
    if (flow === null) return;
    laboratory.playing.set(false);
    await findEvent(laboratory, direction, (detail, now) => {
      const all = decisionsOf(detail, flow);
      const start = direction > 0 ? latest(all, now) + 1 : latest(all, now) - 1;
      for (let at = start; at >= 0 && at < all.rows.length; at += direction) {
        const then = all.times[at];
        // Several events may have one time: a step goes to another time.
        if (then !== undefined && then !== now && find(all, at)) return then;
      }
      return null;
    });
  }

  function draw(): void {
    const shown = decisions();
    const at = shown ? latest(shown, laboratory.now.get()) : -1;
    const decision = shown ? decisionAt(shown, at) : null;
    const flow = plan?.flows[route() ?? -1];
    figures.hidden = decision === null;
    for (const step of steps) step.disabled = shown === null || shown.detail.decisions.rows === 0;
    if (!decision || !flow) {
      time.textContent = "";
      text.replaceChildren(element("p", { class: "quiet" }, absence(shown)));
      return;
    }
    const name = flow.name === flow.cc ? flow.name : `${flow.name} (${flow.cc})`;
    time.textContent = `${name} at ${decision.time.toFixed(6)} s`;
    text.replaceChildren(...explain(decision, flow.transport.mss, flow.cc).map(paragraph));
    rows.replaceChildren(
      ...numbers(decision, flow.transport.mss).map(({ name, before, after }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, name),
          element("td", {}, before ?? ""),
          element("td", {}, after),
        ),
      ),
    );
  }

  function absence(shown: Decisions | null): string {
    if (!laboratory.run.get()) return "There is no run yet.";
    if (route() === null) return "This flow is no TCP connection: it decides nothing.";
    if (shown) return "The sender has decided nothing yet.";
    if (laboratory.playing.get()) return "Pause, or play more slowly, to read the decisions.";
    return "The decisions of this time are being read.";
  }

  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame((frame) => {
      isAsked = false;
      if (laboratory.playing.get() && frame - lastDrawn < PAUSE) return;
      lastDrawn = frame;
      draw();
    });
  }

  function showFlow(): void {
    const run = laboratory.run.get();
    const row = laboratory.flow.get();
    // An aggregate is shown by its first connection.
    const shown = run && sampledFlows(run).find(({ sampled }) => sampled === route());
    chooser.value = String(shown?.row ?? row);
    const index = run ? drawnFlows(run).findIndex((flow) => flow.row === shown?.row) : -1;
    swatch.style.background = index < 0 ? "" : `var(--flow-${index % 10})`;
    ask();
  }

  chooser.addEventListener("change", () => laboratory.flow.set(Number(chooser.value)));
  laboratory.run.watch((run) => {
    const resolved = laboratory.resolved.get();
    if (!run || !resolved) return;
    plan = readPlan(resolved.plan);
    chooser.replaceChildren(
      ...sampledFlows(run).map(({ row, name, cc }) =>
        element("option", { value: row }, name === cc ? name : `${name} (${cc})`),
      ),
    );
    showFlow();
  });
  laboratory.flow.watch(showFlow);
  for (const signal of [laboratory.detail, laboratory.now, laboratory.playing]) {
    signal.watch(ask);
  }
}

type Find = (decisions: Decisions, at: number) => boolean;

function isAck({ detail, rows }: Decisions, at: number): boolean {
  const { cause } = detail.decisions.columns;
  return cause?.names[cause.values[rows[at] ?? -1] ?? -1] === "ack";
}

function paragraph({ kind, text }: Sentence): HTMLElement {
  return element("p", { class: `why-${kind}` }, ...withSources(text));
}
