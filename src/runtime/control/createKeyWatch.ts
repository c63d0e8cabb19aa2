import { Subject, type Observable } from 'rxjs';
import { ERROR_CODES, isErrorCode, readEnvelope, type Exchange } from '../../contract/index.ts';
import type { LinkStatus } from '../../env/index.ts';
import { readNamedRefusal } from '../../wire/nameRefusal.ts';
import type { PipeEvent } from '../PipeEvent.ts';

/**
 * Detects that the service refuses the bot's key, as when it was revoked or replaced: the socket treats it as a
 * lost connection and retries indefinitely, and no attempt can succeed.
 */
export interface KeyWatch {
  status(status: LinkStatus): void;
  intent(event: PipeEvent): void;
  /**
   * A request of the bot's leaves.
   *
   * @returns what takes its answer: a stream may stay up on a key that is revoked, while nothing is sent. An answer to a
   *   request from before a key was accepted says nothing about that one.
   */
  leaves(): (exchange: Exchange) => void;
  /** Another key is in use, or this one is accepted as a read shows: a refusal is news again. */
  accepted(): void;
  /** Another key is in use, or this one is accepted: what was refused may be asked for again. */
  readonly accepted$: Observable<void>;
}

/** @param onRefused called with the service's code, once until the key is accepted again */
export function createKeyWatch(onRefused: (code: string) => void): KeyWatch {
  let isReported = false;
  /** How often a key was accepted. */
  let generation = 0;
  const accepted$ = new Subject<void>();

  function hear(code: string): void {
    // A clock error: the wire learns the time from the refusal and signs again (AUTH-3).
    if (isReported || code === 'timestamp_out_of_window') return;
    isReported = true;
    onRefused(code);
  }

  const noteCode = (code: string): void => {
    if (isErrorCode(code) && ERROR_CODES[code].status === 401) hear(code);
  };

  return {
    accepted() {
      isReported = false;
      generation++;
      accepted$.next();
    },
    accepted$,
    status(status) {
      if (status.state === 'open') isReported = false;
      if (status.state !== 'lost') return;
      // A 401 without the service's code comes from a proxy on the way and says nothing about this key.
      noteCode(readNamedRefusal(status.reason)?.code ?? '');
    },
    intent({ state, fault }) {
      if (state === 'accepted') isReported = false;
      if (fault !== undefined) noteCode(fault.code);
    },
    leaves() {
      const since = generation;
      return (exchange) => {
        if (exchange.kind !== 'answered' || exchange.response.status !== 401) return;
        if (since === generation) noteCode(readEnvelope(exchange.response.body)?.error.code ?? '');
      };
    },
  };
}
