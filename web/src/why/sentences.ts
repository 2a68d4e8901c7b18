import { counted, rateText, timeText } from "../pipe/figures";
import type { Decision } from "./decision";

/** Something that the panel says; a rule has its source in parentheses. */
export interface Sentence {
  readonly text: string;
  readonly kind: "event" | "news" | "decision" | "rule" | "sending";
}

/** Packets of a number of bytes, to a tenth where they are not whole. */
export function packets(bytes: number, mss: number): number {
  return Number((bytes / mss).toFixed(1));
}

function inPackets(bytes: number, mss: number): string {
  return counted(packets(bytes, mss), "packet");
}

const TIMERS: Readonly<Record<string, string>> = {
  start: "The connection opened.",
  timeout: "The retransmission timer ran out.",
  tail_probe: "The timer of the tail loss probe ran out.",
  reordering_timer: "RACK's timer of segments that may be lost ran out.",
  pacing_timer: "The pacer let the next packet go.",
  window_probe: "The timer of window probes ran out: the receiver's window is shut.",
  application: "The application wrote data, or closed the connection.",
};

function event(decision: Decision, mss: number): Sentence[] {
  const { cause, acked, sacked, isDuplicate } = decision;
  const timer = TIMERS[cause];
  const text = timer ?? ackText(acked, sacked, isDuplicate, mss);
  const sentences: Sentence[] = [{ kind: "event", text }];
  if (decision.hasEce) {
    sentences.push({ kind: "news", text: "It says that packets arrived with a CE mark." });
  }
  return sentences;
}

function ackText(acked: number, sacked: number, isDuplicate: boolean, mss: number): string {
  const selective = sacked > 0 ? `${inPackets(sacked, mss)} more by SACK` : "";
  if (isDuplicate) {
    const more = selective ? `, but ${selective}` : "";
    return `A duplicate ACK arrived: it acknowledged nothing in order${more}.`;
  }
  if (!(acked > 0)) {
    return selective
      ? `An ACK arrived: it acknowledged ${selective}.`
      : "An ACK arrived that acknowledged nothing new.";
  }
  const also = selective ? `, and ${selective}` : "";
  return `An ACK arrived: it acknowledged ${inPackets(acked, mss)} (${acked.toLocaleString("en")} bytes)${also}.`;
}

const BEGINS: Readonly<Record<string, string>> = {
  open: "The episode is over: all is in order again.",
  disorder: "The sender sees disorder: a loss is possible, but not certain.",
  cwr: "The sender begins to reduce its window, because of marks (CWR).",
  recovery: "Fast recovery begins.",
  loss: "Recovery from a timeout begins.",
};
const GOES_ON: Readonly<Record<string, string>> = {
  disorder: "The sender still sees disorder.",
  cwr: "The sender still reduces its window because of marks.",
  recovery: "Fast recovery goes on.",
  loss: "Recovery from the timeout goes on.",
};

function news(decision: Decision, mss: number): Sentence[] {
  const texts: string[] = [];
  if (decision.lost > 0) {
    texts.push(`The sender now holds ${inPackets(decision.lost, mss)} for lost.`);
  }
  const { episode, episodeBefore } = decision;
  const hasChanged = episodeBefore !== null && episode !== episodeBefore;
  const said = hasChanged ? BEGINS[episode] : GOES_ON[episode];
  if (said) texts.push(said);
  if (decision.isRoundStart) texts.push(`Round trip ${decision.round} begins.`);
  if (decision.rttSample > 0) texts.push(rttText(decision));
  if (decision.deliveryRate > 0) texts.push(rateSample(decision));
  return texts.map((text) => ({ kind: "news", text }));
}

function rttText({ rttSample, srtt, minRtt }: Decision): string {
  const more = [
    srtt > 0 ? `smoothed ${timeText(srtt)}` : "",
    minRtt > 0 ? `least ${timeText(minRtt)}` : "",
  ].filter((text) => text !== "");
  return `It measured an RTT of ${timeText(rttSample)}${more.length > 0 ? ` (${more.join(", ")})` : ""}.`;
}

function rateSample({ deliveryRate, sampleInterval, isAppLimited }: Decision): string {
  const over = sampleInterval > 0 ? ` over ${timeText(sampleInterval)}` : "";
  const limited = isAppLimited ? ", held down by the application" : "";
  return `The delivery rate was ${rateText(deliveryRate)}${over}${limited}.`;
}

/** How the panel names calls to an algorithm. */
const CALLS: Readonly<Record<string, string>> = {
  handshake: "the RTT of the handshake",
  transmit_start: "that sending begins",
  ack: "the ACK",
  interval: "a monitor interval",
  loss_window: "the window after a timeout",
  recovery_exit: "the end of the recovery",
  recovery_in_reduced_window: "a recovery in a window that marks have reduced",
  rtt: "an RTT that ended slow start",
  idle_restart: "that its window was unused",
  window_kept: "that the window stays where the reduction has come to",
  lost_syn: "the loss of the SYN",
  undo: "that the reaction was a mistake",
  repeated_timeout: "another timeout",
  ecn: "the marks",
  loss: "the losses",
  timeout: "the timeout",
};

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function changed(
  name: string,
  before: number,
  after: number,
  write: (value: number) => string,
): string | null {
  if (Number.isNaN(after) || write(before) === write(after)) return null;
  if (Number.isNaN(before) || before === 0) return `${name} was set to ${write(after)}`;
  const verb = after > before ? "grew" : "fell";
  return `${name} ${verb} from ${write(before)} to ${write(after)}`;
}

function decided(decision: Decision, mss: number, cc: string): Sentence[] {
  const size = (bytes: number) => String(packets(bytes, mss));
  const window = (bytes: number) => inPackets(bytes, mss);
  const news = decision.told.map((name) => CALLS[name] ?? name.replaceAll("_", " "));
  const sentences: Sentence[] = [];
  if (news.length > 0) {
    sentences.push({ kind: "news", text: `${cc} was told of ${listed(news)}.` });
  }
  const changes = [
    cwndChange(decision, size),
    changed("ssthresh", decision.ssthreshBefore, decision.ssthresh, window),
    changed("the pacing rate", decision.pacingBefore, decision.pacing, rateText),
  ].filter((text) => text !== null);
  const text =
    changes.length > 0 ? `${listed(changes)}.` : `cwnd stays at ${window(decision.cwnd)}.`;
  sentences.push({ kind: "decision", text });
  const rules = [decision.rule, decision.transportRule];
  for (const rule of new Set(rules)) if (rule) sentences.push({ kind: "rule", text: rule });
  return sentences;
}

/** Two windows that read alike to a tenth of a packet are told apart in bytes. */
function cwndChange(
  { cwndBefore, cwnd }: Decision,
  size: (bytes: number) => string,
): string | null {
  if (cwnd === cwndBefore) return null;
  const isFine = size(cwnd) === size(cwndBefore);
  const change = changed(
    "cwnd",
    cwndBefore,
    cwnd,
    isFine ? (bytes) => bytes.toLocaleString("en") : size,
  );
  return change && `${change} ${isFine ? "bytes" : "packets"}`;
}

const HELD: Readonly<Record<string, string>> = {
  cwnd: "cwnd holds the rest back.",
  receive_window: "The receiver's window holds the rest back.",
  application: "The application has no more to send.",
  pacing: "The pacer holds the rest back.",
  clamp: "The configured maximum of cwnd holds the rest back.",
  closed: "The connection is closed.",
};

function sending({ cause, room, sent, resent, heldBy }: Decision): Sentence[] {
  if (cause === "start" && heldBy === "closed") {
    return [{ kind: "sending", text: "Data waits for the handshake." }];
  }
  const again = resent > 0 ? ` (${resent} of them again)` : "";
  const could = Number.isNaN(room) ? "" : `cwnd had room for ${counted(room, "packet")}; `;
  const what = sent > 0 ? `${counted(sent, "packet")}${again}` : "none";
  const text = `${could}${what} ${sent > 1 ? "were" : "was"} sent.`;
  const held = HELD[heldBy];
  return [{ kind: "sending", text: held ? `${text} ${held}` : text }];
}

/** What a sender made of an event, in sentences. `mss`: payload of a packet, bytes. */
export function explain(decision: Decision, mss: number, cc: string): Sentence[] {
  return [
    ...event(decision, mss),
    ...news(decision, mss),
    ...decided(decision, mss, cc),
    ...sending(decision),
  ];
}
