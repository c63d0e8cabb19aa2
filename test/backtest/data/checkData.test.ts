import { describe, expect, test } from 'vitest';
import { checkData, formatReport, type DataReport } from '../../../backtest/data/index.ts';
import { describeFeedProblem } from '../../../src/paper/index.ts';
import { writeFiles } from './writeFiles.ts';

async function reportOf(
  text: string,
  options: Partial<Parameters<typeof checkData>[1]> = {},
): Promise<DataReport> {
  const [path] = await writeFiles({ 'BTC-1m.csv': text });
  const read = await checkData(path!, { outlier: 0.2, allowGaps: false, ...options });
  if (!read.ok) throw new Error(describeFeedProblem(read.problem));
  return read.value[0]!;
}

const START = 1_725_148_800_000; // 2024-09-01
const HEADER = 'timestamp,open,high,low,close,volume';
const at = (minute: number): number => START + minute * 60_000;
const bar = (minute: number, rest = '100,101,99,100,5'): string => `${at(minute)},${rest}`;
const csv = (...rows: string[]): string => [HEADER, ...rows].join('\n');
const places = ({ findings }: DataReport) =>
  findings.map(({ kind, line, time, rows }) => [kind, line, (time - START) / 60_000, rows]);

describe('bars', () => {
  test('without faults', async () => {
    const report = await reportOf(csv(bar(0), bar(1), bar(2)));
    expect(report).toMatchObject({
      ok: true,
      kind: 'bars',
      symbol: 'BTC',
      interval: '1m',
      rows: 3,
      from: at(0),
      until: at(2),
      largest_move: 0,
      findings: [],
    });
  });

  test('a cell that is not a number is shown as it is written', async () => {
    const rows = [
      bar(1, '100,101,99,100,lots'),
      bar(2, '-5,101,99,100,5'),
      'soon,100,101,99,100,5',
    ];
    const report = await reportOf(csv(bar(0), ...rows, bar(4, '100,101,99,100,')));
    const reported = report.findings.filter(({ kind }) => kind !== 'gap');
    expect(reported.map(({ line, detail }) => [line, detail])).toEqual([
      [3, 'volume "lots" is not a number'],
      [4, 'open -5 is not a price'],
      [5, 'timestamp "soon" is not a time'],
      [6, 'volume is empty'],
    ]);
    const text = formatReport(report, 5);
    expect(text).toContain('(no time)  timestamp "soon" is not a time');
    expect(text).not.toContain('NaN');
  });

  test('a move of just the limit is none, up or down, and one beyond it is reported', async () => {
    const closes = ['100,150,100,150,5', '150,150,75,75,5', '75,112.6,75,112.6,5'];
    const report = await reportOf(csv(bar(0), ...closes.map((rest, row) => bar(row + 1, rest))), {
      outlier: 0.5,
    });
    expect(places(report)).toEqual([['outlier', 5, 3, 1]]);
  });

  test('a move is from the last bar that is one, whatever stands between them', async () => {
    const bad = [bar(1, '100,5,99,5,5'), bar(2, 'x,101,99,1000,5')];
    const report = await reportOf(csv(bar(0), ...bad, bar(3, '100,125,100,125,5')));
    expect(places(report).filter(([kind]) => kind === 'outlier')).toEqual([['outlier', 5, 3, 1]]);
    expect(report.findings.find(({ kind }) => kind === 'outlier')?.detail).toBe(
      'closes 25.0 % from the bar before',
    );
  });

  test('reports every fault with its line and time', async () => {
    const report = await reportOf(
      csv(
        bar(0),
        bar(1),
        bar(2),
        bar(2), // line 5: a duplicate
        bar(6), // line 6: after a gap of three
        bar(4), // line 7: out of order, and it fills a part of the gap
        bar(5), // line 8: still behind the latest
        bar(7.5), // line 9: misaligned
        bar(8, '100,98,99,100,5'), // line 10: high below low
        bar(9, '100,101,99,150,5'), // line 11: close outside
        bar(10, '-1,101,-2,100,5'), // line 12: no price
        bar(11, '100,101,99,100,-5'), // line 13: negative volume
        bar(12, '100,NaN,99,100,5'), // line 14: no number
        `x,100,101,99,100,5`, // line 15: no time
        bar(13, '100,101,99,100,0'),
        bar(14, '100,101,99,100,0'), // lines 16 and 17: a run
        bar(15, '100,200,99,200,5'), // line 18: twice the price
        bar(16, '200,200,100,100,5'), // line 19: half of it
      ),
    );
    expect(report.ok).toBe(false);
    expect(places(report)).toEqual([
      ['duplicate', 5, 2, 1],
      ['out_of_order', 7, 4, 1],
      ['out_of_order', 8, 5, 1],
      ['misaligned', 9, 7.5, 1],
      ['impossible', 10, 8, 1],
      ['impossible', 11, 9, 1],
      ['impossible', 12, 10, 1],
      ['impossible', 13, 11, 1],
      ['not_a_number', 14, 12, 1],
      ['not_a_number', 15, NaN, 1],
      ['zero_volume', 16, 13, 2],
      ['outlier', 18, 15, 1],
      ['outlier', 19, 16, 1],
      ['gap', 7, 3, 1],
    ]);
  });

  test('remarks alone are not faults, and gaps only where they are not regular', async () => {
    const quiet = csv(bar(0), bar(1), bar(2, '100,150,99,150,0'));
    expect(await reportOf(quiet)).toMatchObject({ ok: true, findings: { length: 2 } });
    expect((await reportOf(quiet, { outlier: 0.6 })).findings).toHaveLength(1);
    const gap = csv(bar(0), bar(1), bar(3));
    expect((await reportOf(gap)).ok).toBe(false);
    expect(await reportOf(gap, { allowGaps: true })).toMatchObject({ ok: true, findings: [{}] });
    const both = csv(bar(0), bar(1), bar(1), bar(3));
    expect((await reportOf(both, { allowGaps: true })).ok).toBe(false);
  });

  test('a time beyond the range of doubles affects no other row', async () => {
    const report = await reportOf(csv(bar(0), '9e999,100,101,99,100,5', bar(1), bar(2)));
    expect(report.findings.map(({ kind, line }) => [kind, line])).toEqual([['not_a_number', 3]]);
    expect([report.from, report.until]).toEqual([at(0), at(2)]);
  });

  test('are as many as a quiet market has', { timeout: 60_000 }, async () => {
    const bars = Array.from({ length: 260_000 }, (_, at) =>
      bar(at, `100,101,99,100,${at % 2 === 0 ? 0 : 1}`),
    );
    expect((await reportOf([HEADER, ...bars].join('\n'))).findings).toHaveLength(130_000);
  });

  test('of another interval than declared', async () => {
    const hours = csv(bar(0), bar(60), bar(120));
    expect(await reportOf(hours)).toMatchObject({ interval: '1h', ok: true });
    const wrong = await reportOf(hours, { sourceInterval: '1m' });
    expect(places(wrong)).toEqual([
      ['gap', 3, 1, 59],
      ['gap', 4, 61, 59],
    ]);
  });

  test('that mix two intervals are a fault where the longer ones begin, gaps allowed or not', async () => {
    const minutes = Array.from({ length: 30 }, (_none, minute) => bar(minute));
    const hours = Array.from({ length: 30 }, (_none, hour) => bar(60 * (hour + 1)));
    for (const allowGaps of [false, true]) {
      const report = await reportOf(csv(...minutes, ...hours), { allowGaps });
      expect(report).toMatchObject({ interval: '1m', ok: false });
      const [mixed, ...gaps] = report.findings;
      expect(mixed).toMatchObject({ kind: 'mixed_intervals', line: 32, time: at(60), rows: 1 });
      expect(new Set(gaps.map(({ kind }) => kind))).toEqual(new Set(['gap']));
      expect(formatReport(report, 1)).toMatch(
        / {2}mixed intervals {2}1\n {4}line 32 .* begins bars of 1h \(.*Z\), and others here are of 1m: the file mixes intervals\n {2}gaps /,
      );
    }
  });

  test('are listed longest first, the rest counted', async () => {
    const report = await reportOf(csv(bar(0), bar(1), bar(3), bar(6), bar(8), bar(9)));
    expect(formatReport(report, 1)).toBe(
      [
        'BTC-1m.csv: BTC 1m bars, 6 rows, 2024-09-01 00:00 → 2024-09-01 00:09 UTC',
        '  gaps             3: 4 missing, longest 2',
        '    line 5         2024-09-01 00:04  2 bars missing',
        '    … 2 more',
        '  largest move     0.0 %',
        '  not ok',
        '',
      ].join('\n'),
    );
  });
});

describe('funding', () => {
  const HOUR = 3_600_000;
  const text = (hours: number[], rate: (hour: number) => string = () => '0.0001'): string =>
    [
      'timestamp,funding_rate',
      ...hours.map((hour) => `${START + hour * HOUR + 7},${rate(hour)}`),
    ].join('\n');
  const steps = (from: number, count: number, step: number): number[] =>
    Array.from({ length: count }, (_none, index) => from + index * step);
  const found = ({ findings }: DataReport) =>
    findings.map(({ kind, line, time, rows }) => [kind, line, (time - START) / HOUR, rows]);

  test('a venue that settles more often from some day on has no gaps before that day', async () => {
    const report = await reportOf(text([...steps(0, 10, 8), ...steps(73, 20, 1)]));
    expect(report).toMatchObject({ ok: true, kind: 'funding', interval: null, largest_move: null });
    expect(found(report)).toEqual([['regime', 11, 72, 1]]);
    expect(report.findings[0]!.detail).toBe('settles every 1 h from 2024-09-04 00:00');
  });

  test('missing settlements follow the schedule of their day', async () => {
    const hours = [...steps(0, 10, 8), ...steps(88, 9, 8), ...steps(153, 20, 1)];
    const without = hours.filter((hour) => hour !== 160 && hour !== 161);
    const report = await reportOf(text(without));
    expect(found(report)).toEqual([
      ['regime', 20, 152, 1],
      ['gap', 12, 80, 1],
      ['gap', 28, 160, 2],
    ]);
    expect(report.ok).toBe(false);
  });

  test('twice, out of order, no number, percent', async () => {
    const hours = [...steps(0, 10, 1), 9, 12, 10, 11, 13, 14];
    const rates: Record<number, string> = { 13: '', 14: '0.5' };
    const report = await reportOf(text(hours, (hour) => rates[hour] ?? '0.0001'));
    expect(found(report).map(([kind, line]) => [kind, line])).toEqual([
      ['duplicate', 12],
      ['out_of_order', 14],
      ['out_of_order', 15],
      ['not_a_number', 16],
      ['impossible', 17],
    ]);
  });

  test('two settlements of one hour are one that occurs twice, whatever their milliseconds', async () => {
    const rows = [0, 1, 1.0001, 2].map((hour) => `${START + Math.round(hour * 3_600_000)},0.0001`);
    const report = await reportOf(['timestamp,funding_rate', ...rows].join('\n'));
    expect(found(report).map(([kind, line]) => [kind, line])).toEqual([['duplicate', 4]]);
  });
});

test('trades are to be imported first', async () => {
  const [path] = await writeFiles({ 't.csv': `timestamp,price,size\n${START},1,1` });
  const read = await checkData(path!, { outlier: 0.2, allowGaps: false });
  expect(read).toMatchObject({
    ok: false,
    problem: {
      message: 'holds trades, not bars.',
      remedy: 'Make bars of them first: `trimtab data import`.',
    },
  });
});
