import type { Service } from "./network";

/** Rate of a link at a time, ns; bit/s. Null: infinitely fast, or not known from the plan. */
export function rateAt(service: Service, time: number): number | null {
  if (service.kind === "constant") return service.rate;
  if (service.kind !== "schedule") return null;
  const within = service.period === null ? time : time % service.period;
  const step = service.steps.findLast(({ from }) => from <= within) ?? service.steps[0];
  return step?.rate ?? null;
}

/** When the rate of a link changes next after `time`, ns. */
function nextStep(service: Service, time: number): number {
  if (service.kind !== "schedule") return Number.POSITIVE_INFINITY;
  const { steps, period } = service;
  const cycle = period === null ? 0 : Math.floor(time / period) * period;
  const next = steps.find(({ from }) => cycle + from > time);
  if (next) return cycle + next.from;
  return period === null ? Number.POSITIVE_INFINITY : cycle + period;
}

/** Steps of a rate after which a packet that has not left counts as sent: a plan may end at 0. */
const MOST_STEPS = 10_000;

/** When the last bit of `size` bytes has left that begin at `start`, ns. */
export function finish(service: Service, start: number, size: number): number {
  let bits = size * 8;
  let at = start;
  for (let step = 0; step < MOST_STEPS; step++) {
    const rate = rateAt(service, at);
    if (rate === null) return at;
    const end = nextStep(service, at);
    const last = rate > 0 ? at + (bits / rate) * 1e9 : Number.POSITIVE_INFINITY;
    if (last <= end) return last;
    if (end === Number.POSITIVE_INFINITY) return end;
    bits -= (rate * (end - at)) / 1e9;
    at = end;
  }
  return at;
}

/** Time to transmit `size` bytes at the rate of `time`, ns; 0 if the rate is not known. */
export function duration(service: Service, time: number, size: number): number {
  const rate = rateAt(service, time);
  return rate === null || rate <= 0 ? 0 : ((size * 8) / rate) * 1e9;
}
