import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runMain } from './runMain.ts';
import { loadMarketData } from '../../src/paper/index.ts';
import { writeFiles, zipOf } from '../backtest/data/writeFiles.ts';

const START = 1_725_148_800_000;
const rows = Array.from({ length: 12 }, (_none, minute) =>
  [START + minute * 60_000, 100, 101, 99, 100.5, 0.1].join(','),
);
const csv = `${['timestamp,open,high,low,close,volume', ...rows].join('\n')}\n`;
const klines = rows.map((row) => `${row},0,0,0,0,0,0`).join('\n');

describe('trimtab data import', () => {
  test.each([
    [['--symbol', ' '], 2, 'Name the market, such as --symbol BTC.'],
    [
      ['--symbol', 'BTC', '--out', '/no/such/q.trimtab'],
      1,
      "--out: /no/such/q.trimtab can't be written",
    ],
  ])('%j is refused, and no file is left', async (flags, code, message) => {
    const [path] = await writeFiles({ 'ok.csv': csv });
    const out = join(dirname(path!), 'q.trimtab');
    const said = await runMain('data', 'import', path!, '--out', out, ...flags);
    expect(said).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
    expect(await readdir(dirname(path!))).toEqual(['ok.csv']);
  });

  test.each(['check', 'show'])('%s requires a symbol too', async (command) => {
    const [path] = await writeFiles({ 'ok.csv': csv });
    const said = await runMain('data', command, path!, '--symbol', '');
    expect(said).toMatchObject({ code: 2, err: expect.stringContaining('Name the market') });
  });

  test('builds a cache from an archive, reports what it left out, and the paper service replays it', async () => {
    const zip = zipOf([{ name: 'BTCUSDT-1m-2024-09.csv', text: klines }]);
    const [path] = await writeFiles({ 'BTCUSDT-1m-2024-09.zip': zip });
    const out = join(dirname(path!), 'btc.trimtab');
    const flags = ['--symbol', 'BTC', '--interval', '5m', '--out', out];
    const said = await runMain('data', 'import', path!, ...flags);
    expect(said).toMatchObject({ code: 0 });
    expect(said.err).toBe(
      [
        'BTCUSDT-1m-2024-09.zip:BTCUSDT-1m-2024-09.csv: Binance klines.',
        'The last bar, 2024-09-01 00:10, is left out: the data ends 2024-09-01 00:12 (--keep-partial keeps it).',
        '',
      ].join('\n'),
    );
    expect(said.out).toContain(
      'btc.trimtab: BTC 5m bars, 2 rows, 2024-09-01 00:00 → 2024-09-01 00:05 UTC',
    );
    const settings = {
      feeds: [{ symbol: 'BTC', interval: '5m', path: out }],
      funding: {},
    } as const;
    const data = await loadMarketData({ ...settings, feeds: [...settings.feeds] });
    expect(data).toMatchObject({
      ok: true,
      value: { feeds: [{ symbol: 'BTC', volume: Float64Array.of(0.5, 0.5) }] },
    });
    expect(await readdir(dirname(path!))).toHaveLength(2);
  });

  test('says of a tick that is far from its neighbours, and of none that is not', async () => {
    const flags = ['--symbol', 'BTC', '--interval', '1m'];
    const importOf = async (text: string) => {
      const [path] = await writeFiles({ 'BTC-1m.csv': text });
      const out = join(dirname(path!), 'btc.trimtab');
      return [
        await runMain('data', 'import', path!, ...flags, '--out', out),
        await runMain('data', 'show', path!, '--symbol', 'BTC'),
      ];
    };
    const lines = csv.split('\n');
    lines[4] = lines[4]!.replace(',99,100.5,', ',49,50.25,');
    for (const { code, out } of await importOf(lines.join('\n'))) {
      expect(code).toBe(0);
      expect(out).toContain(
        'outliers 2, first 2024-09-01 00:03 closes -50.0 % from the bar before (trimtab data check lists them)',
      );
      expect(out).toContain('faults   none');
    }
    // The move of the newest bar alone.
    const [last] = await importOf(csv.replace(/,99,100\.5,(?=[^\n]*\n$)/, ',49,50.25,'));
    expect(last!.out).toMatch(/outliers 2024-09-01 00:11 closes -50\.0 % from the bar before$/m);
    for (const { out } of await importOf(csv)) expect(out).not.toContain('outliers');
  });

  test('says of bars that none has volume', async () => {
    const still = csv.replaceAll(/,0\.1$/gm, ',0');
    const [path] = await writeFiles({ 'BTC-1m.csv': still });
    const flags = ['--symbol', 'BTC', '--interval', '1m'];
    const out = join(dirname(path!), 'still.trimtab');
    const imported = await runMain('data', 'import', path!, ...flags, '--out', out);
    expect(imported.out).toContain('volume   none in any bar: no order will fill on them');
    const checked = await runMain('data', 'check', path!, '--symbol', 'BTC');
    expect(checked.out).toContain('no bar has volume, so that no order fills on them');
    const [sold] = await writeFiles({ 'BTC-1m.csv': csv });
    const other = await runMain('data', 'show', sold!, '--symbol', 'BTC');
    expect(other.out).toContain('prices ');
    expect(other.out).not.toContain('none in any bar');
  });

  test('refuses to overwrite its input, and leaves an old cache if it fails', async () => {
    const [path, bad] = await writeFiles({ 'BTC-1m.csv': csv, 'BTC-1m-bad.csv': `${csv}1,2` });
    const over = await runMain('data', 'import', path!, '--out', path!);
    expect(over).toMatchObject({ code: 2 });
    expect(over.err).toContain('is one of the files.');
    // By another way to it, and as the second of several.
    const again = await runMain('data', 'import', bad!, relative('.', path!), '--out', path!);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is one of the files.') });
    expect(await readFile(path!, 'utf8')).toBe(csv);
    const out = join(dirname(path!), 'btc.trimtab');
    expect((await runMain('data', 'import', path!, '--out', out)).code).toBe(0);
    const before = await readFile(out);
    const failed = await runMain('data', 'import', bad!, '--out', out);
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.err).toContain('BTC-1m-bad.csv:14: has 2 columns, not 6.');
    expect(await readFile(out)).toEqual(before);
  });

  test('needs an output file and an existing interval', async () => {
    expect(await runMain('data', 'import', 'x.csv')).toMatchObject({ code: 2 });
    const flags = ['--out', 'y', '--interval', '7m'];
    expect(await runMain('data', 'import', 'x.csv', ...flags)).toMatchObject({ code: 2 });
    const nowhere = await runMain('data', 'import', 'none.csv', '--out', 'y');
    expect(nowhere.err).toContain('none.csv: There is no such file.');
  });
});

describe('trimtab data check', () => {
  test('exits with 0 if all is well and with 1 on any problem', async () => {
    const [good, gappy] = await writeFiles({
      'BTC-1m.csv': csv,
      'ETH-1m.csv': csv.replace(`${rows[5]}\n`, ''),
    });
    expect(await runMain('data', 'check', good!)).toMatchObject({ code: 0, err: '' });
    const found = await runMain('data', 'check', good!, gappy!);
    expect(found).toMatchObject({
      code: 1,
      err: 'trimtab: 1 of 2 not ok.\n(TRIMTAB_DATA_NOT_OK: docs/errors.md#trimtab_data_not_ok)\n',
    });
    expect(found.out).toContain('    line 7         2024-09-01 00:05  1 bar missing\n');
    expect(await runMain('data', 'check', gappy!, '--allow-gaps')).toMatchObject({ code: 0 });
    const { out } = await runMain('data', 'check', gappy!, '--json', '--limit', '0');
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      files: [
        {
          symbol: 'ETH',
          interval: '1m',
          rows: 11,
          ok: false,
          findings: [{ kind: 'gap', line: 7, time: START + 300_000, rows: 1 }],
        },
      ],
    });
  });

  test('takes a percentage as outlier threshold', async () => {
    const [path] = await writeFiles({ 'BTC-1m.csv': csv.replace('100.5,0.1', '99,0.1') });
    const { out } = await runMain('data', 'check', path!, '--outlier', '1');
    expect(out).toContain('closes 1.5 % from the bar before');
    expect(await runMain('data', 'check', path!, '--outlier', '0')).toMatchObject({ code: 2 });
  });
});

describe('trimtab data show', () => {
  test('describes a file as text, as JSON, and prints it as CSV', async () => {
    const [path] = await writeFiles({ 'BTC-1m.csv': csv });
    const text = await runMain('data', 'show', path!, '--head', '1');
    const all = await runMain('data', 'show', path!, '--csv', '--head', '1');
    expect([all.code, all.err]).toEqual([2, expect.stringContaining('cannot be used with option')]);
    expect(text.out).toBe(
      [
        'BTC-1m.csv: BTC 1m bars, 12 rows, 2024-09-01 00:00 → 2024-09-01 00:11 UTC',
        '  format   CSV',
        '  gaps     none',
        '  faults   none',
        '  prices   99 … 101',
        '',
        '              time  open  high  low  close  volume',
        '  2024-09-01 00:00   100   101   99  100.5     0.1',
        '  …',
        '  2024-09-01 00:11   100   101   99  100.5     0.1',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await runMain('data', 'show', path!, '--json')).out) as unknown;
    expect(json).toMatchObject([{ rows: 12, gaps: 0, lowest: 99, first: { length: 3 } }]);
    expect((await runMain('data', 'show', path!, '--csv')).out).toBe(csv);
    expect(await runMain('data', 'show', path!, '--csv', '--json')).toMatchObject({ code: 2 });
  });

  test('writes one series as CSV, never two in one', async () => {
    const entries = [1, 2].map((month) => ({ name: `BTC-1m-${month}.csv`, text: klines }));
    const [path] = await writeFiles({ 'months.zip': zipOf(entries) });
    expect((await runMain('data', 'show', path!)).out.match(/^months\.zip:BTC-1m/gm)).toHaveLength(
      2,
    );
    const refused = await runMain('data', 'show', path!, '--csv');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('months.zip holds 2 files.');
  });
});
