import type { HookGroup, HookSlot } from '../engine/HookSlots.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Leg } from './Leg.ts';
import { directionOf } from './resolveLeg.ts';
import { isMoved, leastMoveOf, targetOf } from './trailLeg.ts';

/**
 * Above this threshold, in basis points, a looser trigger is not always moved before a tighter one: their
 * differences are rounded.
 */
const MOST_BPS = 5_000;

/** Trails whose triggers are the same price. */
interface Level {
  readonly trigger: number;
  readonly slots: Set<HookSlot>;
}

/**
 * Trails of one kind and side that follow the same level: at each bar they have one target. They are kept by
 * trigger, the loosest first; where that one stays, all stay.
 */
export class TrailGroup implements HookGroup {
  readonly setsWatches = false;
  readonly #engine: EngineState;
  readonly #legs = new Map<HookSlot, Leg>();
  readonly #levels: Level[] = [];
  /** Trails that are new or were called: their triggers are read when the next bar closes. */
  #loose: HookSlot[] = [];

  constructor(engine: EngineState) {
    this.#engine = engine;
  }

  get size(): number {
    return this.#legs.size;
  }

  add(slot: HookSlot, leg: Leg): void {
    this.#legs.set(slot, leg);
    this.#loose.push(slot);
  }

  remove(slot: HookSlot): void {
    const leg = this.#legs.get(slot);
    if (leg === undefined) return;
    this.#legs.delete(slot);
    const at = this.#placeOf(leg);
    if (this.#levels[at]?.slots.delete(slot) === true && this.#levels[at].slots.size === 0) {
      this.#levels.splice(at, 1);
    }
  }

  collect(called: HookSlot[]): void {
    for (const slot of this.#loose) this.#place(slot);
    this.#loose = [];
    const [first] = this.#legs.values();
    if (first === undefined) return;
    const target = targetOf(this.#engine, first);
    if (target === null) return;
    let count = 0;
    for (const { trigger } of this.#levels) {
      if (!isMoved(this.#engine, first, trigger, target.trigger)) break;
      count++;
    }
    for (const { slots } of this.#levels.splice(0, count)) {
      for (const slot of slots) {
        called.push(slot);
        this.#loose.push(slot);
      }
    }
  }

  loosen(): void {}

  #place(slot: HookSlot): void {
    const leg = this.#legs.get(slot);
    if (leg === undefined) return;
    const trigger = triggerOf(leg);
    const at = this.#placeOf(leg);
    const found = this.#levels[at];
    if (found?.trigger === trigger) found.slots.add(slot);
    else this.#levels.splice(at, 0, { trigger, slots: new Set([slot]) });
  }

  /** Index of the leg's level, or that at which it is to be inserted. */
  #placeOf(leg: Leg): number {
    const trigger = triggerOf(leg);
    const isUp = directionOf({ kind: leg.record.kind, positionSide: leg.positionSide }) < 0;
    let [from, to] = [0, this.#levels.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#levels[middle]!.trigger;
      if (isUp ? other < trigger : other > trigger) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** An armed leg is resolved. */
const triggerOf = (leg: Leg): number => leg.record.resolution!.trigger_price;

/** The group of a trail; null if it is called at each bar. */
export function joinTrails(
  engine: EngineState,
  groups: Map<string, HookGroup>,
  slot: HookSlot,
  leg: Leg | undefined,
): HookGroup | null {
  const trail = leg?.spec.trail;
  if (leg === undefined || trail === undefined || leg.record.resolution === null) return null;
  const least = leastMoveOf(leg);
  if (least > MOST_BPS) return null;
  const key = JSON.stringify(['leg', leg.record.kind, leg.positionSide, least, trail]);
  const known = groups.get(key);
  const group = known instanceof TrailGroup ? known : new TrailGroup(engine);
  groups.set(key, group);
  group.add(slot, leg);
  return group;
}
