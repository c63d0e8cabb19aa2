import { expect, test } from 'vitest';
import { INTERVALS } from '../../src/contract/index.ts';
import { runMain } from './runMain.ts';

const DEMO = 'configs/demo.yaml';
const COMMANDS: ReadonlyArray<readonly string[]> = [
  ['run', DEMO, '--no-report', '--feed', 'BTC@INTERVAL=btc.csv'],
  ['backtest', DEMO, '--no-report', '--feed', 'BTC@INTERVAL=btc.csv'],
  ['check', DEMO, '--feed', 'BTC@INTERVAL=btc.csv'],
  ['sweep', DEMO, '--param', 'trend.fast=5..6:1', '--feed', 'BTC@INTERVAL=btc.csv'],
  ['paper', '--feed', 'BTC@INTERVAL=btc.csv'],
  ['data', 'import', 'btc.csv', '--out', 'btc.trimtab', '--interval', 'INTERVAL'],
  ['data', 'check', 'btc.csv', '--source-interval', 'INTERVAL'],
];

const cases = COMMANDS.flatMap((argv) =>
  ['7m', '1min', '10'].map((interval) => ({ argv, interval })),
);

test.each(cases)(
  '$argv is refused with $interval and the known intervals',
  async ({ argv, interval }) => {
    const given = argv.map((word) => word.replace('INTERVAL', interval));
    const { code, err } = await runMain(...given);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(new RegExp(`--(feed|interval|source-interval)\\b`));
    expect(err).toContain(interval);
    const meant = /Did you mean (\w+)\?/.exec(err)?.[1];
    const isNamed = INTERVALS.every((known) => new RegExp(`\\b${known}\\b`).test(err));
    expect({ err, isHelped: isNamed || INTERVALS.some((known) => known === meant) }).toMatchObject({
      isHelped: true,
    });
  },
);
