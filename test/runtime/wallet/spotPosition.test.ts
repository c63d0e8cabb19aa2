import { BehaviorSubject, NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import type { InstrumentRecord, PositionRecord } from '../../../src/contract/index.ts';
import { createMarks } from '../../../src/runtime/wallet/createMarks.ts';
import { createRefLog } from '../../../src/runtime/wallet/createRefLog.ts';
import { createSources } from '../../../src/runtime/members/createSources.ts';
import type { AccountModel } from '../../../src/streams/index.ts';

const holds = (total: number) =>
  ({ balances: new Map([['PURR', { asset: 'PURR', total }]]) }) as unknown as AccountModel;

function setUp(total: number) {
  const account$ = new BehaviorSubject(holds(total));
  const marks = createMarks();
  const setMark = marks.follow('PURR/USDC', '1m');
  const sources = createSources({
    streams: { wallet: () => ({ account$, watch$: NEVER, executions$: NEVER }) } as never,
    market: { now: () => 60_000 } as never,
    timers: { after: () => () => {} },
    instruments: [{ symbol: 'PURR/USDC', size_decimals: 1 } as InstrumentRecord],
    wallet: 'main',
    account$: account$ as never,
    fills$: NEVER,
    outcomes$: account$ as never,
    marks,
    refs: createRefLog(),
    onAsked: () => {},
    emitsExisting: false,
  });
  const reported: Array<PositionRecord | null> = [];
  sources.position('PURR/USDC').subscribe((position) => reported.push(position));
  return { account$, setMark, reported };
}

test('a spot holding without a price yet is not reported as flat', () => {
  const { account$, setMark, reported } = setUp(1_000);
  expect(reported).toEqual([]);
  setMark({ time: 0, close: 0.2 });
  expect(reported).toMatchObject([{ side: 'long', size: 1_000, entry_price: 0.2, notional: 200 }]);
  account$.next(holds(1_000));
  account$.next(holds(0));
  setMark({ time: 60_000, close: 0.3 });
  account$.next(holds(10));
  expect(reported.map((position) => position?.size ?? null)).toEqual([1_000, null, 10]);
  expect(reported.at(-1)?.entry_price).toBe(0.3);
});

test('less than a step of the instrument is no position, as no order could sell it', () => {
  const { account$, setMark, reported } = setUp(0.09);
  setMark({ time: 0, close: 0.2 });
  expect(reported).toEqual([null]);
  account$.next(holds(10.04));
  account$.next(holds(0.04));
  account$.next(holds(0.03));
  account$.next(holds(0.1));
  expect(reported.map((position) => position?.size ?? null)).toEqual([null, 10.04, null, 0.1]);
});
