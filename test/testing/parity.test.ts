import { ignoreElements, merge, tap, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { loadMemoryTape } from '../../backtest/check/loadMemoryTape.ts';
import { runIntents } from '../../backtest/check/runIntents.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { ErrorCode, FillRecord, PositionRecord } from '../../src/contract/index.ts';
import type { Intent } from '../../src/intents/index.ts';
import type { ClosedBar, Outcome, Strategy, StrategyContext } from '../../src/strategy/index.ts';
import type { ExecutionEvent, WatchEvent } from '../../src/streams/index.ts';
import { testStrategy, type TestedIntent } from '../../src/testing/index.ts';
import bollingerReversion from '../../strategies/bollingerReversion.ts';
import breakout from '../../strategies/breakout.ts';
import emaTrend from '../../strategies/emaTrend.ts';
import { rotation } from '../tiers.ts';

/** Everything that a strategy receives, in its order, with market time. */
type Received = { at: number } & (
  | { name: 'bar'; value: ClosedBar; history?: true }
  | { name: 'fill'; value: FillRecord }
  | { name: 'position'; value: PositionRecord | null }
  | { name: 'outcome'; value: Outcome }
  | { name: 'execution'; value: ExecutionEvent }
  | { name: 'watch'; value: WatchEvent }
  | { name: 'equity'; value: number }
);

/** The strategy, and a listener beside it that writes down what it receives. */
function observed(strategy: Strategy, log: Received[]): Strategy {
  const setup = (ctx: StrategyContext<{ interval: '1m' }>): Observable<Intent> => {
    const note = <T>(name: Received['name'], source$: Observable<T>): Observable<never> =>
      source$.pipe(
        tap((value) => {
          const history = ctx.liveness() === 'warm_up' ? { history: true } : {};
          log.push({ at: ctx.now(), name, value, ...history } as unknown as Received);
        }),
        ignoreElements(),
      );
    const listening$ = merge(
      note('equity', ctx.capital$),
      note('position', ctx.position(ctx.symbol)),
      note('fill', ctx.fills$),
      note('outcome', ctx.outcomes$),
      note('execution', ctx.executions$),
      note('watch', ctx.watch$),
      note('bar', ctx.candles(ctx.symbol, ctx.params.interval)),
    );
    return merge(listening$, strategy.setup(ctx as never));
  };
  return { ...strategy, setup: setup as never };
}

/**
 * What two runs must have in common, without ids. Market, fills and positions are one order of events. Several
 * intents of one bar are answered together, and their answers and executions interleave as requests do: each
 * intent's own are in order.
 */
function essence(log: readonly Received[]) {
  const near = (number: number): number => Number(number.toPrecision(10));
  const market: unknown[] = [];
  const executions: unknown[] = [];
  const watches: unknown[] = [];
  const answers = new Map<string, unknown[]>();
  for (const { name, value, ...event } of log) {
    if (name === 'bar') market.push([name, value.time, value.close, 'history' in event]);
    if (name === 'fill') market.push([name, value.side, value.price, value.size, value.time]);
    if (name === 'position') {
      market.push([name, value && [value.side, value.size, near(value.entry_price)]]);
    }
    if (name === 'watch') watches.push([value.event, value.row.symbol]);
    if (name === 'execution') {
      const { phase, filled_size } = value.execution;
      executions.push([value.event, phase, filled_size]);
    }
    if (name !== 'outcome') continue;
    answers.set(value.decisionKey, [...(answers.get(value.decisionKey) ?? []), value.state]);
  }
  return { market, executions, watches, answers };
}

/** Plays what the backtest delivered to the strategy in the harness. */
function replay(strategy: Strategy, params: object, tape: readonly Received[], startTime: number) {
  const log: Received[] = [];
  const history = tape.flatMap((one) =>
    one.name === 'bar' && one.history === true ? [one.value] : [],
  );
  const first = tape.find(({ name }) => name === 'equity')!.value as number;
  const under = testStrategy(observed(strategy, log), {
    symbols: ['BTC'],
    params: { ...params },
    instruments: { BTC: { price_decimals: 1 } },
    capital: first,
    startTime,
  });
  const byId = new Map<string, TestedIntent>();
  const byKey = (key: string): TestedIntent =>
    under.intents.find(({ decisionKey }) => decisionKey === key)!;
  if (history.length > 0) under.bars('BTC', '1m', history, { liveness: 'warm_up' });
  for (const event of tape) {
    // Bars take market time with them; what happens within one has a time of its own.
    if (event.name !== 'bar') under.advance(Math.max(0, event.at - under.now));
    if (event.name === 'bar' && event.history !== true) under.bars('BTC', '1m', [event.value]);
    if (event.name === 'equity') under.account({ equity: event.value });
    if (event.name === 'watch') under.leg(event.value.event as never, event.value.row);
    if (event.name === 'fill') {
      const { price, size, fee, order_id, execution_id, symbol, side } = event.value;
      const own = byId.get(execution_id ?? '') ?? byId.get(order_id);
      if (own !== undefined) under.fill(own, { price, size, fee });
      else under.foreignFill({ symbol, side, price, size, fee, order_id });
    }
    if (event.name !== 'outcome') continue;
    const { state, decisionKey, record, fault, guard, reason } = event.value;
    // The host itself denies what is decided in warm-up.
    if (guard === 'warm_up') continue;
    const intent = byKey(decisionKey);
    const made = record as { execution_id?: string; order_id?: string } | undefined;
    if (state === 'accepted') {
      for (const id of [made?.execution_id, made?.order_id]) if (id) byId.set(id, intent);
      under.accept(intent);
    } else if (state === 'rejected') under.outcome(intent, state, fault!.code as ErrorCode);
    else if (state === 'denied') under.outcome(intent, state, guard);
    else if (state === 'deferred' || state === 'expired') under.outcome(intent, state, reason);
  }
  return { under, log };
}

const STRATEGIES: Array<[string, Strategy, Record<string, unknown>]> = [
  ['ema-trend', emaTrend, { interval: '1m', fast: 3, slow: 8, atr_period: 3 }],
  ['breakout', breakout, { interval: '1m', channel: 5, atr_period: 3 }],
  ['bollinger-reversion', bollingerReversion, { interval: '1m', period: 8, max_bars: 5 }],
];
const SEEDS = Array.from({ length: 3 }, (_none, index) => `parity ${rotation * 3 + index}`);

describe.each(STRATEGIES)('%s', (_name, strategy, params) => {
  test.each(SEEDS)(
    'decides and receives the same in a backtest and in the harness, %s',
    async (seed) => {
      const startTime = Date.UTC(2026, 0, 5);
      const generate = { bars: 500, seed, start_time: startTime, start_price: 60_000 };
      const log: Received[] = [];
      const tape = await loadMemoryTape({
        strategy: observed(strategy, log),
        params,
        feeds: [{ symbol: 'BTC', interval: '1m', generate }],
        warmup: 100,
      });
      const run = await runIntents({ tape, live: createLiveEnv() });
      if (!run.ok) throw new Error(run.failure.message);
      const { intents } = run.value;
      expect(intents.length).toBeGreaterThan(2);

      const replayed = replay(strategy, params, log, startTime + 100 * 60_000);
      const decided = replayed.under.intents.map(
        ({ cause: _cause, liveness: _live, trigger: _why, decisionKey, time, ...intent }) => ({
          decisionKey,
          instance: strategy.name,
          time,
          intent,
        }),
      );
      expect(decided).toEqual(intents);
      expect(essence(replayed.log)).toEqual(essence(log));
    },
  );
});
