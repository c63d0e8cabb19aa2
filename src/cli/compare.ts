import { writeFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { readRegularText } from '../env/index.ts';
import { formatColumns, explainUnreadable, type Align } from '../operate/index.ts';
import {
  compareRuns,
  renderComparison,
  type ComparedRun,
  type ReportData,
} from '../operate/report/index.ts';
import { CommandFailure } from './CommandFailure.ts';
import { forceOption, prepareOutput } from './prepareOutput.ts';

/** The figures of a year of minutes with a fill in each take a tenth of this. */
const MAX_BYTES = 2 ** 30;

const EXAMPLES = `
Examples:
  trimtab backtest bot.yaml --json slow.json
  trimtab backtest bot.yaml --param fast=8 --json fast.json
  trimtab compare slow.json fast.json --report compared.html
`;

/** `trimtab compare`: figures and curves of several runs side by side. */
export function createCompareCommand(): Command {
  return new Command('compare')
    .description('figures of several runs side by side')
    .argument('<figures...>', 'files that --json wrote, two or more')
    .option('--report <file>', 'an HTML page with the curves as well')
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action((files: string[], flags: CompareFlags) => compare(files, flags));
}

interface CompareFlags {
  report?: string;
  force?: boolean;
}

async function compare(files: string[], { report, force = false }: CompareFlags): Promise<void> {
  if (files.length < 2)
    throw new CommandFailure('TRIMTAB_USAGE', 'There is one run, and nothing to compare it with.');
  if (report !== undefined) prepareOutput('--report', report, { kind: 'page', force });
  const runs: ComparedRun[] = [];
  // One after the other, so that the first unreadable one is reported.
  for (const file of files) runs.push(await readRun(file));
  const { head, rows, note } = compareRuns(runs);
  const align = head.map((_name, at): Align => (at === 0 ? 'left' : 'right'));
  process.stdout.write(`${formatColumns([head, ...rows], align)}\n\n${note}\n`);
  if (report === undefined) return;
  const path = resolve(report);
  await writeFile(path, renderComparison(runs));
  process.stdout.write(`report: ${relative(process.cwd(), path)}\n`);
}

async function readRun(file: string): Promise<ComparedRun> {
  let text: string;
  try {
    text = await readRegularText(file, MAX_BYTES);
  } catch (error) {
    throw new CommandFailure(
      'TRIMTAB_REPORT_UNREADABLE',
      `${file} can't be read: ${explainUnreadable(error)}.\n  ${REMEDY}`,
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
