import type { Player } from "./player";

/** Keys and what they do, as the help of the page says it. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ["Space", "play or pause"],
  ["← →", "one packet back or forward"],
  ["Shift + ← →", "one ACK back or forward"],
  [", .", "one round trip back or forward"],
  ["[ ]", "slower or faster"],
  ["Home End", "start or end of the run"],
];

/** Elements that have uses of their own for the keys. */
const OWN_KEYS = "input, textarea, select, [contenteditable], dialog, [role=slider], [role=tab]";
const PRESSED_BY_SPACE = "button, summary, a[href]";

/** Obeys the keys of the whole page, unless a field has the focus. */
export function listen(player: Player): void {
  const actions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    " ": () => player.toggle(),
    ArrowLeft: ({ shiftKey }) => void player.step(shiftKey ? "ack" : "packet", -1),
    ArrowRight: ({ shiftKey }) => void player.step(shiftKey ? "ack" : "packet", 1),
    ",": () => void player.step("round", -1),
    ".": () => void player.step("round", 1),
    "[": () => player.shiftSpeed(-1),
    "]": () => player.shiftSpeed(1),
    Home: () => player.toStart(),
    End: () => player.toEnd(),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target?.closest(OWN_KEYS)) return;
    if (event.key === " " && target?.closest(PRESSED_BY_SPACE)) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
