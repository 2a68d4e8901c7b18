import type { Scale } from "./knob";
import {
  numberAndUnit,
  readRate,
  readShare,
  readTime,
  writeDelay,
  writeRate,
  writeShare,
} from "./quantity";

/** A slider on which equal ways are equal ratios. */
function ratios(
  low: number,
  high: number,
  read: (text: string) => number | null,
  text: (value: number) => string,
): Scale {
  const span = Math.log(high / low);
  return {
    position(given) {
      const value = read(given);
      return value === null ? null : Math.log(Math.max(low, value) / low) / span;
    },
    text: (position) => text(low * Math.exp(position * span)),
  };
}

/** From a tenth to ten times the rate. */
export function rateScale(text: string): Scale {
  const rate = readRate(text) || 10e6;
  return ratios(rate / 10, rate * 10, readRate, writeRate);
}

export function delayScale(): Scale {
  return ratios(0.5e-3, 0.6, readTime, writeDelay);
}

/** From a sixteenth to sixteen times the limit, in its own unit. */
export function limitScale(given: string): Scale {
  const { number, unit } = numberAndUnit(given) ?? { number: 1, unit: "bdp" };
  const isCounted = unit.trim().startsWith("packet");
  const read = (text: string) => {
    const parts = numberAndUnit(text);
    return parts && parts.unit.trim() === unit.trim() ? parts.number : null;
  };
  const around = number || 1;
  return ratios(around / 16, around * 16, read, (value) => {
    const rounded = isCounted ? Math.max(1, Math.round(value)) : Number(value.toPrecision(2));
    return `${rounded}${unit}`;
  });
}

const MOST_LOSS = 0.2;

/** From none to 20 %, with most of the way for small shares. */
export function lossScale(): Scale {
  return {
    position(text) {
      const share = readShare(text);
      return share === null ? null : Math.cbrt(share / MOST_LOSS);
    },
    text: (position) => writeShare(Number((position ** 3 * MOST_LOSS).toPrecision(2))),
  };
}
