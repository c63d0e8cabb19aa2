/** What a test delivers is a record of its time: what comes later changes no record that a strategy has received. */
import { concatMap, ignoreElements, merge, switchMap, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { attachTpsl, launch, placeOrder, stopLoss, type Intent } from '../../src/intents/index.ts';
import { testStrategy } from '../../src/testing/index.ts';
import { planted } from './planted.ts';

const SYMBOL = 'BTC';

test.each([[true], [false]])('no delivered record changes later, with refs: %s', (hasRefs) => {
  const named = (ref: string) => (hasRefs ? { ref } : {});
  const intents: Intent[] = [
    placeOrder.limit({ symbol: SYMBOL, side: 'buy', size: 2, price: 90 }, named('order')),
    launch.pacemaker(
      { symbol: SYMBOL, side: 'sell', total_size: 3, params: { duration_seconds: 60 } },
      named('execution'),
    ),
    attachTpsl(SYMBOL, { stop_loss: stopLoss.price(150) }, named('legs')),
  ];
  const received: Array<{ record: unknown; was: unknown }> = [];
  const see = tap((record: unknown) => {
    received.push({ record, was: structuredClone(record) });
  });
  const strategy = planted((ctx) => {
    const all = () => merge(ctx.orders$, ctx.executions$, ctx.monitors$, ctx.watch$);
    const refs = ['order', 'execution', 'legs'].map((ref) => ctx.byRef(ref).changes$);
    return merge(
      ctx.price(SYMBOL).pipe(concatMap((_price, at) => intents.slice(at, at + 1))),
      merge(all(), ctx.fills$, ctx.outcomes$, ...refs).pipe(see, ignoreElements()),
      // Late: what is open comes as a snapshot.
      ctx.price(SYMBOL).pipe(
        switchMap(() => all()),
        see,
        ignoreElements(),
      ),
    );
  });
  const run = testStrategy(strategy, { symbols: [SYMBOL] });
  for (const price of [100, 101, 102, 103]) run.price(SYMBOL, price);
  const [order, execution] = run.intents;
  for (const size of [0.5, 1]) run.fill(order!, { size }).fill(execution!, { size });
  run.price(SYMBOL, 104).fill(order!).fill(execution!);
  expect(received.length).toBeGreaterThan(20);
  for (const { record, was } of received) expect(record).toEqual(was);
});
