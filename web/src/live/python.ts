import type { Source } from "../resolver/sources";

/** Python's files in the page. They are its last elements, read after the first picture. */
export async function pythonOfPage(): Promise<Source> {
  await untilRead();
  const elements = document.querySelectorAll<HTMLElement>("script[data-python]");
  const files: Record<string, string> = {};
  for (const { dataset, textContent } of elements)
    files[dataset.python ?? ""] = textContent ?? "";
  return { files };
}

/** Settles when the browser has read the page to its end. */
function untilRead(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}
