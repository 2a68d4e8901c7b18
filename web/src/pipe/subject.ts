import type { RunResult } from "../engine/contract";
import { limitAt, type Network, readNetwork } from "./network";
import { cellOf, peak, rowAt, type Samples, samplesBy } from "./samples";

/** The run that the picture shows. */
export interface Subject {
  readonly run: RunResult;
  readonly network: Network;
  readonly flows: Samples;
  readonly links: Samples;
  /** By link: largest number of packets that a sample of the run saw waiting. */
  readonly peaks: readonly number[];
}

export function subjectOf(run: RunResult, plan: string): Subject {
  const network = readNetwork(plan);
  const links = samplesBy(run.tables.link_samples, "link");
  return {
    run,
    network,
    flows: samplesBy(run.tables.flow_samples, "flow"),
    links,
    peaks: network.links.map((_, link) => peak(links, "queue_packets", link)),
  };
}

/** Size of a full packet of the flows that cross a link, bytes. */
export function packetSize(network: Network, link: number): number {
  return network.routes.find(({ path }) => path.includes(link))?.packetSize ?? 1500;
}

/** How much a limit may exceed what was seen for the box of the queue to end at it. */
const ROOM = 3;
const STEPS = [1, 2, 3, 5, 8] as const;

/** Packets that the box of a queue has room for, and whether that is the queue's limit. */
export function capacity(
  { network, peaks }: Subject,
  link: number,
  time: number,
): { packets: number; isLimit: boolean } {
  const plan = network.links[link];
  const limit = plan ? limitAt(plan, time, packetSize(network, link)) : null;
  const seen = Math.max(8, peaks[link] ?? 0);
  if (limit !== null && limit <= ROOM * seen)
    return { packets: Math.max(1, limit), isLimit: true };
  const size = 10 ** Math.floor(Math.log10(seen));
  const step = STEPS.find((factor) => factor * size >= seen) ?? 10;
  return { packets: step * size, isLimit: false };
}

/** The window of a flow at a time, s: cwnd and inflight in packets; NaN if not known. */
export function windowOf(
  { flows, network }: Subject,
  route: number,
  time: number,
): { cwnd: number; inflight: number } {
  const row = rowAt(flows, route, time);
  const mss = network.routes[route]?.mss ?? 1448;
  return {
    cwnd: cellOf(flows, "cwnd", row) / mss,
    inflight: cellOf(flows, "inflight", row) / mss,
  };
}
