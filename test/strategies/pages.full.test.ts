import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runBacktest } from '../../backtest/programs/index.ts';
import type { BotInput } from '../../src/config/botSettings.ts';
import { COLLECTION, haveCollection } from '../data/places.ts';
import { blocksOf, pages } from '../docs/pages.ts';
import { read, root } from '../sourceFiles.ts';

/** What a page calls the imported files, as they are in the collection. */
const FILES: Readonly<Record<string, string>> = {
  './btc.trimtab': 'normalised/BINANCEUSDM-BTCUSDT-5m.csv.gz',
  './eth.trimtab': 'normalised/BINANCEUSDM-ETHUSDT-5m.csv.gz',
  './btc-funding.trimtab': 'funding/BINANCEUSDM-BTCUSDT-funding-8h.csv.gz',
  './eth-funding.trimtab': 'funding/BINANCEUSDM-ETHUSDT-funding-8h.csv.gz',
};

const inCollection = (text: string): string =>
  Object.entries(FILES).reduce(
    (all, [name, file]) => all.replaceAll(name, join(COLLECTION, file)),
    text,
  );

/** `--timerange`, and parameters as numbers. */
function optionsOf(command: string): { timerange: string; params: Record<string, number> } {
  const [, timerange = ''] = /--timerange (\S+)/.exec(command) ?? [];
  const params = [...command.matchAll(/--param (\w+)=(\S+)/g)].map(
    ([, name, value]) => [name!, Number(value)] as const,
  );
  return { timerange, params: Object.fromEntries(params) };
}

const rowOf = (page: string, name: string): string[] => {
  const line = read(page)
    .split('\n')
    .find((one) => one.startsWith(`| ${name} `));
  return line!
    .split('|')
    .slice(2, 4)
    .map((cell) => cell.trim());
};

/** The first number of a cell. */
const numberIn = (cell: string): number => Number(/[\d.,+-]+/.exec(cell)![0].replaceAll(',', ''));

const examples = pages().filter(
  (page) => page.startsWith('docs/examples/') && !page.endsWith('index.md'),
);

describe.each(examples)('%s', (page) => {
  const bot = blocksOf(page).find(({ language }) => language === 'yaml')!.text;
  const needsCollection = bot.includes('.trimtab');

  test.skipIf(!haveCollection && needsCollection)(
    'its figures are those of its commands (need ../shared/data)',
    async () => {
      const commands = blocksOf(page)
        .find(({ language }) => language === 'sh')!
        .text.split('\n')
        .filter((line) => line.includes(' backtest '));
      for (const [at, command] of commands.entries()) {
        const config = parse(inCollection(bot)) as BotInput;
        const run = await runBacktest({ config, directory: root, ...optionsOf(command) });
        const { pnl, fees } = run.figures;
        expect(numberIn(rowOf(page, 'P&L of 10,000')[at]!)).toBeCloseTo(pnl, 1);
        expect(numberIn(rowOf(page, 'fees')[at]!)).toBeCloseTo(fees, 1);
        expect(numberIn(rowOf(page, 'fills')[at]!)).toBe(run.fills.length);
      }
    },
  );
});
