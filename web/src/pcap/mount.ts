import "uplot/dist/uPlot.min.css";
import "./pcap.css";
import { loadCatalogue } from "../catalogue";
import { button, element } from "../dom";
import { Superseded } from "../engine/contract";
import type { Laboratory } from "../laboratory";
import type { Json } from "../resolver/contract";
import type { Capture, Path } from "./contract";
import { Pictures } from "./pictures";
import { CaptureReader } from "./reader";
import { estimate, facts, payload, quantity, remarks, time } from "./words";

/** Connections that are offered: those with most payload. */
const MOST_OFFERED = 200;
const FIRST_CHOICE = "cubic";

/** A capture that was dropped on the page: pictures of a connection, and the path it crossed. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const reader = new CaptureReader(() => laboratory.engine.module);
  const status = element("p", { class: "quiet", role: "status" });
  const chooser = element("div", { class: "capture-chooser" });
  const figures = element("dl", { class: "capture-facts" });
  const drawn = element("div", { class: "capture-pictures" });
  const pictures = new Pictures(drawn);
  const path = element("div", { class: "capture-path" });
  place.append(status, chooser, drawn, figures, path);

  function clear(): void {
    pictures.clear();
    for (const part of [chooser, figures, path]) part.replaceChildren();
  }

  async function read(file: File, connection: number | null): Promise<void> {
    status.textContent = `Reading ${file.name} …`;
    try {
      const capture = await reader.read(file, connection);
      if (laboratory.capture.get() !== file) return;
      show(file, capture);
    } catch (error) {
      if (error instanceof Superseded || laboratory.capture.get() !== file) return;
      laboratory.problem.set(error instanceof Error ? error.message : String(error));
      // A file that cannot be read leaves nothing to show.
      if (connection === null) laboratory.capture.set(null);
      else status.textContent = file.name;
    }
  }

  function show(file: File, capture: Capture): void {
    status.replaceChildren(
      `${file.name} stays in this browser: nothing of it is sent anywhere. `,
      ...remarks(capture).map((remark) => `${remark} `),
      button("Close the capture", () => laboratory.capture.set(null), { class: "small" }),
    );
    chooser.replaceChildren(connections(capture, (number) => void read(file, number)));
    pictures.show(capture);
    figures.replaceChildren(
      ...facts(capture).flatMap(([name, text]) => [
        element("dt", {}, name),
        element("dd", {}, text),
      ]),
    );
    path.replaceChildren(...pathOf(capture, file, laboratory));
  }

  laboratory.capture.watch((file) => {
    clear();
    status.textContent = "";
    if (file) void read(file, null);
  });
}

/** A choice of connection, if there are several. */
function connections(capture: Capture, choose: (number: number) => void): HTMLElement {
  const all = capture.listing.connections;
  const offered = [...all]
    .sort((connection, other) => payload(other) - payload(connection))
    .slice(0, MOST_OFFERED);
  const chosen = capture.figures.number;
  const select = element(
    "select",
    {},
    ...offered.map((connection) =>
      element(
        "option",
        { value: connection.number, selected: connection.number === chosen },
        `${connection.number}: ${connection.client} → ${connection.server}, ${quantity(payload(connection), "bytes")} in ` +
          time(connection.duration),
      ),
    ),
  );
  select.addEventListener("change", () => choose(Number(select.value)));
  const hidden = all.length - offered.length;
  return element(
    "label",
    {},
    `Connection, of ${all.length}${hidden > 0 ? ` (${hidden} smaller ones are left out)` : ""} `,
    select,
  );
}

function pathOf(capture: Capture, file: File, laboratory: Laboratory): HTMLElement[] {
  const heading = element("h3", {}, "The path, estimated from the capture");
  if (!capture.path || capture.scenario === null) {
    return [heading, element("p", {}, `No path can be estimated: ${capture.why_no_path}.`)];
  }
  const toml = capture.scenario;
  return [
    heading,
    table(capture.path),
    element("p", { class: "quiet" }, "What no capture of one connection shows:"),
    element(
      "ul",
      { class: "quiet" },
      ...capture.path.unknown.map((sentence) => element("li", {}, sentence)),
    ),
    trial(toml, file, laboratory),
  ];
}

function table(path: Path): HTMLElement {
  const rows = [
    ["RTT", estimate(path.rtt, "s"), path.rtt.because],
    ["Rate", estimate(path.rate, "bit/s"), path.rate.because],
    ["Buffer", estimate(path.buffer, "packets"), path.buffer.because],
    ["Loss", estimate(path.loss, "share"), path.loss.because],
  ];
  return element(
    "dl",
    { class: "capture-facts" },
    ...rows.flatMap(([name, value, because]) => [
      element("dt", {}, name ?? ""),
      element("dd", {}, element("b", {}, value ?? ""), ` ${because ?? ""}`),
    ]),
  );
}

/** Runs an algorithm on the path, or gives its file. */
function trial(toml: string, file: File, laboratory: Laboratory): HTMLElement {
  const choice = element("select", { "aria-label": "Algorithm to try on this path" });
  choice.append(element("option", { value: FIRST_CHOICE, selected: true }, FIRST_CHOICE));
  void loadCatalogue().then(({ cc }) => {
    const names = cc.filter(({ role }) => role !== "slow start").map(({ name }) => name);
    choice.replaceChildren(
      ...names.map((name) =>
        element("option", { value: name, selected: name === FIRST_CHOICE }, name),
      ),
    );
  });
  async function run(): Promise<void> {
    try {
      const { compare: _, ...scenario } = await laboratory.resolver.parse(toml, {});
      const flow: Json = { name: "flow", cc: choice.value };
      await laboratory.show({ ...scenario, flows: [flow] }, {});
    } catch (error) {
      laboratory.problem.set(error instanceof Error ? error.message : String(error));
    }
  }
  const save = element(
    "a",
    {
      class: "button",
      href: `data:application/toml;charset=utf-8,${encodeURIComponent(toml)}`,
      download: `${file.name.replace(/\.[^.]*$/, "")}-path.toml`,
    },
    "Save as TOML",
  );
  return element(
    "p",
    { class: "capture-trial" },
    button("Try other algorithms on this path", () => void run()),
    choice,
    save,
  );
}
