export type Range = readonly [from: number, to: number];

/** A part of `[0, end]` about a time, `factor` times as long as `range`. */
export function zoomed(range: Range, factor: number, about: number, end: number): Range {
  const [from, to] = range;
  const length = Math.min(end, (to - from) * factor);
  const middle = about >= from && about <= to ? about : (from + to) / 2;
  const start = middle - ((middle - from) / (to - from)) * length;
  const begin = Math.max(0, Math.min(start, end - length));
  return [begin, begin + length];
}

/** The part of a run moved by a share of its length, within the run. */
export function shifted([from, to]: Range, share: number, end: number): Range {
  const length = to - from;
  const begin = Math.max(0, Math.min(from + share * length, end - length));
  return [begin, begin + length];
}
