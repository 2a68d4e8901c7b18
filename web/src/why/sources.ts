import { element } from "../dom";

/** An RFC, with the section that a rule names, or the first of its sections. */
const SOURCE = /RFC (\d+)(?:,? sections? (\d+(?:\.\d+)*))?/g;

/** A text in which each RFC is a link to its section. */
export function withSources(text: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let from = 0;
  for (const match of text.matchAll(SOURCE)) {
    const [whole, rfc, section] = match;
    const place = section ? `#section-${section}` : "";
    parts.push(text.slice(from, match.index));
    parts.push(
      element(
        "a",
        {
          href: `https://www.rfc-editor.org/rfc/rfc${rfc}.html${place}`,
          target: "_blank",
          rel: "noopener noreferrer",
        },
        whole,
      ),
    );
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}
