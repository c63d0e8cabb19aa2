import { NumberedIds } from '../streams/index.ts';

/** Index of an intent among those of one cause. */
export interface Ordinals {
  next(cause: string): number;
  /** Of a decision that the strategy named itself. */
  nextNamed(decision: string, turn: number): number;
}

/** Number of causes that are remembered at least: an older event doesn't come again. */
const MOST_CAUSES = 1_000;

export function createOrdinals(): Ordinals {
  /** By cause; the older half is dropped at once, since finding the oldest each time costs more. */
  let counts = new NumberedIds<number>();
  let older = new NumberedIds<number>();
  let size = 0;
  let namedTurn = -1;
  let named = new Map<string, number>();

  function count(from: Map<string, number>, name: string): number {
    const ordinal = from.get(name) ?? 0;
    from.set(name, ordinal + 1);
    return ordinal;
  }

  return {
    next(cause) {
      const known = counts.get(cause);
      const ordinal = known ?? older.get(cause) ?? 0;
      counts.set(cause, ordinal + 1);
      if (known === undefined && ++size >= MOST_CAUSES) {
        older = counts;
        counts = new NumberedIds();
        size = 0;
      }
      return ordinal;
    },
    nextNamed(decision, turn) {
      // The name is the identity: used again in a later turn, it is the same decision, which the journal
      // accepts once. Several intents of one turn may still share a name.
      if (turn !== namedTurn) {
        namedTurn = turn;
        named = new Map();
      }
      return count(named, decision);
    },
  };
}
