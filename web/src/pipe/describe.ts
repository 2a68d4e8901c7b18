import { timeText } from "./figures";
import type { Journal } from "./journal";
import { Fate, Trait } from "./packets";

/** What a packet is and what becomes of it on this link, line by line. `time` in ns. */
export function describe({ packets, network }: Journal, id: number, time: number): string[] {
  const route = network.routes[packets.route[id] as number];
  const link = network.links[packets.link[id] as number];
  const lines = [
    `${route?.name ?? "?"}: ${kind(packets.has(id, Trait.Ack), packets.length[id] as number)}`,
  ];
  const seq = packets.seq[id] as number;
  const length = packets.length[id] as number;
  if (length > 0) {
    const again = packets.has(id, Trait.Retransmission) ? ", a retransmission" : "";
    lines.push(`bytes ${seq} to ${seq + length}${again}`);
  } else if (packets.has(id, Trait.Ack)) {
    lines.push(`acknowledges the bytes before ${packets.ack[id]}`);
  }
  lines.push(`${packets.size[id]} bytes on ${link?.name ?? "a link"}`);
  if ((packets.marked[id] as number) <= time) lines.push("marked CE by this queue");
  else if (packets.ecn[id] === 3) lines.push("marked CE");
  const entered = packets.entered[id] as number;
  const left = packets.left[id] as number;
  if (left > time) lines.push(`waits since ${timeText((time - entered) / 1e9)}`);
  else if (left > entered && entered >= 0)
    lines.push(`waited ${timeText((left - entered) / 1e9)}`);
  const fate = fateOf(packets.fate[id] as number);
  if (fate && left <= time) lines.push(fate);
  return lines;
}

function kind(isAck: boolean, length: number): string {
  if (isAck) return "ACK";
  return length > 0 ? "data" : "packet without data";
}

function fateOf(fate: number): string | null {
  if (fate === Fate.Refused) return "dropped: the queue did not let it in";
  if (fate === Fate.DroppedFromQueue) return "dropped by the queue after it had waited";
  if (fate === Fate.LostOnWire) return "lost on the wire";
  return null;
}
