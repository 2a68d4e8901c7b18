import { spawnSync } from "node:child_process";

const PYTHON = "../.venv/bin/python";

/** Runs a program with the installed ackclock: JSON in, JSON out. */
export function askPython<T>(program: string, input: unknown): T {
  const { error, status, stdout, stderr } = spawnSync(PYTHON, ["-c", program], {
    encoding: "utf-8",
    input: JSON.stringify(input),
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}
