import type { Observable, Subscription } from 'rxjs';
import type { Outcome } from './Outcome.ts';

/** Number of refs whose last outcome is retained; for an older ref a subscriber gets only the next one. */
const KEPT_REFS = 1_000;

/** Remembers the last outcome of each ref, for subscribers that come after it. */
export function lastOfRefs(
  outcomes$: Observable<Outcome>,
  lifetime: Subscription,
): (ref: string) => Outcome | undefined {
  const last = new Map<string, Outcome>();
  lifetime.add(
    outcomes$.subscribe((outcome) => {
      const { ref } = outcome.intent;
      if (ref === undefined) return;
      last.delete(ref);
      last.set(ref, outcome);
      const oldest = last.size > KEPT_REFS ? last.keys().next() : undefined;
      if (oldest?.done === false) last.delete(oldest.value);
    }),
  );
  return (ref) => last.get(ref);
}
