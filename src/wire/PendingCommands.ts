import type { Exchange } from '../contract/exchange.ts';
import type { Cancel, Timers } from '../env/Clock.ts';

interface Pending {
  resolve: (exchange: Exchange) => void;
  cancelTimer: Cancel;
}

/** Commands that were sent and wait for their result, by correlation id (STR-6). */
export class PendingCommands {
  readonly #waiting = new Map<string, Pending>();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Waits for the result; after the timeout the command's fate is unknown. */
  wait(id: string, timeoutMs: number): Promise<Exchange> {
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const cancelTimer = this.#timers.after(timeoutMs, () =>
      this.settle(id, { kind: 'no_answer', reason: 'timeout' }),
    );
    this.#waiting.set(id, { resolve, cancelTimer });
    return promise;
  }

  /** @returns false when no call waits for this id (a result that came too late) */
  settle(id: string, exchange: Exchange): boolean {
    const pending = this.#waiting.get(id);
    if (pending === undefined) return false;
    this.#waiting.delete(id);
    pending.cancelTimer();
    pending.resolve(exchange);
    return true;
  }

  /** The socket is lost: what was written may have been executed. */
  lose(reason: string): void {
    for (const id of this.#waiting.keys()) this.settle(id, { kind: 'no_answer', reason });
  }
}
