/** Sizes of the packed files, by the name that Pyodide asks for: python/sizes.json. */
type Sizes = Readonly<Record<string, number>>;

const TYPES: Readonly<Record<string, string>> = { wasm: "application/wasm" };

/** The response to a file that web/build/python.py has packed with gzip, unpacked as it arrives. */
function unpacked(packed: Response, name: string, arrived: (bytes: number) => void): Response {
  if (!packed.ok || !packed.body) {
    throw new Error(`${packed.url} is not there: ${packed.status} ${packed.statusText}`);
  }
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, stream) {
      arrived(chunk.length);
      stream.enqueue(chunk);
    },
  });
  const body = packed.body.pipeThrough(counting).pipeThrough(new DecompressionStream("gzip"));
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

/**
 * Begins to fetch the packed files of a folder, and answers Pyodide's calls of `fetch` with them.
 * They are packed because few servers would pack them.
 */
export async function unpackFetched(
  place: string,
  progress: (share: number) => void,
): Promise<void> {
  const original = self.fetch.bind(self);
  const sizes = (await (await original(`${place}sizes.json`)).json()) as Sizes;
  const whole = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let arrived = 0;
  const tell = (bytes: number) => {
    arrived += bytes;
    progress(Math.min(1, arrived / whole));
  };
  const files = new Map(
    Object.keys(sizes).map((name) => {
      const file = original(`${place}${name}.packed`).then((got) => unpacked(got, name, tell));
      // Pyodide's call of fetch hears of it.
      file.catch(() => undefined);
      return [`${place}${name}`, file] as const;
    }),
  );
  self.fetch = (input, init) => files.get(String(input)) ?? original(input, init);
}
