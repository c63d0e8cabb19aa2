import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'vitest';
import type { ChannelRules } from '../../src/config/index.ts';
import { createRandom, createVirtualEnv, type Random } from '../../src/env/index.ts';
import type { Alert } from '../../src/operate/notify/Alert.ts';
import { createChannel } from '../../src/operate/notify/createChannel.ts';
import { formatMessage, takeFitting } from '../../src/operate/notify/formatNotices.ts';
import type { Delivery } from '../../src/operate/notify/Sender.ts';
import type { ComparedIntent } from '../../src/operate/shadow/ComparedIntent.ts';
import { createCurve } from '../../src/operate/shadow/createCurve.ts';
import { compareVersions, formatComparison } from '../../src/operate/shadow/index.ts';
import { alertOf, changeOf, openLog, openSender, RULES } from '../operate/notify/fixtures.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 20, 30);

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;

const DELIVERIES: readonly Delivery[] = [
  { kind: 'delivered' },
  { kind: 'delivered' },
  { kind: 'retry', reason: 'HTTP 500' },
  { kind: 'retry', reason: 'HTTP 429', retryAfterMs: 90_000 },
  { kind: 'refused', reason: 'HTTP 404' },
  { kind: 'refused', reason: 'HTTP 401' },
];

/** An hour or more of a channel's life: what is offered, reminded, sent and lost, with its times. */
async function liveOf(seed: number): Promise<Outcome> {
  const random = createRandom(`channel ${seed}`);
  const lines: string[] = [];
  const { log, lines: logged } = openLog();
  const env = createVirtualEnv({ startTime: START, log });
  const isDown = random.next() < 0.3;
  const receiver = openSender(() =>
    isDown ? pick(random, DELIVERIES.slice(2, 4)) : pick(random, DELIVERIES),
  );
  const rules: ChannelRules = {
    ...RULES,
    min: pick(random, ['report', 'ticket', 'page']),
    digestMs: pick(random, [0, 20_000, 5 * MINUTE]),
    repeatMs: pick(random, [10 * MINUTE, 60 * MINUTE]),
    quiet:
      random.next() < 0.4
        ? { from: '22:00', until: '06:30', tz: pick(random, ['UTC', 'Europe/Berlin']) }
        : null,
  };
  const { sender } = receiver;
  const most = pick(random, [200, 2_000]);
  const channel = createChannel({
    name: 'webhook notify[0]',
    rules,
    sender: { ...sender, most },
    bot: 'one',
    env,
  });
  const holds = new Map<string, Alert>();
  let seen = 0;
  const look = (): void => {
    for (const message of receiver.messages.slice(seen))
      lines.push(
        `${env.queue.now() - START} ${formatMessage(message, (text) => text)}`,
        `fitting ${takeFitting(message, { escape: (text) => text, most }).length}`,
      );
    seen = receiver.messages.length;
  };
  for (let step = 0; step < 60; step++) {
    const key = pick(random, ['uncovered/main/BTC', 'kill/L2', 'day/1', 'rejected/one', 'stream']);
    const alert = alertOf(
      key,
      pick(random, ['page', 'ticket', 'report']),
      `about ${key} ${'x'.repeat(pick(random, [0, 90, 900]))}`,
    );
    const kind = pick(random, ['begun', 'begun', 'over', 'once', 'replaced'] as const);
    if (random.next() < 0.6) {
      channel.offer(changeOf(kind, alert, env.clock.wallNow()));
      if (kind === 'begun') holds.set(key, alert);
      if (kind === 'over') holds.delete(key);
    }
    channel.remind(holds);
    env.queue.advanceTo(env.queue.now() + pick(random, [500, 20_000, 3 * MINUTE, 15 * MINUTE]));
    await turn();
    await turn();
    look();
  }
  channel.flush();
  const closing = channel.close(5_000);
  for (let at = 0; at < 20; at++) {
    env.queue.advanceTo(env.queue.now() + 1_000);
    await turn();
  }
  await closing;
  look();
  return new Map([
    ['sent', lines],
    ['log', logged],
    ['ends', receiver.lines().map((keys) => keys.join(', '))],
  ]);
}

test('a channel sends, waits, repeats and gives up as before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < 30; seed++) outcomes.set(`channel ${seed}`, await liveOf(seed));
  await expectRecorded('alertChannels', outcomes);
}, 60_000);

function drawIntents(random: Random, share: number): ComparedIntent[] {
  return Array.from({ length: 40 }, (_none, at) => at)
    .filter(() => random.next() < share)
    .map((at): ComparedIntent => ({
      cause: pick(random, [
        `bar:BTC:1m:${START + (at - 1) * MINUTE}`,
        `timer:${at}`,
        `fill:f_${at}`,
      ]),
      ordinal: pick(random, [0, 0, 1]),
      time: START + at * MINUTE,
      kind: pick(random, ['place_order', 'place_order', 'launch', 'close_position']),
      symbol: pick(random, ['BTC', 'ETH']),
      side: pick(random, ['buy', 'sell']),
      size: pick(random, [1, 1, 1.001, 2]),
      ...(random.next() < 0.5 ? { price: pick(random, [100, 100, 101]) } : {}),
      outcome: pick(random, ['accepted', 'accepted', 'denied', 'rejected', 'expired', 'unknown']),
      ...(random.next() < 0.2 ? { refusedBy: 'daily_loss' } : {}),
    }));
}

test('two versions are compared as before', async () => {
  const outcomes = new Map<string, Outcome>();
  const minute = (count: number): number => START + count * MINUTE;
  for (let seed = 0; seed < 40; seed++) {
    const random = createRandom(`versions ${seed}`);
    const curve = createCurve();
    for (let at = 0; at < 40; at++) {
      if (random.next() < 0.7) curve.live(minute(at), Math.round(random.next() * 100));
      if (random.next() < 0.7) curve.shadow(minute(at), Math.round(random.next() * 100));
    }
    const share = pick(random, [0, 0.2, 0.8, 1]);
    const figures = () =>
      random.next() < 0.3
        ? null
        : {
            net_pnl: random.next() * 9,
            fees: 1,
            funding: -1,
            fills: 3,
            max_drawdown: 2,
            realized_pnl: 1,
            unrealized_pnl: 0,
          };
    const compared = compareVersions(
      {
        instance: 'turns',
        use: './new.ts',
        state: pick(random, ['running', 'ended', 'waiting', 'quarantined']),
        reason: pick(random, [null, 'it threw']),
        since: pick(random, [0, minute(2)]),
        until: minute(35),
        intentsSince: minute(pick(random, [2, 9])),
        capital: 1_000,
        shadow: figures() as never,
        live: figures() as never,
        sizeSteps: pick(random, [{}, { BTC: 0.01 }]),
        barMs: pick(random, [MINUTE, 5 * MINUTE]),
        curve: [],
        hash: null,
        liveIntents: drawIntents(random, share),
        shadowIntents: drawIntents(createRandom(`versions ${seed - (seed % 2)}`), 0.8),
      },
      pick(random, [
        {},
        { since: minute(5) },
        { until: minute(20) },
        { since: minute(5), until: minute(9) },
      ]),
    );
    outcomes.set(
      `versions ${seed}`,
      new Map([
        ['compared', JSON.stringify(compared, null, 1).split('\n')],
        ['text', formatComparison(compared).split('\n')],
        ['curve', curve.points().map(String)],
      ]),
    );
  }
  await expectRecorded('shadowComparisons', outcomes);
});
