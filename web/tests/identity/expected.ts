import { spawnSync } from "node:child_process";

/** What `expected.py` gives for each of its words. */
interface Expected {
  readonly digests: readonly {
    readonly name: string;
    readonly plan: string;
    readonly digest: string;
  }[];
  readonly answers: readonly { readonly question: unknown; readonly answer: unknown }[];
  readonly presets: Readonly<Record<string, string>>;
}

const PYTHON = "../.venv/bin/python";
const MEGABYTE = 1024 * 1024;

/** Asks the compiled core, by the Python of the clone. */
export function expected<Part extends keyof Expected>(part: Part): Expected[Part] {
  const { error, status, stdout, stderr } = spawnSync(
    PYTHON,
    ["tests/identity/expected.py", part],
    { encoding: "utf-8", maxBuffer: 256 * MEGABYTE },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Expected[Part];
}
