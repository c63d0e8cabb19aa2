import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { applyOverrides, type ConfigOverrides } from '../../src/config/applyOverrides.ts';

const file = () => ({
  seed: 1,
  paper: { feeds: [{ symbol: 'BTC', interval: '1m', generate: { seed: 7 } }] },
  strategies: [
    { name: 'one', params: { period: 1, bands: { width: 2 } } },
    { name: 'two', params: { period: 1 } },
  ],
});
const alone = () => ({ ...file(), strategies: file().strategies.slice(0, 1) });

function changed(value: object, overrides: ConfigOverrides): object {
  const before = structuredClone(value);
  const { value: after, faults } = applyOverrides(value, overrides);
  expect(faults).toEqual([]);
  // What was read of the file stays as it was.
  expect(value).toEqual(before);
  return after as object;
}

test('a parameter is of the strategy that it names, or of the only one', () => {
  expect(changed(file(), { params: ['two.period=9'] })).toMatchObject({
    strategies: [{ params: { period: 1 } }, { params: { period: 9 } }],
  });
  expect(changed(alone(), { params: ['period=9', 'bands.width=3'] })).toMatchObject({
    strategies: [{ params: { period: 9, bands: { width: 3 } } }],
  });
  expect(applyOverrides(file(), { params: ['period=9'] }).faults).toHaveLength(1);
  expect(applyOverrides(alone(), { params: ['other.period=9'] }).faults).toHaveLength(1);
});

test('a strategy is reached by its whole name, with its dots and digits', () => {
  const strategies = ['ema', 'ema.v2', '007', '7'].map((name) => ({ name, params: { fast: 1 } }));
  const set = (param: string): unknown => {
    const { strategies: after } = changed({ strategies }, { params: [param] }) as {
      strategies: Array<{ params: unknown }>;
    };
    return after.map(({ params }) => params);
  };
  const [one, eight] = [{ fast: 1 }, { fast: 8 }];
  expect(set('ema.fast=8')).toEqual([eight, one, one, one]);
  expect(set('ema.v2.fast=8')).toEqual([one, eight, one, one]);
  expect(set('ema.v2=8')).toEqual([{ fast: 1, v2: 8 }, one, one, one]);
  expect(set('007.fast=8')).toEqual([one, one, eight, one]);
  expect(set('7.fast=8')).toEqual([one, one, one, eight]);
  const refused = (param: string, names: readonly string[]) =>
    applyOverrides({ strategies: names.map((name) => ({ name })) }, { params: [param] }).faults;
  expect(refused('emma.v2.fast=8', ['ema.v2', 'other'])).toMatchObject([
    {
      reason: 'no strategy is called emma.v2 (there is: ema.v2, other)',
      remedy: 'Write ema.v2.fast=8.',
    },
  ]);
  expect(refused('x.fast=8', ['ema.v2', '007'])).toMatchObject([
    { reason: 'no strategy is called x (there is: ema.v2, 007)', remedy: 'Write ema.v2.fast=8.' },
  ]);
  expect(refused('07.list[0]=8', ['007', 'x'])).toMatchObject([
    { reason: 'no strategy is called 07 (there is: 007, x)', remedy: 'Write 007.list[0]=8.' },
  ]);
});

test('a value that is not YAML is a fault of its flag', () => {
  for (const [overrides, flag] of [
    [{ seed: '[1' }, '--seed [1'],
    [{ set: ['name=[1'] }, '--set name'],
    [{ params: ['one.period=[1'] }, '--param one.period'],
  ] as const) {
    expect(applyOverrides(file(), overrides)).toMatchObject({
      faults: [{ file: flag, reason: 'the value is not YAML', remedy: 'Quote it.' }],
      applied: [],
    });
  }
});

test('a value is YAML, may hold an equals sign, and a parameter counts after a setting', () => {
  const set = ['strategies[0].params.period=5', 'name=a=b'];
  expect(changed(file(), { set, params: ['one.period=6'], seed: '12' })).toMatchObject({
    name: 'a=b',
    seed: 12,
    strategies: [{ params: { period: 6 } }, { params: { period: 1 } }],
  });
});

test('a journal is a path from here, memory or a database', () => {
  const url = 'postgres://user@host/bots';
  for (const [given, expected] of [
    ['memory', 'memory'],
    [url, url],
    ['x.sqlite', resolve('x.sqlite')],
  ] as const) {
    expect(changed(file(), { journal: given })).toMatchObject({ journal: expected });
  }
});

test('what a flag had to make on its way is the flag’s too, and what the file has is not', () => {
  const appliedBy = (...set: string[]): Array<[string, string]> =>
    applyOverrides(file(), { set }).applied.map(({ path, flag }) => [path.join('.'), flag]);
  expect(appliedBy('guard.x=1')).toEqual([
    ['guard', '--set guard.x'],
    ['guard.x', '--set guard.x'],
  ]);
  expect(appliedBy('paper.latency.order_ms=5')).toEqual([
    ['paper.latency', '--set paper.latency.order_ms'],
    ['paper.latency.order_ms', '--set paper.latency.order_ms'],
  ]);
  expect(appliedBy('paper.feeds[0].generate.seed=5', 'name=x')).toEqual([
    ['paper.feeds.0.generate.seed', '--set paper.feeds[0].generate.seed'],
    ['name', '--set name'],
  ]);
});
