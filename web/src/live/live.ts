import "../style/page.css";
import { WorkerEngine } from "../engine/engine";
import { createLaboratory } from "../laboratory";
import { inlined, servedPresets } from "../presets";
import { AbsentResolver } from "../resolver/absent";
import { ServedResolver } from "../resolver/served";
import { start } from "../start";

/** The engine within the page: base64 of raw DEFLATE of the WebAssembly module. */
async function engineModule(): Promise<WebAssembly.Module> {
  const packed = document.querySelector("#engine")?.textContent?.trim() ?? "";
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function show(): Promise<void> {
  const place = document.querySelector<HTMLElement>("#page");
  if (!place) throw new Error("the page has no element #page");
  const { resolver } = inlined<{ resolver: string }>("live.json") ?? { resolver: "none" };
  const laboratory = createLaboratory(
    new WorkerEngine(engineModule()),
    resolver === "served" ? new ServedResolver() : new AbsentResolver(),
  );
  await start(place, laboratory, servedPresets());
}

void show();
