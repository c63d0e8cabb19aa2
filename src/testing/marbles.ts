import { types } from 'node:util';
import { requireFields } from '../contract/failures/requireFields.ts';
import type { SchedulerLike } from 'rxjs';
import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import { withCode } from '../contract/index.ts';
import { TaskQueue, toSchedulerLike } from '../env/index.ts';
import type { Strategy } from '../strategy/index.ts';
import { iso } from './BarFeed.ts';
import { findDifference } from './findDifference.ts';
import { openStrategyTest } from './openStrategyTest.ts';
import { parseDuration, type Duration } from './parseDuration.ts';
import type { StrategyTest, StrategyTestOptions } from './StrategyTest.ts';
import type { TestMarket } from './TestMarket.ts';
import { testRefusal } from './testRefusal.ts';
import { TEST_START } from './testStrategy.ts';

export interface MarblesOptions {
  /** Market time of one character of a diagram, such as `5m`. */
  frame: Duration;
  /** Market time of a diagram's first character, epoch milliseconds; default as of `testStrategy`. */
  startTime?: number;
}

/** RxJS's own helpers in market time, and strategies that live in it. */
export interface MarbleHelpers extends Pick<
  RunHelpers,
  'cold' | 'hot' | 'expectObservable' | 'expectSubscriptions'
> {
  /** For time operators outside of a strategy; a strategy has `ctx.scheduler`. */
  scheduler: SchedulerLike;
  /**
   * A strategy in the time of the diagrams, as `testStrategy` makes one. Its calls belong into subscriptions; a
   * bar that is closed there closes at that frame:
   * `hot('-a-b', { a: 100, b: 90 }).subscribe((close) => test.bars('BTC', '1h', [close]))`.
   */
  strategy(plugin: Strategy, options: Omit<StrategyTestOptions, 'startTime'>): StrategyTest;
}

/**
 * Runs RxJS's `TestScheduler` in market time: each character of a diagram is one frame, such as five minutes.
 * What `expectObservable(…).toBe(…)` expects of an object may leave out fields. The run ends with the longest
 * diagram.
 *
 * ```ts
 * marbles({ frame: '1h' }, ({ hot, strategy, expectObservable }) => {
 *   const test = strategy(plugin, { symbols: ['BTC'] });
 *   hot('-aab', { a: 100, b: 120 }).subscribe((close) => test.bars('BTC', '1h', [close]));
 *   expectObservable(test.intents$).toBe('--x', { x: { kind: 'place_order' } });
 * });
 * ```
 *
 * @throws Error with the code `TRIMTAB_TEST_EXPECTATION` and the first difference
 */
export function marbles<T>(options: MarblesOptions, run: (helpers: MarbleHelpers) => T): T {
  requireFields('marbles', options, ['frame']);
  const { startTime = TEST_START } = options;
  const frameMs = parseDuration('marbles: frame', options.frame);
  if (frameMs === 0) throw testRefusal('marbles: a frame of no time.', "Write frame: '5m'.");
  const frames = TestScheduler.frameTimeFactor;
  const scheduler = new TestScheduler((actual, expected) => {
    requireEqual(actual as Message[], expected as Message[], { startTime, frameMs });
  });
  const failures: unknown[] = [];
  const market = createMarbleMarket(scheduler, startTime, (error) => failures.push(error));
  let longest = 0;
  const seen = (diagram: string | null | undefined): void => {
    // Spaces align diagrams and take no time.
    longest = Math.max(longest, (diagram ?? '').replaceAll(' ', '').length);
  };
  // A static setting of RxJS, which its own run mode changes and restores in the same way.
  TestScheduler.frameTimeFactor = frameMs;
  try {
    const result = run({
      scheduler: toSchedulerLike(market),
      strategy: (plugin, about) => openStrategyTest(plugin, about, market),
      hot: (diagram, values, error) => {
        seen(diagram);
        return scheduler.createHotObservable(diagram.replaceAll(' ', ''), values, error);
      },
      cold: (diagram, values, error) => {
        seen(diagram);
        return scheduler.createColdObservable(diagram.replaceAll(' ', ''), values, error);
      },
      expectObservable: (source$, subscription = null) => {
        seen(subscription);
        const expectation = scheduler.expectObservable(source$, subscription);
        return {
          toBe: (diagram, values, error) => {
            seen(diagram);
            expectation.toBe(diagram.replaceAll(' ', ''), values, error);
          },
          toEqual: (other$) => expectation.toEqual(other$),
        };
      },
      expectSubscriptions: (logs) => scheduler.expectSubscriptions(logs),
    });
    // A strategy's ticks never end.
    scheduler.maxFrames = longest * frameMs;
    scheduler.flush();
    if (failures.length > 0) throw failures[0];
    return result;
  } catch (error) {
    // What a call of the test threw is why the streams differ.
    throw failures[0] ?? error;
  } finally {
    TestScheduler.frameTimeFactor = frames;
  }
}

/** The scheduler's frames as market time. Tasks that are due run before what a diagram brings at that time. */
function createMarbleMarket(
  scheduler: TestScheduler,
  startTime: number,
  fail: (error: unknown) => void,
): TestMarket {
  const queue = new TaskQueue(startTime);
  let isRunning = false;
  const present = (): number => startTime + scheduler.frame;
  const sync = (): void => {
    if (isRunning) return;
    isRunning = true;
    try {
      queue.advanceTo(present());
    } finally {
      isRunning = false;
    }
  };
  return {
    isDiagram: true,
    fail,
    now() {
      sync();
      return queue.now();
    },
    at(time, run) {
      scheduler.schedule(sync, Math.max(0, time - present()));
      return queue.at(time, run);
    },
    sync,
    advanceTo(time) {
      if (time === present()) return sync();
      throw testRefusal(
        `In a diagram it is ${iso(present())}, and this call is about ${iso(time)}.`,
        'Let frames pass instead; a bar that is closed in a subscription closes at that frame.',
      );
    },
  };
}

interface Message {
  frame: number;
  notification: { kind: 'N' | 'E' | 'C'; value?: unknown; error?: unknown };
}

function requireEqual(
  actual: readonly Message[],
  expected: readonly Message[],
  { startTime, frameMs }: { startTime: number; frameMs: number },
): void {
  const bare = (messages: readonly Message[]) =>
    messages.map(({ frame, notification: { kind, value, error } }) =>
      kind === 'N' ? { frame, value } : { frame, kind, ...(kind === 'E' ? { error } : {}) },
    );
  const found = isMessages(actual) && isMessages(expected);
  const difference = found
    ? findDifference(bare(actual), bare(expected))
    : findDifference(actual, expected);
  if (difference === undefined) return;
  const show = (messages: readonly Message[]): string =>
    messages
      .map(({ frame, notification: { kind, value, error } }) => {
        const what = kind === 'C' ? 'complete' : textOf(kind === 'N' ? value : error);
        return `\n  frame ${frame / frameMs}, ${iso(startTime + frame)}: ${what}`;
      })
      .join('');
  const lists = found ? `\nexpected:${show(expected)}\nreceived:${show(actual)}` : '';
  throw withCode(
    'TRIMTAB_TEST_EXPECTATION',
    new Error(`The streams differ at ${difference.path}.${lists}`),
  );
}

/** An error in JSON is an empty object. */
const textOf = (value: unknown): string =>
  types.isNativeError(value) ? `${value.name}: ${value.message}` : JSON.stringify(value);

const isMessages = (messages: readonly unknown[]): boolean =>
  messages.every((one) => typeof one === 'object' && one !== null && 'notification' in one);
