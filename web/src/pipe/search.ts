/** Binary searches in columns that ascend. */

type Ascending = ArrayLike<number>;

/** Number of values at or below `value`: the index of the first one above it. */
export function countUpTo(values: Ascending, value: number, length = values.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of values below `value`: the index of the first one at or above it. */
export function countBelow(values: Ascending, value: number, length = values.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
