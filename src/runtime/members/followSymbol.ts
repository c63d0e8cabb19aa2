import type { Subscription } from 'rxjs';
import { INTERVAL_MS } from '../../contract/index.ts';
import type { Streams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { BarRow, DeferredBars, Instants } from '../record/index.ts';
import type { Marks } from '../wallet/index.ts';
import type { Member } from './createMembers.ts';

/** The parts of a bot that receive closed bars before its strategies do. */
export interface SymbolViews {
  plan: BotPlan;
  streams: Streams;
  members: ReadonlyMap<string, Member>;
  marks: Marks;
  instants: Instants;
  /** Bars that a replay hands on as columns. */
  deferred: DeferredBars;
  /**
   * A bar has closed, and its mark is set.
   *
   * @param time of its close, epoch milliseconds; default: now
   */
  onBar(time?: number): void;
}

/** Maintains a symbol's mark, and values its owners by it. */
export function followSymbol(symbol: string, views: SymbolViews): Subscription {
  const { plan, streams, members, marks, instants, deferred, onBar } = views;
  const interval = plan.markInterval(symbol);
  const intervalMs = INTERVAL_MS[interval];
  const setMark = marks.follow(symbol, interval);
  /** What the close changes besides the instant. */
  function value(bar: BarRow): void {
    setMark(bar);
    for (let at = 0; at < owners.length; at++) owners[at]!.ledger.mark(symbol, bar.close);
  }
  const owners = [...members.values()].filter(({ planned }) => planned.symbols.includes(symbol));
  // As the service publishes them: shorter bars first, then in the order of its instruments.
  const place = plan.instruments.findIndex((one) => one.symbol === symbol);
  const taker = deferred.lane({
    symbol,
    intervalMs,
    rank: intervalMs * plan.instruments.length + place,
    take(bar) {
      const time = bar.time + intervalMs;
      instants.bar(time);
      value(bar);
      onBar(time);
    },
    takeLast: value,
  });
  return streams
    .candles(symbol, interval, { history: 1, taker, passive: true })
    .subscribe((event) => {
      if (event.kind !== 'closed') return;
      const { bar } = event;
      // A bar that closed before the bot subscribed is not an instant of its run.
      if (!event.history) instants.bar(bar.time + intervalMs);
      value(bar);
      onBar();
    });
}

/** Maintains the price of a spot symbol that no strategy trades: by its bars the wallet that holds it is valued. */
export function followAsset(symbol: string, views: SymbolViews): Subscription {
  const { plan, streams, marks, onBar } = views;
  const interval = plan.markInterval(symbol);
  const setMark = marks.followAsset(symbol, interval);
  return streams.candles(symbol, interval, { history: 1, passive: true }).subscribe((event) => {
    if (event.kind !== 'closed') return;
    setMark(event.bar);
    onBar();
  });
}
