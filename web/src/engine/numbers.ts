import type { Values } from "./contract";

export type NumberType = "uint8" | "uint16" | "uint32" | "uint64" | "float64";

/** Copies numbers out of a memory that may move when it grows. */
export function copy(memory: ArrayBuffer, type: NumberType, at: number, length: number): Values {
  switch (type) {
    case "uint8":
      return new Uint8Array(memory.slice(at, at + length));
    case "uint16":
      return new Uint16Array(memory.slice(at, at + 2 * length));
    case "uint32":
      return new Uint32Array(memory.slice(at, at + 4 * length));
    case "uint64":
      return doubles(memory, at, length);
    case "float64":
      return new Float64Array(memory.slice(at, at + 8 * length));
  }
}

/** 64-bit integers as doubles; through halves, because big integers take ten times as long. */
function doubles(memory: ArrayBuffer, at: number, length: number): Float64Array {
  const halves = new DataView(memory, length > 0 ? at : 0);
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const low = halves.getUint32(8 * row, true);
    values[row] = halves.getUint32(8 * row + 4, true) * 2 ** 32 + low;
  }
  return values;
}
