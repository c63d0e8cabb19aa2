import { expect, test } from 'vitest';
import { runConformance, type ClauseId } from '../../src/conformance/index.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { rotated } from '../tiers.ts';
import { nameOf } from './nameOf.ts';
import { startService } from './startService.ts';

/** Answers of the right shape whose figures are wrong: what a bot trades on must not be taken on trust. */

/** Figures of which a clause's checks notice that they are a hundredth too high, by the request that is answered. */
const JUDGED: ReadonlyArray<readonly [clause: ClauseId, asked: string, fields: readonly string[]]> =
  [
    [
      'POS-1',
      'GET /v1/positions/BTC',
      ['size', 'entry_price', 'mark_price', 'notional', 'unrealized_pnl', 'leverage'],
    ],
    [
      'POS-1',
      'GET /v1/positions',
      ['size', 'entry_price', 'mark_price', 'notional', 'unrealized_pnl', 'leverage'].map(
        (field) => `items.#.${field}`,
      ),
    ],
    ['POS-1', 'GET /v1/positions/BTC/entry-fees', ['entry_fees', 'entry_notional', 'fee_bps']],
    ['POS-1', 'GET /v1/leverage/BTC', ['leverage', 'max_leverage']],
    ['POS-1', 'PUT /v1/leverage/BTC', ['leverage']],
    ['POS-1', 'POST /v1/order', ['average_price']],
    ['POS-1', 'POST /v1/positions/BTC/close', ['total_size']],
    ['POS-2', 'GET /v1/positions/BTC/tpsl', ['items.#.size']],
    ['ORD-1', 'POST /v1/order', ['size', 'price', 'filled_size', 'average_price']],
    [
      'ORD-2',
      'POST /v1/order',
      ['take_profit.resolution.trigger_price', 'stop_loss.resolution.trigger_price'],
    ],
    ['ORD-4', 'PATCH /v1/orders/…', ['size', 'price']],
    ['ORD-4', 'GET /v1/orders', ['items.#.size', 'items.#.price']],
    ['ORD-4', 'DELETE /v1/orders/…', ['size', 'price']],
    ['ORD-4', 'GET /v1/orders/history', ['items.#.size', 'items.#.price']],
    [
      'ORD-4',
      'GET /v1/fills',
      ['price', 'size', 'notional', 'fee', 'venue_fee', 'service_fee'].map(
        (field) => `items.#.${field}`,
      ),
    ],
    ['ORD-5', 'GET /v1/account/balances', ['items.#.total']],
    ['ORD-5', 'POST /v1/order', ['filled_size']],
  ];

/** Changes a figure wherever a path leads; `#` is each item of a list. @returns how often */
function change(body: unknown, [key, ...rest]: readonly string[]): number {
  if (typeof body !== 'object' || body === null || key === undefined) return 0;
  if (key === '#') return Object.values(body).reduce((sum, item) => sum + change(item, rest), 0);
  const record = body as Record<string, unknown>;
  if (rest.length > 0) return change(record[key], rest);
  const value = record[key];
  if (typeof value !== 'number' || value === 0) return 0;
  record[key] = value * 1.01;
  return 1;
}

/** The verdicts on a clause by a service that is wrong in one figure, and how often it stated that. */
async function verdictsOf(clause: ClauseId, asked: string, field: string) {
  const server = await startService({ budget_clock: 'replay' });
  let lies = 0;
  const { handleHttp } = server.core;
  server.core.handleHttp = (raw) => {
    const answer = handleHttp(raw);
    if (answer.status >= 300 || nameOf(raw.method, raw.target) !== asked) return answer;
    const body: unknown = JSON.parse(answer.bodyText);
    lies += change(body, field.split('.'));
    return { ...answer, bodyText: JSON.stringify(body) };
  };
  const verdicts: string[] = [];
  try {
    await runConformance({
      ...server,
      dialect: defaultDialect,
      env: createLiveEnv(),
      only: [clause],
      onCheck: (_check, { result }) => void verdicts.push(result),
    });
  } finally {
    await server.close();
  }
  return { verdicts, lies };
}

test.each(rotated(JUDGED, 4))(
  '%s: each figure of %s that is wrong is noticed',
  async (clause, asked, fields) => {
    for (const field of fields) {
      const { verdicts, lies } = await verdictsOf(clause, asked, field);
      expect([field, lies > 0, verdicts.includes('differs')]).toEqual([field, true, true]);
    }
  },
  60_000,
);
