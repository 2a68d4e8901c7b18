import { execFileSync } from "node:child_process";

/** Answers of the command line's Python: reference.py. */
export interface Reference {
  readonly plans: readonly {
    readonly file: string;
    readonly toml: string;
    readonly files: Readonly<Record<string, string>>;
    readonly plan: string;
  }[];
  readonly messages: Readonly<Record<string, string>>;
  readonly summaries: readonly {
    readonly file: string;
    readonly toml: string;
    readonly summary: string;
  }[];
}

const PYTHON = process.env.PYTHON ?? "../.venv/bin/python";
const MOST_BYTES = 256 * 1024 * 1024;

/** Asks the Python of the clone; the paths are those from the folder `web`. */
export function reference<Name extends keyof Reference>(...names: Name[]): Pick<Reference, Name> {
  const script = ["tests/unit/reference.py", ...names];
  const text = execFileSync(PYTHON, script, { encoding: "utf-8", maxBuffer: MOST_BYTES });
  return JSON.parse(text) as Pick<Reference, Name>;
}
