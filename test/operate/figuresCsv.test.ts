import { expect, test } from 'vitest';
import { figuresCsv } from '../../src/operate/report/index.ts';
import { sampleReport } from './sampleReport.ts';

const data = sampleReport(100);

test.each([
  ["a formula is a spreadsheet's text", '=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['so is what begins with a sign', '-1+2', "'-1+2"],
  ['a number is a number', '-1.5', '-1.5'],
  ['a name is itself', 'run = 1', 'run = 1'],
])('%s', (_what, name, cell) => {
  const [, first] = figuresCsv([{ name, data }]).split('\n');
  expect(first!.startsWith(`${cell},`)).toBe(true);
});

test('a group’s figure without a value has its own reason', () => {
  const run = sampleReport(3_000);
  const worthless = run.fills.map((fill) =>
    fill.strategy === 'breakout' ? { ...fill, price: 0, fee: 0 } : fill,
  );
  const [first] = run.fills;
  const totals = { ...run.totals, start_equity: 0 };
  const reasonOf = (rows: typeof run, figure: string): string => {
    const lines = figuresCsv([{ name: 'run', data: rows }]).split('\n');
    const found = lines.filter((line) => line.startsWith(`run,${figure},`));
    expect(found, figure).toHaveLength(1);
    const [value, , why] = found[0]!.split(',').slice(3);
    expect(value).toBe('');
    return why!;
  };
  const without = { ...run, totals, fills: worthless };
  expect(reasonOf(without, 'strategies,trend.pnl_share')).toBe('the run began without equity');
  expect(reasonOf(without, 'strategies,breakout.average_return')).toBe('no trade has a size');
  expect(reasonOf(without, 'strategies,breakout.profit_factor')).toBe('no trade was lost');
  const open = { ...run, fills: [first!] };
  for (const figure of ['win_rate', 'average', 'average_return', 'best', 'profit_factor'])
    expect(reasonOf(open, `sides,long.${figure}`)).toBe('no trade was closed');
});
