import type { Json, Scenario } from "../resolver/contract";

/** Keys and indices from the top of a scenario to a value. */
export type Path = readonly (string | number)[];

type Table = { readonly [key: string]: Json };

export function isTable(value: Json | undefined): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a path; undefined: it is not given. */
export function getIn(tree: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (isList(value)) return typeof key === "number" ? value[key] : undefined;
    return isTable(value) ? value[String(key)] : undefined;
  }, tree);
}

/** The tree with another value at a path; tables on the way are made. */
function set(tree: Json | undefined, path: Path, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isList(tree) && typeof key === "number") {
    const copy = [...tree];
    copy[key] = set(tree[key], rest, value);
    return copy;
  }
  // A word, as in qdisc = "codel", is short for a table with it as its kind.
  const short: Table = typeof tree === "string" ? { kind: tree } : {};
  const table = isTable(tree) ? tree : short;
  return { ...table, [key]: set(table[String(key)], rest, value) };
}

/** The tree without the value at a path, and without tables that are empty by that. */
function unset(tree: Json, path: Path): Json {
  const [key, ...rest] = path;
  if (key === undefined) return tree;
  if (isList(tree)) {
    if (typeof key !== "number" || key >= tree.length) return tree;
    if (rest.length === 0) return tree.filter((_, index) => index !== key);
    return tree.map((branch, index) => (index === key ? unset(branch, rest) : branch));
  }
  if (!isTable(tree) || !(String(key) in tree)) return tree;
  const { [String(key)]: old, ...others } = tree;
  if (rest.length === 0 || old === undefined) return others;
  const left = unset(old, rest);
  const isEmpty = isTable(left) && Object.keys(left).length === 0;
  if (isEmpty) return others;
  return Object.fromEntries(
    Object.entries(tree).map(([name, branch]) => [name, name === String(key) ? left : branch]),
  );
}

/** The scenario with another value at a path; undefined takes the value out. */
export function setIn(scenario: Scenario, path: Path, value: Json | undefined): Scenario {
  const changed = value === undefined ? unset(scenario, path) : set(scenario, path, value);
  return isTable(changed) ? changed : scenario;
}

/** Flows of a scenario, each a table. */
export function flowsOf(scenario: Scenario): readonly Table[] {
  return isList(scenario.flows) ? scenario.flows.filter(isTable) : [];
}
