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
import { CommandFailure } from './failures/CommandFailure.ts';
import { besideJson, prepareJson, writeJson } from './output/jsonOutput.ts';
import { forceOption, prepareOutput, requireDistinct } from './output/prepareOutput.ts';
import { readBenchmark, withReportSettings } from './options/readBenchmark.ts';
import { readRuns } from './runs/readRuns.ts';
import { reportDay } from './runs/reportDay.ts';
import { say } from './output/say.ts';
import { writeOutput } from './output/writeOutput.ts';
import { groupingOf, tradesOption, type TradesFlag } from './options/tradesOption.ts';
import { tzOption, type TzFlag } from './options/tzOption.ts';

interface ReportFlags extends TzFlag {
  html?: string;
  json?: string;
  csv?: string;
  benchmark?: string;
  trades?: TradesFlag;
  force?: boolean;
  /** True without a value. */
  day?: string | true;
}

const EXAMPLES = `
FIGURES is what trimtab backtest --json FILE writes: all of a run, so that a report can be made of it again.
Several runs become one file; as a page they are compared.

Examples:
  trimtab backtest bot.yaml --json run.json
  trimtab report run.json                                    every figure, on the terminal
  trimtab report run.json --html run.html --csv run.csv
  trimtab report run.json --html run.html --benchmark spx.csv --trades lots
  trimtab report bot.yaml --day 2026-11-23                   what a bot did, from its journal
  trimtab report bot.yaml --day --tz Europe/Berlin           today, as Berlin has it
`;

/** `trimtab report`: the report of runs again, as a page, as JSON or as CSV. */
export function createReportCommand(): Command {
  return new Command('report')
    .description('every figure of a run: on the terminal, as a page, as JSON or as CSV')
    .argument('<figures...>', "files that --json wrote, one or more; with --day a bot's YAML")
    .option('--html <file>', 'the report as one HTML page')
    .option(
      '--json <file>',
      'every figure by name, with its unit; - for stdout, and all text on stderr',
    )
    .option('--csv <file>', 'the same, a figure a row')
    .option('--benchmark <file>', 'closes to compare with: CSV of time,close, or candles')
    .option(
      '--day [day]',
      "with a bot's YAML: what it did on this day, from its journal; default: today",
    )
    .addOption(tzOption())
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
  const [first = ''] = files;
  if (flags.day !== undefined || /\.ya?ml$/i.test(first)) return dayOfBot(files, flags);
  const { html, json, csv, benchmark, trades, tz, force = false } = flags;
  // Its days, hours and months are of UTC, and so are the times beside them.
  if (tz.name !== 'UTC')
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `The report of a run is in UTC: leave out --tz ${tz.name}, which goes with --day.`,
    );
  const outputs: Output[] = [
    { flag: '--html', file: html, kind: 'page', make: toHtml },
    { flag: '--csv', file: csv, kind: 'report_table', make: figuresCsv },
  ];
  requireDistinct([...outputs.map(({ flag, file }) => [flag, file] as const), ['--json', json]]);
  for (const { flag, file, kind } of outputs) {
    if (file !== undefined) prepareOutput(flag, resolve(file), { kind, force });
  }
  const target = prepareJson(json, { kind: 'report', force });
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
    await writeOutput(resolve(file!), make(runs));
    besideJson(target).write(`${flag.slice(2)}: ${relative(process.cwd(), resolve(file!))}\n`);
  }
  if (target !== undefined) await writeJson('json', target, figuresJson(runs));
  else if (asked.length === 0) process.stdout.write(formatFigures(runs));
}

/** The figures of a run and the day of a bot are different things; a flag of one does not go with the other. */
async function dayOfBot(files: readonly string[], flags: ReportFlags): Promise<void> {
  const [path = ''] = files;
  const others = (['html', 'csv', 'benchmark', 'trades'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  const wrong =
    files.length > 1
      ? 'The day of one bot is reported at a time.'
      : !/\.ya?ml$/i.test(path)
        ? `--day goes with a bot's YAML, and ${path} is none.`
        : others.length > 0
          ? `The day of a bot has no --${others[0]}.`
          : undefined;
  if (wrong !== undefined)
    throw new CommandFailure('TRIMTAB_USAGE', `${wrong}\n  trimtab report bot.yaml --day`);
  const { day, force = false } = flags;
  const json = prepareJson(flags.json, { kind: 'report', force });
  const report = await reportDay(path, typeof day === 'string' ? day : undefined, flags.tz);
  if (json === undefined) return say(report.text());
  await writeJson('json', json, `${JSON.stringify(report.json, null, 2)}\n`);
}

function toHtml(runs: readonly ComparedRun[]): string {
  const [first, second] = runs;
  return second === undefined ? renderReport(first!.data) : renderComparison(runs);
}
