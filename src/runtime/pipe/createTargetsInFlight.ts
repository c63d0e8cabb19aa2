import type { Cancel } from '../../env/index.ts';
import { targetOf } from './createSettings.ts';
import type { Approved } from './stations.ts';

export interface TargetsInFlightOptions {
  concurrency: number;
  /** Waits on the machine's clock, or the replay's, if more than one request may be in flight. */
  after?(delayMs: number, run: () => void): Cancel;
  /** A target is free again, before its request was answered. */
  onFree(): void;
}

/** What the requests in flight set: requests that set the same are sent one after the other. */
export interface TargetsInFlight {
  isEmpty(): boolean;
  isFree(item: Approved): boolean;
  /** @returns what releases the next request that sets the same */
  reserve(item: Approved): () => void;
}

/** Two connections can reorder what leaves at once, not what leaves this far apart; an exit waits no longer. */
const APART_MS = 500;

const NOTHING = (): void => {};

export function createTargetsInFlight(options: TargetsInFlightOptions): TargetsInFlight {
  const setting = new Map<string, object>();
  return {
    isEmpty: () => setting.size === 0,
    isFree(item) {
      const target = targetOf(item);
      return target === undefined || !setting.has(target);
    },
    reserve(item) {
      const target = targetOf(item);
      if (target === undefined || options.concurrency === 1) return NOTHING;
      const mine = {};
      setting.set(target, mine);
      const end = (): void => {
        if (setting.get(target) === mine) setting.delete(target);
      };
      const cancel = options.after?.(APART_MS, () => {
        end();
        options.onFree();
      });
      return () => {
        cancel?.();
        end();
      };
    },
  };
}
