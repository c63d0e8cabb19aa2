import { expect, test } from 'vitest';
import type { CandleRecord, FillRecord } from '../../../src/contract/index.ts';
import { createShadow, type Shadow } from '../../../src/operate/shadow/createShadow.ts';
import type { ShadowSpec, ToShadow } from '../../../src/operate/shadow/ShadowMessage.ts';
import type { Bot, BotEvent } from '../../../src/runtime/index.ts';
import { createLedger } from '../../../src/runtime/record/createLedger.ts';

const minute = (count: number): number => count * 60_000;

const candle = (at: number, closed = true): CandleRecord =>
  ({ time: minute(at), open: 100, high: 100, low: 100, close: 100, volume: 1, closed }) as never;

const log: Parameters<typeof createShadow>[0]['log'] = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => log,
};

/** A shadow whose thread does nothing by itself, beside a bot that the test plays. */
function openShadow({ mostIntents = 100 } = {}) {
  const posted: ToShadow[] = [];
  let fromThread: (message: unknown) => void = () => {};
  const shadow: Shadow = createShadow({
    spec: {
      instance: 'turns',
      symbols: [{ symbol: 'BTC', interval: '1m' }],
      instruments: [],
    } as unknown as ShadowSpec,
    openThread: (_program, { listener }) => {
      fromThread = listener.onMessage;
      return {
        post: (message) => void posted.push(message as ToShadow),
        answer: () => {},
        receive: () => undefined,
        terminate: () => {},
      };
    },
    timers: { after: () => () => {} } as never,
    log,
    waits: false,
    turnDeadlineMs: 1_000,
    mostIntents,
  });
  const ledger = createLedger();
  let emit: (event: BotEvent) => void = () => {};
  let reach: (time: number) => void = () => {};
  shadow.follow({
    stageOf: () => 'shadow',
    ledgerOf: () => ledger,
    onInstant: (listener: typeof reach) => void (reach = listener),
    events$: { subscribe: (listener: typeof emit) => void (emit = listener) },
  } as unknown as Bot);
  /** The bars of two minutes: the first is history. */
  const begin = (): void => {
    shadow.take('BTC', '1m', [candle(0), candle(1, false)]);
    shadow.take('BTC', '1m', [candle(1)]);
  };
  return {
    shadow,
    ledger,
    posted,
    begin,
    reach: (time: number) => reach(time),
    emit: (event: unknown) => emit(event as BotEvent),
    say: (message: unknown) => fromThread(message),
  };
}

const sell = (size: number, price: number): FillRecord =>
  ({ symbol: 'BTC', side: 'sell', size, price, fee: 1, time: minute(3) }) as FillRecord;

test('what a position of before had lost is no loss of the live version beside its shadow', () => {
  const { shadow, ledger, posted, begin, reach } = openShadow();
  ledger.fund(10_000);
  const position = { symbol: 'BTC', side: 'long', size: 10, entry_price: 200, mark_price: 100 };
  ledger.adopt(position as never);
  begin();
  expect(posted[0]).toMatchObject({ kind: 'begin', capital: 10_000, startTime: minute(1) });
  reach(minute(2));
  const nothing = { realizedPnl: 0, unrealizedPnl: 0, netPnl: 0, maxDrawdown: 0 };
  expect(shadow.course().live).toMatchObject(nothing);
  ledger.fill(sell(4, 110));
  ledger.mark('BTC', 90);
  ledger.sampleDrawdown(minute(3));
  reach(minute(3));
  const figures = { realizedPnl: 40, unrealizedPnl: -60, fees: 1, netPnl: -21, maxDrawdown: 21 };
  expect(shadow.course().live).toMatchObject(figures);
});

test('of more intents than it holds, the time from which both lists are whole is known', () => {
  const { shadow, begin, say, emit } = openShadow({ mostIntents: 3 });
  begin();
  expect(shadow.course().intentsSince).toBe(minute(1));
  const row = (at: number) => ({
    cause: `bar:${at}`,
    ordinal: 0,
    time: minute(at),
    kind: 'place_order',
    outcome: 'accepted',
  });
  say({ kind: 'intents', intents: [1, 2, 3].map(row) });
  expect(shadow.course().intentsSince).toBe(minute(1));
  say({ kind: 'intents', intents: [4, 5].map(row) });
  expect(shadow.course().intentsSince).toBe(minute(2) + 1);
  for (const at of [2, 3, 4, 5, 6, 7]) {
    const emission = {
      instance: 'turns',
      cause: `bar:${at}`,
      ordinal: 0,
      // A service's frame takes a while, and a bar's time is its close.
      marketTime: minute(at) + 150,
      causeTime: minute(at),
      intent: { kind: 'place_order' },
    };
    emit({ kind: 'intent', event: { emission, key: `k${at}`, state: 'accepted' } });
  }
  expect(shadow.course().intentsSince).toBe(minute(4) + 1);
  expect(shadow.course().liveIntents.map(({ time }) => time)).toEqual([5, 6, 7].map(minute));
});
