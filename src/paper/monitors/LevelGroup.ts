import type { IndicatorLevelTrigger } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { HookGroup, HookSlot, WatchOrder } from '../engine/HookSlots.ts';
import { isCrossedAt, oppositeOf, readLevel } from './armMonitor.ts';
import { LevelBundle, type Member } from './LevelBundle.ts';
import type { Monitor } from './Monitor.ts';

/**
 * Monitors whose level is the same value of an indicator, with the same direction. At a closed bar the level is
 * read once; those that wait for a crossing share a watch, and so do those that still wait for the other side.
 */
export class LevelGroup implements HookGroup {
  readonly setsWatches = true;
  readonly #engine: EngineState;
  readonly #trigger: IndicatorLevelTrigger;
  readonly #monitors = new Map<HookSlot, Monitor>();
  /** Monitors with a watch of their own: new, or reached since the last bar. */
  readonly #loose = new Map<HookSlot, Monitor>();
  readonly #ready: LevelBundle;
  readonly #waiting: LevelBundle;

  constructor(engine: EngineState, trigger: IndicatorLevelTrigger) {
    this.#engine = engine;
    this.#trigger = trigger;
    const onLeft = ({ slot, monitor }: Member): void => void this.#loose.set(slot, monitor);
    this.#ready = new LevelBundle(engine, trigger.symbol, onLeft);
    this.#waiting = new LevelBundle(engine, trigger.symbol, onLeft);
  }

  get size(): number {
    return this.#monitors.size;
  }

  add(slot: HookSlot, monitor: Monitor): void {
    this.#monitors.set(slot, monitor);
    this.#loose.set(slot, monitor);
  }

  remove(slot: HookSlot): void {
    const monitor = this.#monitors.get(slot);
    monitor?.bundle?.leave(monitor);
    this.#monitors.delete(slot);
    this.#loose.delete(slot);
  }

  collect(called: HookSlot[], order: WatchOrder): void {
    const level = readLevel(this.#engine, this.#trigger);
    const isCrossed = level !== null && isCrossedAt(this.#engine, this.#trigger, level);
    if (isCrossed) this.#loosenReady();
    const joining: Record<'ready' | 'waiting', Member[]> = { ready: [], waiting: [] };
    for (const [slot, monitor] of this.#loose) {
      if (isCrossed && monitor.ready) {
        called.push(slot);
        continue;
      }
      if (level !== null && !isCrossed) monitor.ready = true;
      if (monitor.watch !== null) this.#engine.market.unwatch(monitor.watch);
      monitor.watch = null;
      joining[monitor.ready ? 'ready' : 'waiting'].push({ slot, monitor });
      this.#loose.delete(slot);
    }
    if (level !== null && !isCrossed) {
      const turned = this.#waiting.empty();
      for (const { monitor } of turned) monitor.ready = true;
      this.#ready.join(turned);
    }
    this.#ready.join(joining.ready);
    this.#waiting.join(joining.waiting);
    const { direction } = this.#trigger;
    const opposite = oppositeOf(direction);
    this.#ready.move(level === null ? null : { level, side: direction, passed: false }, order);
    this.#waiting.move(level === null ? null : { level, side: opposite, passed: true }, order);
  }

  loosen(): void {
    for (const bundle of [this.#ready, this.#waiting]) {
      for (const { slot, monitor } of bundle.loosen()) this.#loose.set(slot, monitor);
    }
  }

  /** Those that fire now are called one by one, for what one does may stop another. */
  #loosenReady(): void {
    for (const { slot, monitor } of this.#ready.empty()) this.#loose.set(slot, monitor);
  }
}

/** The group of a monitor; null if it has none. */
export function joinMonitors(
  engine: EngineState,
  groups: Map<string, HookGroup>,
  slot: HookSlot,
  monitor: Monitor | undefined,
): HookGroup | null {
  const trigger = monitor?.record.trigger;
  if (monitor === undefined || trigger?.type !== 'indicator_level') return null;
  const key = JSON.stringify(['monitor', trigger]);
  const known = groups.get(key);
  const group = known instanceof LevelGroup ? known : new LevelGroup(engine, trigger);
  groups.set(key, group);
  group.add(slot, monitor);
  return group;
}
