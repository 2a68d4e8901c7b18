/** Speeds of the slider, in simulated seconds per second: 1, 2, 5 times powers of ten. */
export const SPEEDS: readonly number[] = [-3, -2, -1, 0, 1, 2]
  .flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)))
  .concat(1000);

/** Index of the speed of the slider that is nearest. */
export function nearest(speed: number): number {
  const distance = (other: number) => Math.abs(Math.log(other / speed));
  let best = 0;
  SPEEDS.forEach((other, index) => {
    if (distance(other) < distance(SPEEDS[best] as number)) best = index;
  });
  return best;
}

/** The speed that is `steps` steps of the slider away. */
export function shifted(speed: number, steps: number): number {
  const index = Math.max(0, Math.min(SPEEDS.length - 1, nearest(speed) + steps));
  return SPEEDS[index] as number;
}

export function speedText(speed: number): string {
  if (speed === 1) return "real time";
  if (speed > 1) return `${speed} × real time`;
  return `1/${Math.round(1 / speed)} of real time`;
}
