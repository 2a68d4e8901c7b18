import type { Table } from "../engine/contract";
import { countUpTo } from "./search";

/** Rows of a table by the code of a column (flow or link), each in the order of time. */
export interface Samples {
  readonly table: Table;
  readonly rows: ReadonlyMap<number, Int32Array>;
  readonly times: ReadonlyMap<number, Float64Array>;
}

const indexed = new WeakMap<Table, Samples>();

/** Sorts the rows of a time series by `column`, once for each table. */
export function samplesBy(table: Table, column: "flow" | "link"): Samples {
  const known = indexed.get(table);
  if (known) return known;
  const codes = table.columns[column]?.values ?? [];
  const time = table.columns.time?.values ?? [];
  const lists = new Map<number, number[]>();
  for (let row = 0; row < table.rows; row++) {
    const code = codes[row] as number;
    const list = lists.get(code);
    if (list) list.push(row);
    else lists.set(code, [row]);
  }
  const rows = new Map<number, Int32Array>();
  const times = new Map<number, Float64Array>();
  for (const [code, list] of lists) {
    rows.set(code, Int32Array.from(list));
    times.set(
      code,
      Float64Array.from(list, (row) => time[row] as number),
    );
  }
  const made = { table, rows, times };
  indexed.set(table, made);
  return made;
}

/** Row of a flow or link at or before a time, s; null: there is none. */
export function rowAt(samples: Samples, code: number, time: number): number | null {
  const times = samples.times.get(code);
  if (!times) return null;
  return samples.rows.get(code)?.[countUpTo(times, time) - 1] ?? null;
}

/** Value of a column in a row; NaN if there is none. */
export function cellOf(samples: Samples, column: string, row: number | null): number {
  if (row === null) return Number.NaN;
  return samples.table.columns[column]?.values[row] ?? Number.NaN;
}

/** Largest value of a column for a flow or link; 0 if it has no rows. */
export function peak(samples: Samples, column: string, code: number): number {
  const values = samples.table.columns[column]?.values;
  let most = 0;
  for (const row of samples.rows.get(code) ?? []) most = Math.max(most, values?.[row] ?? 0);
  return most;
}
