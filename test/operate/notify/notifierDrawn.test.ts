/** Several channels over real sockets, of which some hang, fail or are away: what the others get, and how long an end takes. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret, type ChannelConfig } from '../../../src/config/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createNotifier } from '../../../src/operate/notify/createNotifier.ts';
import { nameOf } from '../../../src/operate/notify/eachReceiver.ts';
import { holdLaw } from '../../holdLaw.ts';
import { alertOf, changeOf, openLog, RULES } from './fixtures.ts';
import { openReceiver, type Receiver } from './receivers.ts';

const KINDS = ['takes', 'hangs', 'fails', 'refuses', 'is away'] as const;
type Kind = (typeof KINDS)[number];
const LIMIT_MS = 3_000;
/** Shorter than an attempt may take, so that none runs into its limit. */
const REPEAT_MS = 50;

const openOf = (kind: Kind): Promise<Receiver> =>
  openReceiver((response) => {
    if (kind === 'hangs') return;
    response.writeHead({ takes: 200, fails: 503, refuses: 404, 'is away': 503 }[kind]).end();
  });

const channelOf = ({ url }: Receiver): ChannelConfig => ({
  kind: 'webhook',
  url: new Secret(url),
  template: 'plain',
  ...RULES,
  repeatMs: REPEAT_MS,
});

const keysOf = ({ got }: Receiver): string[] =>
  got.flatMap(({ body }) => (body['alerts'] as Array<{ key: string }>).map(({ key }) => key));

/** Lets sockets do what they do now. */
async function settle(isDone: () => boolean): Promise<void> {
  for (let at = 0; at < 2_000 && !isDone(); at++) await turn();
}

test('each channel gets all alerts and a reminder, whatever the others do, and all end together', async () => {
  const drawn = fc.record({
    kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 }),
    alerts: fc.integer({ min: 1, max: 4 }),
  });
  await holdLaw(12, drawn, async ({ kinds, alerts }) => {
    const receivers = await Promise.all(kinds.map(openOf));
    for (const [at, receiver] of receivers.entries())
      if (kinds[at] === 'is away') await receiver.close();
    const { log, lines } = openLog();
    const env = createVirtualEnv({ startTime: 1_780_000_000_000, log });
    const channels = receivers.map(channelOf);
    const notifier = createNotifier({ channels, bot: 'one', env, redact: (text) => text });
    try {
      const keys = Array.from({ length: alerts }, (_none, at) => `alert/${at}`);
      const taking = receivers.filter((_each, at) => kinds[at] === 'takes');
      const haveAll = (): boolean =>
        taking.every((receiver) => keys.every((key) => keysOf(receiver).includes(key)));
      const active = new Map(keys.map((key) => [key, alertOf(key)]));
      for (const alert of active.values()) notifier.offer(changeOf('begun', alert));
      env.queue.advanceTo(env.queue.now() + 1);
      await settle(haveAll);
      for (const receiver of taking) expect(keysOf(receiver)).toEqual(keys);
      env.queue.advanceTo(env.queue.now() + REPEAT_MS);
      notifier.remind(active);
      await settle(() => taking.every((receiver) => keysOf(receiver).length === 2 * keys.length));
      for (const receiver of taking) expect(keysOf(receiver)).toEqual([...keys, ...keys]);

      let isClosed = false;
      const closing = notifier.close(LIMIT_MS).then(() => (isClosed = true));
      await settle(() => isClosed);
      env.queue.advanceTo(env.queue.now() + LIMIT_MS);
      await settle(() => isClosed);
      expect(isClosed).toBe(true);
      await closing;
      const lost = lines.filter((line) => line.startsWith('Alerts are lost'));
      for (const [at, kind] of kinds.entries()) {
        const name = nameOf(channels[at]!, at);
        expect(lost.some((line) => line.includes(name))).toBe(kind !== 'takes');
      }
    } finally {
      for (const [at, receiver] of receivers.entries())
        if (kinds[at] !== 'is away') await receiver.close();
    }
  });
});

test('a channel that throws holds up neither the next one nor the bot', async () => {
  const receivers = [await openOf('hangs'), await openOf('takes')] as const;
  const { log } = openLog();
  const error = (text: string, fields = {}): void => {
    if (JSON.stringify(fields).includes('notify[0]')) throw new Error('the disk is full');
    log.error(text, fields);
  };
  const env = createVirtualEnv({ log: { ...log, error } });
  const channels = receivers.map(channelOf);
  const notifier = createNotifier({ channels, bot: 'one', env, redact: (text) => text });
  const MOST = 300;
  // The first loses what is too much, and cannot say so.
  for (let at = 0; at < MOST; at++) {
    notifier.offer(changeOf('begun', alertOf(`alert/${at}`)));
    if (at % 50 === 0) await settle(() => keysOf(receivers[1]).length > at);
  }
  await settle(() => keysOf(receivers[1]).length === MOST);
  expect(keysOf(receivers[1])).toHaveLength(MOST);
  const closing = notifier.close(1).catch(() => {});
  env.queue.advanceTo(env.queue.now() + 1);
  await closing;
  for (const receiver of receivers) await receiver.close();
});
