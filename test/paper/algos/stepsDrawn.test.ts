import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AlgoId } from '../../../src/contract/index.ts';
import type { Algo } from '../../../src/paper/algos/Algo.ts';
import type { AlgoContext } from '../../../src/paper/algos/AlgoContext.ts';
import { flowband } from '../../../src/paper/algos/flowband.ts';
import { flowscale } from '../../../src/paper/algos/flowscale.ts';
import { ghostsweep } from '../../../src/paper/algos/ghostsweep.ts';
import { glidemaker } from '../../../src/paper/algos/glidemaker.ts';
import { smartexit } from '../../../src/paper/algos/smartexit.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import {
  BAR,
  cents,
  CORNER_MS,
  fakeContext,
  MIN_VALUE,
  rounded,
  type Asked,
  type Moment,
} from './fakeContext.ts';

/** One step of each algorithm, of a buyer and a seller, against its description read a second time. */

const NOW = 10 * BAR;
/** As the engine starts or resumes one. */
function start<S, A extends AlgoId>(
  algo: Algo<S, A>,
  context: AlgoContext<S, A>,
  pausedMs: number,
): void {
  context.enter(algo.phase(context));
  algo.resume(context, pausedMs);
}

const ticks = fc.integer({ min: -4, max: 4 });
const moment: fc.Arbitrary<Moment> = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  bid: ticks,
  spread: fc.integer({ min: 1, max: 3 }),
  mark: ticks,
  now: fc.constant(NOW),
  filled: fc.integer({ min: 0, max: 6 }),
  remaining: fc.integer({ min: 1, max: 6 }),
  offered: fc.constantFrom(0, 1, 2, 99),
  barVolume: fc.constantFrom(0, 10, 40, 100),
  isRunning: fc.constantFrom(true, true, true, false),
});
/** Around a time that matters: before, at and after it. */
const since = fc.constantFrom(0, BAR - 1, BAR, BAR + 1, 3 * BAR).map((ago) => NOW - ago);
const paused = fc.constantFrom(0, 1, BAR);

describe('glidemaker', () => {
  const drawn = fc.record({
    moment,
    strategy: fc.constantFrom('passive', 'balanced', 'aggressive', 'aggressive'),
    limit: ticks,
    tracked: ticks,
    restingSince: since,
    filledThen: fc.constantFrom('same', 'same', 'less'),
    call: fc.constantFrom('timer', 'timer', 'resume', 'track'),
  });

  test('rests at the best price within its limit, and crosses after more than a bar without a fill', async () => {
    const tried = new Tried();
    await holdLaw(3_000, drawn, ({ moment: at, strategy, call, ...one }) => {
      const filledThen = one.filledThen === 'same' ? at.filled : at.filled - 1;
      const { context, asked, after } = fakeContext(at, {
        state: { limit: cents(one.limit), restingSince: one.restingSince, filledThen },
        launch: { params: { strategy } },
      });
      if (call === 'timer') glidemaker.onTimer!(context);
      else if (call === 'resume') start(glidemaker, context, 0);
      else glidemaker.onTracked!(context, cents(one.tracked));
      const limit = call === 'track' ? one.tracked : one.limit;
      const isBuy = at.side === 'buy';
      const [near, far] = isBuy ? [at.bid, at.bid + at.spread] : [at.bid + at.spread, at.bid];
      const expected: Asked[] = call === 'resume' ? [['enter', 'working']] : [];
      const isIdle = call === 'track' && !at.isRunning;
      const rested = filledThen !== at.filled || call === 'resume' ? 0 : NOW - one.restingSince;
      let isRunning = at.isRunning;
      const mayPay = isBuy ? far <= limit : far >= limit;
      if (!isIdle && strategy === 'aggressive' && rested > BAR && mayPay) {
        expected.push(['cancel'], ['take', at.remaining, cents(limit)]);
        if (at.offered >= at.remaining) isRunning = false;
        expect(after.state.restingSince).toBe(NOW);
        tried.take(`${at.side} crosses`);
      }
      if (!isIdle && isRunning) {
        const improved = isBuy ? near + 1 : near - 1;
        const isInside = isBuy ? improved < far : improved > far;
        const price = strategy !== 'passive' && isInside ? improved : near;
        const bounded = isBuy ? Math.min(price, limit) : Math.max(price, limit);
        expected.push(['post', cents(bounded)], ['wake', NOW + CORNER_MS]);
      }
      expect(asked).toEqual(expected);
    });
    expect(tried.rare(['buy crosses', 'sell crosses'], 20)).toEqual([]);
  });
});

describe('ghostsweep', () => {
  const drawn = fc.record({
    moment,
    trigger: ticks,
    side: fc.constantFrom('below' as const, 'above' as const),
    triggered: fc.boolean(),
    limit: fc.option(ticks, { nil: undefined }),
    tracked: ticks,
    call: fc.constantFrom('resume', 'price', 'track'),
  });

  test('waits at its trigger, then takes once up to its limit', async () => {
    await holdLaw(1_500, drawn, ({ moment: at, trigger, side, triggered, call, ...one }) => {
      const { context, asked } = fakeContext(at, {
        state: { trigger: cents(trigger), side },
        launch:
          one.limit === undefined ? { sweep_limit_bps: 20 } : { sweep_limit: cents(one.limit) },
        more: { triggered },
      });
      if (call === 'resume') start(ghostsweep, context, 0);
      else if (call === 'price') ghostsweep.onPrice!(context);
      else ghostsweep.onTracked!(context, cents(one.tracked));
      const isBuy = at.side === 'buy';
      const worst = cents(trigger) * (isBuy ? 1.002 : 0.998);
      // To the cent that is not worse.
      const [low, high] = [Math.floor(rounded(worst * 100)), Math.ceil(rounded(worst * 100))];
      const bound = one.limit === undefined ? (isBuy ? low : high) / 100 : cents(one.limit);
      const phase = triggered ? 'sweeping' : 'armed';
      const expected: Asked[] = call === 'resume' ? [['enter', phase]] : [];
      if (call === 'price' || (call === 'resume' && triggered)) {
        expected.push(['enter', 'sweeping'], ['take', at.remaining, rounded(bound)]);
        if (at.isRunning && at.offered < at.remaining) expected.push(['stop', 'sweep_limit']);
      } else if (call === 'resume') expected.push(['watch', cents(trigger), side]);
      else if (at.isRunning) expected.push(['unwatch'], ['watch', cents(one.tracked), side]);
      expect(asked).toEqual(expected);
      const isReached = side === 'above' ? one.tracked <= at.mark : one.tracked >= at.mark;
      expect(ghostsweep.holds!(context, cents(one.tracked))).toBe(isReached);
      // A buyer's limit below its trigger can never fill, nor a seller's above it.
      if (one.limit === undefined) return;
      const launch = { side: at.side, params: { trigger_price: cents(trigger) } };
      const check = (): void =>
        ghostsweep.check!({ ...launch, sweep_limit: cents(one.limit!) } as never, {} as never);
      const isWrong = isBuy ? one.limit < trigger : one.limit > trigger;
      if (isWrong) expect(check).toThrow(ServiceError);
      else expect(check).not.toThrow();
    });
  });
});

describe('flowscale and flowband', () => {
  const drawn = fc.record({
    moment,
    seen: fc.constantFrom(0, 20, 60, 200),
    countsFrom: since,
    startTime: since,
    paused,
    participation: fc.constantFrom(0.02, 0.05, 0.1, 0.2),
    limit: fc.option(ticks, { nil: undefined }),
    seconds: fc.option(fc.constantFrom(60, 600), { nil: undefined }),
    band: fc.tuple(ticks, ticks).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
    call: fc.constantFrom('bar', 'bar', 'bar', 'resume'),
    isBand: fc.boolean(),
  });

  test('take their share of the volume that counts, within their bounds, and no dust but the last', async () => {
    const tried = new Tried();
    await holdLaw(3_000, drawn, ({ moment: at, call, isBand, participation, ...one }) => {
      const [low, high] = one.band;
      const state = { seen: one.seen, countsFrom: one.countsFrom, startTime: one.startTime };
      const params = {
        participation,
        ...(isBand ? { band_low: cents(low), band_high: cents(high) } : {}),
        ...(one.limit === undefined ? {} : { limit_price: cents(one.limit) }),
        ...(one.seconds === undefined ? {} : { max_duration_seconds: one.seconds }),
      };
      const { context, asked } = fakeContext(at, { state, launch: { params } });
      const algo = isBand ? flowband : flowscale;
      if (call === 'bar') algo.onBar!(context);
      else if (isBand) start(flowband, context, one.paused);
      else start(flowscale, context, one.paused);
      const isInside = !isBand || (at.mark >= low && at.mark <= high);
      const expected: Asked[] = [];
      if (isBand || call === 'resume') expected.push(['enter', isInside ? 'working' : 'armed']);
      if (call === 'resume') {
        expect(state.countsFrom).toBe(NOW);
        expect(state.seen).toBe(one.seen);
        const end = one.startTime + one.paused + (one.seconds ?? Infinity) * 1_000;
        if (!isBand) expected.push(['wake', end]);
        expect(asked).toEqual(expected);
        return;
      }
      const counted = isInside ? at.barVolume * Math.min(1, (NOW - one.countsFrom) / BAR) : 0;
      expect(state.seen).toBeCloseTo(one.seen + counted, 9);
      const due = Math.floor(rounded((participation * state.seen - at.filled) * 100)) / 100;
      const isDust = due * cents(at.mark) < MIN_VALUE;
      const isLast = due >= at.remaining;
      if (isInside && due > 0 && (isLast || !isDust)) {
        const edge = at.side === 'buy' ? high : low;
        const own = one.limit === undefined ? null : cents(one.limit);
        const bound = isBand ? cents(edge) : own;
        expected.push(['take', rounded(due), bound, Math.max(0.1, participation)]);
        if (isLast && isDust) tried.take('last dust');
      }
      if (!isInside) tried.take('outside');
      expect(asked).toEqual(expected);
    });
    expect(tried.rare(['last dust', 'outside'], 20)).toEqual([]);
  });
});

describe('smartexit', () => {
  const PATIENCE = 60;
  const drawn = fc.record({
    moment,
    stop: ticks,
    take: fc.option(ticks, { nil: null }),
    touched: fc.option(since, { nil: null }),
    paused,
    tracked: ticks,
    call: fc.constantFrom('resume', 'price', 'timer', 'bar', 'track'),
  });

  test('waits on the sides of a seller or a buyer, posts for its patience, then takes until it is done', async () => {
    await holdLaw(3_000, drawn, ({ moment: at, call, ...one }) => {
      const isBuy = at.side === 'buy';
      // A timer wakes only what was touched.
      const touchedTime = call === 'timer' ? (one.touched ?? NOW) : one.touched;
      const take = one.take === null ? null : cents(one.take);
      const { context, asked } = fakeContext(at, {
        state: { stop: cents(one.stop), take, touchedTime },
        launch: { params: { patience_seconds: PATIENCE } },
      });
      const holds = smartexit.holds!(context, cents(one.tracked));
      // A buyer's stop is above the mark: below it, it would act at once.
      const isReached = isBuy ? one.tracked <= at.mark : one.tracked >= at.mark;
      expect(holds).toBe(touchedTime === null && isReached);
      if (call === 'resume') start(smartexit, context, one.paused);
      else if (call === 'price') smartexit.onPrice!(context);
      else if (call === 'timer') smartexit.onTimer!(context);
      else if (call === 'bar') smartexit.onBar!(context);
      else smartexit.onTracked!(context, cents(one.tracked));
      const expected: Asked[] = [];
      const watches = (stop: number): void => {
        expected.push(['watch', cents(stop), isBuy ? 'above' : 'below']);
        if (one.take !== null) expected.push(['watch', cents(one.take), isBuy ? 'below' : 'above']);
      };
      const work = (since: number): void => {
        const end = since + PATIENCE * 1_000;
        if (NOW >= end) {
          expected.push(['enter', 'sweeping'], ['cancel'], ['any price']);
          expected.push(['take', at.remaining, null]);
          return;
        }
        const near = isBuy ? at.bid : at.bid + at.spread;
        expected.push(['enter', 'working'], ['post', cents(near)]);
        expected.push(['wake', Math.min(NOW + CORNER_MS, end)]);
      };
      if (call === 'resume' && touchedTime === null) {
        expected.push(['enter', 'armed']);
        watches(one.stop);
      } else if (call === 'resume') {
        expected.push(['enter', 'working']);
        work(touchedTime! + one.paused);
      } else if (call === 'price') {
        expected.push(['unwatch'], ['untrack']);
        work(NOW);
      } else if (call === 'timer') work(touchedTime!);
      else if (call === 'bar') {
        if (touchedTime !== null && NOW >= touchedTime + PATIENCE * 1_000) work(touchedTime);
      } else if (at.isRunning && touchedTime === null) {
        expected.push(['unwatch']);
        watches(one.tracked);
      }
      expect(asked).toEqual(expected);
    });
  });
});
