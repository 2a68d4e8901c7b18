import { fetchModule, WorkerEngine } from "./engine/engine";
import { createLaboratory } from "./laboratory";
import { servedPresets } from "./presets";
import { PythonResolver } from "./resolver/resolver";
import { start } from "./start";

const place = document.querySelector<HTMLElement>("#page");
if (!place) throw new Error("the page has no element #page");
const module = fetchModule();
// Python begins to load when the first picture is there.
let pictured: () => void = () => undefined;
const picture = new Promise<void>((resolve) => {
  pictured = resolve;
});
const resolver = new PythonResolver(picture.then(() => module));
const laboratory = createLaboratory(new WorkerEngine(module), resolver);
const stop = laboratory.run.watch((run) => {
  if (run) pictured();
});
await start(place, laboratory, servedPresets());
stop();
