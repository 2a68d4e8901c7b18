import { colourOf, drawnFlows, number, text } from "../charts/flows";
import { rounded } from "../charts/readout";
import { button, element } from "../dom";
import type { Counters, RunResult } from "../engine/contract";
import type { Laboratory } from "../laboratory";
import { copy } from "../page/copy";

const DASH = "–";

function shown(value: number, scale = 1): string {
  return Number.isFinite(value) ? rounded(value * scale) : DASH;
}

function percent(part: number, whole: number): string {
  return whole > 0 && part <= whole ? `${rounded((part / whole) * 100)} %` : DASH;
}

function goodput(flow: Counters): number {
  return (number(flow, "goodput_bytes") * 8) / number(flow, "active_time") / 1e6;
}

/** Most rows of a table. */
const MOST = 20;

/** A flow's colour; flows that are not drawn have none. */
function swatch(run: RunResult, row: number): HTMLElement {
  const made = element("i", { class: "swatch" });
  const place = drawnFlows(run).findIndex((flow) => flow.row === row);
  if (place >= 0) made.style.background = `var(${colourOf(place)})`;
  return made;
}

function table(caption: string, head: readonly string[], rows: HTMLElement[]): HTMLElement {
  const cells = head.map((title) => element("th", { scope: "col" }, title));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", { class: "unseen" }, caption),
      element("thead", {}, element("tr", {}, ...cells)),
      element("tbody", {}, ...rows),
    ),
  );
}

function row(name: Node, cells: readonly string[]): HTMLElement {
  const made = element("th", { scope: "row" });
  made.append(name);
  return element("tr", {}, made, ...cells.map((cell) => element("td", {}, cell)));
}

function named(run: RunResult, flow: Counters, index: number): Node {
  const name = text(flow, "name");
  const cc = text(flow, "cc");
  return element("span", {}, swatch(run, index), name === cc ? name : `${name} (${cc})`);
}

function flowTable(run: RunResult): HTMLElement {
  const rows = run.flows.slice(0, MOST).map((flow, index) => {
    const sent = number(flow, "sent_packets");
    return row(named(run, flow, index), [
      shown(goodput(flow)),
      shown(number(flow, "rtt_p50"), 1e3),
      shown(number(flow, "rtt_p95"), 1e3),
      percent(number(flow, "lost_packets"), sent),
      percent(number(flow, "retransmitted_packets"), sent),
      shown(number(flow, "timeouts")),
    ]);
  });
  const head = ["Flow", "Goodput Mbit/s", "RTT p50 ms", "p95 ms", "Loss", "Sent again", "RTOs"];
  return table("Flows", head, rows);
}

function linkTable(run: RunResult): HTMLElement {
  const rows = run.links
    .filter((link) => number(link, "rate") > 0)
    .slice(0, MOST)
    .map((link) =>
      row(element("span", {}, text(link, "name")), [
        percent(number(link, "busy_time"), number(link, "measured_time") * (1 + 1e-9)),
        shown(number(link, "queue_delay_p50"), 1e3),
        shown(number(link, "queue_delay_p95"), 1e3),
        shown(number(link, "dropped_packets")),
        shown(number(link, "marked_packets")),
      ]),
    );
  const head = ["Link", "Utilisation", "Queue p50 ms", "p95 ms", "Drops", "Marks"];
  return table("Links", head, rows);
}

function digest(run: RunResult, laboratory: Laboratory): HTMLElement {
  const name = String(laboratory.resolved.get()?.scenario.name ?? "scenario");
  const command = `ackclock run ${name}.toml --digest`;
  return element(
    "p",
    { class: "digest" },
    "Digest ",
    element("code", {}, run.digest),
    button("Copy", () => copy(laboratory, run.digest, "Digest"), {
      class: "small",
      "aria-label": "Copy the digest",
    }),
    " as from ",
    element("code", {}, command),
  );
}

function sentence(run: RunResult): string {
  const events = run.events.toLocaleString("en");
  return `${rounded(run.endTime)} s, ${events} events, simulated in ${rounded(run.wallTime)} s`;
}

/** Figures of the run, by flow and by link, and its digest. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const status = element("p", { class: "unseen", role: "status" });
  const content = element("div", { class: "summary" });
  place.append(status, content);
  laboratory.run.watch((run) => {
    if (!run) return;
    const more = run.flows.length - MOST;
    content.replaceChildren(
      flowTable(run),
      ...(more > 0 ? [element("p", { class: "quiet" }, `and ${more} flows more`)] : []),
      linkTable(run),
      element("p", { class: "quiet" }, sentence(run)),
      ...(run.digest ? [digest(run, laboratory)] : []),
    );
    const [flow] = run.flows;
    status.textContent = flow
      ? `The run is there. ${text(flow, "name")}: ${shown(goodput(flow))} Mbit/s.`
      : "The run is there.";
  });
}
