import type { Table } from "../../../src/engine/contract";

/** Rows of a table whose column is at least `from` and below `to`. */
export function part(table: Table, column: string, from: number, to: number): Table {
  const times = table.columns[column]?.values ?? [];
  let start = 0;
  while (start < times.length && (times[start] as number) < from) start++;
  let end = start;
  while (end < times.length && (times[end] as number) < to) end++;
  const columns = Object.entries(table.columns).map(([name, it]) => [
    name,
    { ...it, values: it.values.slice(start, end) },
  ]);
  return { rows: end - start, columns: Object.fromEntries(columns) };
}
