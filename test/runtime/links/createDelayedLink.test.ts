/** When requests with a latency reach the service, against a list that is ordered by hand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServiceRequest } from '../../../src/contract/index.ts';
import { createDelay, TaskQueue } from '../../../src/env/index.ts';
import type { BarrierLink } from '../../../src/runtime/links/createBarrierLink.ts';
import {
  createDelayedLink,
  hasRequestDelay,
} from '../../../src/runtime/links/createDelayedLink.ts';
import { holdLaw } from '../../holdLaw.ts';

const KINDS = {
  'orders.place': 'order',
  'executions.launch': 'order',
  'orders.cancel': 'cancel',
  'executions.stop': 'cancel',
  'orders.list': null,
} as const;
type Endpoint = keyof typeof KINDS;

const delay = fc.constantFrom(0, 1, 5, { median: 3, p99: 20 });
const drawn = fc.record({
  delays: fc.record({ order: delay, cancel: delay }),
  endTime: fc.constantFrom(8, 30, 1_000),
  asks: fc.array(
    fc.record({
      endpoint: fc.constantFrom(...(Object.keys(KINDS) as Endpoint[])),
      wait: fc.constantFrom(0, 0, 1, 4),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});

test('each waits for its own kind’s latency, and those that arrive together come as they were sent', async () => {
  await holdLaw(150, drawn, async ({ delays, endTime, asks }) => {
    const market = new TaskQueue(0);
    const arrived: string[] = [];
    const inner = {
      market,
      nextTaskTime: () => Infinity,
      request: ({ idempotencyKey }: ServiceRequest) => {
        arrived.push(`${idempotencyKey} at ${market.now()}`);
        return { kind: 'not_sent', reason: 'closed' } as const;
      },
    } as unknown as BarrierLink;
    const link = createDelayedLink(inner, { delays, seed: 'drawn', endTime });
    expect(hasRequestDelay({ order_ms: delays.order, cancel_ms: delays.cancel })).toBe(
      delays.order !== 0 || delays.cancel !== 0,
    );
    const by = {
      order: createDelay(delays.order, 'drawn order'),
      cancel: createDelay(delays.cancel, 'drawn cancel'),
    };
    const held: Array<{ time: number; key: string }> = [];
    const wanted: string[] = [];
    let count = 0;
    let settles = 0;
    let answered = 0;
    const release = async (time: number): Promise<void> => {
      for (;;) {
        const due = Math.min(...held.map((one) => one.time));
        expect([link.dueTime(), link.nextTaskTime(), link.held()]).toEqual([due, due, held.length]);
        if (due > time) break;
        market.advanceTo(due);
        const now = held.filter((one) => one.time === due);
        for (const one of now) held.splice(held.indexOf(one), 1);
        wanted.push(...now.map(({ key }) => `${key} at ${due}`));
        const before = settles;
        expect(await link.arrive(due, async () => void settles++)).toBe(now.length);
        // The effects of each are complete before the next.
        expect(settles - before).toBe(now.length);
        expect(arrived).toEqual(wanted);
      }
      market.advanceTo(time);
    };
    for (const [at, { endpoint, wait }] of asks.entries()) {
      const key = `key-${at}`;
      const kind = KINDS[endpoint];
      const rest = { pathParams: {}, query: {}, body: '' };
      const answer = link.request({ endpoint, idempotencyKey: key, ...rest });
      if (kind === null || delays[kind] === 0) {
        wanted.push(`${key} at ${market.now()}`);
        expect(answer).not.toBeInstanceOf(Promise);
      } else {
        held.push({ time: Math.min(market.now() + by[kind](++count), endTime), key });
        void Promise.resolve(answer).then(() => answered++);
      }
      expect(arrived).toEqual(wanted);
      await release(Math.min(market.now() + wait, endTime));
    }
    await release(endTime);
    await new Promise(setImmediate);
    expect([held, answered]).toEqual([[], count]);
  });
});
