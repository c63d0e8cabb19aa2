import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelRules } from '../../../src/config/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import type { Alert } from '../../../src/operate/notify/Alert.ts';
import { createChannel } from '../../../src/operate/notify/createChannel.ts';
import type { Message } from '../../../src/operate/notify/formatNotices.ts';
import type { Delivery, Sender } from '../../../src/operate/notify/Sender.ts';
import { holdLaw } from '../../holdLaw.ts';
import { alertOf, changeOf, openLog, openSender, RULES } from './fixtures.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function open(
  rules: Partial<ChannelRules> = {},
  answer?: (at: number) => Delivery,
  startTime = Date.UTC(2026, 5, 1, 12),
) {
  const { log, lines: logged } = openLog();
  const env = createVirtualEnv({ startTime, log });
  const receiver = openSender(answer);
  const { sender } = receiver;
  const all = { ...RULES, ...rules };
  const states: Array<string | undefined> = [];
  const onState = (problem: string | undefined): void => void states.push(problem);
  const name = 'webhook notify[0]';
  const channel = createChannel({ name, rules: all, sender, bot: 'one', env, onState });
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const pass = async (ms: number, stepMs = ms): Promise<void> => {
    const end = env.queue.now() + ms;
    while (env.queue.now() < end) {
      env.queue.advanceTo(Math.min(end, env.queue.now() + stepMs));
      await turn();
      await turn();
    }
  };
  const begin = (alert: Alert) => channel.offer(changeOf('begun', alert, env.clock.wallNow()));
  const over = (alert: Alert) => channel.offer(changeOf('over', alert, env.clock.wallNow()));
  return { ...receiver, channel, env, logged, states, pass, turn, begin, over };
}

const page = alertOf('uncovered/main/BTC');
const ticket = alertOf('rejected/one', 'ticket');
const report = alertOf('day/1', 'report');
const down: Delivery = { kind: 'retry', reason: 'HTTP 500' };

test('says why alerts do not arrive, and that they do again, each time anew', async () => {
  const refused: Delivery = { kind: 'refused', reason: 'HTTP 404' };
  const answers: Delivery[] = [down, { kind: 'delivered' }, refused, { kind: 'delivered' }];
  const { begin, pass, states } = open({}, (at) => answers[at] ?? { kind: 'delivered' });
  begin(page);
  await pass(MINUTE, SECOND);
  begin(ticket);
  await pass(MINUTE, SECOND);
  begin(report);
  await pass(MINUTE, SECOND);
  expect(states).toEqual(['HTTP 500', undefined, 'HTTP 404', undefined]);
});

describe('what is sent', () => {
  test('only what is as urgent as the channel asks for', async () => {
    const { channel, begin, pass, lines } = open({ min: 'ticket' });
    for (const alert of [report, ticket, page]) begin(alert);
    channel.remind(new Map([report, ticket, page].map((alert) => [alert.key, alert])));
    await pass(HOUR, MINUTE);
    expect(lines().flat()).toEqual([`begun ${ticket.key}`, `begun ${page.key}`]);
  });

  test('a digest is one message; a page waits five seconds at most', async () => {
    const { begin, pass, lines } = open({ digestMs: MINUTE });
    begin(ticket);
    await pass(10 * SECOND);
    begin(report);
    await pass(40 * SECOND);
    expect(lines()).toEqual([]);
    await pass(10 * SECOND, SECOND);
    await pass(SECOND);
    // What waits goes when the first of it is due.
    expect(lines()).toEqual([[`begun ${ticket.key}`, `begun ${report.key}`]]);
    begin(page);
    begin(alertOf('kill/L2'));
    await pass(4 * SECOND);
    expect(lines()).toHaveLength(1);
    await pass(2 * SECOND, 100);
    expect(lines()[1]).toEqual([`begun ${page.key}`, 'begun kill/L2']);
  });

  test('what is too long for one message goes in several, in order', async () => {
    const { begin, pass, delivered } = open({ digestMs: SECOND });
    for (let at = 0; at < 30; at++) begin(alertOf(`key/${at}`, 'page', 'x'.repeat(390)));
    await pass(10 * SECOND, SECOND);
    expect(delivered.length).toBeGreaterThan(5);
    const keys = delivered.flatMap(({ notices }) => notices.map(({ alert }) => alert.key));
    expect(keys).toEqual(Array.from({ length: 30 }, (_, at) => `key/${at}`));
  });
});

describe('what is sent again', () => {
  test('the end of an alert, once, to those who got its begin', async () => {
    const { begin, over, pass, lines } = open({ min: 'ticket' });
    over(page);
    begin(page);
    begin(report);
    over(page);
    over(page);
    over(report);
    await pass(MINUTE, SECOND);
    expect(lines().flat()).toEqual([`begun ${page.key}`, `over ${page.key}`]);
  });

  test('a page that lasts, each time the repeat has passed; a ticket is not', async () => {
    const { channel, begin, pass, lines } = open();
    const active = new Map([page, ticket].map((alert) => [alert.key, alert]));
    begin(page);
    begin(ticket);
    for (let at = 0; at < 150; at++) {
      await pass(MINUTE);
      channel.remind(active);
    }
    await pass(MINUTE);
    const sent = lines().flat();
    expect(sent.filter((line) => line.endsWith(page.key))).toEqual([
      `begun ${page.key}`,
      `still ${page.key}`,
      `still ${page.key}`,
    ]);
    expect(sent.filter((line) => line.endsWith(ticket.key))).toEqual([`begun ${ticket.key}`]);
  });

  test('one that comes and goes is sent once; if it still holds after the repeat, again', async () => {
    const { channel, begin, over, pass, lines } = open();
    for (let at = 0; at < 20; at++) {
      begin(page);
      await pass(30 * SECOND);
      over(page);
      await pass(30 * SECOND);
    }
    expect(lines().flat()).toEqual([`begun ${page.key}`, `over ${page.key}`]);
    begin(page);
    for (let at = 0; at < 60; at++) {
      channel.remind(new Map([[page.key, page]]));
      await pass(MINUTE);
    }
    expect(lines().flat().slice(2)).toEqual([`begun ${page.key}`]);
  });
});

test('a page that comes back after its end and stays is sent after five minutes, whatever the repeat', async () => {
  const { channel, begin, over, pass, lines } = open();
  const remind = async (minutes: number, ...alerts: Alert[]): Promise<void> => {
    for (let at = 0; at < minutes; at++) {
      channel.remind(new Map(alerts.map((alert) => [alert.key, alert])));
      await pass(MINUTE);
    }
  };
  begin(page);
  begin(ticket);
  await remind(2, page, ticket);
  over(page);
  over(ticket);
  await remind(2);
  // For four minutes only: nobody is woken by it.
  begin(page);
  await remind(4, page);
  over(page);
  await remind(4);
  begin(page);
  begin(ticket);
  const before = lines().flat().length;
  await remind(5, page, ticket);
  expect(lines().flat()).toHaveLength(before);
  await remind(5, page, ticket);
  expect(lines().flat().slice(before)).toEqual([`begun ${page.key}`]);
  await remind(50, page, ticket);
  expect(lines().flat().slice(before)).toEqual([`begun ${page.key}`, `begun ${ticket.key}`]);
});

test.each<[string, Delivery]>([
  ['was refused', { kind: 'refused', reason: 'HTTP 400' }],
  ['could not be delivered within an hour', down],
])('a page that %s is sent five minutes later if it still holds', async (_how, fault) => {
  let isLost = true;
  const answer = (): Delivery => (isLost ? fault : { kind: 'delivered' });
  const { channel, begin, over, pass, logged, delivered } = open({ repeatMs: 168 * HOUR }, answer);
  const remind = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      channel.remind(new Map([[page.key, page]]));
      await pass(MINUTE, 10 * SECOND);
    }
  };
  begin(page);
  for (let at = 0; at < 100 && channel.counts.lost === 0; at++) await remind(1);
  isLost = false;
  expect(logged.join()).toContain('Alerts are lost');
  await remind(3);
  expect(delivered).toEqual([]);
  await remind(4);
  expect(delivered[0]!.notices.map(({ kind }) => kind)).toEqual(['begun']);
  await remind(60);
  expect(delivered).toHaveLength(1);
  expect(channel.counts).toEqual({ waiting: 0, lost: 1 });
  over(page);
  await pass(MINUTE, SECOND);
  expect(delivered.at(-1)!.notices.map(({ kind }) => kind)).toEqual(['over']);
});

test('each time that a channel is down is logged, and each time that it is back', async () => {
  let isDown = false;
  const { begin, pass, logged } = open({}, () => (isDown ? down : { kind: 'delivered' }));
  for (const key of ['kill/L1', 'kill/L2', 'kill/L3']) {
    isDown = true;
    begin(alertOf(key));
    await pass(10 * MINUTE, SECOND);
    isDown = false;
    await pass(10 * MINUTE, SECOND);
  }
  const lines = logged.filter((line) => /can't be delivered|delivered again/.test(line));
  expect(lines.map((line) => line.includes('again'))).toEqual([
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
});

describe('quiet hours', () => {
  const quiet = { from: '22:00', until: '07:00', tz: 'Europe/Berlin' };

  test('let pages pass, and their end; the rest comes when they end', async () => {
    // 22:30 in Berlin, in summer.
    const { begin, over, pass, lines } = open({ quiet }, undefined, Date.UTC(2026, 5, 1, 20, 30));
    begin(ticket);
    begin(page);
    over(page);
    await pass(SECOND, 100);
    expect(lines()).toEqual([[`begun ${page.key}`, `over ${page.key}`]].flat().map((one) => [one]));
    await pass(8 * HOUR, MINUTE);
    expect(lines()).toHaveLength(2);
    await pass(HOUR, MINUTE);
    expect(lines().slice(2)).toEqual([[`begun ${ticket.key}`]]);
  });

  test.each([
    // In the night of 29 March 2026 the clock jumps from 02:00 to 03:00, on 25 October it falls from 03:00 to 02:00.
    ['summer time begins', Date.UTC(2026, 2, 28, 21), Date.UTC(2026, 2, 29, 5)],
    ['summer time ends', Date.UTC(2026, 9, 24, 20), Date.UTC(2026, 9, 25, 6)],
    ['it is winter', Date.UTC(2026, 0, 10, 21), Date.UTC(2026, 0, 11, 6)],
  ])('end at 07:00 of the clock on the wall when %s', async (_when, from, until) => {
    const { begin, pass, lines, env } = open({ quiet }, undefined, from);
    begin(ticket);
    await pass(until - from - MINUTE, MINUTE);
    expect(lines()).toEqual([]);
    await pass(2 * MINUTE, SECOND);
    expect(lines()).toEqual([[`begun ${ticket.key}`]]);
    expect(env.clock.wallNow()).toBe(until + MINUTE);
  });

  test('within one day, and what waits is sent when the bot stops', async () => {
    const day = { from: '12:00', until: '14:00', tz: 'UTC' };
    const { begin, pass, lines, channel } = open({ quiet: day });
    begin(ticket);
    await pass(HOUR, MINUTE);
    expect(lines()).toEqual([]);
    await channel.close(3_000);
    expect(lines()).toEqual([[`begun ${ticket.key}`]]);
  });
});

describe('a receiver that is down', () => {
  test('is tried again with growing pauses; nothing is lost, nothing is sent twice', async () => {
    const { begin, pass, messages, lines, logged } = open({}, (at) =>
      at < 6 ? down : { kind: 'delivered' },
    );
    begin(page);
    await pass(30 * MINUTE, SECOND);
    expect(messages).toHaveLength(7);
    expect(lines()).toEqual([[`begun ${page.key}`]]);
    // One line when it begins, one when it ends.
    expect(logged).toHaveLength(2);
  });

  test('what failed is sent before what came after it', async () => {
    const { begin, pass, lines } = open({}, (at) => (at === 0 ? down : { kind: 'delivered' }));
    begin(page);
    // The page is on its way, and not answered yet.
    begin(alertOf('kill/L1'));
    await pass(MINUTE, SECOND);
    expect(lines().flat()).toEqual([`begun ${page.key}`, 'begun kill/L1']);
  });

  test('after a delivery the pauses are short again', async () => {
    const times: number[] = [];
    const { begin, pass, env } = open({}, (at) => {
      times.push(env.queue.now());
      return at < 8 || at === 9 ? down : { kind: 'delivered' };
    });
    begin(page);
    await pass(30 * MINUTE, SECOND);
    begin(ticket);
    await pass(10 * MINUTE, 100);
    expect(times).toHaveLength(11);
    expect(times[10]! - times[9]!).toBeLessThanOrEqual(2_100);
  });

  test('loses what was tried for an hour; the next message says how much, once', async () => {
    let isDown = true;
    const { begin, pass, delivered, logged, messages, channel } = open({}, () =>
      isDown ? down : { kind: 'delivered' },
    );
    begin(page);
    begin(ticket);
    await pass(65 * MINUTE, SECOND);
    expect(messages.length).toBeLessThan(100);
    expect(channel.counts).toEqual({ waiting: 0, lost: 2 });
    expect(logged.filter((line) => line.startsWith('Alerts are lost'))).not.toEqual([]);
    isDown = false;
    begin(alertOf('kill/L1'));
    await pass(5 * MINUTE, SECOND);
    begin(alertOf('kill/L2'));
    await pass(MINUTE, SECOND);
    expect(delivered.map(({ dropped }) => dropped)).toEqual([2, 0]);
  });

  test('a condition that still holds is sent when the receiver is back', async () => {
    let isDown = true;
    const { channel, begin, pass, lines } = open({}, () => (isDown ? down : { kind: 'delivered' }));
    begin(ticket);
    for (let at = 0; at < 65; at++) await pass(MINUTE, SECOND);
    isDown = false;
    channel.remind(new Map([[ticket.key, ticket]]));
    await pass(5 * MINUTE, SECOND);
    expect(lines()).toEqual([[`begun ${ticket.key}`]]);
  });

  test('holds at most 200 alerts, and loses those first that are no pages', async () => {
    let isDown = true;
    const { begin, pass, lines, channel } = open({}, () => (isDown ? down : { kind: 'delivered' }));
    begin(page);
    await pass(SECOND);
    for (let at = 0; at < 300; at++) begin(alertOf(`rejected/${at}`, 'ticket'));
    await pass(5 * SECOND, SECOND);
    expect(channel.counts).toEqual({ waiting: 200, lost: 101 });
    isDown = false;
    await pass(30 * MINUTE, SECOND);
    const sent = lines().flat();
    expect(sent).toContain(`begun ${page.key}`);
    expect(sent).toContain('begun rejected/299');
    expect(sent).toHaveLength(200);
  });

  test('a wait that the receiver asks for is kept', async () => {
    const { begin, pass, messages } = open({}, (at) =>
      at === 0
        ? { kind: 'retry', reason: 'HTTP 429', retryAfterMs: 600_000 }
        : { kind: 'delivered' },
    );
    begin(page);
    await pass(599 * SECOND, SECOND);
    expect(messages).toHaveLength(1);
    await pass(5 * SECOND, SECOND);
    expect(messages).toHaveLength(2);
  });

  test('one that refuses is not asked again at once', async () => {
    const { begin, pass, messages, logged, channel } = open({}, (at) =>
      at === 0 ? { kind: 'refused', reason: 'HTTP 404' } : { kind: 'delivered' },
    );
    begin(page);
    for (let at = 0; at < 5; at++) {
      channel.remind(new Map([[page.key, page]]));
      await pass(MINUTE, SECOND);
    }
    expect(messages).toHaveLength(1);
    expect(logged.join('\n')).toContain('HTTP 404');
  });

  test('a stop waits no longer than it may', async () => {
    const { begin, channel, env, turn, logged } = open({ digestMs: HOUR }, () => down);
    begin(ticket);
    const closing = channel.close(3_000);
    for (let at = 0; at < 5; at++) {
      await turn();
      env.queue.advanceTo(env.queue.now() + SECOND);
    }
    await closing;
    expect(logged.join('\n')).toContain('"lost":1');
    begin(page);
    expect(channel.counts.waiting).toBe(0);
  });

  test('a stop does not wait for a sender that never answers', async () => {
    const env = createVirtualEnv({ startTime: 0 });
    const { sender } = openSender();
    const hanging = { ...sender, send: () => new Promise<Delivery>(() => {}) };
    const channel = createChannel({ name: 'one', rules: RULES, sender: hanging, bot: 'one', env });
    channel.offer(changeOf('begun', page));
    let isClosed = false;
    const closing = channel.close(3_000).then(() => (isClosed = true));
    env.queue.advanceTo(2_999);
    await Promise.resolve();
    expect(isClosed).toBe(false);
    env.queue.advanceTo(3_000);
    await closing;
  });
});

test('for any course of conditions: one begin a repeat, each end after its begin, nothing lost', async () => {
  const step = fc.record({
    key: fc.nat({ max: 3 }),
    kind: fc.constantFrom('toggle', 'toggle', 'once'),
    waitMs: fc.integer({ min: 0, max: 40 * MINUTE }),
  });
  const rules = fc.record({
    digestMs: fc.constantFrom(0, 10 * SECOND, MINUTE),
    repeatMs: fc.constantFrom(MINUTE, 30 * MINUTE, HOUR),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), rules, async (steps, drawn) => {
      const { channel, env, pass, delivered, turn } = open(drawn);
      const active = new Map<string, Alert>();
      const offered = new Set<string>();
      for (const { key, kind, waitMs } of steps) {
        const alert = alertOf(`key/${key}${kind === 'once' ? '/once' : ''}`, 'ticket');
        offered.add(alert.key);
        const at = env.clock.wallNow();
        if (kind === 'once') channel.offer(changeOf('once', alert, at));
        else if (active.delete(alert.key)) channel.offer(changeOf('over', alert, at));
        else {
          active.set(alert.key, alert);
          channel.offer(changeOf('begun', alert, at));
        }
        await turn();
        await pass(waitMs, 5 * MINUTE);
        channel.remind(active);
      }
      await pass(2 * HOUR, 10 * MINUTE);
      channel.remind(active);
      await pass(2 * MINUTE, SECOND * 20);
      const sent = delivered.flatMap(({ notices }) => notices);
      for (const key of offered) {
        const own = sent.filter(({ alert }) => alert.key === key);
        expect(own.length, `${key} was never sent`).toBeGreaterThan(0);
        const begins = own.filter(({ kind }) => kind !== 'over').map(({ time }) => time);
        for (const [at, time] of begins.entries())
          if (at > 0) expect(time - begins[at - 1]!).toBeGreaterThanOrEqual(drawn.repeatMs);
        for (const [at, { kind }] of own.entries())
          if (kind === 'over') expect(own[at - 1]?.kind).toBe('begun');
        // Whoever was told last that it holds is right, and the other way round.
        if (!key.endsWith('once')) expect(own.at(-1)!.kind !== 'over').toBe(active.has(key));
      }
      expect(channel.counts).toEqual({ waiting: 0, lost: 0 });
    }),
    { numRuns: 60 },
  );
});

test('what is lost is said once in all, whenever it is lost, and no more than 200 wait', async () => {
  const step = fc.record({
    offers: fc.constantFrom(0, 1, 20, 250),
    // What becomes of the message that is under way meanwhile.
    answer: fc.constantFrom<Delivery>(
      { kind: 'delivered' },
      { kind: 'retry', reason: 'HTTP 500' },
      { kind: 'refused', reason: 'HTTP 404' },
    ),
  });
  await holdLaw(25, fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
    const env = createVirtualEnv({ startTime: 0 });
    const delivered: Message[] = [];
    let answer: ((delivery: Delivery) => void) | undefined;
    const sender: Sender = {
      ...openSender().sender,
      send: (message) =>
        new Promise((resolve) => {
          answer = (delivery) => {
            answer = undefined;
            if (delivery.kind === 'delivered') delivered.push(message);
            resolve(delivery);
          };
        }),
    };
    const channel = createChannel({ name: 'one', rules: RULES, sender, bot: 'one', env });
    let offered = 0;
    const offer = (count: number): void => {
      for (let at = 0; at < count; at++)
        channel.offer(changeOf('once', alertOf(`alert/${offered++}`)));
    };
    const pass = async (): Promise<void> => {
      await nextTurn();
      env.queue.advanceTo(env.queue.now() + MINUTE);
      env.queue.advanceTo(env.queue.now() + 2 * MINUTE);
    };
    offer(1);
    await pass();
    for (const { offers, answer: given } of steps) {
      offer(offers);
      answer?.(given);
      await nextTurn();
      expect(channel.counts.waiting).toBeLessThanOrEqual(200);
      await pass();
    }
    offer(1);
    for (let turn = 0; turn < 100; turn++) {
      await pass();
      answer?.({ kind: 'delivered' });
    }
    const sent = delivered.flatMap(({ notices }) => notices).length;
    const { waiting, lost } = channel.counts;
    expect({ waiting, sent: sent + lost }).toEqual({ waiting: 0, sent: offered });
    expect(delivered.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(lost);
  });
});
