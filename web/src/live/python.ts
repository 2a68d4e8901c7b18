import type { Source } from "../resolver/sources";

type Files = Readonly<Record<string, string>>;

/** The part of the address with which a page asks itself, in a frame, for Python's files. */
const ASKED = "#python-alone";
/** Time for the frame's answer after the frame is loaded, ms. */
const MOST_WAIT = 10_000;

/** Whether this page is a frame that only gives Python's files to the page around it. */
export const isGiver = window.parent !== window && location.hash === ASKED;

/** Gives Python's files to the page around this one. */
export async function give(): Promise<void> {
  await untilRead();
  window.parent.postMessage(filesHere(), "*");
}

let isStopped = false;

/**
 * Has the browser read no more of the page: Python's files are its end, and reading them delays the
 * picture by a third. Only for a page that is a file; a server may forbid the frame that is
 * needed later.
 */
export function stopBeforePython(): void {
  if (location.protocol !== "file:" || document.readyState !== "loading") return;
  isStopped = true;
  window.stop();
}

/** Python's files in the page. They are its last elements, read after the first picture. */
export async function pythonOfPage(): Promise<Source> {
  if (isStopped) return { files: await filesOfFrame() };
  await untilRead();
  return { files: filesHere() };
}

function filesHere(): Files {
  const files: Record<string, string> = {};
  // A file is in several elements, one after the other.
  for (const { dataset, textContent } of document.querySelectorAll<HTMLElement>(
    "script[data-python]",
  )) {
    const name = dataset.python ?? "";
    files[name] = (files[name] ?? "") + textContent;
  }
  return files;
}

/** Reads the page once more, in a frame that nobody sees. */
async function filesOfFrame(): Promise<Files> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "Python's files";
  frame.src = location.href.split("#")[0] + ASKED;
  try {
    return await new Promise<Files>((resolve, reject) => {
      window.addEventListener("message", ({ source, data }: MessageEvent<Files>) => {
        if (source === frame.contentWindow) resolve(data);
      });
      frame.addEventListener("load", () => {
        const problem = new Error("the browser does not let the page read its own Python");
        setTimeout(() => reject(problem), MOST_WAIT);
      });
      document.body.append(frame);
    });
  } finally {
    frame.remove();
  }
}

/** Settles when the browser has read the page to its end. */
function untilRead(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}
