/** Sizes of Python's files, by name: python/files.json. */
type Sizes = Readonly<Record<string, number>>;

/** A response whose bytes are told as they arrive. */
function counted(response: Response, tell: (bytes: number) => void): Response {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  if (!response.body) return response;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      tell(chunk.length);
      stream.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, headers });
}

/**
 * Makes `fetch` tell the share of Python's files that has arrived, 0 to 1, and begins to fetch the
 * packages. Pyodide fetches the others itself.
 */
export async function fetched(
  place: string,
  progress: (share: number) => void,
): Promise<Promise<ArrayBuffer>> {
  const original = self.fetch.bind(self);
  const sizes = (await (await original(`${place}files.json`)).json()) as Sizes;
  const whole = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let arrived = 0;
  self.fetch = async (input, init) =>
    counted(await original(input, init), (bytes) => {
      arrived += bytes;
      progress(Math.min(1, arrived / whole));
    });
  return fetch(`${place}packages.zip`).then((response) => response.arrayBuffer());
}
