import type { Json } from "../resolver/contract";

/** A value as TOML, on one line. */
export function tomlValue(value: Json): string {
  if (value === null) return '""';
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return `{ ${entries.map(([key, inner]) => `${key} = ${tomlValue(inner)}`).join(", ")} }`;
}

/** An edit as the command line takes it, without quotes where a shell needs none. */
export function setting(key: string, value: Json): string {
  const text = typeof value === "string" ? value : tomlValue(value);
  const whole = `${key}=${text}`;
  return `--set ${/^[\w.,:=+/%-]*$/.test(whole) ? whole : `'${whole}'`}`;
}
