import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { rotated } from '../tiers.ts';
import { openWorkshop, remoteBot, type Service, type Workshop } from './startProcess.ts';

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

const plugin = `import { defineStrategy, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'own', contract: 1, description: 'Buys at each bar.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.every('1m').pipe(
    map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),
  ),
});
`;

/** Runs the bot until it has said this, and stops it in order. */
async function runUntil(service: Service, words: string, flags: readonly string[] = []) {
  const bot = workshop!.start(['run', 'bot.yaml', '--log-level', 'info', ...flags], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toMatch(new RegExp(words));
  bot.child.kill('SIGTERM');
  await once(bot.child, 'close');
  return bot.text();
}

const HELD = "adds no exposure: the position in BTC on main was own's and no strategy owns it";

test.each(
  rotated(
    [
      ['--adopt', 'BTC=renamed', /position long \S+ BTC at \S+: renamed/, 'place_order accepted'],
      // What is ignored no strategy trades; the wallet's other symbols are free.
      [
        '--ignore',
        'BTC',
        /position long \S+ BTC at \S+: no owner, ignored/,
        'BTC is an operator’s until it is closed',
      ],
      ['--flatten', 'BTC', /found open:/, 'place_order accepted'],
    ] as const,
    1,
  ),
)(
  '%s releases the position of a renamed strategy, in the next process too',
  async (flag, value, line, words) => {
    workshop = openWorkshop('owners');
    const service = await workshop.startPaper(60);
    workshop.write('own.ts', plugin);
    const config = remoteBot(service, '');
    workshop.write('bot.yaml', config);
    await runUntil(service, 'Filled');
    workshop.write('bot.yaml', config.replace('name: own', 'name: renamed'));
    const held = await runUntil(service, 'denied');
    expect(held).toMatch(/position long \S+ BTC at \S+: no owner, it was own's/);
    expect(held).toContain(HELD);
    expect(held).not.toContain('Filled');

    const said = await runUntil(service, words, [flag, value]);
    const next = await runUntil(service, words);
    expect(next).toMatch(line);
    for (const text of flag === '--flatten' ? [next] : [said, next]) {
      expect(text).not.toContain('adds no exposure');
    }
  },
  180_000,
);

test.each(
  rotated(
    [
      [['--adopt', 'BTC'], /It takes SYMBOL=STRATEGY, such as BTC=trend/],
      [['--adopt', 'BTC=none'], /--adopt BTC=none: no strategy is named so; there are own\./],
      [['--adopt', 'ETH=own'], /--adopt ETH=own: own trades BTC only/],
      [['--ignore', ''], /It takes a symbol, such as BTC/],
      [['--flatten', ' '], /It takes a symbol, such as BTC/],
    ] as Array<[string[], RegExp]>,
    1,
  ),
)(
  '%j ends the start with the known names',
  async (flags, words) => {
    workshop = openWorkshop('owners');
    workshop.write('own.ts', plugin);
    const address = 'http://127.0.0.1:1';
    const service = {
      base_url: address,
      ws_url: 'ws://127.0.0.1:1',
      key_id: 'vk_a',
      secret: 'vs_a',
    };
    workshop.write('bot.yaml', remoteBot(service));
    const { child, text } = workshop.start(['run', 'bot.yaml', ...flags], {
      TRIMTAB_TEST_SECRET: 'vs_a',
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(text()).toMatch(words);
    expect(code).not.toBe(0);
  },
  60_000,
);
