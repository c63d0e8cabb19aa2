/** What of a view is an alert, and from when on, against the list of conditions as the documents have it. */
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { conditionsOf } from '../../../src/operate/notify/conditionsOf.ts';
import { createAlerts } from '../../../src/operate/notify/createAlerts.ts';
import { alertOfEvent } from '../../../src/operate/notify/alertOfEvent.ts';
import type { AlertChange } from '../../../src/operate/notify/Alert.ts';
import type { BotView } from '../../../src/operate/state/index.ts';
import { cancelOrder, placeOrder, type Intent } from '../../../src/intents/index.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { anyView } from '../drawView.ts';

const MINUTE = 60_000;

interface Wanted {
  severity: 'page' | 'ticket';
  hold: number;
  since?: number;
}

function wantedOf({ time, blocks }: BotView, uncovered: number | null, doubted: readonly string[]) {
  const wanted = new Map<string, Wanted>();
  const page = (key: string, hold = 0, since?: number) =>
    wanted.set(key, { severity: 'page', hold, ...(since !== undefined && { since }) });
  const ticket = (key: string, hold = 0) => wanted.set(key, { severity: 'ticket', hold });
  const { bot, connection, positions, wallets, strategies, feeds, unanswered, budget } = blocks;
  if (bot.kill_level !== 'L0') page(`kill/${bot.kill_level}`);
  if (bot.key_refused !== null) page('key_refused');
  if (connection.state !== 'open') page('stream', MINUTE);
  for (const { key, time: since } of unanswered) page(`unanswered/${key}`, MINUTE, since);
  if (budget.held_until !== null) ticket('budget');
  for (const place of doubted) ticket(`doubted/${place}`);
  for (const { wallet, symbol, ownership, uncovered_since: since } of positions) {
    const isOpen = since !== null && ownership !== 'ignored';
    if (uncovered !== null && isOpen)
      page(`uncovered/${wallet}/${symbol}`, uncovered * 1_000, since);
    if (ownership === 'orphan') page(`orphan/${wallet}/${symbol}`);
  }
  for (const { wallet, day_pnl: pnl, day_loss_limit: limit, day_loss_reached: lost } of wallets) {
    if (pnl === null || limit === null) continue;
    if (pnl <= -limit || (lost !== null && lost >= limit)) page(`loss/${wallet}/limit`);
    else if (pnl <= -0.8 * limit) page(`loss/${wallet}/near`);
  }
  for (const { name, life, throttled, paused } of strategies) {
    if (life === 'quarantined') page(`quarantined/${name}`);
    if (life === 'waiting') ticket(`restarting/${name}`);
    if (throttled !== null) ticket(`throttled/${name}`);
    if (paused !== null) ticket(`paused/${name}`);
  }
  for (const { symbol, close_time: closed, interval_ms: interval } of feeds)
    if (closed === null || interval === null) ticket(`stale/${symbol}`, 5 * MINUTE);
    else if (time - closed >= 2 * interval + MINUTE) ticket(`stale/${symbol}`);
  // What closes entries and is an alert already is not said again.
  if (bot.kill_level !== 'L0' || bot.key_refused !== null || connection.state !== 'open')
    return wanted;
  if (bot.gate.length > 0) page('closed', 5 * MINUTE);
  for (const { wallet } of bot.closed_wallets) {
    const isOrphan = positions.some((row) => row.wallet === wallet && row.ownership === 'orphan');
    const isUncovered = [...wanted.keys()].some((key) => key.startsWith(`uncovered/${wallet}/`));
    if (!wanted.has(`loss/${wallet}/limit`) && !isOrphan && !isUncovered)
      page(`closed/${wallet}`, 5 * MINUTE);
  }
  for (const { wallet, symbol } of bot.closed_symbols)
    if (!doubted.includes(`${wallet}/${symbol}`) && !wanted.has(`stale/${symbol}`))
      ticket(`closed/${wallet}/${symbol}`, 5 * MINUTE);
  return wanted;
}

const uncoveredSeconds = fc.constantFrom(null, 5, 60);

test('each condition of a view is found, and no other', async () => {
  const drawn = fc.tuple(anyView, uncoveredSeconds, fc.subarray(['main/BTC', 'side/BTC']));
  await holdLaw(300, drawn, ([view, uncovered, doubted]) => {
    const rules = {
      config: 'bot.yaml',
      uncoveredSeconds: uncovered,
      doubted: new Map(doubted.map((place) => [place, 'why'])),
    };
    const found = conditionsOf(view, rules);
    const shown = found.map(({ key, severity, holdMs, since }) => [
      key,
      { severity, hold: holdMs, ...(since !== undefined && { since }) },
    ]);
    expect(new Map(shown as never)).toEqual(wantedOf(view, uncovered, doubted));
    expect(shown).toHaveLength(new Map(shown as never).size);
  });
});

test('a condition begins once it has held for long enough, and is over or replaced once', async () => {
  const course = fc.array(
    fc.record({
      view: anyView,
      isSame: fc.boolean(),
      pause: fc.constantFrom(1_000, 4_999, 5_000, 60_000),
      doubt: fc.constantFrom(undefined, 'main', 'side'),
      confirm: fc.constantFrom(undefined, undefined, 'main', 'side'),
    }),
    { minLength: 2, maxLength: 8 },
  );
  await holdLaw(60, fc.tuple(course, uncoveredSeconds), ([steps, uncovered]) => {
    let now = 0;
    // It looks when it is reported to, and at no time of its own.
    const env = {
      ...createVirtualEnv(),
      clock: { wallNow: () => 1_780_000_000_000 + now, monotonicNow: () => now },
      timers: { after: () => () => {} },
    };
    const events = new Subject<BotEvent>();
    let view = steps[0]!.view;
    const offered: string[] = [];
    const alerts = createAlerts({
      bot: { events$: events },
      state: { view: () => view },
      env,
      config: 'bot.yaml',
      uncoveredSeconds: uncovered,
      offer: ({ kind, alert }: AlertChange) => {
        if (kind !== 'once') offered.push(`${kind} ${alert.key}`);
      },
      remind: () => {},
    });
    const doubted = new Set<string>();
    const seen = new Map<string, number>();
    let active = new Set<string>();
    for (const step of steps) {
      if (!step.isSame) ({ view } = step);
      if (step.doubt !== undefined) {
        const doubt = { wallet: step.doubt, symbol: 'BTC', shown: 1, expected: 2 };
        events.next({ kind: 'position_doubted', doubt } as never);
        doubted.add(`${step.doubt}/BTC`);
      }
      if (step.confirm !== undefined) {
        events.next({ kind: 'position_confirmed', wallet: step.confirm, symbol: 'BTC' } as never);
        doubted.delete(`${step.confirm}/BTC`);
      }
      const wanted = wantedOf(view, uncovered, [...doubted]);
      for (const key of seen.keys()) if (!wanted.has(key)) seen.delete(key);
      for (const key of wanted.keys()) if (!seen.has(key)) seen.set(key, now);
      const next = new Set(
        [...wanted].flatMap(([key, { hold, since = view.time }]) =>
          Math.max(view.time - since, now - seen.get(key)!) >= hold ? [key] : [],
        ),
      );
      const groupOf = (key: string): string | null =>
        /^(kill)\/|^(loss\/\w+)\//.exec(key)?.slice(1).find(Boolean) ?? null;
      const ends = [...active]
        .filter((key) => !next.has(key))
        .map((key) => {
          const isReplaced =
            groupOf(key) !== null && [...next].some((one) => groupOf(one) === groupOf(key));
          return `${isReplaced ? 'replaced' : 'over'} ${key}`;
        });
      const begins = [...next].filter((key) => !active.has(key)).map((key) => `begun ${key}`);
      offered.length = 0;
      alerts.look();
      expect(offered.toSorted()).toEqual([...ends, ...begins].toSorted());
      active = next;
      now += step.pause;
    }
    alerts.close();
  });
});

test('what happens once is reported once, each of its own kind', () => {
  const buy = { symbol: 'BTC', side: 'buy', size: 1 } as const;
  const fault = { code: 'below_order_minimum', message: 'too little' };
  const intent = (
    state: string,
    code = fault.code,
    given: Intent = placeOrder.market(buy),
    wallet = 'main',
  ) => {
    const emission = { instance: 'one', wallet, intent: given };
    return alertOfEvent({
      kind: 'intent',
      event: { state, emission, fault: { ...fault, code } },
    } as never);
  };
  for (const state of ['denied', 'accepted', 'unknown', 'expired', 'sending', 'absent'])
    expect(intent(state)).toBeUndefined();
  expect(intent('rejected')).toMatchObject({ severity: 'ticket' });
  const given = [
    intent('rejected'),
    intent('rejected', 'other'),
    intent('rejected', fault.code, placeOrder.market({ ...buy, symbol: 'ETH' })),
    intent('rejected', fault.code, placeOrder.market({ ...buy, reduce_only: true })),
    intent('rejected', fault.code, placeOrder.market({ ...buy, symbol: 'ETH', reduce_only: true })),
    intent('rejected', fault.code, placeOrder.market({ ...buy, reduce_only: true }), 'side'),
    intent('rejected', 'not_found', cancelOrder({ order_id: 'o1' })),
  ];
  expect(new Set(given.map((alert) => alert!.key)).size).toBe(given.length);
  expect(given.map((alert) => alert!.title)).toEqual([
    'the service rejects an entry of one in BTC',
    'the service rejects an entry of one in BTC',
    'the service rejects an entry of one in ETH',
    'the service rejects an exit of one in BTC',
    'the service rejects an exit of one in ETH',
    'the service rejects an exit of one in BTC',
    'the service rejects cancel_order of one',
  ]);
  expect(given[3]!.todo).toContain('close or protect it by hand');
  // Its order has filled, which leaves nothing to do by hand.
  expect(given[6]!.todo).not.toContain('by hand');
  const malformed = (isExit: boolean, kind = 'malformed_intent') =>
    alertOfEvent({
      kind: 'strategy_fault',
      fault: { instance: 'one', kind, reason: 'size: NaN', isExit },
    } as never);
  expect(malformed(true)).toMatchObject({
    severity: 'page',
    text: expect.stringMatching(/NaN\.$/),
  });
  expect(malformed(false)).toMatchObject({ severity: 'ticket' });
  // One of an entry must not hold back the page of an exit.
  expect(malformed(true)!.key).not.toBe(malformed(false)!.key);
  expect(malformed(true, 'threw')).toBeUndefined();
  const taken = (time: number) =>
    alertOfEvent({
      kind: 'liquidation',
      liquidation: { wallet: 'main', symbol: 'BTC', time },
    } as never);
  expect(taken(1)).toMatchObject({ severity: 'page' });
  expect(taken(1)!.key).not.toBe(taken(2)!.key);
});

test('a day that has ended is reported with its own figures, and a look that failed is not the last', async () => {
  const DAY = 86_400_000;
  await holdLaw(30, fc.array(fc.constantFrom(0, 1, 2), { minLength: 3, maxLength: 8 }), (steps) => {
    const env = createVirtualEnv();
    const reported: string[] = [];
    const [base] = fc.sample(anyView, 1);
    const view = { ...base!, time: 100 * DAY + 1 };
    let [fails, looks] = [false, 0];
    const alerts = createAlerts({
      bot: { events$: new Subject<BotEvent>() },
      state: {
        view() {
          looks++;
          if (fails) throw new Error('it is being replaced');
          return view;
        },
      },
      env,
      config: 'bot.yaml',
      uncoveredSeconds: null,
      offer: ({ kind, alert }) => {
        if (kind === 'once')
          reported.push(`${alert.title}: ${alert.text.split(': ').slice(1).join(': ')}`);
      },
      remind: () => {},
    });
    const wanted: string[] = [];
    let equity = 1_000;
    let before: string | undefined;
    for (const days of steps) {
      const day = new Date(view.time).toISOString().slice(0, 10);
      view.time += days * DAY;
      if (days > 0 && before !== undefined) wanted.push(`the day ${day}: main: ${before}.`);
      equity += 10;
      view.blocks = {
        ...view.blocks,
        wallets: [{ wallet: 'main', equity, day_pnl: -5, day_loss_limit: null } as never],
      };
      before = `${equity.toFixed(2)}, -5.00`;
      fails = true;
      const seen = looks;
      env.queue.advanceTo(env.clock.wallNow() + 2_000);
      expect(looks).toBe(seen + 1);
      fails = false;
      env.queue.advanceTo(env.clock.wallNow() + 2_000);
      expect(looks).toBe(seen + 2);
    }
    alerts.close();
    expect(reported).toEqual(wanted);
  });
});
