import type { Source } from "../resolver/sources";

/** Python's files, which are the last elements of the page. */
export async function pythonOfPage(): Promise<Source> {
  await untilRead();
  const files: Record<string, string> = {};
  // A file is in several elements, one after the other.
  for (const { dataset, textContent } of document.querySelectorAll<HTMLElement>(
    "script[data-python]",
  )) {
    const name = dataset.python ?? "";
    files[name] = (files[name] ?? "") + textContent;
  }
  return { files };
}

/** Settles when the browser has read the page to its end. */
function untilRead(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}
