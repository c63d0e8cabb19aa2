import type { Observable, Subscription } from 'rxjs';
import type { Outcome } from './Outcome.ts';

/** Number of refs whose last outcome is retained; for an older ref a subscriber gets only the next one. */
const MOST_REFS = 1_000;

/**
 * Remembers the last outcome of each ref, for subscribers that come after it.
 *
 * @param onOutcome receives each before the plugin does
 */
export function lastOfRefs(
  outcomes$: Observable<Outcome>,
  lifetime: Subscription,
  onOutcome: (outcome: Outcome) => void,
): (ref: string) => Outcome | undefined {
  const last = new Map<string, Outcome>();
  lifetime.add(
    outcomes$.subscribe((outcome) => {
      const { ref } = outcome.intent;
      if (ref === undefined) return;
      onOutcome(outcome);
      last.delete(ref);
      last.set(ref, outcome);
      const oldest = last.size > MOST_REFS ? last.keys().next() : undefined;
      if (oldest?.done === false) last.delete(oldest.value);
    }),
  );
  return (ref) => last.get(ref);
}
