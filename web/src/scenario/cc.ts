/** A part of a congestion control's name: `cubic(beta=0.8)`. */
export interface CcPart {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A congestion control: `cos+cubic(beta=0.8)`. */
export interface Cc {
  readonly slowStart: CcPart | null;
  readonly main: CcPart;
}

function readPart(text: string): CcPart | null {
  const [, name, inside] = /^\s*([a-z][\w-]*)\s*(?:\(([^()]*)\))?\s*$/i.exec(text) ?? [];
  if (name === undefined) return null;
  const parameters: Record<string, string> = {};
  for (const pair of (inside ?? "").split(",")) {
    if (pair.trim() === "") continue;
    const [key, value, ...rest] = pair.split("=").map((side) => side.trim());
    if (!key || value === undefined || rest.length > 0) return null;
    parameters[key] = value;
  }
  return { name, parameters };
}

/** Reads a congestion control; null: it is more than names with parameters. */
export function readCc(text: string): Cc | null {
  const parts = text.split("+").map(readPart);
  const [first, second] = parts;
  if (!first || parts.length > 2) return null;
  if (parts.length === 1) return { slowStart: null, main: first };
  return second ? { slowStart: first, main: second } : null;
}

function writePart({ name, parameters }: CcPart): string {
  const pairs = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return pairs.length > 0 ? `${name}(${pairs.join(", ")})` : name;
}

export function writeCc({ slowStart, main }: Cc): string {
  return slowStart ? `${writePart(slowStart)}+${writePart(main)}` : writePart(main);
}

/** The part with a parameter set, or with its default if the value is empty. */
export function withParameter(part: CcPart, name: string, value: string): CcPart {
  const { [name]: _, ...others } = part.parameters;
  return { ...part, parameters: value === "" ? others : { ...part.parameters, [name]: value } };
}
