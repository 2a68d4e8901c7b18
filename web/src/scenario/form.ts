import type { Catalogue } from "../catalogue";
import type { Files, Json, Scenario } from "../resolver/contract";
import type { Path } from "./tree";

/** A form that edits a scenario's tree. Its fields are found again by their path. */
export interface Form {
  readonly catalogue: Catalogue;
  scenario(): Scenario;
  files(): Files;
  /** Sets a value, or takes it out; the scenario is run when the typing pauses. */
  type(path: Path, value: Json | undefined): void;
  /** Replaces the scenario and draws the form anew. */
  replace(scenario: Scenario, files?: Files): void;
  /** Whether a fold is open, kept while the form is drawn anew. */
  isOpen(path: Path): boolean;
  setOpen(path: Path, isOpen: boolean): void;
}

/** Text that identifies a field of the form. */
export function nameOf(path: Path): string {
  return path.join(".");
}
