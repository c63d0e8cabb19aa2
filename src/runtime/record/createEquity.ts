import { createDrawdown, type Depth } from '../../statistics/index.ts';
import type { Bot } from '../Bot.ts';
import { createCurves, type TimedValue } from './createCurves.ts';
import type { InstantColumns } from './createInstants.ts';
import type { RunRecord } from './RunRecord.ts';

/** Net P&L of the instances and of all of them together: its curves, and how far they fell. */
export interface Equity extends Pick<
  RunRecord,
  'curve' | 'hourly' | 'drawdownTimes' | 'averageDrawdown'
> {
  /** An instant at which bars closed is complete. */
  follow(time: number): void;
  /** The same of many instants. */
  followColumns(instants: InstantColumns): void;
  total(): readonly TimedValue[];
  hourlyTotal(): readonly TimedValue[];
  drawdown(): Depth;
}

export function createEquity(
  bot: Bot,
  instances: readonly string[],
  wallets: readonly string[],
): Equity {
  const curves = createCurves(instances);
  const ledgers = instances.map((name) => bot.ledgerOf(name));
  const books = wallets.map((wallet) => bot.book(wallet));
  /** Net P&L of each instance at the last evaluation: one list for all bars. */
  const nets = instances.map(() => 0);
  /** Strategies' drawdowns don't add up, since they don't fall together. Of what was earned since the start. */
  const drawdown = createDrawdown(equityAt);
  let lastInstant = 0;
  /** Of all of them by instant. */
  let sums = new Float64Array();

  /** Includes the part of the wallets that no strategy is allotted. */
  function equityAt(earned: number): number {
    let equity = earned;
    for (let at = 0; at < books.length; at++) equity += books[at]!.startEquity();
    return equity;
  }

  /** What the positions of before had earned: the wallets' equity at the start holds it. */
  function adopted(): number {
    let sum = 0;
    for (let at = 0; at < ledgers.length; at++) sum += ledgers[at]!.adoptedNet();
    return sum;
  }
  const earnedNow = (): number => valueNow() - adopted();

  /** Net P&L of all instances, and of each in the list. */
  function valueNow(): number {
    let sum = 0;
    for (let at = 0; at < ledgers.length; at++) sum += nets[at] = ledgers[at]!.net();
    return sum;
  }

  function followPrices(instants: InstantColumns): void {
    const { times, count } = instants;
    if (sums.length < times.length) sums = new Float64Array(times.length);
    sums.fill(0, 0, count);
    const columns = ledgers.map((ledger) => ledger.netColumn(instants));
    for (const values of columns) {
      for (let row = 0; row < count; row++) sums[row]! += values[row]!;
    }
    const before = adopted();
    drawdown.sampleColumn(times, before === 0 ? sums : sums.map((sum) => sum - before), count);
    curves.addColumns(times, count, columns, sums);
  }

  /** The incomplete instant: no later event completes the last one of a run. */
  function newest(net: number): TimedValue | undefined {
    return bot.instant > lastInstant ? [bot.instant, net] : undefined;
  }
  function marks(): TimedValue[] {
    const before = adopted();
    return drawdown.marks().map(([time, earned]) => [time, earned + before]);
  }
  const newestOf = (name: string) => newest(bot.ledgerOf(name).net());

  return {
    follow(time) {
      const net = valueNow();
      lastInstant = time;
      drawdown.sample(time, net - adopted());
      curves.add(time, nets, net);
    },
    followColumns(instants) {
      const { times, count, prices } = instants;
      lastInstant = times[count - 1]!;
      if (prices.size > 0) {
        followPrices(instants);
        return;
      }
      const net = valueNow();
      drawdown.sampleFlat(times, count, net - adopted());
      curves.addFlat(times, count, nets, net);
    },
    curve: (instance) =>
      curves.of(instance, newestOf(instance), bot.ledgerOf(instance).drawdownMarks()),
    total: () => curves.sum(newest(valueNow()), marks()),
    hourly: (instance) => curves.hourlyOf(instance, newestOf(instance)),
    hourlyTotal: () => curves.hourlySum(newest(valueNow())),
    drawdown: () => drawdown.deepest(earnedNow()),
    drawdownTimes: (run, instance) =>
      instance === undefined
        ? drawdown.times({ ...run, value: earnedNow() })
        : bot.ledgerOf(instance).drawdownTimes(run),
    averageDrawdown: (run) => drawdown.average({ ...run, value: earnedNow() }),
  };
}
