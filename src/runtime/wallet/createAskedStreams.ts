import { subscriptionKey, type Subscription } from '../../env/index.ts';
import type { StreamFault } from '../../streams/index.ts';

/** The instance that requested a stream, and the stack of its plugin's call. */
export interface Asker {
  instance: string;
  stack: string | undefined;
}

/** A fault of a stream; if it is refused, with the instances that requested it. */
export interface StreamFaultEvent {
  kind: 'stream_fault';
  fault: StreamFault;
  askers: readonly Asker[];
}

/** Which instances requested which market streams: the service's refusal of a stream names neither. */
export interface AskedStreams {
  note(instance: string, subscription: Subscription, stack: string | undefined): void;
  /** Whether any instance requested it. */
  isAsked(subscription: Subscription): boolean;
  /** A fault with the instances that requested the stream, if it is refused: in the order of their first calls. */
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
    isAsked: (subscription) => byStream.has(keyOf(subscription)),
    toEvent(fault) {
      const key = fault.kind === 'refused' ? keyOf(fault.subscription) : '';
      return { kind: 'stream_fault', fault, askers: [...(byStream.get(key)?.values() ?? [])] };
    },
  };
}

/** Without the requested depth: one call makes one subscription of it, another a second. */
function keyOf({ channel, params }: Subscription): string {
  const { symbol, interval } = params;
  return subscriptionKey({ channel, params: { symbol, interval } });
}
