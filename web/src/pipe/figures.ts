/** Numbers as the page writes them. */

const RATES = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"] as const;

function short(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}

export function rateText(rate: number): string {
  const power = rate < 1 ? 0 : Math.min(RATES.length - 1, Math.floor(Math.log10(rate) / 3));
  return `${short(rate / 1000 ** power)} ${RATES[power]}`;
}

/** A time in the unit in which it is easily read; `seconds` may be negative. */
export function timeText(seconds: number): string {
  const size = Math.abs(seconds);
  if (size === 0) return "0 s";
  if (size >= 1) return `${short(seconds, 4)} s`;
  if (size >= 1e-3) return `${short(seconds * 1e3)} ms`;
  if (size >= 1e-6) return `${short(seconds * 1e6)} µs`;
  return `${short(seconds * 1e9)} ns`;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  const rounded = Number.isInteger(count) ? count : Number(count.toPrecision(3));
  return `${rounded.toLocaleString("en")} ${noun}${rounded === 1 ? "" : "s"}`;
}
