import "../style/page.css";
import { bytesOf } from "../base64";
import { inlined } from "../presets";
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

/** The resolver that the page names. */
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

const module = engineModule();
const live = inlined<Live>("live.json") ?? { resolver: "none" };
void start(module, (picture) => resolverOf(live, module, picture));
