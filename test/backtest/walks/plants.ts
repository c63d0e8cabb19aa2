import { CrossingRows } from '../../../src/strategy/rows/CrossingRows.ts';
import { SubscribedRows } from '../../../src/strategy/rows/SubscribedRows.ts';
import { driveReplay, type DirectDrive } from '../../../backtest/driveReplay.ts';
import { BarHooks } from '../../../src/paper/engine/BarHooks.ts';
import { EngineTimers } from '../../../src/paper/engine/EngineTimers.ts';
import type { Feed } from '../../../src/paper/index.ts';
import type { ParityTape } from '../runParity.ts';
import type { OtherWalk } from './compareWalks.ts';

/** A member replaced, all others as they are: `core` and `bot` have getters, which a spread would read once. */
function replaced<T extends object>(target: T, changes: Partial<T>): T {
  const other = Object.create(target) as T;
  // Some members have only a getter, to which nothing can be assigned.
  for (const [name, value] of Object.entries(changes))
    Object.defineProperty(other, name, { value });
  return other;
}

const driven = (change: (options: DirectDrive) => DirectDrive): OtherWalk => ({
  drive: (options) => driveReplay(change(options)),
});

/** A method of a class replaced, as long as the other walk runs. */
function patched<T extends object, N extends keyof T>(
  target: T,
  name: N,
  change: (own: T[N]) => T[N],
): OtherWalk {
  return {
    plant() {
      const own = target[name];
      target[name] = change(own);
      return () => void (target[name] = own);
    },
  };
}

function withFeed(tape: ParityTape, change: (feed: Feed) => Feed): ParityTape {
  const [first, ...others] = tape.data.feeds;
  return { ...tape, data: { ...tape.data, feeds: [change(first!), ...others] } };
}

function withCell(feed: Feed, column: 'low' | 'volume', change: (value: number) => number): Feed {
  const values = feed[column].slice();
  const at = Math.floor(values.length * 0.7);
  values[at] = change(values[at]!);
  return { ...feed, [column]: values };
}

function withoutBar(feed: Feed): Feed {
  const left = Array.from(feed.time.keys()).filter((at) => at !== Math.floor(feed.time.length / 2));
  const cut = (name: 'time' | 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from(left, (row) => feed[name][row]!);
  const times = { time: cut('time'), open: cut('open'), high: cut('high') };
  return { ...feed, ...times, low: cut('low'), close: cut('close'), volume: cut('volume') };
}

/** Differences such as a faster walk could make; each must be found. */
export const PLANTS: Readonly<Record<string, OtherWalk>> = {
  'the last bar is not walked': driven((options) => {
    const { engine } = options.core;
    const shorter = replaced(engine, { endTime: engine.endTime - options.stepMs });
    return { ...options, core: replaced(options.core, { engine: shorter }) };
  }),
  'a timer within a bar runs at its close': driven((options) => ({
    ...options,
    link: replaced(options.link, { nextTaskTime: () => Infinity }),
  })),
  'a request on its way at the end does not arrive': driven((options) => ({
    ...options,
    link: replaced(options.link, {
      dueTime: () => {
        const { now, endTime } = options.core.engine;
        return now >= endTime ? Infinity : (options.link.dueTime?.() ?? Infinity);
      },
    }),
  })),
  'what an order causes waits for the next bar': driven((options) => ({
    ...options,
    link: replaced(options.link, {
      advanceTo: (time: number) => (time === 0 ? 0 : options.link.advanceTo(time)),
    }),
  })),
  'nothing waits for an answer': driven((options) => ({
    ...options,
    bot: replaced(options.bot, { isIdle: () => true }),
  })),
  'a span passes over bars on which the service acts': patched(
    BarHooks.prototype,
    'nextHookTime',
    () => () => Infinity,
  ),
  'a span passes over timers of the service': patched(
    EngineTimers.prototype,
    'nextTimeBeside',
    () => () => Infinity,
  ),
  'a span passes over what the bot has scheduled': driven((options) => ({
    ...options,
    link: replaced(options.link, { runSpan: () => options.link.runSpan(Infinity) }),
  })),
  'the service stays behind after a span': driven((options) => {
    options.core.engine.skipTo = () => {};
    return options;
  }),
  'a crossing is passed over': patched(
    CrossingRows.prototype,
    'next',
    () =>
      function (_from, to) {
        return to;
      },
  ),
  'a crossing is looked for one row too late': patched(
    CrossingRows.prototype,
    'next',
    (own) =>
      function (this: CrossingRows, from, to) {
        return Math.min(own.call(this, from, to) + 1, to);
      },
  ),
  'an indicator begins a bar late': patched(
    SubscribedRows.prototype,
    'begin',
    (own) =>
      function (this: SubscribedRows, bars, row) {
        const isFirst = this.bars === null;
        const isKnown = own.call(this, bars, row);
        if (isFirst && isKnown) this.first += 1;
        return isKnown;
      },
  ),
  'a row that was looked at is evaluated again': patched(
    CrossingRows.prototype,
    'crossesAt',
    () => () => undefined,
  ),
  "one bar's volume is a thousandth more": {
    change: (tape) => withFeed(tape, (feed) => withCell(feed, 'volume', (one) => one * 1.001)),
  },
  "one bar's low is lower": {
    change: (tape) => withFeed(tape, (feed) => withCell(feed, 'low', (one) => one * 0.9999)),
  },
  'a bar is left out': { change: (tape) => withFeed(tape, withoutBar) },
  'funding is not settled': {
    change: (tape) => ({
      ...tape,
      data: { ...tape.data, funding: { BTC: { constantRate: 0, intervalMs: 3_600_000 } } },
    }),
  },
  'a touched price fills, or does not': {
    change: (tape) => ({
      ...tape,
      settings: { ...tape.settings, fill_on_touch: tape.settings.fill_on_touch !== true },
    }),
  },
};
