import { fetchModule, WorkerEngine } from "./engine/engine";
import type { Preset } from "./resolver/contract";

const page = document.querySelector("#page") as HTMLElement;
const engine = new WorkerEngine(fetchModule());
const preset = (await (await fetch("presets/slow-start.json")).json()) as Preset;
const run = await engine.run(preset.plan);
const heading = document.createElement("h1");
heading.textContent = "ackclock";
page.append(heading, `${preset.title}: ${run.events} events in ${run.wallTime.toFixed(3)} s`);
