import type { ComparedIntent } from './ComparedIntent.ts';

/** An intent of either version with that of the other, if it has one, and in what the two differ. */
export interface IntentPair {
  live?: ComparedIntent;
  shadow?: ComparedIntent;
  /** Empty if they are the same; `live only`, `shadow only`, or the fields that differ. */
  differs: readonly string[];
}

export interface PairOptions {
  /** Smallest step of a symbol's size, base units: sizes within one step are the same. */
  sizeStep?(symbol: string): number;
  /** Length of the shortest bars, milliseconds; default: events of one time alone are alike. */
  barMs?: number;
}

/**
 * Pairs the intents of two versions. Two belong together
 *
 * 1. if they have the same cause, kind, symbol and side: both decided the same on the same event;
 * 2. else if they have the same cause and ordinal: both decided on that event, and not the same;
 * 3. else if both were decided on the same kind of event at the same market time, or else in the same bar, for the
 *    same kind, symbol and side: ids and times of fills, orders and executions are each venue's own.
 *
 * A pair is the same if kind, symbol and side are equal, sizes are within a step, prices are equal, and both were
 * sent or both were refused.
 *
 * @returns in the order of market time
 */
export function pairIntents(
  live: readonly ComparedIntent[],
  shadow: readonly ComparedIntent[],
  options: PairOptions = {},
): IntentPair[] {
  const pairs: IntentPair[] = [];
  let [ones, others] = [live, shadow];
  const { barMs = 1 } = options;
  for (const nameOf of [decisionOf, placeOf, likenessWithin(1), likenessWithin(barMs)]) {
    const pool = createPool(others, nameOf);
    ones = ones.filter((one) => {
      const other = pool.take(nameOf(one));
      if (other === undefined) return true;
      pairs.push({ live: one, shadow: other, differs: differencesOf(one, other, options) });
      return false;
    });
    others = pool.list();
  }
  for (const one of ones) pairs.push({ live: one, differs: ['live only'] });
  for (const other of others) pairs.push({ shadow: other, differs: ['shadow only'] });
  return pairs.toSorted((one, other) => timeOf(one) - timeOf(other));
}

/** Market time of the earlier of the two events, epoch milliseconds. */
export const timeOf = ({ live, shadow }: IntentPair): number =>
  Math.min(live?.time ?? Infinity, shadow?.time ?? Infinity);

type NameOf = (intent: ComparedIntent) => string;

const decisionOf: NameOf = ({ cause, kind, symbol, side }) =>
  JSON.stringify([cause, kind, symbol, side]);

const placeOf: NameOf = ({ cause, ordinal }) => `${cause}#${ordinal}`;

const likenessWithin =
  (spanMs: number): NameOf =>
  ({ cause, time, kind, symbol, side }) => {
    const event = cause.split(':', 1)[0];
    return JSON.stringify([event, Math.floor(time / spanMs), kind, symbol, side]);
  };

/** Intents by a name, each taken once, in their order. */
function createPool(intents: readonly ComparedIntent[], nameOf: NameOf) {
  const byName = new Map<string, ComparedIntent[]>();
  for (const intent of intents) {
    const name = nameOf(intent);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [intent]);
    else same.push(intent);
  }
  return {
    take: (name: string): ComparedIntent | undefined => byName.get(name)?.shift(),
    list: (): ComparedIntent[] => [...byName.values()].flat(),
  };
}

const REFUSED: readonly string[] = ['denied', 'rejected', 'expired'];

function differencesOf(
  one: ComparedIntent,
  other: ComparedIntent,
  { sizeStep = () => 0 }: PairOptions,
): string[] {
  const step = one.symbol === undefined ? 0 : sizeStep(one.symbol);
  const isSameSize =
    one.size === other.size ||
    Math.abs((one.size ?? Infinity) - (other.size ?? Infinity)) <= step * (1 + 1e-9);
  const isRefused = [one, other].map(({ outcome }) => REFUSED.includes(outcome));
  return [
    ...(['kind', 'symbol', 'side'] as const).filter((field) => one[field] !== other[field]),
    ...(isSameSize ? [] : ['size']),
    ...(one.price === other.price ? [] : ['price']),
    ...(isRefused[0] === isRefused[1] ? [] : ['verdict']),
  ];
}
