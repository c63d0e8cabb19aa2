import fc from 'fast-check';
import { config as rxjs, Subject, type Subscription } from 'rxjs';
import { afterEach, expect, test, vi } from 'vitest';
import { Emitter, Latest } from '../../src/streams/Emitter.ts';

afterEach(() => vi.useRealTimers());

/** What a subscriber does when it has a value: nothing, ends another, or adds one. */
const act = fc.record({
  /** A function is called without an operator's subscriber in between. */
  isFunction: fc.boolean(),
  ends: fc.option(fc.nat(5), { nil: undefined }),
  adds: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

interface Source {
  subscribe: Subject<number>['subscribe'];
  next(value: number): void;
}

/** Who got which value, in order. */
function deliveries(source: Source, acts: readonly Act[], steps: readonly number[]): string[] {
  const got: string[] = [];
  const open: Subscription[] = [];
  let added = 0;
  const add = (): void => {
    const at = added++;
    const { isFunction, ends, adds } = acts[at % acts.length]!;
    const next = (value: number): void => {
      got.push(`${at}:${value}`);
      if (ends !== undefined) open[ends]?.unsubscribe();
      if (adds && added < 10) add();
    };
    open[at] = source.subscribe(isFunction ? next : { next });
  };
  for (const step of steps) {
    if (step % 3 === 0 && added < 10) add();
    else if (step % 3 === 1) open[step % 5]?.unsubscribe();
    source.next(step);
  }
  return got;
}

test('hands values to functions and subscribers as a subject does', () => {
  const steps = fc.array(fc.nat(30), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 6 }), steps, (acts, given) => {
      const expected = deliveries(new Subject<number>(), acts, given);
      expect(deliveries(new Emitter<number>(), acts, given)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('what one listener throws reaches no other, and is reported later', () => {
  vi.useFakeTimers();
  // A test before this one in the same process may have left a handler of its own.
  rxjs.onUnhandledError = null;
  const source = new Emitter<number>();
  const got: number[] = [];
  source.subscribe(() => {
    throw new Error('mine');
  });
  source.subscribe((value) => got.push(value));
  source.next(1);
  source.next(2);
  expect(got).toEqual([1, 2]);
  expect(() => vi.runAllTimers()).toThrow('mine');
});

test('a function gets the present value of a state first, and none after its end', () => {
  const state = new Latest<number>();
  const got: number[] = [];
  state.next(1);
  const subscription = state.subscribe((value) => got.push(value));
  state.next(2);
  subscription.unsubscribe();
  state.next(3);
  expect(got).toEqual([1, 2]);
});

test('what a subscriber brings about by the present value reaches it, too', () => {
  for (const isFunction of [true, false]) {
    const state = new Latest<number>();
    state.next(1);
    const got: number[] = [];
    const next = (value: number): void => {
      got.push(value);
      if (value < 3) state.next(value + 1);
    };
    const subscription = state.subscribe(isFunction ? next : { next });
    expect([got, state.value]).toEqual([[1, 2, 3], 3]);
    subscription.unsubscribe();
    state.next(9);
    expect(got).toEqual([1, 2, 3]);
  }
});
