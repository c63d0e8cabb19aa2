import { expect, test } from 'vitest';
import type { Exchange } from '../../src/contract/index.ts';
import { TaskQueue } from '../../src/env/TaskQueue.ts';
import { latestByReading } from '../../src/streams/latestByReading.ts';

const EVERY_MS = 5_000;
const value = (body: number): Exchange => ({
  kind: 'answered',
  response: { status: 200, headers: {}, body },
});
const refusal = (seconds: number): Exchange => ({
  kind: 'answered',
  response: { status: 429, headers: { 'retry-after': String(seconds) }, body: '' },
});

function open(answer: () => Exchange | Promise<Exchange>) {
  const market = new TaskQueue(0);
  const asked: number[] = [];
  const latest$ = latestByReading<number>({
    market,
    read: () => {
      asked.push(market.now());
      return answer();
    },
    report: () => {},
    channel: 'orderbook',
    params: {},
    request: { endpoint: 'market.orderbook', pathParams: {}, query: {}, body: '' },
    everyMs: EVERY_MS,
    parse: (body) => body as number,
  });
  return { market, asked, latest$ };
}

test('LIM-2: the wait that one answer asks for is not shortened by another', async () => {
  const answers: Array<(exchange: Exchange) => void> = [];
  const { market, asked, latest$ } = open(() => new Promise((resolve) => answers.push(resolve)));
  const listening = latest$.subscribe();
  market.advanceTo(EVERY_MS);
  answers[0]!(refusal(60));
  await new Promise(setImmediate);
  for (const second of [refusal(2), { kind: 'not_sent', reason: 'not_connected' } as const]) {
    answers.splice(1, 1)[0]?.(second);
    await new Promise(setImmediate);
  }
  market.advanceTo(EVERY_MS + 59_999);
  expect(asked).toEqual([0, EVERY_MS]);
  market.advanceTo(EVERY_MS + 60_000);
  expect(asked).toEqual([0, EVERY_MS, EVERY_MS + 60_000]);
  listening.unsubscribe();
});

test('who leaves at a value leaves nothing to run, and who joins there reads at the same times', () => {
  let read = 0;
  const { market, asked, latest$ } = open(() => value(++read));
  const seen: number[] = [];
  const listening = latest$.subscribe((one) => {
    seen.push(one);
    if (one === 2) listening.unsubscribe();
  });
  market.advanceTo(EVERY_MS);
  expect([seen, market.nextTime()]).toEqual([[1, 2], undefined]);
  const next = latest$.subscribe((one) => seen.push(one));
  market.advanceTo(2 * EVERY_MS);
  expect([seen, asked]).toEqual([
    [1, 2, 3, 4],
    [0, EVERY_MS, EVERY_MS, 2 * EVERY_MS],
  ]);
  next.unsubscribe();
  expect(market.nextTime()).toBeUndefined();
});
