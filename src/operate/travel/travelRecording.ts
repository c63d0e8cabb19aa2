import { closeSync, openSync, readSync } from 'node:fs';
import type { IntentLife, JournalReader } from '../../journal/index.ts';
import { findLife } from '../journal/index.ts';
import { readRecording, type RecordedBar, type RecordedView } from '../recording/index.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import {
  createCandleTrack,
  type CandlesView,
  type FillMark,
  type IntentMark,
  type ViewChange,
  type WholeView,
} from '../state/index.ts';
import { lastUntil, timesAround } from './lastUntil.ts';
import type { Travel } from './Travel.ts';

/** Where a row of a view is in the file, and its time. */
interface Place {
  time: number;
  isWhole: boolean;
  offset: number;
  length: number;
}

interface SymbolRows {
  intervalMs: number;
  bars: RecordedBar[];
  fills: FillMark[];
}

/** Lines that a view has. */
const SHOWN_EVENTS = 200;
/** Steps of intents that are looked through for a chart: several of each mark that it retains. */
const MARKS = 2_500;

/**
 * The views of a recording. The file is read once and checked; after that only the place of each view is in memory, and
 * a view is read again with at most a hundred changes before it.
 *
 * @param journal explains intents; undefined if there is none
 */
export function travelRecording(
  path: string,
  journal: JournalReader | undefined,
): RunResult<Travel> {
  const places: Place[] = [];
  const symbols = new Map<string, SymbolRows>();
  const marks: Array<{ time: number; mark: IntentMark }> = [];
  /** Marks before this one have the time of the view that came after them. */
  let dated = 0;
  const rowsOf = (symbol: string): SymbolRows => {
    const known = symbols.get(symbol);
    if (known !== undefined) return known;
    const rows = { intervalMs: 0, bars: [], fills: [] };
    symbols.set(symbol, rows);
    return rows;
  };
  const read = readRecording(path, (row, place) => {
    if (row[0] === 'view' || row[0] === 'change') {
      const { time } = row[1];
      places.push({ ...place, time, isWhole: row[0] === 'view' });
      for (; dated < marks.length; dated++) marks[dated]!.time = time;
    } else if (row[0] === 'bar') {
      const rows = rowsOf(row[1]);
      rows.intervalMs = row[2];
      rows.bars.push(row[3]);
    } else if (row[0] === 'fill') rowsOf(row[1]).fills.push(row[2]);
    else marks.push({ time: Infinity, mark: row[1] });
  });
  if (!read.ok) return read;
  const [first] = places;
  if (first === undefined) return failed('TRIMTAB_RECORDING_INCOMPLETE', NO_VIEWS(path));
  const file = openSync(path, 'r');

  const rowAt = ({ offset, length }: Place): RecordedView => {
    const bytes = Buffer.alloc(length);
    if (readSync(file, bytes, 0, length, offset) < length)
      throw new Error(`${path} was changed since it was read.`);
    const [, ...row] = JSON.parse(bytes.toString()) as [number, ...RecordedView];
    return row;
  };

  return {
    ok: true,
    value: {
      about: {
        name: read.value.header.bot,
        source: 'recording',
        path,
        from: first.time,
        until: places.at(-1)!.time,
        changes: places.length,
        explains: journal !== undefined,
        isComplete: read.value.isComplete,
      },
      at(time) {
        const last = Math.max(0, lastUntil(places, time));
        let whole = last;
        while (!places[whole]!.isWhole) whole--;
        let view = rowAt(places[whole]!)[1] as WholeView;
        for (let at = whole + 1; at <= last; at++) {
          view = applied(view, rowAt(places[at]!)[1] as ViewChange);
        }
        return { ...view, past: { unknown: [] } };
      },
      around: (time) => timesAround(places, time),
      candles: (symbol, time) => candlesAt(symbol, time, symbols.get(symbol), marks),
      life: (key) => lifeOf(journal, key),
      async close() {
        closeSync(file);
        await journal?.close();
      },
    },
  };
}

function applied(view: WholeView, { blocks, events, ...times }: ViewChange): WholeView {
  return {
    ...view,
    ...times,
    blocks: { ...view.blocks, ...blocks },
    events: [...view.events, ...events].slice(-SHOWN_EVENTS),
  };
}

/** Through the track of a running bot, so that both retain and show the same. */
function candlesAt(
  symbol: string,
  time: number,
  rows: SymbolRows | undefined,
  marks: ReadonlyArray<{ time: number; mark: IntentMark }>,
): CandlesView | undefined {
  if (rows === undefined) return undefined;
  const { intervalMs, bars, fills } = rows;
  const track = createCandleTrack(new Map([[symbol, intervalMs]]));
  for (const [open_time, open, high, low, close] of bars) {
    if (open_time + intervalMs > time) break;
    track.bar(symbol, { time: open_time, open, high, low, close });
  }
  for (const fill of fills) if (fill.time <= time) track.fill(symbol, fill);
  const until = lastUntil(marks, time) + 1;
  for (const { mark } of marks.slice(Math.max(0, until - MARKS), until)) track.intent(mark);
  return track.of(symbol);
}

async function lifeOf(
  journal: JournalReader | undefined,
  key: string,
): Promise<IntentLife | string> {
  if (journal !== undefined) return findLife(journal, key);
  return 'A recording has no journal; name it: --journal FILE.';
}

const NO_VIEWS = (path: string): string =>
  `${path} has no views: it was recorded by an older version, or its bot ended before it was ready.\n` +
  '  Record again, or name the journal of that bot: it says less, but has every intent.';
