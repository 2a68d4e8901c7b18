import "../style/page.css";
import { bytesOf } from "../base64";
import { WorkerEngine } from "../engine/engine";
import { createLaboratory } from "../laboratory";
import { inlined, servedPresets } from "../presets";
import { AbsentResolver } from "../resolver/absent";
import type { Resolver } from "../resolver/contract";
import { PythonResolver } from "../resolver/resolver";
import { ServedResolver } from "../resolver/served";
import { start } from "../start";
import { pythonOfPage } from "./python";

/** The page's `live.json`: what says what a scenario means. */
interface Live {
  readonly resolver: "python" | "served" | "none";
}

/** The engine within the page: base64 of raw DEFLATE of the WebAssembly module. */
async function engineModule(): Promise<WebAssembly.Module> {
  const bytes = bytesOf(document.querySelector("#engine")?.textContent?.trim() ?? "");
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** The resolver that the page names; Python begins to load when the first picture is there. */
function resolverOf(
  { resolver }: Live,
  module: Promise<WebAssembly.Module>,
  picture: Promise<void>,
): Resolver {
  if (resolver === "served") return new ServedResolver();
  if (resolver === "none") return new AbsentResolver();
  return new PythonResolver(
    picture.then(() => module),
    picture.then(pythonOfPage),
  );
}

async function show(): Promise<void> {
  const place = document.querySelector<HTMLElement>("#page");
  if (!place) throw new Error("the page has no element #page");
  const module = engineModule();
  let pictured: () => void = () => undefined;
  const picture = new Promise<void>((resolve) => {
    pictured = resolve;
  });
  const resolver = resolverOf(inlined("live.json") ?? { resolver: "none" }, module, picture);
  const laboratory = createLaboratory(new WorkerEngine(module), resolver);
  const stop = laboratory.run.watch((run) => {
    if (run) pictured();
  });
  await start(place, laboratory, servedPresets());
  stop();
}

void show();
