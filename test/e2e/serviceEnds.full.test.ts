import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { everyBar, longEntry } from './plugins.ts';
import { openWorkshop, remoteBot, type Service, type Workshop } from './startProcess.ts';

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

const restingToo = everyBar.replace('import { map }', 'import { mergeMap }').replace(
  "map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),",
  `mergeMap((bar) => [
      placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 }),
      placeOrder.limit({ symbol: ctx.symbol, side: 'buy', size: 0.001, price: Math.round(bar.close * 0.96) }),
    ]),`,
);

/** Runs it until it has traded, stops it by SIGTERM, and returns its output. */
async function runAndStop(
  given: Workshop,
  environment: Record<string, string>,
  ...flags: string[]
) {
  const bot = given.start(['run', 'bot.yaml', '--log-level', 'info', ...flags], environment);
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toMatch(/(accepted[^]*){4}/);
  bot.child.kill('SIGTERM');
  await once(bot.child, 'exit');
  return bot.text();
}

test('its closing lines list what it leaves on the service, after its stop policy', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(1_200);
  const environment = { TRIMTAB_TEST_SECRET: service.secret };
  workshop.write('own.ts', restingToo);
  workshop.write('bot.yaml', `${remoteBot(service)}report: ./never.html\n`);
  const left = await runAndStop(workshop, environment, '--set', 'stop_policy=leave');
  expect(left).toContain('remote: report: A report is made of a paper run');
  expect(left).toContain('remote: stopping, stop_policy leave');
  expect(left).toMatch(/^open: main: long 0\.\d+ BTC at [\d.]+, without a stop of its size$/m);
  expect(left).toMatch(/^working: main: ord_\w+, limit buy 0\.001 BTC at \d+$/m);

  // Another journal: the position of the first bot is unowned, and reported so.
  const other = await runAndStop(workshop, environment, '--journal', 'memory');
  expect(other).toMatch(/main: orders and executions, \d+ on its symbols are not in this journal/);

  const flat = await runAndStop(workshop, environment, '--set', 'stop_policy=flatten');
  expect(flat).toContain('remote: stopping, stop_policy flatten');
  expect(flat).not.toMatch(/^(open|working): /m);
}, 120_000);

test('a key that is revoked at run time is reported once, with a remedy', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(60);
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot(service));
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('Entries are open');
  await fetch(`${service.base_url}/paper/keys/${service.key_id}`, { method: 'DELETE' });
  const again = /(refused_401_unknown_key[^]*){3}/;
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toMatch(again);
  bot.child.kill('SIGTERM');
  await once(bot.child, 'close');
  const reported = bot
    .text()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  expect(reported).toEqual([expect.stringContaining('"code":"unknown_key"')]);
  expect(reported[0]).toMatch(/refuses this bot's key \(401\)[^]*link\.key_id and link\.secret/);
}, 60_000);

test('a bot whose key stays refused shows it in its status, and exits for its supervisor', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(60);
  workshop.write('own.ts', everyBar);
  const config = remoteBot(service).replace('link:\n', 'link:\n  auth_retry_seconds: 8\n');
  expect(config).toContain('auth_retry_seconds');
  workshop.write('bot.yaml', config);
  const status = async (): Promise<[number | null, string]> => {
    const { child, text } = workshop!.start(['status', 'bot.yaml', '--json']);
    const [code] = (await once(child, 'close')) as [number | null];
    return [code, text()];
  };
  expect(await status()).toEqual([2, expect.stringContaining('it has no pulse')]);
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  const ended = once(bot.child, 'close');
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('Entries are open');
  await expect.poll(status, { timeout: 20_000 }).toEqual([0, expect.stringContaining('"well"')]);
  await fetch(`${service.base_url}/paper/keys/${service.key_id}`, { method: 'DELETE' });
  const refused = [1, expect.stringContaining("the service refuses this bot's key (401)")];
  await expect.poll(status, { timeout: 20_000 }).toEqual(refused);
  const [code] = (await ended) as [number | null];
  expect(code).toBe(1);
  expect(bot.text()).toMatch(/For 8 s the service refuses[^]*TRIMTAB_SERVICE_KEY_REFUSED/);
  expect(await status()).toEqual([2, expect.stringContaining('it failed')]);
}, 90_000);

test('a bot whose stream never opens ends at the first SIGTERM', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(1_200);
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot({ ...service, ws_url: 'ws://127.0.0.1:1/v1/stream' }));
  const bot = workshop.start(['run', 'bot.yaml', '--set', 'stop_policy=flatten'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('socket lost');
  bot.child.kill('SIGTERM');
  const [code] = (await once(bot.child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(bot.text()).toContain('remote: stopping, before its stream was up, stop_policy flatten');
}, 60_000);

/** Ten flat minutes of history and ten more, then five percent lower. */
function fallingTape(): string {
  const rows = Array.from({ length: 30 }, (_none, at) => {
    const [open, close] = [at > 20 ? 95_000 : 100_000, at >= 20 ? 95_000 : 100_000];
    return [Date.UTC(2025, 0, 1) + at * 60_000, open, open, close, close, 1e6].join(',');
  });
  return `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`;
}

test('a liquidation is logged once, and listed in the closing lines', async () => {
  workshop = openWorkshop('service');
  workshop.write('btc.csv', fallingTape());
  const paper = ['paper', '--port', '0', '--paused', '--warmup', '10', '--balance', '10000'];
  const { child } = workshop.start([...paper, '--feed', 'BTC@1m=btc.csv']);
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  const service = JSON.parse(line) as Service;
  const advance = (bars: number): Promise<unknown> =>
    fetch(`${service.base_url}/paper/replay/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bars, interval: '1m' }),
    });
  const use = join(root, 'test/backtest/plants/goesAllIn.ts');
  const yaml = remoteBot(service, 'guards: { max_leverage: 100 }\n').replace('./own.ts', use);
  workshop.write('bot.yaml', yaml);
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('Entries are open');
  await advance(1);
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('place_order accepted');
  await advance(12);
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('BTC on main was liquidated');
  bot.child.kill('SIGTERM');
  await once(bot.child, 'close');
  expect(bot.text().match(/was liquidated/g)).toHaveLength(1);
  expect(bot.text()).toMatch(/"level":50,[^\n]*"strategy":"own"[^\n]*BTC on main was liquidated/);
  expect(bot.text()).toMatch(/^LIQUIDATED: BTC on main, 2025-01-01 00:20 UTC$/m);
}, 60_000);

test('a bot started with --journal is reached with the same flag', async () => {
  const shop = openWorkshop('control');
  workshop = shop;
  const service = await shop.startPaper(300);
  shop.write('own.ts', longEntry);
  shop.write('bot.yaml', remoteBot(service));
  const flags = ['run', 'bot.yaml', '--journal', 'other.sqlite'];
  const bot = shop.start(flags, { TRIMTAB_TEST_SECRET: service.secret });
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('strategies own');
  const kill = async (...more: string[]) => {
    const { child, text } = shop.start(['kill', 'L2', 'bot.yaml', ...more]);
    await once(child, 'close');
    return text();
  };
  expect(await kill()).toMatch(/or not with this journal[^]*--journal\? Name it here as well/);
  expect(await kill('--journal', 'other.sqlite')).toBe('remote is at L2.\n');
}, 60_000);
