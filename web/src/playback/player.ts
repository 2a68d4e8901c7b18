import type { Laboratory } from "../laboratory";
import { readNetwork } from "../pipe/network";
import { shifted } from "./speeds";
import { eventTimes, neighbour, roundTrip, routeOf, type Unit } from "./steps";
import type { Windows } from "./windows";

/** Windows that a step looks through for the next event. */
const MOST_WINDOWS = 6;

/** What a reader can do with the time that is shown. */
export interface Player {
  toggle(): void;
  step(unit: Unit, direction: 1 | -1): Promise<void>;
  /** Shows a time, s. */
  seek(time: number): void;
  toStart(): void;
  toEnd(): void;
  /** Makes the clock faster or slower, in steps of the slider. */
  shiftSpeed(steps: number): void;
}

export function createPlayer(laboratory: Laboratory, windows: Windows): Player {
  const { now, playing, speed, run, detail } = laboratory;
  const end = () => run.get()?.endTime ?? 0;
  let isStepping = false;

  function seek(time: number): void {
    now.set(Math.max(0, Math.min(end(), time)));
  }

  async function stepTo(unit: "packet" | "ack", direction: 1 | -1, route: number): Promise<void> {
    for (let tries = 0; tries < MOST_WINDOWS; tries++) {
      const shown = detail.get();
      const at = now.get();
      if (!shown || at < shown.from || at > shown.to) {
        await windows.load(at, direction > 0 ? 0 : 1);
      } else {
        const next = neighbour(eventTimes(shown, unit, route), at, direction);
        const isInside = next !== null && next >= shown.from && next <= shown.to;
        if (isInside) return seek(next);
        const edge = direction > 0 ? shown.to : shown.from;
        // At its edge a window has been searched to its end.
        if (edge <= 0 || edge >= end()) return seek(edge);
        seek(edge);
        await windows.load(edge, direction > 0 ? 0 : 1);
      }
      if (!detail.get()) return;
    }
  }

  return {
    toggle() {
      if (!playing.get() && now.get() >= end()) now.set(0);
      playing.set(!playing.get());
    },
    async step(unit, direction) {
      const result = run.get();
      const resolved = laboratory.resolved.get();
      if (!result || !resolved || isStepping) return;
      isStepping = true;
      playing.set(false);
      const network = readNetwork(resolved.plan);
      const route = routeOf(result, network, laboratory.flow.get());
      try {
        if (unit === "round") {
          seek(now.get() + direction * roundTrip(result, network, route, now.get()));
        } else {
          await stepTo(unit, direction, route);
        }
      } finally {
        isStepping = false;
      }
    },
    seek,
    toStart: () => seek(0),
    toEnd() {
      playing.set(false);
      seek(end());
    },
    shiftSpeed: (steps) => speed.set(shifted(speed.get(), steps)),
  };
}
