import { Superseded } from "../../../src/engine/contract";
import { fetchModule, WorkerEngine } from "../../../src/engine/engine";

/** The engine as the page has it, for tests of the engine alone. */
const engine = new WorkerEngine(fetchModule());
Object.assign(globalThis, { engine, Superseded });
