import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { LIST_LAG_MS } from '../../../src/runtime/wallet/catchUpFills.ts';
import { createAccepted, type Accepted } from '../../../src/runtime/wallet/createAccepted.ts';
import { readWork } from '../../../src/runtime/wallet/readWork.ts';
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

/** A wallet's work at a service that lists nothing and finds nothing. */
function openReading() {
  const env = createVirtualEnv({ startTime: START });
  const store = createMemoryStore();
  const { request: list } = createListedService(() => [], 10);
  const asked: string[] = [];
  const read = (accepted: Accepted) =>
    readWork({
      env,
      budget,
      dialect: defaultDialect,
      request: (request) => {
        if (request.endpoint.endsWith('.list')) return list(request);
        asked.push(request.endpoint);
        return NOT_FOUND;
      },
      accepted,
      wallet: 'main',
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
      expect(reading).toEqual({ ok: false, reason: expect.stringContaining(`${kind} made: 404`) });
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
    store.append({
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
