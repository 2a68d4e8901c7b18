import type { Json, Preset, PresetEntry, Resolved } from "../resolver/contract";

/** What `web/build/lessons.py` makes of `presets/NAME.md`; it stands in `presets/NAME.json`. */
export interface Lesson {
  /** Place in the course, from 1. */
  readonly number: number;
  readonly title: string;
  /** Paragraphs of plain text, ten sentences in all. */
  readonly paragraphs: readonly string[];
  /** Three things to try. */
  readonly tries: readonly Try[];
  readonly start: Start;
}

/** An edit of the lesson's scenario, resolved when the page was built. */
export interface Try extends Resolved {
  /** What to change, and what one will see. */
  readonly text: string;
  /** The edit as `ackclock run --set` takes it: values by dotted key. */
  readonly set: Readonly<Record<string, Json>>;
}

/** What a lesson shows first. */
export interface Start {
  /** Name of the flow that the panels show. */
  readonly flow: string;
  /** Simulated time, s. */
  readonly time: number;
  /** Simulated seconds per second. */
  readonly speed: number;
  /** The charts that the text speaks of, the most important first. */
  readonly charts: readonly string[];
}

export interface LessonPreset extends Preset {
  readonly lesson: Lesson;
}

/** The part of the page's presets that lessons need. */
export interface Course {
  readonly entries: Promise<readonly PresetEntry[]>;
}
