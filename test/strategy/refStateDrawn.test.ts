/** What is known of a ref: the same however its outcome, records and fills arrive, and what they amount to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
} from '../../src/contract/index.ts';
import type { Outcome, OutcomeState } from '../../src/strategy/Outcome.ts';
import type { RefNews } from '../../src/strategy/refs/RefEvent.ts';
import {
  applyRefNews,
  createRefParts,
  isPending,
  newsOf,
  toRefState,
  type RefState,
} from '../../src/strategy/refs/RefState.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { isFull } from '../tiers.ts';

const NEVER_SENT: readonly string[] = ['denied', 'rejected', 'expired', 'absent'];

/** A record's course: what was filled at each of its frames, and whether the last one ended it. */
const course = fc.record({
  size: fc.constantFrom(1, 2, 5),
  shares: fc.array(fc.constantFrom(0, 0.1, 0.25, 0.5), { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom('', 'cancelled', 'filled'),
  /** Frames and fills that are seen, by their place. */
  seen: fc.subarray([0, 1, 2, 3]),
  seenFills: fc.subarray([0, 1, 2, 3, 4]),
  isGone: fc.constantFrom(false, false, false, true),
  /** The service's clock stands still: what was filled tells the order of frames. */
  isCoarse: fc.boolean(),
});
const drawn = fc.record({
  kind: fc.constantFrom('place_order' as const, 'launch' as const, 'launch_basket' as const),
  courses: fc.array(course, { minLength: 1, maxLength: 3 }),
  outcomes: fc.constantFrom<readonly OutcomeState[]>(
    [],
    ['guarded'],
    ['guarded', 'sending'],
    ['guarded', 'sending', 'accepted'],
    ['guarded', 'sending', 'accepted', 'duplicate'],
    ['guarded', 'sending', 'unknown'],
    ['guarded', 'sending', 'unknown', 'accepted'],
    ['denied'],
  ),
  seed: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 }),
  repeats: fc.boolean(),
});

const round = (size: number): number => Math.round(size * 1e6) / 1e6;

test('a ref’s state is what its parts amount to, in whatever order they come', async () => {
  const tried = new Tried();
  await holdLaw(400, drawn, ({ kind, courses, outcomes, seed, repeats }) => {
    const all = kind === 'launch_basket' ? courses : courses.slice(0, 1);
    const isOrder = kind === 'place_order';
    const request = {
      place_order: { size: all[0]!.size },
      launch: { total_size: all[0]!.size },
      launch_basket: { legs: all.map(({ size }) => ({ total_size: size })) },
    }[kind];
    const fills: FillRecord[] = [];
    const frames: RefNews[] = [];
    const gone: string[] = [];
    const last: Array<{ id: string; filled: number; ended: boolean; updated: number } | undefined> =
      [];
    for (const [leg, { size, shares, end, seen, seenFills, isGone, isCoarse }] of all.entries()) {
      const id = `record_${leg}`;
      let filled = 0;
      let newest: (typeof last)[number];
      for (const [at, share] of shares.entries()) {
        const isLast = at === shares.length - 1;
        const more =
          isLast && end === 'filled' ? size - filled : Math.min(share * size, size - filled);
        filled = round(filled + more);
        const isDone = isLast && end !== '';
        if (more > 0) {
          const fill = { fill_id: `fill_${leg}_${at}`, size: round(more), time: 100 * at + leg };
          if (seenFills.includes(at)) fills.push(fill as FillRecord);
        }
        if (!seen.includes(at)) continue;
        newest = { id, filled, ended: isDone || filled === size, updated: isCoarse ? 0 : at };
        const rest = { filled_size: filled, updated_time: isCoarse ? 0 : at };
        const ended =
          filled === size && isOrder
            ? 'filled'
            : filled === size
              ? 'completed'
              : isOrder
                ? 'cancelled'
                : 'stopped';
        const status = newest.ended ? ended : isOrder ? 'open' : 'running';
        frames.push(
          isOrder
            ? { kind: 'order', order: { order_id: id, size, status, ...rest } as OrderRecord }
            : {
                kind: 'execution',
                execution: {
                  execution_id: id,
                  total_size: size,
                  status,
                  ...rest,
                } as ExecutionRecord,
              },
        );
      }
      last.push(newest);
      if (isGone && newest !== undefined) gone.push(id);
    }
    const outcomeNews = outcomes.map((state): RefNews => ({
      kind: 'outcome',
      outcome: { state, intent: { kind, request } } as unknown as Outcome,
    }));
    const mixed: Array<readonly [number, RefNews]> = [];
    let draw = 0;
    const next = (): number => seed[draw++ % seed.length]!;
    for (const news of [...frames, ...fills.map((fill): RefNews => ({ kind: 'fill', fill }))]) {
      mixed.push([next(), news]);
      if (repeats) mixed.push([next(), news]);
    }
    // A ref's outcomes keep their order.
    const places = outcomeNews.map(next).toSorted((a, b) => a - b);
    for (const [at, news] of outcomeNews.entries()) mixed.push([places[at]!, news]);
    const parts = createRefParts('entry');
    for (const [, news] of mixed.toSorted(([a], [b]) => a - b)) applyRefNews(parts, news);
    for (const id of gone) applyRefNews(parts, { kind: 'gone', id });

    const state = toRefState(parts);
    const lastOutcome = outcomes.findLast((one) => one !== 'duplicate');
    const shown = last.filter((one) => one !== undefined);
    const counted = round(fills.reduce((sum, { size }) => sum + size, 0));
    const reported = round(shown.reduce((sum, { filled }) => sum + filled, 0));
    const asked = round(all.reduce((sum, { size }) => sum + size, 0));
    const ofShown = round(
      all.filter((_one, leg) => last[leg] !== undefined).reduce((sum, { size }) => sum + size, 0),
    );
    const size = outcomes.length > 0 ? asked : ofShown;
    const filled = Math.max(counted, reported);
    const remaining = Math.max(0, size - filled);
    const isOver = ({ id, ended }: (typeof shown)[number]): boolean => ended || gone.includes(id);
    const legs = kind === 'launch_basket' && outcomes.length > 0 ? all.length : 1;
    const ended =
      (size > 0 && remaining < 1e-6) ||
      NEVER_SENT.includes(lastOutcome ?? '') ||
      (shown.length >= legs && shown.every(isOver));
    expect(state.state).toBe(lastOutcome);
    expect(state.size).toBeCloseTo(size, 6);
    expect(state.filled).toBeCloseTo(filled, 6);
    expect(state.remaining).toBeCloseTo(remaining, 6);
    expect([state.ended, state.fills.map(({ fill_id }) => fill_id)]).toEqual([
      ended,
      fills.toSorted((a, b) => a.time - b.time).map(({ fill_id }) => fill_id),
    ]);
    expect(state.executions.map(({ execution_id }) => execution_id)).toEqual(
      isOrder ? [] : shown.map(({ id }) => id),
    );
    // The newest frame of each is kept.
    const shownNow = isOrder ? [state.order].filter((one) => one !== null) : state.executions;
    expect(shownNow.map(({ updated_time }) => updated_time)).toEqual(
      shown.map(({ updated }) => updated),
    );
    const isSettled = lastOutcome === 'accepted' || NEVER_SENT.includes(lastOutcome ?? '');
    const waits = !isSettled || (shown.length === 0 ? lastOutcome === 'accepted' : !ended);
    expect(isPending(parts)).toBe(waits);
    // What is handed on makes the same state again.
    const again = createRefParts('entry');
    for (const news of newsOf(parts)) applyRefNews(again, news);
    expect(toRefState(again)).toEqual(state);
    tried.take(kind, ended ? 'ended' : 'goes on');
    if (counted > reported) tried.take('fills are ahead');
    if (counted < reported) tried.take('records are ahead');
  });
  const cases = [
    'place_order',
    'launch',
    'launch_basket',
    'ended',
    'goes on',
    'fills are ahead',
    'records are ahead',
  ];
  if (isFull) expect(tried.rare(cases, 20)).toEqual([]);
});

test.each<[string, boolean, boolean]>([
  ['armed', false, false],
  ['armed', true, false],
  ['paused', false, false],
  ['fired', false, true],
  // It fires again.
  ['fired', true, false],
  ['failed', false, true],
  ['stopped', true, true],
])('a monitor that is %s, rearm %j: over %j', (status, rearm, isOver) => {
  const parts = createRefParts('watch');
  const monitor = { monitor_id: 'mon_1', status, rearm } as MonitorRecord;
  applyRefNews(parts, { kind: 'monitor', monitor });
  const state: RefState = toRefState(parts);
  expect([state.ended, state.monitor]).toEqual([isOver, monitor]);
  // An answer is older than each frame.
  const answered = { ...monitor, status: 'armed' } as MonitorRecord;
  expect(applyRefNews(parts, { kind: 'monitor', monitor: answered, answered: true })).toBe(false);
});

/** An order of a ref and its fills, as far as they are shown. */
function stateOf(order: Partial<OrderRecord>, fills: readonly number[] = []): RefState {
  const parts = createRefParts('one');
  const record = { order_id: 'o', status: 'open', side: 'buy', updated_time: 1, ...order };
  applyRefNews(parts, { kind: 'order', order: record as OrderRecord });
  for (const [at, size] of fills.entries()) {
    const fill = { fill_id: `f${at}`, time: at, size } as FillRecord;
    applyRefNews(parts, { kind: 'fill', fill });
  }
  return toRefState(parts);
}

test('an order rests as long as a step of it is left, by its record and by its fills', () => {
  const size = 50_000;
  for (const left of [0.00001, 0.00004, 1, 49_999]) {
    const filled = Math.round((size - left) * 1e5) / 1e5;
    for (const state of [
      stateOf({ size, filled_size: filled }),
      stateOf({ size, filled_size: 0 }, [0.4, filled - 0.4]),
      stateOf({ size, filled_size: filled }, [filled]),
    ]) {
      expect(state.ended).toBe(false);
      expect(state.remaining).toBeCloseTo(left, 6);
    }
  }
});

test('fills beyond the record count, the last step of them as well', () => {
  const { filled, ended } = stateOf({ size: 50_000, filled_size: 49_999.99998 }, [49_999.99999]);
  expect({ filled, ended }).toEqual({ filled: 49_999.99999, ended: false });
});

test('an order that is filled has nothing left, whatever sum its record has', () => {
  const state = stateOf({ size: 0.8, filled_size: 0.7999999999999999, status: 'filled' });
  expect(state).toMatchObject({ remaining: 0, ended: true });
});

test('one whose fills are all of it has ended, whatever their sum’s last digits are', () => {
  for (const [part, count] of [
    [0.1, 10],
    [0.1, 1_000],
    [1.1, 1_000],
    [333_333.33, 3],
  ] as const) {
    const size = Math.round(part * count * 1e5) / 1e5;
    const fills = Array.from({ length: count }, () => part);
    const sum = fills.reduce((all, each) => all + each, 0);
    const { remaining, ended } = stateOf({ size, filled_size: 0 }, fills);
    expect({ remaining, ended }, `${sum} of ${size}`).toEqual({ remaining: 0, ended: true });
    // The service's own number is shown where it is the same.
    expect(stateOf({ size, filled_size: size, status: 'filled' }, fills).filled).toBe(size);
  }
});

// Eight fills of 0.1 are 0.7999999999999999.
test('what its service calls filled has nothing left, whatever its sum says', () => {
  const dusty = 0.7999999999999999;
  const of = (status: string) => stateOf({ size: 0.8, filled_size: dusty, status }, []);
  expect(of('filled')).toMatchObject({ remaining: 0, ended: true });
  expect(of('cancelled').remaining).toBeGreaterThan(0);
  const legs = (...reasons: Array<string | null>) => {
    const parts = createRefParts('entry');
    const request = { legs: [{ total_size: 0.8 }, { total_size: 0.8 }] };
    const intent = { kind: 'launch_basket', request };
    const outcome = { state: 'accepted', intent } as unknown as Outcome;
    applyRefNews(parts, { kind: 'outcome', outcome });
    for (const [at, reason] of reasons.entries()) {
      const status = reason === null ? 'running' : 'completed';
      const isFilled = reason === 'filled' || reason === 'complete_at_market';
      const record = {
        execution_id: `exe_${at}`,
        total_size: 0.8,
        filled_size: isFilled ? 0.7999999999 : 0.5,
        updated_time: 0,
      };
      const execution = { ...record, status, reason } as ExecutionRecord;
      applyRefNews(parts, { kind: 'execution', execution });
    }
    return toRefState(parts);
  };
  expect(legs('filled', 'complete_at_market')).toMatchObject({ remaining: 0, ended: true });
  // A leg that is not shown yet, or works, and one that was ended by hand.
  expect(legs('filled').remaining).toBeGreaterThan(0.7);
  expect(legs('filled', null)).toMatchObject({ ended: false });
  expect(legs('filled', 'mark_complete').remaining).toBeCloseTo(0.3);
});

test.each(['order', 'execution', 'monitor'] as const)(
  'an %s that is shown again is not gone, and may be gone again',
  (kind) => {
    const record = (time: number): RefNews => {
      const rest = { filled_size: 0, updated_time: time };
      const order = { order_id: 'id', size: 1, status: 'open', ...rest } as OrderRecord;
      const execution = { execution_id: 'id', total_size: 1, status: 'running', ...rest };
      const monitor = { monitor_id: 'id', status: 'armed' } as MonitorRecord;
      return {
        order: { kind: 'order', order } as const,
        execution: { kind: 'execution', execution: execution as ExecutionRecord } as const,
        monitor: { kind: 'monitor', monitor } as const,
      }[kind];
    };
    const parts = createRefParts('entry');
    for (const time of [1, 2, 3]) {
      applyRefNews(parts, record(time));
      expect(toRefState(parts).ended).toBe(false);
      applyRefNews(parts, { kind: 'gone', id: 'id' });
      expect(toRefState(parts).ended).toBe(true);
    }
  },
);
