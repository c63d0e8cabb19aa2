import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { registerCommands } from '../src/cli/registerCommands.ts';
import { botTemplate, pluginTemplate } from '../src/cli/initTemplates.ts';
import { botSettings } from '../src/config/index.ts';
import * as entry from '../src/index.ts';
import { read, root } from './sourceFiles.ts';

const readme = read('README.md');
const architecture = read('ARCHITECTURE.md');

/** The code block after a marker comment. */
function blockAfter(marker: string): string {
  const start = readme.indexOf(`<!-- ${marker} -->`);
  expect(start, marker).toBeGreaterThanOrEqual(0);
  return /```\w*\n([\s\S]*?)\n```/.exec(readme.slice(start))![1]!;
}

/** First cells of a Markdown table's rows, below a heading. */
function firstCells(page: string, heading: string): string[] {
  const from = page.indexOf(heading);
  expect(from, heading).toBeGreaterThanOrEqual(0);
  const lines = page.slice(from).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) => line.split('|')[1]!.trim());
}
const words = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

describe('the README', () => {
  test('shows the plugin that init writes, in under 40 lines', () => {
    expect(blockAfter('file: init strategies/firstPlugin.ts')).toBe(pluginTemplate.trimEnd());
    expect(pluginTemplate.trimEnd().split('\n').length).toBeLessThan(40);
  });

  test('shows the signing script that is tested', () => {
    const script = read('test/paper/server/curl.sh').trimEnd();
    expect(blockAfter('file: test/paper/server/curl.sh')).toBe(script);
  });

  test('names every command, and no other', () => {
    const program = new Command('trimtab');
    registerCommands(program);
    const documented = firstCells(readme, '## Commands').map(
      (cell) => words(cell)[0]!.split(' ')[1],
    );
    const commands = program.commands.map((command) => command.name());
    expect(documented.sort()).toEqual(commands.sort());
  });

  test('names the sections of a configuration', () => {
    const documented = firstCells(readme, '## Configuration').flatMap(words);
    const keys = Object.keys(botSettings.shape);
    for (const section of documented) expect(keys).toContain(section);
    const silent = ['name'];
    for (const key of keys) if (!silent.includes(key)) expect(documented).toContain(key);
  });

  test('shows a bot on a paper service as the configuration takes it', () => {
    const checked = botSettings.safeParse(parse(blockAfter('config: paper_service')));
    expect(checked.error?.issues).toBeUndefined();
    const { link, watchdog, stop_policy } = checked.data!;
    expect(Object.keys(link)).toEqual(expect.arrayContaining(['ws_url', 'secret', 'budget_clock']));
    expect([watchdog?.silence_seconds, stop_policy]).toEqual([60, 'pause']);
  });

  test('names what a plugin’s context has', () => {
    const context = read('src/strategy/StrategyContext.ts');
    const body = context.slice(context.indexOf('export interface StrategyContext'));
    const documented = firstCells(readme, '### What a plugin is')
      .flatMap(words)
      .map((name) => name.replace(/\(.*/, ''));
    for (const name of documented)
      expect(body).toMatch(new RegExp(`\\b${name.replace('$', '\\$')}[(:<]`));
    const members = [...body.matchAll(/^ {2}(?:readonly )?([a-z]\w*\$?)[(:<]/gm)].map((m) => m[1]!);
    const covered = [...documented, 'capital$', 'candlesWithForming'];
    for (const member of members) expect(covered, member).toContain(member);
  });

  test('every operator and builder that it names is exported', () => {
    const section = readme.slice(
      readme.indexOf('Operators read well'),
      readme.indexOf('Three strategies'),
    );
    const prose = section.replace(/```[\s\S]*?```/g, '');
    for (const text of words(prose)) {
      const name = /^(\w+)/.exec(text)?.[1];
      if (name === undefined || text.startsWith('.')) continue;
      expect(Object.keys(entry), text).toContain(name);
    }
  });

  test('links to files that exist', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md']) {
      for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
        expect(existsSync(join(root, target!)), `${page}: ${target}`).toBe(true);
      }
    }
  });
});

test('what init writes is as prettier would write it, so that a clone stays clean', async () => {
  const style = { ...(await resolveConfig(join(root, 'package.json'))), filepath: 'plugin.ts' };
  expect(await format(pluginTemplate, style)).toBe(pluginTemplate);
  const yaml = botTemplate('./schema.json');
  expect(await format(yaml, { ...style, filepath: 'bot.yaml' })).toBe(yaml);
});

describe('ARCHITECTURE.md', () => {
  test('has a line for each folder, and no folder that is not there', () => {
    const documented = firstCells(architecture, '## Folders').map((cell) => words(cell)[0]!);
    for (const folder of documented) expect(existsSync(join(root, folder)), folder).toBe(true);
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((item) => item.isDirectory())
      .map((item) => `src/${item.name}/`);
    for (const folder of folders) expect(documented).toContain(folder);
  });

  test('names only files that exist', () => {
    for (const [, file] of architecture.matchAll(/`((?:src|test)\/[\w/.-]+\.ts)`/g)) {
      expect(existsSync(join(root, file!)), file).toBe(true);
    }
  });
});

test('decisions are numbered in a row, each with its status', () => {
  const page = read('DECISIONS.md');
  const numbers = [...page.matchAll(/^## (\d+)\. /gm)].map((match) => Number(match[1]));
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  const statuses = page.match(/^(Accepted|Superseded)/gm) ?? [];
  expect(statuses).toHaveLength(numbers.length);
});
