import type { Arguments } from "./asking";
import type { Json } from "./contract";
import { ScenarioProblem } from "./contract";
import { Python } from "./python";
import { type Source, scriptsOf } from "./sources";

/** The first message: where Python comes from, and the engine. */
export interface Start {
  readonly source: Source;
  readonly engine: WebAssembly.Module;
}
export interface Question {
  readonly id: number;
  readonly question: string;
  readonly args: Arguments;
}
export type Reply =
  | { readonly progress: number }
  | { readonly ready: true }
  | { readonly broken: string }
  | { readonly id: number; readonly answer: Json }
  | { readonly id: number; readonly problem: string }
  | { readonly id: number; readonly fault: string };

const tell = (message: Reply) => postMessage(message);
const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function load({ source, engine }: Start): Promise<Python> {
  const scripts = await scriptsOf(source, (share) => tell({ progress: share }));
  return Python.load({ ...scripts, engine });
}

function answer(python: Python, { id, question, args }: Question): Reply {
  try {
    return { id, answer: python.ask(question, args) };
  } catch (error: unknown) {
    if (error instanceof ScenarioProblem) return { id, problem: error.message };
    // A fault of ours: Python's message is a traceback, whose last line says what happened.
    console.error(error);
    const [last] = sentence(error).trimEnd().split("\n").slice(-1);
    return { id, fault: `the resolver failed: ${last}` };
  }
}

let python: Promise<Python> | null = null;

self.addEventListener("message", async ({ data }: MessageEvent<Start | Question>) => {
  try {
    if ("source" in data) {
      python = load(data);
      await python;
      tell({ ready: true });
    } else if (python) {
      tell(answer(await python, data));
    }
  } catch (error: unknown) {
    if ("source" in data) tell({ broken: sentence(error) });
  }
});
