import { element } from "../dom";
import type { Laboratory } from "../laboratory";
import { sizeOf } from "../playback/windows";
import { drawGround, nameLanes } from "./background";
import { drawCoarse } from "./coarse";
import { colourIndices } from "./colours";
import { describe } from "./describe";
import { drawFalling } from "./falling";
import { drawWire } from "./flight";
import { Hits } from "./hits";
import { type Journal, journalOf } from "./journal";
import { type Layout, layOut } from "./layout";
import type { Brush } from "./painter";
import { type Palette, palette } from "./palette";
import "./pipe.css";
import { drawQueue } from "./queue_cells";
import { capacity, type Subject, subjectOf } from "./subject";
import { inWords, type State } from "./words";

/** Time for which a dropped packet falls, s of the reader's time. */
const FALL = 0.7;
/** Least time between two updates of the words while the run plays, ms. */
const WORDS_PAUSE = 500;
/** Distance in pixels at which the pointer still finds a packet. */
const REACH = 8;
/** A time in ns is at most so much below that of the record, which is a whole number. */
const ROUNDING = 1e-3;

/** The path: queues that fill, packets and ACKs that travel. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const canvas = element("canvas", { role: "img" });
  const words = element("p", { class: "pipe-words" });
  const hint = element("div", { class: "pipe-hint", hidden: true });
  const stage = element("div", { class: "pipe-stage" }, canvas, hint);
  place.append(stage, words, legend());
  place.classList.add("pipe");
  const context = canvas.getContext("2d");
  if (!context) return;
  const hits = new Hits();
  let subject: Subject | null = null;
  let layout: Layout | null = null;
  let colours: readonly (number | null)[] = [];
  let inks: Palette = palette(place);
  let lastWords = 0;
  let pointer: { x: number; y: number } | null = null;
  let isAsked = false;

  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  }

  function resize(): void {
    const width = Math.max(240, stage.clientWidth);
    if (!subject) return;
    const queued = subject.peaks.flatMap((peak, link) => (peak > 1 ? [link] : []));
    layout = layOut(subject.network, width, new Set(queued));
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(layout.height * scale);
    canvas.style.height = `${layout.height}px`;
    ask();
  }

  /** The journal of the time shown; null: it is not there, or time passes too fast for it. */
  function journalNow(): Journal | null {
    const detail = laboratory.detail.get();
    const now = laboratory.now.get();
    if (!detail || now < detail.from || now > detail.to) return null;
    return journalOf(detail);
  }

  function draw(): void {
    if (!context || !subject || !layout) return;
    const scale = window.devicePixelRatio || 1;
    const time = laboratory.now.get() * 1e9 + ROUNDING;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, layout.width, layout.height);
    hits.clear();
    const brush: Brush = { context, palette: inks, colours, hits, isNarrow: layout.isNarrow };
    drawGround(brush, layout, subject, time);
    const journal = journalNow();
    const state = journal
      ? drawSingle(brush, layout, subject, journal, time, FALL * 1e9 * laboratory.speed.get())
      : drawMany(brush, layout, subject, time);
    nameLanes(brush, layout, subject, time, state.waiting);
    tell(subject, state, time);
    point();
  }

  function tell(subject: Subject, state: State, time: number): void {
    const now = performance.now();
    if (laboratory.playing.get() && now - lastWords < WORDS_PAUSE) return;
    lastWords = now;
    const reason = state.travelling ? "" : ` ${coarseReason(subject, laboratory.playing.get())}`;
    const text = `${inWords(subject, state, time)}${reason}`;
    if (words.textContent === text) return;
    words.textContent = text;
    canvas.setAttribute("aria-label", `The path. ${text}`);
  }

  function point(): void {
    const journal = journalNow();
    const id = pointer && journal ? hits.find(pointer.x, pointer.y, REACH) : null;
    hint.hidden = id === null;
    if (id === null || !journal || !pointer) return;
    const lines = describe(journal, id, laboratory.now.get() * 1e9 + ROUNDING);
    hint.replaceChildren(...lines.map((line, at) => element(at === 0 ? "b" : "span", {}, line)));
    const left = Math.min(pointer.x + 14, stage.clientWidth - hint.offsetWidth);
    hint.style.transform = `translate(${Math.max(0, left)}px, ${pointer.y + 16}px)`;
  }

  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    pointer = { x: event.clientX - box.left, y: event.clientY - box.top };
    ask();
  });
  canvas.addEventListener("pointerleave", () => {
    pointer = null;
    ask();
  });

  laboratory.run.watch((run) => {
    const resolved = laboratory.resolved.get();
    if (!run || !resolved) return;
    subject = subjectOf(run, resolved.plan);
    colours = colourIndices(run, subject.network);
    resize();
  });
  laboratory.detail.watch(ask);
  laboratory.now.watch(ask);
  laboratory.playing.watch((isPlaying) => {
    words.setAttribute("aria-live", isPlaying ? "off" : "polite");
    ask();
  });
  new ResizeObserver(() => {
    if (stage.clientWidth !== layout?.width) resize();
  }).observe(stage);
  for (const query of ["(prefers-color-scheme: dark)", "(resolution: 1dppx)"]) {
    matchMedia(query).addEventListener("change", () => {
      inks = palette(place);
      resize();
    });
  }
}

function drawSingle(
  brush: Brush,
  layout: Layout,
  subject: Subject,
  journal: Journal,
  time: number,
  span: number,
): State {
  const waiting = new Map<number, number>();
  let data = 0;
  let acks = 0;
  let lost = 0;
  for (const lane of layout.lanes) {
    const travelling = drawWire(brush, journal, lane, time);
    data += travelling.data;
    acks += travelling.acks;
    if (lane.queue) {
      const room = capacity(subject, lane.link, time).packets;
      waiting.set(lane.link, drawQueue(brush, journal, lane, room, time));
    }
  }
  for (const lane of layout.lanes) lost += drawFalling(brush, journal, lane, time, span);
  return { waiting, travelling: { data, acks }, lost };
}

function drawMany(brush: Brush, layout: Layout, subject: Subject, time: number): State {
  const waiting = new Map<number, number>();
  for (const lane of layout.lanes) {
    const count = drawCoarse(brush, subject, lane, time);
    if (lane.queue && lane.carriesData) waiting.set(lane.link, count);
  }
  return { waiting, travelling: null, lost: 0 };
}

/** Why single packets are not shown. */
function coarseReason({ run, network }: Subject, isPlaying: boolean): string {
  if (sizeOf(run, network).length === 0) return "There are too many packets to show each.";
  return isPlaying ? "Single packets are shown at lower speeds." : "The packets are being read.";
}

/** What the signs of packets mean. */
function legend(): HTMLElement {
  const key = (sign: string, text: string) =>
    element("span", {}, element("i", { class: `pipe-key-${sign}`, "aria-hidden": "true" }), text);
  return element(
    "p",
    { class: "pipe-legend" },
    key("packet", "a packet, in the colour of its flow"),
    key("again", "sent again"),
    key("marked", "marked CE (ECN)"),
    key("lost", "lost"),
  );
}
