import { button, element } from "../dom";
import type { Laboratory } from "../laboratory";

/** Copies text; where the browser forbids it, the text is shown to be copied by hand. */
export async function copy(laboratory: Laboratory, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    laboratory.notice.set(`${what} copied.`);
  } catch {
    show(text, what);
  }
}

function show(text: string, what: string): void {
  const area = element("textarea", { readonly: true, rows: 16, "aria-label": what });
  area.value = text;
  const dialog = element("dialog", { class: "copy", "aria-label": what });
  const close = button("Close", () => dialog.close());
  dialog.append(element("p", {}, `${what}, to be copied:`), area, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  area.select();
}
