/** A packed file of Python, on its way. */
export interface PackedFile {
  readonly name: string;
  /** Size of the packed file, bytes. */
  readonly size: number;
  /** The content, packed with gzip. */
  readonly content: Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

const TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  mjs: "text/javascript",
  wasm: "application/wasm",
};

/** The files of web/build/python.py, unpacked as they arrive, by the name that Pyodide has. */
export function unpacked(
  files: readonly PackedFile[],
  progress: (share: number) => void,
): ReadonlyMap<string, Promise<Response>> {
  const whole = files.reduce((sum, { size }) => sum + size, 0);
  let arrived = 0;
  const tell = (bytes: number) => {
    arrived += bytes;
    progress(Math.min(1, arrived / whole));
  };
  return new Map(
    files.map(({ name, content }) => {
      const file = content.then((stream) => response(stream, name, tell));
      // Whoever uses the file hears of it.
      file.catch(() => undefined);
      return [name, file];
    }),
  );
}

function response(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
  name: string,
  arrived: (bytes: number) => void,
): Response {
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, stream) {
      arrived(chunk.length);
      stream.enqueue(chunk);
    },
  });
  const body = packed.pipeThrough(counting).pipeThrough(new DecompressionStream("gzip"));
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

/** Answers Pyodide's calls of `fetch` for files of the folder `place` with those given. */
export function answerFetch(place: string, files: ReadonlyMap<string, Promise<Response>>): void {
  const original = self.fetch.bind(self);
  self.fetch = (input, init) => {
    const address = String(input);
    const name = address.startsWith(place) ? address.slice(place.length) : "";
    return files.get(name) ?? original(input, init);
  };
}
