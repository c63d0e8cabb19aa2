import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { createSqliteStore } from '../../src/journal/index.ts';
import { everyBar } from './plugins.ts';
import { openWorkshop, remoteBot, type Workshop } from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

it('a bot trades on a paper service in another process, and stops cleanly', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(1_200);
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot(service));
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'debug'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toMatch(/(accepted[^]*){4}/);
  bot.child.kill('SIGTERM');
  const [code] = (await once(bot.child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(bot.text()).not.toContain(service.secret);

  const journal = createSqliteStore(join(workshop.folder, 'bot.sqlite'));
  const accepted = journal.intents().filter(({ state }) => state === 'accepted');
  expect(accepted.length).toBeGreaterThanOrEqual(2);
  const steps = journal.entries(accepted[0]!.key).map(({ state }) => state);
  expect(steps).toEqual(['emitted', 'guarded', 'sending', 'accepted']);
  await journal.close();
}, 60_000);

it('a run on embedded paper never takes the journal of a bot on a service', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(1_200);
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot(service));
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'debug'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('accepted');
  bot.child.kill('SIGTERM');
  await once(bot.child, 'exit');
  expect(bot.text()).toMatch(/remote: on paper at http:.*strategies own/);
  expect(bot.text()).toMatch(/^own +\d+/m);

  workshop.write(
    'paper.yaml',
    `name: rehearsal
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, generate: { bars: 700 } }], speed: max }
strategies: [{ name: own, use: ./own.ts, symbols: [BTC] }]
journal: ./bot.sqlite
`,
  );
  const rehearsal = workshop.start(['run', 'paper.yaml']);
  const [code] = (await once(rehearsal.child, 'exit')) as [number | null];
  expect(code).toBe(1);
  expect(rehearsal.text()).toContain('is that of a bot on a service');
}, 60_000);

it('a key with a wrong secret is refused with a remedy', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(1_200);
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot(service));
  const bot = workshop.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: `${service.secret}x` });
  const [code] = (await once(bot.child, 'exit')) as [number | null];
  expect(code).toBe(1);
  expect(bot.text()).toMatch(/refused the key[^]*Do link\.key_id and link\.secret belong together/);
}, 60_000);

it('a mistaken address or wallet is named, and leaves no journal that refuses the right one', async () => {
  workshop = openWorkshop('service');
  const service = await workshop.startPaper(1_200);
  workshop.write('own.ts', everyBar);
  workshop.write('bot.yaml', remoteBot(service));
  const environment = { TRIMTAB_TEST_SECRET: service.secret };
  const mistaken = async (set: string) => {
    const bot = workshop!.start(['run', 'bot.yaml', '--set', set], environment);
    const [code] = (await once(bot.child, 'close')) as [number | null];
    expect(code).toBe(1);
    return bot.text();
  };
  const nowhere = await mistaken('link.base_url=http://127.0.0.1:1');
  expect(nowhere).toContain('The service at http://127.0.0.1:1 does not answer');
  expect(nowhere).toContain('link.base_url right?');
  expect(await mistaken('strategies[0].wallet=nope')).toContain('the key has no wallet nope');

  const bot = workshop.start(['run', 'bot.yaml'], environment);
  await expect.poll(() => bot.text(), { timeout: 20_000 }).toContain('strategies own');
}, 60_000);
