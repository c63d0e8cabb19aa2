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
