import { CsvRows, type CsvFault } from './CsvRows.ts';
import type { FeedResult } from './FeedProblem.ts';
import { NumberColumn } from './NumberColumn.ts';
import type { BookSource } from './BookSource.ts';
import { readStamp } from './readStamp.ts';
import type { BookTape } from './Tape.ts';
import { TimeScale } from './TimeScale.ts';

const SIDES: Readonly<Record<string, 0 | 1>> = { b: 1, bid: 1, a: 0, ask: 0 };

/** The content of a depth stream: messages, each with its changes. */
class Changes {
  readonly time = new NumberColumn();
  readonly first = new NumberColumn();
  readonly updateId = new NumberColumn();
  readonly isBid: number[] = [];
  readonly price = new NumberColumn();
  readonly size = new NumberColumn();

  begin(time: number, updateId: number): void {
    // The stamps of a stream may jitter; its sequence numbers give the order.
    const last = this.time.length === 0 ? -Infinity : this.time.at(this.time.length - 1);
    this.time.push(Math.max(time, last));
    this.first.push(this.price.length);
    this.updateId.push(updateId);
  }

  add(isBid: 0 | 1, price: number, size: number): void {
    this.isBid.push(isBid);
    this.price.push(price);
    this.size.push(size);
  }

  toTape(): BookTape {
    return {
      kind: 'changes',
      time: this.time.toArray(),
      first: this.first.toArray(),
      updateId: this.updateId.toArray(),
      isBid: Uint8Array.from(this.isBid),
      price: this.price.toArray(),
      size: this.size.toArray(),
    };
  }
}

/**
 * Reads a depth stream: one row per changed level, rows of one message share `U` and `u`. Messages that
 * the snapshot already contains are dropped. From there on none may be missing (`pu`, or `U` = the last
 * `u` + 1), or the book would be wrong without notice.
 */
export function parseDepth(rows: CsvRows, source: BookSource): FeedResult<BookTape> {
  if (source.snapshot === undefined) {
    const remedy = 'Name the file of the whole book as the snapshot beside it.';
    return rows.fault(null, 'is a depth stream, which needs a snapshot.', remedy);
  }
  const changes = new Changes();
  const begun = readSnapshot(source.snapshot, changes);
  if (!begun.ok) return begun;
  const followed = follow(rows, changes, begun.value);
  return followed ?? { ok: true, value: changes.toTape() };
}

/** @returns its last update id */
function readSnapshot(
  { bytes, file }: { bytes: Uint8Array; file: string },
  changes: Changes,
): FeedResult<number> {
  const rows = new CsvRows(bytes, file);
  const id = rows.column('last_update_id');
  const level = levelReader(rows);
  if (id < 0 || level === null) {
    const remedy = 'A snapshot has the columns last_update_id, side, price, qty.';
    return rows.fault(null, 'is not the header of a snapshot.', remedy);
  }
  let updateId = -1;
  while (rows.next()) {
    if (updateId < 0) {
      updateId = rows.number(id);
      // The snapshot applies from the first message that follows it, whose time is not known yet.
      changes.begin(-Infinity, updateId);
    }
    const fault = rows.checkCount() ?? level(changes);
    if (fault !== null) return fault;
  }
  if (!(updateId >= 0)) return rows.fault(null, 'has no rows.', 'Add the levels of the book.');
  return { ok: true, value: updateId };
}

/** Adds the messages after the snapshot; null if none is missing. */
function follow(rows: CsvRows, changes: Changes, snapshotId: number): CsvFault | null {
  // Names are read in lower case: `U` and `u` are two columns of one name, in this order.
  const [from, to] = [rows.header.indexOf('u'), rows.header.lastIndexOf('u')];
  const before = rows.column('pu');
  const time = [rows.column('txn_ms'), rows.column('event_ms')];
  const level = levelReader(rows)!;
  const scale = new TimeScale();
  let last = snapshotId;
  let isFirst = true;
  while (rows.next()) {
    const short = rows.checkCount();
    if (short !== null) return short;
    const updateId = rows.number(to);
    if (!(updateId > snapshotId)) continue;
    if (isFirst || updateId !== last) {
      // The expected previous number: some venues send it, others count without a gap.
      const hasBefore = before >= 0 && !rows.isEmpty(before);
      const needed = hasBefore ? rows.number(before) : rows.number(from) - 1;
      // The first message may begin before the snapshot ends.
      if (isFirst ? needed > last : needed !== last) {
        const message = `does not follow ${last}: updates are missing.`;
        return rows.fault(
          hasBefore ? before : from,
          message,
          'Record again, or cut it at the gap.',
        );
      }
      const stamp = time.find((field) => field >= 0 && !rows.isEmpty(field));
      if (stamp === undefined) return rows.fault(null, 'has no time.', 'It needs event_ms.');
      const ms = readStamp(rows, stamp, scale);
      if (typeof ms !== 'number') return ms;
      changes.begin(Math.floor(ms), updateId);
      [last, isFirst] = [updateId, false];
    }
    const fault = level(changes);
    if (fault !== null) return fault;
  }
  if (!isFirst) return null;
  return rows.fault(null, 'has nothing after the snapshot.', 'Do the two files belong together?');
}

function levelReader(rows: CsvRows): ((changes: Changes) => CsvFault | null) | null {
  const [side, price, size] = [rows.column('side'), rows.column('price'), rows.column('qty')];
  if (side < 0 || price < 0 || size < 0) return null;
  return (changes) => {
    const isBid = SIDES[rows.text(side)];
    if (isBid === undefined) return rows.fault(side, 'is not a side.', 'It is b or a.');
    if (!(rows.number(price) > 0))
      return rows.fault(price, 'is not a price.', 'Prices are above 0.');
    if (!(rows.number(size) >= 0))
      return rows.fault(size, 'is not a size.', 'Sizes are 0 or more.');
    changes.add(isBid, rows.number(price), rows.number(size));
    return null;
  };
}
