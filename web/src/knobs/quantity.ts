/** Quantities as scenarios write them: a number and a unit. */

const RATES: Readonly<Record<string, number>> = {
  "bit/s": 1,
  "kbit/s": 1e3,
  "mbit/s": 1e6,
  "gbit/s": 1e9,
  "tbit/s": 1e12,
};

const TIMES: Readonly<Record<string, number>> = {
  ps: 1e-12,
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  min: 60,
  h: 3600,
};

function split(text: string): readonly [number, string] | null {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(.*?)\s*$/i.exec(text) ?? [];
  return number === undefined || unit === undefined ? null : [Number(number), unit];
}

function read(text: string, units: Readonly<Record<string, number>>): number | null {
  const parts = split(text);
  const scale = parts && units[parts[1].toLowerCase()];
  return parts && scale ? parts[0] * scale : null;
}

/** A rate in bit/s; null: the text is none that the page can read. */
export function readRate(text: string): number | null {
  return read(text, RATES);
}

/** A time in s; null: the text is none that the page can read. */
export function readTime(text: string): number | null {
  return read(text, TIMES);
}

/** A probability; null: the text is none that the page can read. */
export function readShare(value: string | number): number | null {
  if (typeof value === "number") return value;
  const [number, unit] = split(value) ?? [];
  if (number === undefined) return null;
  return unit === "%" ? number / 100 : unit === "" ? number : null;
}

function short(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}

export function writeRate(rate: number): string {
  if (rate >= 1e9) return `${short(rate / 1e9)}Gbit/s`;
  if (rate >= 1e6) return `${short(rate / 1e6)}Mbit/s`;
  return rate >= 1e3 ? `${short(rate / 1e3)}kbit/s` : `${short(rate)}bit/s`;
}

/** A delay, with three digits. */
export function writeDelay(time: number): string {
  return time >= 1 ? `${short(time)}s` : `${short(time * 1e3)}ms`;
}

/** A moment of the run, to the millisecond. */
export function writeMoment(time: number): string {
  return `${Number(time.toFixed(3))}s`;
}

export function writeShare(share: number): string {
  return `${short(share * 100)}%`;
}

/** The number of a quantity, and its unit with the space before it. */
export function numberAndUnit(text: string): { number: number; unit: string } | null {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)(.*)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) return null;
  return { number: Number(number), unit };
}
