/** How segments that repeat or reorder data are drawn, by the engine's word for their kind. */
export interface Style {
  readonly kind: string;
  readonly label: string;
  readonly colour: string;
  readonly shape: "disc" | "square" | "triangle" | "diamond" | "hollow";
}

export const STYLES: readonly Style[] = [
  { kind: "fast retransmission", label: "fast", colour: "--flow-5", shape: "disc" },
  { kind: "timeout retransmission", label: "timeout", colour: "--flow-6", shape: "square" },
  { kind: "tail loss probe", label: "tail loss probe", colour: "--flow-3", shape: "triangle" },
  { kind: "retransmission", label: "cause unseen", colour: "--flow-1", shape: "diamond" },
  { kind: "out of order", label: "out of order", colour: "--flow-2", shape: "hollow" },
];
/** A retransmission that was not needed has this shape around it. */
export const NEEDLESS = { label: "needless", colour: "--flow-7" } as const;
