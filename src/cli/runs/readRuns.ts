import { basename, relative, resolve } from 'node:path';
import { readRegularText } from '../../env/index.ts';
import { explainUnreadable } from '../../operate/index.ts';
import type { ComparedRun, ReportData } from '../../operate/report/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/** The figures of a year of minutes with a fill in each take a fifth of this, which is as long as a text can be. */
const MAX_BYTES = 2 ** 29 - 24;

/**
 * Runs as `trimtab backtest --json` wrote them, named after their files; those of one name by their folders as well.
 *
 * @throws CommandFailure for the first that can't be read
 */
export async function readRuns(files: readonly string[]): Promise<ComparedRun[]> {
  const runs: ComparedRun[] = [];
  // One after the other, so that the first unreadable one is reported.
  for (const file of files) runs.push(await readRun(file));
  const names = runs.map(({ name }) => name);
  return runs.map((run, at) =>
    names.indexOf(run.name) === names.lastIndexOf(run.name)
      ? run
      : { ...run, name: relative(process.cwd(), resolve(files[at]!)).replace(/\.json$/, '') },
  );
}

async function readRun(file: string): Promise<ComparedRun> {
  let text: string;
  try {
    text = await readRegularText(file, MAX_BYTES);
  } catch (error) {
    throw new CommandFailure(
      'TRIMTAB_REPORT_UNREADABLE',
      `${file} can't be read: ${explainUnreadable(error, file, REMEDY)}`,
    );
  }
  const data = parse(text) as ReportData | undefined;
  const isRun = typeof data?.hash === 'string' && Array.isArray(data.fills) && 'totals' in data;
  if (isRun) return { name: basename(file, '.json'), data };
  const what = /^\s*</.test(text) ? 'is a page' : 'is something else';
  throw new CommandFailure(
    'TRIMTAB_REPORT_UNREADABLE',
    `${file}: a run's figures as JSON are expected, and it ${what}.\n  ${REMEDY}`,
  );
}

const REMEDY = 'Figures are what trimtab backtest --json FILE writes.';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
