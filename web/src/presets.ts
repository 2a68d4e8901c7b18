import type { Preset, PresetEntry } from "./resolver/contract";

/** The scenarios that the page offers. */
export interface Presets {
  readonly entries: Promise<readonly PresetEntry[]>;
  load(name: string): Promise<Preset>;
}

/** The presets on the page's own server. */
export function servedPresets(): Presets {
  const entries = json<readonly PresetEntry[]>("presets/index.json");
  return {
    entries,
    async load(name) {
      const known = await entries;
      if (!known.some((entry) => entry.name === name)) {
        const names = known.map((entry) => entry.name).join(", ");
        throw new Error(`there is no preset '${name}', only ${names}`);
      }
      return json<Preset>(`presets/${encodeURIComponent(name)}.json`);
    },
  };
}

/** A JSON file that stands in the page itself, as those of `ackclock live` do; null: it does not. */
export function inlined<T>(path: string): T | null {
  const element = document.querySelector(`script[data-path="${CSS.escape(path)}"]`);
  return element?.textContent ? (JSON.parse(element.textContent) as T) : null;
}

/** A JSON file of the page itself, or of its own server. */
export async function json<T>(path: string): Promise<T> {
  const inline = inlined<T>(path);
  if (inline) return inline;
  const answer = await fetch(new URL(path, document.baseURI));
  if (!answer.ok) throw new Error(`${path} cannot be loaded: ${answer.status}`);
  return (await answer.json()) as T;
}
