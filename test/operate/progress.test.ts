import { describe, expect, test } from 'vitest';
import {
  createCountProgress,
  createProgress,
  formatEnds,
  formatTable,
  type ProgressState,
} from '../../src/operate/index.ts';
import {
  formatDuration,
  formatFixed,
  formatGain,
  formatMoney,
} from '../../src/operate/progress/formatNumbers.ts';
import { formatProgress } from '../../src/operate/progress/formatProgress.ts';
import { noFigures } from './sampleReport.ts';

function at(barsDone: number): ProgressState {
  return {
    barsDone,
    barsTotal: 10_000,
    marketTime: Date.UTC(2025, 0, 4, 12, 20),
    equity: 75_120.333,
    runningExecutions: 2,
    budgetUsed: 34,
    budgetLimit: 1_080,
  };
}

/** A recording stream, and a manual clock. */
function stage(isTerminal: boolean, columns = 200) {
  const written: string[] = [];
  const clock = { now: 0 };
  const stream = { write: (text: string) => written.push(text), columns };
  return { written, clock, progress: createProgress({ stream, isTerminal, now: () => clock.now }) };
}

test('a line shows bars, replay time, equity, executions, budget, rate and time left', () => {
  expect(formatProgress(at(2_500), 2_000)).toBe(
    ' 25 % 2,500/10,000 bars · 2025-01-04 12:20 · equity 75,120.33 · executions 2 · budget 34/1,080 · 1,250 bars/s · 6 s left',
  );
});

test.each([
  [199, ' 1 %', undefined],
  // The first bars include the start-up, so their rate would predict hours.
  [200, ' 2 %', '98 s'],
  [9_999, '99 %', '1 s'],
  [10_000, '100 %', undefined],
  // A feed may have more than was counted.
  [10_200, '100 %', undefined],
])('after %i of 10,000 bars a line says %s, and what time is left: %s', (done, share, left) => {
  const text = formatProgress(at(done), done * 10);
  expect(text.trimStart().startsWith(share.trimStart())).toBe(true);
  const seconds = left === undefined ? undefined : formatDuration(Number.parseInt(left) * 1_000);
  expect(/ · (.*) left$/.exec(text)?.[1]?.split(' · ').at(-1)).toBe(seconds);
});

describe('countable work', () => {
  const counted = (isTTY: boolean) => {
    const written: string[] = [];
    const clock = { now: 0 };
    const stream = { write: (text: string) => written.push(text), isTTY };
    const report = createCountProgress({ stream, now: () => clock.now, unit: 'seeds' });
    for (let done = 0; done <= 150; done++) {
      clock.now = done * 1_000;
      report({ done, total: 150, failed: done > 100 ? 1 : 0 });
    }
    return written;
  };

  test('is reported at its start, once a minute and at its end, with rate, failures and time left', () => {
    expect(counted(false)).toEqual([
      '0 of 150 seeds, 0 failed\n',
      '60 of 150 seeds, 0 failed, 1.0 a second, 1 min 30 s left\n',
      '120 of 150 seeds, 1 failed, 1.0 a second, 30 s left\n',
      '150 of 150 seeds, 1 failed, 1.0 a second, 0 s left\n',
    ]);
  });

  test('is one line redrawn on a terminal, and left at its end', () => {
    const written = counted(true);
    expect(written).toHaveLength(151);
    expect(written[30]).toBe('\r30 of 150 seeds, 0 failed, 1.0 a second, 2 min 0 s left\u001B[K');
    expect(written.filter((text) => text.endsWith('\n'))).toHaveLength(1);
  });
});

test('what an earlier run had done is no part of the rate, nor of the time left', () => {
  const written: string[] = [];
  const clock = { now: 5_000 };
  const stream = { write: (text: string) => written.push(text) };
  const report = createCountProgress({ stream, now: () => clock.now, unit: 'points' });
  report({ done: 90, total: 150, resumed: 90 });
  clock.now += 60_000;
  report({ done: 120, total: 150, resumed: 90 });
  // What takes minutes each is counted by the minute.
  clock.now += 540_000;
  report({ done: 125, total: 150, resumed: 90, note: 'slow: point 3' });
  expect(written).toEqual([
    '90 of 150 points\n',
    '120 of 150 points, 0.5 a second, 1 min 0 s left\n',
    '125 of 150 points, 3.5 a minute, 7 min 9 s left; slow: point 3\n',
  ]);
});

describe('away from a terminal', () => {
  test('a run of 10,000 bars is about eleven plain lines, the last one at 100 %', () => {
    const { written, progress } = stage(false);
    for (let bar = 0; bar <= 10_000; bar += 1) progress.update(at(bar));
    progress.finish();
    expect(written).toHaveLength(11);
    expect(written.map((line) => line.slice(0, 5))).toEqual([
      '  0 %',
      ' 10 %',
      ' 20 %',
      ' 30 %',
      ' 40 %',
      ' 50 %',
      ' 60 %',
      ' 70 %',
      ' 80 %',
      ' 90 %',
      '100 %',
    ]);
    expect(written.filter((line) => line.includes('\r') || line.includes('\u001B'))).toEqual([]);
  });

  test('a run that ends early shows where it ended', () => {
    const { written, progress } = stage(false);
    progress.update(at(0));
    progress.update(at(120));
    progress.finish();
    expect(written.at(-1)).toContain('120/10,000 bars');
  });
});

describe('on a terminal', () => {
  test('redraws one line at most ten times per second, and leaves it at the end', () => {
    const { written, clock, progress } = stage(true);
    for (let bar = 0; bar < 1_000; bar += 1) {
      clock.now = bar;
      progress.update(at(bar));
    }
    expect(written).toHaveLength(10);
    expect(written.every((text) => text.startsWith('\r\u001B[2K'))).toBe(true);
    progress.finish();
    expect(written.slice(-2)[0]).toContain('999/10,000 bars');
    expect(written.at(-1)).toBe('\n');
  });

  test('is left once, however often it is said to be finished', () => {
    const { written, progress } = stage(true);
    progress.update(at(1));
    progress.finish();
    const before = written.length;
    progress.finish();
    expect(written).toHaveLength(before);
  });

  test('never writes beyond the terminal’s width, which would break the redrawing', () => {
    const { written, progress } = stage(true, 40);
    progress.update(at(5_000));
    expect(written[0]!.replace('\r\u001B[2K', '').length).toBeLessThan(40);
  });
});

test('an empty run is done, not 0 / 0', () => {
  expect(formatProgress({ ...at(0), barsTotal: 0 }, 1)).toContain('100 % 0/0 bars');
});

test('the closing table has a row per strategy, the total, what must be zero, and the hash', () => {
  const figures = noFigures();
  const trend = {
    ...figures,
    name: 'trend',
    intents: { ...figures.intents, emitted: 1_200, denied: 3, accepted: 1_197 },
    fills: 411,
    fees: 35.5,
    pnl: -12.345,
    max_drawdown: 80.1,
    max_drawdown_share: 0.0032,
  };
  const text = formatTable({
    strategies: [trend],
    totals: { ...trend, rate_limited: 0 },
    hash: 'ab12',
  });
  const lines = text.split('\n');
  expect(lines[0]).toMatch(
    /^strategy +emitted +denied +accepted +rejected +unknown +expired +fills/,
  );
  expect(lines[2]).toMatch(
    /^trend +1,200 +3 +1,197 +0 +0 +0 +411 +35\.50 +-12\.3\d +80\.10 \(0\.32 %\)$/,
  );
  expect(lines[3]).toMatch(/^total /);
  expect(text).toContain('\n429s: 0\nunknowns: 0\nhash: ab12\n');
  const reported = (total_seconds: number, longest_seconds: number): string =>
    formatTable({
      strategies: [trend],
      totals: { ...trend, rate_limited: 0, uncovered: { total_seconds, longest_seconds } },
      hash: 'ab12',
    });
  expect(reported(0, 0)).toContain('\nunknowns: 0\nuncovered: 0 s\nhash: ab12\n');
  expect(reported(7_500, 61)).toContain('\nuncovered: 2 h 5 min (longest 1 min 1 s)\n');
  expect(new Set(lines.slice(0, 4).map((line) => line.length)).size).toBe(1);
});

test('what a bot leaves open is listed by how far it came', () => {
  const open = { unended: ['an execution'], unknowns: ['an order'], waiting: ['a close'] };
  expect(formatEnds({ refusals: [], ...open })).toBe(
    'NOT ENDED: an execution\nUNKNOWN: an order\nNOT SENT: a close\n',
  );
});

test('numbers are readable', () => {
  expect([formatMoney(-0.001), formatGain(0.001), formatGain(5)]).toEqual([
    '0.00',
    '0.00',
    '+5.00',
  ]);
  expect([formatFixed(-0.004, 2), formatFixed(-0.006, 2), formatFixed(0, 0)]).toEqual([
    '0.00',
    '-0.01',
    '0',
  ]);
  const durations = [400, 59_001, 61_000, 3_599_000, 3_600_000, 7_500_000, 90_061_000];
  expect(durations.map(formatDuration)).toEqual([
    '1 s',
    '1 min 0 s',
    '1 min 1 s',
    '59 min 59 s',
    '1 h 0 min',
    '2 h 5 min',
    '25 h 1 min',
  ]);
});

test('a restarted strategy is listed below the table, with the cause of its end', () => {
  const fault = { instance: 'trend', kind: 'threw', reason: 'bad bar' } as const;
  const ended = { instance: 'trend', time: 1, state: 'quarantined', fault, restartAt: 2 } as const;
  const restarted = { instance: 'trend', time: 2, state: 'restarted', restart: 1, max: 3 } as const;
  const lives = [ended, restarted, ended, restarted, ended];
  expect(formatEnds({ refusals: [], lives })).toBe('started again, trend: 2 (threw: bad bar)\n');
  const last = { ...ended, fault: { ...fault, reason: 'no price' } };
  const other = { ...ended, instance: 'other', fault: { ...fault, reason: 'late' } };
  expect(formatEnds({ refusals: [], lives: [ended, restarted, last, restarted, other] })).toBe(
    'started again, trend: 2 (threw: no price)\n',
  );
});

test('the most frequent causes are listed, and how many more there are', () => {
  const refusals = Array.from({ length: 7 }, (_none, at) => ({
    cause: `cause_${at}`,
    count: 7_000 - at,
    example: at === 0 ? 'cause_0: too large' : 'why',
  }));
  const lines = formatEnds({ refusals, suppressed: 1_200 }).split('\n');
  expect(lines).toEqual([
    'not accepted, cause_0: 7,000 (too large)',
    'not accepted, cause_1: 6,999 (why)',
    'not accepted, cause_2: 6,998 (why)',
    'not accepted, cause_3: 6,997 (why)',
    'not accepted, cause_4: 6,996 (why)',
    'and 2 more causes',
    'decided in warm-up, not sent: 1,200',
    '',
  ]);
});

test.each([
  [5, []],
  [6, ['and 1 more cause']],
  [7, ['and 2 more causes']],
  [1_205, ['and 1,200 more causes']],
])('of %i causes those beyond the fifth are a count: %j', (count, said) => {
  const refusals = Array.from({ length: count }, () => ({ cause: 'c', count: 1, example: 'why' }));
  expect(formatEnds({ refusals }).split('\n').slice(5, -1)).toEqual(said);
});

test('a strategy that ended for good after its restarts is said to be ended, whatever came before', () => {
  const fault = { instance: 'trend', kind: 'threw', reason: 'bad bar' } as const;
  const ended = { instance: 'trend', time: 1, state: 'quarantined', fault, restartAt: 2 } as const;
  const restarted = { instance: 'trend', time: 2, state: 'restarted', restart: 1, max: 1 } as const;
  const forGood = { ...ended, time: 3, restartAt: undefined };
  expect(formatEnds({ refusals: [], lives: [ended, restarted, forGood] as never })).toBe(
    'started again, trend: 1 (threw: bad bar)\nquarantined, trend: threw: bad bar\n',
  );
  // An operator may have let it go on.
  expect(formatEnds({ refusals: [], lives: [forGood, restarted] as never })).toBe(
    'started again, trend: 1 (threw: bad bar)\n',
  );
});

test('a name is text in a table too: a terminal obeys no part of it', () => {
  const figures = noFigures();
  const row = { ...figures, name: 'tr\u{1b}[2Jend' };
  const text = formatTable({ strategies: [row], totals: figures as never, hash: 'h' });
  expect(text).toContain('tr\\u{1b}[2Jend');
  expect(text).not.toContain('\u{1b}');
});

test('a quarantined strategy is listed below the table, with its reason', () => {
  const fault = { instance: 'trend', kind: 'threw', reason: 'bad bar' } as const;
  const ended = { instance: 'trend', time: 1, state: 'quarantined', fault } as const;
  const waits = { ...ended, instance: 'other', restartAt: 2 } as const;
  expect(formatEnds({ refusals: [], lives: [waits, ended] })).toBe(
    'quarantined, trend: threw: bad bar\n',
  );
});
