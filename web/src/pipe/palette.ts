/** Colours of the picture, from the custom properties of the page. */
export interface Palette {
  readonly ink: string;
  readonly paper: string;
  readonly quiet: string;
  readonly line: string;
  readonly accent: string;
  readonly drop: string;
  readonly flows: readonly string[];
}

const FLOWS_LIGHT = [
  "#2563c9",
  "#c2410c",
  "#15803d",
  "#8b2fc9",
  "#b4860b",
  "#0e7490",
  "#be185d",
  "#4d7c0f",
  "#6b4f3a",
  "#475569",
];

/** Reads the colours that hold now. */
export function palette(element: Element): Palette {
  const style = getComputedStyle(element);
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const read = (name: string, light: string, dark: string): string =>
    style.getPropertyValue(name).trim() || (isDark ? dark : light);
  return {
    ink: read("--ink", "#1b1f24", "#e8eaed"),
    paper: read("--paper", "#ffffff", "#14171a"),
    quiet: read("--quiet", "#5b6570", "#a0a8b0"),
    line: read("--line", "#d4d9de", "#343a40"),
    accent: read("--accent", "#1a56db", "#7aa7ff"),
    // No flow has this red.
    drop: isDark ? "#ff5c5c" : "#d61f1f",
    flows: FLOWS_LIGHT.map((colour, index) => read(`--flow-${index}`, colour, colour)),
  };
}
