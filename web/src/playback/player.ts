import type { Laboratory } from "../laboratory";
import { readNetwork } from "../pipe/network";
import { findEvent } from "./finding";
import { routeOf } from "./routes";
import { shifted } from "./speeds";
import { eventTimes, neighbour, roundTrip, type Unit } from "./steps";
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

export function createPlayer(laboratory: Laboratory): Player {
  const { now, playing, speed, run } = laboratory;
  const end = () => run.get()?.endTime ?? 0;
  let isStepping = false;

  function seek(time: number): void {
    now.set(Math.max(0, Math.min(end(), time)));
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
      const route = routeOf(result, laboratory.flow.get()) ?? 0;
      try {
        if (unit === "round") {
          seek(now.get() + direction * roundTrip(result, network, route, now.get()));
        } else {
          await findEvent(laboratory, direction, (detail, from) =>
            neighbour(eventTimes(detail, unit, route), from, direction),
          );
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
