/** What of a view is an alert, and from when on, against the list of conditions as the documents have it. */
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { conditionsOf, type StreamLosses } from '../../../src/operate/notify/conditionsOf.ts';
import { createAlerts } from '../../../src/operate/notify/createAlerts.ts';
import { createStreamLosses } from '../../../src/operate/notify/createStreamLosses.ts';
import { alertOfEvent } from '../../../src/operate/notify/alertOfEvent.ts';
import type { AlertChange } from '../../../src/operate/notify/Alert.ts';
import type { BotView } from '../../../src/operate/state/index.ts';
import { cancelOrder, launchBasket, placeOrder, type Intent } from '../../../src/intents/index.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { anyView } from '../drawView.ts';

const MINUTE = 60_000;

interface Wanted {
  severity: 'page' | 'ticket';
  hold: number;
  since?: number;
  isBridged?: true;
  /** Whether one of these alerts says it already. */
  isSaid?: (held: readonly string[]) => boolean;
}

interface Drawn {
  uncovered: number | null;
  doubted: readonly string[];
  /** Places whose exits can't be sent. */
  unsent: readonly string[];
  unrotated: string | null;
  losses: StreamLosses;
}

function wantedOf(
  { time, blocks }: BotView,
  { uncovered, doubted, unsent, unrotated, losses }: Drawn,
) {
  const wanted = new Map<string, Wanted>();
  const page = (key: string, hold = 0, since?: number) =>
    wanted.set(key, { severity: 'page', hold, ...(since !== undefined && { since }) });
  const bridged = (severity: 'page' | 'ticket', key: string, hold: number) =>
    wanted.set(key, { severity, hold, isBridged: true });
  const under = (held: readonly string[], ...names: readonly string[]): boolean =>
    held.some((key) => names.some((name) => key === name || key.startsWith(`${name}/`)));
  const ticket = (key: string, hold = 0) => wanted.set(key, { severity: 'ticket', hold });
  const { bot, connection, positions, wallets, strategies, feeds, unanswered, budget } = blocks;
  if (bot.kill_level !== 'L0') page(`kill/${bot.kill_level}`);
  if (bot.key_refused !== null) page('key_refused');
  if (connection.state !== 'open') bridged('page', 'stream', MINUTE);
  if (losses.count >= 3 && losses.downMs >= 3 * MINUTE) {
    bridged('page', 'stream/again', 0);
    wanted.get('stream/again')!.isSaid = (held) => held.includes('stream');
  }
  if (unrotated !== null) page('rotation', MINUTE);
  for (const place of unsent) bridged('page', `waiting/${place}`, MINUTE);
  for (const { key, time: since } of unanswered) page(`unanswered/${key}`, MINUTE, since);
  if (budget.held_until !== null) {
    ticket('budget');
    wanted.get('budget')!.isSaid = (held) => held.includes('budget/held');
    if (positions.some(({ ownership }) => ownership === 'owned' || ownership === 'orphan'))
      bridged('page', 'budget/held', MINUTE);
  }
  for (const place of doubted) ticket(`doubted/${place}`);
  for (const { wallet, symbol, ownership, uncovered_since: since } of positions) {
    const isOpen = since !== null && ownership !== 'ignored';
    if (uncovered !== null && isOpen)
      page(`uncovered/${wallet}/${symbol}`, uncovered * 1_000, since);
    if (ownership === 'orphan') page(`orphan/${wallet}/${symbol}`);
  }
  for (const { wallet, day_pnl: pnl, day_loss_limit: limit, day_loss_reached: lost } of wallets) {
    if (pnl === null || limit === null) continue;
    if (lost !== null && lost >= limit) page(`loss/${wallet}/limit`);
    else if (pnl <= -0.8 * limit) page(`loss/${wallet}/near`, 5_000);
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
  const closed = (severity: 'page' | 'ticket', place: string, ...by: readonly string[]): void => {
    bridged(severity, place, 5 * MINUTE);
    wanted.get(place)!.isSaid = (held) => under(held, 'kill', 'key_refused', 'stream', ...by);
  };
  if (bot.gate.length > 0) closed('page', 'closed');
  for (const { wallet } of bot.closed_wallets)
    closed(
      'page',
      `closed/${wallet}`,
      `loss/${wallet}/limit`,
      `orphan/${wallet}`,
      `uncovered/${wallet}`,
    );
  for (const { wallet, symbol } of bot.closed_symbols)
    closed(
      'ticket',
      `closed/${wallet}/${symbol}`,
      `doubted/${wallet}/${symbol}`,
      `stale/${symbol}`,
    );
  return wanted;
}

const uncoveredSeconds = fc.constantFrom(null, 5, 60);

const unsentPlaces = fc.subarray(['main/BTC', 'side/']);
const anyLosses = fc.record({
  count: fc.constantFrom(0, 2, 3, 7),
  downMs: fc.constantFrom(0, 179_999, 180_000, 600_000),
});
const rotation = fc.constantFrom(null, 'it has no wallet main');
const toUnsent = (place: string) => {
  const [wallet = '', symbol = ''] = place.split('/');
  return { key: place, kind: 'close_position', wallet, symbol, reason: 'not_connected' };
};

test.each([
  [-80, null, "the day's loss of main is near its limit", 5_000],
  [-101, null, "the day's loss of main exceeds its limit, and no bar has confirmed it yet", 5_000],
  [-101, 101, "the day's loss limit of main is reached", 0],
  [-20, 101, "the day's loss limit of main is reached", 0],
])('a result of %d with %s as the limit that was reached', (pnl, reached, title, holdMs) => {
  const [view] = fc.sample(anyView, { numRuns: 1, seed: 1 });
  const row = { wallet: 'main', day_pnl: pnl, day_loss_limit: 100, day_loss_reached: reached };
  const wallets = [{ ...view!.blocks.wallets[0]!, ...row }];
  const found = conditionsOf(
    { ...view!, blocks: { ...view!.blocks, wallets } },
    {
      config: { file: 'bot.yaml' },
      uncoveredSeconds: null,
      doubted: new Map(),
      unsent: [],
      unrotated: null,
      losses: { count: 0, downMs: 0 },
    },
  );
  expect(found.filter(({ key }) => key.startsWith('loss/'))).toMatchObject([{ title, holdMs }]);
});

test('each condition of a view is found, and no other', async () => {
  const doubts = fc.subarray(['main/BTC', 'side/BTC']);
  const drawn = fc.tuple(anyView, uncoveredSeconds, doubts, unsentPlaces, rotation, anyLosses);
  await holdLaw(300, drawn, ([view, uncovered, doubted, unsent, unrotated, losses]) => {
    const rules = {
      config: { file: 'bot.yaml' },
      uncoveredSeconds: uncovered,
      doubted: new Map(doubted.map((place) => [place, 'why'])),
      unsent: unsent.map(toUnsent),
      unrotated,
      losses,
    };
    const found = conditionsOf(view, rules);
    const shown = found.map(({ key, severity, holdMs, since, isBridged }) => [
      key,
      {
        severity,
        hold: holdMs,
        ...(since !== undefined && { since }),
        ...(isBridged && { isBridged }),
      },
    ]);
    const wanted = wantedOf(view, { uncovered, doubted, unsent, unrotated, losses });
    const bare = [...wanted].map(([key, { isSaid: _isSaid, ...rest }]) => [key, rest]);
    expect(new Map(shown as never)).toEqual(new Map(bare as never));
    expect(shown).toHaveLength(wanted.size);
  });
});

/** Of looks within ten minutes. */
function lossesOf(looks: readonly { at: number; isDown: boolean }[]): StreamLosses {
  let [count, downMs] = [0, 0];
  let lastDown = -Infinity;
  for (const [turn, { at, isDown }] of looks.entries()) {
    const before = looks[turn - 1];
    if (isDown && before?.isDown === true) downMs += at - before.at;
    else if (isDown && at - lastDown >= 30_000) count++;
    if (isDown) lastDown = at;
  }
  return { count, downMs };
}

test('losses of the stream are those of the last ten minutes, whole or in part', async () => {
  const look = fc.record({
    pause: fc.constantFrom(2_000, 15_000, 29_999, 30_000, 120_000, 400_000),
    isDown: fc.boolean(),
  });
  await holdLaw(200, fc.array(look, { minLength: 2, maxLength: 30 }), (steps) => {
    let now = 0;
    const losses = createStreamLosses(() => now);
    const looks: { at: number; isDown: boolean }[] = [];
    for (const { pause, isDown } of steps) {
      now += pause;
      looks.push({ at: now, isDown });
      expect(losses.see(!isDown)).toEqual(lossesWithin(looks, now - 10 * MINUTE));
    }
  });
});

/** The same by the looks alone: those at which it was down, one after the other, are a loss. */
function lossesWithin(
  looks: readonly { at: number; isDown: boolean }[],
  since: number,
): StreamLosses {
  const spans: { from: number; to: number }[] = [];
  for (const [turn, { at, isDown }] of looks.entries())
    if (isDown && looks[turn - 1]?.isDown === true) spans.at(-1)!.to = at;
    else if (isDown) spans.push({ from: at, to: at });
  const recent = spans.filter(({ to }) => to > since);
  const parts = looks.slice(1).map(({ at, isDown }, before) => {
    const { at: from, isDown: wasDown } = looks[before]!;
    return isDown && wasDown ? Math.max(0, at - Math.max(from, since)) : 0;
  });
  const isApart = ({ from }: { from: number }, turn: number): boolean =>
    turn === 0 || from - recent[turn - 1]!.to >= 30_000;
  const downMs = parts.reduce((sum, part) => sum + part, 0);
  return { count: recent.filter(isApart).length, downMs };
}

test('a condition begins once it has held for long enough, and is over or replaced once', async () => {
  const course = fc.array(
    fc.record({
      view: anyView,
      isSame: fc.boolean(),
      pause: fc.constantFrom(1_000, 4_999, 5_000, 29_999, 30_000, 60_000),
      doubt: fc.constantFrom(undefined, 'main', 'side'),
      confirm: fc.constantFrom(undefined, undefined, 'main', 'side'),
      unsent: fc.constantFrom(undefined, undefined, 'deferred', 'sending', 'accepted'),
      rotated: fc.constantFrom(undefined, undefined, 'refused', 'settled', 'done'),
    }),
    // Within the ten minutes over which losses are added up.
    { minLength: 2, maxLength: 10 },
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
      config: { file: 'bot.yaml' },
      uncoveredSeconds: uncovered,
      offer: ({ kind, alert }: AlertChange) => {
        if (kind !== 'once') offered.push(`${kind} ${alert.key}`);
      },
      remind: () => {},
    });
    const doubted = new Set<string>();
    let waits = false;
    let unrotated: string | null = null;
    const seen = new Map<string, { first: number; last: number; wanted: Wanted }>();
    let active = new Set<string>();
    const looks: { at: number; isDown: boolean }[] = [];
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
      if (step.unsent !== undefined) {
        const { unsent: state } = step;
        const emission = { wallet: 'main', intent: { kind: 'close_position', symbol: 'BTC' } };
        const waitsFor = state === 'deferred' ? 'connection (exit)' : undefined;
        const event = { key: 'k', state, emission, waitsFor, reason: 'not_connected' };
        events.next({ kind: 'intent', event } as never);
        waits = state === 'deferred' || (waits && state === 'sending');
      }
      if (step.rotated !== undefined) {
        unrotated = step.rotated === 'refused' ? 'it lacks a scope' : null;
        const refusal = { kind: 'key_rotation_refused', reason: unrotated } as const;
        events.next(step.rotated === 'done' ? ({ kind: 'key_rotated' } as never) : refusal);
      }
      looks.push({ at: now, isDown: view.blocks.connection.state !== 'open' });
      const wanted = wantedOf(view, {
        uncovered,
        doubted: [...doubted],
        unsent: waits ? ['main/BTC'] : [],
        unrotated,
        losses: lossesOf(looks),
      });
      for (const [key, { last, wanted: one }] of seen)
        if (!wanted.has(key) && (one.isBridged !== true || now - last >= 30_000)) seen.delete(key);
      for (const [key, one] of wanted)
        seen.set(key, { first: seen.get(key)?.first ?? now, last: now, wanted: one });
      const holds = [...seen].flatMap(([key, { first, wanted: one }]) => {
        // In an interruption it stays as it was.
        if (!wanted.has(key)) return active.has(key) ? [key] : [];
        return Math.max(view.time - (one.since ?? view.time), now - first) >= one.hold ? [key] : [];
      });
      const saying = holds.filter((key) => seen.get(key)!.wanted.isSaid === undefined);
      for (const [key, { wanted: one }] of seen) if (one.isSaid?.(saying)) seen.delete(key);
      const next = new Set(holds.filter((key) => seen.has(key)));
      const groupOf = (key: string): string | null =>
        /^(kill)\/|^(loss\/\w+)\/|^(budget|stream)/.exec(key)?.slice(1).find(Boolean) ?? null;
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

/** Alerts of what holds at each of these times, by their keys; views are looked at every two seconds. */
function course(
  seconds: number,
  blocksAt: (second: number) => Partial<BotView['blocks']>,
  doubted: readonly string[] = [],
) {
  let now = 0;
  const events = new Subject<BotEvent>();
  const env = {
    ...createVirtualEnv(),
    clock: { wallNow: () => now, monotonicNow: () => now },
    timers: { after: () => () => {} },
  };
  const [base] = fc.sample(anyView, { numRuns: 1, seed: 1 });
  const calm: Partial<BotView['blocks']> = {
    bot: {
      ...base!.blocks.bot,
      kill_level: 'L0',
      key_refused: null,
      gate: [],
      closed_wallets: [],
      closed_symbols: [],
    },
    connection: { ...base!.blocks.connection, state: 'open' },
    positions: [],
    wallets: [],
    strategies: [],
    feeds: [],
    unanswered: [],
  };
  const offered: string[] = [];
  const alerts = createAlerts({
    bot: { events$: events },
    state: {
      view: () => ({ ...base!, blocks: { ...base!.blocks, ...calm, ...blocksAt(now / 1_000) } }),
    },
    env,
    config: { file: 'bot.yaml' },
    uncoveredSeconds: 60,
    offer: ({ kind, alert }) => offered.push(`${now / 1_000} ${kind} ${alert.key}: ${alert.text}`),
    remind: () => {},
  });
  for (const place of doubted) {
    const [wallet, symbol] = place.split('/');
    events.next({ kind: 'position_doubted', doubt: { wallet, symbol } } as never);
  }
  for (; now <= seconds * 1_000; now += 2_000) alerts.look();
  alerts.close();
  return offered;
}

test('a stream that is down for most of the time is down, until it is there for half a minute', () => {
  const lost = { state: 'lost', reason: 'cut', wall_since: 0, reconnects: 0 } as const;
  const gate = ['the stream is down'];
  const isDown = (second: number): boolean => second < 1_000 && second % 30 < 20;
  const found = course(1_100, (second) =>
    isDown(second)
      ? {
          connection: lost,
          bot: {
            kill_level: 'L0',
            key_refused: null,
            gate,
            closed_wallets: [],
            closed_symbols: [],
          } as never,
        }
      : {},
  );
  expect(found.map((line) => line.split(':')[0])).toEqual(['60 begun stream', '1028 over stream']);
});

test('a stream that is lost again and again is a page, though each loss is short and told', () => {
  const lost = { state: 'lost', reason: 'cut', wall_since: 0, reconnects: 0 } as const;
  const keys = (seconds: number, isDown: (second: number) => boolean): readonly string[] =>
    course(seconds, (second) => (isDown(second) ? { connection: lost } : {})).map(
      (line) => line.split(':')[0]!,
    );
  // Down for 40 seconds of every 80: 38 of them are seen, by looks every two seconds.
  expect(keys(2_000, (second) => second < 800 && second % 80 < 40)).toEqual([
    '348 begun stream/again',
    expect.stringMatching(/^1\d{3} over stream\/again$/),
  ]);
  // One that lasts is told as what it is, and so are two.
  expect(keys(900, (second) => second < 180)).toEqual(['60 begun stream', '208 over stream']);
  const twice = (second: number): boolean => second % 300 < 150 && second < 600;
  expect(keys(900, twice).every((line) => !line.includes('again'))).toBe(true);
  // Losses of a moment are none that somebody must look at.
  expect(keys(1_200, (second) => second % 60 < 10)).toEqual([]);
});

test('closed entries are said while the stream is lost for seconds and there for minutes', () => {
  const lost = { state: 'lost', reason: 'cut', wall_since: 0, reconnects: 0 } as const;
  const bot = {
    kill_level: 'L0',
    key_refused: null,
    gate: ['1 frame is missing'],
    closed_wallets: [],
    closed_symbols: [],
  };
  const found = course(400, (second) => ({
    bot: bot as never,
    ...(second % 60 < 20 && { connection: lost }),
  }));
  expect(found).toEqual(['300 begun closed: 1 frame is missing.']);
});

test('entries that a kill level or a refused key closes are not said twice', () => {
  const closing = { gate: ['closed'], closed_wallets: [], closed_symbols: [] };
  const keys = (bot: object): readonly string[] =>
    course(700, () => ({ bot: { ...closing, ...bot } as never })).map(
      (line) => line.split(':')[0]!,
    );
  const killed = { kill_level: 'L1', kill_reason: 'by hand', key_refused: null };
  expect(keys(killed)).toEqual(['0 begun kill/L1']);
  expect(keys({ kill_level: 'L0', key_refused: 'unknown_key' })).toEqual(['0 begun key_refused']);
});

test('a rate budget that is paused for a minute is a page while a position is open', () => {
  const held = { held_until: 1_780_000_090_000 } as never;
  const own = { wallet: 'main', symbol: 'BTC', side: 'long', size: 1, uncovered_since: null };
  const at = (ownership: string) => (second: number) => ({
    positions: [{ ...own, ownership } as never],
    budget: second < 90 ? held : ({ held_until: null } as never),
  });
  const until = '2026-05-28T20:28:10 UTC';
  const text = `It answered 429; what the bot sends waits until ${until}, exits included.`;
  expect(course(150, at('owned'))).toEqual([
    `0 begun budget: ${text}`,
    `60 replaced budget: ${text}`,
    `60 begun budget/held: ${text} Open: BTC on main.`,
    `118 over budget/held: ${text} Open: BTC on main.`,
  ]);
  expect(course(150, at('ignored')).map((line) => line.split(':')[0])).toEqual([
    '0 begun budget',
    '90 over budget',
  ]);
});

test('a paused budget does not say why entries are closed', () => {
  const bot = { kill_level: 'L0', key_refused: null, closed_wallets: [], closed_symbols: [] };
  const own = { wallet: 'main', symbol: 'BTC', ownership: 'owned', uncovered_since: null };
  const found = course(300, () => ({
    bot: { ...bot, gate: ['1 frame is missing'] } as never,
    positions: [own as never],
    budget: { held_until: 1_780_000_090_000 } as never,
  }));
  expect(found.at(-1)).toBe('300 begun closed: 1 frame is missing.');
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
  const leg = { algo: 'pacemaker', side: 'buy', total_size: 1 } as const;
  const params = { duration_seconds: 60 };
  const basket = (symbol: string): Intent =>
    launchBasket({ legs: ['BTC', symbol].map((each) => ({ ...leg, symbol: each, params })) });
  const given = [
    intent('rejected'),
    intent('rejected', 'other'),
    intent('rejected', fault.code, placeOrder.market({ ...buy, symbol: 'ETH' })),
    intent('rejected', fault.code, placeOrder.market({ ...buy, reduce_only: true })),
    intent('rejected', fault.code, placeOrder.market({ ...buy, symbol: 'ETH', reduce_only: true })),
    intent('rejected', fault.code, placeOrder.market({ ...buy, reduce_only: true }), 'side'),
    intent('rejected', 'not_found', cancelOrder({ order_id: 'o1' })),
    intent('rejected', fault.code, basket('ETH')),
    intent('rejected', fault.code, basket('SOL')),
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
    'the service rejects an entry of one in BTC, ETH',
    'the service rejects an entry of one in BTC, SOL',
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
  const taken = (time: number, rest: object = {}) =>
    alertOfEvent({
      kind: 'liquidation',
      liquidation: { wallet: 'main', symbol: 'BTC', time, ...rest },
    } as never);
  expect(taken(1)).toMatchObject({ severity: 'page' });
  expect(taken(1)!.key).not.toBe(taken(2)!.key);
  // What is known by its price alone says so.
  expect(taken(1, { isMissed: true })).toMatchObject({
    severity: 'page',
    text: expect.stringContaining('while the stream was down'),
  });
  expect(taken(1)!.text).not.toContain('while the stream was down');
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
      config: { file: 'bot.yaml' },
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

test('a closure is not said beside what says why, and beside anything else it is', () => {
  const calm = {
    kill_level: 'L0',
    key_refused: null,
    gate: [],
    closed_wallets: [],
    closed_symbols: [],
  };
  const at = { wallet: 'main', symbol: 'BTC' };
  const since = { ownership: 'owned', uncovered_since: null };
  const wallet = { wallet: 'main', day_pnl: 0, day_loss_limit: 100, day_loss_reached: null };
  const strategy = { name: 'one', life: 'running', fault: null, throttled: null, paused: null };
  const elsewhere = { wallet: 'side', symbol: 'ETH' };
  /** What else holds, by the key of its alert. */
  const others: Readonly<Record<string, Record<string, unknown>>> = {
    'kill/L1': { bot: { kill_level: 'L1' } },
    key_refused: { bot: { key_refused: 'unknown_key' } },
    stream: { connection: { state: 'lost', reason: 'cut' } },
    'loss/main/near': { wallets: [{ ...wallet, day_pnl: -80 }] },
    'loss/main/limit': { wallets: [{ ...wallet, day_pnl: -100, day_loss_reached: 100 }] },
    'loss/side/limit': {
      wallets: [{ ...wallet, wallet: 'side', day_pnl: -100, day_loss_reached: 100 }],
    },
    'orphan/main/BTC': { positions: [{ ...since, ...at, ownership: 'orphan' }] },
    'orphan/side/ETH': { positions: [{ ...since, ...elsewhere, ownership: 'orphan' }] },
    'uncovered/main/BTC': { positions: [{ ...since, ...at, uncovered_since: 0 }] },
    'uncovered/side/ETH': { positions: [{ ...since, ...elsewhere, uncovered_since: 0 }] },
    'doubted/main/BTC': {},
    'doubted/side/BTC': {},
    'stale/BTC': { feeds: [{ symbol: 'BTC', close_time: null, interval_ms: null }] },
    'stale/ETH': { feeds: [{ symbol: 'ETH', close_time: null, interval_ms: null }] },
    'quarantined/one': { strategies: [{ ...strategy, life: 'quarantined' }] },
    'throttled/one': { strategies: [{ ...strategy, throttled: 'too often' }] },
    'paused/one': { strategies: [{ ...strategy, paused: 'by hand' }] },
    budget: { budget: { held_until: 1_780_000_090_000 } },
    'unanswered/k': { unanswered: [{ key: 'k', kind: 'place_order', ...at, time: 0 }] },
  };
  const all = ['kill/L1', 'key_refused', 'stream'];
  const closures: Readonly<Record<string, { bot: object; saidBy: readonly string[] }>> = {
    closed: { bot: { gate: ['1 frame is missing'] }, saidBy: all },
    'closed/main': {
      bot: { closed_wallets: [{ wallet: 'main', reason: 'closed' }] },
      saidBy: [...all, 'loss/main/limit', 'orphan/main/BTC', 'uncovered/main/BTC'],
    },
    'closed/main/BTC': {
      bot: { closed_symbols: [{ ...at, reason: 'closed' }] },
      saidBy: [...all, 'doubted/main/BTC', 'stale/BTC'],
    },
  };
  for (const [key, { bot, saidBy }] of Object.entries(closures))
    for (const [other, blocks] of Object.entries(others)) {
      const begun = course(
        302,
        () => ({ ...blocks, bot: { ...calm, ...bot, ...(blocks['bot'] as object) } }) as never,
        other.startsWith('doubted') ? [other.replace('doubted/', '')] : [],
      ).map((line) => line.split(':')[0]!.split(' ').at(-1)!);
      expect(begun, `${other} is said`).toContain(other);
      expect(begun.includes(key), `${key} beside ${other}`).toBe(!saidBy.includes(other));
    }
});
