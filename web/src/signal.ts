/** A value that tells of its changes. */
export interface Signal<T> {
  get(): T;
  set(value: T): void;
  /** Calls `tell` now and after each change, until the returned function is called. */
  watch(tell: (value: T) => void): () => void;
}

export function signal<T>(first: T): Signal<T> {
  let value = first;
  const watchers = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const tell of [...watchers]) tell(value);
    },
    watch(tell) {
      watchers.add(tell);
      tell(value);
      return () => watchers.delete(tell);
    },
  };
}
