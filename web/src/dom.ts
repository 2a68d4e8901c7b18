/** Attributes of an element; `false` and `undefined` leave one out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

type Child = Node | string | null | undefined | false;

/** An element with attributes and children; text stays text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  for (const child of children) if (child || child === "") made.append(child);
  return made;
}

/** A button that does something. */
export function button(
  label: string,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** Calls `act` once when calls have ceased for `milliseconds`. */
export function debounced<A extends unknown[]>(
  milliseconds: number,
  act: (...values: A) => void,
): (...values: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...values), milliseconds);
  };
}

/** Calls `act` at most once per frame of the screen, with the latest values. */
export function framed<A extends unknown[]>(act: (...values: A) => void): (...values: A) => void {
  let latest: A | null = null;
  return (...values) => {
    if (latest === null)
      requestAnimationFrame(() => {
        const given = latest;
        latest = null;
        if (given) act(...given);
      });
    latest = values;
  };
}
