import "./playback.css";
import { button, element } from "../dom";
import type { Laboratory } from "../laboratory";
import { runClock } from "./clock";
import { KEYS, listen } from "./keys";
import { createPlayer } from "./player";
import { nearest, SPEEDS, speedText } from "./speeds";
import type { Unit } from "./steps";
import { Windows } from "./windows";

/** Parts of the run by which the keys of the slider move. */
const SLIDER_STEPS = 1000;

const UNITS: readonly { unit: Unit; label: string; keys: readonly [string, string] }[] = [
  { unit: "packet", label: "packet", keys: ["←", "→"] },
  { unit: "ack", label: "ACK", keys: ["Shift+←", "Shift+→"] },
  { unit: "round", label: "round trip", keys: [",", "."] },
];

/** The controls of time: play, steps, speed, and a slider over the run. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const windows = new Windows(laboratory);
  const player = createPlayer(laboratory);
  const play = button("", () => player.toggle(), { class: "playback-play" });
  const clock = element("output", { class: "playback-time", "aria-live": "off" });
  const slider = element("input", { type: "range", min: 0, "aria-label": "Time of the run" });
  const speed = element("input", {
    type: "range",
    min: 0,
    max: SPEEDS.length - 1,
    step: 1,
    "aria-label": "Speed",
    title: "Speed: keys [ and ]",
  });
  const speedLabel = element("span", { class: "playback-speed-text" });
  const steps = UNITS.map(({ unit, label, keys }) => {
    const step = (direction: 1 | -1, key: string, sign: string) =>
      button(sign, () => void player.step(unit, direction), {
        "aria-label": `One ${label} ${direction > 0 ? "forward" : "back"}`,
        title: `One ${label} ${direction > 0 ? "forward" : "back"}: key ${key}`,
        "data-step": `${unit}${direction > 0 ? "+" : "-"}`,
      });
    return element(
      "span",
      { class: "playback-step", role: "group", "aria-label": `Step by ${label}` },
      step(-1, keys[0], "‹"),
      element("span", { "aria-hidden": "true" }, label),
      step(1, keys[1], "›"),
    );
  });
  place.classList.add("playback");
  place.append(
    element(
      "div",
      { class: "playback-row" },
      button("", () => player.toStart(), {
        "aria-label": "To the start",
        title: "To the start: key Home",
        class: "playback-to-start",
      }),
      play,
      button("", () => player.toEnd(), {
        "aria-label": "To the end",
        title: "To the end: key End",
        class: "playback-to-end",
      }),
      clock,
      ...steps,
      element("label", { class: "playback-speed" }, speed, speedLabel),
      help(),
    ),
    slider,
  );

  slider.addEventListener("input", () => player.seek(Number(slider.value)));
  speed.addEventListener("input", () => laboratory.speed.set(SPEEDS[Number(speed.value)] ?? 1));
  listen(player);
  runClock(laboratory, windows);

  function showTime(): void {
    const end = laboratory.run.get()?.endTime ?? 0;
    const now = laboratory.now.get();
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", `${now.toFixed(3)} s of ${end.toFixed(3)} s`);
    const digits = laboratory.playing.get() ? 3 : 6;
    clock.textContent = `${now.toFixed(digits)} s`;
  }

  laboratory.run.watch((run) => {
    const resolved = laboratory.resolved.get();
    if (!run || !resolved) return;
    slider.max = String(run.endTime);
    slider.step = String(run.endTime / SLIDER_STEPS);
    windows.open(run, resolved.plan);
    showTime();
  });
  laboratory.now.watch(() => {
    windows.update();
    showTime();
  });
  laboratory.playing.watch((isPlaying) => {
    play.classList.toggle("is-playing", isPlaying);
    play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    play.title = `${isPlaying ? "Pause" : "Play"}: space bar`;
    windows.update();
    showTime();
  });
  laboratory.speed.watch((value) => {
    speed.value = String(nearest(value));
    speed.setAttribute("aria-valuetext", speedText(value));
    speedLabel.textContent = speedText(value);
    windows.update();
  });
}

function help(): HTMLElement {
  const rows = KEYS.flatMap(([keys, meaning]) => [
    element("dt", {}, keys),
    element("dd", {}, meaning),
  ]);
  return element(
    "details",
    { class: "playback-help" },
    element("summary", {}, "Keys"),
    element("dl", {}, ...rows),
  );
}
