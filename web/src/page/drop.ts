import { element } from "../dom";
import type { Laboratory } from "../laboratory";
import { withTrace } from "../scenario/trace";

/** Larger files are no scenarios and no traces. */
const MOST_TEXT = 16 * 1024 * 1024;

/** First bytes of captures: pcap in both orders and both resolutions, and pcapng. */
const CAPTURES = ["a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "0a0d0d0a"];

async function isCapture(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const text = [...start].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return CAPTURES.includes(text) || /\.(pcap|pcapng|cap)$/i.test(file.name);
}

/** Whether a text is a Mahimahi trace: a whole number in each line. */
export function isTrace(text: string): boolean {
  const lines = text.trim().split("\n", 1000);
  return lines.length > 0 && lines.every((line) => /^\s*\d+\s*$/.test(line));
}

/** Opens a file by its content: a capture, a Mahimahi trace, or a scenario. */
export async function openFile(file: File, laboratory: Laboratory): Promise<void> {
  try {
    if (await isCapture(file)) return laboratory.capture.set(file);
    if (file.size > MOST_TEXT) {
      throw new Error(`${file.name}: larger than 16 MiB, so neither a scenario nor a trace`);
    }
    const bytes = await file.arrayBuffer();
    const text = decoded(bytes);
    if (text === null) {
      throw new Error(`${file.name}: neither text nor a capture (pcap, pcapng)`);
    }
    const shown = laboratory.resolved.get();
    if (isTrace(text)) {
      if (!shown) return;
      await laboratory.show(withTrace(shown.scenario, file.name), {
        ...shown.files,
        [file.name]: text,
      });
      if (laboratory.problem.get() === null) {
        laboratory.notice.set(`The bottleneck's rate now follows ${file.name}.`);
      }
      return;
    }
    const files = shown?.files ?? {};
    await laboratory.show(await laboratory.resolver.parse(text, files, file.name), files);
  } catch (error) {
    laboratory.problem.set(error instanceof Error ? error.message : String(error));
  }
}

function decoded(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Files may be dropped anywhere on the page. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const target = element(
    "div",
    { class: "drop", hidden: true, "aria-hidden": "true" },
    element("p", {}, "Drop a scenario (TOML), a Mahimahi trace, or a capture (pcap)"),
  );
  place.append(target);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  let depth = 0;
  window.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    target.hidden = false;
  });
  window.addEventListener("dragleave", (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    target.hidden = depth === 0;
  });
  window.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  window.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    target.hidden = true;
    for (const file of event.dataTransfer?.files ?? []) await openFile(file, laboratory);
  });
}
