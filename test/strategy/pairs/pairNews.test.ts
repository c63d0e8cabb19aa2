/** What moves a pair on: frames of its orders, too, and the timer that it set, as long as it is subscribed. */
import { NEVER, startWith, Subject, VirtualTimeScheduler } from 'rxjs';
import { expect, test } from 'vitest';
import { keepPair } from '../../../src/index.ts';
import type { Intent } from '../../../src/intents/index.ts';
import { toInstrumentView } from '../../../src/strategy/toInstrumentView.ts';
import { listInstruments } from '../../../src/testing/listInstruments.ts';
import { BTC, ETH, LEGS } from './pairFixture.ts';

const RETRY_MS = 5_000;
const records = listInstruments(['ETH', 'BTC'], {});

/** A pair of 1,000 each way whose frames come one by one. */
function open() {
  const views = new Map<string, Record<string, unknown>>();
  const scheduler = new VirtualTimeScheduler();
  const frames = new Map<string, Subject<unknown>>();
  const frame = (name: string): Subject<unknown> => {
    const known = frames.get(name) ?? new Subject();
    frames.set(name, known);
    return known;
  };
  const ctx = {
    byRef(ref: string) {
      const view = { ref, state: undefined, filled: 0, remaining: 0, ended: false };
      views.set(ref, view);
      return view;
    },
    instrument: (symbol: string) => toInstrumentView(records.get(symbol)!),
    liveness: () => 'live',
    now: () => scheduler.frame,
    orders$: frame('orders'),
    outcomes$: frame('outcomes'),
    position: (symbol: string) => frame(`position ${symbol}`),
    price: (symbol: string) => frame(`price ${symbol}`),
    scheduler,
  };
  const sent: Intent[] = [];
  const options = { max_naked: 1_000, retry_ms: RETRY_MS };
  const subscription = NEVER.pipe(
    startWith({ value: 1_000 }),
    keepPair(ctx as never, LEGS, options),
  ).subscribe((intent) => sent.push(intent));
  for (const symbol of ['ETH', 'BTC']) frame(`position ${symbol}`).next(null);
  frame('price ETH').next({ mark: ETH });
  frame('price BTC').next({ mark: BTC });
  const orders = sent.map((intent) => {
    if (intent.kind !== 'place_order') throw new Error(intent.kind);
    const { side, size } = intent.request;
    return { intent, view: views.get(intent.ref!)!, side, size };
  });
  const [long, short] = orders as [(typeof orders)[0], (typeof orders)[0]];
  /** Its answer has come, and so much of it is filled; its frames have not. */
  const fill = ({ intent, view, side, size }: typeof long, filled: number): void => {
    const order = { side };
    Object.assign(view, { state: 'accepted', order, filled, remaining: size - filled });
    frame('outcomes').next({ intent });
  };
  const show = (symbol: string, size: number): void =>
    frame(`position ${symbol}`).next({ side: size > 0 ? 'long' : 'short', size: Math.abs(size) });
  /** The service ends what is left of the short leg's order, of which a quarter was filled. */
  const endShort = (): void => {
    fill(long, 0.5);
    fill(short, 0.005);
    long.view['ended'] = true;
    show('ETH', 0.5);
    show('BTC', -0.005);
    expect(sent).toHaveLength(2);
    short.view['ended'] = true;
    frame('orders').next({});
  };
  return { sent, scheduler, subscription, endShort };
}

test('an order that its frame shows as ended is completed after a wait, without any other news', () => {
  const { sent, scheduler, endShort } = open();
  endShort();
  expect(sent).toHaveLength(2);
  scheduler.maxFrames = RETRY_MS - 1;
  scheduler.flush();
  expect(sent).toHaveLength(2);
  scheduler.maxFrames = RETRY_MS;
  scheduler.flush();
  expect(sent.slice(2)).toMatchObject([{ request: { symbol: 'BTC', side: 'sell', size: 0.015 } }]);
});

test('nothing waits once nobody listens', () => {
  const { scheduler, subscription, endShort } = open();
  endShort();
  expect(scheduler.actions).toHaveLength(1);
  subscription.unsubscribe();
  expect(scheduler.actions).toHaveLength(0);
});
