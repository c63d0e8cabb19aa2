import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { PaperMarket } from '../market/PaperMarket.ts';

/** Who acts on a closed bar; the engine has one reaction a topic. */
export type BarTopic = 'leg' | 'track' | 'execution' | 'monitor';

/** "Call me on each closed bar of this symbol and interval", until it is removed. */
export interface BarHook {
  readonly symbol: string;
  readonly interval: Interval;
  readonly topic: BarTopic;
  readonly wallet: string;
  readonly id: string;
}

/** The hooks of one symbol and interval, and when its next bar closes. */
export interface BarStream {
  readonly symbol: string;
  readonly interval: Interval;
  readonly hooks: Set<BarHook>;
  /** Whether the listener wants its bars as events. */
  published: boolean;
  nextTime: number;
}

/**
 * The closed bars that somebody waits for. Streams that nobody waits for cost nothing; those that
 * close together run shorter intervals first, in the order of the market's symbols.
 */
export class BarHooks {
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

  /** Replaces what is published as events. */
  publish(wanted: ReadonlyArray<{ symbol: string; interval: Interval }>): void {
    for (const stream of this.#streams) stream.published = false;
    for (const { symbol, interval } of wanted) this.#stream(symbol, interval).published = true;
    this.#dropIdle();
  }

  nextTime(): number {
    let next = Infinity;
    for (const stream of this.#streams) next = Math.min(next, stream.nextTime);
    return next;
  }

  /** Streams whose bar closes now; their next time is already that of the bar after. */
  takeDue(): BarStream[] {
    const { now } = this.#market;
    const due = this.#streams.filter((stream) => stream.nextTime <= now);
    for (const stream of due) stream.nextTime = this.#nextCloseTime(stream);
    return due;
  }

  #nextCloseTime(stream: { symbol: string; interval: Interval }): number {
    return this.#market.nextCloseTime(stream.symbol, stream.interval);
  }

  #find(symbol: string, interval: Interval): BarStream | undefined {
    return this.#streams.find((each) => each.symbol === symbol && each.interval === interval);
  }

  #stream(symbol: string, interval: Interval): BarStream {
    const found = this.#find(symbol, interval);
    if (found !== undefined) return found;
    const nextTime = this.#nextCloseTime({ symbol, interval });
    const stream = { symbol, interval, hooks: new Set<BarHook>(), published: false, nextTime };
    const names = [...this.#market.symbols.keys()];
    this.#streams.push(stream);
    this.#streams.sort(
      (a, b) =>
        INTERVAL_MS[a.interval] - INTERVAL_MS[b.interval] ||
        names.indexOf(a.symbol) - names.indexOf(b.symbol),
    );
    return stream;
  }

  #dropIdle(): void {
    for (let index = this.#streams.length - 1; index >= 0; index--) {
      const stream = this.#streams[index]!;
      if (stream.hooks.size === 0 && !stream.published) this.#streams.splice(index, 1);
    }
  }
}
