import { renderReport } from '../../../src/operate/report/index.ts';
import { sampleReport } from '../../../test/operate/sampleReport.ts';
import { compare, type ComparisonResult } from '../harness.ts';

const YEAR_OF_MINUTES = 525_600;
const MB = 1_000_000;
/** A mail server takes it, and a browser shows its head within a second. */
const MOST_MB = 2;

/**
 * A year of minutes of two markets with 28,600 fills as a page: what it costs beside the run's figures as JSON, and how
 * many of it two megabytes hold.
 */
export async function benchReportPage(): Promise<ComparisonResult[]> {
  const run = sampleReport(YEAR_OF_MINUTES);
  let size = 0;
  const costs = await compare({
    name: 'page/report: a year of minutes',
    contenders: [
      {
        name: 'JSON.stringify',
        run: () => timed(() => JSON.stringify(run).length),
      },
      {
        name: 'the page',
        run: () => timed(() => (size = Buffer.byteLength(renderReport(run)))),
        note: () => `${(size / MB).toFixed(2)} MB`,
      },
    ],
  });
  const sizes = await compare({
    name: `page/report: a page of ${MOST_MB} MB`,
    // Equal data give equal bytes: one round is as good as five.
    rounds: 1,
    warmUps: 0,
    contenders: [
      { name: 'the limit', run: () => ({ 'pages in it': 1 }) },
      {
        name: 'the page',
        run: () => ({ 'pages in it': (MOST_MB * MB) / size }),
        must: 1,
        note: () => `${(size / MB).toFixed(2)} MB`,
      },
    ],
  });
  return [...costs, ...sizes];
}

function timed(work: () => unknown): { 'pages/s': number } {
  const started = performance.now();
  work();
  return { 'pages/s': 1_000 / (performance.now() - started) };
}
