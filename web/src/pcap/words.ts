import type { Capture, Connection, Figures, Part } from "./contract";

const PREFIXES = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** A number with three significant digits, its whole part complete. */
export function digits(value: number): string {
  if (value === 0) return "0";
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.max(0, Math.min(9, 3 - whole)));
}

/** A value with its unit and a prefix that keeps it short. */
export function quantity(value: number | null, unit: string): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const [factor, prefix] = PREFIXES.find(([size]) => Math.abs(value) >= size) ?? [1, ""];
  const short = unit === "bytes" && prefix ? "B" : unit;
  return `${digits(value / factor)} ${prefix}${short}`;
}

export function time(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  if (Math.abs(seconds) >= 1) return `${digits(seconds)} s`;
  if (Math.abs(seconds) >= 1e-3) return `${digits(seconds * 1e3)} ms`;
  return `${digits(seconds * 1e6)} µs`;
}

const PLACES = {
  sender: "at the sender",
  receiver: "at the receiver",
  middle: "between both",
  unknown: "unknown",
} as const;

const AGAIN = [
  "fast retransmission",
  "timeout retransmission",
  "tail loss probe",
  "retransmission",
] as const;

function said(value: boolean | null): string {
  return value === null ? "not captured" : value ? "yes" : "no";
}

function again({ kinds, spurious }: Figures): string {
  const parts = AGAIN.flatMap((kind) => (kinds[kind] ? [`${kinds[kind]} ${kind}`] : []));
  let text = parts.join(", ") || "nothing";
  if (spurious) text += `; ${spurious} of them needlessly`;
  if (kinds["out of order"]) text += `; ${kinds["out of order"]} out of order`;
  return text;
}

export function ends(capture: Capture): readonly [sender: string, receiver: string] {
  const { number, data_from_client: fromClient } = capture.figures;
  const connection = capture.listing.connections.find((entry) => entry.number === number);
  const pair = [connection?.client ?? "client", connection?.server ?? "server"] as const;
  return fromClient ? pair : [pair[1], pair[0]];
}

/** Facts of the connection: a name and a sentence each. */
export function facts(capture: Capture): readonly (readonly [string, string])[] {
  const { figures } = capture;
  const { vantage, agreed } = figures;
  const [sender, receiver] = ends(capture);
  const mss = agreed.mss.map((bytes) => bytes ?? "unknown").join(" and ");
  const facts: [string, string][] = [
    ["Connection", `${figures.number}: ${sender} sent to ${receiver}`],
    ["Captured", `${PLACES[vantage.place]}. ${vantage.because} ${vantage.consequence}`],
    [
      "Payload",
      `${quantity(figures.bytes, "bytes")} in ${time(figures.data_duration)}, goodput ` +
        quantity(figures.goodput, "bit/s"),
    ],
    [
      "Segments",
      `${agreed.payload} bytes of payload (MSS options ${mss}), SACK ${said(agreed.sack)}, ` +
        `timestamps ${said(agreed.timestamps)}, ECN ${said(agreed.ecn)}`,
    ],
  ];
  if (figures.has_offload) {
    facts.push([
      "Offload",
      `Segments of up to ${figures.largest_segment} bytes were captured: the network card cuts ` +
        "them to the MSS later.",
    ]);
  }
  facts.push(
    [
      "RTT",
      figures.rtt_samples
        ? `min ${time(figures.rtt_min)}, median ${time(figures.rtt_median)}, p95 ` +
          `${time(figures.rtt_p95)}, max ${time(figures.rtt_max)} (${figures.rtt_samples} samples)`
        : "no sample of data",
    ],
    ["Sent again", again(figures)],
    ["Loss", `${digits(100 * figures.loss)} % of ${figures.packets} packets`],
    [
      "Inflight",
      `up to ${quantity(figures.inflight_max, "bytes")}, receive window up to ` +
        `${quantity(figures.window_max, "bytes")}, which held the sender back after ` +
        `${Math.round(100 * figures.window_limited)} % of the segments`,
    ],
  );
  if (figures.left_out) {
    facts.push(["Left out", `${figures.left_out} later segments: two millions are laid out`]);
  }
  return facts;
}

/** What of the file could not be read: a sentence each. */
export function remarks({ listing }: Capture): readonly string[] {
  const sentences: string[] = [];
  if (listing.skipped) {
    sentences.push(`${listing.skipped} of ${listing.frames} frames are not TCP over IP.`);
  }
  if (listing.too_short) {
    sentences.push(`${listing.too_short} frames were cut before the end of the TCP header.`);
  }
  if (listing.fragments) {
    sentences.push(`${listing.fragments} fragments of IP packets were left out.`);
  }
  if (listing.left_out) {
    sentences.push(`${listing.left_out} packets belong to connections beyond the first 100000.`);
  }
  if (listing.is_cut) {
    sentences.push("The file ends within a frame, as when it is copied while it is written.");
  }
  return sentences;
}

/** A figure of the path in words. */
export function estimate(part: Part, unit: "s" | "bit/s" | "packets" | "share"): string {
  const value =
    unit === "s"
      ? time(part.value)
      : unit === "share"
        ? `${digits(100 * part.value)} %`
        : unit === "packets"
          ? `${Math.round(part.value)} packets`
          : quantity(part.value, unit);
  return part.is_at_least ? `at least ${value}` : value;
}

export function payload({ payload: [out, back] }: Connection): number {
  return out + back;
}
