import type { Table, Values } from "../engine/contract";

/** Values over time for a chart; null is a gap. */
export type Points = (number | null)[];

/** Samples of several things (flows, links), laid out on the union of their times. */
export interface Grid {
  readonly times: number[];
  /** Rows of the table of one thing, ascending. */
  rowsOf(thing: number): readonly number[];
  /** A column of one thing; between its first and its last sample, its latest value. */
  points(thing: number, column: string, scale?: number): Points;
}

const NONE: readonly number[] = [];

/** Lays out a table whose rows are in order of time; `key` names the column of the things. */
export function grid(table: Table, key: "flow" | "link"): Grid {
  const time = column(table, "time");
  const things = column(table, key);
  const times: number[] = [];
  const placeOf = new Uint32Array(table.rows);
  const rows = new Map<number, number[]>();
  for (let row = 0; row < table.rows; row += 1) {
    const at = time[row] ?? 0;
    if (times.length === 0 || at > (times[times.length - 1] ?? 0)) times.push(at);
    placeOf[row] = times.length - 1;
    const thing = things[row] ?? 0;
    const own = rows.get(thing);
    if (own) own.push(row);
    else rows.set(thing, [row]);
  }
  const rowsOf = (thing: number) => rows.get(thing) ?? NONE;
  return {
    times,
    rowsOf,
    points(thing, name, scale = 1) {
      const values = column(table, name);
      const points: Points = new Array(times.length).fill(null);
      let next = -1;
      let latest: number | null = null;
      for (const row of rowsOf(thing)) {
        const place = placeOf[row] ?? 0;
        for (let at = next; at >= 0 && at < place; at += 1) points[at] = latest;
        const value = values[row] ?? Number.NaN;
        latest = Number.isFinite(value) ? value * scale : null;
        points[place] = latest;
        next = place + 1;
      }
      return points;
    },
  };
}

export function column(table: Table, name: string): Values {
  return table.columns[name]?.values ?? new Float64Array();
}
