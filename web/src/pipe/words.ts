import { counted } from "./figures";
import type { Travelling } from "./flight";
import { capacity, type Subject } from "./subject";

/** What the picture shows, in numbers. */
export interface State {
  /** By link: packets that wait. */
  readonly waiting: ReadonlyMap<number, number>;
  /** Packets on all wires; null: single packets are not shown. */
  readonly travelling: Travelling | null;
  /** Packets that were lost just now. */
  readonly lost: number;
}

/** Most queues that the words name. */
const MOST_NAMED = 4;

/** The state of the path in words: the text that stands for the picture. `time` in ns. */
export function inWords(subject: Subject, state: State, time: number): string {
  const ofData = [...state.waiting].filter(([link]) =>
    subject.network.routes.some(({ path }) => path.includes(link)),
  );
  const queues = ofData.slice(0, MOST_NAMED).map(([link, count]) => {
    const { packets, isLimit } = capacity(subject, link, time);
    const name = ofData.length > 1 ? ` at ${subject.network.links[link]?.name ?? link}` : "";
    return isLimit
      ? `queue${name} ${count.toLocaleString("en")} of ${counted(packets, "packet")}`
      : `queue${name} ${counted(count, "packet")}`;
  });
  const parts = [...queues];
  if (state.travelling) {
    const { data, acks } = state.travelling;
    parts.push(
      `${counted(data, "data packet")} on the wire`,
      `${counted(acks, "ACK")} on the wire`,
    );
  }
  if (state.lost > 0) parts.push(`${counted(state.lost, "packet")} just lost`);
  const text = parts.join(", ");
  return state.travelling ? sentence(text) : `${sentence(text)} Drawn from the run's samples.`;
}

function sentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
