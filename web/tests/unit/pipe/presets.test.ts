import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readNetwork } from "../../../src/pipe/network";
import type { Preset } from "../../../src/resolver/contract";
import { run } from "../runs";
import { compareQueues } from "./comparing";

const FOLDER = new URL("../../../public/presets/", import.meta.url);
const NAMES = readdirSync(FOLDER).filter(
  (name) => name.endsWith(".json") && name !== "index.json",
);

/**
 * Share of samples that may differ. Elsewhere none may: a trace's opportunity may be shared by
 * packets, fq_codel drops many packets at one time, and packets of incast arrive at one time.
 */
const ALLOWED: Readonly<Record<string, number>> = {
  "cellular.json": 0.012,
  "fq-codel.json": 0.005,
  "incast.json": 0.002,
};
const SECONDS = 3;

test.each(NAMES)("the queues of %s are those of the run", { timeout: 60_000 }, async (name) => {
  const { plan } = JSON.parse(readFileSync(new URL(name, FOLDER), "utf-8")) as Preset;
  const { links } = readNetwork(plan);
  const short = JSON.stringify({
    ...JSON.parse(plan),
    duration_ps: SECONDS * 1e12,
    warmup_ps: 0,
    record: { samples: { kind: "changes" }, packet_links: links.map((_, link) => link) },
  });
  const result = await run(short);
  for (const [link, { name: label, rate }] of links.entries()) {
    if (rate === null || label.includes("access")) continue;
    const { compared, different } = compareQueues(short, result, link);
    const allowed = (ALLOWED[name] ?? 0) * compared;
    expect(different, `of ${compared} samples of ${label}`).toBeLessThanOrEqual(allowed);
  }
});
