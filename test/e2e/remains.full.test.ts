import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';

let workshop: Workshop | undefined;
afterEach(() => workshop?.close());

/** The same intent at each bar, as far as the guards pass it. */
const plugin = (what: string) => `import { defineStrategy, launch, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'own', contract: 1, description: 'One entry.', scopes: ['trade', 'algo'],
  params: z.object({}),
  setup: (ctx) => ctx.every('1m').pipe(map(() => ${what})),
});
`;
const entry = `launch.pacemaker({
  symbol: ctx.symbol, side: 'buy', total_size: 0.01, params: { duration_seconds: 86400 },
})`;
const order = `placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })`;

const hurt = (service: Service, faults: object): Promise<unknown> =>
  fetch(`${service.base_url}/paper/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  }).then((answer) => expect(answer.ok).toBe(true));

async function start(
  what: string,
  more: string | ((service: Service) => string),
): Promise<{ service: Service; bot: Started }> {
  workshop = openWorkshop('remains');
  const service = await workshop.startPaper(60);
  workshop.write('own.ts', plugin(what));
  const rest = typeof more === 'string' ? more : more(service);
  workshop.write('bot.yaml', remoteBot(service, rest));
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], {
    TRIMTAB_TEST_SECRET: service.secret,
  });
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('Entries are open');
  return { service, bot };
}

async function report(...args: string[]): Promise<{ code: number | null; text: string }> {
  const reported = workshop!.start(args);
  const [code] = (await once(reported.child, 'close')) as [number | null];
  return { code, text: reported.text() };
}

test('a kill and a stop that cannot end an execution name it, and exit with 4', async () => {
  const { service, bot } = await start(
    entry,
    'stop_policy: stop\nguards: { max_concurrent_executions: 1 }\n',
  );
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('launch accepted');
  await hurt(service, { kind: 'error_500', match: 'POST /v1/executions' });
  const killed = await report('kill', 'L2', 'bot.yaml');
  expect(killed.text).toMatch(
    /remote is at L2\.[^]*could not end[^]*main: \S+, pacemaker buy 0\.01 BTC, running/,
  );
  expect(killed.code).toBe(4);
  bot.child.kill('SIGTERM');
  const [code] = (await once(bot.child, 'close')) as [number | null];
  expect(bot.text()).toMatch(/NOT ENDED: main: \S+, pacemaker buy 0\.01 BTC, running/);
  expect(code).toBe(4);
}, 90_000);

test.each(['leave', 'stop'])(
  'a stop under %s with an unanswered order ends within stop_seconds and lists it',
  async (policy) => {
    const more = `stop_policy: ${policy}\nstop_seconds: 4\n`;
    const { service, bot } = await start(order, more);
    await hurt(service, { kind: 'latency', ms: 60_000, match: 'POST /v1/order' });
    const listed = async () => (await report('journal', 'list', 'bot.yaml')).text;
    await expect.poll(listed, { timeout: 40_000 }).toMatch(/sending/);
    const since = performance.now();
    bot.child.kill('SIGTERM');
    const [code] = (await once(bot.child, 'close')) as [number | null];
    expect(bot.text()).toMatch(/unknowns: [1-9]\d*\n/);
    expect(bot.text()).toMatch(/UNKNOWN: main: place_order of own, sending: it was sent/);
    expect(code).toBe(4);
    // The process ends with the bot: nothing that rests keeps it.
    expect(performance.now() - since).toBeLessThan(7_500);
  },
  90_000,
);

test('a watchdog that is stopped while a silent bot’s execution continues names it, and exits with 4', async () => {
  const { service, bot } = await start(
    entry,
    ({ key_id }) => `guards: { max_concurrent_executions: 1 }
watchdog: { key_id: ${key_id}, secret: { env: TRIMTAB_TEST_WATCHDOG }, silence_seconds: 5 }
`,
  );
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('launch accepted');
  await hurt(service, { kind: 'error_500', match: 'POST /v1/executions' });
  const watchdog = workshop!.start(['watchdog', 'bot.yaml'], {
    TRIMTAB_TEST_WATCHDOG: service.secret,
  });
  await expect.poll(() => watchdog.text(), { timeout: 20_000 }).toContain('watching remote');
  bot.child.kill('SIGSTOP');
  await expect
    .poll(() => watchdog.text(), { timeout: 30_000 })
    .toContain('The watchdog could not end');
  watchdog.child.kill('SIGTERM');
  const [code] = (await once(watchdog.child, 'close')) as [number | null];
  expect(watchdog.text()).toMatch(
    /remote is silent, and the watchdog could not end[^]*pacemaker buy 0\.01 BTC, running/,
  );
  expect(code).toBe(4);
}, 90_000);
