import { describe, expect, test } from 'vitest';
import { defaultDialect, type Exchange } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { LIST_LAG_MS } from '../../../src/runtime/wallet/catchUpFills.ts';
import type { AtWork } from '../../../src/runtime/wallet/AtWork.ts';
import { createAccepted, type Accepted } from '../../../src/runtime/wallet/createAccepted.ts';
import { readWork } from '../../../src/runtime/wallet/readWork.ts';
import { placeOrder, type Intent } from '../../../src/intents/index.ts';
import { execution, order as orderRecord } from '../../streams/records.ts';
import { createListedService } from '../listedService.ts';
import { answered, buy, emission, order } from '../setUpPipe.ts';

const START = 1_000_000;
const budget = { admit: () => ({ admitted: true as const }), spend: () => {} } as never;
const NOT_FOUND = answered(404, {
  error: { code: 'not_found', message: 'no such record' },
  request_id: 'r1',
});
const MADE = [
  ['order', order, { order_id: 'made', status: 'open' }],
  ['execution', buy, { execution_id: 'made', status: 'running' }],
] as const;

const NOTHING: AtWork = {
  wallet: 'main',
  orders: [],
  executions: [],
  positions: [],
  monitors: [],
  isOwn: () => true,
};

/** What the bot knows to be open: what its streams show, and what it was accepted of this kind and no stream showed. */
const knownOf = (accepted: Accepted, shown: Partial<AtWork> = {}): AtWork => {
  const unseen = accepted.unseen('main');
  return {
    ...NOTHING,
    ...shown,
    orders: [...(shown.orders ?? []), ...unseen.orders],
    executions: [...(shown.executions ?? []), ...unseen.executions],
  };
};

/** A wallet's work at a service that lists nothing, and finds nothing unless an answer is given. */
function openReading(answerOf: () => Exchange = () => NOT_FOUND) {
  const env = createVirtualEnv({ startTime: START });
  const store = createMemoryStore();
  const { request: list } = createListedService(() => [], 10);
  const asked: string[] = [];
  const read = (accepted: Accepted, shown?: Partial<AtWork>, isConnected = true) =>
    readWork({
      env,
      budget,
      dialect: defaultDialect,
      request: (request) => {
        if (request.endpoint.endsWith('.list')) return list(request);
        asked.push(request.endpoint);
        return answerOf();
      },
      accepted,
      known: knownOf(accepted, shown),
      isConnected,
      until: env.clock.monotonicNow() + 60_000,
    });
  return { env, store, asked, read };
}

test.each(MADE)(
  'an accepted %s that the service does not find has ended only if it is not just accepted',
  async (kind, intent, record) => {
    const { env, store, asked, read } = openReading();
    const accepted = createAccepted(store, env.clock);
    accepted.became(emission('one', intent), record);
    for (const ageMs of [0, LIST_LAG_MS - 1]) {
      env.queue.advanceTo(START + ageMs);
      const reading = await read(accepted);
      expect(reading).toMatchObject({
        ok: false,
        reason: expect.stringContaining(`${kind} made: 404`),
      });
    }
    env.queue.advanceTo(START + LIST_LAG_MS);
    expect((await read(accepted)).ok).toBe(true);
    expect(asked).toHaveLength(3);
    expect((await read(accepted)).ok).toBe(true);
    expect(asked).toHaveLength(3);
  },
);

test.each(MADE)(
  'an %s of the process before counts as accepted when its answer came',
  async (_kind, intent, record) => {
    const { env, store, read } = openReading();
    void store.append({
      intent: {
        key: 'k',
        decisionKey: 'one',
        generation: 0,
        instance: 'ema',
        wallet: 'main',
        kind: intent.kind,
        intent: JSON.stringify({ intent, trigger: {} }),
      },
      entries: (['emitted', 'sending', 'accepted'] as const).map((state, at) => ({
        key: 'k',
        state,
        wallTime: START - 5_000 + at,
        marketTime: START,
        data: JSON.stringify({ record }),
      })),
    });
    const accepted = createAccepted(store, env.clock);
    const answeredAt = START - 5_000 + 2;
    env.queue.advanceTo(answeredAt + LIST_LAG_MS - 1);
    expect((await read(accepted)).ok).toBe(false);
    env.queue.advanceTo(answeredAt + LIST_LAG_MS);
    expect((await read(accepted)).ok).toBe(true);
    expect(accepted.earlier('main')).toEqual([]);
  },
);

const exit = placeOrder.limit({
  symbol: 'BTC',
  side: 'sell',
  size: 1,
  price: 1,
  reduce_only: true,
});
const SHOWN: ReadonlyArray<readonly [string, Intent, Partial<AtWork>]> = [
  ['order', order, { orders: [orderRecord('made')] }],
  ['order', exit, { orders: [{ ...orderRecord('made'), reduce_only: true }] }],
  ['execution', buy, { executions: [execution('made')] }],
  ['execution', buy, { executions: [{ ...execution('made'), reduce_only: true }] }],
];

describe.each(SHOWN)('an open %s that a stream shows and no list has', (kind, intent, shown) => {
  const record = [...(shown.orders ?? []), ...(shown.executions ?? [])][0]!;
  const openSeen = (answerOf?: () => Exchange) => {
    const parts = openReading(answerOf);
    const accepted = createAccepted(parts.store, parts.env.clock);
    accepted.became(emission('one', intent), record);
    accepted.seen('made');
    return { ...parts, accepted };
  };
  test('is looked up by its id, and works as long as the service finds it open', async () => {
    let status: string = record.status;
    const { accepted, read } = openSeen(() => answered(200, { ...record, status }));
    const first = await read(accepted, shown);
    expect(first).toMatchObject({ ok: true, work: { [`${kind}s`]: [{ [`${kind}_id`]: 'made' }] } });
    status = kind === 'order' ? 'cancelled' : 'stopped';
    const second = await read(accepted, shown);
    expect(second).toMatchObject({ ok: true, work: { [`${kind}s`]: [] } });
  });

  test('has not ended because a late service does not find it', async () => {
    const { env, accepted, read } = openSeen();
    for (const isConnected of [true, false]) {
      const reading = await read(accepted, shown, isConnected);
      expect(reading).toMatchObject({
        ok: false,
        reason: expect.stringMatching('404.*just accepted'),
      });
    }
    env.queue.advanceTo(START + LIST_LAG_MS);
    expect(await read(accepted, shown)).toMatchObject({
      ok: false,
      reason: expect.stringMatching('404.*its stream shows it open'),
    });
    // A stream that is lost may show what has ended since.
    expect((await read(accepted, shown, false)).ok).toBe(true);
  });

  test('is not looked up where it is not the bot’s', async () => {
    const { accepted, asked, read } = openSeen();
    expect((await read(accepted, { ...shown, isOwn: () => false })).ok).toBe(true);
    expect(asked).toEqual([]);
  });
});
