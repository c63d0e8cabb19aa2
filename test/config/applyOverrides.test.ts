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
