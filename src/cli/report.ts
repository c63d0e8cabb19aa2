import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import type { OutputKind } from '../operate/index.ts';
import {
  figuresCsv,
  figuresJson,
  formatFigures,
  renderComparison,
  renderReport,
  type ComparedRun,
} from '../operate/report/index.ts';
import { forceOption, prepareOutput } from './prepareOutput.ts';
import { readBenchmark, withReportSettings } from './readBenchmark.ts';
import { readRuns } from './readRuns.ts';
import { groupingOf, tradesOption, type TradesFlag } from './tradesOption.ts';

interface ReportFlags {
  html?: string;
  json?: string;
  csv?: string;
  benchmark?: string;
  trades?: TradesFlag;
  force?: boolean;
}

const EXAMPLES = `
FIGURES is what trimtab backtest --json FILE writes: all of a run, so that a report can be made of it again.
Several runs become one file; as a page they are compared.

Examples:
  trimtab backtest bot.yaml --json run.json
  trimtab report run.json                                    every figure, on the terminal
  trimtab report run.json --html run.html --csv run.csv
  trimtab report run.json --html run.html --benchmark spx.csv --trades lots
`;

/** `trimtab report`: the report of runs again, as a page, as JSON or as CSV. */
export function createReportCommand(): Command {
  return new Command('report')
    .description('every figure of a run: on the terminal, as a page, as JSON or as CSV')
    .argument('<figures...>', 'files that --json wrote, one or more')
    .option('--html <file>', 'the report as one HTML page')
    .option('--json <file>', 'every figure by name, with its unit')
    .option('--csv <file>', 'the same, a figure a row')
    .option('--benchmark <file>', 'closes to compare with: CSV of time,close, or candles')
    .addOption(tradesOption())
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action((files: string[], flags: ReportFlags) => report(files, flags));
}

interface Output {
  flag: string;
  file: string | undefined;
  kind: OutputKind;
  make: (runs: readonly ComparedRun[]) => string;
}

async function report(files: string[], flags: ReportFlags): Promise<void> {
  const { html, json, csv, benchmark, trades, force = false } = flags;
  const outputs: Output[] = [
    { flag: '--html', file: html, kind: 'page', make: toHtml },
    { flag: '--json', file: json, kind: 'report', make: figuresJson },
    { flag: '--csv', file: csv, kind: 'report_table', make: figuresCsv },
  ];
  for (const { flag, file, kind } of outputs) {
    if (file !== undefined) prepareOutput(flag, resolve(file), { kind, force });
  }
  const settings = {
    ...(benchmark === undefined ? {} : { benchmark: await readBenchmark(benchmark) }),
    ...groupingOf(trades),
  };
  const runs = (await readRuns(files)).map(({ name, data }) => ({
    name,
    data: withReportSettings(data, settings),
  }));
  const asked = outputs.filter(({ file }) => file !== undefined);
  for (const { flag, file, make } of asked) {
    await writeFile(resolve(file!), make(runs));
    process.stdout.write(`${flag.slice(2)}: ${relative(process.cwd(), resolve(file!))}\n`);
  }
  if (asked.length === 0) process.stdout.write(formatFigures(runs));
}

function toHtml(runs: readonly ComparedRun[]): string {
  const [first, second] = runs;
  return second === undefined ? renderReport(first!.data) : renderComparison(runs);
}
