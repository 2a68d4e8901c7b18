import { expect, test } from "vitest";
import { lastUpTo } from "../../src/pcap/search";
import { digits, estimate, quantity, time } from "../../src/pcap/words";

test("quantities are short and have a unit", () => {
  expect(quantity(22_900_000, "bytes")).toBe("22.9 MB");
  expect(quantity(812, "bytes")).toBe("812 bytes");
  expect(quantity(9_140_000, "bit/s")).toBe("9.14 Mbit/s");
  expect(quantity(null, "bit/s")).toBe("–");
  expect([time(0.0412), time(12.34), time(0.00008)]).toEqual(["41.2 ms", "12.3 s", "80.0 µs"]);
  expect(digits(0)).toBe("0");
});

test("an estimate says that it is a lower bound", () => {
  const part = { value: 33, because: "", is_at_least: true };
  expect(estimate(part, "packets")).toBe("at least 33 packets");
  expect(estimate({ ...part, value: 0.001, is_at_least: false }, "share")).toBe("0.100 %");
});

test("the last segment up to a time is found", () => {
  const times = [0, 1, 1, 2];
  expect([-1, 0, 0.5, 1, 3].map((at) => lastUpTo(times, at))).toEqual([-1, 0, 0, 2, 3]);
});
