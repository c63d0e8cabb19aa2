import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { createLiveEnv } from '../../src/env/index.ts';
import { createSqliteStore } from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { useTestDatabase } from '../journal/useTestDatabase.ts';
import { keepOld } from '../runtime/keepOld.ts';
import { rotated } from '../tiers.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

/** Proposes a small entry every minute. */
const entries = `import { defineStrategy, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'small', contract: 1, description: 'Small entries.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.every('1m').pipe(
    map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),
  ),
});
`;
let accounts = 0;

const database = useTestDatabase();

describe.each(
  rotated(
    [
      { name: 'a file', written: './bot.sqlite' },
      { name: 'PostgreSQL', written: '{ url: { env: TRIMTAB_TEST_DATABASE }, account: ACCOUNT }' },
    ],
    1,
  ),
)('a bot that runs, whose journal is in $name', ({ name, written }) => {
  let workshop: Workshop;
  let service: Service;
  let key: string;

  const start = (...args: string[]): Started =>
    workshop.start(args, {
      TRIMTAB_TEST_SECRET: service.secret,
      TRIMTAB_TEST_DATABASE: database().url,
    });
  const run = (): Started => start('run', 'bot.yaml', '--log-level', 'info');
  async function report(...args: string[]): Promise<{ code: number | null; text: string }> {
    const reported = start(...args);
    const [code] = (await once(reported.child, 'close')) as [number | null];
    return { code, text: reported.text() };
  }
  const settle = (as: string, ...more: string[]) =>
    report(
      'settle',
      'bot.yaml',
      key.slice(0, 8),
      '--as',
      as,
      '--reason',
      'not in its list',
      ...more,
    );

  beforeEach(async () => {
    workshop = openWorkshop('settle');
    service = await workshop.startPaper(300);
    workshop.write('own.ts', entries);
    const account = `settled-${accounts++}`;
    const journal = written.replace('ACCOUNT', account);
    const guards = 'guards: { max_position_notional: 10000 }\n';
    workshop.write('bot.yaml', remoteBot(service, guards).replace('./bot.sqlite', journal));
    const path = join(workshop.folder, 'bot.sqlite');
    const store =
      name === 'a file'
        ? createSqliteStore(path)
        : await createPostgresStore({ url: database().url, account, env: createLiveEnv() });
    const states = ['sending', 'unknown'] as const;
    key = await keepOld(store, { name: 'old', instance: 'own', states });
    await store.close();
  }, 60_000);

  afterEach(() => workshop.close());

  it('trades again once an operator has settled an unresolved intent', async () => {
    const bot = run();
    await expect.poll(bot.text, { timeout: 30_000 }).toContain('launch_basket unresolved');
    // The command, ready to be typed.
    const config = join(workshop.folder, 'bot.yaml');
    expect(bot.text()).toContain(`trimtab settle ${config} ${key} --as accepted|absent`);
    await expect.poll(bot.text, { timeout: 30_000 }).toContain('max_position_notional');
    expect(bot.text()).not.toContain('place_order accepted');

    const typo = await settle('accepted', '--record', 'exe_typo');
    expect([typo.code, typo.text]).toEqual([
      1,
      expect.stringContaining('main has no execution exe_typo'),
    ]);
    const wrong = await settle('accepted', '--record', 'exe_1', '--unchecked', '--debug');
    expect(wrong).toEqual({ code: 0, text: `launch_basket ${key} is accepted.\n` });
    const twice = await settle('absent');
    expect(twice.code).toBe(1);
    expect(twice.text).toContain(`${key} can't be settled: it is accepted already`);
    await expect.poll(bot.text, { timeout: 30_000 }).toContain('launch_basket accepted');

    bot.child.kill('SIGTERM');
    await once(bot.child, 'exit');
    const next = run();
    // It no longer counts and is no longer reported.
    await expect.poll(next.text, { timeout: 30_000 }).toContain('place_order accepted');
    expect(next.text()).not.toContain('launch_basket');
  }, 120_000);

  it('releases its exposure at once when the intent is absent', async () => {
    const bot = run();
    await expect.poll(bot.text, { timeout: 30_000 }).toContain('max_position_notional');
    expect(bot.text()).not.toContain('place_order accepted');
    expect(await settle('absent')).toEqual({
      code: 0,
      text: `launch_basket ${key} is absent.\n`,
    });
    await expect.poll(bot.text, { timeout: 30_000 }).toContain('place_order accepted');
    expect((await report('journal', 'explain', 'bot.yaml', key)).text).toContain(
      'settled it as absent (not in its list)',
    );
    expect((await report('journal', 'verify', 'bot.yaml')).code).toBe(0);
  }, 120_000);
});
