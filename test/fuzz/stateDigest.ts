import type { EndpointId } from '../../src/contract/index.ts';
import type { Engine } from '../../src/paper/core/Engine.ts';

/** Lists that are complete because the fuzzer cleans up regularly. */
const WHOLE: readonly EndpointId[] = [
  'account.get',
  'account.settings',
  'positions.list',
  'orders.list',
  'monitors.list',
  'monitors.groups',
  'webhooks.list',
  'baskets.templates',
];

/** Append-only lists: their newest record shows whether they grew. */
const NEWEST: readonly EndpointId[] = [
  'orders.history',
  'orders.fills',
  'executions.list',
  'baskets.list',
  'account.pnl',
];

const BY_SYMBOL: readonly EndpointId[] = ['leverage.get', 'positions.legs'];

/**
 * Everything of a wallet that a request may change, as one text: account, positions, orders, legs,
 * executions, monitors, webhooks, baskets. Two equal texts are the same state.
 */
export function stateDigest(engine: Engine, wallet: string): string {
  const read = (endpoint: EndpointId, query = {}, symbol = ''): unknown =>
    engine.handlers[endpoint]?.({
      endpoint,
      pathParams: { symbol },
      query,
      body: undefined,
      wallet,
      idempotencyKey: null,
      requireScope: () => {},
    }).body;
  const symbols = engine.market.instruments.map(({ symbol }) => symbol);
  return JSON.stringify([
    engine.now,
    WHOLE.map((endpoint) => [endpoint, read(endpoint, { limit: 500 })]),
    NEWEST.map((endpoint) => [endpoint, read(endpoint, { limit: 2 })]),
    BY_SYMBOL.map((endpoint) => symbols.map((symbol) => read(endpoint, { limit: 500 }, symbol))),
    engine.snapshot('executions', wallet, {}),
    engine.snapshot('tpsl.watch', wallet, {}),
  ]);
}

/** Where two states differ first, with the surrounding text. */
export function differenceOf(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const from = Math.max(0, at - 120);
  return `…${before.slice(from, at + 120)}… became …${after.slice(from, at + 120)}…`;
}
