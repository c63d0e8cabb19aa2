import type { ReportData } from '../../src/operate/report/index.ts';

/** Figures of a group, as freqtrade's tables have them. */
type Group = Record<string, number>;

interface Closed {
  entry: string;
  exit: string;
  pnl: number;
  share: number;
  held: number;
}

type Lot = { at: number; price: number; size: number; fee: number; side: string; tag: string };

/**
 * Closed trades by what opened and closed them, from single units of size: each closing unit takes the oldest open one.
 * Round trips are the lots from flat to flat together, with the fill that opened the first and the one that closed the last.
 */
export function naiveTags(
  { fills, totals }: ReportData,
  asLots: boolean,
): Record<'entry_tags' | 'exit_reasons' | 'mixed_tags', Map<string, Group>> {
  const closed: Closed[] = [];
  const books = new Map<string, Lot[]>();
  const parts = new Map<string, (Closed & { from: number; cost: number; size: number })[]>();
  for (const fill of fills.toSorted((a, b) => a.time - b.time)) {
    const key = `${fill.strategy} ${fill.symbol}`;
    const book = books.get(key) ?? [];
    books.set(key, book);
    const tag = fill.tag ?? fill.cause ?? 'unknown';
    const why = fill.tag === undefined ? fill.cause : `${fill.cause}: ${fill.tag}`;
    let left = fill.size;
    while (left > fill.size / 1e9 && book.length > 0 && book[0]!.side !== fill.side) {
      const lot = book[0]!;
      const size = Math.min(left, lot.size);
      const fees = (lot.fee + fill.fee / fill.size) * size;
      const way = lot.side === 'buy' ? 1 : -1;
      const pnl = way * (fill.price - lot.price) * size - fees;
      const one = { entry: lot.tag, exit: why ?? 'unknown', pnl, held: fill.time - lot.at };
      const cost = lot.price * size;
      if (asLots) closed.push({ ...one, share: pnl / cost });
      else {
        const own = parts.get(key) ?? [];
        own.push({ ...one, share: 0, from: lot.at, cost, size });
        parts.set(key, own);
      }
      left -= size;
      lot.size -= size;
      if (lot.size <= fill.size / 1e9) book.shift();
      const whole = parts.get(key) ?? [];
      if (asLots || book.length > 0 || whole.length === 0) continue;
      const total = whole.reduce((sum, part) => sum + part.pnl, 0);
      const paid = whole.reduce((sum, part) => sum + part.cost, 0);
      const bought = whole.reduce((sum, part) => sum + part.size, 0);
      // The largest size that was held, at the average entry price.
      const most = largestHeld(fills, fill, whole[0]!.from);
      closed.push({
        entry: whole[0]!.entry,
        exit: why ?? 'unknown',
        pnl: total,
        share: total / ((paid / bought) * most),
        held: fill.time - whole[0]!.from,
      });
      parts.set(key, []);
    }
    const { time: at, price, side } = fill;
    if (left > fill.size / 1e9)
      book.push({ at, price, side, size: left, fee: fill.fee / fill.size, tag });
  }
  const by = (keyOf: (trade: Closed) => string): Map<string, Group> => {
    const keys = new Set(closed.map(keyOf));
    return new Map(
      [...keys].map((key) => [
        key,
        figures(
          closed.filter((trade) => keyOf(trade) === key),
          totals.start_equity,
        ),
      ]),
    );
  };
  return {
    entry_tags: by(({ entry }) => entry),
    exit_reasons: by(({ exit }) => exit),
    mixed_tags: by(({ entry, exit }) => `${entry} → ${exit}`),
  };
}

function largestHeld(
  fills: ReportData['fills'],
  { strategy, symbol, time }: ReportData['fills'][number],
  from: number,
): number {
  let [held, most] = [0, 0];
  for (const fill of fills) {
    if (fill.strategy !== strategy || fill.symbol !== symbol) continue;
    if (fill.time < from || fill.time > time) continue;
    held += fill.side === 'buy' ? fill.size : -fill.size;
    most = Math.max(most, Math.abs(held));
  }
  return most;
}

function figures(trades: readonly Closed[], capital: number): Group {
  const count = trades.length;
  const add = (valueOf: (trade: Closed) => number): number =>
    trades.reduce((sum, trade) => sum + valueOf(trade), 0);
  const won = trades.filter(({ pnl }) => pnl > 0).length;
  const drawn = trades.filter(({ pnl }) => pnl === 0).length;
  return {
    trades: count,
    average_return: add(({ share }) => share) / count,
    pnl: add(({ pnl }) => pnl),
    pnl_share: add(({ pnl }) => pnl) / capital,
    average_hold_ms: add(({ held }) => held) / count,
    won,
    drawn,
    lost: count - won - drawn,
    win_rate: won / count,
  };
}
