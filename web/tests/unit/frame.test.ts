import { expect, test } from "vitest";
import { labels } from "../../src/charts/frame";

test.each([
  [
    [0, 2.5, 5, 7.5],
    ["0.0", "2.5", "5.0", "7.5"],
  ],
  [
    [0, 2, 4],
    ["0", "2", "4"],
  ],
  [
    [0.25, 0.5, 0.75],
    ["0.25", "0.50", "0.75"],
  ],
  [
    [0, 0.1, 0.1 + 0.2],
    ["0.0", "0.1", "0.3"],
  ],
  [
    [0, 5e6, 1e7],
    ["0", "5M", "10M"],
  ],
])("the labels of %j have as many digits as their step needs", (splits, texts) => {
  expect(labels(splits)).toEqual(texts);
});
