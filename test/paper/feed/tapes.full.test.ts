import { describe, expect, test } from 'vitest';
import {
  describeFeedProblem,
  loadTape,
  withTape,
  type TapeFiles,
} from '../../../src/paper/index.ts';
import { CsvRows } from '../../../src/paper/feed/CsvRows.ts';
import { readPlainFile } from '../../../src/paper/feed/readPlainFile.ts';
import type { Recorded } from '../../../src/paper/feed/withTape.ts';
import { BookCursor } from '../../../src/paper/market/BookCursor.ts';
import { COLLECTION, haveCollection } from '../../data/places.ts';

const tape = (name: string): string => `${COLLECTION}/trades_l2/${name}.csv.gz`;

async function load(files: TapeFiles): Promise<Recorded> {
  const loaded = await loadTape(files);
  if (!loaded.ok) throw new Error(describeFeedProblem(loaded.problem));
  return loaded.value;
}

describe.skipIf(!haveCollection)('long recordings (need ../shared/data)', () => {
  const SPOT = 'BINANCE-BTCUSDT-20240808T2354';

  test.each([
    [SPOT, 1_072],
    ['BINANCEUSDM-BTCUSDT-20240808T2354', 629],
  ])('%s: snapshot + depth gives the best prices of the ticker, %i times', async (name, count) => {
    const { book } = await load({
      book: tape(`${name}-depth`),
      snapshot: tape(`${name}-snapshot`),
    });
    if (book?.kind !== 'changes') throw new Error('It is no book of changes.');
    const tops = await topsByUpdate(tape(`${name}-bookticker`));
    let shared = 0;
    // Messages one by one: several of them may share a millisecond.
    const cursor = new BookCursor({ ...book, time: Float64Array.from(book.time.keys()) });
    for (const [message, id] of book.updateId.entries()) {
      cursor.seek(message);
      const [bid] = cursor.shown('bid', 1);
      const [ask] = cursor.shown('ask', 1);
      expect(ask!.price).toBeGreaterThan(bid!.price);
      const top = tops.get(id);
      if (top === undefined) continue;
      shared++;
      expect([bid!.price, bid!.size, ask!.price, ask!.size]).toEqual(top);
    }
    expect(shared).toBe(count);
  });

  test('a ticker with only the recorder’s stamps comes to the venue’s clock by the trades', async () => {
    const alone = await load({ book: tape(`${SPOT}-bookticker`) });
    const beside = await load({
      trades: tape(`${SPOT}-trades`),
      book: tape(`${SPOT}-bookticker`),
    });
    const moved = beside.book!.time[0]! - alone.book!.time[0]!;
    expect(moved).toBeGreaterThan(1_200);
    expect(moved).toBeLessThan(1_300);
  });

  test.each([
    ['HYPERLIQUID-ETH-20250904', 'l2book20', 34, 6_867],
    ['STANDX-BTC-USD-20260107T02', 'l2book10', 238, 30_069],
  ])('%s: trades and %s make %i bars', async (name, book, bars, trades) => {
    const recorded = await load({ trades: tape(`${name}-trades`), book: tape(`${name}-${book}`) });
    expect(recorded.trades!.time).toHaveLength(trades);
    for (const { time } of [recorded.trades!, recorded.book!]) {
      expect(time.every((at, index) => index === 0 || at >= time[index - 1]!)).toBe(true);
    }
    const feed = withTape({ symbol: 'X', interval: '1m', candles: null }, recorded)!;
    expect(feed.time).toHaveLength(bars);
  });
});

async function topsByUpdate(path: string): Promise<Map<number, number[]>> {
  const read = await readPlainFile(path, '');
  if (!read.ok) throw new Error('It is not there.');
  const rows = new CsvRows(read.value, path);
  const [id, ...fields] = ['update_id', 'bid', 'bid_qty', 'ask', 'ask_qty'].map((name) =>
    rows.column(name),
  );
  const tops = new Map<number, number[]>();
  while (rows.next())
    tops.set(
      rows.number(id!),
      fields.map((field) => rows.number(field)),
    );
  return tops;
}
