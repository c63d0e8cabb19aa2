import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { inTurn } from './plugins.ts';
import { openWorkshop, remoteBot, type Workshop } from './startProcess.ts';

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

interface Compared {
  comparisons: Array<{
    state: string;
    same: number;
    parted: number;
    counts: { live: { intents: number }; shadow: { intents: number } };
    pairs: Array<{ differs: string[] }>;
  }>;
}

async function compare(...argv: string[]) {
  const command = workshop!.start(['compare-live', 'bot.yaml', ...argv]);
  let out = '';
  command.child.stdout!.on('data', (text) => (out += String(text)));
  const [code] = (await once(command.child, 'close')) as [number | null];
  return { code, out, text: command.text() };
}

test('a shadow runs beside a bot on a service, is compared while it runs, and holds no secret', async () => {
  workshop = openWorkshop('shadow');
  const service = await workshop.startPaper(1_200);
  workshop.write('own.ts', inTurn);
  const bare = remoteBot(service);
  workshop.write('bare.yaml', bare);
  workshop.write(
    'bot.yaml',
    bare.replace('symbols: [BTC] }', 'symbols: [BTC], shadow: { use: ./own.ts } }'),
  );
  const none = workshop.start(['compare-live', 'bare.yaml']);
  await once(none.child, 'close');
  expect(none.text()).toContain('No strategy of remote has a shadow.');
  expect((await compare()).text).toMatch(/the shadow of own has not run yet\.\n +Start the bot/);

  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'debug'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toMatch(/(accepted[^]*){6}/);
  const figures = join(workshop.folder, 'bot.sqlite.shadow-own.json');
  await expect.poll(() => existsSync(figures), { timeout: 20_000 }).toBe(true);
  expect((await compare()).text).toMatch(/shadow running; .* UTC/);
  // It decides by the bar's own time; what the bot denied while it started up is no decision of the shadow's.
  const sameOf = async (): Promise<number> => {
    const { out } = await compare('--json', '--strategy', 'own');
    return (JSON.parse(out) as Compared).comparisons[0]!.same;
  };
  await expect.poll(sameOf, { timeout: 30_000, interval: 500 }).toBeGreaterThan(2);
  bot.child.kill('SIGTERM');
  await once(bot.child, 'exit');
  expect(bot.text()).not.toMatch(/shadow was ended/);

  const { code, out } = await compare('--json', '--strategy', 'own');
  expect(code).toBe(0);
  const [compared] = (JSON.parse(out) as Compared).comparisons;
  expect(compared!.state).toBe('ended');
  expect(compared!.same).toBeGreaterThan(2);
  const other = await compare('--strategy', 'nope');
  expect(other).toMatchObject({ code: 2, text: expect.stringContaining('remote has own') });

  const left = readdirSync(workshop.folder).filter((name) => name.includes('.shadow-'));
  expect(left.length).toBeGreaterThanOrEqual(2);
  for (const name of left)
    expect(readFileSync(join(workshop.folder, name)).includes(service.secret), name).toBe(false);
}, 90_000);
