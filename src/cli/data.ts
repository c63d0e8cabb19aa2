import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  checkData,
  FORMAT_NAMES,
  formatData,
  formatReport,
  importData,
  OUTLIER,
  seriesToCsv,
  showData,
  type FormatName,
} from '../../backtest/data/index.ts';
import { INTERVALS, type Interval } from '../contract/index.ts';
import { describeFeedProblem, encodeCache, type FeedResult } from '../paper/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { forceOption, prepareOutput } from './output/prepareOutput.ts';
import { readWhole } from './options/readWhole.ts';
import { say, sayNext, whileRead } from './output/say.ts';
import { writeOutput } from './output/writeOutput.ts';

const EXAMPLES = `
A FILE is plain, .gz or .zip: CSV, candles or trades of Binance, Bybit, OKX or Kraken, Coinbase candles,
ccxt or freqtrade JSON, Hyperliquid candles or funding, Tardis trades, Parquet, or a cache. Its content
decides; --format overrides it.

Examples:
  trimtab data import BTCUSDT-1m-2024-*.zip --symbol BTC --out btc.trimtab
  trimtab data import btc.trimtab --interval 1h --out btc-1h.trimtab
  trimtab data check btc.csv.gz                    exits with 1 on any problem
  trimtab data show btc.trimtab --csv > btc.csv
  trimtab paper --feed BTC@1m=btc.trimtab          a cache is a feed like any other
`;

interface ReadFlags {
  format?: FormatName;
  sourceInterval?: Interval;
  symbol?: string;
  contractSize?: number;
}
interface ImportFlags extends ReadFlags {
  out: string;
  interval?: Interval;
  keepPartial?: boolean;
  force?: boolean;
}
interface CheckFlags extends ReadFlags {
  allowGaps?: boolean;
  outlier: number;
  limit: number;
  json?: boolean;
}
interface ShowFlags extends ReadFlags {
  head: number;
  json?: boolean;
  csv?: boolean;
}

/** `trimtab data`: imports users' market data into cache files, checks it and shows it. */
export function createDataCommand(): Command {
  const command = new Command('data')
    .description('market data: import into a cache, check, show')
    .addHelpText('after', EXAMPLES);
  command.addCommand(createImportCommand());
  command.addCommand(createCheckCommand());
  command.addCommand(createShowCommand());
  return command;
}

function readingCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option('--format <format>', 'format of the files').choices([...FORMAT_NAMES]))
    .addOption(
      new Option('--source-interval <interval>', 'interval of their bars').choices([...INTERVALS]),
    )
    .option('--symbol <symbol>', 'symbol of the data', readSymbol)
    .option(
      '--contract-size <base>',
      'base units of one contract, for trades whose sizes are contracts',
      readSize,
    );
}

function createImportCommand(): Command {
  return readingCommand('import', 'build one cache file from the files of one market')
    .argument('<files...>', 'in any order')
    .requiredOption('-o, --out <file>', 'cache file to write, such as btc.trimtab')
    .addOption(
      new Option('--interval <interval>', 'resample to longer bars').choices([...INTERVALS]),
    )
    .option('--keep-partial', 'keep a first or last bar that is incomplete')
    .addOption(forceOption())
    .action(importFiles);
}

function createCheckCommand(): Command {
  return readingCommand(
    'check',
    'find gaps, duplicates, impossible bars and more, with their lines',
  )
    .argument('<files...>')
    .option('--allow-gaps', 'of venues that leave out bars without a trade')
    .addOption(
      new Option('--outlier <percent>', 'a move between two closes worth a look')
        .argParser(readShare)
        .default(OUTLIER, `${OUTLIER * 100}`),
    )
    .option('--limit <n>', 'findings to show of each kind', readWhole, 5)
    .option('--json', 'all findings, as JSON')
    .action(checkFiles);
}

function createShowCommand(): Command {
  return readingCommand('show', 'describe a file')
    .argument('<file>')
    .option('--head <n>', 'rows to show from its start and end', readWhole, 3)
    .addOption(new Option('--json', 'for programs').conflicts('csv'))
    .addOption(new Option('--csv', 'all its rows as CSV').conflicts('head'))
    .action(showFile);
}

async function importFiles(files: string[], flags: ImportFlags): Promise<void> {
  const { out, keepPartial = false, force = false } = flags;
  if (files.some((file) => resolve(file) === resolve(out))) {
    throw new CommandFailure('TRIMTAB_USAGE', `--out ${out} is one of the files.\n  Name another.`);
  }
  prepareOutput('--out', out, { kind: 'cache', force });
  const { content, notes } = valueOf(await importData(files, { ...flags, keepPartial }));
  await writeOutput(out, encodeCache(content));
  for (const note of notes) process.stderr.write(`${note}\n`);
  const [shown] = valueOf(await showData(out, { head: 0 }));
  await say(formatData(shown!));
}

async function checkFiles(files: string[], flags: CheckFlags): Promise<void> {
  const { allowGaps = false, outlier, limit } = flags;
  const reports = [];
  for (const file of files) {
    const found = valueOf(await checkData(file, { ...flags, allowGaps, outlier }));
    reports.push(...found);
    // At once: a later file that can't be checked ends the command.
    if (flags.json !== true) for (const report of found) await say(formatReport(report, limit));
  }
  const faulty = reports.filter(({ ok }) => !ok).length;
  const ok = faulty === 0;
  if (flags.json === true) await say(`${JSON.stringify({ ok, files: reports }, null, 2)}\n`);
  if (!ok)
    throw new CommandFailure('TRIMTAB_DATA_NOT_OK', `${faulty} of ${reports.length} not ok.`);
}

async function showFile(file: string, flags: ShowFlags): Promise<void> {
  await whileRead(async () => {
    const shown = valueOf(await showData(file, flags));
    if (flags.csv === true) {
      if (shown.length > 1) {
        throw new CommandFailure(
          'TRIMTAB_USAGE',
          `${file} holds ${shown.length} files.\n  Import them into one first.`,
        );
      }
      for (const text of seriesToCsv(shown[0]!.series)) await sayNext(text);
    } else if (flags.json === true) {
      const plain = shown.map(({ series: _series, ...about }) => about);
      await say(`${JSON.stringify(plain, null, 2)}\n`);
    } else for (const each of shown) await say(formatData(each));
  });
}

function valueOf<T>(result: FeedResult<T>): T {
  if (result.ok) return result.value;
  throw new CommandFailure('TRIMTAB_DATA_REFUSED', describeFeedProblem(result.problem));
}

function readSymbol(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Name the market, such as --symbol BTC.');
}

function readSize(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It takes base units above 0, such as 0.01.');
}

function readShare(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text) / 100;
  throw new InvalidArgumentError('It takes a percentage above 0, such as 20.');
}
