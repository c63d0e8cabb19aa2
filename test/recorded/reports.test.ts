import { test } from 'vitest';
import {
  figuresCsv,
  figuresJson,
  formatFigures,
  renderComparison,
  compareRuns,
  renderReport,
  reportJson,
} from '../../src/operate/report/index.ts';
import { pageStyles } from '../../src/operate/report/pageStyles.ts';
import { unpackPage } from '../operate/unpackPage.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { reportVariants } from './reportVariants.ts';

const withoutCode = (html: string): string =>
  html.replaceAll(/<(script|style)\b[^>]*>.*?<\/\1>/gs, '<$1>');
const textOf = (value: unknown): string[] => JSON.stringify(value, null, 1).split('\n');

test('reports and their figures are what they were', async () => {
  const variants = Object.entries(reportVariants());
  const outcomes = new Map<string, Outcome>();
  for (const [name, data] of variants) {
    const html = renderReport(data);
    const runs = [{ name, data }];
    const json = JSON.parse(figuresJson(runs)) as unknown;
    outcomes.set(
      name,
      new Map([
        ['table', formatFigures(runs).split('\n')],
        ['csv', figuresCsv(runs).split('\n')],
        ['json', textOf(json)],
        ['report.json', textOf(JSON.parse(reportJson(data)))],
        ['page', textOf(unpackPage(html))],
        ['html', withoutCode(html).split('\n')],
      ]),
    );
  }
  const all = variants.map(([name, data]) => ({ name, data }));
  outcomes.set(
    'all',
    new Map([
      ['table', formatFigures(all).split('\n')],
      ['csv', figuresCsv(all).split('\n')],
      ['compared', textOf(compareRuns(all))],
      ['comparison', withoutCode(renderComparison(all)).split('\n')],
      ['styles', pageStyles.split('\n')],
    ]),
  );
  await expectRecorded('reports', outcomes);
});
