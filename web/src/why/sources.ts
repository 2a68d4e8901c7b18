import { element } from "../dom";

/** An RFC, with the section that a rule names, or the first of its sections. */
const SOURCE = /RFC (\d+)(?:,? sections? (\d+(?:\.\d+)*))?/g;

/** Part of a text; `href`: where its RFC is, or null for what cites none. */
export interface Part {
  readonly text: string;
  readonly href: string | null;
}

/** The parts of a text: each RFC that it cites, and what stands between them. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(SOURCE)) {
    const [whole, rfc, section] = match;
    const place = section ? `#section-${section}` : "";
    parts.push({ text: text.slice(from, match.index), href: null });
    parts.push({ text: whole, href: `https://www.rfc-editor.org/rfc/rfc${rfc}.html${place}` });
    from = match.index + whole.length;
  }
  parts.push({ text: text.slice(from), href: null });
  return parts.filter((part) => part.text !== "");
}

/** A text in which each RFC is a link to its section. */
export function withSources(text: string): (string | HTMLElement)[] {
  return partsOf(text).map(({ text: shown, href }) =>
    href === null
      ? shown
      : element("a", { href, target: "_blank", rel: "noopener noreferrer" }, shown),
  );
}
