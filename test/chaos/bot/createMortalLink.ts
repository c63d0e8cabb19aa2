import type { Link } from '../../../src/env/index.ts';
import type { Reach } from './createReach.ts';

export interface MortalLinkOptions {
  reach: Reach;
  isDraining(): boolean;
  /** Whether the journal has this intent as `sending`; nothing may be sent before. */
  isRecorded(key: string): boolean;
  onUnrecorded(key: string): void;
  /** Whether a key was journaled when this process started. */
  isPersisted(key: string): boolean;
}

/** A link whose process may die after a response, over either transport. */
export function createMortalLink(inner: Link, options: MortalLinkOptions): Link {
  const { reach } = options;
  const pass = (isTakenUp: boolean): void => {
    if (isTakenUp) reach.reach('reconciling');
    if (options.isDraining()) reach.reach('SIGTERM drain');
  };
  return {
    market: inner.market,
    present: () => inner.present?.() ?? inner.market.now(),
    open: (listener) => inner.open(listener),
    subscribe: (subscription) => inner.subscribe(subscription),
    unsubscribe: (subscription) => inner.unsubscribe(subscription),
    close: () => inner.close(),
    async request(request) {
      const key = request.idempotencyKey;
      const isLookUp = request.endpoint === 'orders.get' || request.endpoint === 'executions.list';
      const isTakenUp = isLookUp || (key !== undefined && options.isPersisted(key));
      pass(isTakenUp);
      if (key !== undefined && !options.isRecorded(key)) options.onUnrecorded(key);
      const exchange = await inner.request(request);
      if (key !== undefined) reach.reach('response received');
      pass(isTakenUp);
      return exchange;
    },
  };
}
