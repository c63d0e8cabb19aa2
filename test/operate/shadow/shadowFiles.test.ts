import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shadowFilesOf } from '../../../src/operate/shadow/shadowFiles.ts';

type Bot = Parameters<typeof shadowFilesOf>[0];
const filesOf = (journal: object, instance = 'trend') =>
  shadowFilesOf({ file: '/bots/demo.yaml', journal } as unknown as Bot, instance);

test('a shadow leaves its files beside its bot’s journal, each strategy its own', () => {
  const path = '/journals/demo.sqlite';
  expect(filesOf({ path })).toEqual({
    journal: '/journals/demo.sqlite.shadow-trend.sqlite',
    figures: '/journals/demo.sqlite.shadow-trend.json',
  });
  expect(filesOf({ path }, 'carry')).toEqual({
    journal: '/journals/demo.sqlite.shadow-carry.sqlite',
    figures: '/journals/demo.sqlite.shadow-carry.json',
  });
});

test('beside a journal in a database they are where the bot’s other files are', () => {
  const url = 'postgres://somewhere/trimtab';
  // The path is that of a bot without a database, and says nothing here.
  for (const path of ['memory', '/journals/demo.sqlite']) {
    expect(filesOf({ path, url })?.figures).toBe('/bots/demo.yaml.shadow-trend.json');
    const folder = join('/run', 'trimtab');
    expect(filesOf({ path, url, control_directory: folder })).toEqual({
      journal: '/run/trimtab/demo.yaml.shadow-trend.sqlite',
      figures: '/run/trimtab/demo.yaml.shadow-trend.json',
    });
  }
});

test('beside a journal in memory there are none', () => {
  expect(filesOf({ path: 'memory' })).toBeNull();
});
