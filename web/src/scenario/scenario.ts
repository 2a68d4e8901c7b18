import "./scenario.css";
import { type Catalogue, loadCatalogue } from "../catalogue";
import { debounced, element } from "../dom";
import type { Laboratory } from "../laboratory";
import type { Files, Scenario } from "../resolver/contract";
import { mountEditor } from "./editor";
import { flowsForm } from "./flows-form";
import { type Form, nameOf } from "./form";
import { networkForm } from "./network-form";
import { runForm } from "./run-form";
import { setIn } from "./tree";

/** Pause in typing after which the scenario is run, ms. */
const PAUSE = 500;

/** The scenario as a form, and as TOML. Both edit its tree and keep keys that they do not know. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const waiting = element("p", { class: "quiet", "aria-live": "polite" });
  const content = element("form", { class: "scenario-form", "aria-label": "Scenario" });
  content.addEventListener("submit", (event) => event.preventDefault());
  place.append(waiting, content);
  mountEditor(place, laboratory);

  let isReady = false;
  laboratory.resolver.onProgress((share) => {
    if (!isReady) {
      waiting.textContent = `Changes take effect once Python is loaded: ${Math.floor(share * 100)} %`;
    }
  });
  laboratory.resolver.ready.then(
    () => {
      isReady = true;
      waiting.textContent = "";
    },
    (error: unknown) => {
      isReady = true;
      const reason = error instanceof Error ? error.message : String(error);
      waiting.textContent = `Scenarios cannot be changed here: ${reason}`;
    },
  );

  let scenario: Scenario = {};
  let files: Files = {};
  const open = new Set<string>();

  /** Whether something was edited that has not been sent yet: it is newer than all that is shown. */
  let isEdited = false;
  const sendLater = debounced(PAUSE, () => {
    isEdited = false;
    void laboratory.show(scenario, files);
  });
  const send = () => {
    isEdited = true;
    sendLater();
  };

  function formOf(catalogue: Catalogue): Form {
    const form: Form = {
      catalogue,
      scenario: () => scenario,
      files: () => files,
      type(path, value) {
        scenario = setIn(scenario, path, value);
        send();
      },
      replace(next, nextFiles) {
        scenario = next;
        files = nextFiles ?? files;
        drawn(form);
        send();
      },
      isOpen: (path) => open.has(nameOf(path)),
      setOpen(path, isOpen) {
        if (isOpen) open.add(nameOf(path));
        else open.delete(nameOf(path));
      },
    };
    return form;
  }

  /** Draws the form anew; the field that has the focus keeps it. */
  function drawn(form: Form): void {
    const { activeElement: active } = document;
    const focused = content.contains(active) ? focusOf(active) : null;
    content.replaceChildren(networkForm(form), flowsForm(form), runForm(form));
    if (focused) focusAgain(content, focused);
  }

  loadCatalogue().then(
    (catalogue) => {
      const form = formOf(catalogue);
      laboratory.resolved.watch((resolved) => {
        if (!resolved || isEdited) return;
        const isSame = JSON.stringify(resolved.scenario) === JSON.stringify(scenario);
        scenario = resolved.scenario;
        files = resolved.files;
        if (!isSame) drawn(form);
      });
    },
    (error: unknown) => {
      waiting.textContent = `The form cannot be shown: ${String(error)}`;
    },
  );
}

interface Focus {
  readonly selector: string;
  readonly selection: readonly [number, number] | null;
}

function focusOf(active: Element | null): Focus | null {
  const name = active?.getAttribute("name");
  const label = active?.getAttribute("aria-label");
  const selector = name
    ? `[name="${CSS.escape(name)}"]`
    : label
      ? `[aria-label="${CSS.escape(label)}"]`
      : null;
  if (!selector) return null;
  const isText = active instanceof HTMLInputElement && active.type === "text";
  const { selectionStart, selectionEnd } = isText
    ? active
    : { selectionStart: null, selectionEnd: null };
  const isSelected = selectionStart !== null && selectionEnd !== null;
  return { selector, selection: isSelected ? [selectionStart, selectionEnd] : null };
}

function focusAgain(content: HTMLElement, { selector, selection }: Focus): void {
  const again = content.querySelector<HTMLElement>(selector);
  again?.focus({ preventScroll: true });
  if (selection && again instanceof HTMLInputElement) again.setSelectionRange(...selection);
}
