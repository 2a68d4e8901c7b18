import type { Json, Scenario } from "../resolver/contract";
import { getIn, isList, isTable, type Path, setIn } from "./tree";

/** Keys of a dumbbell's bottleneck that may be written in [network] itself, by other names. */
const SHORT: Readonly<Record<string, string>> = {
  rate: "rate",
  delay: "rtt",
  limit: "buffer",
  qdisc: "qdisc",
  loss: "loss",
};

/** Tables of the links of a scenario's network, in order. */
export function linkPaths(scenario: Scenario): Path[] {
  const network = scenario.network;
  const kind = isTable(network) ? network.kind : undefined;
  if (kind === "dumbbell") return [["network", "bottleneck"]];
  const lists: Path[] = [["network", "bottlenecks"], ["network", "links"], ["links"]];
  for (const list of lists) {
    const links = getIn(scenario, list);
    if (isList(links)) return links.map((_, index) => [...list, index]);
  }
  return [];
}

/** Where a link's key stands: in its table, or for a dumbbell in [network] by its short name. */
export function keyPath(scenario: Scenario, link: Path, key: string): Path {
  const short = SHORT[key];
  const network = scenario.network;
  if (link[1] !== "bottleneck" || !short || !isTable(network)) return [...link, key];
  const isInTable = getIn(scenario, [...link, key]) !== undefined;
  // `rtt` stands for the delay, and short keys go together.
  const usesShort = short in network || (!isInTable && !("bottleneck" in network));
  return usesShort ? ["network", short] : [...link, key];
}

/** Half or twice a time that is written as a number and a unit; another text stays. */
export function scaledTime(text: string, factor: number): string {
  const [, number, unit] = /^\s*([\d.]+)\s*([a-zµ]+)\s*$/i.exec(text) ?? [];
  if (number === undefined || unit === undefined) return text;
  return `${Number((Number(number) * factor).toPrecision(12))}${unit}`;
}

/** The bottleneck of a dumbbell with its short keys in full. */
function wholeBottleneck(network: { readonly [key: string]: Json }): { [key: string]: Json } {
  const given = network.bottleneck;
  const whole: { [key: string]: Json } = {};
  for (const [key, short] of Object.entries(SHORT)) {
    const value = network[short];
    if (value === undefined) continue;
    whole[key] = short === "rtt" && typeof value === "string" ? scaledTime(value, 0.5) : value;
  }
  return { ...whole, ...(isTable(given) ? given : {}) };
}

/** The scenario with a dumbbell or a parking lot in place of its network, with the same links. */
export function withNetwork(scenario: Scenario, kind: "dumbbell" | "parking-lot"): Scenario {
  const network = isTable(scenario.network) ? scenario.network : {};
  const access = network.access === undefined ? {} : { access: network.access };
  const [first] = linkPaths(scenario);
  const link: Json =
    network.kind === "dumbbell"
      ? wholeBottleneck(network)
      : ((first && getIn(scenario, first)) ?? { rate: "10Mbit/s", delay: "30ms" });
  const { name: _n, from: _f, to: _t, ...own } = isTable(link) ? link : {};
  const made: Json =
    kind === "dumbbell"
      ? { kind, bottleneck: own, ...access }
      : { kind, bottlenecks: [own, own], ...access };
  const { nodes: _nodes, links: _links, ...others } = scenario;
  const flows = isList(others.flows) ? others.flows.map(withoutRouters) : [];
  return { ...others, network: made, flows };
}

/** A flow that goes from the first router to the last, which every network has. */
function withoutRouters(flow: Json): Json {
  if (!isTable(flow)) return flow;
  const { from: _f, to: _t, ...rest } = flow;
  return rest;
}

/** The scenario with another value of a link's key. */
export function withLink(
  scenario: Scenario,
  link: Path,
  key: string,
  value: Json | undefined,
): Scenario {
  return setIn(scenario, keyPath(scenario, link, key), value);
}
