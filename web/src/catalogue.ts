import { json } from "./presets";
import type { Json } from "./resolver/contract";

/** A part of the JSON Schema of scenarios. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly required?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly default: Json;
  readonly range: readonly [number, number] | null;
  readonly choices: readonly Json[] | null;
  readonly unit: string;
  readonly meaning: string;
}

/** A congestion control, as `ackclock list cc --json` describes it. */
export interface Algorithm {
  readonly name: string;
  readonly role: "slow start" | "avoidance" | "whole" | string;
  readonly slow_start: string | null;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly reference: string;
}

/** All that a scenario may say, and the algorithms. */
export interface Catalogue {
  readonly schema: Schema;
  readonly cc: readonly Algorithm[];
}

let loaded: Promise<Catalogue> | null = null;

async function load(): Promise<Catalogue> {
  const [{ cc }, schema] = await Promise.all([
    json<Pick<Catalogue, "cc">>("catalogue.json"),
    json<Schema>("schema.json"),
  ]);
  return { cc, schema };
}

export function loadCatalogue(): Promise<Catalogue> {
  loaded ??= load();
  return loaded;
}
