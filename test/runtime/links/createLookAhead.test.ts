import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createLookAhead } from '../../../src/runtime/links/createLookAhead.ts';
import type { StreamFrame } from '../../../src/contract/index.ts';

const START = 36_000_000;

function open() {
  const env = createVirtualEnv();
  const ahead = createLookAhead(env, () => {}, { holds: false });
  const pass = (ms: number): void => env.queue.advanceTo(env.queue.now() + ms);
  const take = (ts: number): void => ahead.take({ ts } as StreamFrame);
  take(START);
  return { ahead, pass, take };
}

test('a line that is never quiet after a silence delivers all that waited half a second later', () => {
  const env = createVirtualEnv();
  const delivered: number[] = [];
  const ahead = createLookAhead(env, ({ ts }) => void delivered.push(ts), { holds: true });
  const take = (ts: number): void => ahead.take({ ts } as StreamFrame);
  take(0);
  env.queue.advanceTo(env.queue.now() + 1_000);
  for (let ts = 1; ts <= 50; ts++) {
    take(ts);
    env.queue.advanceTo(env.queue.now() + 10);
  }
  expect(delivered).toEqual([0]);
  take(51);
  take(52);
  expect(delivered).toEqual(Array.from({ length: 53 }, (_, ts) => ts));
});

test('a frame that was late itself does not set the present back', () => {
  const { ahead, pass, take } = open();
  pass(10_000);
  take(START - 15_000);
  expect(ahead.present()).toBe(START + 10_000);
  // However long nothing else came.
  pass(600_000);
  take(START + 5_000);
  expect(ahead.present()).toBe(START + 5_000);
  take(START - 15_000);
  pass(1_000);
  expect(ahead.present()).toBe(START + 6_000);
});

test('where every frame is older for a while, the service’s clock was set back', () => {
  const { ahead, pass, take } = open();
  const back = START - 300_000;
  for (let ms = 0; ms <= 120_000; ms += 10_000) {
    take(back + ms);
    pass(10_000);
  }
  expect(ahead.present()).toBe(back + 130_000);
});

test('what waited on a lost connection is not delivered, and on a new one nothing waits', () => {
  const env = createVirtualEnv();
  const delivered: number[] = [];
  const ahead = createLookAhead(env, ({ ts }) => void delivered.push(ts), { holds: true });
  const take = (ts: number): void => ahead.take({ ts } as StreamFrame);
  const pass = (ms: number): void => env.queue.advanceTo(env.queue.now() + ms);
  take(0);
  for (const outage of [1, 2]) {
    pass(5_000);
    take(outage * 10);
    ahead.lost();
    pass(5_000);
    expect(delivered.at(-1)).toBe(outage === 1 ? 0 : 11);
    // The snapshot of the next connection.
    take(outage * 10 + 1);
    expect(delivered.at(-1)).toBe(outage * 10 + 1);
  }
  pass(5_000);
  expect(delivered).toEqual([0, 11, 21]);
});
