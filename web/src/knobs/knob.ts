import { element } from "../dom";

/** How a quantity's text goes onto a slider from 0 to 1 and back. */
export interface Scale {
  position(text: string): number | null;
  text(position: number): string;
}

export interface Knob {
  readonly whole: HTMLElement;
  /** Shows a value; null: the quantity cannot be changed. */
  show(text: string | null): void;
}

/** A value with a slider. `set` is called when the reader has decided. */
export function knob(
  label: string,
  hint: string,
  scaleFor: (text: string) => Scale,
  set: (text: string) => void,
): Knob {
  const slider = element("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.002,
    "aria-label": `${label}: slider`,
  });
  const input = element("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": label,
    title: hint,
  });
  const whole = element(
    "div",
    { class: "knob" },
    element("span", { class: "knob-name", "aria-hidden": "true" }, label),
    slider,
    input,
  );
  let shown = "";
  let scale = scaleFor("");

  function moveSlider(text: string): void {
    const at = scale.position(text);
    if (at !== null) slider.value = String(Math.max(0, Math.min(1, at)));
  }

  const decide = () => {
    const text = input.value.trim();
    if (text === "" || text === shown) return;
    shown = text;
    set(text);
  };
  slider.addEventListener("input", () => {
    input.value = scale.text(Number(slider.value));
    slider.setAttribute("aria-valuetext", input.value);
  });
  slider.addEventListener("change", decide);
  input.addEventListener("change", decide);
  return {
    whole,
    show(text) {
      const isBusy = whole.contains(document.activeElement) && input.value !== shown;
      whole.classList.toggle("is-fixed", text === null);
      slider.disabled = text === null;
      input.disabled = text === null;
      if (isBusy || (text === shown && text !== "")) return;
      shown = text ?? "";
      input.value = text ?? "not fixed";
      if (text === null) return;
      scale = scaleFor(text);
      moveSlider(text);
      slider.setAttribute("aria-valuetext", text);
    },
  };
}
