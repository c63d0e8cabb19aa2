/**
 * Whether new exposure may be taken at all. Each station that has a reason against it closes the
 * gate under its own name; it stands open when no reason is left. Exits never ask it.
 */
export interface EntryGate {
  close(reason: string): void;
  open(reason: string): void;
  /** Why it is closed; empty when it is open. */
  reasons(): readonly string[];
  /** The same as one text; undefined when it is open. */
  why(): string | undefined;
}

export function createEntryGate(
  onChange: (reasons: readonly string[]) => void = () => {},
): EntryGate {
  const closed = new Set<string>();
  return {
    close(reason) {
      if (closed.has(reason)) return;
      closed.add(reason);
      onChange([...closed]);
    },
    open(reason) {
      if (closed.delete(reason)) onChange([...closed]);
    },
    reasons: () => [...closed],
    why: () => (closed.size === 0 ? undefined : `entry gate: ${[...closed].join(', ')}`),
  };
}
