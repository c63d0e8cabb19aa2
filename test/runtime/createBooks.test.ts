import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/journal/index.ts';
import type { BotEvent } from '../../src/runtime/BotEvent.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { setUpParts } from './setUpParts.ts';

/** A process in which a position without a stop is shown, some time after the one before. */
function setUp(guards: BotPlan['guards'], over: Parameters<typeof setUpParts>[0] = {}) {
  const parts = setUpParts({ guards, ...over });
  const rung: number[] = [];
  parts.books.events$.subscribe((event: BotEvent) => {
    if (event.kind === 'uncovered') rung.push(parts.env.queue.now());
  });
  const cover = { wallet: 'main', symbol: 'BTC', size: 1, covered: 0 };
  parts.books.coverage.see('main', [cover]);
  return { ...parts, rung, since: () => parts.books.coverage.uncovered()[0]!.since };
}

describe.each<[BotPlan['guards'], boolean, number | undefined]>([
  [{}, false, undefined],
  [{ max_uncovered_seconds: 60 }, true, undefined],
  [{ warn_uncovered_seconds: 20 }, true, 20_000],
  [{ max_uncovered_seconds: 60, warn_uncovered_seconds: 20 }, true, 20_000],
])('with the limits %j', (guards, isKept, ringsAt) => {
  test('a position is uncovered for as long as it is, over all processes that count it', () => {
    const store = createMemoryStore();
    expect(setUp(guards, { store, startTime: 1_000 }).since()).toBe(1_000);
    expect(setUp(guards, { store, startTime: 9_000 }).since()).toBe(isKept ? 1_000 : 9_000);
  });

  test('the alarm rings after the seconds of the warning, once', () => {
    const { env, rung } = setUp(guards);
    for (const at of [19_999, 20_000, 60_000, 600_000]) env.queue.advanceTo(at);
    expect(rung).toEqual(ringsAt === undefined ? [] : [ringsAt]);
  });
});
