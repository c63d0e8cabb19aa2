/** A list that forgets its oldest items beyond a length. */
export interface Ring<T> {
  add(item: T): void;
  /** Oldest first. */
  list(): readonly T[];
}

/** @param most items that are retained, 1 or more */
export function createRing<T>(most: number): Ring<T> {
  const items: T[] = [];
  let next = 0;
  return {
    add(item) {
      items[next] = item;
      next = (next + 1) % most;
    },
    list: () =>
      items.length < most ? [...items] : [...items.slice(next), ...items.slice(0, next)],
  };
}
