import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { Secret, type BotConfig, type ChannelConfig } from '../../../src/config/index.ts';
import { createLiveEnv, createVirtualEnv } from '../../../src/env/index.ts';
import { createAlerts } from '../../../src/operate/notify/createAlerts.ts';
import { eachReceiver } from '../../../src/operate/notify/eachReceiver.ts';
import { formatMessage, takeFitting } from '../../../src/operate/notify/formatNotices.ts';
import { openAlerts } from '../../../src/operate/notify/index.ts';
import { sendTestMessages } from '../../../src/operate/notify/sendTestMessages.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { alertOf, createFastEnv, RULES } from './fixtures.ts';
import { openReceiver } from './receivers.ts';

const channelOf = (url: string, rest: Partial<ChannelConfig> = {}): ChannelConfig =>
  ({
    kind: 'webhook',
    url: new Secret(url),
    template: 'plain',
    ...RULES,
    ...rest,
  }) as ChannelConfig;

test.each([
  // A stop that took all of its time leaves a second, and one that took none takes three at most.
  [1, 1_000],
  [600_000, 3_000],
])(
  'a stop of %i ms gives a receiver that hangs %i ms for the last alerts',
  async (stopMs, least) => {
    const receiver = await openReceiver(() => {});
    onTestFinished(() => receiver.close());
    const env = createFastEnv(undefined, 2);
    const notify = { channels: [channelOf(receiver.url)], uncoveredSeconds: null };
    const config = {
      name: 'bot',
      file: 'bot.yaml',
      stopPolicy: 'leave',
      stopMs,
      operate: { notify },
    };
    const alerts = openAlerts({
      bot: { events$: new Subject<BotEvent>() },
      state: {} as never,
      config: config as unknown as BotConfig,
      env,
    })!;
    alerts.ending(undefined);
    const begun = env.clock.monotonicNow();
    await alerts.close();
    const took = env.clock.monotonicNow() - begun;
    expect(took).toBeGreaterThan(least - 100);
    // On a busy machine it may be late, but never by the stop's whole time.
    expect(took).toBeLessThan(300_000);
    if (least === 1_000) expect(receiver.got.length).toBeGreaterThan(0);
  },
);

test('a test goes to each channel, as urgent as the least that it gets', async () => {
  const receivers = [await openReceiver(), await openReceiver(), await openReceiver()];
  onTestFinished(() => Promise.all(receivers.map((one) => one.close())).then(() => {}));
  const severities = ['report', 'ticket', 'page'] as const;
  const channels = severities.map((min, at) => channelOf(receivers[at]!.url, { min }));
  const operate = { notify: { channels, uncoveredSeconds: null } } as never;
  const tested = await sendTestMessages({ name: 'bot', operate }, { env: createLiveEnv() });
  expect(tested.map(({ delivery }) => delivery.kind)).toEqual(severities.map(() => 'delivered'));
  expect(receivers.map(({ got }) => got.length)).toEqual([1, 1, 1]);
  expect(receivers.map(({ got }) => (got[0]!.body['alerts'] as object[])[0])).toMatchObject(
    severities.map((severity) => ({ severity, key: 'test' })),
  );
});

test('a message has as many alerts as fit, by their length once they are escaped, and one at least', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '*', '<', ' '), maxLength: 60 });
  const drawn = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 8 }),
    most: fc.integer({ min: 20, max: 900 }),
    dropped: fc.constantFrom(0, 1, 1_234),
    isEscaped: fc.boolean(),
  });
  await holdLaw(200, drawn, ({ texts, most, dropped, isEscaped }) => {
    const escape = (raw: string): string => (isEscaped ? raw.replaceAll(/[*<]/g, '&amp;') : raw);
    const notices = texts.map((each, at) => ({
      kind: 'begun' as const,
      alert: alertOf(`key${at}`, 'page', each),
      time: 1_780_000_000_000,
    }));
    const lengthOf = (count: number): number =>
      formatMessage({ bot: 'bot', notices: notices.slice(0, count), dropped }, escape).length;
    const taken = takeFitting({ bot: 'bot', notices, dropped }, { escape, most });
    expect(taken).toEqual(notices.slice(0, taken.length));
    expect(taken.length).toBeGreaterThan(0);
    if (taken.length > 1) expect(lengthOf(taken.length)).toBeLessThanOrEqual(most);
    // Two characters part one from the next.
    if (taken.length < notices.length) expect(lengthOf(taken.length + 1) + 2).toBeGreaterThan(most);
  });
});

test('each recipient of a mail has one of its own, from whom the configuration says', () => {
  const mail = (rest: object) =>
    ({ kind: 'email', url: new Secret('smtps://u%40x.org:p@mail'), ...RULES, ...rest }) as never;
  const seen = (rest: object) =>
    eachReceiver([channelOf('https://x.org'), mail(rest)]).map(({ name, channel }) => {
      const { to, from } = channel as { to?: string[]; from?: string };
      return [name, to, from];
    });
  const hook = ['webhook notify[0]', undefined, undefined];
  const to = ['a@x.org', 'b@x.org'];
  expect(seen({ to, from: 'bot@x.org' })).toEqual([
    hook,
    ['email notify[1].to[0]', ['a@x.org'], 'bot@x.org'],
    ['email notify[1].to[1]', ['b@x.org'], 'bot@x.org'],
  ]);
  // Of nobody in particular, it is the server's user.
  expect(seen({ to, from: undefined }).map(([, , from]) => from)).toEqual([
    undefined,
    'u@x.org',
    'u@x.org',
  ]);
  expect(seen({ to: ['a@x.org'], from: undefined })).toEqual([
    hook,
    ['email notify[1]', ['a@x.org'], undefined],
  ]);
});

test('a start says all that is still in force, be it one thing alone', () => {
  const quiet = { name: 'own', paused: null, throttled: null, stage: null };
  const blocks = {
    bot: { kill_level: 'L0', kill_reason: null },
    strategies: [quiet],
    positions: [{ symbol: 'BTC', wallet: 'main', ownership: 'owned' }],
    unanswered: [],
  };
  const textOf = (changed: object): string => {
    const events$ = new Subject<BotEvent>();
    const texts: string[] = [];
    const alerts = createAlerts({
      bot: { events$ },
      state: { view: () => ({ blocks: { ...blocks, ...changed } }) as never },
      env: createVirtualEnv(),
      config: { file: 'bot.yaml' } as never,
      uncoveredSeconds: null,
      offer: ({ kind, alert }) => void texts.push(`${kind} ${alert.severity} ${alert.text}`),
      remind: () => {},
    });
    events$.next({ kind: 'recovered', report: {} } as BotEvent);
    alerts.close();
    expect(texts).toHaveLength(1);
    return texts[0]!;
  };
  const read = 'once report Its journal is read and its strategies run.';
  expect(textOf({})).toBe(read);
  const still = (changed: object, what: string): void =>
    expect(textOf(changed)).toBe(`${read} Still in force: ${what}.`);
  still({ bot: { kill_level: 'L2', kill_reason: 'a test' } }, 'kill level L2: a test');
  still({ strategies: [{ ...quiet, paused: 'why' }] }, 'strategy own is paused: why');
  still({ strategies: [{ ...quiet, throttled: 'x' }] }, 'strategy own may no longer enter');
  still({ strategies: [{ ...quiet, stage: 'canary' }] }, 'strategy own is at the stage canary');
  still(
    { positions: [{ symbol: 'BTC', wallet: 'main', ownership: 'ignored' }] },
    'BTC on main is ignored',
  );
  still({ unanswered: [{}] }, 'without an answer: 1');
  still({ unanswered: [{}, {}] }, 'without an answer: 2');
});

test('a day is reported once the next one has begun, and not where time only goes back', () => {
  const DAY_MS = 86_400_000;
  const start = Date.UTC(2026, 0, 5);
  const said: string[] = [];
  const view = { time: 0, equity: 0 };
  const alerts = createAlerts({
    bot: { events$: new Subject<BotEvent>() },
    state: {
      view: () =>
        ({
          time: view.time,
          blocks: {
            bot: {
              kill_level: 'L0',
              key_refused: null,
              gate: [],
              closed_wallets: [],
              closed_symbols: [],
            },
            connection: { state: 'open' },
            budget: { held_until: null },
            positions: [],
            strategies: [],
            unanswered: [],
            feeds: [],
            wallets: [{ wallet: 'main', equity: view.equity, day_pnl: -1, day_loss_limit: null }],
          },
        }) as never,
    },
    env: createVirtualEnv(),
    config: { file: 'bot.yaml' } as never,
    uncoveredSeconds: null,
    offer: ({ alert }) => void said.push(`${alert.key} ${alert.text}`),
    remind: () => {},
  });
  const lookAt = (time: number, equity: number): string[] => {
    Object.assign(view, { time: start + time, equity });
    said.length = 0;
    alerts.look();
    return [...said];
  };
  const day = (date: string, equity: string): string =>
    `day/${date} Equity and result of the day: main: ${equity}, -1.00.`;
  expect(lookAt(0, 100)).toEqual([]);
  expect(lookAt(DAY_MS - 1, 101)).toEqual([]);
  expect(lookAt(DAY_MS, 102)).toEqual([day('2026-01-05', '101.00')]);
  expect(lookAt(DAY_MS - 1, 103)).toEqual([]);
  expect(lookAt(DAY_MS - 1, 104)).toEqual([]);
  lookAt(DAY_MS, 105);
  expect(lookAt(2 * DAY_MS + 5, 106)).toEqual([day('2026-01-06', '105.00')]);
  alerts.close();
});
