import type { PaperMarket } from '../market/PaperMarket.ts';
import type { HookSlot, WatchOrder } from '../engine/HookSlots.ts';
import { beyond, type PriceWatch } from '../market/PriceWatches.ts';
import type { Monitor } from './Monitor.ts';

export interface Member {
  readonly slot: HookSlot;
  readonly monitor: Monitor;
}

/** Where a bundle's watch is: it moves at each closed bar. */
interface Standing {
  readonly level: number;
  readonly side: 'below' | 'above';
  readonly order: WatchOrder;
  readonly since: number;
}

/**
 * Armed monitors that wait for the same level on the same side. One price watch stands for all of them, in
 * the name and at the place of the first; when it is reached, that one leaves and the next takes its place.
 */
export class LevelBundle {
  readonly #market: PaperMarket;
  readonly #symbol: string;
  /** In the order in which they are called. */
  readonly #members: Member[] = [];
  readonly #onLeft: (member: Member) => void;
  #standing: Standing | null = null;
  #watch: PriceWatch | null = null;

  /** @param onLeft receives a monitor that leaves: it has no watch then */
  constructor(
    { market }: { market: PaperMarket },
    symbol: string,
    onLeft: (member: Member) => void,
  ) {
    this.#market = market;
    this.#symbol = symbol;
    this.#onLeft = onLeft;
  }

  /** It has no watch until the bundle moves. */
  join(members: readonly Member[]): void {
    if (members.length === 0) return;
    for (const { monitor } of members) monitor.bundle = this;
    this.#members.push(...members);
    this.#members.sort((a, b) => a.slot.serial - b.slot.serial);
  }

  leave(monitor: Monitor): void {
    const at = this.#members.findIndex((each) => each.monitor === monitor);
    const [left] = this.#members.splice(at, 1);
    monitor.bundle = null;
    if (at === 0) this.#renew();
    this.#onLeft(left!);
  }

  /** All members leave, in order. */
  empty(): Member[] {
    this.#standing = null;
    this.#renew();
    const left = this.#members.splice(0);
    for (const { monitor } of left) monitor.bundle = null;
    return left;
  }

  /**
   * The level at the bar that closed.
   *
   * @param to null: the indicator has no value
   */
  move(
    to: { level: number; side: 'below' | 'above'; passed: boolean } | null,
    order: WatchOrder,
  ): void {
    const since = this.#market.now;
    this.#standing =
      to === null
        ? null
        : { level: to.passed ? beyond(to.level, to.side) : to.level, side: to.side, order, since };
    this.#renew();
  }

  /** Each member gets the watch that it would have alone, and leaves. */
  loosen(): Member[] {
    const standing = this.#standing;
    const left = this.empty();
    for (const member of left) {
      if (standing !== null) member.monitor.watch = this.#set(member, standing);
    }
    return left;
  }

  #renew(): void {
    if (this.#watch !== null) this.#market.unwatch(this.#watch);
    const [first] = this.#members;
    const standing = this.#standing;
    this.#watch = first === undefined || standing === null ? null : this.#set(first, standing);
  }

  #set({ slot, monitor }: Member, { level, side, order, since }: Standing): PriceWatch {
    const { wallet } = monitor;
    const id = monitor.record.monitor_id;
    const place = { order: order.of(slot), since };
    const watch = { symbol: this.#symbol, level, side, topic: 'monitor', wallet, id, ...place };
    this.#market.at(this.#symbol).watches.add(watch as PriceWatch);
    return watch as PriceWatch;
  }
}
