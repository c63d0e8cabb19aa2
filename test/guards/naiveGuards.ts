import type { Entry, GuardedIntent, GuardLimits, GuardSnapshot } from '../../src/guards/index.ts';

/** The guards once more, from the descriptions of their limits alone: each line says when one denies. */

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
const opensIn = ({ entries }: GuardedIntent): boolean => entries.length > 0;
const addsIn = ({ entries }: GuardedIntent): readonly Entry[] =>
  entries.filter(({ size }) => size !== 0);

function worth(symbol: string, snapshot: GuardSnapshot): number {
  const seen = snapshot.market(symbol);
  if (seen !== undefined) return seen.price;
  return snapshot.reference?.(symbol)?.price ?? Infinity;
}

/**
 * The worse of: everything that buys is filled, everything that sells is. What only reduces is filled before,
 * and so is what waits for a price, unless the entry fills at once. What has filled is worth the last price; if some of
 * it has waited for a higher one, that price.
 */
export function worst(
  symbol: string,
  intent: Pick<GuardedIntent, 'entries'>,
  snapshot: GuardSnapshot,
): number {
  const priceAt = (side: 'buy' | 'sell'): number => {
    const waited = intent.entries
      .filter((one) => one.symbol === symbol && one.side === side)
      .map(({ triggeredAt }) => triggeredAt ?? 0);
    const all = [worth(symbol, snapshot), snapshot.highestTrigger(symbol, side), ...waited];
    return all.toSorted((a, b) => b - a)[0]!;
  };
  const reach = (side: 'buy' | 'sell', held: number): number[] => {
    const on = intent.entries.filter((one) => one.symbol === symbol && one.side === side);
    const pending = snapshot.pending(symbol, side);
    const all = pending + sum(on.map((one) => one.size));
    const late = pending + sum(on.map((one) => (one.isAtOnce ? 0 : one.size)));
    const opposite = Math.max(0, -held);
    const offset = Math.max(0, opposite - snapshot.closing(symbol, side));
    const rest = Math.max(0, offset - snapshot.armed(symbol, side));
    // Nothing on this side: the position stands as it is.
    if (held >= 0) return [held + all];
    return all === 0 ? [] : [all - offset, late - rest];
  };
  const held = snapshot.position(symbol);
  const bought = reach('buy', held).map((size) => (size > 0 ? size * priceAt('buy') : 0));
  const sold = reach('sell', -held).map((size) => (size > 0 ? size * priceAt('sell') : 0));
  return Math.max(0, ...bought, ...sold);
}

export function gross(intent: Pick<GuardedIntent, 'entries'>, snapshot: GuardSnapshot): number {
  const symbols = [...snapshot.exposedSymbols, ...intent.entries.map(({ symbol }) => symbol)];
  return sum([...new Set(symbols)].map((symbol) => worst(symbol, intent, snapshot)));
}

type Denies = (intent: GuardedIntent, snapshot: GuardSnapshot, limits: GuardLimits) => boolean;

const above = (value: number, limit: number | undefined): boolean =>
  limit !== undefined && !(value <= limit);
const reached = (value: number, limit: number | undefined): boolean =>
  limit !== undefined && value >= limit;

/** In the order in which a denial is named. */
export const NAIVE_GUARDS: Readonly<Record<string, Denies>> = {
  owns_symbols: ({ symbols }, { ownedSymbols, ignores = () => false }) =>
    !symbols.every((one) => ownedSymbols.includes(one) && !ignores(one)),
  knows_instrument: ({ symbols }, snapshot) => symbols.some((one) => !snapshot.instrument(one)),
  has_scopes: ({ scopes, isExit }, { keyScopes, refusedScopes }) =>
    (keyScopes !== null && !scopes.every((one) => keyScopes.includes(one))) ||
    (!isExit && scopes.some((one) => refusedScopes.has(one))),
  catch_up: (intent) =>
    intent.cause?.isCatchUp === true &&
    (opensIn(intent) ||
      intent.opaque === true ||
      intent.kind === 'set_leverage' ||
      intent.cause.isOvertaken === true),
  max_decision_age_seconds(intent, { present }, { max_decision_age_seconds }) {
    if (!intent.cause || !(opensIn(intent) || intent.opaque)) return false;
    const { time, intervalMs = 300_000 } = intent.cause;
    const seconds = max_decision_age_seconds ?? Math.min(intervalMs / 1_000, 300);
    return present > time + seconds * 1_000;
  },
  entry_gate(intent, { gate, closedSymbols = new Map<string, string>() }) {
    if (!opensIn(intent) && !intent.opaque) return false;
    if (gate.length > 0) return true;
    const entered = intent.entries.map(({ symbol }) => symbol);
    const anywhere = [...entered, ...(intent.opaque ? intent.symbols : [])];
    const isAnySymbol = anywhere.length === 0 && closedSymbols.size > 0;
    return isAnySymbol || anywhere.some((symbol) => closedSymbols.has(symbol));
  },
  shows_exposure: ({ opaque }) => opaque === true,
  allowed_symbols: ({ entries }, _snapshot, { allowed_symbols }) =>
    allowed_symbols !== undefined &&
    entries.some(({ symbol }) => !allowed_symbols.includes(symbol)),
  data_age: ({ entries }, snapshot, { max_data_age_seconds = 10 }) =>
    entries.some(({ symbol }) => {
      const seen = snapshot.market(symbol);
      return !seen || snapshot.now > seen.time + seen.intervalMs + max_data_age_seconds * 1_000;
    }),
  max_order_size: ({ entries }, _snapshot, { max_order_size = {} }) =>
    entries.some(({ symbol, size, orderSize }) =>
      above(orderSize === undefined ? size : orderSize, max_order_size[symbol]),
    ),
  max_order_notional: (intent, snapshot, { max_order_notional }) =>
    addsIn(intent).some(({ symbol, size, orderSize = size, price, triggeredAt }) =>
      // The most that it may cost: at the last price, at its own, at the one for which it waits.
      [worth(symbol, snapshot), price, triggeredAt].some(
        (at) => at != null && above(orderSize * at, max_order_notional),
      ),
    ),
  price_collar: ({ entries }, snapshot, { price_collar_bps }) =>
    entries.some(({ symbol, price, triggeredAt, reachBps }) => {
      // A bound that is relative to its trigger is that far from it, wherever that is.
      if (reachBps !== undefined && above(reachBps, price_collar_bps)) return true;
      if (price === undefined || triggeredAt === null) return false;
      // What a monitor waits for is its last price.
      const last = triggeredAt ?? snapshot.market(symbol)?.price;
      if (last === undefined) return false;
      const farther = price > last ? price - last : last - price;
      return above((farther / last) * 10_000, price_collar_bps);
    }),
  max_position_notional: (intent, snapshot, { max_position_notional }) =>
    addsIn(intent).some(({ symbol, isRepeated }) =>
      above(isRepeated ? Infinity : worst(symbol, intent, snapshot), max_position_notional),
    ),
  max_gross_notional: (intent, snapshot, { max_gross_notional }) =>
    addsIn(intent).length > 0 &&
    above(
      addsIn(intent).some(({ isRepeated }) => isRepeated) ? Infinity : gross(intent, snapshot),
      max_gross_notional,
    ),
  max_leverage(intent, snapshot, { max_leverage }) {
    if (above(intent.leverage ?? 0, max_leverage)) return true;
    if (addsIn(intent).length === 0 || snapshot.equity === undefined) return false;
    const total = gross(intent, snapshot);
    // Without equity nothing may be opened.
    return above(snapshot.equity > 0 ? total / snapshot.equity : Infinity, max_leverage);
  },
  maintained_rows: (intent, snapshot) =>
    intent.maintainedRows > 0 && snapshot.maintainedRows + intent.maintainedRows > 20,
  max_concurrent_executions: (intent, snapshot, { max_concurrent_executions }) => {
    // What it may start, but for the legs that only reduce: those are no entries.
    const { executions = 0, entries, isExit } = intent;
    const entering = executions < entries.length ? executions : entries.length;
    if (isExit || entering === 0) return false;
    const { runningExecutions, startingExecutions } = snapshot;
    return above(sum([runningExecutions, startingExecutions, entering]), max_concurrent_executions);
  },
  max_intents_per_minute: ({ isExit }, { recentIntents }, { max_intents_per_minute }) =>
    !isExit && reached(recentIntents, max_intents_per_minute),
  max_entries_per_hour: (intent, { recentEntries, throttled }, { max_entries_per_hour }) =>
    max_entries_per_hour !== undefined &&
    (addsIn(intent).length > 0 || intent.opaque === true) &&
    (throttled !== undefined || reached(recentEntries, max_entries_per_hour)),
  max_uncovered_seconds: (intent, snapshot, { max_uncovered_seconds }) =>
    opensIn(intent) &&
    snapshot
      .uncovered()
      .some(({ since }) => above((snapshot.now - since) / 1_000, max_uncovered_seconds)),
  daily_loss: (intent, { dayLoss, dayLimitReached }, { daily_loss_limit }) =>
    opensIn(intent) &&
    (reached(dayLoss, daily_loss_limit) || reached(dayLimitReached ?? 0, daily_loss_limit)),
};
