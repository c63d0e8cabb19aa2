import type { BarHook } from './BarHook.ts';
import { HookSlots } from './HookSlots.ts';
import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { IntervalBars } from '../market/IntervalBars.ts';
import type { PaperMarket } from '../market/PaperMarket.ts';
import type { SymbolMarket } from '../market/SymbolMarket.ts';

/** The hooks of one symbol and interval, and when its next bar closes. */
export interface BarStream {
  readonly symbol: string;
  readonly interval: Interval;
  readonly source: SymbolMarket;
  readonly bars: IntervalBars;
  readonly hooks: HookSlots;
  /** The keys that its events are matched by; one object, so that a subscription recognises it. */
  readonly keys: Readonly<Record<string, string>>;
  /** Whether its bars are published as events. */
  published: boolean;
  nextTime: number;
}

/**
 * The hooks on closed bars. Streams without a hook cost nothing. Bars that close together run shorter
 * intervals first, in the order of the market's symbols.
 */
export class BarHooks {
  /** When the next bar with a hook closes. */
  nextTime = Infinity;
  readonly due: BarStream[] = [];
  readonly #market: PaperMarket;
  readonly #streams: BarStream[] = [];

  constructor(market: PaperMarket) {
    this.#market = market;
  }

  add(hook: BarHook): void {
    this.#stream(hook.symbol, hook.interval).hooks.add(hook);
  }

  remove(hook: BarHook): void {
    this.#find(hook.symbol, hook.interval)?.hooks.delete(hook);
    this.#dropIdle();
  }

  /** All hooks; those of one stream are in the order in which they are called. */
  list(): BarHook[] {
    return this.#streams.flatMap(({ hooks }) => hooks.list());
  }

  /** What hooks share is theirs alone again, before it is saved. */
  loosen(): void {
    for (const { hooks } of this.#streams) hooks.loosen();
  }

  /** Replaces what is published as events; if one of it can't be served, it throws and replaces nothing. */
  publish(wanted: ReadonlyArray<{ symbol: string; interval: Interval }>): void {
    const streams = wanted.map(({ symbol, interval }) => this.#stream(symbol, interval));
    for (const stream of this.#streams) stream.published = false;
    for (const stream of streams) stream.published = true;
    this.#dropIdle();
  }

  /** When the next bar closes on which a hook acts; Infinity if there is none. */
  nextHookTime(): number {
    let next = Infinity;
    for (const { hooks, nextTime } of this.#streams) {
      if (hooks.size > 0 && nextTime < next) next = nextTime;
    }
    return next;
  }

  /** The streams whose bars are published, in the order in which bars that close together are. */
  published(): BarStream[] {
    return this.#streams.filter(({ published }) => published);
  }

  /** The feeds grew: streams that had no further bar may have one. */
  feedsGrew(): void {
    const { now } = this.#market;
    for (const stream of this.#streams) {
      stream.source.path.seek(now);
      stream.nextTime = stream.bars.nextCloseTime(now);
    }
    this.#findNext();
  }

  /**
   * The number of streams whose bar closes now; `due` begins with them until the next call. Their next
   * time is already that of the following bar.
   */
  takeDue(): number {
    const { now } = this.#market;
    let count = 0;
    let next = Infinity;
    for (let at = 0; at < this.#streams.length; at++) {
      const stream = this.#streams[at]!;
      if (stream.nextTime <= now) {
        this.due[count++] = stream;
        stream.source.path.seek(now);
        stream.nextTime = stream.bars.nextCloseTime(now);
      }
      if (stream.nextTime < next) next = stream.nextTime;
    }
    this.nextTime = next;
    return count;
  }

  #find(symbol: string, interval: Interval): BarStream | undefined {
    return this.#streams.find((each) => each.symbol === symbol && each.interval === interval);
  }

  #stream(symbol: string, interval: Interval): BarStream {
    const found = this.#find(symbol, interval);
    if (found !== undefined) return found;
    const source = this.#market.served(symbol, interval);
    const bars = source.bars(interval);
    const nextTime = bars.nextCloseTime(this.#market.now);
    const hooks = new HookSlots();
    const keys = { symbol, interval };
    const stream = { symbol, interval, source, bars, hooks, keys, published: false, nextTime };
    const names = [...this.#market.symbols.keys()];
    this.#streams.push(stream);
    this.#streams.sort(
      (a, b) =>
        INTERVAL_MS[a.interval] - INTERVAL_MS[b.interval] ||
        names.indexOf(a.symbol) - names.indexOf(b.symbol),
    );
    this.#findNext();
    return stream;
  }

  #dropIdle(): void {
    for (let index = this.#streams.length - 1; index >= 0; index--) {
      const stream = this.#streams[index]!;
      if (stream.hooks.size === 0 && !stream.published) this.#streams.splice(index, 1);
    }
    this.#findNext();
  }

  #findNext(): void {
    let next = Infinity;
    for (const { nextTime } of this.#streams) if (nextTime < next) next = nextTime;
    this.nextTime = next;
  }
}
