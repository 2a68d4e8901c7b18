import type { History } from "./address/history";
import { mount as mountCharts } from "./charts/charts";
import { element } from "./dom";
import { mount as mountKnobs } from "./knobs/knobs";
import type { Laboratory } from "./laboratory";
import { mount as mountLessons } from "./lessons/lessons";
import { mount as mountDrop } from "./page/drop";
import { mount as mountHeader } from "./page/header";
import { mount as mountKeys } from "./page/keys";
import { mount as mountStatus } from "./page/status";
import { mount as mountCapture } from "./pcap/mount";
import { mount as mountPipe } from "./pipe/pipe";
import { mount as mountPlayback } from "./playback/playback";
import type { Presets } from "./presets";
import { mount as mountScenario } from "./scenario/scenario";
import { mount as mountSummary } from "./summary/summary";
import { mount as mountWhy } from "./why/why";

/** A part of the page with its heading; it can be folded. */
function part(
  name: string,
  title: string,
  isOpen = true,
): { readonly whole: HTMLElement; readonly inside: HTMLElement } {
  const inside = element("div", { class: "part-inside" });
  const whole = element(
    "section",
    { class: `part part-${name}`, "aria-labelledby": `part-${name}` },
    element(
      "details",
      { open: isOpen },
      element("summary", {}, element("h2", { id: `part-${name}` }, title)),
      inside,
    ),
  );
  return { whole, inside };
}

/** Lays out the page; its parts follow the laboratory. */
export function mountPage(
  place: HTMLElement,
  laboratory: Laboratory,
  presets: Presets,
  history: History,
): void {
  const header = element("header", { class: "head" });
  const status = element("div", { class: "status" });
  const main = element("main", { id: "run", tabindex: -1 });
  place.replaceChildren(
    element("a", { class: "skip", href: "#run" }, "Skip to the run"),
    header,
    status,
    main,
  );
  place.querySelector(".skip")?.addEventListener("click", (event) => {
    // The part of the address after # is the scenario's.
    event.preventDefault();
    main.focus();
  });
  mountHeader(header, laboratory, presets, history);
  mountStatus(status, laboratory);
  mountDrop(place, laboratory);
  mountKeys(history);

  const lesson = part("lesson", "Lesson");
  const capture = part("capture", "Capture");
  const pipe = part("pipe", "The path");
  const playback = element("section", { class: "part part-playback", "aria-label": "Time" });
  const charts = part("charts", "Over time");
  const why = part("why", "Why");
  const summary = part("summary", "Result");
  const knobs = part("knobs", "Change it now");
  const scenario = part("scenario", "Scenario", !matchMedia("(max-width: 60rem)").matches);
  main.append(
    element("div", { class: "column column-read" }, lesson.whole, why.whole),
    element(
      "div",
      { class: "column column-run" },
      capture.whole,
      pipe.whole,
      playback,
      charts.whole,
      summary.whole,
    ),
    element("div", { class: "column column-scenario" }, knobs.whole, scenario.whole),
  );
  laboratory.capture.watch((file) => {
    capture.whole.hidden = file === null;
  });
  mountLessons(lesson.inside, laboratory, presets);
  mountCapture(capture.inside, laboratory);
  mountPipe(pipe.inside, laboratory);
  mountPlayback(playback, laboratory);
  mountCharts(charts.inside, laboratory);
  mountWhy(why.inside, laboratory);
  mountSummary(summary.inside, laboratory);
  mountKnobs(knobs.inside, laboratory);
  mountScenario(scenario.inside, laboratory);
}
