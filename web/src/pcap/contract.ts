/** What the engine reads in a capture, as `crates/pcap` describes it; base units: s, bytes, bit/s. */

import type { Table } from "../engine/contract";

export interface Connection {
  readonly number: number;
  readonly client: string;
  readonly server: string;
  readonly start: number;
  readonly duration: number;
  /** Client to server, and back. */
  readonly packets: readonly [number, number];
  readonly payload: readonly [number, number];
}

export interface Listing {
  readonly connections: readonly Connection[];
  readonly frames: number;
  readonly skipped: number;
  readonly too_short: number;
  readonly fragments: number;
  readonly left_out: number;
  readonly is_cut: boolean;
}

export interface Figures {
  readonly number: number;
  readonly data_from_client: boolean;
  readonly vantage: {
    readonly place: "sender" | "receiver" | "middle" | "unknown";
    readonly because: string;
    readonly consequence: string;
  };
  readonly agreed: {
    readonly mss: readonly [number | null, number | null];
    readonly payload: number;
    readonly sack: boolean | null;
    readonly timestamps: boolean;
    readonly ecn: boolean | null;
  };
  readonly left_out: number;
  readonly duration: number;
  readonly data_duration: number;
  readonly bytes: number;
  readonly goodput: number;
  readonly packets: number;
  readonly largest_segment: number;
  readonly has_offload: boolean;
  readonly kinds: Readonly<Record<string, number>>;
  readonly spurious: number;
  readonly rtt_samples: number;
  readonly rtt_min: number | null;
  readonly rtt_median: number | null;
  readonly rtt_p95: number | null;
  readonly rtt_max: number | null;
  readonly inflight_max: number;
  readonly window_max: number;
  readonly window_limited: number;
  readonly loss: number;
}

/** A figure of the path, and its ground. */
export interface Part {
  readonly value: number;
  readonly is_at_least: boolean;
  readonly because: string;
}

export interface Path {
  readonly rtt: Part;
  readonly rate: Part;
  /** In packets of a full segment. */
  readonly buffer: Part;
  readonly loss: Part;
  readonly unknown: readonly string[];
}

export interface Answer {
  readonly listing: Listing;
  readonly figures: Figures;
  readonly path: Path | null;
  readonly why_no_path: string | null;
  /** The path as a scenario, TOML. */
  readonly scenario: string | null;
}

export interface Capture extends Answer {
  readonly segments: Table;
  readonly rates: Table;
}
