import type { Detail, RunResult, Table } from "./contract";
import { Details, run } from "./runs";

/** A question to the worker. A newer one ends the one before. */
export type Request = {
  readonly id: number;
  readonly module: WebAssembly.Module;
  readonly plan: string;
} & (
  | { readonly kind: "run" }
  | { readonly kind: "detail"; readonly from: number; readonly to: number }
);

export type Reply =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly answer: RunResult | Detail };

let latest = 0;
const details = new Details();

async function answer(request: Request): Promise<void> {
  const { id, module, plan } = request;
  const isWanted = () => id === latest;
  const result =
    request.kind === "run"
      ? await run(module, plan, isWanted, (progress) => postMessage({ id, progress }))
      : await details.part(module, plan, request.from, request.to, isWanted);
  if (result) postMessage({ id, answer: result } satisfies Reply, { transfer: buffers(result) });
}

/** The memory of all columns, which moves to the page. */
function buffers(answer: RunResult | Detail): ArrayBuffer[] {
  const tables: readonly Table[] =
    "tables" in answer ? Object.values(answer.tables) : [answer.packets, answer.decisions];
  return tables.flatMap(({ columns }) =>
    Object.values(columns).map(({ values }) => values.buffer as ArrayBuffer),
  );
}

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  latest = data.id;
  answer(data).catch((error: unknown) => {
    const sentence = error instanceof Error ? error.message : String(error);
    postMessage({ id: data.id, error: sentence } satisfies Reply);
  });
});
