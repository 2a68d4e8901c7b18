import type { Laboratory } from "../laboratory";
import type { Presets } from "../presets";
import type { Preset, Resolved } from "../resolver/contract";
import { type Signal, signal } from "../signal";
import { presetAddress, readAddress, scenarioAddress } from "./address";

/** What the page showed before, and what an undo took back. */
export interface History {
  readonly canUndo: Signal<boolean>;
  readonly canRedo: Signal<boolean>;
  undo(): void;
  redo(): void;
  /** The address of what is shown, at the time shown. */
  share(): Promise<string>;
  /** Shows what the address says, or the first preset. */
  start(): Promise<void>;
}

interface Place {
  /** Place of an entry among the entries that this page has made. */
  readonly index: number;
  readonly last: number;
}

function isPreset(resolved: Resolved): resolved is Preset {
  return "name" in resolved && "toml" in resolved;
}

function addressOf(resolved: Resolved, now?: number): Promise<string> {
  if (isPreset(resolved)) return Promise.resolve(presetAddress(resolved.name));
  const { scenario, files } = resolved;
  return scenarioAddress({ scenario, files, ...(now === undefined ? {} : { now }) });
}

/** Scenarios of this many entries are kept with their plans, so that Back needs no resolver. */
const MOST_KEPT = 200;

/** Writes each scenario that is shown into the address and the history, and reads them. */
export function follow(laboratory: Laboratory, presets: Presets): History {
  const canUndo = signal(false);
  const canRedo = signal(false);
  const kept = new Map<string, Resolved>();
  let place: Place = { index: 0, last: 0 };
  /** Number of the newest reading of the address; what an older one loads is dropped. */
  let latest = 0;
  /** The scenario that an address says and that is on its way, as text: it is no new entry. */
  let awaited: string | null = null;

  function keep(address: string, resolved: Resolved): void {
    kept.delete(address);
    kept.set(address, resolved);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  }

  function setPlace(next: Place): void {
    place = next;
    canUndo.set(place.index > 0);
    canRedo.set(place.index < place.last);
  }

  function open(resolved: Resolved, now?: number): Promise<void> {
    awaited = JSON.stringify(resolved.scenario);
    return laboratory.open(resolved, now);
  }

  /** Shows a preset, unless the address has changed while it was loaded. */
  async function openPreset(name: string, isNewest: () => boolean): Promise<void> {
    const preset = await presets.load(name);
    if (isNewest()) await open(preset, 0);
  }

  async function first(isNewest: () => boolean): Promise<void> {
    const [entry] = await presets.entries;
    if (entry) await openPreset(entry.name, isNewest);
  }

  async function readInto(hash: string, isNewest: () => boolean): Promise<void> {
    const known = kept.get(hash);
    if (known) return open(known);
    const address = await readAddress(hash);
    if (!isNewest()) return;
    if (address.kind === "none") return first(isNewest);
    if (address.kind === "preset") return openPreset(address.name, isNewest);
    // Python takes seconds: a picture comes first.
    if (laboratory.run.get() === null) await first(isNewest);
    if (!isNewest()) return;
    awaited = JSON.stringify(address.scenario);
    laboratory.notice.set("The scenario of this address is shown as soon as Python is there.");
    await laboratory.show(address.scenario, address.files);
    laboratory.notice.set(null);
    if (address.now !== undefined) laboratory.now.set(address.now);
  }

  /** Shows what the address says. A fault of the address becomes the page's problem. */
  async function read(): Promise<void> {
    const ticket = ++latest;
    const isNewest = () => ticket === latest;
    try {
      await readInto(location.hash, isNewest);
    } catch (error) {
      if (!isNewest()) return;
      if (laboratory.run.get() === null) await first(isNewest);
      laboratory.problem.set(error instanceof Error ? error.message : String(error));
    }
  }

  /** Writes a scenario into the address, as a new entry unless the address said it. */
  async function write(resolved: Resolved, isAwaited: boolean): Promise<void> {
    const address = await addressOf(resolved);
    keep(address, resolved);
    if (isAwaited || address === location.hash) return;
    const next = { index: place.index + 1, last: place.index + 1 };
    history.pushState(next, "", address);
    setPlace(next);
  }

  // Addresses are packed one after the other, so that their order is that of the runs.
  let writing = Promise.resolve();
  laboratory.run.watch((run) => {
    const resolved = laboratory.resolved.get();
    if (!run || !resolved) return;
    const isAwaited = awaited === JSON.stringify(resolved.scenario);
    awaited = null;
    writing = writing.then(() => write(resolved, isAwaited));
  });

  window.addEventListener("popstate", ({ state }: PopStateEvent) => {
    const next = state as Place | null;
    // An address that was typed or followed is a new entry, and has no state yet.
    if (next) setPlace({ index: next.index, last: Math.max(place.last, next.last) });
    else {
      const made = { index: place.index + 1, last: place.index + 1 };
      history.replaceState(made, "");
      setPlace(made);
    }
    void read();
  });

  return {
    canUndo,
    canRedo,
    undo: () => history.back(),
    redo: () => history.forward(),
    async share() {
      const resolved = laboratory.resolved.get();
      const url = new URL(location.href);
      if (resolved) url.hash = await addressOf(resolved, laboratory.now.get());
      return url.href;
    },
    async start() {
      const state = history.state as Place | null;
      if (state) setPlace(state);
      else history.replaceState(place, "");
      await read();
    },
  };
}
