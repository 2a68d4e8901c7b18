import type { Column, Detail, Table, Values } from "../engine/contract";
import { countBelow } from "../pipe/search";

/** Columns of the decisions whose values are indices of rules. */
const RULES = ["rule", "transport_rule"];
/** Index that stands for no rule. */
const NO_RULE = 0xffff;

/** Rows of a window from a time on, s, and those of the one that follows it. */
export function joined(first: Detail, next: Detail, from: number): Detail {
  const rules = [...new Set([...first.rules, ...next.rules])];
  const renumbered = (detail: Detail): Table => withRules(detail.decisions, detail.rules, rules);
  return {
    from,
    to: next.to,
    packets: append(first.packets, next.packets, "time_ns", from * 1e9),
    decisions: append(renumbered(first), renumbered(next), "time", from),
    rules,
  };
}

function append(first: Table, next: Table, time: string, from: number): Table {
  const times = first.columns[time]?.values;
  if (first.rows === 0 || !times) return next;
  if (next.rows === 0) return first;
  const start = countBelow(times, from);
  const columns: Record<string, Column> = {};
  for (const [name, column] of Object.entries(next.columns)) {
    const before = first.columns[name]?.values.subarray(start) ?? new Float64Array();
    columns[name] = { ...column, values: concatenated(before, column.values) };
  }
  return { rows: first.rows - start + next.rows, columns };
}

function concatenated(first: Values, next: Values): Values {
  const make = next.constructor as new (length: number) => Values;
  const both = new make(first.length + next.length);
  both.set(first);
  both.set(next, first.length);
  return both;
}

/** The table with indices into `rules` in place of those into its own. */
function withRules(table: Table, own: readonly string[], rules: readonly string[]): Table {
  const places = own.map((rule) => rules.indexOf(rule));
  if (places.every((place, index) => place === index)) return table;
  const columns: Record<string, Column> = { ...table.columns };
  for (const name of RULES) {
    const column = columns[name];
    if (!column) continue;
    const values = Uint16Array.from(column.values, (index) => places[index] ?? NO_RULE);
    columns[name] = { ...column, values };
  }
  return { rows: table.rows, columns };
}
