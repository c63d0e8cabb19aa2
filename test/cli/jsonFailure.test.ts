import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-json-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const spoilt = at('BTC-1m.csv');
writeFileSync(
  spoilt,
  'timestamp,open,high,low,close,volume\n0,1,2,0.5,1,1\n60000,1,2,1,1,1\n180000,1,2,1,1,1\n',
);

const FAILING: ReadonlyArray<[argv: string[], exit: number, code: string, message: string]> = [
  [['status', at('none.yaml'), '--json'], 3, 'TRIMTAB_CONFIG_UNREADABLE', 'none.yaml'],
  [['data', 'show', at('none.csv'), '--json'], 1, 'TRIMTAB_DATA_REFUSED', 'none.csv'],
  [['data', 'show', spoilt, '--json', '--csv'], 2, 'TRIMTAB_USAGE', '--csv'],
  [['data', 'show', spoilt, '--json', '--hea'], 2, 'TRIMTAB_USAGE', '--hea'],
  [['conformance', '--json', '-'], 2, 'TRIMTAB_USAGE', '--base-url'],
  [['conformance', '--json=-'], 2, 'TRIMTAB_USAGE', '--base-url'],
  [['backtest', at('none.yaml'), '--json=-'], 1, 'TRIMTAB_CONFIG_UNREADABLE', 'none.yaml'],
  [['backtest', '--json', '-', at('none.yaml')], 1, 'TRIMTAB_CONFIG_UNREADABLE', 'none.yaml'],
];

test.each(FAILING)('%j fails with one line of JSON', async (argv, exit, code, message) => {
  const reported = await runMain(...argv);
  expect(reported).toMatchObject({ code: exit, out: '' });
  const { err } = reported;
  expect(err.split('\n')).toHaveLength(2);
  expect(JSON.parse(err)).toEqual({ code, message: expect.stringContaining(message) });
});

test('a failing command keeps its findings on stdout and adds the failure', async () => {
  const { code, out, err } = await runMain('data', 'check', spoilt, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ ok: false });
  expect(JSON.parse(err)).toMatchObject({ code: 'TRIMTAB_DATA_NOT_OK' });
});

test('with --debug the trace is in it', async () => {
  const { err } = await runMain('status', at('none.yaml'), '--json', '--debug');
  expect(JSON.parse(err)).toMatchObject({ trace: expect.stringContaining('at ') });
});

test.each([[['--json', at('out.json')]], [[`--json=${at('out.json')}`]]])(
  'if %j names a file, the failure is printed as text, with its code',
  async (flags) => {
    const { err } = await runMain('backtest', at('none.yaml'), ...flags);
    expect(err).toMatch(/^trimtab: /);
    expect(err).toContain('TRIMTAB_CONFIG_UNREADABLE: docs/errors.md');
  },
);
