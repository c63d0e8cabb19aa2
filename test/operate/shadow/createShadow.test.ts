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
      use: './next.ts',
      symbols: [{ symbol: 'BTC', interval: '1m' }],
      instruments: [
        { symbol: 'BTC', size_decimals: 3 },
        { symbol: 'ETH', size_decimals: 0 },
      ],
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

test('what was decided in a catch-up, and left, does not make both lists whole from its earlier time', () => {
  const { shadow, begin, say } = openShadow({ mostIntents: 2 });
  begin();
  const intents = [5, 3, 6, 7].map((at) => ({
    cause: `bar:${at}`,
    ordinal: 0,
    time: minute(at),
    kind: 'place_order',
    outcome: 'accepted',
  }));
  say({ kind: 'intents', intents });
  expect(shadow.course().shadowIntents.map(({ time }) => time)).toEqual([6, 7].map(minute));
  expect(shadow.course().intentsSince).toBe(minute(5) + 1);
});

/** An intent's step, as the bot reports it. */
const step = (at: number, state: string, more: object = {}, instance = 'turns') => ({
  kind: 'intent',
  event: {
    emission: {
      instance,
      cause: `bar:${at}`,
      ordinal: 0,
      marketTime: minute(at),
      intent: { kind: 'place_order' },
    },
    key: `${instance} ${at}`,
    state,
    ...more,
  },
});

test('what becomes of an intent that it holds drops none of the others', () => {
  const { shadow, begin, emit } = openShadow({ mostIntents: 3 });
  begin();
  for (const at of [2, 3, 4]) emit(step(at, 'sending'));
  for (const at of [3, 2, 4]) emit(step(at, 'accepted'));
  expect(shadow.course().intentsSince).toBe(minute(1));
  expect(shadow.course().liveIntents.map(({ time, outcome }) => [time, outcome])).toEqual(
    [2, 3, 4].map((at) => [minute(at), 'accepted']),
  );
});

test('the intents are those of its own strategy, and what was accepted in the end was not refused', () => {
  const { shadow, begin, emit } = openShadow();
  begin();
  emit(step(9, 'accepted', {}, 'other'));
  emit(step(2, 'unknown', { fault: { code: 'timeout' } }));
  expect(shadow.course().liveIntents).toMatchObject([{ outcome: 'unknown', refusedBy: 'timeout' }]);
  emit(step(2, 'accepted'));
  emit(step(3, 'denied', { guard: 'max_order_notional' }));
  emit(step(4, 'rejected', { fault: { code: 'insufficient_margin' } }));
  const { liveIntents } = shadow.course();
  expect(liveIntents.map(({ outcome, refusedBy }) => [outcome, refusedBy])).toEqual([
    ['accepted', undefined],
    ['denied', 'max_order_notional'],
    ['rejected', 'insufficient_margin'],
  ]);
});

test('its course has the steps of its sizes, and the curve of both since they began', () => {
  const { shadow, ledger, begin, reach, say } = openShadow();
  ledger.fund(10_000);
  begin();
  expect(shadow.course()).toMatchObject({
    instance: 'turns',
    use: './next.ts',
    state: 'running',
    capital: 10_000,
    since: minute(1),
  });
  expect(shadow.course().sizeSteps).toEqual({ BTC: 0.001, ETH: 1 });
  expect(shadow.course().barMs).toBe(60_000);
  const figures = { realizedPnl: 5, unrealizedPnl: 2, netPnl: 7 };
  reach(minute(2));
  say({ kind: 'done', at: minute(2), figures });
  say({ kind: 'done', at: minute(3), figures: { ...figures, netPnl: -4 } });
  reach(minute(3));
  expect(shadow.course()).toMatchObject({
    until: minute(3),
    curve: [
      [minute(2), 0, 7],
      [minute(3), 0, -4],
    ],
    shadow: { netPnl: -4 },
  });
});

test('ends with the figures of both as they are then', async () => {
  const { shadow, ledger, posted, begin, reach, say } = openShadow();
  ledger.fund(10_000);
  begin();
  reach(minute(2));
  ledger.fill(sell(1, 100));
  const closed = shadow.close();
  expect(posted.at(-1)).toEqual({ kind: 'end' });
  const figures = { realizedPnl: 0, unrealizedPnl: 0, netPnl: 3 };
  say({ kind: 'done', at: minute(2), figures, hash: 'abc' });
  await closed;
  expect(shadow.course()).toMatchObject({
    state: 'ended',
    hash: 'abc',
    reason: null,
    live: { netPnl: -1, fills: 1 },
    shadow: { netPnl: 3 },
  });
});

test('one that no bar has reached yet ends at once', async () => {
  const { shadow, posted } = openShadow();
  await shadow.close();
  expect([shadow.course().state, posted]).toEqual(['ended', []]);
});

test('ends when its own version trades, and not when that of another strategy does', () => {
  const { shadow, begin, emit } = openShadow();
  begin();
  const taken = (instance: string) => ({
    kind: 'strategy_stage',
    taken: { instance, to: 'canary', reason: 'promoted' },
  });
  const before = shadow.changes;
  emit(taken('other'));
  expect(shadow.course().state).toBe('running');
  emit(taken('turns'));
  expect(shadow.course().state).toBe('ended');
  expect(shadow.course().reason).toContain('at the stage canary');
  expect(shadow.changes).toBeGreaterThan(before);
});
