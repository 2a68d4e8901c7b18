import type { History } from "../address/history";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, dialog *");
}

/** Ctrl+Z takes the last change of the scenario back, Ctrl+Shift+Z or Ctrl+Y makes it again. */
export function mount(history: History): void {
  window.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    const isRedo = key === "y" || (key === "z" && event.shiftKey);
    if (isRedo && history.canRedo.get()) history.redo();
    else if (key === "z" && !event.shiftKey && history.canUndo.get()) history.undo();
    else return;
    event.preventDefault();
  });
}
