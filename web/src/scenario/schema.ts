import type { Schema } from "../catalogue";
import type { Json } from "../resolver/contract";

/** Ways in which a value may be written, gathered from `anyOf`, `oneOf` and references. */
export interface Ways {
  readonly isOptional: boolean;
  readonly words: readonly string[];
  readonly isFlag: boolean;
  readonly isText: boolean;
  readonly isNumber: boolean;
  readonly lists: readonly Schema[];
  readonly tables: readonly Schema[];
}

export function followed(schema: Schema, root: Schema): Schema {
  if (!schema.$ref) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  const { $ref: _, ...own } = schema;
  return { ...root.$defs?.[name], ...own };
}

function leaves(schema: Schema, root: Schema): Schema[] {
  const whole = followed(schema, root);
  const parts = whole.anyOf ?? whole.oneOf;
  return parts ? parts.flatMap((part) => leaves(part, root)) : [whole];
}

export function waysOf(schema: Schema, root: Schema): Ways {
  const all = leaves(schema, root);
  const words = all.flatMap(
    (leaf) => leaf.enum ?? (leaf.const === undefined ? [] : [leaf.const]),
  );
  return {
    isOptional: all.some(({ type }) => type === "null"),
    words: words.map(String),
    isFlag: all.some(({ type }) => type === "boolean"),
    isText: all.some((leaf) => leaf.type === "string" && !leaf.enum && leaf.const === undefined),
    isNumber: all.some(({ type }) => type === "number" || type === "integer"),
    lists: all.filter(({ type }) => type === "array"),
    tables: all.filter(({ type }) => type === "object"),
  };
}

/** The word that a table of a union has as its `kind`; null: it has none. */
export function kindOf(table: Schema): string | null {
  const kind = table.properties?.kind?.const;
  return typeof kind === "string" ? kind : null;
}

/** A value that is valid, or nearly: an example, the default, the first word. */
export function exampleOf(schema: Schema, root: Schema): Json {
  const whole = followed(schema, root);
  const [example] = whole.examples ?? [];
  if (example !== undefined) return example;
  if (whole.default !== undefined && whole.default !== null) return whole.default;
  if (whole.const !== undefined) return whole.const;
  const [word] = whole.enum ?? [];
  if (word !== undefined) return word;
  const [part] = whole.anyOf ?? whole.oneOf ?? [];
  if (part) return exampleOf(part, root);
  if (whole.type === "array") return whole.items ? [exampleOf(whole.items, root)] : [];
  if (whole.type === "object") return exampleTable(whole, root);
  if (whole.type === "boolean") return false;
  return whole.type === "string" ? "" : 1;
}

/** A table with what it needs. */
export function exampleTable(table: Schema, root: Schema): { readonly [key: string]: Json } {
  return Object.fromEntries(
    (table.required ?? []).map((key) => {
      const property = table.properties?.[key];
      return [key, property ? exampleOf(property, root) : ""];
    }),
  );
}

/** Whether a table may have these keys. */
export function fits(table: Schema, value: { readonly [key: string]: Json }): boolean {
  const kind = kindOf(table);
  if (kind !== null) return value.kind === kind;
  return Object.keys(value).every((key) => key in (table.properties ?? {}));
}
