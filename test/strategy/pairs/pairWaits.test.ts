/** When a pair's orders go out after refusals and unwindings, and what they carry. */
import { distinctUntilChanged, interval, map, startWith } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { PairOptions } from '../../../src/index.ts';
import { heldOf, nakedOf, orderOf, start } from './pairFixture.ts';

const RETRY_MS = 4_000;
const UNWIND_MS = 20_000;
const OPTIONS = { unwind_after_ms: UNWIND_MS, retry_ms: RETRY_MS, max_naked: 1_000 };

/** A pair whose target the test changes, with what was sent and not answered yet. */
function open(value: number, options: Partial<PairOptions> = {}) {
  let wanted = value;
  const bot = start(
    (ctx) =>
      interval(1_000, ctx.scheduler).pipe(
        map(() => wanted),
        startWith(value),
        distinctUntilChanged(),
        map((given) => ({ value: given })),
      ),
    { ...OPTIONS, ...options },
  );
  const targets = {
    next(given: { value: number }) {
      wanted = given.value;
      bot.advance('1s');
    },
  };
  let answered = 0;
  const due = () => {
    const fresh = bot.intents.slice(answered);
    answered = bot.intents.length;
    return fresh;
  };
  /** Milliseconds of market time until an order goes out, and the order. */
  const next = (limitMs = 600_000) => {
    const begun = bot.now;
    while (bot.intents.length === answered) {
      if (bot.now - begun > limitMs) throw new Error('nothing was sent');
      bot.advance(500);
    }
    return { waited: bot.now - begun, intents: due() };
  };
  const fillAll = (): void => {
    for (let fresh = due(); fresh.length > 0; fresh = due()) for (const one of fresh) bot.fill(one);
  };
  const deny = (all: ReturnType<typeof due>): void => {
    for (const one of all) bot.outcome(one, 'denied', 'entry_gate');
  };
  return { bot, targets, due, next, fillAll, deny };
}

describe('a pair whose entries are refused', () => {
  test('waits twice as long each time, and as at first once one was filled', () => {
    const { bot, targets, due, next, fillAll, deny } = open(1_000);
    for (let round = 0; round < 2; round++) {
      deny(due());
      // No wait is longer than 64 of the first.
      const MOST = 9;
      for (let times = 0; times <= MOST; times++) {
        const { waited, intents } = next();
        // The leg that was refused last goes first, alone.
        expect(intents.map((intent) => orderOf({ intent }).symbol)).toEqual(['BTC']);
        expect(waited).toBe(RETRY_MS * 2 ** Math.min(times, 6));
        if (times < MOST) deny(intents);
        else for (const intent of intents) bot.fill(intent);
      }
      fillAll();
      expect(nakedOf(bot)).toBeCloseTo(0, 6);
      targets.next({ value: 2_000 + 1_000 * round });
    }
  });

  test.each([1, -1])('exits at once: %d', (sign) => {
    const { bot, targets, due, fillAll, deny } = open(1_000 * sign);
    fillAll();
    targets.next({ value: 3_000 * sign });
    deny(due());
    targets.next({ value: 0 });
    // The leg that was refused goes first, and the other one follows it.
    fillAll();
    expect([heldOf(bot, 'ETH'), heldOf(bot, 'BTC')]).toEqual([0, 0]);
  });
});

test('refused entries do not lengthen the wait after a refused exit', () => {
  const { bot, targets, due, next, fillAll, deny } = open(1_000);
  fillAll();
  targets.next({ value: 3_000 });
  deny(due());
  for (let times = 0; times < 5; times++) deny(next().intents);
  targets.next({ value: 0 });
  for (const intent of due()) bot.outcome(intent, 'rejected', 'no_position');
  const { waited, intents } = next();
  expect(waited).toBe(RETRY_MS);
  expect(intents.map((intent) => orderOf({ intent }).reduce_only)).toEqual([true]);
});

test('refused exits wait twice as long each time, and as at first once one was filled', () => {
  const { bot, targets, due, next, fillAll, deny } = open(3_000);
  fillAll();
  const MOST = 3;
  for (const value of [2_000, 1_000]) {
    targets.next({ value });
    deny(due());
    for (let times = 0; times <= MOST; times++) {
      const { waited, intents } = next();
      expect(intents.map((intent) => orderOf({ intent }).reduce_only)).toEqual([true]);
      expect(waited).toBe(RETRY_MS * 2 ** times);
      if (times < MOST) deny(intents);
      else for (const intent of intents) bot.fill(intent);
    }
    fillAll();
    expect(nakedOf(bot)).toBeCloseTo(0, 6);
  }
});

test('a refused exit holds up no entry', () => {
  const { bot, targets, due, fillAll } = open(2_000);
  fillAll();
  targets.next({ value: 1_000 });
  for (const intent of due()) bot.outcome(intent, 'rejected', 'no_position');
  targets.next({ value: 4_000 });
  // Both were refused; one of them goes first.
  expect(due().map((intent) => orderOf({ intent }).reduce_only)).toEqual([undefined]);
});

describe('a pair that was unwound', () => {
  /** One leg fills, the other is denied until the first is reduced again. */
  function unwind(pair: ReturnType<typeof open>, intents: ReturnType<typeof pair.due>): void {
    let fresh = intents;
    for (let step = 0; step < 200; step++) {
      for (const intent of fresh) {
        const { symbol, reduce_only } = orderOf({ intent });
        if (reduce_only === true) {
          pair.bot.fill(intent);
          return;
        }
        if (symbol === 'BTC') pair.bot.outcome(intent, 'denied', 'entry_gate');
        else pair.bot.fill(intent);
      }
      pair.bot.advance(500);
      fresh = pair.due();
    }
    throw new Error('it was not unwound');
  }

  test('leaves the leg alone for its time, and then enters no sooner than after a wait', () => {
    const pair = open(1_000);
    const begun = pair.bot.now;
    unwind(pair, pair.due());
    const took = pair.bot.now - begun;
    expect(took).toBeGreaterThanOrEqual(UNWIND_MS);
    expect(took).toBeLessThanOrEqual(UNWIND_MS + 1_000);
    expect(nakedOf(pair.bot)).toBe(0);
    expect(pair.due()).toEqual([]);
    const { waited, intents } = pair.next();
    expect(waited).toBeGreaterThanOrEqual(RETRY_MS);
    expect(intents.map((intent) => orderOf({ intent }).symbol)).toEqual(['BTC']);
  });

  test('waits twice as long before its next entry each time in a row', () => {
    const retry_ms = 10_000;
    const pair = open(1_000, { unwind_after_ms: 2_000, retry_ms });
    let { intents } = { intents: pair.due() };
    for (const [at, refused] of ['BTC', 'ETH', 'BTC', 'whole', 'BTC', 'ETH'].entries()) {
      if (refused === 'whole') {
        // A pair that reaches its target begins anew.
        for (const intent of intents) pair.bot.fill(intent);
        pair.fillAll();
        pair.targets.next({ value: 0 });
        pair.fillAll();
        pair.targets.next({ value: 1_000 });
        intents = pair.due();
        continue;
      }
      const times = at < 3 ? at : at - 4;
      // One leg fills, the other is refused once, and the first is reduced before it is tried again.
      for (const intent of intents)
        if (orderOf({ intent }).symbol !== refused) pair.bot.fill(intent);
      for (const intent of [...intents, ...pair.due()])
        if (orderOf({ intent }).symbol === refused)
          pair.bot.outcome(intent, 'denied', 'entry_gate');
      const { waited, intents: exits } = pair.next();
      expect([waited, exits.map((intent) => orderOf({ intent }).reduce_only)]).toEqual([
        2_000,
        [true],
      ]);
      for (const intent of exits) pair.bot.fill(intent);
      expect(nakedOf(pair.bot)).toBe(0);
      const entry = pair.next();
      expect(entry.waited).toBe(retry_ms * 2 ** times);
      ({ intents } = entry);
    }
  });

  test('still exits at once', () => {
    const pair = open(1_000);
    pair.fillAll();
    const before = heldOf(pair.bot, 'ETH');
    pair.targets.next({ value: 2_000 });
    unwind(pair, pair.due());
    expect(heldOf(pair.bot, 'ETH')).toBeCloseTo(before, 6);
    pair.targets.next({ value: 0 });
    pair.fillAll();
    expect([heldOf(pair.bot, 'ETH'), heldOf(pair.bot, 'BTC')]).toEqual([0, 0]);
  });
});

test('entries end with the time in which they could be completed, exits never, and each has its bound', () => {
  const slippage_bps = 30;
  const { bot, targets, due } = open(2_000, { slippage_bps });
  const seen = new Set<boolean>();
  for (const value of [undefined, -1_000, 0, 500]) {
    if (value !== undefined) targets.next({ value });
    for (let fresh = due(); fresh.length > 0; fresh = due()) {
      for (const intent of fresh) {
        const { reduce_only = false, slippage_bps: bound } = orderOf({ intent });
        seen.add(reduce_only);
        expect(bound).toBe(slippage_bps);
        expect(intent.not_after).toBe(reduce_only ? undefined : bot.now + UNWIND_MS);
        bot.fill(intent);
      }
    }
  }
  expect([...seen].toSorted()).toEqual([false, true]);
});
