import type { Json } from "./contract";

/** A parameter of a congestion control, as `ackclock list cc` shows it. */
export interface AlgorithmParameter {
  readonly name: string;
  readonly default: number | boolean | string;
  /** Smallest and largest allowed number; null for a flag or a choice. */
  readonly range: readonly [number, number] | null;
  /** Allowed words; null for a number or a flag. */
  readonly choices: readonly string[] | null;
  readonly unit: string;
  readonly meaning: string;
}

export interface Algorithm {
  readonly name: string;
  readonly role: "avoidance" | "slow start" | "whole";
  /** Slow start of an avoidance that is named alone. */
  readonly slow_start: string | null;
  readonly summary: string;
  readonly parameters: readonly AlgorithmParameter[];
  readonly reference: string;
  /** Transport options that the name implies. */
  readonly implies: Readonly<Record<string, string>>;
}

/** A table that a scenario chooses by its `kind`: a queue discipline or an application. */
export interface Kind {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly default: Json;
    readonly required: boolean;
    readonly meaning: string;
  }[];
}

export interface Profile {
  readonly name: string;
  readonly summary: string;
  /** Transport options by name, as a scenario writes them. */
  readonly options: Readonly<Record<string, Json>>;
}

/** `catalogue.json`: the rows of `ackclock list`. It is there before Python is. */
export interface Catalogue {
  readonly cc: readonly Algorithm[];
  readonly qdisc: readonly Kind[];
  readonly app: readonly Kind[];
  readonly profile: readonly Profile[];
}

export async function fetchCatalogue(base: string = document.baseURI): Promise<Catalogue> {
  return (await (await fetch(new URL("catalogue.json", base))).json()) as Catalogue;
}
