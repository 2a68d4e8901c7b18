import { Superseded } from "../../../src/engine/contract";
import { fetchModule, WorkerEngine } from "../../../src/engine/engine";
import { ScenarioProblem } from "../../../src/resolver/contract";
import { PythonResolver } from "../../../src/resolver/resolver";

/** The engine as the page has it, for tests of the engine alone. */
const engine = new WorkerEngine(fetchModule());
/** Begins to load the resolver, for tests of it. */
const loadResolver = () => new PythonResolver(fetchModule());
Object.assign(globalThis, { engine, Superseded, loadResolver, ScenarioProblem });
