import { BehaviorSubject, NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import type { PositionRecord } from '../../../src/contract/index.ts';
import { createMarks } from '../../../src/runtime/wallet/createMarks.ts';
import { createRefLog } from '../../../src/runtime/wallet/createRefLog.ts';
import { createSources } from '../../../src/runtime/members/createSources.ts';
import type { AccountModel } from '../../../src/streams/index.ts';

const holds = (total: number) =>
  ({ balances: new Map([['PURR', { asset: 'PURR', total }]]) }) as unknown as AccountModel;

test('a spot holding without a price yet is not reported as flat', () => {
  const account$ = new BehaviorSubject(holds(1_000));
  const marks = createMarks();
  const setMark = marks.follow('PURR/USDC', '1m');
  const sources = createSources({
    streams: { wallet: () => ({ account$, watch$: NEVER, executions$: NEVER }) } as never,
    market: { now: () => 60_000 } as never,
    timers: { after: () => () => {} },
    listed: ['PURR/USDC'],
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
