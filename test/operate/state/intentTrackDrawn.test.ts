/** What an operator sees of a bot's intents, against a list of all their steps. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LinkStatus } from '../../../src/env/index.ts';
import { createConnectionTrack } from '../../../src/operate/state/createConnectionTrack.ts';
import { createIntentTrack } from '../../../src/operate/state/createIntentTrack.ts';
import type { PipeEvent, Unanswered } from '../../../src/runtime/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'] as const;
/** The steps that may follow each other in an intent's life. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '': ['guarded', 'denied', 'expired'],
  guarded: ['deferred', 'sending', 'expired'],
  deferred: ['sending', 'expired'],
  sending: ['accepted', 'rejected', 'unknown'],
  unknown: ['accepted', 'rejected', 'absent', 'unresolved'],
  unresolved: ['accepted', 'absent'],
};
const ENDED = ['denied', 'accepted', 'rejected', 'expired', 'absent'];

const step = fc.record({
  key: fc.constantFrom(...KEYS),
  which: fc.nat({ max: 3 }),
  isDuplicate: fc.constantFrom(false, false, false, false, true),
  time: fc.nat({ max: 9 }),
  by: fc.constantFrom('max_leverage', 'data_age'),
  waitsFor: fc.constantFrom(undefined, 'budget (entry)', 'connection (exit)', 'retry_after'),
});
const drawn = fc.record({
  steps: fc.array(step, { minLength: 5, maxLength: 30 }),
  left: fc.array(
    fc.record({
      key: fc.constantFrom(...KEYS, 'x', 'y'),
      state: fc.constantFrom('sending', 'unknown', 'unresolved'),
    }),
    { maxLength: 3 },
  ),
  leftAt: fc.nat({ max: 10 }),
});

const instanceOf = (key: string): string => (key < 'c' ? 'trend' : 'range');
const symbolOf = (key: string): string => (key < 'd' ? 'BTC' : 'ETH');

test('counts, waits and open questions are those of the steps', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ steps, left, leftAt }) => {
    const track = createIntentTrack((key) => `settle ${key}`);
    const open = new Map<
      string,
      { state: string; waitsFor?: string | undefined; reason?: string }
    >();
    const all: Array<{ key: string; state: string; time: number; by: string }> = [];
    const newest = new Map<string, { key: string; state: string; time: number }>();
    let copy: ReturnType<typeof track.copy> | undefined;
    let copied = '';
    const shown = (of: typeof track): string =>
      JSON.stringify([
        of.of('trend'),
        of.of('range'),
        of.unanswered(),
        of.deferred(),
        [...of.steps()],
        of.denied(),
      ]);
    for (const [at, { key, which, isDuplicate, time, by, waitsFor }] of steps.entries()) {
      if (at === leftAt) {
        track.recover(
          left.map(({ key: of, state }): Unanswered => ({
            key: of,
            instance: instanceOf(of),
            wallet: 'main',
            kind: 'place_order',
            symbol: symbolOf(of),
            state: state as 'unknown',
            time: 0,
          })),
        );
        for (const { key: of, state } of left)
          if (!open.has(of)) open.set(of, { state: state === 'unresolved' ? state : 'unknown' });
        copy = track.copy();
        copied = shown(track);
      }
      const known = open.get(key);
      const ways = NEXT[known?.state ?? '']!;
      const state = isDuplicate ? 'duplicate' : ways[which % ways.length]!;
      const event = {
        key,
        state,
        emission: {
          intent: { kind: 'place_order', request: { symbol: symbolOf(key) } },
          instance: instanceOf(key),
          wallet: 'main',
          marketTime: time,
        },
        ...(state === 'denied' && { guard: by, reason: 'no' }),
        ...(state === 'rejected' && { fault: { code: by, message: 'no' } }),
        ...(state === 'deferred' && waitsFor !== undefined && { waitsFor }),
        ...(state === 'unknown' && { reason: 'no answer' }),
      } as unknown as PipeEvent;
      track.follow(event);
      if (state === 'duplicate') {
        tried.take('duplicate');
        continue;
      }
      const isFirst = known === undefined;
      all.push({ key, state, time, by, ...(isFirst && { isFirst }) });
      const before = newest.get(instanceOf(key));
      if (before === undefined || time >= before.time)
        newest.set(instanceOf(key), { key, state, time });
      if (ENDED.includes(state)) open.delete(key);
      else open.set(key, { state, waitsFor });
    }
    const count = (of: readonly string[]): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const name of of) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    };
    for (const instance of ['trend', 'range']) {
      const own = all.filter((one) => instanceOf(one.key) === instance);
      const found = track.of(instance);
      expect(found.emitted).toBe(own.filter((one) => 'isFirst' in one).length);
      expect(found.accepted).toBe(own.filter(({ state }) => state === 'accepted').length);
      expect(found.denied).toEqual(
        count(
          own.filter(({ state }) => state === 'denied' || state === 'rejected').map(({ by }) => by),
        ),
      );
      const last = newest.get(instance);
      if (last === undefined) expect(found.newest).toBeNull();
      else
        expect(found.newest).toMatchObject({
          ...last,
          kind: 'place_order',
          symbol: symbolOf(last.key),
        });
    }
    expect(track.denied()).toEqual(
      count(all.filter(({ state }) => state === 'denied').map(({ by }) => by)),
    );
    expect(Object.fromEntries(track.steps())).toEqual(
      count(all.map(({ state }) => `place_order ${state}`)),
    );
    expect(track.deferred()).toEqual(
      count(
        [...open.values()]
          .filter(({ state }) => state === 'deferred')
          .map(({ waitsFor }) => waitsFor?.replace(/^.*\((\w+)\)$/, '$1') ?? 'other'),
      ),
    );
    const asked = [...open].filter(
      ([, { state }]) => state === 'unknown' || state === 'unresolved',
    );
    expect(
      track
        .unanswered()
        .map(({ key, state, strategy, symbol, command }) => [key, state, strategy, symbol, command])
        .toSorted(),
    ).toEqual(
      asked
        .map(([key, { state }]) => [key, state, instanceOf(key), symbolOf(key), `settle ${key}`])
        .toSorted(),
    );
    if (asked.length > 0) tried.take('unanswered');
    // A copy is what it was, whatever happens to the first.
    if (copy !== undefined) expect(shown(copy)).toBe(copied);
  });
  if (isFull) expect(tried.rare(['duplicate', 'unanswered'], 20)).toEqual([]);
});

test('a connection is told with its reason until it is there again, and how often that was', () => {
  let now = 0;
  const track = createConnectionTrack(() => ++now);
  expect(track.block()).toEqual({ state: 'closed', reason: null, wall_since: 1, reconnects: 0 });
  const course: Array<[LinkStatus, string | null, number]> = [
    [{ state: 'connecting', attempt: 1 }, null, 0],
    [{ state: 'open' }, null, 0],
    [{ state: 'lost', reason: 'cut' }, 'cut', 0],
    [{ state: 'connecting', attempt: 1 }, 'cut', 0],
    [{ state: 'connecting', attempt: 2 }, 'cut', 0],
    [{ state: 'open' }, null, 1],
    [{ state: 'lost', reason: 'again' }, 'again', 1],
    [{ state: 'connecting', attempt: 1 }, 'again', 1],
    [{ state: 'open' }, null, 2],
    [{ state: 'closed' }, null, 2],
  ];
  for (const [status, reason, reconnects] of course) {
    track.follow(status);
    expect(track.block()).toEqual({ state: status.state, reason, wall_since: now, reconnects });
  }
});
