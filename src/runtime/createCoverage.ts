import type { MonitorRecord, PositionRecord, WatchRow } from '../contract/index.ts';

/** What protects one open position, as of now. */
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
}

/**
 * For every open position: is there an acknowledged exit of the right side and size? A stop that
 * follows the position covers it whole; one of a fixed size, and an armed monitor that reduces, cover
 * what they are good for. A take-profit alone protects nothing.
 */
export function coverOf(wallet: string, input: CoverageInput): Cover[] {
  const rows = [...input.rows].filter(isArmedStop);
  const monitors = [...input.monitors].filter(({ status }) => status === 'armed');
  return [...input.positions].map((position) => {
    const { symbol, size } = position;
    const stops = rows
      .filter((row) => row.symbol === symbol)
      .map((row) => sizeOfStop(row, size))
      .reduce((sum, part) => sum + part, 0);
    const exits = monitors
      .map((monitor) => sizeOfExit(monitor, position))
      .reduce((sum, part) => sum + part, 0);
    return { wallet, symbol, size, covered: Math.min(size, stops + exits) };
  });
}

/** A float's worth of doubt when sizes are compared. */
const TOLERANCE = 1e-9;

export function isCovered({ size, covered }: Cover): boolean {
  return covered >= size * (1 - TOLERANCE);
}

const isArmedStop = (row: WatchRow): boolean =>
  row.watch_kind === 'leg' && row.kind === 'stop_loss' && row.status === 'armed';

/** Rows say no more than that they are armed; a service that adds `coupled` and `size` is believed. */
function sizeOfStop(row: WatchRow, positionSize: number): number {
  const { coupled, size } = row as { coupled?: unknown; size?: unknown };
  return coupled === false && typeof size === 'number' ? size : positionSize;
}

function sizeOfExit({ action }: MonitorRecord, { symbol, side }: PositionRecord): number {
  const request = (action as { request?: Record<string, unknown> }).request ?? {};
  const exitSide = side === 'short' ? 'buy' : 'sell';
  if (request['symbol'] !== symbol || request['side'] !== exitSide) return 0;
  if (request['reduce_only'] !== true) return 0;
  return Number(request['total_size'] ?? request['size'] ?? 0);
}

/** How long positions stood without their cover. */
export interface Coverage {
  /** Takes a new view of a wallet. */
  see(wallet: string, covers: readonly Cover[]): void;
  /** Seconds of market time that positions stood uncovered, weighted by the uncovered share. */
  exposureSeconds(): number;
  /** Seconds of the longest spell in which one position stood uncovered. */
  longestSeconds(): number;
  /** Positions that are uncovered now, with the market time since when. */
  uncovered(): ReadonlyArray<Cover & { since: number }>;
}

/**
 * @param now market time, epoch milliseconds
 */
export function createCoverage(now: () => number): Coverage {
  const open = new Map<string, Cover & { since: number; measuredAt: number }>();
  let total = 0;
  let longest = 0;

  const shareOpen = ({ size, covered }: Cover): number => (size === 0 ? 0 : 1 - covered / size);
  const pending = (item: Cover & { measuredAt: number }): number =>
    ((now() - item.measuredAt) / 1_000) * shareOpen(item);

  const spellMs = ({ since }: { since: number }): number => now() - since;

  return {
    see(wallet, covers) {
      const time = now();
      const seen = new Map(covers.filter((cover) => !isCovered(cover)).map((c) => [c.symbol, c]));
      for (const [key, item] of open) {
        if (item.wallet !== wallet) continue;
        total += pending(item);
        item.measuredAt = time;
        if (seen.has(item.symbol)) continue;
        longest = Math.max(longest, spellMs(item));
        open.delete(key);
      }
      for (const cover of seen.values()) {
        const key = `${wallet}/${cover.symbol}`;
        const since = open.get(key)?.since ?? time;
        open.set(key, { ...cover, since, measuredAt: time });
      }
    },
    exposureSeconds() {
      let sum = total;
      for (const item of open.values()) sum += pending(item);
      return sum;
    },
    longestSeconds: () => Math.max(longest, ...[...open.values()].map(spellMs)) / 1_000,
    uncovered: () => [...open.values()].map(({ measuredAt: _measuredAt, ...cover }) => cover),
  };
}
