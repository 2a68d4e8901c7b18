import type { RunResult } from "../../src/engine/contract";
import { run as runIn } from "../../src/engine/runs";
import { engineModule } from "./module";

/** Runs a plan in this process. */
export async function run(plan: string): Promise<RunResult> {
  const result = await runIn(
    engineModule(),
    plan,
    () => true,
    () => undefined,
  );
  if (!result) throw new Error("the run was ended");
  return result;
}

type Parts = Readonly<Record<string, unknown>>;

const TRANSPORT = {
  mss: 1448,
  header_bytes: 52,
  initial_window_bytes: 14480,
  initial_ssthresh_bytes: null,
  max_cwnd_bytes: null,
  receive_buffer_bytes: 67108864,
  initial_receive_window_bytes: 81920,
  read_rate_bps: null,
  ack_counting: "bytes",
  window_counting: "packets",
  delayed_ack_count: 2,
  delayed_ack_timeout_ps: 40000000000,
  delayed_ack_adapts: true,
  quick_acks: 16,
  ack_pushed: true,
  sack_delay_ps: 1000000000,
  timestamps: true,
  timestamp_clock_ps: 1000000000,
  loss_detection: "rack",
  dupack_recovery: "newreno",
  window_approach: "prr-linux",
  limited_transmit: true,
  tail_loss_probe: true,
  frto: true,
  undo: true,
  dsack: true,
  min_rto_ps: 200000000000,
  min_rto_bounds_variance: true,
  max_rto_ps: 120000000000000,
  initial_rto_ps: 1000000000000,
  syn_linear_timeouts: 4,
  rtt_timing: "every-ack",
  rtt_clock_ps: 0,
  loss_rules: "rfc",
  idle_restart: true,
  ecn: "off",
  pacing: "cc",
  tso_defer: true,
  host_time: null,
  clock_phase_ps: 0,
};

export interface Dumbbell {
  readonly seconds?: number;
  readonly flows?: readonly Parts[];
  /** Keys of the bottleneck in the plan, in place of those of a fifo at 10 Mbit/s, 30 ms. */
  readonly bottleneck?: Parts;
  readonly record?: Parts;
  readonly transport?: Parts;
}

/** The plan of a dumbbell in which all packets are recorded. */
export function dumbbell({
  seconds = 6,
  flows = [{}],
  bottleneck,
  record,
  transport,
}: Dumbbell): string {
  const link = {
    rate_bps: 10_000_000,
    delay_ps: 30_000_000_000,
    qdisc: { kind: "fifo", limit_bytes: 75_000 },
    ...bottleneck,
  };
  return JSON.stringify({
    seed: 1,
    draws_start_order: true,
    duration_ps: seconds * 1e12,
    warmup_ps: 0,
    links: [
      { name: "bottleneck", ...link },
      { name: "bottleneck.reverse", ...link, loss: null, impairments: [] },
    ],
    flows: flows.map((flow, index) => ({
      name: `flow${index + 1}`,
      cc: "cubic",
      start_ps: index * 100_000_000_000,
      path: [0],
      reverse_path: [1],
      priority: 0,
      transport: { ...TRANSPORT, ...transport },
      app: { kind: "bulk" },
      ...flow,
    })),
    record: {
      samples: { kind: "changes" },
      packet_links: [0, 1],
      packet_senders: [],
      packet_receivers: [],
      ...record,
    },
  });
}
