import { subscriptionKey, type Subscription } from '../../env/index.ts';
import type { StreamFault } from '../../streams/index.ts';

/** Who asked for a stream, and the stack of its plugin's call. */
export interface Asker {
  instance: string;
  stack: string | undefined;
}

/** A fault of a stream; with who asked for it, where it is refused. */
export interface StreamFaultEvent {
  kind: 'stream_fault';
  fault: StreamFault;
  askers: readonly Asker[];
}

/** Which instances asked for which market streams: the service refuses a stream without a word of either. */
export interface AskedStreams {
  note(instance: string, subscription: Subscription, stack: string | undefined): void;
  /** A fault with who asked for the stream, where it is refused: in the order of their first calls. */
  toEvent(fault: StreamFault): StreamFaultEvent;
}

export function createAskedStreams(): AskedStreams {
  const byStream = new Map<string, Map<string, Asker>>();
  return {
    note(instance, subscription, stack) {
      const key = keyOf(subscription);
      const askers = byStream.get(key) ?? new Map<string, Asker>();
      byStream.set(key, askers);
      if (!askers.has(instance)) askers.set(instance, { instance, stack });
    },
    toEvent(fault) {
      const key = fault.kind === 'refused' ? keyOf(fault.subscription) : '';
      return { kind: 'stream_fault', fault, askers: [...(byStream.get(key)?.values() ?? [])] };
    },
  };
}

/** Without how much of it was asked for: one call makes one subscription of it, another a second. */
function keyOf({ channel, params }: Subscription): string {
  const { symbol, interval } = params;
  return subscriptionKey({ channel, params: { symbol, interval } });
}
