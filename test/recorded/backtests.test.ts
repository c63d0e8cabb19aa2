import { test } from 'vitest';
import { drawRun } from '../backtest/walks/drawRun.ts';
import { runDriven } from '../backtest/runParity.ts';
import { bySection, expectRecorded, type Outcome } from './expectRecorded.ts';

const CASES = 100;

/** Which of the lines that describe a run belong together, by how they begin. */
const SECTIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(intents|journal|refusals|malformed|latches|delays|sends|budget|rateLimited) /, 'intents'],
  [/^(fills|executions|liquidations|notices) /, 'fills'],
  [/^(plots|levels|lives|host) /, 'strategies'],
  [/ (curve|hourly) \d|^(total|hourlyTotal) /, 'curves'],
  [/drawdown| counts \d| ledger \d/, 'figures'],
];

// Streams, strategies, guards, intents, ledgers, books, statistics, and the service's market, orders, legs, algorithms,
// monitors, baskets, funding and margin: what drawn strategies meet on drawn tapes.
test('a drawn backtest leaves what it left before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const passed: string[] = [];
    const { tape } = drawRun(`recorded ${seed}`);
    const run = await runDriven({
      ...tape,
      isDescribed: true,
      onPassed: ({ time, what, value }) => passed.push(`${what} ${time} ${JSON.stringify(value)}`),
    });
    const sections = bySection(
      run.lines!,
      (line) => SECTIONS.find(([start]) => start.test(line))?.[1] ?? 'end',
    );
    outcomes.set(`run ${seed}`, new Map([['traffic', passed], ...sections]));
  }
  await expectRecorded('backtests', outcomes);
}, 120_000);
