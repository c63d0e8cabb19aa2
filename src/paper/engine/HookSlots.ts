import type { BarHook } from './BarHook.ts';

/** A hook of a stream, and its place among the others. */
export interface HookSlot {
  readonly hook: BarHook;
  /** Earlier hooks are called first. Numbers have gaps, and are given anew when they are many. */
  serial: number;
  group: HookGroup | null;
}

/** How the watches that are set at one close are numbered, so that each hook's come in its turn. */
export interface WatchOrder {
  /** The order of the first watch that the hook sets. */
  of(slot: HookSlot): number;
}

/**
 * Hooks that read the same value by the same rule. It is read once for all of them, and only those on which
 * it has an effect of their own are called; what a call of the others would change, the group changes.
 */
export interface HookGroup {
  /** Whether it sets watches for its members. */
  readonly setsWatches: boolean;
  /** The bar closed: adds the members that are to be called, in any order. */
  collect(called: HookSlot[], order: WatchOrder): void;
  /** The hook is gone. */
  remove(slot: HookSlot): void;
  /** Members have a watch each again, as if each had been called: what is saved knows no groups. */
  loosen(): void;
  readonly size: number;
}

/** Joins a hook to others of its stream by what it reads; null: it is called at each bar. */
export type FindGroup = (slot: HookSlot, groups: Map<string, HookGroup>) => HookGroup | null;

/** Room for the watches that one hook sets when it is called. */
const WATCHES_A_HOOK = 4_096;

/** The hooks of a stream, in the order in which they are called, and the groups that they form. */
export class HookSlots {
  readonly #slots = new Map<BarHook, HookSlot>();
  /** These are called at each bar. */
  readonly #single = new Set<HookSlot>();
  readonly #groups = new Map<string, HookGroup>();
  /** Hooks that came since the last bar closed. */
  #fresh: HookSlot[] = [];
  #nextSerial = 0;

  get size(): number {
    return this.#slots.size;
  }

  has(hook: BarHook): boolean {
    return this.#slots.has(hook);
  }

  list(): BarHook[] {
    return [...this.#slots.keys()];
  }

  add(hook: BarHook): void {
    if (this.#slots.has(hook)) return;
    const slot: HookSlot = { hook, serial: this.#nextSerial++, group: null };
    this.#slots.set(hook, slot);
    this.#fresh.push(slot);
  }

  delete(hook: BarHook): void {
    const slot = this.#slots.get(hook);
    if (slot === undefined) return;
    this.#slots.delete(hook);
    this.#single.delete(slot);
    slot.group?.remove(slot);
  }

  /**
   * The hooks to be called at a close, in order. One that is added meanwhile waits for the next close; one that
   * is removed is not called.
   *
   * @param from the order of the next watch
   * @returns them, and the orders of their watches; `end` is that of the first watch after all
   */
  take(
    from: number,
    findGroup: FindGroup,
  ): { called: HookSlot[]; order: WatchOrder | null; end: number } {
    this.#sortFresh(findGroup);
    const called = [...this.#single];
    if (this.#groups.size === 0) return { called, order: null, end: from };
    this.#renumber();
    const order: WatchOrder = { of: ({ serial }) => from + serial * WATCHES_A_HOOK };
    let setsWatches = false;
    for (const [key, group] of this.#groups) {
      if (group.size === 0) {
        this.#groups.delete(key);
        continue;
      }
      group.collect(called, order);
      setsWatches ||= group.setsWatches;
    }
    called.sort((a, b) => a.serial - b.serial);
    if (!setsWatches) return { called, order: null, end: from };
    return { called, order, end: from + this.#nextSerial * WATCHES_A_HOOK };
  }

  loosen(): void {
    for (const group of this.#groups.values()) group.loosen();
  }

  #sortFresh(findGroup: FindGroup): void {
    if (this.#fresh.length === 0) return;
    for (const slot of this.#fresh) {
      if (this.#slots.get(slot.hook) !== slot) continue;
      slot.group = findGroup(slot, this.#groups);
      if (slot.group === null) this.#single.add(slot);
    }
    this.#fresh = [];
  }

  /** Hooks that come and go would make the numbers, and with them the orders, grow without end. */
  #renumber(): void {
    if (this.#nextSerial <= 2 * this.#slots.size + 64) return;
    this.#nextSerial = 0;
    for (const slot of this.#slots.values()) slot.serial = this.#nextSerial++;
  }
}
