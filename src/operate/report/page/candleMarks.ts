// Marks on the candles: fills, and intents that were not accepted; each knows its text and its row.
import type * as Library from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import { barIndexAt, type BarTimes, type Trade } from './candleChart.ts';
import { aboutBand, type Execution, type Level } from './candleLayers.ts';
import { toChartTime } from './charts.ts';
import { gain, isNone, size, time, timeWithSeconds, whole, type PriceFormat } from './format.ts';
import { cssColour } from './theme.ts';

/** A row of one of the tables of the record. */
export type RecordPlace =
  | { table: 'Trades'; row: Trade }
  | { table: 'Fills'; row: PageData['fills'][number] }
  | { table: 'Executions'; row: Execution }
  | { table: 'Not accepted'; row: PageData['refused'][number] };

/** Something on the chart that can be pointed at. */
export interface Mark {
  id: string;
  bar: number;
  /** Made when it is asked for: there may be thousands. */
  text: () => string;
  /** Where its row is; null for a level, which has none. */
  place: RecordPlace | null;
}

interface MarkSource {
  fills: PageData['fills'];
  refused: readonly PageData['refused'][number][];
  trades: readonly (readonly [index: number, trade: Trade])[];
  executions: readonly (readonly [index: number, execution: Execution])[];
  levels: readonly (readonly [index: number, level: Level])[];
  times: BarTimes;
  price: PriceFormat;
  colourOf: (strategy: string) => string;
}

export interface Marks {
  markers: Library.SeriesMarker<Library.UTCTimestamp>[];
  /** In order of time, as the keyboard steps through them. */
  list: readonly Mark[];
  find: (id: unknown) => Mark | undefined;
}

const MOST_REASONS = 3;

export function createMarks(source: MarkSource): Marks {
  const fills = fillMarks(source);
  const refused = refusedMarks(source);
  const lines = [...tradeMarks(source), ...executionMarks(source), ...levelMarks(source)];
  const all = [...fills, ...refused].map(({ mark }) => mark);
  const byId = new Map([...all, ...lines].map((mark) => [mark.id, mark]));
  const steps = [...all, ...lines.filter(({ id }) => id.startsWith('execution:'))];
  return {
    markers: [...fills, ...refused].map(({ marker }) => marker).toSorted((a, b) => a.time - b.time),
    list: steps.toSorted((a, b) => a.bar - b.bar),
    find: (id) => byId.get(String(id)),
  };
}

interface Drawn {
  mark: Mark;
  marker: Library.SeriesMarker<Library.UTCTimestamp>;
}

/**
 * One marker per bar, strategy, side and role for any number of fills: an algorithm's slices would hide
 * the candles. Arrows open or enlarge a position, circles close or reduce it.
 */
function fillMarks({ fills, times, trades, price, colourOf }: MarkSource): Drawn[] {
  const groups = Map.groupBy(fills, (fill) => {
    const role = fill.role === 'exit' ? 'exit' : 'entry';
    return `${barIndexAt(times, fill.time)}|${fill.strategy}|${fill.side}|${role}`;
  });
  const tradeOf = tradeFinder(trades);
  return [...groups].map(([key, group]) => {
    const [first] = group as [PageData['fills'][number]];
    const { strategy, side, role } = first;
    const bar = barIndexAt(times, first.time);
    const trade = tradeOf(first);
    const place: RecordPlace =
      trade === undefined ? { table: 'Fills', row: first } : { table: 'Trades', row: trade };
    const id = `fill:${key}`;
    const isBuy = side === 'buy';
    return {
      mark: { id, bar, text: () => aboutFills(group, price), place },
      marker: {
        id,
        time: toChartTime(times[bar]!),
        position: isBuy ? 'belowBar' : 'aboveBar',
        shape: role === 'exit' ? 'circle' : isBuy ? 'arrowUp' : 'arrowDown',
        color: colourOf(strategy),
        size: role === 'exit' ? 1 : 1.4,
      },
    };
  });
}

function aboutFills(group: PageData['fills'], price: PriceFormat): string {
  const [{ time: at, strategy, side, role }] = group as [PageData['fills'][number]];
  const total = group.reduce((sum, fill) => sum + fill.size, 0);
  const paid = group.reduce((sum, fill) => sum + fill.size * fill.price, 0) / total;
  const count = group.length === 1 ? '' : `, ${whole(group.length)} fills`;
  const what = `${strategy}: ${side} ${size(total)} at ${price(paid)} (${role}${count})`;
  return `${timeWithSeconds(at)}\n${what}`;
}

/** The trade that a fill belongs to: of its strategy, and open at its time; an exit that turns it round ends one. */
function tradeFinder(trades: MarkSource['trades']) {
  const own = new Map<string, { entries: number[]; trades: Trade[] }>();
  for (const [, trade] of trades.toSorted(([, a], [, b]) => a.entry_time - b.entry_time)) {
    const { strategy, entry_time: entry } = trade;
    const known = own.get(strategy) ?? { entries: [], trades: [] };
    own.set(strategy, known);
    known.entries.push(entry);
    known.trades.push(trade);
  }
  return (fill: PageData['fills'][number]): Trade | undefined => {
    const { entries, trades: ordered } = own.get(fill.strategy) ?? { entries: [], trades: [] };
    const at = barIndexAt(entries, fill.time);
    const holds = (trade?: Trade): boolean =>
      trade !== undefined &&
      trade.entry_time <= fill.time &&
      fill.time <= (trade.exit_time ?? Infinity);
    const before = ordered[at - 1];
    if (fill.role === 'exit' && before?.exit_time === fill.time) return before;
    return holds(ordered[at]) ? ordered[at] : undefined;
  };
}

/** One square per bar, strategy and outcome: a strategy that is refused at every tick is one mark. */
function refusedMarks({ refused, times }: MarkSource): Drawn[] {
  const groups = Map.groupBy(
    refused,
    ({ time: at, strategy, outcome }) => `${barIndexAt(times, at)}|${strategy}|${outcome}`,
  );
  return [...groups].map(([key, group]) => {
    const [first] = group as [PageData['refused'][number]];
    const bar = barIndexAt(times, first.time);
    const id = `refused:${key}`;
    const place: RecordPlace = { table: 'Not accepted', row: first };
    return {
      mark: { id, bar, text: () => aboutRefused(group), place },
      marker: {
        id,
        time: toChartTime(times[bar]!),
        position: 'aboveBar',
        shape: 'square',
        color: cssColour(first.outcome === 'expired' ? '--muted' : '--loss'),
        size: 0.8,
      },
    };
  });
}

function aboutRefused(group: readonly PageData['refused'][number][]): string {
  const [first] = group as [PageData['refused'][number]];
  const { strategy, outcome, time: at } = first;
  const kinds = [...new Set(group.map(({ kind }) => kind))].join(', ');
  const count = group.length === 1 ? '' : ` × ${whole(group.length)}`;
  const reasons = [...new Set(group.map(({ reason }) => reason ?? 'no reason given'))];
  const more = reasons.length - MOST_REASONS;
  return [
    timeWithSeconds(at),
    `${strategy}: ${kinds} ${outcome}${count}`,
    ...reasons.slice(0, MOST_REASONS),
    ...(more > 0 ? [`and ${more} other reason${more === 1 ? '' : 's'}`] : []),
  ].join('\n');
}

function tradeMarks({ trades, times, price }: MarkSource): Mark[] {
  return trades.map(([index, trade]) => ({
    id: `trade:${index}`,
    bar: barIndexAt(times, trade.entry_time),
    text: () => aboutTradeMark(trade, price),
    place: { table: 'Trades', row: trade },
  }));
}

function aboutTradeMark(trade: Trade, price: PriceFormat): string {
  const { strategy, side, entry_time: entry, exit_time: exit, pnl } = trade;
  const prices = `${price(trade.entry_price)} → ${price(trade.exit_price)}`;
  return `${time(entry)} → ${time(exit)}\n${strategy}: ${side} ${size(trade.size)}, ${prices}, ${gain(pnl)}`;
}

function executionMarks({ executions, times, price }: MarkSource): Mark[] {
  return executions.map(([index, execution]) => ({
    id: `execution:${index}`,
    bar: barIndexAt(times, execution.start_time),
    text: () => aboutExecution(execution, price),
    place: { table: 'Executions', row: execution },
  }));
}

function aboutExecution(execution: Execution, price: PriceFormat): string {
  const { start_time: start, end_time: end, strategy, filled_size, total_size } = execution;
  const { status, reason, average_price: average } = execution;
  return [
    `${time(start)} → ${isNone(end) ? 'running' : time(end)}`,
    `${strategy}: ${aboutBand(execution)} filled`,
    `${size(filled_size)} of ${size(total_size)} at ${price(average)}, ${status}${reason ? ` (${reason})` : ''}`,
  ].join('\n');
}

function levelMarks({ levels, price, times }: MarkSource): Mark[] {
  return levels.map(([index, level]) => ({
    id: `level:${index}`,
    bar: level.bars[0]!,
    text: () => aboutLevel(level, { price, times }),
    place: null,
  }));
}

function aboutLevel(level: Level, { price, times }: Pick<MarkSource, 'price' | 'times'>): string {
  const { kind, strategy, prices, bars, until } = level;
  const moves = prices.length - 1;
  const moved =
    moves === 0 ? '' : ` → ${price(prices.at(-1))}, ${moves} move${moves === 1 ? '' : 's'}`;
  const ended = until === null ? 'in force' : `${level.end} ${time(times[until])}`;
  return `${time(times[bars[0]!])}\n${strategy}: ${kind} ${price(prices[0])}${moved}\n${ended}`;
}
