import "./lessons.css";
import type { Laboratory } from "../laboratory";
import type { Resolved } from "../resolver/contract";
import type { Course, LessonPreset, Start, Try } from "./contract";
import { setting } from "./setting";

const CHARTS: Readonly<Record<string, string>> = {
  cwnd: "cwnd",
  rate: "pacing rate",
  inflight: "inflight",
  rtt: "RTT",
  queue: "queue",
  goodput: "goodput",
};

/** The lessons' list, and the text of the one that is shown with its things to try. */
export function mount(place: HTMLElement, laboratory: Laboratory, course: Course): void {
  const list = document.createElement("ul");
  list.className = "lesson-list";
  const article = document.createElement("article");
  const navigation = document.createElement("nav");
  navigation.setAttribute("aria-label", "Lessons");
  navigation.append(list);
  place.append(navigation, article);
  let shown: LessonPreset | null = null;

  laboratory.run.watch(() => {
    const resolved = laboratory.resolved.get();
    if (resolved && isPreset(resolved) && resolved !== shown) {
      shown = isLesson(resolved) ? resolved : null;
      article.replaceChildren(...(shown ? text(shown, laboratory) : []));
      if (shown) begin(shown.lesson.start, laboratory);
    }
    if (shown) mark(article, resolved, shown);
    for (const link of list.querySelectorAll("a")) {
      const isCurrent = link.hash === address(shown?.name ?? "");
      if (isCurrent) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    void course.entries.then((entries) => neighbours(article, entries, shown));
  });
  void course.entries.then((entries) => {
    const lessons = entries.filter((entry) => entry.isLesson);
    // A page of one scenario has no lessons.
    place.closest("section")?.toggleAttribute("hidden", lessons.length === 0);
    for (const { name, title } of lessons) {
      const item = document.createElement("li");
      item.append(link(name, title));
      if (name === shown?.name) item.firstElementChild?.setAttribute("aria-current", "page");
      list.append(item);
    }
  });
}

function address(name: string): string {
  return `#preset=${encodeURIComponent(name)}`;
}

function link(name: string, title: string): HTMLAnchorElement {
  const made = document.createElement("a");
  made.href = address(name);
  made.textContent = title;
  return made;
}

function isPreset(resolved: Resolved): boolean {
  return "toml" in resolved;
}

function isLesson(resolved: Resolved): resolved is LessonPreset {
  return isPreset(resolved) && "lesson" in resolved;
}

/** Sets flow, speed and time as the lesson wants them first. */
function begin({ flow, speed, time }: Start, laboratory: Laboratory): void {
  const index = laboratory.run.get()?.flows.findIndex((entry) => entry.name === flow) ?? -1;
  if (index >= 0) laboratory.flow.set(index);
  laboratory.speed.set(speed);
  laboratory.now.set(time);
}

function button(label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
}

function text(preset: LessonPreset, laboratory: Laboratory): HTMLElement[] {
  const { title, paragraphs, tries, start } = preset.lesson;
  const heading = document.createElement("h3");
  heading.textContent = title;
  const body = document.createElement("div");
  body.className = "lesson-text";
  for (const words of paragraphs) {
    const paragraph = document.createElement("p");
    paragraph.textContent = words;
    body.append(paragraph);
  }
  const watch = document.createElement("p");
  watch.className = "lesson-watch";
  const charts = start.charts.map((chart) => CHARTS[chart] ?? chart).join(", ");
  const play = button(`Play from ${start.time} s`, async () => {
    if (laboratory.resolved.get() !== preset) await laboratory.open(preset);
    begin(start, laboratory);
    laboratory.playing.set(true);
  });
  play.dataset.play = "";
  watch.append(play, `Watch ${charts}.`);
  const attempts = document.createElement("h4");
  attempts.textContent = "Three things to try";
  const list = document.createElement("ol");
  list.className = "lesson-tries";
  for (const step of tries) list.append(attempt(step, preset, laboratory));
  const next = document.createElement("p");
  next.className = "lesson-neighbours";
  return [heading, body, watch, attempts, list, next];
}

/** A thing to try, with a button that does it or takes it back. */
function attempt(step: Try, preset: LessonPreset, laboratory: Laboratory): HTMLElement {
  const item = document.createElement("li");
  const words = document.createElement("span");
  words.textContent = step.text;
  const edit = document.createElement("code");
  edit.textContent = Object.entries(step.set)
    .map(([key, value]) => setting(key, value))
    .join(" ");
  const act = button("Do it", () => {
    const isShown = laboratory.resolved.get()?.plan === step.plan;
    void laboratory.open(isShown ? preset : step);
  });
  words.id = `try-${preset.lesson.tries.indexOf(step) + 1}`;
  act.setAttribute("aria-describedby", words.id);
  item.append(words, act, edit);
  return item;
}

/** Shows which of the things to try is done. */
function mark(article: HTMLElement, resolved: Resolved | null, preset: LessonPreset): void {
  const items = article.querySelectorAll<HTMLElement>(".lesson-tries li");
  preset.lesson.tries.forEach((step, index) => {
    const item = items[index];
    const act = item?.querySelector("button");
    if (!item || !act) return;
    const isShown = resolved?.plan === step.plan;
    item.toggleAttribute("data-shown", isShown);
    act.textContent = isShown ? "Undo it" : "Do it";
  });
}

function neighbours(
  article: HTMLElement,
  entries: Awaited<Course["entries"]>,
  shown: LessonPreset | null,
): void {
  const place = article.querySelector(".lesson-neighbours");
  if (!place || !shown) return;
  const lessons = entries.filter((entry) => entry.isLesson);
  const at = lessons.findIndex((entry) => entry.name === shown.name);
  const [before, after] = [lessons[at - 1], lessons[at + 1]];
  const links = [
    before && link(before.name, `← ${before.title}`),
    after && link(after.name, `${after.title} →`),
  ].filter((link) => link !== undefined);
  place.replaceChildren(...links);
}
