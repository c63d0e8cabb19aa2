import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBook } from '../../../src/paper/feed/parseBook.ts';
import type { BookRows, BookTape } from '../../../src/paper/feed/Tape.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

const START = 1_700_000_000_000;

function read(
  lines: readonly string[],
  { clockOffsetMs = null as number | null, snapshot = undefined as string[] | undefined } = {},
): ReturnType<typeof parseBook> {
  return parseBook({
    bytes: Buffer.from(lines.join('\n')),
    file: 'x.csv',
    clockOffsetMs,
    ...(snapshot === undefined
      ? {}
      : { snapshot: { bytes: Buffer.from(snapshot.join('\n')), file: 's.csv' } }),
  });
}

function taken(found: ReturnType<typeof parseBook>): BookTape {
  if (!found.ok) throw new Error(found.problem.message);
  return found.value;
}

const price = fc.integer({ min: 1, max: 9 });
const size = fc.constantFrom(0, 0.5, 1, 2);
/** Milliseconds since the row before; what is drawn is then put into another order. */
const wait = fc.constantFrom(0, 0, 1, 7, 1_000);
const order = fc.constantFrom('oldest first', 'newest first', 'jittering');

/** Gives rows their times, in the order in which the file has them. */
function timed<T extends { wait: number }>(
  rows: readonly T[],
  ordered: string,
): Array<T & { time: number }> {
  let time = START;
  const all = rows.map((row) => ({ ...row, time: (time += row.wait) }));
  if (ordered === 'newest first') all.reverse();
  return ordered === 'jittering' ? all.map((row, at) => all[at ^ 1] ?? row) : all;
}

/** Rows by time; of the same millisecond as the file has them. */
function byTime(rows: ReadonlyArray<{ time: number; cells: readonly number[] }>): BookRows {
  const sorted = rows.toSorted((a, b) => a.time - b.time);
  return {
    kind: 'rows',
    time: Float64Array.from(sorted, ({ time }) => time),
    depth: rows[0]!.cells.length / 4,
    cells: Float64Array.from(sorted.flatMap(({ cells }) => cells)),
  };
}

const SIDES = {
  'plain names': 'bid,bid_qty,ask,ask_qty',
  'names of an archive': 'best_bid_price,best_bid_qty,best_ask_price,best_ask_qty',
};

test('best prices are those of the file in the order of their times, on the venue’s clock', async () => {
  const cases = fc.record({
    rows: fc.array(
      fc.record({
        wait,
        bid: price,
        bidSize: size,
        ask: price,
        askSize: size,
        isLate: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12, size: 'max' },
    ),
    order,
    names: fc.constantFrom(...Object.values(SIDES)),
    stamp: fc.constantFrom(
      'exchange_timestamp',
      'exchange_ms',
      'event_ms',
      'transaction_time',
      'event_time',
    ),
    received: fc.boolean(),
    clockOffsetMs: fc.constantFrom(null, 0, -40),
  });
  await holdLaw(200, cases, ({ rows, order: ordered, names, stamp, received, clockOffsetMs }) => {
    const given = timed(rows, ordered).map((row) => ({
      ...row,
      // Without the venue's stamp a row has the recorder's, which its clock gave 40 ms later.
      isOwn: !received || !row.isLate,
    }));
    const lines = given.map(({ time, isOwn, bid, bidSize, ask, askSize }) =>
      [
        isOwn ? time : '',
        ...(received ? [(time + 40) * 1e6] : []),
        bid,
        bidSize,
        ask,
        askSize,
      ].join(),
    );
    const header = `${stamp},${received ? 'recv_ns,' : ''}${names}`;
    const found = taken(read([header, ...lines], { clockOffsetMs }));
    const meant = given.map(({ time, isOwn, bid, bidSize, ask, askSize }) => ({
      time: isOwn ? time : time + 40 + (clockOffsetMs ?? 0),
      cells: [bid, bidSize, ask, askSize],
    }));
    expect(found).toEqual(byTime(meant));
  });
});

test('of one side a row the book begins once both are known, and keeps the other side', async () => {
  const row = fc.record({ wait, side: fc.constantFrom('bid', 'ask'), price, size });
  await holdLaw(
    200,
    fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 12 }), order }),
    ({ rows, order: ordered }) => {
      const given = timed(rows, ordered);
      const lines = given.map((one) => [one.time, one.price, one.size, one.side].join());
      const found = read(['event_ms,price,size,side', ...lines]);
      const meant: Array<{ time: number; cells: number[] }> = [];
      const top: Record<string, number[] | undefined> = {};
      for (const one of given) {
        top[one.side] = [one.price, one.size];
        if (top['bid'] !== undefined && top['ask'] !== undefined)
          meant.push({ time: one.time, cells: [...top['bid'], ...top['ask']] });
      }
      if (meant.length === 0)
        expect(found).toMatchObject({ ok: false, problem: { message: 'has no rows.' } });
      else expect(taken(found)).toEqual(byTime(meant));
    },
  );
});

const NAMES: Readonly<Record<string, (level: number) => string>> = {
  short: (n) => `bp${n},bq${n},ap${n},aq${n}`,
  long: (n) => `bid_price_${n},bid_size_${n},ask_price_${n},ask_size_${n}`,
};

test('whole levels are those of the file in the order of their times, from the best price outwards', async () => {
  const levels = fc.record({
    bids: fc.integer({ min: 0, max: 3 }),
    asks: fc.integer({ min: 0, max: 3 }),
  });
  const cases = fc.record({
    rows: fc.array(fc.record({ wait, mid: fc.integer({ min: 50, max: 60 }), levels, size }), {
      minLength: 1,
      maxLength: 10,
    }),
    order,
    names: fc.constantFrom(...Object.values(NAMES)),
    depth: fc.integer({ min: 1, max: 3 }),
    stamp: fc.constantFrom('exchange_timestamp', 'exchange_ms', 'event_ms'),
  });
  await holdLaw(200, cases, ({ rows, order: ordered, names, depth, stamp }) => {
    const meant = timed(rows, ordered).map(({ time, mid, levels: { bids, asks }, size: each }) => ({
      time,
      cells: Array.from({ length: depth }, (_none, n) => [
        ...(n < bids ? [mid - 1 - n, each + n] : [NaN, NaN]),
        ...(n < asks ? [mid + 1 + n, each + 2 * n] : [NaN, NaN]),
      ]).flat(),
    }));
    const header = [stamp, ...Array.from({ length: depth }, (_none, n) => names(n))].join();
    const lines = meant.map(({ time, cells }) =>
      [time, ...cells.map((cell) => (Number.isNaN(cell) ? '' : cell))].join(),
    );
    expect(taken(read([header, ...lines]))).toEqual(byTime(meant));
  });
});

test('a depth stream goes on from its snapshot without a gap, by the time of the transaction where there is one', async () => {
  const SNAPSHOT_ID = 100;
  const change = fc.record({ side: fc.constantFrom('b', 'a', 'bid', 'ask'), price, size });
  const message = fc.record({
    wait: fc.constantFrom(-3, 0, 1, 50),
    ids: fc.integer({ min: 1, max: 4 }),
    stamps: fc.constantFrom('both', 'event', 'transaction'),
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  });
  const cases = fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    /** How many updates lie between the stream's first message and the snapshot. */
    head: fc.integer({ min: -2, max: 6 }),
    missing: fc.option(fc.nat(7), { freq: 4 }),
    hasBefore: fc.boolean(),
  });
  const tried = new Tried();
  await holdLaw(400, cases, ({ messages, head, missing, hasBefore }) => {
    let id = SNAPSHOT_ID - head;
    let time = START;
    const sent = messages.map((one) => {
      const first = id + 1;
      id += one.ids;
      return { ...one, first, last: id, time: (time += one.wait) };
    });
    const given = sent.filter((_one, at) => at !== missing);
    const lines = given.flatMap((one) =>
      one.changes.map((row) => {
        const event = one.stamps === 'transaction' ? '' : one.time + 20;
        const transaction = one.stamps === 'event' ? '' : one.time;
        const before = hasBefore ? one.first - 1 : '';
        return [
          event,
          transaction,
          one.first,
          one.last,
          before,
          row.side,
          row.price,
          row.size,
        ].join();
      }),
    );
    const snapshot = [
      'last_update_id,side,price,qty',
      `${SNAPSHOT_ID},b,4,1`,
      `${SNAPSHOT_ID},a,5,2`,
    ];
    const found = read(['event_ms,txn_ms,U,u,pu,side,price,qty', ...lines], { snapshot });

    const later = given.filter(({ last }) => last > SNAPSHOT_ID);
    const isWhole = later.every(({ first }, at) =>
      at === 0 ? first - 1 <= SNAPSHOT_ID : first - 1 === later[at - 1]!.last,
    );
    if (later.length === 0 || !isWhole) {
      tried.take(isWhole ? 'nothing after the snapshot' : 'a gap');
      const message = isWhole
        ? 'has nothing after the snapshot.'
        : /^does not follow \d+: updates are missing\.$/;
      expect(found).toMatchObject({ ok: false, problem: { message } });
      return;
    }
    tried.take('whole');
    let latest = -Infinity;
    const times = later.map((one) => {
      const own = one.stamps === 'event' ? one.time + 20 : one.time;
      return (latest = Math.max(latest, own));
    });
    const changes = [
      [
        { side: 'b', price: 4, size: 1 },
        { side: 'a', price: 5, size: 2 },
      ],
      ...later.map((one) => one.changes),
    ];
    let count = 0;
    expect(taken(found)).toEqual({
      kind: 'changes',
      time: Float64Array.from([-Infinity, ...times]),
      first: Float64Array.from(changes, (of) => (count += of.length) - of.length),
      updateId: Float64Array.from([SNAPSHOT_ID, ...later.map(({ last }) => last)]),
      isBid: Uint8Array.from(changes.flat(), (row) => (row.side.startsWith('b') ? 1 : 0)),
      price: Float64Array.from(changes.flat(), (row) => row.price),
      size: Float64Array.from(changes.flat(), (row) => row.size),
    });
  });
  expect(tried.rare(['nothing after the snapshot', 'a gap', 'whole'], 10)).toEqual([]);
});
