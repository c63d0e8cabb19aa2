/** A bug, planted by changing the text of one source. */
export interface Patch {
  /** Below `src`, or `backtest`, or `strategies`: whose tests must notice it first, such as `guards` or `paper/venue`. */
  station: string;
  /** From the project's root. */
  file: string;
  /** What is wrong then, as it would be reported; unique within the file. */
  name: string;
  edit: Edit;
  /** Why no test can tell the patched program from the former: then it may survive. */
  equivalent?: string | undefined;
}

/** A text that the source has exactly once, and what it becomes; or a range of the source's text. */
export type Edit =
  { from: string; to: string } | { start: number; end: number; was: string; to: string };

/** A patch as a row of a table; the file is below the table's folder. */
export type Row = readonly [
  file: string,
  name: string,
  from: string,
  to: string,
  more?: { equivalent: string },
];

/** A patch of the generator that may survive: it is named as the generator names it. */
export type Excuse = readonly [file: string, name: string, equivalent: string];

/** The patches of one station. */
export interface Table {
  station: string;
  /** From the project's root. */
  folder: string;
  patches: readonly Patch[];
  excuses: readonly Excuse[];
}

/**
 * A station's table: `tableOf('guards', [[file, what is wrong then, from, to], …])`. What cannot be told from
 * the former program has a fifth element, `{ equivalent: 'why' }`.
 */
export function tableOf(
  station: string,
  rows: readonly Row[],
  excuses: readonly Excuse[] = [],
): Table {
  const patches = rows.map(([file, name, from, to, more]): Patch => ({
    station,
    file: `${folderOf(station)}/${file}`,
    name,
    edit: { from, to },
    equivalent: more?.equivalent,
  }));
  return { station, folder: folderOf(station), patches, excuses };
}

/** From the project's root: `backtest/…` and the shipped `strategies` are beside `src`. */
export const folderOf = (station: string): string =>
  /^(backtest|strategies)\b/.test(station) ? station : `src/${station}`;

/** Folders whose rooms are stations of their own. */
const WITH_ROOMS = ['runtime', 'paper', 'operate', 'backtest'];

/** The station of a source: `src/paper/venue/x.ts` → `paper/venue`, `src/guards/x.ts` → `guards`. */
export function stationOf(file: string): string {
  const [top, ...below] = file.replace(/^src\//, '').split('/');
  return WITH_ROOMS.includes(top!) && below.length > 1 ? `${top}/${below[0]}` : top!;
}

/** A name for the ledger: it survives edits elsewhere in the file. */
export const nameOf = ({ file, name }: Patch): string => `${file}: ${name}`;

/** The patched source. Throws if the source is not the one that the patch was written for. */
export function applyEdit(source: string, file: string, edit: Edit): string {
  if ('start' in edit) {
    if (source.slice(edit.start, edit.end) !== edit.was) {
      throw new Error(`${file} has another text at ${edit.start} than: ${edit.was}`);
    }
    return source.slice(0, edit.start) + edit.to + source.slice(edit.end);
  }
  const parts = source.split(edit.from);
  if (parts.length === 2) return parts.join(edit.to);
  throw new Error(`${file} has the text ${parts.length - 1} times, not once: ${edit.from}`);
}
