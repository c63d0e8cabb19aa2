import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { formatColumns, type Align } from '../operate/index.ts';
import { compareRuns, renderComparison } from '../operate/report/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { forceOption, prepareOutput } from './output/prepareOutput.ts';
import { writeOutput } from './output/writeOutput.ts';
import { readRuns } from './runs/readRuns.ts';

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
  const runs = await readRuns(files);
  const { head, rows, note } = compareRuns(runs);
  const align = head.map((_name, at): Align => (at === 0 ? 'left' : 'right'));
  process.stdout.write(`${formatColumns([head, ...rows], align)}\n\n${note}\n`);
  if (report === undefined) return;
  const path = resolve(report);
  await writeOutput(path, renderComparison(runs));
  process.stdout.write(`report: ${relative(process.cwd(), path)}\n`);
}
