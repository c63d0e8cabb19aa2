import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { blocksOf } from '../docs/pages.ts';
import { read, root } from '../sourceFiles.ts';
import { linesOf } from './linesOf.ts';

const strategies = readdirSync(join(root, 'strategies')).filter((file) => file.endsWith('.ts'));
const index = read('docs/examples/index.md');

/** The cells of the index's rows that link a page: of the table of all, and of that of the helpers. */
const rowsOf = (page: string): string[][] =>
  index
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes(`](${page})`))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test('there are ten strategies, each with a page', () => {
  const pages = readdirSync(join(root, 'docs/examples')).filter((file) => file !== 'index.md');
  expect(pages.toSorted()).toEqual(strategies.map((file) => file.replace(/ts$/, 'md')).toSorted());
  expect(pages).toHaveLength(10);
});

describe.each(strategies)('the page of %s', (file) => {
  const page = `docs/examples/${file.replace(/ts$/, 'md')}`;

  test('shows its code', () => {
    const shown = blocksOf(page).find(({ note }) => note === `file: strategies/${file}`);
    expect(shown?.text).toBe(read(`strategies/${file}`));
  });

  test('has a bot that uses it, and commands for both parts and the check', () => {
    const bot = blocksOf(page).find(({ language }) => language === 'yaml')!;
    const { name, strategies: used } = parse(bot.text) as {
      name: string;
      strategies: Array<{ use: string }>;
    };
    expect(used.map(({ use }) => use)).toEqual([`./strategies/${file}`]);
    expect(bot.note).toBe(`save: ${name}.yaml`);
    const commands = blocksOf(page).find(({ language }) => language === 'sh')!;
    const called = commands.text.trim().split('\n');
    expect(called.map((line) => line.split(' ').slice(1, 4).join(' '))).toEqual(
      ['sweep', 'backtest', 'backtest', 'check'].map((verb) => `trimtab ${verb} ${name}.yaml`),
    );
  });

  test('is in the index with its lines', () => {
    const [row, saved] = rowsOf(file.replace(/ts$/, 'md'));
    expect(row![2]).toBe(String(linesOf(`strategies/${file}`)));
    if (saved === undefined) return;
    const [, byHand = ''] = /`(test\/strategies\/byHand\/\w+\.ts)`/.exec(read(page)) ?? [];
    expect(saved.slice(1)).toEqual([
      String(linesOf(`strategies/${file}`)),
      String(linesOf(byHand)),
    ]);
  });
});
