import { button, element } from "../dom";
import type { Laboratory } from "../laboratory";

/** The problem, if there is one, and what the page is doing. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const problem = element("p", { class: "problem", role: "alert" });
  const notice = element("p", { class: "notice", role: "status" });
  const bar = element("div", { class: "bar", "aria-hidden": "true" });
  place.append(bar, problem, notice);

  laboratory.problem.watch((sentence) => {
    problem.replaceChildren();
    if (sentence === null) return;
    const close = button("×", () => laboratory.problem.set(null), {
      "aria-label": "Close",
      class: "small",
    });
    problem.append(element("span", {}, sentence), close);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  laboratory.notice.watch((sentence) => {
    clearTimeout(timer);
    notice.textContent = sentence ?? "";
    if (sentence) timer = setTimeout(() => laboratory.notice.set(null), 6000);
  });
  laboratory.progress.watch((share) => {
    bar.hidden = share === null;
    bar.style.transform = `scaleX(${share ?? 0})`;
  });
}
