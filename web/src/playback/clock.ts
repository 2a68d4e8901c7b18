import type { Laboratory } from "../laboratory";
import type { Windows } from "./windows";

/** Longest step of the clock, s of the reader's time: a page in the background stands still. */
const LONGEST_STEP = 0.1;
/** How long the clock waits for the packets of its time, ms. */
const PATIENCE = 1500;

/** Moves the time shown while the run plays, once per frame of the screen. */
export function runClock(laboratory: Laboratory, windows: Windows): void {
  const { now, playing, speed, run } = laboratory;
  let last: number | null = null;
  let waitingSince: number | null = null;

  function tick(frame: number): void {
    if (!playing.get()) {
      last = null;
      return;
    }
    requestAnimationFrame(tick);
    const passed = last === null ? 0 : Math.min(LONGEST_STEP, (frame - last) / 1000);
    last = frame;
    if (windows.isWaiting) {
      waitingSince ??= frame;
      if (frame - waitingSince < PATIENCE) return;
    } else {
      waitingSince = null;
    }
    const end = run.get()?.endTime ?? 0;
    const next = now.get() + passed * speed.get();
    now.set(Math.min(end, next));
    if (next >= end) playing.set(false);
  }

  playing.watch((isPlaying) => {
    if (!isPlaying) return;
    last = null;
    requestAnimationFrame(tick);
  });
}
