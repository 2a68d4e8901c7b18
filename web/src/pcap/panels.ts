import type { Values } from "../engine/contract";
import type { Capture } from "./contract";
import { STYLES } from "./kinds";

/** A value per segment or interval; not a number is a gap. */
export interface Line {
  readonly label: string;
  readonly colour: string;
  readonly style: "line" | "steps" | "dashed" | "dots";
  readonly values: ArrayLike<number>;
}

/** A segment that repeats or reorders data. */
export interface Mark {
  readonly time: number;
  readonly value: number;
  /** Its place in `STYLES`. */
  readonly style: number;
  readonly isNeedless: boolean;
}

export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly height: number;
  readonly times: ArrayLike<number>;
  readonly lines: readonly Line[];
  readonly marks: readonly Mark[];
}

const MEGA = 1e6;
const KILO = 1e3;
const NONE = new Float64Array();

export function column(capture: Capture, name: string): Values {
  return capture.segments.columns[name]?.values ?? NONE;
}

/** Values of the rows for which `holds`; others are gaps. */
function where(values: Values, scale: number, holds: (row: number) => boolean): Float64Array {
  return Float64Array.from(values, (value, row) => (holds(row) ? value / scale : Number.NaN));
}

function marks(capture: Capture): Mark[] {
  const kinds = capture.segments.columns.kind;
  if (!kinds) return [];
  const styleOf = kinds.names.map((name) => STYLES.findIndex(({ kind }) => kind === name));
  const times = column(capture, "time");
  const seq = column(capture, "seq");
  const spurious = column(capture, "spurious");
  const isData = column(capture, "is_data");
  const marks: Mark[] = [];
  kinds.values.forEach((kind, row) => {
    const style = styleOf[kind] ?? -1;
    if (style < 0 || isData[row] !== 1) return;
    marks.push({
      time: times[row] ?? 0,
      value: (seq[row] ?? 0) / MEGA,
      style,
      isNeedless: spurious[row] !== 0,
    });
  });
  return marks;
}

function receiveWindow(capture: Capture): Float64Array {
  const isData = column(capture, "is_data");
  const seq = column(capture, "seq");
  let highest = 0;
  for (let row = 0; row < seq.length; row += 1) {
    if (isData[row] === 1) highest = Math.max(highest, seq[row] ?? 0);
  }
  const edge = column(capture, "right_edge");
  // A window far above the data would press them onto the axis.
  return where(edge, MEGA, (row) => (edge[row] ?? Number.NaN) <= 1.15 * highest);
}

function rtt(capture: Capture): Line[] {
  const lines: Line[] = [
    {
      label: "data to ACK",
      colour: "--flow-0",
      style: "dots",
      values: where(column(capture, "ack_rtt"), 1 / KILO, () => true),
    },
  ];
  if (capture.figures.vantage.place !== "sender") {
    lines.push({
      label: "ACK to data",
      colour: "--flow-1",
      style: "dots",
      values: where(column(capture, "sender_rtt"), 1 / KILO, () => true),
    });
  }
  return lines;
}

/** The pictures of a capture, from the top. */
export function panels(capture: Capture): readonly Panel[] {
  const times = column(capture, "time");
  const isData = column(capture, "is_data");
  const length = column(capture, "length");
  const rates = (name: string): Values => capture.rates.columns[name]?.values ?? NONE;
  const all = () => true;
  return [
    {
      id: "sequence",
      title: "Sequence",
      unit: "MB",
      height: 220,
      times,
      lines: [
        {
          label: "receive window",
          colour: "--quiet",
          style: "dashed",
          values: receiveWindow(capture),
        },
        {
          label: "ACK",
          colour: "--flow-2",
          style: "steps",
          values: where(column(capture, "ack"), MEGA, (row) => isData[row] === 0),
        },
        {
          label: "data",
          colour: "--flow-0",
          style: "dots",
          values: where(
            column(capture, "seq"),
            MEGA,
            (row) => isData[row] === 1 && (length[row] ?? 0) > 0,
          ),
        },
      ],
      marks: marks(capture),
    },
    {
      id: "inflight",
      title: "Inflight",
      unit: "kB",
      height: 120,
      times,
      lines: [
        {
          label: "inflight",
          colour: "--flow-4",
          style: "line",
          values: where(column(capture, "inflight"), KILO, all),
        },
        {
          label: "estimated cwnd: the largest inflight of the last round trip",
          colour: "--flow-1",
          style: "steps",
          values: where(column(capture, "cwnd"), KILO, all),
        },
      ],
      marks: [],
    },
    {
      id: "rtt",
      title: "Round-trip time",
      unit: "ms",
      height: 110,
      times,
      lines: rtt(capture),
      marks: [],
    },
    {
      id: "rate",
      title: "Rate",
      unit: "Mbit/s",
      height: 110,
      times: rates("time"),
      lines: [
        {
          label: "throughput",
          colour: "--flow-4",
          style: "line",
          values: Float64Array.from(rates("throughput"), (value) => value / MEGA),
        },
        {
          label: "goodput",
          colour: "--flow-2",
          style: "line",
          values: Float64Array.from(rates("goodput"), (value) => value / MEGA),
        },
      ],
      marks: [],
    },
  ];
}
