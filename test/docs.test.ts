import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { registerCommands } from '../src/cli/registerCommands.ts';
import { botTemplate, pluginTemplate, testTemplate } from '../src/cli/project/initTemplates.ts';
import {
  launchTemplate,
  packageTemplate,
  readmeTemplate,
  tsconfigTemplate,
} from '../src/cli/project/projectTemplates.ts';
import { createConfigSchema } from '../src/config/createConfigSchema.ts';
import { botSettings } from '../src/config/index.ts';
import { algoRecords, defaultDialect } from '../src/contract/index.ts';
import * as entry from '../src/index.ts';
import { INTENT_STATES } from '../src/journal/index.ts';
import { GENERATED, generatedPage } from './docs/generatedPages.ts';
import { blocksOf, anchorsOf, pages, proseOf } from './docs/pages.ts';
import { read, root } from './sourceFiles.ts';

/** Flags by command, subcommands by both names. */
const commands = new Map<string, string[]>();
/** Flags without which a command is refused, by command. */
const needed = new Map<string, string[]>();
const program = new Command('trimtab');
await registerCommands(program);
const collect = (command: Command, name: string): void => {
  commands.set(
    name,
    command.options.map((option) => option.long!),
  );
  const mandatory = command.options.filter((option) => option.mandatory);
  needed.set(
    name,
    mandatory.map((option) => option.long!),
  );
  for (const inner of command.commands) collect(inner, `${name} ${inner.name()}`);
};
for (const command of program.commands) collect(command, command.name());

/** A bot to merge a page's configuration fragment into. */
const FEED = { symbol: 'BTC', interval: '1m', generate: {} };
const SMALLEST = {
  name: 'smallest',
  link: { kind: 'paper' },
  strategies: [{ name: 'first', use: './first.ts', symbols: ['BTC'] }],
};
const paperOf = ({ paper }: Record<string, unknown>): object => ({
  feeds: [FEED],
  ...(paper as object | undefined),
});

const architecture = read('ARCHITECTURE.md');
const PLUGIN_PAGE = 'docs/how-to/write-a-plugin.md';

/** The code block of a page after a marker comment. */
function blockAfter(page: string, marker: string): string {
  const block = blocksOf(page).find(({ note }) => note === marker);
  expect(block, `${page}: ${marker}`).toBeDefined();
  return block!.text.trimEnd();
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
  test('has 1,200 words at most', () => {
    expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(1_200);
  });

  test('shows the plugin that init writes, in under 40 lines', () => {
    const shown = blockAfter('README.md', 'file: init strategies/firstPlugin.ts');
    expect(shown).toBe(pluginTemplate.trimEnd());
    expect(pluginTemplate.trimEnd().split('\n').length).toBeLessThan(40);
  });
});

test('the default that help shows is one that the flag takes, and means the same', () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const shown = all(program).flatMap(({ options }) => options.filter(({ parseArg }) => parseArg));
  const numbers = shown.filter((option) => typeof option.defaultValue === 'number');
  expect(numbers.length).toBeGreaterThan(5);
  for (const { long, parseArg, defaultValue, defaultValueDescription } of numbers) {
    const text = defaultValueDescription ?? String(defaultValue);
    expect(parseArg!(text, undefined), `${long}: ${text}`).toBe(defaultValue);
  }
});

test('help says which flags are required', () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const mandatory = all(program).flatMap(({ options }) => options.filter((one) => one.mandatory));
  expect(mandatory.length).toBeGreaterThan(8);
  for (const { long, description } of mandatory) expect(description, long).toMatch(/\(required\)$/);
});

describe('the documents', () => {
  test('show the signing script that is tested', () => {
    const marker = 'file: test/paper/server/curl.sh';
    const script = read('test/paper/server/curl.sh').trimEnd();
    expect(blockAfter('docs/how-to/run-the-paper-service.md', marker)).toBe(script);
  });

  test('name exactly the existing commands', () => {
    const documented = firstCells(read('docs/reference/command-line.md'), '# Command line').map(
      (cell) => words(cell)[0]!.split(' ')[1],
    );
    expect(documented.sort()).toEqual(
      [...commands.keys()].filter((name) => !name.includes(' ')).sort(),
    );
  });

  test('name the sections of a configuration', () => {
    const page = read('docs/reference/configuration.md');
    const documented = firstCells(page, '## Sections').flatMap(words);
    const keys = Object.keys(botSettings.shape);
    for (const section of documented) expect(keys).toContain(section);
    for (const key of keys) expect(documented).toContain(key);
  });

  test('name the members of a plugin’s context and definition', () => {
    const page = read('docs/reference/plugin.md');
    const members = (file: string, type: string): string[] => {
      const text = read(file);
      const body = text.slice(text.indexOf(`export interface ${type}`)).split('\n}\n')[0]!;
      return [...body.matchAll(/^ {2}(?:readonly )?([a-z]\w*\$?)[?(:<]/gm)].map((m) => m[1]!);
    };
    const named = (heading: string): string[] =>
      firstCells(page, heading)
        .flatMap(words)
        .map((name) => name.replace(/\(.*/, ''));
    const context = members('src/strategy/StrategyContext.ts', 'StrategyContext');
    expect(named('## Context').sort()).toEqual(context.sort());
    const definition = members('src/strategy/defineStrategy.ts', 'StrategyDefinition');
    expect(named('## Definition').sort()).toEqual(definition.sort());
  });

  test('tell what each state of an intent means', () => {
    const states = firstCells(read('docs/how-to/explain-a-decision.md'), '## States');
    expect(states.flatMap(words).toSorted()).toEqual([...INTENT_STATES].toSorted());
  });

  test('name only exported operators and builders', () => {
    const sections = [
      [PLUGIN_PAGE, '## Operators', '## Outcomes of intents'],
      ['docs/reference/plugin.md', '## Operators', undefined],
    ] as const;
    for (const [page, from, to] of sections) {
      const prose = proseOf(page);
      const section = prose.slice(prose.indexOf(from), to && prose.indexOf(to));
      const names = words(section).filter((text) => /^[a-z]\w+/.test(text));
      expect(names.length).toBeGreaterThan(20);
      for (const text of names) expect(Object.keys(entry), text).toContain(/^\w+/.exec(text)![0]);
    }
  });

  test.each(algoRecords(defaultDialect.limits.pacemakerMinSeconds))(
    'tell the params of $name, with their bounds',
    ({ name, params }) => {
      const page = read('docs/reference/algorithms.md').split('## What holds')[0]!;
      const section = page.slice(page.indexOf(`**${name}**`) + 1).split('\n\n**')[0]!;
      const { properties } = params as { properties: Record<string, Record<string, unknown>> };
      expect(Object.keys(properties)).not.toEqual([]);
      for (const [field, { minimum, maximum, type, enum: values = [] }] of Object.entries(
        properties,
      )) {
        expect(section).toContain(`${field}\``);
        for (const value of values as string[]) expect(section).toContain(`\`${value}\``);
        if (type === 'object' || maximum === undefined) continue;
        const [from, to] = [minimum, maximum].map((bound) =>
          (bound as number).toLocaleString('en'),
        );
        expect(section, field).toMatch(new RegExp(`${field}\`[^\n]*[ :]${from} [^\n]*to ${to}\\b`));
      }
    },
  );

  test.each(Object.keys(GENERATED))('%s matches the code', async (file) => {
    expect(read(file), 'npm run docs:pages writes it').toBe(await generatedPage(file));
  });
});

/** A node of the configuration's JSON Schema. */
interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}
const settings = createConfigSchema() as SchemaNode;

/** Whether the configuration has a setting at this path; a map's own keys may be anything. */
function hasSetting(node: SchemaNode, [key, ...below]: readonly string[]): boolean {
  if (key === undefined) return true;
  const branches = [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  return branches.some(({ properties = {}, additionalProperties: other, items }) => {
    if (properties[key] !== undefined) return hasSetting(properties[key], below);
    if (items !== undefined) return hasSetting(items, [key, ...below]);
    return typeof other === 'object' ? hasSetting(other, below) : other === true;
  });
}

/** Paths such as `guards.max_leverage`, of sections of the configuration. */
const settingsIn = (text: string): string[] =>
  words(text)
    .map((word) => /^[a-z_]+(?:\[\d*\])?(?:\.[a-zA-Z_\d]+(?:\[\d*\])?)+/.exec(word)?.[0] ?? '')
    .map((path) => path.replaceAll(/\[\d*\]/g, ''))
    .filter((path) => settings.properties![path.split('.')[0]!] !== undefined);

describe.each(pages())('%s', (page) => {
  test('names settings that exist', () => {
    const files = /\.(?:json|md|sqlite|ts|ya?ml)$/;
    const { dialect } = settings.properties!;
    for (const path of settingsIn(proseOf(page)).filter((one) => !files.test(one))) {
      const keys = path.split('.');
      // The dialect's page leaves its section out.
      const isThere = hasSetting(settings, keys) || hasSetting(dialect!, keys);
      expect(isThere, path).toBe(true);
    }
  });

  test('links to what exists', () => {
    for (const [, target] of proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)]+)\)/g)) {
      const [file, anchor] = target!.split('#') as [string, string?];
      const path = file === '' ? page : posix.join(posix.dirname(page), file);
      expect(existsSync(join(root, path)), `${page}: ${target}`).toBe(true);
      if (anchor !== undefined)
        expect([...anchorsOf(path)], `${page}: ${target}`).toContain(anchor);
    }
  });

  test('its YAML is valid configuration', () => {
    for (const { language, text } of blocksOf(page)) {
      if (language !== 'yaml') continue;
      const shown = parse(text) as Record<string, unknown>;
      const { error } = botSettings.safeParse({ ...SMALLEST, ...shown, paper: paperOf(shown) });
      expect(error?.issues, text).toBeUndefined();
    }
  });

  test('its command lines name existing commands and flags', () => {
    const blocks = blocksOf(page).filter(({ language }) =>
      ['sh', 'bash', 'ini'].includes(language),
    );
    const flags = new Set(['--help', ...[...commands.values()].flat()]);
    const named = page.startsWith('docs/') ? words(proseOf(page)) : [];
    for (const text of named.filter((word) => word.startsWith('--'))) {
      expect([...flags], text).toContain(/^--[a-z-]+/.exec(text)![0]);
    }
    const lines = blocks.flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
    const inline = words(proseOf(page)).filter((text) => text.startsWith('trimtab '));
    for (const line of [...lines, ...inline]) {
      const [, call] = /(?:^|[\s(/])trimtab ([a-z].*)$/.exec(line.replace(/\s#.*$/, '')) ?? [];
      if (call === undefined) continue;
      const [first = '', second = ''] = call.split(/\s+/);
      const name = commands.has(`${first} ${second}`) ? `${first} ${second}` : first;
      expect([...commands.keys()], line).toContain(name);
      const flags = [...call.matchAll(/(?<=\s)(--[a-z][a-z-]*)/g)].map(([, flag]) => flag!);
      for (const flag of flags)
        expect([...commands.get(name)!, '--help', '--version'], line).toContain(flag);
      // In prose a command is often only named.
      if (!lines.includes(line) || /…|--help/.test(line)) continue;
      for (const flag of needed.get(name)!) expect(flags, line).toContain(flag);
    }
  });
});

test('the output of init is formatted by prettier', async () => {
  const style = { ...(await resolveConfig(join(root, 'package.json'))), filepath: 'plugin.ts' };
  expect(await format(pluginTemplate, style)).toBe(pluginTemplate);
  expect(await format(testTemplate, style)).toBe(testTemplate);
  const one = '1';
  const versions = {
    trimtab: one,
    rxjs: one,
    zod: one,
    typescript: one,
    vitest: one,
    nodeTypes: one,
  };
  const others = {
    'bot.yaml': botTemplate('./schema.json'),
    'package.json': packageTemplate('mine', versions),
    'tsconfig.json': tsconfigTemplate,
    'launch.json': launchTemplate,
    'README.md': readmeTemplate('mine'),
  };
  for (const [filepath, text] of Object.entries(others))
    expect(await format(text, { ...style, filepath })).toBe(text);
});

test('docs/index.md leads to every page, its examples by their own index', () => {
  const index = read('docs/index.md');
  const others = pages().filter((page) => /^docs\/(?!examples\/|index\.md)/.test(page));
  expect(others.length).toBeGreaterThan(30);
  for (const page of others) expect(index).toContain(`(${posix.relative('docs', page)})`);
});

describe('ARCHITECTURE.md', () => {
  test('has a line for each folder, and only for existing folders', () => {
    const documented = firstCells(architecture, '## Folders').map((cell) => words(cell)[0]!);
    for (const folder of documented) expect(existsSync(join(root, folder)), folder).toBe(true);
    const below = (parent: string): string[] =>
      readdirSync(join(root, parent), { withFileTypes: true })
        .filter((item) => item.isDirectory())
        .map((item) => `${parent}/${item.name}/`);
    for (const folder of ['src', 'src/operate', 'backtest'].flatMap(below))
      expect(documented).toContain(folder);
  });

  test('names only files that exist', () => {
    for (const [, file] of architecture.matchAll(/`((?:src|test)\/[\w/.-]+\.ts)`/g)) {
      expect(existsSync(join(root, file!)), file).toBe(true);
    }
  });
});

test('decisions are numbered in a row, each with its status and date, and in the index by subject', () => {
  const page = read('DECISIONS.md');
  const numbers = [...page.matchAll(/^## (\d+)\. /gm)].map((match) => Number(match[1]));
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  const statuses = page.match(/^(Accepted|Superseded)/gm) ?? [];
  expect(statuses).toHaveLength(numbers.length);
  const dates = page.match(/^Date: \d{4}-\d\d-\d\d$/gm) ?? [];
  expect(dates).toHaveLength(numbers.length);
  const [index = ''] = page.slice(page.indexOf('## By subject')).split('\n## 1. ');
  const titles = new Set([...page.matchAll(/^## (\d+\. .*)$/gm)].map(([, title]) => title));
  const listed = [...index.matchAll(/^- \[((\d+)\. .*)\]\(#(\d+)-/gm)];
  for (const [link, title, number, target] of listed) {
    expect(target, link).toBe(number);
    expect(titles, link).toContain(title);
  }
  const distinct = new Set(listed.map(([, , number]) => Number(number)));
  expect([...distinct].toSorted((a, b) => a - b)).toEqual(numbers);
});

test('what a later decision replaces or narrows is marked in the index', () => {
  const page = read('DECISIONS.md');
  const [index = ''] = page.slice(page.indexOf('## By subject')).split('\n## 1. ');
  const sections = [...page.matchAll(/^## (\d+)\. [^]*?(?=^## |(?![^]))/gm)];
  const changes = sections.flatMap(([text, number]) => {
    const [said = ''] = /^Accepted; it (?:replaces|narrows) [^.]*\./m.exec(text) ?? [];
    return [...said.matchAll(/\]\(#(\d+)-/g)].map(([, earlier]) => [earlier!, number!] as const);
  });
  expect(changes.length).toBeGreaterThan(4);
  for (const [earlier, later] of changes) {
    const lines = index.split('\n').filter((line) => line.startsWith(`- [${earlier}. `));
    for (const line of lines) expect(line).toMatch(new RegExp(`\\): .*\\b${later}\\b`));
  }
});
