import type { Subscription } from 'rxjs';
import type { Bar } from './Bar.ts';
import type { Trigger } from './Emission.ts';
import { valuesOf } from './operators/labelOf.ts';
import type { RunningIndicator } from './operators/RunningIndicator.ts';
import type { PlotLine } from './PlotLine.ts';

type Values = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** An indicator of a reading, under its readable name: `fast ema(10)`. */
export type ReadingEntry = readonly [name: string, indicator: RunningIndicator];

/** What one subscription of an operator computed last; the operator updates it at each bar. */
export class Reading {
  /** Bar of the value; null if it belongs to none, undefined before the first value. */
  of: Bar | null | undefined;
  /** Whether it has a value that no report knows. */
  isNew = false;
  readonly entries: readonly ReadingEntry[];
  /** Brings it up to bars that were passed over; absent if every bar comes. */
  refresh: (() => void) | undefined;
  /** Its lines for a report; made when one is asked for. */
  lines: readonly PlotLine[] | undefined;

  constructor(entries: readonly ReadingEntry[]) {
    this.entries = entries;
  }

  /** Its indicators have new values, of this bar. */
  at(bar: Bar | null): void {
    this.of = bar;
    this.isNew = true;
  }

  /** The present values under readable names: `{ 'fast ema(10)': 61020.5 }`. */
  values(): Values {
    const values: Record<string, Values[string]> = {};
    for (const [name, running] of this.entries) values[name] = valuesOf(running);
    return values;
  }
}

/**
 * The indicators in use by one strategy instance, so that the journal shows what a decision was based on. An
 * operator costs one assignment a bar; values are read when an intent is emitted.
 */
export interface Readings {
  keep(reading: Reading): () => void;
  /** Closed bar of the present turn, if a bar caused it. */
  bar(): Bar | undefined;
}

/**
 * Whose turn it is. An operator is created without knowing its instance, and is subscribed in one of its turns.
 * One place for the whole process, since a plugin may bring a second copy of this code.
 */
const place = globalThis as { [PLACE]?: { now: Readings | undefined } };
const PLACE: unique symbol = Symbol.for('trimtab.readings') as never;
const present = (place[PLACE] ??= { now: undefined });

/** Makes these the readings of the present turn; returns those of the enclosing turn. */
export function enterReadings(readings: Readings | undefined): Readings | undefined {
  const outer = present.now;
  present.now = readings;
  return outer;
}

/** Registers the indicators of an operator, for as long as it is subscribed. */
export function keepReading(subscription: Subscription, entries: readonly ReadingEntry[]): Reading {
  const reading = new Reading(entries);
  if (present.now !== undefined) subscription.add(present.now.keep(reading));
  return reading;
}

/** The bar of a bare number: that of the turn in which it came. */
export function barOfTurn(): Bar | null {
  return present.now?.bar() ?? null;
}

/** Readings of one instance, and the part of them that is recorded beside a trigger. */
export function createReadings(bar: Readings['bar']): Readings & {
  beside(trigger: Trigger): Trigger;
  all(): Iterable<Reading>;
} {
  const persisted = new Set<Reading>();
  return {
    keep(reading) {
      persisted.add(reading);
      return () => persisted.delete(reading);
    },
    bar,
    all: () => persisted,
    beside: (trigger) =>
      persisted.size === 0 ? trigger : { ...trigger, ...describeReadings(persisted, trigger) },
  };
}

/** A journal row is read by people: more would not be read. */
const MOST_VALUES = 64;

const NOTHING: Trigger = {};

interface Seen {
  bar?: Bar;
  indicators: Record<string, Values[string]>;
}

/**
 * Indicators of the bar that caused the decision as `indicators`; those of other bars (another symbol or
 * interval, an earlier bar, any other cause) as `seen`, each with its bar.
 */
function describeReadings(persisted: ReadonlySet<Reading>, trigger: Trigger): Trigger {
  const cause = trigger['bar'] as Bar | undefined;
  for (const { refresh } of persisted) refresh?.();
  const own: Seen = { indicators: {} };
  const others: Seen[] = [];
  let room = MOST_VALUES;
  // The cause's bar goes first, in case there are more than fit.
  for (const reading of persisted) if (isOf(reading, cause)) room -= add(own, reading, room);
  for (const reading of persisted) {
    const { of } = reading;
    if (of === undefined || isOf(reading, cause)) continue;
    room -= add(groupOf(others, of), reading, room);
  }
  // Most decisions are on one bar, whose indicators fit.
  if (others.length === 0 && room >= 0) {
    return isEmpty(own.indicators) ? NOTHING : { indicators: own.indicators };
  }
  const seen = others.filter(({ indicators }) => !isEmpty(indicators));
  return {
    ...(isEmpty(own.indicators) ? {} : { indicators: own.indicators }),
    ...(seen.length === 0 ? {} : { seen }),
    ...(room >= 0 ? {} : { left_out: -room }),
  };
}

/** @returns how many values the reading has; those that fit are added */
function add({ indicators }: Seen, reading: Reading, room: number): number {
  let count = 0;
  const values = reading.values();
  for (const name of Object.keys(values)) {
    if (++count > room) continue;
    // Two averages of the same length, one of highs and one of lows, have one name.
    let unique = name;
    for (let n = 2; Object.hasOwn(indicators, unique); n++) unique = `${name} #${n}`;
    indicators[unique] = values[name]!;
  }
  return count;
}

function groupOf(groups: Seen[], of: Bar | null): Seen {
  const known = groups.find(({ bar }) => (of === null ? bar === undefined : isSame(bar, of)));
  if (known !== undefined) return known;
  const group = { ...(of === null ? {} : { bar: { ...of } }), indicators: {} };
  groups.push(group);
  return group;
}

const isOf = ({ of }: Reading, bar: Bar | undefined): boolean => of != null && isSame(bar, of);

function isSame(a: Bar | undefined, b: Bar): boolean {
  return a?.time === b.time && a.symbol === b.symbol && a.interval === b.interval;
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;
