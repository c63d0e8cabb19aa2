import { merge, Subscription, take } from 'rxjs';
import type { Streams } from '../../streams/index.ts';
import type { EntryGate } from './createEntryGate.ts';

const HIDDEN = 'not shown yet';

/** Whether a reason of the gate is of what was not shown yet. */
export const isHidden = (reason: string): boolean => reason.endsWith(HIDDEN);

/**
 * Until a wallet's executions, monitors and stops were shown, nobody knows what an earlier process left. The service may
 * ask to come back for them; what it refuses for good is not waited for.
 */
export function closeGateUntilShown(
  streams: Pick<Streams, 'wallet'>,
  wallets: readonly string[],
  gate: EntryGate,
): Subscription {
  const subscription = new Subscription();
  for (const wallet of wallets) {
    const source = streams.wallet(wallet);
    const known = {
      executions: merge(source.executionsModel$, source.executionsRefused$),
      monitors: merge(source.monitorsModel$, source.monitorsRefused$),
      stops: merge(source.watchModel$, source.watchRefused$),
    };
    for (const [name, known$] of Object.entries(known)) {
      const reason = `the ${name} of ${wallet} are ${HIDDEN}`;
      gate.close(reason, wallet);
      subscription.add(known$.pipe(take(1)).subscribe(() => gate.open(reason)));
    }
  }
  return subscription;
}
