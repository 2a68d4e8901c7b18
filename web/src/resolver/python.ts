import type { PyodideConfig, PyodideInterface } from "pyodide";
import { EngineError, type TableName } from "../engine/contract";
import { Instance } from "../engine/wasm";
import { type Json, type Scenario, ScenarioProblem } from "./contract";

type LoadPyodide = typeof import("pyodide").loadPyodide;

/** Parts that Python is made of. */
export interface Parts {
  readonly loadPyodide: LoadPyodide;
  /** Folder or address of the files of web/build/python.py. */
  readonly place: string;
  /** What `pyodide.asm.mjs` exports; else Pyodide loads it from `place`. */
  readonly createPyodideModule?: NonNullable<PyodideConfig["createPyodideModule"]>;
  readonly engine: WebAssembly.Module;
}

type Answer =
  | { readonly answer: Json; readonly problem?: undefined }
  | { readonly problem: string };

/** The first scenario takes longer than others: pydantic makes its validators. */
const SMALL: Scenario = {
  duration: "1s",
  network: { kind: "dumbbell", bottleneck: { rate: "1Mbit/s", delay: "10ms" } },
  flows: [{ cc: "reno" }],
};

// Modules of machine code have to be files; all others are imported from the archive. Python starts
// with '', the folder that it is in, on its path: what others wrote must never be imported.
const UNPACK = `
import sys, zipfile
sys.path[:] = [entry for entry in sys.path if entry.startswith("/lib/")]
with zipfile.ZipFile("/lib/python314.zip") as archive:
    for name in archive.namelist():
        if name.startswith("files/"):
            archive.extract(name, "/lib")
sys.path.append("/lib/files")
`;
const EVENTS_BETWEEN_LOOKS = 10_000_000;

/** The module `ackclock_engine` of Python: see web/python/_core.py. */
function engineModule(module: WebAssembly.Module): object {
  let services = new Instance(module);
  return {
    ask(question: string) {
      try {
        return services.ask(question);
      } catch (error: unknown) {
        // A question never ends an instance, unless by a fault of the engine.
        services = new Instance(module);
        throw error;
      }
    },
    run(plan: string) {
      const instance = new Instance(module);
      try {
        instance.start(plan);
        while (instance.advance(EVENTS_BETWEEN_LOOKS) >= 0);
        return {
          error: "",
          finished: instance.finishedText(),
          table(name: TableName) {
            const { columns } = instance.table(name);
            return Object.fromEntries(
              Object.entries(columns).map(([column, { values }]) => [column, values]),
            );
          },
        };
      } catch (error: unknown) {
        if (error instanceof EngineError) return { error: error.message };
        throw error;
      }
    },
  };
}

/** Python with the resolver: answers the questions of python/ackclock/pages/rpc. */
export class Python {
  readonly #answer: (question: string) => string;

  private constructor(python: PyodideInterface) {
    this.#answer = python.pyimport("ackclock.pages.rpc").answer as (question: string) => string;
  }

  static async load({ loadPyodide, place, engine, ...scripts }: Parts): Promise<Python> {
    const python = await loadPyodide({
      ...scripts,
      indexURL: place,
      // The package uses nothing of JavaScript: its module `js` has nothing in it.
      jsglobals: Object.freeze(Object.create(null)) as object,
      env: { HOME: "/home/page", PYDANTIC_DISABLE_PLUGINS: "true" },
    });
    python.runPython(UNPACK);
    python.registerJsModule("ackclock_engine", engineModule(engine));
    const made = new Python(python);
    made.ask("resolve", { scenario: SMALL, files: {} });
    return made;
  }

  /** Python's answer; a wrong scenario throws ScenarioProblem. */
  ask(question: string, args: Readonly<Record<string, Json>>): Json {
    const reply = JSON.parse(
      this.#answer(JSON.stringify({ question, arguments: args })),
    ) as Answer;
    if (reply.problem !== undefined) throw new ScenarioProblem(reply.problem);
    return reply.answer;
  }
}
