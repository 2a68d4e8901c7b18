import { bytesOf } from "../base64";
import { answerFetch, type PackedFile, unpacked } from "./packed";
import type { Parts } from "./python";

/** Where Python comes from: the folder `python/` beside the page, or the page itself. */
export type Source =
  | { readonly folder: string }
  /** Base64 of the files packed with gzip, by the name that Pyodide has. */
  | { readonly files: Readonly<Record<string, string>> };

type Scripts = Omit<Parts, "engine">;
type Progress = (share: number) => void;

/** Begins to load Python's files, and gives the scripts that start it. */
export function scriptsOf(source: Source, progress: Progress): Promise<Scripts> {
  return "folder" in source
    ? fromFolder(source.folder, progress)
    : fromPage(source.files, progress);
}

async function fromFolder(place: string, progress: Progress): Promise<Scripts> {
  const sizes = (await (await fetch(`${place}sizes.json`)).json()) as Record<string, number>;
  const files = Object.entries(sizes).map(
    ([name, size]): PackedFile => ({ name, size, content: fetched(`${place}${name}.packed`) }),
  );
  answerFetch(place, unpacked(files, progress));
  const { loadPyodide } = (await import(/* @vite-ignore */ `${place}pyodide.mjs`)) as Scripts;
  return { place, loadPyodide };
}

async function fetched(address: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const packed = await fetch(address);
  if (!packed.ok || !packed.body) {
    throw new Error(`${address} is not there: ${packed.status} ${packed.statusText}`);
  }
  return packed.body;
}

/** Folder that a page with all files in it names to Pyodide: no file is there. */
const NOWHERE = "file:///python/";

async function fromPage(
  given: Readonly<Record<string, string>>,
  progress: Progress,
): Promise<Scripts> {
  const packed = Object.entries(given).map(([name, text]): PackedFile => {
    const bytes = bytesOf(text);
    return { name, size: bytes.length, content: Promise.resolve(new Blob([bytes]).stream()) };
  });
  const files = unpacked(packed, progress);
  answerFetch(NOWHERE, files);
  hideImportScripts();
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    imported<Pick<Scripts, "loadPyodide">>(files, "pyodide.mjs"),
    imported<{ default: NonNullable<Scripts["createPyodideModule"]> }>(files, "pyodide.asm.mjs"),
  ]);
  return { place: NOWHERE, loadPyodide, createPyodideModule };
}

/** A module of the page's own files. */
async function imported<T>(
  files: ReadonlyMap<string, Promise<Response>>,
  name: string,
): Promise<T> {
  const response = await files.get(name);
  if (!response) throw new Error(`the page has no ${name}`);
  const address = URL.createObjectURL(await response.blob());
  try {
    return (await import(/* @vite-ignore */ address)) as T;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Makes a classic worker look like a module to Pyodide, which asks for a module because not all
 * browsers import modules in classic workers. Chromium starts no module worker from a page at
 * `file://`.
 */
function hideImportScripts(): void {
  Object.defineProperty(self, "importScripts", { value: undefined });
}
