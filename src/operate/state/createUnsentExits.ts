import { symbolOf } from '../../intents/index.ts';
import { isUnsentExit, type PipeEvent } from '../../runtime/index.ts';

/** A cancel, a stop or an exit that could not be sent to the service so far. */
export interface UnsentExit {
  /** Idempotency key. */
  key: string;
  kind: string;
  /** Empty if it names none, or several. */
  symbol: string;
  wallet: string;
  /** Why its last attempt was not sent, with the code of the connection's error. */
  reason: string;
}

/** Follows exits that can't be sent, as while the service's name or certificate is not valid. */
export interface UnsentExits {
  /** @returns whether it waits from now on, and did not before */
  follow(event: PipeEvent): boolean;
  /** Oldest first. */
  list(): readonly UnsentExit[];
}

export function createUnsentExits(): UnsentExits {
  const waiting = new Map<string, UnsentExit>();
  return {
    follow(event) {
      const { state, key, emission, reason = '' } = event;
      if (isUnsentExit(event)) {
        const { intent, wallet } = emission;
        const isNew = !waiting.has(key);
        waiting.set(key, { key, kind: intent.kind, symbol: symbolOf(intent), wallet, reason });
        return isNew;
      }
      // A next attempt is an answer only once it has one.
      if (state !== 'sending' && state !== 'duplicate') waiting.delete(key);
      return false;
    },
    list: () => [...waiting.values()],
  };
}

/** What can't be sent, and where. */
export const describeUnsent = ({ kind, symbol, wallet, reason }: UnsentExit): string =>
  `${symbol === '' ? kind : `${kind} of ${symbol}`} on ${wallet} can't be sent: ${reason}`;
