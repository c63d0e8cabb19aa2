/** What reaches a person of a bot's end that was not as ordered, and what `status` says where nothing reaches one. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../operate/notify/receivers.ts';
import { longEntry } from './plugins.ts';
import { openWorkshop, remoteBot, type Service, type Workshop } from './startProcess.ts';

let workshop: Workshop;
let service: Service;
let receiver: Receiver;
let isUp = true;
beforeEach(async () => {
  workshop = openWorkshop('endAlerts');
  isUp = true;
  receiver = await openReceiver((response) => void response.writeHead(isUp ? 200 : 500).end());
  service = await workshop.startPaper(60);
}, 60_000);
afterEach(async () => {
  workshop.close();
  await receiver.close();
});

const NOTIFY = `operate: { listen: off, notify: [{ kind: webhook, url: { env: HOOK }, min: report }] }
`;
const environment = () => ({ TRIMTAB_TEST_SECRET: service.secret, HOOK: receiver.url });

interface Sent {
  key: string;
  severity: string;
  title: string;
  text: string;
}
const sent = (key: string) =>
  receiver.got.flatMap(({ body }) => body['alerts'] as Sent[]).filter((one) => one.key === key);

async function status(): Promise<{ code: number | null; text: string }> {
  const { child, text } = workshop.start(['status', 'bot.yaml'], environment());
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text: text() };
}

/** Nothing in its stack belongs to a plugin, so no strategy is ended by it. */
const crashing = longEntry.replace(
  'let isMade = false;',
  "let isMade = false;\n    setTimeout(() => void Promise.reject('nobody catches this'), 3_000);",
);

test('a crash is a page and a failure, not an orderly stop', async () => {
  workshop.write('own.ts', crashing);
  workshop.write('bot.yaml', `${remoteBot(service)}${NOTIFY}`);
  const bot = workshop.start(['run', 'bot.yaml'], environment());
  const [code] = (await once(bot.child, 'close')) as [number | null];
  expect(code).toBe(1);
  expect(bot.text()).toMatch(/An exception outside every stream stopped the bot: 'nobody catches/);
  expect(bot.text()).toContain('TRIMTAB_CRASHED');
  expect(sent('stop')).toEqual([]);
  expect(sent('failed')).toMatchObject([
    { severity: 'page', text: expect.stringContaining('nobody catches this') },
  ]);
  expect(await status()).toEqual({ code: 2, text: expect.stringContaining('it failed') });
}, 60_000);

test('an ordered stop that leaves something open is a page that names it', async () => {
  workshop.write('own.ts', longEntry);
  workshop.write('bot.yaml', `${remoteBot(service)}stop_policy: stop\nstop_seconds: 4\n${NOTIFY}`);
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
  await expect.poll(bot.text, { timeout: 30_000 }).toContain('launch accepted');
  await fetch(`${service.base_url}/paper/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'error_500', match: 'POST /v1/executions' }),
  });
  bot.child.kill('SIGTERM');
  const [code] = (await once(bot.child, 'close')) as [number | null];
  expect(code).toBe(4);
  expect(sent('stop')).toHaveLength(1);
  const [left, ...more] = sent('left');
  expect(more).toEqual([]);
  expect(left).toMatchObject({ severity: 'page' });
  expect(left!.text).toMatch(/NOT ENDED: main: \S+, pacemaker buy 0\.01 BTC, running/);
}, 60_000);

test('a bot whose alerts do not arrive is degraded until they do', async () => {
  workshop.write('own.ts', longEntry);
  workshop.write('bot.yaml', `${remoteBot(service)}${NOTIFY}`);
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
  await expect.poll(bot.text, { timeout: 30_000 }).toContain('launch accepted');
  isUp = false;
  const { child } = workshop.start(['kill', 'L1', 'bot.yaml', '--reason', 'try'], environment());
  await once(child, 'close');
  const lost = 'alerts do not reach webhook notify[0]: ';
  const wait = { timeout: 30_000, interval: 500 };
  await expect.poll(status, wait).toMatchObject({ code: 1, text: expect.stringContaining(lost) });
  isUp = true;
  await expect.poll(async () => (await status()).text, wait).not.toContain(lost);
  bot.child.kill('SIGTERM');
  await once(bot.child, 'close');
}, 90_000);
