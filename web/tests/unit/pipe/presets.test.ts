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
  "cellular.json": 0.03,
  "fq-codel.json": 0.02,
  "incast.json": 0.01,
};
const SECONDS = 2;
/** Most samples that are compared of a link. */
const MOST = 2000;

test.each(NAMES)("the queues of %s are those of the run", { timeout: 60_000 }, async (name) => {
  const { plan } = JSON.parse(readFileSync(new URL(name, FOLDER), "utf-8")) as Preset;
  const { links } = readNetwork(plan);
  const parts = JSON.parse(plan) as { duration_ps: number };
  const short = JSON.stringify({
    ...parts,
    duration_ps: Math.min(parts.duration_ps, SECONDS * 1e12),
    warmup_ps: 0,
    record: { samples: { kind: "changes" }, packet_links: links.map((_, link) => link) },
  });
  const result = await run(short);
  for (const [link, { name: label, rate }] of links.entries()) {
    if (rate === null || label.includes("access")) continue;
    const { compared, different } = compareQueues(short, result, link, MOST);
    const allowed = (ALLOWED[name] ?? 0) * compared;
    expect(different, `of ${compared} samples of ${label}`).toBeLessThanOrEqual(allowed);
  }
});
