import { colourOf } from "./colours";
import type { Hits } from "./hits";
import type { Palette } from "./palette";

/** All that drawing a frame needs. */
export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  /** By route: index of its colour. */
  readonly colours: readonly (number | null)[];
  readonly hits: Hits;
  readonly isNarrow: boolean;
}

export function flowColour({ palette, colours }: Brush, route: number): string {
  return colourOf(palette, colours, route);
}

export function write(
  { context }: Brush,
  text: string,
  x: number,
  y: number,
  colour: string,
  align: CanvasTextAlign = "left",
  weight = "",
  size = 13,
): void {
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  context.fillStyle = colour;
  context.fillText(text, x, y);
}
