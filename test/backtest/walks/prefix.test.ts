/**
 * The prefix law: what is published before an instant does not depend on what comes after it. A drawn run is repeated
 * on a tape that ends early; until then every frame, answer, request, reading of the context and record is the same.
 */
import { ignoreElements, merge, tap, type Observable } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../src/contract/index.ts';
import { createRandom } from '../../../src/env/index.ts';
import { startTimeOf } from '../../../src/paper/createPaperService.ts';
import type { Feed, MarketData } from '../../../src/paper/index.ts';
import type { StrategyContext } from '../../../src/strategy/StrategyContext.ts';
import { isFull, rotation } from '../../tiers.ts';
import { runDirect, type Member, type ParityTape } from '../runParity.ts';
import { firstDifference } from './describeRun.ts';
import { drawRun } from './drawRun.ts';

const CASES = isFull ? 600 : 24;
const PARTS = 4;
const MINUTE_MS = 60_000;

/** Reads what a context publishes of its market, and decides nothing. */
function createReader(read: (name: string, value: unknown) => void): Omit<Member, 'wallet'> {
  const strategy = defineStrategy({
    name: 'reader',
    contract: 1,
    description: 'Reads, and decides nothing.',
    scopes: [],
    params: z.object({}),
    setup(ctx: StrategyContext) {
      const { symbol } = ctx;
      const sources = {
        market: ctx.market(symbol),
        funding: ctx.funding(symbol),
        book: ctx.book(symbol, 3),
        price: ctx.price(symbol),
        forming: ctx.candlesWithForming(symbol, '5m'),
        atr: ctx.indicator(symbol, '3m', 'atr', { period: 5 }),
      };
      const all = Object.entries<Observable<unknown>>(sources).map(([name, values$]) =>
        values$.pipe(tap((value) => read(name, value))),
      );
      return merge(...all).pipe(ignoreElements());
    },
  });
  return { strategy, symbols: ['BTC'] };
}

/** Everything that was published before an instant, a line each, in order. */
async function publishedBefore(tape: ParityTape, until: number): Promise<string[]> {
  const lines: string[] = [];
  let now = 0;
  const add = (time: number, name: string, value: unknown): void => {
    now = time;
    if (time < until) lines.push(`${time} ${name} ${JSON.stringify(value)}`);
  };
  const reader = createReader((name, value) => add(now, name, value));
  const run = await runDirect({
    ...tape,
    members: [...tape.members, { ...reader, wallet: 'main' }],
    onPassed: ({ time, what, value }) => add(time, what, value),
  });
  for (const fill of run.fills) add(fill.time, 'fill', fill);
  for (const { decisionKey, states } of run.intents) {
    const known = states.filter((state) => Number(state.split(' ').at(-1)) < until);
    if (known.length > 0) lines.push(`intent ${decisionKey} ${known.join(', ')}`);
  }
  return lines;
}

/** The same tape without what comes at an instant or later. */
function cutAt(data: MarketData, until: number): MarketData {
  const before = (time: Float64Array): number => time.findIndex((each) => each >= until);
  const rowsOf = (time: Float64Array): number => (before(time) < 0 ? time.length : before(time));
  const cut = (feed: Feed): Feed => {
    const rows = rowsOf(feed.time);
    const columns = Object.entries(feed).map(([name, value]) => [
      name,
      value instanceof Float64Array ? value.slice(0, rows) : (value as unknown),
    ]);
    return Object.fromEntries(columns) as Feed;
  };
  const funding = Object.entries(data.funding).map(([symbol, rates]) => {
    if (!('time' in rates)) return [symbol, rates];
    const rows = rowsOf(rates.time);
    return [symbol, { ...rates, time: rates.time.slice(0, rows), rate: rates.rate.slice(0, rows) }];
  });
  return {
    ...data,
    feeds: data.feeds.map(cut),
    funding: Object.fromEntries(funding) as MarketData['funding'],
  };
}

/** When the last bar of a tape closes. */
const endOf = ({ feeds }: MarketData): number =>
  Math.max(...feeds.map(({ time, interval }) => (time.at(-1) ?? 0) + INTERVAL_MS[interval]));

/** Bars before a cut that something is published of. */
const BEFORE = 20;

/** A drawn run, and an instant at which its tape is cut. A tape on which too little would come before is drawn again. */
function drawCut(seed: string) {
  const { tape, traits } = drawRun(seed);
  const { time } = tape.data.feeds[0]!;
  const { warmup = 0 } = tape.settings;
  // The cut leaves every feed its warm-up: a run starts once the last of them has completed it.
  const start = startTimeOf(tape.data.feeds, warmup);
  const first = time.findIndex((each) => each >= start) + BEFORE;
  const room = time.length - first - 2;
  if (room <= 0) return drawCut(`${seed} again`);
  const until = time[first + Math.floor(createRandom(seed).next() * room)]!;
  return { seed, tape, traits, until };
}

describe('what is published does not depend on what comes later', () => {
  test.each(Array.from({ length: PARTS }, (_none, part) => part))(
    'in a drawn run (part %i)',
    { timeout: 600_000 },
    async (part) => {
      for (let at = part; at < CASES; at += PARTS) {
        const { seed, tape, traits, until: cut } = drawCut(`prefix ${rotation} ${at}`);
        const data = cutAt(tape.data, cut);
        // Where a feed lacks bars before the cut, the shorter run ends before it.
        const until = Math.min(cut, endOf(data));
        const whole = await publishedBefore(tape, until);
        const early = await publishedBefore({ ...tape, data }, until);
        const about = `seed ${seed}, cut at ${until}: ${traits.join(', ')}`;
        expect(firstDifference(whole, early), about).toBeUndefined();
        expect(whole.length).toBeGreaterThan(MINUTE_MS / 1_000);
      }
    },
  );
});
