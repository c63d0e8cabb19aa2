import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WholeView } from '../../src/operate/state/index.ts';
import type { Client } from '../../src/wire/index.ts';
import { openReceiver, type Receiver } from '../operate/notify/receivers.ts';
import { openClient, sizeHeldOf } from './openClient.ts';
import { everyBar } from './plugins.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';

const CONTROL = 'control-token-of-the-test';
const LIMIT = { timeout: 30_000 };

let workshop: Workshop;
let service: Service;
let receiver: Receiver;
let client: Client;
let closeClient: () => Promise<void>;

beforeEach(async () => {
  workshop = openWorkshop('latched');
  service = await workshop.startPaper(120);
  receiver = await openReceiver();
  ({ client, close: closeClient } = openClient(service));
  workshop.write('own.ts', everyBar);
}, 120_000);

afterEach(async () => {
  await closeClient();
  await receiver.close();
  workshop.close();
});

interface Running {
  bot: Started;
  state(): Promise<WholeView>;
  metric(name: string): Promise<number>;
  kill(): Promise<void>;
}

/** A bot whose one strategy has this name and may enter as often. */
async function start(strategy: string, entries: number, ...flags: string[]): Promise<Running> {
  const more = `guards: { max_entries_per_hour: ${entries} }
operate:
  listen: 127.0.0.1:0
  control_token: { env: OPS_CTL }
  notify:
    - { kind: webhook, url: { env: HOOK }, template: plain, min: report, digest_seconds: 1 }
`;
  workshop.write('bot.yaml', remoteBot(service, more).replace('name: own', `name: ${strategy}`));
  const bot = workshop.start(['run', 'bot.yaml', ...flags], {
    TRIMTAB_TEST_SECRET: service.secret,
    OPS_CTL: CONTROL,
    HOOK: receiver.url,
  });
  const line = /operator's page at (\S+)/;
  await expect.poll(() => line.exec(bot.text())?.[1], LIMIT).toBeDefined();
  const read = (path: string) => fetch(new URL(path, line.exec(bot.text())![1]!));
  await expect.poll(async () => (await read('/readyz')).status, LIMIT).toBe(200);
  return {
    bot,
    state: async () => (await (await read('/api/state')).json()) as WholeView,
    async metric(name) {
      const text = await (await read('/metrics')).text();
      return Number(new RegExp(`^trimtab_${name}{.*} (\\S+)$`, 'm').exec(text)?.[1]);
    },
    async kill() {
      bot.child.kill('SIGKILL');
      await once(bot.child, 'exit');
    },
  };
}

async function command(...args: string[]): Promise<string> {
  const started = workshop.start(args);
  await once(started.child, 'close');
  return started.text();
}

interface Sent {
  key: string;
  state: string;
  text: string;
}
const sent = (from: number): Sent[] =>
  receiver.got.slice(from).flatMap(({ body }) => body['alerts'] as Sent[]);

test('what an earlier process latched is shown from the start, by everything that an operator reads', async () => {
  const former = await start('former', 1_000);
  await expect.poll(() => sizeHeldOf(client), LIMIT).toBeGreaterThan(0);
  await former.kill();

  // Its position is nobody's now: another strategy has it, enters too often, and then the operator has it ignored.
  const latching = await start('own', 2, '--adopt', 'BTC=own');
  await expect
    .poll(async () => (await latching.state()).blocks.strategies[0]!.throttled, {
      timeout: 60_000,
    })
    .toContain('trimtab rearm');
  expect(await command('pause', 'bot.yaml', 'own', '--reason', 'looks odd')).toContain('own');
  expect(await command('kill', 'L1', 'bot.yaml', '--reason', 'too warm')).toContain('at L1');
  await latching.kill();
  const ignoring = await start('own', 2, '--ignore', 'BTC');
  await ignoring.kill();

  const before = receiver.got.length;
  const restarted = await start('own', 2);
  const { blocks } = await restarted.state();
  expect(blocks.bot).toMatchObject({
    kill_level: 'L1',
    kill_reason: expect.stringMatching(/^too warm \(by /) as string,
  });
  expect(blocks.strategies[0]).toMatchObject({
    throttled: expect.stringContaining('trimtab rearm') as string,
    paused: expect.stringContaining('looks odd') as string,
  });
  expect(blocks.positions).toMatchObject([{ symbol: 'BTC', ownership: 'ignored' }]);

  for (const name of ['strategy_paused', 'strategy_throttled', 'ignored_positions', 'kill_level'])
    expect([name, await restarted.metric(name)]).toEqual([name, 1]);
  expect(await restarted.metric('orphan_positions')).toBe(0);

  const status = () => command('status', 'bot.yaml');
  await expect.poll(status, LIMIT).toContain('entries are closed: kill level L1: too warm');
  const text = await status();
  expect(text).toContain('strategy own is paused: looks odd');
  expect(text).toMatch(/strategy own may no longer enter: .*2 entries/);
  expect(text).toMatch(/the position long \S+ BTC on main is ignored, by run --ignore/);

  const begun = (key: string) => sent(before).find((one) => one.key === key)?.state;
  for (const key of ['kill/L1', 'throttled/own', 'paused/own'])
    await expect.poll(() => begun(key), { ...LIMIT, message: key }).toBe('begun');
  await expect.poll(() => begun('start'), LIMIT).toBe('once');
  const report = sent(before).find(({ key }) => key === 'start')!;
  expect(report.text).toMatch(
    /Still in force: kill level L1: too warm \(by .+\); strategy own is paused: looks odd \(by .+\); strategy own may no longer enter; BTC on main is ignored\./,
  );

  // And nothing of it remains once the operator has released it.
  await command('rearm', 'bot.yaml');
  expect((await restarted.state()).blocks).toMatchObject({
    bot: { kill_level: 'L0', kill_reason: null },
    // Its limit is reached again soon after it is resumed.
    strategies: [{ throttled: null, paused: expect.stringMatching(/^looks odd \(by /) as string }],
  });
  await command('resume', 'bot.yaml', 'own');
  expect((await restarted.state()).blocks.strategies).toMatchObject([{ paused: null }]);
}, 180_000);
