import { test } from 'vitest';
import { drawRun } from '../backtest/walks/drawRun.ts';
import { runDriven, type ParityTape } from '../backtest/runParity.ts';
import type { Strategy } from '../../src/strategy/index.ts';
import { createObserver } from './createObserver.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const CASES = 100;
const OBSERVED = 24;
/** Channels that the service of an observed run lacks. */
const LACKED: ReadonlyArray<NonNullable<ParityTape['lacks']>> = [
  [],
  ['markets', 'orderbook'],
  [],
  ['candles'],
  ['candles', 'markets', 'orderbook'],
];

/** Which of the lines that describe a run belong together, by how they begin. */
const SECTIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(intents|journal|refusals|malformed|latches|delays|sends|budget|rateLimited) /, 'intents'],
  [/^(fills|executions|liquidations|notices) /, 'fills'],
  [/^(plots|levels|lives|host) /, 'strategies'],
  [/ (curve|hourly) \d|^(total|hourlyTotal) /, 'curves'],
  [/drawdown| counts \d| ledger \d/, 'figures'],
];

/** Runs a drawn tape as a backtest does, and takes down what it leaves. */
async function recordRun(tape: ParityTape, more: Outcome = new Map()): Promise<Outcome> {
  const passed: string[] = [];
  const run = await runDriven({
    ...tape,
    isDescribed: true,
    onPassed: ({ time, what, value }) => passed.push(`${what} ${time} ${JSON.stringify(value)}`),
  });
  const sections = Map.groupBy(
    run.lines!,
    (line) => SECTIONS.find(([start]) => start.test(line))?.[1] ?? 'end',
  );
  return new Map([['traffic', passed], ...sections, ...more]);
}

// Streams, strategies, guards, intents, ledgers, books, statistics, and the service's market, orders, legs, algorithms,
// monitors, baskets, funding and margin: what drawn strategies meet on drawn tapes.
test('a drawn backtest leaves what it left before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    outcomes.set(`run ${seed}`, await recordRun(drawRun(`recorded ${seed}`).tape));
  }
  await expectRecorded('backtests', outcomes);
}, 600_000);

// All that a strategy can see: every stream, on tapes with gaps and several symbols, from a service that has all
// channels and from one that lacks some.
test('a strategy sees what it saw before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < OBSERVED; seed++) {
    const name = `observed ${seed}`;
    const observed: string[] = [];
    const { tape } = drawRun(name);
    const observer = (strategy: Strategy): Strategy =>
      createObserver(strategy, name, (line) => observed.push(line));
    const members = tape.members.map((one) => ({ ...one, strategy: observer(one.strategy) }));
    const lacks = LACKED[seed % LACKED.length]!;
    const run = await recordRun({ ...tape, members, lacks }, new Map([['observed', observed]]));
    outcomes.set(name, run);
  }
  await expectRecorded('observedBacktests', outcomes);
}, 600_000);
