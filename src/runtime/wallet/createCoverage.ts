import type { MonitorRecord, PositionRecord, WatchRow } from '../../contract/index.ts';
import type { PersistedUncovered } from './persistUncovered.ts';
import { actionOf } from './openMonitors.ts';

/** What protects one open position now. */
export interface Cover {
  wallet: string;
  symbol: string;
  /** Base units of the position, unsigned. */
  size: number;
  /** Base units that acknowledged stops of the right side cover, at most the size. */
  covered: number;
}

export interface CoverageInput {
  positions: Iterable<PositionRecord>;
  /** Rows of `tpsl.watch`. */
  rows: Iterable<WatchRow>;
  monitors: Iterable<MonitorRecord>;
  /** What an order or an execution has filled, base units; undefined if unknown. */
  filledOf?(id: string): number | undefined;
}

/**
 * For every open position: is there an acknowledged exit of the right side and size? A stop that follows the
 * position covers it whole; one of an entry, and an armed monitor that reduces on the losing side, cover their
 * own size. A take-profit alone protects nothing, be it a leg or a monitor.
 */
export function coverOf(wallet: string, input: CoverageInput): Cover[] {
  const rows = [...input.rows].filter(isArmedStop);
  const monitors = [...input.monitors];
  if (rows.length === 0 && monitors.length === 0) return uncoveredOf(wallet, input.positions);
  const filledOf = (id: string): number | undefined => input.filledOf?.(id);
  return [...input.positions].map((position) => {
    const { symbol, size } = position;
    const stopping = monitors.filter((monitor) => isStop(monitor, position));
    const isUnwound = stopping.some(isCompiled);
    const stops = rows
      .filter((row) => row.symbol === symbol && !(isUnwound && ownerOf(row) === undefined))
      .map((row) => sizeOfStop(row, size, filledOf))
      .reduce((sum, part) => sum + part, 0);
    const exits = stopping
      .filter(({ status }) => status === 'armed')
      .map(sizeOfExit)
      .reduce((sum, part) => sum + part, 0);
    return { wallet, symbol, size, covered: Math.min(size, stops + exits) };
  });
}

function uncoveredOf(wallet: string, positions: Iterable<PositionRecord>): Cover[] {
  const covers: Cover[] = [];
  for (const { symbol, size } of positions) covers.push({ wallet, symbol, size, covered: 0 });
  return covers;
}

/** Tolerance for float errors when sizes are compared. */
const TOLERANCE = 1e-9;

export function isCovered({ size, covered }: Cover): boolean {
  return covered >= size * (1 - TOLERANCE);
}

/** Significant digits of a position's size; what is beyond them is of the float, not of an instrument's steps. */
const DIGITS = 14;

/** Base units without an acknowledged stop, as a difference of decimals: 0.1 less 0.01 is 0.09. */
export function uncoveredSize({ size, covered }: Pick<Cover, 'size' | 'covered'>): number {
  const decimals = DIGITS - 1 - Math.floor(Math.log10(Math.max(size, Number.MIN_VALUE)));
  return Number((size - covered).toFixed(Math.min(100, Math.max(0, decimals))));
}

const isArmedStop = (row: WatchRow): boolean =>
  row.watch_kind === 'leg' && row.kind === 'stop_loss' && row.status === 'armed';

/** The order or execution that a leg came with; a leg of the position itself has none. */
const ownerOf = (row: WatchRow): string | undefined =>
  row.order_id ?? row.execution_id ?? undefined;

/**
 * A leg of the position follows it; one of an entry covers what that entry has filled. Rows need not contain
 * more than that they are armed; `coupled` and `size` are used if a service adds them, though a size may be of
 * the first fill.
 */
function sizeOfStop(
  row: WatchRow,
  positionSize: number,
  filledOf: (id: string) => number | undefined,
): number {
  const { coupled, size } = row as { coupled?: unknown; size?: unknown };
  const owner = ownerOf(row);
  const filled = owner === undefined ? undefined : filledOf(owner);
  if (coupled === true) return positionSize;
  if (coupled === false && typeof size === 'number') return Math.max(size, filled ?? 0);
  return filled ?? positionSize;
}

/** Whether a monitor reduces a position when its price goes the losing way. */
export function isStop(
  monitor: MonitorRecord,
  { symbol, side }: Pick<PositionRecord, 'symbol' | 'side'>,
): boolean {
  const action = actionOf(monitor);
  const trigger = monitor.trigger as { symbol?: unknown; direction?: unknown };
  const isShort = side === 'short';
  return (
    action.symbol === symbol &&
    action.side === (isShort ? 'buy' : 'sell') &&
    action.reduce_only === true &&
    trigger.symbol === symbol &&
    trigger.direction === (isShort ? 'above' : 'below')
  );
}

const OVER: readonly string[] = ['stopped', 'fired'];

/**
 * Made from a leg of the position, which has its own row. Its action was frozen when it was attached (POS-5),
 * and it may be paused or have failed, so the row alone is no evidence.
 */
const isCompiled = (monitor: MonitorRecord): boolean =>
  isOfLeg(monitor) && !OVER.includes(monitor.status);

/** Made from a leg, which ends with it. */
export const isOfLeg = ({ request }: MonitorRecord): boolean =>
  (request as { exit_style?: unknown } | null | undefined)?.exit_style === 'algo_unwind';

function sizeOfExit(monitor: MonitorRecord): number {
  const { total_size: total, size } = actionOf(monitor);
  return Number(total ?? size ?? 0);
}

/** How long positions were without their cover. */
export interface Coverage {
  /** Takes a new view of a wallet. */
  see(wallet: string, covers: readonly Cover[]): void;
  /** Other positions are left to the operator now. */
  review(): void;
  /** Seconds of this process's market time in which any part of any position was uncovered; simultaneous ones count once. */
  totalSeconds(): number;
  /**
   * Seconds of the longest spell in which one position was uncovered in this process, in any part: never more than
   * the total.
   */
  longestSeconds(): number;
  /**
   * Positions that are uncovered now, with the market time at which that began, perhaps before this process. One that the operator asked to ignore
   * is none: its stop is not this bot's business.
   */
  uncovered(): ReadonlyArray<Cover & { since: number }>;
}

/** One position during an uncovered period. */
type Spell = Cover & { since: number };

export interface CoverageOptions {
  /** Market time, epoch milliseconds. */
  now(): number;
  /** Whether the operator asked to leave a wallet's position in a symbol alone. */
  isIgnored(wallet: string, symbol: string): boolean;
  /** Where spells outlive the process; undefined: each process begins anew. */
  persisted?: PersistedUncovered | undefined;
}

export function createCoverage({ now, isIgnored, persisted }: CoverageOptions): Coverage {
  /** Spells by wallet, each of another symbol; a list, since it is iterated at every bar. */
  const open: Spell[][] = [];
  const places = new Map<string, number>();
  const seen = new Map<string, readonly Cover[]>();
  /** When this process first saw a wallet: what was before is in the figures of the process before. */
  const firstSeen = new Map<string, number>();
  /** Milliseconds of past spells, and the time since which any position is uncovered. */
  let total = 0;
  let anySince: number | null = null;
  let longest = 0;

  const spellMs = ({ wallet, since }: Spell): number =>
    now() - Math.max(since, firstSeen.get(wallet)!);

  const placeOf = (wallet: string): number => {
    const known = places.get(wallet);
    if (known !== undefined) return known;
    places.set(wallet, open.length);
    return open.push([]) - 1;
  };

  function see(wallet: string, covers: readonly Cover[]): void {
    const at = now();
    // A replay's clock may be before it.
    const earlier = seen.has(wallet) ? undefined : persisted?.sinceOf(wallet);
    const begun = (symbol: string): number => Math.min(at, earlier?.get(symbol) ?? at);
    if (!seen.has(wallet)) firstSeen.set(wallet, at);
    seen.set(wallet, covers);
    const place = placeOf(wallet);
    const before = open[place]!;
    const after: Spell[] = [];
    for (const cover of covers) {
      if (isCovered(cover) || isIgnored(wallet, cover.symbol)) continue;
      const known = before.find(({ symbol }) => symbol === cover.symbol);
      after.push({ ...cover, since: known?.since ?? begun(cover.symbol) });
    }
    for (const spell of before) {
      if (after.some(({ symbol }) => symbol === spell.symbol)) continue;
      longest = Math.max(longest, spellMs(spell));
    }
    open[place] = after;
    persisted?.keep(wallet, after);
    const isAny = open.some((spells) => spells.length > 0);
    if (isAny) anySince ??= at;
    else if (anySince !== null) {
      total += at - anySince;
      anySince = null;
    }
  }

  return {
    see,
    review() {
      for (const [wallet, covers] of seen) see(wallet, covers);
    },
    totalSeconds: () => (total + (anySince === null ? 0 : now() - anySince)) / 1_000,
    longestSeconds: () => Math.max(longest, ...open.flat().map(spellMs)) / 1_000,
    uncovered: () => open.flat(),
  };
}
