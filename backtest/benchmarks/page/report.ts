import { renderReport } from '../../../src/operate/report/index.ts';
import { sampleReport } from '../../../test/operate/sampleReport.ts';
import { compare, type ComparisonResult } from '../harness.ts';

const YEAR_OF_MINUTES = 525_600;
const MB = 1_000_000;

/** A year of minutes as a page, beside what it costs to write the run's figures as JSON. */
export async function benchReportPage(): Promise<ComparisonResult[]> {
  const run = sampleReport(YEAR_OF_MINUTES);
  let size = 0;
  return await compare({
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
}

function timed(work: () => unknown): { 'pages/s': number } {
  const started = performance.now();
  work();
  return { 'pages/s': 1_000 / (performance.now() - started) };
}
