/** What a reader beside the bot sees of its candles, and of those that it has asked for. */
import { expect, test } from 'vitest';
import { tapCandles } from '../../../src/operate/shadow/tapCandles.ts';
import type { Exchange, ServiceRequest } from '../../../src/contract/index.ts';
import type { Link, LinkListener } from '../../../src/env/index.ts';

const BTC = { channel: 'candles', params: { symbol: 'BTC', interval: '1h' } };
const candles = [{ time: 0 }];

/** A bot on a service that the test plays: what the reader sees, and how many answers it waits for. */
function openTapped() {
  const seen: string[] = [];
  let waits = 0;
  let service: LinkListener | undefined;
  const answers: Array<PromiseWithResolvers<Exchange>> = [];
  const link = {
    open: async (listener) => void (service = listener),
    subscribe: () => {},
    unsubscribe: () => {},
    request() {
      answers.push(Promise.withResolvers());
      return answers.at(-1)!.promise;
    },
  } as Partial<Link> as Link;
  const tapped = tapCandles(link, {
    take: (symbol, interval, taken) =>
      void seen.push(`${symbol} ${interval} ${taken.length}, waits for ${waits}`),
    expect() {
      waits += 1;
      let isSettled = false;
      return () => {
        if (!isSettled) waits -= 1;
        isSettled = true;
      };
    },
  });
  const faults: unknown[] = [];
  const opened = tapped.open({
    onFrame: () => {},
    onStatus: () => {},
    onFault: (fault) => void faults.push(fault),
  });
  return { tapped, opened, seen, answers, faults, waits: () => waits, service: () => service! };
}

test('a snapshot that was asked for is waited for until it has been seen', async () => {
  const { tapped, opened, seen, waits, service } = openTapped();
  await opened;
  tapped.subscribe(BTC);
  tapped.subscribe({ channel: 'prices', params: { symbol: 'BTC' } });
  tapped.subscribe(BTC);
  expect(waits()).toBe(1);
  const frame = { ...BTC, wallet: '', seq: 1, ts: 0 };
  service().onFrame({ ...frame, event: 'bar_closed', data: candles[0] });
  expect(waits()).toBe(1);
  service().onFrame({ ...frame, event: 'snapshot', data: { candles } });
  expect(waits()).toBe(0);
  expect(seen).toEqual(['BTC 1h 1, waits for 1', 'BTC 1h 1, waits for 1']);
});

test('one that is refused or withdrawn is not waited for', async () => {
  const { tapped, opened, faults, waits, service } = openTapped();
  await opened;
  const refused = { kind: 'refused', subscription: BTC, error: {} as never } as const;
  tapped.subscribe(BTC);
  service().onFault!({ ...refused, isAskedAgain: true });
  expect(waits()).toBe(1);
  service().onFault!(refused);
  expect([waits(), faults.length]).toEqual([0, 2]);
  tapped.subscribe(BTC);
  tapped.unsubscribe(BTC);
  expect(waits()).toBe(0);
});

test('candles that are requested are waited for until they are read, or fail', async () => {
  const { tapped, seen, answers, waits } = openTapped();
  const request = {
    endpoint: 'market.candles',
    pathParams: { symbol: 'BTC' },
    query: { interval: '1h' },
  } as unknown as ServiceRequest;
  const asked = [tapped.request(request), tapped.request(request)];
  void tapped.request({ ...request, endpoint: 'account.balances' } as unknown as ServiceRequest);
  expect(waits()).toBe(2);
  const answered = { kind: 'answered', response: { status: 200, body: { candles } } };
  answers[0]!.resolve(answered as unknown as Exchange);
  await asked[0];
  await expect.poll(waits).toBe(1);
  expect(seen).toEqual(['BTC 1h 1, waits for 2']);
  answers[1]!.reject(new Error('lost'));
  await expect(asked[1]).rejects.toThrow('lost');
  await expect.poll(waits).toBe(0);
});

test('an answer without candles is none, whatever its body holds', async () => {
  const { tapped, seen, answers, waits } = openTapped();
  const request = {
    endpoint: 'market.candles',
    pathParams: { symbol: 'BTC' },
    query: { interval: '1h' },
  } as unknown as ServiceRequest;
  const asked = [404, 429, 200].map(() => tapped.request(request));
  for (const [at, status] of [404, 429, 200].entries()) {
    const body = status === 200 ? { error: 'none' } : { candles };
    answers[at]!.resolve({ kind: 'answered', response: { status, body } } as unknown as Exchange);
  }
  await Promise.all(asked);
  await expect.poll(waits).toBe(0);
  // An answer of the right kind has no bars at worst.
  expect(seen.map((line) => line.slice(0, 8))).toEqual(['BTC 1h 0']);
});

test('has what the link has beside its candles, and nothing more', async () => {
  let closed = 0;
  const market = { now: () => 5 };
  const reader = { take: () => {}, expect: () => () => {} };
  const held = { held: () => 3, present: () => 7 };
  const link = { market, close: async () => void (closed += 1) };
  const tapped = tapCandles({ ...link, ...held } as unknown as Link, reader);
  expect([tapped.market, tapped.held?.(), tapped.present?.()]).toEqual([market, 3, 7]);
  await tapped.close();
  expect(closed).toBe(1);
  // A link without them has no view of what stands at the service.
  const bare = tapCandles(link as unknown as Link, reader);
  expect(['held' in bare, 'present' in bare]).toEqual([false, false]);
});
