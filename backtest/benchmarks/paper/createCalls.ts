import type { EndpointId } from '../../../src/contract/index.ts';
import type { Engine } from '../../../src/paper/index.ts';

/** Calls of an engine in the same process, past the gate. */
export interface Calls {
  wallet(name: string, balance: number): void;
  send(wallet: string, endpoint: EndpointId, body?: unknown, id?: string): unknown;
}

export function createCalls(engine: Engine): Calls {
  return {
    wallet: (name, balance) => engine.addAccount(name, balance),
    send(wallet, endpoint, body, id = '') {
      const handler = engine.handlers[endpoint];
      if (handler === undefined) throw new Error(`The engine does not serve ${endpoint}.`);
      return handler({
        endpoint,
        pathParams: { id, symbol: id },
        query: {},
        body,
        wallet,
        idempotencyKey: null,
        requireScope: () => {},
      }).body;
    },
  };
}
