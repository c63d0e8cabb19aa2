import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../../src/journal/index.ts';
import { openTwoWallets } from '../../operate/watchedBot.ts';
import { runMain } from '../runMain.ts';

test('a day whose P&L can’t be asked for says why, whatever keeps it from being asked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createSqliteStore(join(folder, 'bot.sqlite')).close();
  writeFileSync(join(folder, 'secret'), 'vs_of_the_test', { mode: 0o600 });
  writeFileSync(join(folder, 'broken.ts'), "throw new Error('a dialect that is broken');\n");
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `name: remote
link: { kind: paper_service, base_url: "http://127.0.0.1:1", key_id: vk_a, secret: { file: ./secret } }
dialect_module: ./broken.ts
strategies: [{ name: own, use: ./own.ts, symbols: [BTC] }]
journal: ./bot.sqlite
`,
  );
  const { code, out, err } = await runMain('report', config, '--day', '2026-01-31');
  expect([code, out]).toEqual([0, expect.stringContaining('No intents.')]);
  expect(err).toMatch(/^The service's P&L is left out: .*broken\.ts[^]*a dialect that is broken/);
  // The service counts by days of UTC: those of another zone have no P&L, and it is not asked.
  const zone = ['--day', '2026-01-31', '--tz', 'Europe/Berlin'];
  const inBerlin = await runMain('report', config, ...zone);
  expect([inBerlin.code, inBerlin.err]).toEqual([
    0,
    "The service's P&L is left out: it is counted by days of UTC; leave out --tz\n",
  ]);
  expect(inBerlin.out).toContain('Europe/Berlin');
});

test('the P&L of a day is that of every wallet of the bot, and of that day alone', async () => {
  const server = await openTwoWallets();
  onTestFinished(() => server.close());
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createSqliteStore(join(folder, 'bot.sqlite')).close();
  writeFileSync(join(folder, 'secret'), server.secret, { mode: 0o600 });
  const config = join(folder, 'bot.yaml');
  const strategies = [
    '{ name: first, use: ./own.ts, symbols: [BTC] }',
    '{ name: second, use: ./own.ts, symbols: [ETH], wallet: second }',
  ];
  writeFileSync(
    config,
    `name: remote
link: { kind: paper_service, base_url: "${server.baseUrl}", key_id: ${server.keyId}, secret: { file: ./secret } }
strategies: [${strategies.join(', ')}]
journal: ./bot.sqlite
`,
  );
  const places = { main: 'BTC', second: 'ETH' };
  const rowsOf = async (wallet: string): Promise<{ day: string }[]> =>
    (await server.ask('/v1/account/pnl', { headers: { 'x-service-wallet': wallet } })).body.items;
  const trade = async (side: string): Promise<void> => {
    for (const [wallet, symbol] of Object.entries(places)) {
      const body = { symbol, side, order_type: 'market', size: 0.1 };
      const headers = { 'x-service-wallet': wallet, 'idempotency-key': `${wallet}-${side}-0001` };
      const { status } = await server.ask('/v1/order', { method: 'POST', headers, body });
      expect(status).toBeLessThan(300);
    }
  };
  const advance = (bars: number) =>
    server.control('POST', '/paper/replay/advance', { bars, interval: '1m' });
  await advance(1);
  await trade('buy');
  // Over midnight.
  await advance(1_500);
  await trade('sell');
  await advance(1);
  const days = [...new Set((await rowsOf('main')).map(({ day }) => day))].toSorted();
  expect(days.length).toBeGreaterThan(1);
  for (const day of days) {
    const { code, out } = await runMain('report', config, '--day', day, '--json', '-');
    const expected = [];
    for (const wallet of Object.keys(places)) {
      const rows = (await rowsOf(wallet)).filter((row) => row.day === day);
      expected.push({ wallet, rows });
    }
    expect([code, JSON.parse(out).pnl]).toEqual([0, expected]);
  }
});

test('the day of a bot takes no flags and no files of a run’s figures', async () => {
  for (const [argv, words] of [
    [['bot.yaml', 'other.yaml', '--day'], 'The day of one bot is reported at a time.'],
    [['run.json', '--day'], "--day goes with a bot's YAML, and run.json is none."],
    [['bot.yaml', '--day', '--html', 'day.html'], 'The day of a bot has no --html.'],
    [['bot.YML', '--csv', 'day.csv'], 'The day of a bot has no --csv.'],
    [['bot.yaml', '--benchmark', 'spx.csv'], 'The day of a bot has no --benchmark.'],
    [['bot.yaml', '--trades', 'lots'], 'The day of a bot has no --trades.'],
  ] as const) {
    const { code, err } = await runMain('report', ...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  }
});

test('a day that is none is refused before anything is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `name: remote
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 800 } }] }
strategies: [{ name: own, use: ./own.ts, symbols: [BTC] }]
journal: ./bot.sqlite
`,
  );
  for (const day of ['2026-02-30', '2026-13-01', 'yesterday', '2026-1-1']) {
    const { code, err } = await runMain('report', config, '--day', day);
    expect([code, err]).toEqual([2, expect.stringContaining(`--day ${day}: a day is such as`)]);
  }
});
