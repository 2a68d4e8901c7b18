import type { Detail } from "../engine/contract";
import type { Laboratory } from "../laboratory";

/** Windows that a search looks through for the next event. */
const MOST_WINDOWS = 12;
/** Time after which a window that does not come is given up, ms. */
const PATIENCE = 8000;
/** A time that is surely beyond the edge of a window, s. */
const BEYOND = 1e-9;

/** Waits until the window of the time shown is there. False: it does not come. */
function windowOfNow(laboratory: Laboratory): Promise<boolean> {
  const { detail, now } = laboratory;
  return new Promise((resolve) => {
    let stop: () => void = () => undefined;
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve(isThere);
    };
    const timer = setTimeout(() => end(false), PATIENCE);
    stop = detail.watch((shown) => {
      if (shown && now.get() >= shown.from && now.get() <= shown.to) end(true);
    });
  });
}

/**
 * Shows the next event that `find` names: its time in a window, s, beyond the time shown in this
 * direction. Looks through the windows that follow; without an event the last time looked at stays.
 */
export async function findEvent(
  laboratory: Laboratory,
  direction: 1 | -1,
  find: (detail: Detail, from: number) => number | null,
): Promise<void> {
  const { detail, now, run } = laboratory;
  let from = now.get();
  for (let tries = 0; tries < MOST_WINDOWS; tries++) {
    if (!(await windowOfNow(laboratory))) return;
    const shown = detail.get();
    const end = run.get()?.endTime ?? 0;
    if (!shown) return;
    const at = find(shown, from);
    if (at !== null && at >= shown.from && at <= shown.to) return now.set(at);
    const edge = direction > 0 ? shown.to : shown.from;
    if (edge <= 0 || edge >= end) return now.set(edge);
    from = edge;
    now.set(edge + direction * BEYOND);
  }
}
